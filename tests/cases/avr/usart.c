/* Reads lines from the first USART and prints them turned to capitals, by the registers' names in avr-libc. */

#include <avr/io.h>

#ifdef USARTC0
#define STATUS USARTC0.STATUS
#define DATA   USARTC0.DATA
#define READY  USART_DREIF_bm
#define CAME   USART_RXCIF_bm
#else
#define STATUS UCSR0A
#define DATA   UDR0
#define READY  _BV(UDRE0)
#define CAME   _BV(RXC0)
#endif

static void set_up(void)
{
#ifdef USARTC0
    USARTC0.BAUDCTRLA = 8;
    USARTC0.CTRLC     = USART_CHSIZE_8BIT_gc;
    USARTC0.CTRLB     = USART_TXEN_bm | USART_RXEN_bm;
#else
    UBRR0  = 8;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(TXEN0) | _BV(RXEN0);
#endif
}

static void put(char character)
{
    while (!(STATUS & READY)) {
    }
    DATA = character;
}

static void print(const char *text)
{
    while (*text) {
        put(*text++);
    }
}

int main(void)
{
    set_up();
    print("ready\n");
    while (STATUS & CAME) {
        char character = DATA;
        put(character >= 'a' && character <= 'z' ? character - 'a' + 'A' : character);
    }
    print("done\n");
    __asm__ volatile("cli\n\tsleep");
    return 0;
}
