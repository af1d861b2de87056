// The functions of a block's library, which crates/verilated/src/block.rs calls. Values are limbs of 64 bits,
// least significant first, of one port behind the other, inputs and outputs apart.
#pragma once

#include <cstdint>

extern "C" {
// The form of these functions.
uint32_t cocrypt_block_form();
// A block at its start; `parameters` has a line `key=value` for each.
void *cocrypt_block_new(const char *parameters);
void *cocrypt_block_copy(void *block);
void cocrypt_block_delete(void *block);
// Its ports, a line `in name bits` or `out name bits` for each.
const char *cocrypt_block_ports(void *block);
// Outputs from inputs and state, which stays as it is.
void cocrypt_block_evaluate(void *block, const uint64_t *inputs, uint64_t *outputs);
// The clock's edge, with the inputs of the last evaluation.
void cocrypt_block_clock(void *block);
// Why the block cannot go on; null as long as it can.
const char *cocrypt_block_fault(void *block);
}
