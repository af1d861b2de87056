/* Keeps a log of which exceptions come when, and of what the controller's registers say meanwhile. */

#include "cortex_m.h"

#if defined(__arm__)
#define BARRIER()           __asm__ volatile("dsb\n\tisb" ::: "memory")
#define HOLD()              __asm__ volatile("cpsid i" ::: "memory")
#define RELEASE()           __asm__ volatile("cpsie i\n\tisb" ::: "memory")
#define CALL()              __asm__ volatile("svc 0" ::: "memory")
#define READ_NUMBER(number) __asm__ volatile("mrs %0, ipsr" : "=r"(number))
#else
#define BARRIER()
#define HOLD()
#define RELEASE()
#define CALL()
#define READ_NUMBER(number) ((number) = 0)
#endif

#if defined(__ARM_ARCH) && __ARM_ARCH >= 7
#define IS_LARGE 1
#define HOLD_UP_TO(level) __asm__ volatile("msr basepri, %0\n\tisb" ::"r"(level) : "memory")
#else
#define IS_LARGE 0
#define HOLD_UP_TO(level) ((void)(level))
#endif

void SysTick_Handler(void);
void PendSV_Handler(void);
void SVC_Handler(void);
void Interrupt_Handler(void);

static char     events[200];
static uint32_t length, states[100], count;
static uint32_t table[48] __attribute__((aligned(256)));

static void note(char event)
{
    events[length++] = event;
}

static void keep(uint32_t value)
{
    states[count++] = value;
}

/* What waits, what is handled, and whether that is all that is. ISRPREEMPT is a debugger's. */
static void keep_state(void)
{
    keep(SCB->ICSR & ~(1u << 23));
}

static void let_wait(uint32_t which)
{
    SCB->ICSR = which;
    BARRIER();
}

void SysTick_Handler(void)
{
    note('t');
    keep_state();
    let_wait(ICSR_PENDSVSET);
    keep_state();
    let_wait(ICSR_PENDSVCLR);
    note('T');
}

void PendSV_Handler(void)
{
    note('p');
    keep_state();
    let_wait(ICSR_PENDSTSET);
    keep_state();
    note('P');
}

void SVC_Handler(void)
{
    note('s');
    keep_state();
    let_wait(ICSR_PENDSVSET);
    note('S');
}

/* The second interrupt lets two others wait. */
void Interrupt_Handler(void)
{
    uint32_t number;
    READ_NUMBER(number);
    char name = (char)('0' + number % 16u);
    note(name);
    keep_state();
    if (IS_LARGE) keep(NVIC->IABR);
    if (name == '2') {
        NVIC->ISPR = 1u << 1 | 1u << 5;
        BARRIER();
        keep(NVIC->ISPR);
    }
    note(name);
}

static void other(void)
{
    note('v');
}

static void of_the_core(void)
{
    SCB->SHPR[2] = 0x40ff0000u;
    SCB->SHPR[1] = 0x80000000u;
    keep(SCB->SHPR[2]);
    keep(SCB->SHPR[1]);
    let_wait(ICSR_PENDSVSET);
    note('-');
    CALL();
    note('-');
    HOLD();
    let_wait(ICSR_PENDSTSET);
    keep_state();
    note('h');
    RELEASE();
    HOLD();
    let_wait(ICSR_PENDSTSET);
    let_wait(ICSR_PENDSTCLR);
    RELEASE();
    note('-');
    if (IS_LARGE) {
        HOLD_UP_TO(0x40);
        let_wait(ICSR_PENDSTSET);
        note('b');
        HOLD_UP_TO(0);
        note('-');
    }
}

static void external(void)
{
    NVIC->IPR[0] = 0xc0c08000u;
    NVIC->IPR[1] = 0x00008000u;
    NVIC->ISER   = 1u << 1 | 1u << 2 | 1u << 5;
    keep(NVIC->IPR[0]);
    keep(NVIC->IPR[1]);
    keep(NVIC->ICER & 0xffu);
    NVIC->ISPR = 1u << 2;
    BARRIER();
    note('-');
    NVIC->ISPR = 1u << 3;
    BARRIER();
    keep_state();
    keep(NVIC->ICPR);
    NVIC->ISER = 1u << 3;
    BARRIER();
    note('-');
    NVIC->ICER = 1u << 2;
    NVIC->ISPR = 1u << 2;
    NVIC->ICPR = 1u << 2;
    NVIC->ISER = 1u << 2;
    BARRIER();
    note('-');
}

/* Priorities of which the upper part alone, or none, lets one interrupt another. */
static void grouped(void)
{
    SCB->AIRCR = 0x05fa0700u;
    keep(SCB->AIRCR & 0x700u);
    NVIC->ISPR = 1u << 2;
    BARRIER();
    note('-');
    SCB->AIRCR = 0x700u;
    keep(SCB->AIRCR & 0x700u);
    SCB->AIRCR = 0x05fa0000u;
    STIR       = 5;
    BARRIER();
    note('-');
}

static void moved(void)
{
    const uint32_t *from = (const uint32_t *)(uintptr_t)SCB->VTOR;
    for (unsigned i = 0; i < 48; i++) table[i] = from[i];
    table[15] = (uint32_t)(uintptr_t)other;
    SCB->VTOR = (uint32_t)(uintptr_t)table;
    BARRIER();
    let_wait(ICSR_PENDSTSET);
    keep(SCB->VTOR == (uint32_t)(uintptr_t)table);
}

static void timed(void)
{
    SysTick->LOAD = 0xff0fffffu;
    SysTick->VAL  = 5;
    keep(SysTick->LOAD);
    keep(SysTick->VAL);
    SysTick->CTRL = SYSTICK_CLKSOURCE | SYSTICK_ENABLE;
    while (!(SysTick->CTRL & SYSTICK_COUNTFLAG)) { }
    keep(SysTick->CTRL);
    while (!(SysTick->CTRL & SYSTICK_COUNTFLAG)) { }
    SysTick->CTRL = SYSTICK_CLKSOURCE;
    keep(SysTick->VAL != 0);
    keep(SysTick->CTRL);
}

int main(void)
{
    keep(SCB->CCR);
    of_the_core();
    external();
    if (IS_LARGE) {
        grouped();
        moved();
    }
    timed();
    events[length++] = '\n';
    write_text(events);
    for (uint32_t i = 0; i < count; i++) print(states[i]);
    leave();
    return 0;
}
