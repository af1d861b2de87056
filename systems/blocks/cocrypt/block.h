// Blocks of designs in FDL, in C++: derive a class from cocrypt::Block, and name it in COCRYPT_BLOCK.
#pragma once

#include "../interface.h"

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace cocrypt {

// The values of a block's parameters, `ipparm "key=value"`, by key.
using Parameters = std::map<std::string, std::string>;

// A port: its limbs among those of its direction.
struct Port {
    bool is_output;
    size_t first;
    unsigned bits;

    size_t limbs() const { return (bits + 63) / 64; }
};

// A block. Its constructor declares ports and sets the state after a reset. Copies are made of it, so it owns
// what it refers to. An exception ends the simulation with its message.
class Block {
    std::vector<uint64_t> inputs, outputs;
    std::string ports;

    Port port(const std::string &name, unsigned bits, bool is_output)
    {
        if (bits == 0) throw std::invalid_argument("the port `" + name + "` has no bits");
        std::vector<uint64_t> &values = is_output ? outputs : inputs;
        const Port made{is_output, values.size(), bits};
        values.resize(values.size() + made.limbs());
        ports += (is_output ? "out " : "in ") + name + " " + std::to_string(bits) + "\n";
        return made;
    }

public:
    virtual ~Block() = default;

    // Sets the outputs from the inputs and the state, once or several times in a cycle. It does not change
    // the state. Outputs keep their values until they are set again.
    virtual void evaluate() = 0;

    // The clock's edge: sets the next state from the inputs and the state.
    virtual void clock() {}

    const std::string &described() const { return ports; }

    void exchange(const uint64_t *in, uint64_t *out)
    {
        inputs.assign(in, in + inputs.size());
        evaluate();
        for (size_t limb = 0; limb < outputs.size(); limb++) out[limb] = outputs[limb];
    }

protected:
    // Declares a port, with its name in the design and its bits.
    Port input(const std::string &name, unsigned bits) { return port(name, bits, false); }
    Port output(const std::string &name, unsigned bits) { return port(name, bits, true); }

    // The bits of a port from 64 * `limb` on, without sign.
    uint64_t get(Port port, size_t limb = 0) const
    {
        return (port.is_output ? outputs : inputs).at(port.first + limb);
    }

    // Sets the bits of an output from 64 * `limb` on, cut to its width.
    void set(Port port, uint64_t value, size_t limb = 0)
    {
        if (!port.is_output) throw std::logic_error("an input is set");
        const bool is_cut = port.bits % 64 != 0 && limb + 1 == port.limbs();
        outputs.at(port.first + limb) = is_cut ? value & ((1ull << port.bits % 64) - 1) : value;
    }

    // The value of a parameter as a number, in decimal or in hex behind `0x`; `otherwise` without one.
    static uint64_t number(const Parameters &given, const std::string &key, uint64_t otherwise)
    {
        const auto found = given.find(key);
        if (found == given.end()) return otherwise;
        size_t end = 0;
        uint64_t value = 0;
        try {
            value = std::stoull(found->second, &end, 0);
        } catch (const std::exception &) {
            end = std::string::npos;
        }
        if (end != found->second.size())
            throw std::invalid_argument("`" + key + "=" + found->second + "` is no number");
        return value;
    }
};

// A block and its fault.
struct Instance {
    Block *block = nullptr;
    std::string fault;

    template <typename Work>
    void attempt(Work work)
    {
        if (!fault.empty()) return;
        try {
            work();
        } catch (const std::exception &error) {
            fault = error.what();
        } catch (...) {
            fault = "an exception without a message";
        }
    }
};

// `key=value`, a line each.
inline Parameters read(const std::string &text)
{
    Parameters values;
    for (size_t from = 0, end; (end = text.find('\n', from)) != std::string::npos; from = end + 1) {
        const std::string line = text.substr(from, end - from);
        const size_t sign = line.find('=');
        values[line.substr(0, sign)] = line.substr(sign + 1);
    }
    return values;
}

} // namespace cocrypt

// Makes the library's functions of a class whose constructor takes cocrypt::Parameters.
#define COCRYPT_BLOCK(NAME)                                                                                  \
    uint32_t cocrypt_block_form() { return 1; }                                                              \
    void *cocrypt_block_new(const char *parameters)                                                          \
    {                                                                                                        \
        auto *made = new cocrypt::Instance;                                                                  \
        made->attempt([&] { made->block = new NAME(cocrypt::read(parameters)); });                           \
        return made;                                                                                         \
    }                                                                                                        \
    void *cocrypt_block_copy(void *block)                                                                    \
    {                                                                                                        \
        const auto *from = static_cast<cocrypt::Instance *>(block);                                          \
        auto *made = new cocrypt::Instance;                                                                  \
        made->fault = from->fault;                                                                           \
        if (from->block) made->block = new NAME(*static_cast<const NAME *>(from->block));                    \
        return made;                                                                                         \
    }                                                                                                        \
    void cocrypt_block_delete(void *block)                                                                   \
    {                                                                                                        \
        auto *instance = static_cast<cocrypt::Instance *>(block);                                            \
        delete instance->block;                                                                              \
        delete instance;                                                                                     \
    }                                                                                                        \
    const char *cocrypt_block_ports(void *block)                                                             \
    {                                                                                                        \
        return static_cast<cocrypt::Instance *>(block)->block->described().c_str();                          \
    }                                                                                                        \
    void cocrypt_block_evaluate(void *block, const uint64_t *inputs, uint64_t *outputs)                      \
    {                                                                                                        \
        auto *instance = static_cast<cocrypt::Instance *>(block);                                            \
        instance->attempt([&] { instance->block->exchange(inputs, outputs); });                              \
    }                                                                                                        \
    void cocrypt_block_clock(void *block)                                                                    \
    {                                                                                                        \
        auto *instance = static_cast<cocrypt::Instance *>(block);                                            \
        instance->attempt([&] { instance->block->clock(); });                                                \
    }                                                                                                        \
    const char *cocrypt_block_fault(void *block)                                                             \
    {                                                                                                        \
        const auto *instance = static_cast<cocrypt::Instance *>(block);                                      \
        return instance->fault.empty() ? nullptr : instance->fault.c_str();                                  \
    }
