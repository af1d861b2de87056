// Accessors of this system's memory and registers for system.cpp.
//
// The core's Verilog makes the register file public, so that Verilator does not inline the modules
// above it.
#pragma once

#include <cstdint>

inline auto &memory_words(MODEL &top) { return top.vexriscv_system->memory__DOT__words; }

inline uint32_t core_register(MODEL &top, int number) {
    return top.vexriscv_system->cpu->RegFilePlugin_regFile[number];
}
