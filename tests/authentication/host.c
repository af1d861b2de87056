/* A node's firmware as a program of the host: whoever starts it plays the link, over its input and output.
 *
 * It reads parameters and identity, and from then on an answer to each wait: the cycle (8 bytes), the sender (4),
 * the size (4; 0 for none), the packet. It writes a letter and what belongs to it: M and a mark; L, a size and what
 * is left in memory, with each mark, wait, and at the end; W and the cycles that it would wait; S, receiver, size and
 * a packet; at the end X, what main returned, the identity, all outcomes, and `output`. Numbers are the host's. */

#include <stdio.h>
#include <stdlib.h>

#include "cocrypt/device.h"
#include "cocrypt/link.h"
#include "protocol.h"
#undef main

extern PARAMETERS parameters;
extern IDENTITY   identity;
extern OUTCOME    outcomes[MAX_SESSIONS];
extern uint8_t    output[2 * KEY_BYTES];
int               firmware_main(void);

static uint64_t cycle;
static uint32_t sender, packet_size, read_bytes;
static uint8_t  packet[2048];

static void get(void *bytes, size_t size)
{
    if (size > 0 && fread(bytes, size, 1, stdin) != 1) {
        exit(2);
    }
}

static void put(const void *bytes, size_t size)
{
    (void)fwrite(bytes, 1, size, stdout);
}

static void put_number(char letter, uint32_t number)
{
    put(&letter, 1);
    put(&number, sizeof number);
}

#ifdef SANITIZED

/* A sanitizer would not have others' memory read. */
static void put_remains(void)
{
}

static void clear_remains(void)
{
}

static void put_variables(void)
{
}

#else

static void put_memory(const uint8_t *bytes, uint32_t size)
{
    put_number('L', size);
    put(bytes, size);
}

enum { STACK_BYTES = 1 << 14 };

/* What functions that have returned have left on the stack. */
static __attribute__((noinline)) void put_remains(void)
{
    static uint8_t stack[STACK_BYTES];
    uintptr_t      here = (uintptr_t)__builtin_frame_address(0);
    for (size_t i = 1; i <= STACK_BYTES; i++) {
        stack[STACK_BYTES - i] = *(const volatile uint8_t *)(here - i);
    }
    put_memory(stack, STACK_BYTES);
}

/* What reading the identity has left there is no fault of the firmware's. */
static __attribute__((noinline)) void clear_remains(void)
{
    uint8_t stack[STACK_BYTES];
    for (volatile uint8_t *at = stack; at < stack + STACK_BYTES; at++) {
        *at = 0;
    }
}

/* Everything that a program's start clears. */
static void put_variables(void)
{
    extern uint8_t __bss_start[], _end[];
    put_memory(__bss_start, (uint32_t)(_end - __bss_start));
}

#endif

void device_write(uint32_t address, uint32_t value)
{
    if (address == COCRYPT_MARKS) {
        /* First, before anything else is written over them. */
        put_remains();
        put_number('M', value);
    }
}

uint32_t device_read(uint32_t address)
{
    return (uint32_t)(address == COCRYPT_COUNTER ? cycle : cycle >> 32);
}

size_t link_wait(uint32_t cycles)
{
    put_remains();
    put_number('W', cycles);
    (void)fflush(stdout);
    get(&cycle, sizeof cycle);
    get(&sender, sizeof sender);
    get(&packet_size, sizeof packet_size);
    get(packet, packet_size);
    read_bytes = 0;
    return packet_size;
}

uint32_t link_from(void)
{
    return sender;
}

uint32_t link_node(void)
{
    return 0;
}

void link_read(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = read_bytes < packet_size ? packet[read_bytes++] : 0;
    }
}

void link_send(uint32_t to, const uint8_t *bytes, size_t size)
{
    uint32_t count = (uint32_t)size;
    put_number('S', to);
    put(&count, sizeof count);
    put(bytes, size);
}

int main(void)
{
    get(&parameters, sizeof parameters);
    get(&identity, sizeof identity);
    clear_remains();
    int code = firmware_main();
    put_remains();
    put_variables();
    put_number('X', (uint32_t)code);
    put(&identity, sizeof identity);
    put(outcomes, sizeof outcomes);
    put(output, sizeof output);
    return 0;
}
