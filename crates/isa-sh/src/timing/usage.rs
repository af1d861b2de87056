//! The resources that instructions need: registers, the multiplier, control registers.

use cocrypt_ir::Insn;
use cocrypt_isa::{ByteOrder, CodeMemory};

use crate::class::Class;
use crate::decode::{Decoded, decode_at};
use crate::dsp::{Move, Step, parallel_moves, single};
use crate::lift::destination;
use crate::table::{Address, Opcode};

/// The number here of PR, which a load may write too.
const PR: u8 = 16;

/// The resources that an instruction uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The registers that it reads, as bits.
    pub reads: u32,
    /// The register that it loads.
    pub loads: Option<u8>,
    /// Its accesses, to memory and to the multiplier, of which a fetch may meet one.
    pub accesses: u32,
    /// True if it needs the multiplier, or its registers: its last access is to the multiplier.
    pub multiplier: bool,
    /// True if it reads a control register.
    pub control: bool,
}

/// The use of an instruction of a block; nothing for entries into handlers and what is no instruction.
pub fn usage(insn: &Insn, code: &dyn CodeMemory, order: ByteOrder) -> Option<Usage> {
    if insn.length == 0 || insn.class == Class::Illegal as u8 {
        return None;
    }
    decode_at(code, order, insn.pc).map(of)
}

fn of(insn: Decoded) -> Usage {
    let row = insn.opcode.row();
    let class = row.class;
    let multiplier = accesses(class) > 0
        && !matches!(
            class,
            Class::Load | Class::Store | Class::DspSingle | Class::DspMemory | Class::DspRegister
        );
    let is_global = matches!(row.address, Address::Global | Address::GlobalIndexed);
    let reads = matches!(class, Class::ControlRead | Class::ControlStore | Class::Return);
    Usage {
        reads: reads_of(insn),
        loads: loads(insn),
        accesses: accesses(class),
        multiplier,
        control: is_global || reads,
    }
}

/// Accesses to memory and to the multiplier, one in each of the cycles behind the first.
const fn accesses(class: Class) -> u32 {
    match class {
        Class::Load
        | Class::Store
        | Class::Multiply16
        | Class::MacRegister
        | Class::MacMemory
        | Class::DspSingle
        | Class::DspMemory => 1,
        Class::Multiply32 | Class::Multiply64 | Class::Accumulate16 | Class::Accumulate32 => 2,
        _ => 0,
    }
}

/// The register that an instruction loads, or takes from the multiplier as late as a load.
fn loads(insn: Decoded) -> Option<u8> {
    match (insn.opcode, insn.opcode.row().class) {
        (Opcode::LdsPrPop, _) => Some(PR),
        (Opcode::StsMach | Opcode::StsMacl, _) => Some(insn.n),
        (_, Class::Load) => Some(destination(insn)),
        _ => None,
    }
}

/// The pointers and index registers of moves from and to the DSP.
fn pointers(moves: &[Option<Move>]) -> u32 {
    moves.iter().flatten().fold(0, |reads, one| {
        let index = if let Step::Index(index) = one.step { 1 << index } else { 0 };
        reads | 1 << one.at | index
    })
}

fn reads_of(insn: Decoded) -> u32 {
    match insn.opcode {
        Opcode::DoubleMove | Opcode::Parallel => {
            return pointers(&parallel_moves(insn.word).unwrap_or_default());
        }
        Opcode::SingleMove => return pointers(&[single(insn.word)]),
        _ => {}
    }
    let operands = insn.opcode.row().operands;
    let mut reads = 0;
    if operands.contains("{m}") {
        reads |= 1 << insn.m;
    }
    if operands.contains("{n}") && !only_writes(insn) {
        reads |= 1 << insn.n;
    }
    let implied = operands.contains("r0,") || operands.contains("(r0");
    if implied || reads_r0_last(insn.opcode) {
        reads |= 1;
    }
    match insn.opcode {
        Opcode::Rts | Opcode::StsPr | Opcode::StsPrPush => reads | 1 << PR,
        _ => reads,
    }
}

/// Returns true if an instruction writes its register `n` without having read it.
fn only_writes(insn: Decoded) -> bool {
    let row = insn.opcode.row();
    let loads = row.class == Class::Load && insn.opcode != Opcode::LdsPrPop;
    let moves = matches!(
        insn.opcode,
        Opcode::MovImmediate
            | Opcode::Mov
            | Opcode::Movt
            | Opcode::SwapBytes
            | Opcode::SwapWords
            | Opcode::ExtendSignedByte
            | Opcode::ExtendSignedWord
            | Opcode::ExtendByte
            | Opcode::ExtendWord
            | Opcode::Neg
            | Opcode::Negc
            | Opcode::Not
            | Opcode::StsMach
            | Opcode::StsMacl
            | Opcode::StsPr
    );
    loads || moves || row.class == Class::ControlRead
}

/// Returns true if an instruction reads R0 where assembly has it last.
const fn reads_r0_last(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::AndImmediate
            | Opcode::OrImmediate
            | Opcode::XorImmediate
            | Opcode::TstImmediate
            | Opcode::CompareEqualImmediate
    )
}
