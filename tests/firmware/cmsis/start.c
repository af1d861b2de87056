/* Start-up in the shape of CMSIS: a vector table in front of the image, a reset handler that copies initialised
 * data, clears the rest, calls SystemInit and hands over to the C library, and handlers that loop.
 *
 * It enters newlib's `_start`, which fetches the command line from the host and ends with `exit`; with MAIN it calls
 * `main` itself, as many boards' start-up code does. */

#include <stdint.h>

extern uint32_t __StackTop, __etext, __data_start__, __data_end__, __bss_start__, __bss_end__;

void _start(void) __attribute__((noreturn));
void __libc_init_array(void);
int  main(int count, char **words);
void exit(int code) __attribute__((noreturn));
void initialise_monitor_handles(void);

void hang(void) __attribute__((noreturn));
void SystemInit(void);

__attribute__((noreturn)) void Reset_Handler(void)
{
    const uint32_t *from = &__etext;
    for (uint32_t *to = &__data_start__; to < &__data_end__;) *to++ = *from++;
    for (uint32_t *to = &__bss_start__; to < &__bss_end__;) *to++ = 0;
    SystemInit();
#ifdef MAIN
    __libc_init_array();
    initialise_monitor_handles();
    exit(main(0, 0));
#else
    _start();
#endif
}

__attribute__((noreturn, noinline)) void hang(void)
{
    for (;;) {
    }
}

/* Newlib's start-up code calls these. */
void _init(void)
{
}

void _fini(void)
{
}

#define SCB_VTOR  (*(volatile uint32_t *)0xe000ed08)
#define SCB_CPACR (*(volatile uint32_t *)0xe000ed88)

extern const uint32_t vectors[];

/* What SystemInit does on most chips: coprocessors on, the table where the image has it. Some write to the chip's
 * registers too, here an STM32F4's RCC_CR. */
void SystemInit(void)
{
    SCB_CPACR |= 0x00f00000u;
    SCB_VTOR = (uint32_t)vectors;
#ifdef REGISTER
    *(volatile uint32_t *)REGISTER |= 1u;
#endif
}

#define HANDLER (uint32_t)hang

__attribute__((section(".isr_vector"), used)) const uint32_t vectors[48] = {
    (uint32_t)&__StackTop,
    (uint32_t)Reset_Handler,
    HANDLER, HANDLER, HANDLER, HANDLER, HANDLER, 0, 0, 0, 0, HANDLER, HANDLER, 0, HANDLER, HANDLER,
};
