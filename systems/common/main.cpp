// The simulator's main program: reads one job per line from stdin, and prints one line of JSON for each.
//
// A job is a list of key=value fields, separated by tabs: program, configuration, fetch_wait,
// data_wait, bus_wait, max_cycles, dump (address:size, any number of times), input, trace; harness.h
// describes them. A job that cannot be run gives {"error": ...}, and the exit code is then 1.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "harness.h"

std::vector<Configuration> &configurations() {
    static std::vector<Configuration> all;
    return all;
}

namespace {

uint64_t number(const std::string &text, uint64_t limit) {
    size_t   end   = 0;
    uint64_t value = 0;
    try {
        value = std::stoull(text, &end, 0);
    } catch (const std::logic_error &) {
        end = 0;
    }
    if (end == 0 || end != text.size() || value > limit) throw std::runtime_error("bad number " + text);
    return value;
}

uint32_t word(const std::string &text) { return static_cast<uint32_t>(number(text, UINT32_MAX)); }

uint16_t wait(const std::string &text) { return static_cast<uint16_t>(number(text, UINT16_MAX)); }

std::pair<uint32_t, uint32_t> range(const std::string &text) {
    const size_t colon = text.find(':');
    if (colon == std::string::npos) throw std::runtime_error("bad range " + text);
    return {word(text.substr(0, colon)), word(text.substr(colon + 1))};
}

void set(Job &job, const std::string &field) {
    const size_t equals = field.find('=');
    if (equals == std::string::npos) throw std::runtime_error("bad field " + field);
    const std::string key = field.substr(0, equals), value = field.substr(equals + 1);
    if      (key == "program")       job.program       = value;
    else if (key == "configuration") job.configuration = value;
    else if (key == "fetch_wait")    job.fetch_wait    = wait(value);
    else if (key == "data_wait")     job.data_wait     = wait(value);
    else if (key == "bus_wait")      job.bus_wait      = wait(value);
    else if (key == "max_cycles")    job.max_cycles    = number(value, UINT64_MAX);
    else if (key == "dump")          job.dumps.push_back(range(value));
    else if (key == "input")         job.input         = value;
    else if (key == "trace")         job.trace         = value;
    else throw std::runtime_error("unknown field " + key);
}

Job parse(const std::string &line) {
    Job                job;
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, '\t');) set(job, field);
    if (job.bus_wait == 0) throw std::runtime_error("bus_wait must be at least 1");
    return job;
}

std::vector<uint8_t> read(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Outcome run(const Job &job) {
    for (const Configuration &configuration : configurations()) {
        if (job.configuration != configuration.name) continue;
        const std::vector<uint8_t> input = job.input.empty() ? std::vector<uint8_t>() : read(job.input);
        return configuration.run(job, read(job.program), input);
    }
    throw std::runtime_error("this binary has no configuration " + job.configuration);
}

std::string hex(const std::string &bytes) {
    std::string text;
    for (const char byte : bytes) {
        text += "0123456789abcdef"[static_cast<uint8_t>(byte) >> 4];
        text += "0123456789abcdef"[byte & 15];
    }
    return text;
}

void print(const Outcome &outcome) {
    std::printf("{\"stop\":\"%s\",\"exit_code\":%u,\"address\":%u,\"pc\":%u,", outcome.stop,
                outcome.exit_code, outcome.address, outcome.pc);
    std::printf("\"cycles\":%llu,\"instructions\":%llu,\"seconds\":%.6f,\"registers\":[0",
                static_cast<unsigned long long>(outcome.cycles),
                static_cast<unsigned long long>(outcome.instructions), outcome.seconds);
    for (int i = 1; i < 32; i++) std::printf(",%u", outcome.registers[i]);
    std::printf("],\"console\":\"%s\",\"dumps\":[", hex(outcome.console).c_str());
    const char *separator = "\"";
    for (const std::string &dump : outcome.dumps) {
        std::printf("%s%s\"", separator, hex(dump).c_str());
        separator = ",\"";
    }
    std::printf("],\"marks\":[");
    separator = "";
    for (const auto &[cycle, value] : outcome.marks) {
        std::printf("%s[%llu,%u]", separator, static_cast<unsigned long long>(cycle), value);
        separator = ",";
    }
    std::puts("]}");
    std::fflush(stdout);
}

// Prints an error as JSON; characters of file names that JSON does not allow in strings are replaced.
void print_error(std::string message) {
    for (char &c : message) {
        if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ') c = '?';
    }
    std::printf("{\"error\":\"%s\"}\n", message.c_str());
    std::fflush(stdout);
}

} // namespace

int main() {
    bool failed = false;
    for (std::string line; std::getline(std::cin, line);) {
        try {
            print(run(parse(line)));
        } catch (const std::exception &error) {
            print_error(error.what());
            failed = true;
        }
    }
    return failed ? 1 : 0;
}
