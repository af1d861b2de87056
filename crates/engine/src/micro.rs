//! The interpreter's own instructions: operations with their operand kinds and widths resolved.

use cocrypt_ir::{Op, Width};

/// A cell number; a file of 256 cells needs no bounds check.
pub type Cell = u8;

/// One interpreter instruction. `…R` takes both operands from cells, `…I` the second as a constant;
/// all are 32 bits wide except [`Micro::Any`] and `Narrow…`, which are as wide as their mask: 8 or 16
/// bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Micro {
    MoveR {
        dst: Cell,
        a: Cell,
    },
    MoveI {
        dst: Cell,
        imm: u32,
    },
    AddR {
        dst: Cell,
        a: Cell,
        b: Cell,
    },
    AddI {
        dst: Cell,
        a: Cell,
        imm: u32,
    },
    SubR {
        dst: Cell,
        a: Cell,
        b: Cell,
    },
    AndR {
        dst: Cell,
        a: Cell,
        b: Cell,
    },
    AndI {
        dst: Cell,
        a: Cell,
        imm: u32,
    },
    OrR {
        dst: Cell,
        a: Cell,
        b: Cell,
    },
    OrI {
        dst: Cell,
        a: Cell,
        imm: u32,
    },
    XorR {
        dst: Cell,
        a: Cell,
        b: Cell,
    },
    XorI {
        dst: Cell,
        a: Cell,
        imm: u32,
    },
    /// Shifts by a cell take the amount modulo 32.
    ShlR {
        dst: Cell,
        a: Cell,
        b: Cell,
    },
    ShlI {
        dst: Cell,
        a: Cell,
        imm: u32,
    },
    ShrR {
        dst: Cell,
        a: Cell,
        b: Cell,
    },
    ShrI {
        dst: Cell,
        a: Cell,
        imm: u32,
    },
    SarR {
        dst: Cell,
        a: Cell,
        b: Cell,
    },
    SarI {
        dst: Cell,
        a: Cell,
        imm: u32,
    },
    MulR {
        dst: Cell,
        a: Cell,
        b: Cell,
    },
    MulHighUnsignedR {
        dst: Cell,
        a: Cell,
        b: Cell,
    },
    LessSignedR {
        dst: Cell,
        a: Cell,
        b: Cell,
    },
    LessSignedI {
        dst: Cell,
        a: Cell,
        imm: u32,
    },
    LessUnsignedR {
        dst: Cell,
        a: Cell,
        b: Cell,
    },
    LessUnsignedI {
        dst: Cell,
        a: Cell,
        imm: u32,
    },
    NarrowAddR {
        dst: Cell,
        a: Cell,
        b: Cell,
        mask: u16,
    },
    NarrowSubR {
        dst: Cell,
        a: Cell,
        b: Cell,
        mask: u16,
    },
    NarrowAndR {
        dst: Cell,
        a: Cell,
        b: Cell,
        mask: u16,
    },
    NarrowOrR {
        dst: Cell,
        a: Cell,
        b: Cell,
        mask: u16,
    },
    NarrowXorR {
        dst: Cell,
        a: Cell,
        b: Cell,
        mask: u16,
    },
    NarrowMulR {
        dst: Cell,
        a: Cell,
        b: Cell,
        mask: u16,
    },
    NarrowAddI {
        dst: Cell,
        a: Cell,
        imm: u16,
        mask: u16,
    },
    NarrowAndI {
        dst: Cell,
        a: Cell,
        imm: u16,
        mask: u16,
    },
    NarrowOrI {
        dst: Cell,
        a: Cell,
        imm: u16,
        mask: u16,
    },
    NarrowXorI {
        dst: Cell,
        a: Cell,
        imm: u16,
        mask: u16,
    },
    NarrowShlI {
        dst: Cell,
        a: Cell,
        by: u8,
        mask: u16,
    },
    NarrowShrI {
        dst: Cell,
        a: Cell,
        by: u8,
        mask: u16,
    },
    NarrowSarI {
        dst: Cell,
        a: Cell,
        by: u8,
        width: Width,
    },
    NarrowEqualR {
        dst: Cell,
        a: Cell,
        b: Cell,
        mask: u16,
    },
    NarrowEqualI {
        dst: Cell,
        a: Cell,
        imm: u16,
        mask: u16,
    },
    NarrowLessUnsignedR {
        dst: Cell,
        a: Cell,
        b: Cell,
        mask: u16,
    },
    NarrowLessUnsignedI {
        dst: Cell,
        a: Cell,
        imm: u16,
        mask: u16,
    },
    /// Loads and stores: `at` is the instruction's index in the block.
    Load8 {
        dst: Cell,
        base: Cell,
        at: u8,
        offset: i32,
    },
    Load8Signed {
        dst: Cell,
        base: Cell,
        at: u8,
        offset: i32,
    },
    Load16 {
        dst: Cell,
        base: Cell,
        at: u8,
        offset: i32,
    },
    Load16Signed {
        dst: Cell,
        base: Cell,
        at: u8,
        offset: i32,
    },
    Load32 {
        dst: Cell,
        base: Cell,
        at: u8,
        offset: i32,
    },
    Store8 {
        src: Cell,
        base: Cell,
        at: u8,
        offset: i32,
    },
    Store16 {
        src: Cell,
        base: Cell,
        at: u8,
        offset: i32,
    },
    Store32 {
        src: Cell,
        base: Cell,
        at: u8,
        offset: i32,
    },
    /// Fused: `left = a << by; right = a >> (32 - by); dst = left | right`, a rotation in three.
    Rotate {
        dst: Cell,
        left: Cell,
        right: Cell,
        a: Cell,
        by: u8,
    },
    /// Fused: two exclusive ors.
    XorXor {
        first: [Cell; 3],
        second: [Cell; 3],
    },
    /// Fused: two sums.
    AddAdd {
        first: [Cell; 3],
        second: [Cell; 3],
    },
    /// Fused: `and`, then exclusive or.
    AndXor {
        first: [Cell; 3],
        second: [Cell; 3],
    },
    /// Fused: exclusive or, then `and`.
    XorAnd {
        first: [Cell; 3],
        second: [Cell; 3],
    },
    /// Fused: `sum = a + b`, then the byte at `sum + offset` to `dst`.
    AddLoad8 {
        dst: Cell,
        sum: Cell,
        a: Cell,
        b: Cell,
        at: u8,
        offset: i16,
    },
    /// Fused: `middle = a << left`, then its arithmetic right shift to `dst`.
    ShlSar {
        dst: Cell,
        middle: Cell,
        a: Cell,
        left: u8,
        right: u8,
    },
    /// Fused: the same with a logical right shift.
    ShlShr {
        dst: Cell,
        middle: Cell,
        a: Cell,
        left: u8,
        right: u8,
    },
    /// Any operation, by its index in the block; evaluated in general form.
    Any {
        op: u32,
        at: u8,
    },
    /// Adds operand-dependent cycles: an entry of the block's cost table.
    Extra {
        operand: Cell,
        table: u32,
        at: u8,
    },
    /// Reads a line of the instruction cache: an entry of the block's lines.
    FetchLine {
        line: u32,
    },
    /// Reads the line of a load that follows.
    LineRead {
        base: Cell,
        width: Width,
        at: u8,
        offset: i32,
    },
    /// Writes the line of a store that follows.
    LineWrite {
        base: Cell,
        at: u8,
        offset: i32,
    },
    /// Notes the stack pointer's value.
    StackMark {
        pointer: Cell,
    },
}

/// An operation that has no interpreter instruction of its own, with the micro-operations that a
/// guard skips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct General {
    /// The operation.
    pub op: Op,
    /// For a guard: how many interpreter instructions to skip.
    pub skip: u32,
    /// Index of its instruction.
    pub at: u8,
}
