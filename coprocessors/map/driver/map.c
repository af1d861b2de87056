/* Driver of the modular arithmetic processor. */

#include "map.h"
#include "map_registers.h"
#include "cocrypt/device.h"

static void map_write(uint32_t offset, const FIELDP *value)
{
    for (uint32_t i = 0; i < FIELD_WORDS; i++) {
        device_write(COCRYPT_COPROCESSOR + offset + 4 * i, value->w[i]);
    }
}

static void map_read(uint32_t offset, FIELDP *value)
{
    for (uint32_t i = 0; i < FIELD_WORDS; i++) {
        value->w[i] = device_read(COCRYPT_COPROCESSOR + offset + 4 * i);
    }
}

/* Not inlined, so that a profile shows it. */
__attribute__((noinline)) void map_wait(void);

void map_wait(void)
{
    while ((device_read(COCRYPT_COPROCESSOR + MAP_STATUS) & 1u << MAP_STATUS_DONE) == 0) {
    }
}

void map_run(map_opcode opcode, const FIELDP *y, const FIELDP *x, const FIELDP *m, FIELDP *z)
{
    map_write(MAP_X, x);
    map_write(MAP_Y, y);
    map_write(MAP_M, m);
    uint32_t start = (uint32_t)opcode << MAP_CONTROL_OPCODE | 1u << MAP_CONTROL_START;
    device_write(COCRYPT_COPROCESSOR + MAP_CONTROL, start);
    map_wait();
    map_read(MAP_Z, z);
    device_write(COCRYPT_COPROCESSOR + MAP_CONTROL, 1u << MAP_CONTROL_CLEAR);
}
