// Accessors of this system's memory and registers for system.cpp.
#pragma once

#include <cstdint>

inline auto &memory_words(MODEL &top) { return top.rootp->ibex_system__DOT__memory__DOT__words; }

inline uint32_t core_register(MODEL &top, int number) {
    return top.rootp->ibex_system__DOT__registers__DOT__rf_reg[number];
}
