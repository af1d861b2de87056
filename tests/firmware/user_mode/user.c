/* A program in user mode: it prints by calls, grows a stack and a heap, and tries what it may not. */

#include "user_mode.h"

enum { WORDS = 3000, DEEP = 200 };

static uint32_t call(enum call number, uint32_t a, uint32_t b, uint32_t c)
{
    register uint32_t r0 __asm__("r0") = a;
    register uint32_t r1 __asm__("r1") = b;
    register uint32_t r2 __asm__("r2") = c;
    register uint32_t r7 __asm__("r7") = (uint32_t)number;
    __asm__ volatile("svc #0" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r7) : "memory");
    return r0;
}

static void say(const char *what, uint32_t value)
{
    char  digits[12];
    char *to = digits + sizeof digits - 1;
    *to      = 0;
    do {
        *--to = "0123456789abcdef"[value & 15u];
        value >>= 4;
    } while (value != 0);
    call(CALL_PRINT, (uint32_t)(uintptr_t)what, 0, 0);
    call(CALL_PRINT, (uint32_t)(uintptr_t)to, 0, 0);
    call(CALL_PRINT, (uint32_t)(uintptr_t) "\n", 0, 0);
}

static uint32_t mode(void)
{
    uint32_t status;
    __asm__ volatile("mrs %0, cpsr" : "=r"(status));
    return status & 0x1fu;
}

static void sort(uint32_t *words, int count)
{
    while (count > 1) {
        uint32_t pivot = words[count / 2];
        int      low = 0, high = count - 1;
        while (low <= high) {
            if (words[low] < pivot) {
                low++;
            } else if (words[high] > pivot) {
                high--;
            } else {
                uint32_t other = words[low];
                words[low++]   = words[high];
                words[high--]  = other;
            }
        }
        sort(words, high + 1);
        words += low;
        count -= low;
    }
}

static void sorts(void)
{
    uint32_t *words = (uint32_t *)(uintptr_t)(AREA + 0xff0u), state = 2463534242u, sum = 0;
    for (int i = 0; i < WORDS; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        words[i] = state;
    }
    sort(words, WORDS);
    for (int i = 0; i < WORDS; i++) {
        sum = sum * 31u + words[i];
    }
    say("sorted ", sum);
}

static uint32_t __attribute__((noinline)) depth(uint32_t level)
{
    volatile uint32_t here[16];
    here[level & 15u] = level;
    return level == 0 ? 0 : here[level & 15u] + depth(level - 1);
}

/* What is in a register that an access was to fill which was passed over. */
static uint32_t loaded(uint32_t address)
{
    uint32_t value = 77;
    __asm__ volatile("ldr %0, [%1]" : "+r"(value) : "r"(address) : "memory");
    return value;
}

static void stored(uint32_t address)
{
    __asm__ volatile("str %0, [%0]" : : "r"(address) : "memory");
}

/* Eight words across the end of a page that is there, to one that comes: how far the base has moved, and
 * what is loaded behind. */
static void across(uint32_t border)
{
    uint32_t base = border - 12u, sum;
    loaded(border - 4u);
    __asm__ volatile("mov r1, #1\n\tmov r2, #2\n\tmov r3, #3\n\tmov r4, #4\n\t"
                     "stmia %0!, {r1-r4}\n\tstmia %0!, {r1-r4}\n\tldmdb %0!, {r1-r4}\n\t"
                     "add %1, r1, r2, lsl #4\n\tadd %1, %1, r3, lsl #8\n\tadd %1, %1, r4, lsl #12"
                     : "+r"(base), "=&r"(sum)
                     :
                     : "r1", "r2", "r3", "r4", "memory");
    say("moved ", base - (border - 12u));
    say("across ", sum);
}

static void jump(uint32_t to)
{
    __asm__ volatile("mov lr, pc\n\tmov pc, %0" : : "r"(to) : "lr", "memory");
}

static void tries(void)
{
    uint32_t hidden = (uint32_t)(uintptr_t)secret;
    say("hidden ", loaded(hidden));
    say("none ", loaded(NOWHERE));
    say("domain ", loaded(NO_DOMAIN));
    say("vectors ", loaded(0));
    stored(hidden);
    stored((uint32_t)(uintptr_t)&user_program);
    jump(hidden);
    jump(NOWHERE);
    jump(0);
    __asm__ volatile("mcr p15, 0, %0, c1, c0, 0" : : "r"(0));
    __asm__ volatile("msr cpsr_c, %0" : : "r"(0xd3));
}

void user_program(void)
{
    say("mode ", mode());
    sorts();
    say("depth ", depth(DEEP));
    across(AREA + 0x8000u);
    call(CALL_FILL, AREA + 0xafffu, 3, 5);
    say("filled ", loaded(AREA + 0xaffcu) + loaded(AREA + 0xb000u));
    tries();
    /* A page that was dropped comes again, as another one. */
    call(CALL_DROP, AREA + 0xb000u, 0, 0);
    say("dropped ", loaded(AREA + 0xb000u));
    say("pages ", call(CALL_PAGES, 0, 0, 0));
    say("mode ", mode());
    call(CALL_EXIT, 42, 0, 0);
}
