/* Registers of the modular arithmetic processor: offsets in its window, in bytes, and bits.
 * The map is registers.toml, which a test compares with this file. */

#ifndef MAP_REGISTERS_H
#define MAP_REGISTERS_H

enum {
    MAP_CONTROL = 0x000,
    MAP_STATUS  = 0x004,
    MAP_X       = 0x040,
    MAP_Y       = 0x060,
    MAP_M       = 0x080,
    MAP_Z       = 0x0a0
};

enum {
    MAP_CONTROL_OPCODE = 0, /* lowest bit of the field */
    MAP_CONTROL_START  = 2,
    MAP_CONTROL_CLEAR  = 3,
    MAP_STATUS_DONE    = 0
};

#endif
