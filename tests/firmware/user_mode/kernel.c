/* A kernel for one program in user mode: tables of pages, calls, and pages that come when they are needed.
 *
 * What it is asked and what it meets is kept in `output32`, what the program prints in `printed`; the
 * latter goes to the console too, where there is one. Source: "ARM Architecture Reference Manual"
 * (DDI 0100I), B4.7. */

#include <cocrypt/device.h>

#include "user_mode.h"

/* Rights: the kernel's; users read; all. */
enum rights { KERNEL = 1, READ = 2, ALL = 3 };
enum { PAGE = 4096, PAGES = 64, LOGGED = 256, PRINTED = 1024, DOMAIN = 1 };

struct frame {
    uint32_t r[13];
    uint32_t back;
    uint32_t user_link;
};

extern char _vectors[], _data_start[];

uint32_t enter_user(void (*program)(void), uint32_t stack);
void     leave_user(uint32_t code);
void     on_call(struct frame *frame);
void     on_data(struct frame *frame, uint32_t status, uint32_t address, uint32_t before);
void     on_fetch(struct frame *frame, uint32_t status, uint32_t before);
void     on_undefined(struct frame *frame, uint32_t before);

uint32_t output32[LOGGED];
char     printed[PRINTED];

static uint32_t first[4096] __attribute__((aligned(16384)));
static uint32_t of_image[256] __attribute__((aligned(1024)));
static uint32_t of_vectors[256] __attribute__((aligned(1024)));
static uint32_t of_area[256] __attribute__((aligned(1024)));
static char     pages[PAGES][PAGE] __attribute__((aligned(4096)));
uint32_t        secret[1024] __attribute__((aligned(4096)));

static uint32_t logged, letters, used;

static uint32_t at(const void *place)
{
    return (uint32_t)(uintptr_t)place;
}

static void note(uint32_t value)
{
    if (logged < LOGGED) {
        output32[logged++] = value;
    }
}

static void section(uint32_t address, uint32_t domain, enum rights rights)
{
    uint32_t number = address >> 20;
    first[number]   = number << 20 | (uint32_t)rights << 10 | domain << 5 | 2u;
}

static uint32_t small(uint32_t place, enum rights rights)
{
    uint32_t all = (uint32_t)rights * 0x55u;
    return (place & 0xfffff000u) | all << 4 | 2u;
}

static void forget_translations(void)
{
    __asm__ volatile("mcr p15, 0, %0, c8, c7, 0" : : "r"(0) : "memory");
}

/* The first MiB of the image in pages of its own: what it does not change, users read. */
static void make_tables(void)
{
    uint32_t base = at(_vectors);
    for (uint32_t more = 0; more < 4; more++) {
        section(base + (more << 20), 0, KERNEL);
    }
    if ((COCRYPT_PERIPHERALS - base) >> 22 != 0) {
        section(COCRYPT_PERIPHERALS, 0, KERNEL);
    }
    for (uint32_t page = 0; page < 256; page++) {
        uint32_t place = base + page * PAGE;
        of_image[page] = small(place, place < at(_data_start) ? READ : KERNEL);
    }
    of_vectors[0]          = small(base, KERNEL);
    first[base >> 20]      = at(of_image) | 1u;
    first[0]               = at(of_vectors) | 1u;
    first[AREA >> 20]      = at(of_area) | DOMAIN << 5 | 1u;
    section(NO_DOMAIN, 2, ALL);
}

static void translate(void)
{
    uint32_t control;
    __asm__ volatile("mcr p15, 0, %0, c2, c0, 0" : : "r"(at(first)));
    __asm__ volatile("mcr p15, 0, %0, c3, c0, 0" : : "r"(1u | 1u << (2 * DOMAIN)));
    forget_translations();
    __asm__ volatile("mrc p15, 0, %0, c1, c0, 0" : "=r"(control));
    __asm__ volatile("mcr p15, 0, %0, c1, c0, 0\n\tnop\n\tnop" : : "r"(control | 1u) : "memory");
}

static void print(const char *text)
{
    for (; *text != 0 && letters < PRINTED - 1; text++) {
        printed[letters++] = *text;
#ifdef CONSOLE
        device_write(COCRYPT_CONSOLE, (uint32_t)*text);
#endif
    }
}

/* A page of the area that was never used before; they are taken from the last to the first. */
static int give_page(uint32_t address)
{
    if (address - AREA >= AREA_SIZE || used == PAGES) {
        return 0;
    }
    uint32_t number = (address - AREA) / PAGE;
    if (of_area[number] != 0) {
        return 0;
    }
    of_area[number] = small(at(pages[PAGES - 1 - used++]), ALL);
    return 1;
}

void on_call(struct frame *frame)
{
    uint32_t *r = frame->r;
    note(0xca110000u | r[7]);
    switch (r[7]) {
    case CALL_EXIT:
        leave_user(r[0]);
        break;
    case CALL_PRINT:
        print((const char *)(uintptr_t)r[0]);
        break;
    case CALL_FILL:
        /* The kernel itself may meet a page that is not there. */
        for (uint32_t i = 0; i < r[1]; i++) {
            ((volatile uint8_t *)(uintptr_t)r[0])[i] = (uint8_t)(i + r[2]);
        }
        break;
    case CALL_DROP:
        of_area[(r[0] - AREA) / PAGE] = 0;
        forget_translations();
        break;
    default:
        r[0] = used;
    }
}

void on_data(struct frame *frame, uint32_t status, uint32_t address, uint32_t before)
{
    note(0xda7a0000u | (before & 0x1fu));
    note(status);
    note(address);
    note(frame->back);
    if (!give_page(address)) {
        frame->back += 4;
    }
}

/* Back to where the call was made that led nowhere. */
void on_fetch(struct frame *frame, uint32_t status, uint32_t before)
{
    note(0xfe7c0000u | (before & 0x1fu));
    note(status);
    note(frame->back);
    frame->back = frame->user_link;
}

void on_undefined(struct frame *frame, uint32_t before)
{
    note(0xdef00000u | (before & 0x1fu));
    note(frame->back);
}

int main(void)
{
    secret[0] = 0x5ec4e7;
    make_tables();
    translate();
    uint32_t code = enter_user(user_program, AREA + AREA_SIZE);
    note(0xe4d00000u | code);
    note(used);
    return 0;
}
