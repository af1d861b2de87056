//! The instructions, by the module that describes them.

use cocrypt_ir::{Binary, Exit, StopKind};

use super::Lifter;
use super::arithmetic::{Carry, Logic};
use super::memory::Change;
use super::product::Product;
use crate::cells::{self, FLAGS};
use crate::decode::Decoded;
use crate::table::Opcode;

impl Lifter<'_> {
    /// The operations of an instruction behind which `following` stands; its exit, if it ends the block.
    #[rustfmt::skip]
    pub(super) fn operations(&mut self, insn: &Decoded, following: u64) -> Option<Exit> {
        use Opcode as O;
        match insn.opcode {
            O::Nop => {}
            O::Mov => self.copy(insn),
            O::Movw => self.copy_pair(insn),
            O::Ldi => self.set(insn.d, insn.constant),
            O::Add => self.add(insn, Carry::Without),
            O::Adc => self.add(insn, Carry::With),
            O::Sub | O::Subi => self.subtract(insn, true),
            O::Cp | O::Cpi => self.subtract(insn, false),
            O::Sbc | O::Sbci => self.subtract_with_carry(insn, true),
            O::Cpc => self.subtract_with_carry(insn, false),
            O::And | O::Andi => self.logic(insn, Logic(Binary::And)),
            O::Or | O::Ori => self.logic(insn, Logic(Binary::Or)),
            O::Eor => self.logic(insn, Logic(Binary::Xor)),
            O::Adiw => self.word(insn, Binary::Add),
            O::Sbiw => self.word(insn, Binary::Sub),
            O::Com => self.complement(insn),
            O::Neg => self.negate(insn),
            O::Inc => self.count(insn, Binary::Add),
            O::Dec => self.count(insn, Binary::Sub),
            O::Swap => self.swap(insn),
            O::Asr | O::Lsr | O::Ror => self.shift(insn),
            O::Bld => self.load_bit(insn),
            O::Bst => self.store_bit(insn),
            O::Mul => self.multiply(insn, &Product { signed: [false; 2], fractional: false }),
            O::Muls => self.multiply(insn, &Product { signed: [true; 2], fractional: false }),
            O::Mulsu => self.multiply(insn, &Product { signed: [true, false], fractional: false }),
            O::Fmul => self.multiply(insn, &Product { signed: [false; 2], fractional: true }),
            O::Fmuls => self.multiply(insn, &Product { signed: [true; 2], fractional: true }),
            O::Fmulsu => self.multiply(insn, &Product { signed: [true, false], fractional: true }),

            O::LdX | O::LdXIncrement | O::LdXDecrement
            | O::LdY | O::LdYIncrement | O::LdYDecrement | O::LddY
            | O::LdZ | O::LdZIncrement | O::LdZDecrement | O::LddZ => self.load(insn),
            O::StX | O::StXIncrement | O::StXDecrement
            | O::StY | O::StYIncrement | O::StYDecrement | O::StdY
            | O::StZ | O::StZIncrement | O::StZDecrement | O::StdZ => self.store(insn),
            O::Lds | O::LdsShort | O::In => self.load_direct(insn),
            O::Sts | O::StsShort | O::Out => return self.store_direct(insn, following),
            O::Sbi => self.set_io_bit(insn, true),
            O::Cbi => self.set_io_bit(insn, false),
            O::Push => self.push_register(insn.d),
            O::Pop => self.pop_register(insn.d),
            O::Xch => self.exchange(insn.d, Change::Write),
            O::Las => self.exchange(insn.d, Change::Set),
            O::Lac => self.exchange(insn.d, Change::Clear),
            O::Lat => self.exchange(insn.d, Change::Toggle),
            O::Lpm | O::LpmZ | O::LpmZIncrement => self.load_program(insn, false),
            O::Elpm | O::ElpmZ | O::ElpmZIncrement => self.load_program(insn, true),

            O::Sec | O::Sez | O::Sen | O::Sev | O::Ses | O::Seh | O::Set => {
                self.set_flag(flag(insn.opcode, O::Sec), true);
            }
            O::Clc | O::Clz | O::Cln | O::Clv | O::Cls | O::Clh | O::Clt | O::Cli => {
                self.set_flag(flag(insn.opcode, O::Clc), false);
            }
            O::Sei => return Some(self.enable_interrupts(following)),

            O::Brcs | O::Breq | O::Brmi | O::Brvs | O::Brlt | O::Brhs | O::Brts | O::Brie => {
                let flag = flag(insn.opcode, O::Brcs);
                return Some(self.branch(insn, flag, true, following));
            }
            O::Brcc | O::Brne | O::Brpl | O::Brvc | O::Brge | O::Brhc | O::Brtc | O::Brid => {
                let flag = flag(insn.opcode, O::Brcc);
                return Some(self.branch(insn, flag, false, following));
            }
            O::Cpse => return Some(self.skip_equal(insn, following)),
            O::Sbrc => return Some(self.skip_bit(insn, false, following)),
            O::Sbrs => return Some(self.skip_bit(insn, true, following)),
            O::Sbic => return Some(self.skip_io_bit(insn, false, following)),
            O::Sbis => return Some(self.skip_io_bit(insn, true, following)),
            O::Rjmp => return Some(Exit::Jump { target: self.relative(insn, following) }),
            O::Jmp => return Some(Exit::Jump { target: self.absolute(insn) }),
            O::Ijmp => return Some(self.jump_indirect(false)),
            O::Eijmp => return Some(self.jump_indirect(true)),
            O::Rcall => {
                self.push_counter(following);
                return Some(Exit::Jump { target: self.relative(insn, following) });
            }
            O::Call => {
                self.push_counter(following);
                return Some(Exit::Jump { target: self.absolute(insn) });
            }
            O::Icall => return Some(self.call_indirect(false, following)),
            O::Eicall => return Some(self.call_indirect(true, following)),
            O::Ret => return Some(self.return_to()),
            O::Reti => return Some(self.return_from_handler()),

            O::Sleep => return Some(Exit::Stop(StopKind::Wait)),
            O::Break => return Some(Exit::Stop(StopKind::Breakpoint)),
            // It is as long as many others together.
            O::Des => {
                self.cipher_round(insn.constant as usize);
                return Some(Exit::Next { pc: following });
            }
            // What they do is the affair of peripherals, which `Frontend::reason` names.
            O::Spm | O::SpmIncrement | O::Wdr => return Some(Exit::Stop(StopKind::Unmodelled)),
        }
        None
    }
}

/// The flag of one of eight instructions, of which the first is that of carry.
fn flag(opcode: Opcode, first: Opcode) -> cocrypt_ir::Slot {
    FLAGS[(opcode as usize - first as usize) % FLAGS.len()]
}

const _: () = assert!(cells::FLAGS.len() == 8);
