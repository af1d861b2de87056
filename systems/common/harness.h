// Types that the parts of the simulator share: a job, its outcome, and the verilated systems by name.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

// One program to run.
struct Job {
    std::string program;                  // file, loaded at address 0
    std::string configuration;            // name of the verilated system
    uint16_t    fetch_wait = 1;           // cycles from request to answer, as in the system's ports
    uint16_t    data_wait  = 1;
    uint16_t    bus_wait   = 1;
    uint64_t    max_cycles = 100'000'000;
    std::vector<std::pair<uint32_t, uint32_t>> dumps; // address and size in bytes
    std::string input;                    // file with the console's input, or empty
    std::string trace;                    // file for the trace of issued instructions, or empty
};

// The result of a program's run.
struct Outcome {
    const char *stop         = "cycle_limit"; // exit, trap, fault or cycle_limit
    uint32_t    exit_code    = 0;             // valid for exit
    uint32_t    address      = 0;             // valid for fault: address without memory or peripheral
    uint32_t    pc           = 0;             // address of the last issued instruction
    uint64_t    cycles       = 0;             // up to and including the one in which it stopped
    uint64_t    instructions = 0;             // issued
    double      seconds      = 0;             // of host time in the simulation itself
    uint32_t    registers[32] = {};
    std::string console;
    std::vector<std::pair<uint64_t, uint32_t>> marks; // cycle and value of each mark
    std::vector<std::string> dumps;           // bytes, one string for each range of the job
};

// A verilated system with its parameters. `run` throws std::runtime_error for a job that it cannot run.
struct Configuration {
    const char *name;
    Outcome (*run)(const Job &job, const std::vector<uint8_t> &program, const std::vector<uint8_t> &input);
};

// All systems in this binary; each system's translation unit registers it at program start.
std::vector<Configuration> &configurations();

// Writes each issue as two little-endian 64-bit numbers, cycle and address.
class Trace {
public:
    explicit Trace(const std::string &path) : file_(path, std::ios::binary) {}

    void issue(uint64_t cycle, uint64_t pc) {
        const uint64_t record[2] = {cycle, pc};
        file_.write(reinterpret_cast<const char *>(record), sizeof record);
    }

    bool good() { return file_.flush().good(); }

private:
    std::ofstream file_;
};
