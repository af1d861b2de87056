// What system.cpp needs to know of this system: where its memory and registers are.
//
// The core's own Verilog asks for a public register file, so that Verilator keeps the modules above it
// apart.
#pragma once

#include <cstdint>

inline auto &memory_words(MODEL &top) { return top.vexriscv_system->memory__DOT__words; }

inline uint32_t core_register(MODEL &top, int number) {
    return top.vexriscv_system->cpu->RegFilePlugin_regFile[number];
}
