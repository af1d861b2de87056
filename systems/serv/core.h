// Accessors of this system's memory and registers for system.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

inline auto &memory_words(MODEL &top) { return top.rootp->serv_system__DOT__memory__DOT__words; }

// The register file has 32 registers, or 36 with CSRs, in entries of RF_WIDTH bits; the lowest bits
// of a register come first.
inline uint32_t core_register(MODEL &top, int number) {
    auto        &entries = top.rootp->serv_system__DOT__cpu__DOT__rf_ram__DOT__memory;
    const size_t count   = sizeof entries / sizeof entries[0];
    const size_t each    = count % 36 == 0 ? count / 36 : count / 32;
    const size_t width   = 32 / each;
    uint64_t     value   = 0;
    for (size_t i = each; i-- > 0;) value = value << width | entries[static_cast<size_t>(number) * each + i];
    return static_cast<uint32_t>(value);
}
