//! Toy: ten instructions of 16 bits on eight registers of 16 bits, and 64 KiB of memory.
//!
//! | instruction | encoding | effect |
//! |---|---|---|
//! | `ldi d, n` | `0000 ddd0 nnnnnnnn` | d = n |
//! | `ldh d, n` | `0001 ddd0 nnnnnnnn` | the higher byte of d = n |
//! | `add d, s` | `0010 ddd0 00000sss` | d = d + s |
//! | `call n` | `0011 11nn nnnnnnnn` | r7 = address of the next instruction; goes n words behind it |
//! | `xor d, s` | `0100 ddd0 00000sss` | d = d ^ s |
//! | `shr d, n` | `0101 ddd0 0000nnnn` | d = d >> n |
//! | `lw d, s` | `0110 ddd0 00000sss` | d = the word at s, whose lowest bit is ignored |
//! | `sw d, s` | `0111 ddd0 00000sss` | the word at s = d |
//! | `bz d, n` | `1000 dddn nnnnnnnn` | where d is 0, goes n words behind the next instruction |
//! | `jr s` | `1001 0000 00000sss` | goes to the address in s, behind the next instruction |
//!
//! No branch or jump may stand in the delay slot behind `jr`.
//!
//! `call` is encoded as the jump of MSP430 is, so that an assembler for MSP430 takes the others as words and
//! leaves distances between functions to its linker.

mod description;
mod lift;
mod table;
mod timing;

pub use description::TOY;
