// A coprocessor in Verilog as a shared library: functions to clock a model, to access its registers, and
// to copy its state. crates/verilated/ calls them.

#include "state.h"

#include "Vport.h"

#include <cstdint>
#include <string>

namespace {

constexpr uint32_t FORM = 1;

struct Model {
    VerilatedContext context;
    Vport top{&context};
    std::string fault;

    void edge()
    {
        top.clk = 0;
        top.eval();
        top.clk = 1;
        top.eval();
    }

    Bytes state()
    {
        Bytes bytes;
        {
            Save save(bytes);
            save << top;
        }
        return bytes;
    }
};

// The model that runs in this thread, for messages of $finish and similar system tasks.
thread_local Model *running = nullptr;

void note(const std::string &what)
{
    if (running && running->fault.empty()) running->fault = what;
}

struct Running {
    explicit Running(Model *model) { running = model; }
    ~Running() { running = nullptr; }
};

std::string place(const char *file, int line)
{
    return std::string(" at ") + file + ":" + std::to_string(line);
}

} // namespace

void vl_finish(const char *file, int line, const char *) { note("$finish" + place(file, line)); }

void vl_stop(const char *file, int line, const char *) { note("$stop" + place(file, line)); }

void vl_fatal(const char *file, int line, const char *, const char *message)
{
    note(message + place(file, line));
}

extern "C" {

uint32_t cocrypt_model_form() { return FORM; }

void *cocrypt_model_new()
{
    Model *model = new Model;
    Running here(model);
    model->top.rst = 1;
    model->edge();
    model->edge();
    model->top.rst = 0;
    return model;
}

void cocrypt_model_delete(void *model) { delete static_cast<Model *>(model); }

void *cocrypt_model_copy(void *original)
{
    Model *from = static_cast<Model *>(original);
    Model *model = new Model;
    const Bytes bytes = from->state();
    {
        Restore restore(bytes);
        restore >> model->top;
    }
    model->fault = from->fault;
    return model;
}

uint32_t cocrypt_model_access(
    void *pointer, uint32_t address, uint32_t wdata, uint32_t write, uint32_t read)
{
    Model *model = static_cast<Model *>(pointer);
    Running here(model);
    Vport &top = model->top;
    top.address = address & 0xfff;
    top.wdata = wdata;
    top.write = write;
    top.read = read;
    top.clk = 0;
    top.eval();
    const uint32_t rdata = top.rdata;
    top.clk = 1;
    top.eval();
    top.address = 0;
    top.wdata = 0;
    top.write = 0;
    top.read = 0;
    return rdata;
}

// Clocks the model for a number of cycles without access. If an idle cycle leaves the state unchanged, so do
// all following ones, which are skipped. A comparison costs about as much as a few cycles, so the intervals
// between comparisons double.
void cocrypt_model_idle(void *pointer, uint64_t cycles)
{
    Model *model = static_cast<Model *>(pointer);
    Running here(model);
    uint64_t look = 16;
    for (uint64_t cycle = 1; cycle <= cycles; cycle++) {
        if (cycle != look) {
            model->edge();
            continue;
        }
        const Bytes before = model->state();
        model->edge();
        if (model->state() == before) return;
        look *= 2;
    }
}

const char *cocrypt_model_fault(void *pointer)
{
    const Model *model = static_cast<const Model *>(pointer);
    return model->fault.empty() ? nullptr : model->fault.c_str();
}
}
