// The state of a model that Verilator made, written to memory and read from it.

#pragma once

#include "verilated.h"
#include "verilated_save.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

using Bytes = std::vector<uint8_t>;

// Serialisation of a model's state to memory; Verilator's own classes use files.
class Save final : public VerilatedSerialize {
    Bytes &bytes;

public:
    explicit Save(Bytes &target) : bytes(target) { m_isOpen = true; }
    ~Save() override { flush(); }
    void flush() override
    {
        bytes.insert(bytes.end(), m_bufp, m_cp);
        m_cp = m_bufp;
    }
};

class Restore final : public VerilatedDeserialize {
    const Bytes &bytes;
    size_t taken = 0;

public:
    explicit Restore(const Bytes &source) : bytes(source)
    {
        m_isOpen = true;
        m_endp = m_cp;
    }
    void fill() override
    {
        const size_t left = m_endp - m_cp;
        std::memmove(m_bufp, m_cp, left);
        const size_t more = std::min(bufferSize() - left, bytes.size() - taken);
        std::memcpy(m_bufp + left, bytes.data() + taken, more);
        taken += more;
        m_cp = m_bufp;
        m_endp = m_bufp + left + more;
    }
};

} // namespace
