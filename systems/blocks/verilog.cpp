// A block in Verilog as a library. `block_ports.inc` has its ports, `PORT_IN(name, bits)` and
// `PORT_OUT(name, bits)`, as Verilator declares them.

#include "../library/state.h"
#include "interface.h"

#include "Vblock.h"

#include <algorithm>
#include <string>
#include <type_traits>

namespace {

struct Model {
    VerilatedContext context;
    Vblock top{&context};
    std::string fault;
};

// The model that runs in this thread, for $finish and similar system tasks.
thread_local Model *running = nullptr;

struct Running {
    explicit Running(Model *model) { running = model; }
    ~Running() { running = nullptr; }
};

void note(const std::string &what)
{
    if (running && running->fault.empty()) running->fault = what;
}

std::string place(const char *file, int line)
{
    return std::string(" at ") + file + ":" + std::to_string(line);
}

constexpr size_t limbs(size_t bits) { return (bits + 63) / 64; }

template <typename Value>
void take(Value &port, const uint64_t *&from, size_t bits)
{
    if constexpr (std::is_integral_v<Value>) {
        port = static_cast<Value>(*from);
    } else {
        for (size_t word = 0; word < (bits + 31) / 32; word++)
            port[word] = static_cast<uint32_t>(from[word / 2] >> (word % 2 * 32));
    }
    from += limbs(bits);
}

template <typename Value>
void give(const Value &port, uint64_t *&to, size_t bits)
{
    if constexpr (std::is_integral_v<Value>) {
        *to = port;
    } else {
        std::fill(to, to + limbs(bits), 0);
        for (size_t word = 0; word < (bits + 31) / 32; word++)
            to[word / 2] |= static_cast<uint64_t>(port[word]) << (word % 2 * 32);
    }
    to += limbs(bits);
}

// The clock's edge; modules without a clock have none.
void edge(Model *model)
{
#ifdef HAS_CLOCK
    model->top.clk = 1;
    model->top.eval();
    model->top.clk = 0;
#endif
    model->top.eval();
}

} // namespace

void vl_finish(const char *file, int line, const char *) { note("$finish" + place(file, line)); }

void vl_stop(const char *file, int line, const char *) { note("$stop" + place(file, line)); }

void vl_fatal(const char *file, int line, const char *, const char *message)
{
    note(message + place(file, line));
}

uint32_t cocrypt_block_form() { return 1; }

// Parameters are compiled in.
void *cocrypt_block_new(const char *)
{
    Model *model = new Model;
    Running here(model);
    model->top.eval();
#ifdef HAS_RESET
    model->top.rst = 1;
    model->top.eval();
    edge(model);
    edge(model);
    model->top.rst = 0;
    model->top.eval();
#endif
    return model;
}

void cocrypt_block_delete(void *block) { delete static_cast<Model *>(block); }

void *cocrypt_block_copy(void *block)
{
    Model *from = static_cast<Model *>(block);
    Model *model = new Model;
    Bytes bytes;
    {
        Save save(bytes);
        save << from->top;
    }
    Restore restore(bytes);
    restore >> model->top;
    model->fault = from->fault;
    return model;
}

const char *cocrypt_block_ports(void *)
{
#define PORT_IN(name, bits) "in " #name " " #bits "\n"
#define PORT_OUT(name, bits) "out " #name " " #bits "\n"
    return ""
#include "block_ports.inc"
        ;
#undef PORT_IN
#undef PORT_OUT
}

void cocrypt_block_evaluate(void *block, const uint64_t *inputs, uint64_t *outputs)
{
    Model *model = static_cast<Model *>(block);
    Running here(model);
    (void)inputs;
    (void)outputs;
#define PORT_IN(name, bits) take(model->top.name, inputs, bits);
#define PORT_OUT(name, bits)
#include "block_ports.inc"
#undef PORT_IN
#undef PORT_OUT
    model->top.eval();
#define PORT_IN(name, bits)
#define PORT_OUT(name, bits) give(model->top.name, outputs, bits);
#include "block_ports.inc"
#undef PORT_IN
#undef PORT_OUT
}

void cocrypt_block_clock(void *block)
{
    Model *model = static_cast<Model *>(block);
    Running here(model);
    edge(model);
}

const char *cocrypt_block_fault(void *block)
{
    const Model *model = static_cast<const Model *>(block);
    return model->fault.empty() ? nullptr : model->fault.c_str();
}
