/* Registers that a Cortex-M has within itself, by the names that firmware knows them by.
 *
 * Source: "ARMv7-M Architecture Reference Manual" (DDI 0403), B3.2 to B3.4 and C1.8. */

#ifndef CORTEX_M_H
#define CORTEX_M_H

#include <stdint.h>

typedef struct {
    volatile uint32_t CTRL;
    volatile uint32_t LOAD;
    volatile uint32_t VAL;
    volatile const uint32_t CALIB;
} SysTick_Type;

typedef struct {
    volatile uint32_t CTRL;
    volatile uint32_t CYCCNT;
} DWT_Type;

typedef struct {
    volatile const uint32_t CPUID;
    volatile uint32_t ICSR;
    volatile uint32_t VTOR;
    volatile uint32_t AIRCR;
    volatile uint32_t SCR;
    volatile uint32_t CCR;
    volatile uint32_t SHPR[3];
} SCB_Type;

typedef struct {
    volatile uint32_t ISER;
    uint32_t          none0[31];
    volatile uint32_t ICER;
    uint32_t          none1[31];
    volatile uint32_t ISPR;
    uint32_t          none2[31];
    volatile uint32_t ICPR;
    uint32_t          none3[31];
    volatile uint32_t IABR;
    uint32_t          none4[63];
    volatile uint32_t IPR[4];
} NVIC_Type;

#define REGISTERS(type, address) ((type *)(uintptr_t)(address))

#define DWT     REGISTERS(DWT_Type, 0xe0001000u)
#define SysTick REGISTERS(SysTick_Type, 0xe000e010u)
#define NVIC    REGISTERS(NVIC_Type, 0xe000e100u)
#define SCB     REGISTERS(SCB_Type, 0xe000ed00u)
#define DEMCR   (*REGISTERS(volatile uint32_t, 0xe000edfcu))
#define STIR    (*REGISTERS(volatile uint32_t, 0xe000ef00u))

#define DEMCR_TRCENA       (1u << 24)
#define DWT_CYCCNTENA      (1u << 0)
#define SYSTICK_ENABLE     (1u << 0)
#define SYSTICK_TICKINT    (1u << 1)
#define SYSTICK_CLKSOURCE  (1u << 2)
#define SYSTICK_COUNTFLAG  (1u << 16)
#define SYSTICK_LARGEST    0x00ffffffu

#define ICSR_PENDSVSET (1u << 28)
#define ICSR_PENDSVCLR (1u << 27)
#define ICSR_PENDSTSET (1u << 26)
#define ICSR_PENDSTCLR (1u << 25)

/* Writes text as it is. */
void write_text(const char *text);

/* Ends the program by asking the host, where there is one. */
void leave(void);

/* Writes a number in decimal and an end of line: to the device's console, or by asking the host. */
void print(uint64_t value);

/* Work of a few instructions a step, without a call. */
uint32_t work(uint32_t steps);

#endif
