// One verilated system: loads a program, clocks the system until it stops, and collects the results.
//
// Compiled once for each configuration, together with the code that Verilator generated for it. MODEL
// is the name of the class, MODEL_NAME that of the configuration, and MODEL_SOURCES a file that
// includes all generated code; core.h comes from the folder of the system.

#include <chrono>
#include <memory>
#include <stdexcept>

#include MODEL_SOURCES
#include "core.h"
#include "harness.h"

namespace {

// The cycles since the issue that the system reports: some systems report it only at completion.
template <typename Top> uint64_t issue_age(const Top &top) {
    if constexpr (requires { top.issue_age; }) return top.issue_age;
    return 0;
}

class System {
    // Defined first, because the other members need its deduced type.
    auto &words() { return memory_words(*top_); }

    size_t memory_size() { return sizeof words(); }

public:
    System(const Job &job, const std::vector<uint8_t> &input)
        : job_(job), input_(input), top_(new MODEL(&context_)) {
        top_->clk        = 0;
        top_->resetn     = 0;
        top_->fetch_wait = job.fetch_wait;
        top_->data_wait  = job.data_wait;
        top_->bus_wait   = job.bus_wait;
        show_input();
        top_->eval();
    }

    ~System() { top_->final(); }

    void load(const std::vector<uint8_t> &program) {
        if (program.size() > memory_size()) throw std::runtime_error("the program is larger than the memory");
        for (size_t i = 0; i < program.size(); i++) {
            words()[i / 4] |= uint32_t{program[i]} << 8 * (i % 4);
        }
    }

    Outcome run() {
        reset();
        const auto start = std::chrono::steady_clock::now();
        if (job_.trace.empty()) {
            loop([](uint64_t, uint32_t) {});
        } else {
            Trace trace(job_.trace);
            loop([&](uint64_t cycle, uint32_t pc) { trace.issue(cycle, pc); });
            if (!trace.good()) throw std::runtime_error("cannot write " + job_.trace);
        }
        outcome_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        collect();
        return std::move(outcome_);
    }

private:
    // Resets the system; afterwards the outputs are those of cycle 0.
    void reset() {
        for (int i = 0; i < 4; i++) clock();
        top_->resetn = 1;
        clock();
    }

    // Simulates a clock cycle; the next input character replaces a consumed one after the rising edge.
    void clock() {
        const bool taken = top_->console_take;
        top_->clk = 1;
        top_->eval();
        if (taken) {
            next_input_++;
            show_input();
        }
        top_->clk = 0;
        top_->eval();
    }

    void show_input() {
        top_->console_valid = next_input_ < input_.size();
        top_->console_input = top_->console_valid ? input_[next_input_] : 0;
    }

    template <typename OnIssue> void loop(OnIssue on_issue) {
        uint64_t cycle = 0, issues = 0;
        for (; cycle < job_.max_cycles; cycle++, clock()) {
            if (top_->issue) {
                issues++;
                outcome_.pc = top_->issue_pc;
                on_issue(cycle - issue_age(*top_), top_->issue_pc);
            }
            if (top_->console_write) outcome_.console += static_cast<char>(top_->console_byte);
            if (top_->mark_write) outcome_.marks.emplace_back(cycle, top_->mark_value);
            if (top_->exited | top_->fault | top_->trap) {
                cycle += 1 + stop();
                break;
            }
        }
        outcome_.cycles       = cycle;
        outcome_.instructions = issues;
    }

    // Records the reason for the stop; returns the number of additional cycles until it.
    uint64_t stop() {
        outcome_.stop      = top_->exited ? "exit" : top_->trap ? "trap" : "fault";
        outcome_.exit_code = top_->exit_code;
        outcome_.address   = top_->mem_addr;
        return top_->fault ? trap_instead() : 0;
    }

    // A misaligned access is already on the bus when the core traps on it, one or two cycles later.
    uint64_t trap_instead() {
        for (uint64_t later = 1; later <= 2; later++) {
            clock();
            if (!top_->trap) continue;
            outcome_.stop = "trap";
            return later;
        }
        return 0;
    }

    void collect() {
        for (int i = 1; i < 32; i++) {
            outcome_.registers[i] = core_register(*top_, i);
        }
        for (const auto &[address, size] : job_.dumps) {
            if (uint64_t{address} + size > memory_size()) throw std::runtime_error("a dump lies outside the memory");
            std::string bytes;
            for (uint32_t i = address; i < address + size; i++) {
                bytes += static_cast<char>(words()[i / 4] >> 8 * (i % 4));
            }
            outcome_.dumps.push_back(std::move(bytes));
        }
    }

    const Job             &job_;
    const std::vector<uint8_t> &input_;
    size_t                 next_input_ = 0;
    VerilatedContext       context_;
    std::unique_ptr<MODEL> top_;
    Outcome                outcome_;
};

Outcome run(const Job &job, const std::vector<uint8_t> &program, const std::vector<uint8_t> &input) {
    System system(job, input);
    system.load(program);
    return system.run();
}

const bool registered = (configurations().push_back({MODEL_NAME, run}), true);

} // namespace
