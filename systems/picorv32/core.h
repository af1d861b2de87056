// Accessors of this system's memory and registers for system.cpp.
#pragma once

#include <cstdint>

inline auto &memory_words(MODEL &top) { return top.rootp->picorv32_system__DOT__memory__DOT__words; }

inline uint32_t core_register(MODEL &top, int number) {
    return top.rootp->picorv32_system__DOT__cpu__DOT__cpuregs[number];
}
