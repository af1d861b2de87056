/* Counts what Timer/Counter1 and Timer/Counter0 interrupt for until the first has met a comparison so many times, and
 * prints it: the first begins again behind it, or counts up to its end, and the second overflows. */

#include <avr/interrupt.h>
#include <avr/io.h>

volatile uint16_t compared, second, overflowed, small;

ISR(TIMER1_COMPA_vect) { compared++; }
ISR(TIMER1_COMPB_vect) { second++; }
ISR(TIMER1_OVF_vect) { overflowed++; }
ISR(TIMER0_OVF_vect) { small++; }

static void put(char character)
{
    while (!(UCSR0A & _BV(UDRE0))) {
    }
    UDR0 = character;
}

static void print(uint16_t number)
{
    for (int8_t place = 12; place >= 0; place -= 4) {
        put("0123456789abcdef"[number >> place & 15]);
    }
    put(' ');
}

static void run(uint8_t times, uint8_t control, uint16_t top, uint16_t other)
{
    compared = second = overflowed = small = 0;
    TCCR1B = 0;
    TCNT1  = 0;
    OCR1A  = top;
    OCR1B  = other;
    TIFR1  = 0xff;
    TIFR0  = 0xff;
    /* simavr has an overflow where the first begins again; data sheets have it behind the greatest value alone. */
    TIMSK1 = _BV(OCIE1A) | _BV(OCIE1B) | (control & _BV(WGM12) ? 0 : _BV(TOIE1));
    TIMSK0 = _BV(TOIE0);
    TCCR1B = control;
    TCNT0  = 0;
    TCCR0B = _BV(CS01);
    sei();
    while (*(volatile uint8_t *)&compared < times) {
    }
    cli();
    TCCR1B = 0;
    TCCR0B = 0;
    print(compared);
    print(second);
    print(overflowed);
    print(small);
    /* What was still open is cleared by a 1, and stays so. */
    uint8_t open = TIFR1;
    TIFR1 = open;
    print(TIFR1 & (_BV(OCF1A) | _BV(OCF1B)));
    put('\n');
}

int main(void)
{
    UCSR0B = _BV(TXEN0);
    run(150, _BV(WGM12) | _BV(CS10), 999, 500);
    run(60, _BV(WGM12) | _BV(CS11), 250, 100);
    run(40, _BV(WGM12) | _BV(CS11) | _BV(CS10), 60, 2000);
    run(3, _BV(CS10), 30000, 10);
    run(1, _BV(CS11), 700, 200);
    run(3, _BV(WGM12) | _BV(CS12) | _BV(CS10), 30, 10);
    __asm__ volatile("cli\n\tsleep");
    return 0;
}
