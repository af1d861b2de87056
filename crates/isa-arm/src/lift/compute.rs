//! What each computation computes (DDI 0100I, A4.1; DDI 0403, A7.7).

use cocrypt_ir::{Binary, Value};

use super::builder::Builder;
use super::{bits, dsp, flags, products};
use crate::cells::general;
use crate::computation::{Computation, Opcode};

/// What a computation gives.
enum Result {
    Word(Value),
    /// The lower and the upper word.
    Pair([Value; 2]),
}

/// Writes a computation. A destination of 15 is unpredictable in all of them: false, as no decoder
/// gives it.
pub(super) fn lift(builder: &mut Builder, it: &Computation) -> bool {
    if it.registers("dDlLhH") >> 15 != 0 {
        return false;
    }
    match result(builder, it) {
        Result::Word(word) => {
            builder.write_register(it.rd, word);
            if it.sets_flags {
                flags::set_by_result(builder, Value::Slot(general(it.rd)));
            }
        }
        Result::Pair([low, high]) => {
            builder.write_register(it.ra, low);
            builder.write_register(it.rd, high);
            if it.sets_flags {
                products::set_long_nz(builder, [it.ra, it.rd]);
            }
        }
    }
    true
}

fn result(builder: &mut Builder, it: &Computation) -> Result {
    let op = it.op;
    let factors = [it.rn, it.rm];
    let [n, m, a] = [it.rn, it.rm, it.ra].map(|register| builder.register(register));
    Result::Word(match op {
        Opcode::Mul => builder.binary(Binary::Mul, n, m),
        Opcode::Mla => {
            let product = builder.binary(Binary::Mul, n, m);
            builder.binary(Binary::Add, product, a)
        }
        Opcode::Mls => {
            let product = builder.binary(Binary::Mul, n, m);
            builder.binary(Binary::Sub, a, product)
        }
        Opcode::Umull | Opcode::Smull | Opcode::Umlal | Opcode::Smlal | Opcode::Umaal => {
            return Result::Pair(products::long(builder, op, [it.ra, it.rd], [n, m]));
        }
        Opcode::Smlalxy | Opcode::Smlald | Opcode::Smlsld => {
            let product = products::half_long(builder, it);
            return Result::Pair(products::added_to_pair(builder, product, [it.ra, it.rd]));
        }
        Opcode::Smulxy => products::of_halves(builder, factors, [it.x, it.y]),
        Opcode::Smlaxy => {
            let product = products::of_halves(builder, factors, [it.x, it.y]);
            products::add_signed(builder, product, it.ra)
        }
        Opcode::Smulwy => products::by_half(builder, factors, it.y),
        Opcode::Smlawy => {
            let product = products::by_half(builder, factors, it.y);
            products::add_signed(builder, product, it.ra)
        }
        Opcode::Smuad => products::dual_sum(builder, factors, it.y),
        Opcode::Smlad => products::dual_sum_added(builder, factors, it.y, it.ra),
        Opcode::Smusd => products::dual(builder, Binary::Sub, factors, it.y),
        Opcode::Smlsd => {
            let difference = products::dual(builder, Binary::Sub, factors, it.y);
            products::add_signed(builder, difference, it.ra)
        }
        Opcode::Smmul => products::upper(builder, factors, it.y),
        Opcode::Smmla => {
            let upper = products::upper(builder, factors, it.y);
            builder.binary(Binary::Add, upper, a)
        }
        Opcode::Smmls => products::upper_less(builder, factors, it.y, it.ra),
        Opcode::Sdiv => products::quotient(builder, Binary::DivSigned, n, m),
        Opcode::Udiv => products::quotient(builder, Binary::DivUnsigned, n, m),
        Opcode::Ssat | Opcode::Usat => dsp::saturate(builder, it),
        Opcode::Ssat16 | Opcode::Usat16 => {
            dsp::saturate_halves(builder, op == Opcode::Ssat16, it.width, it.rn)
        }
        Opcode::Qadd => dsp::saturating_sum(builder, Binary::Add, m, n),
        Opcode::Qsub => dsp::saturating_sum(builder, Binary::Sub, m, n),
        Opcode::Qdadd => {
            let doubled = dsp::doubled(builder, n);
            dsp::saturating_sum(builder, Binary::Add, m, doubled)
        }
        Opcode::Qdsub => {
            let doubled = dsp::doubled(builder, n);
            dsp::saturating_sum(builder, Binary::Sub, m, doubled)
        }
        Opcode::Sel => dsp::select(builder, n, m),
        Opcode::Usad8 => dsp::sum_of_differences(builder, factors, None),
        Opcode::Usada8 => dsp::sum_of_differences(builder, factors, Some(it.ra)),
        Opcode::Sxtb | Opcode::Sxth | Opcode::Uxtb | Opcode::Uxth => bits::extended(builder, it),
        Opcode::Sxtab | Opcode::Sxtah | Opcode::Uxtab | Opcode::Uxtah => {
            let extended = bits::extended(builder, it);
            builder.binary(Binary::Add, n, extended)
        }
        Opcode::Sxtb16 | Opcode::Uxtb16 => bits::bytes(builder, it),
        Opcode::Sxtab16 | Opcode::Uxtab16 => {
            let extended = bits::bytes(builder, it);
            super::parallel::sum_of_halves(builder, n, extended)
        }
        Opcode::Pkhbt | Opcode::Pkhtb => bits::pack(builder, it),
        Opcode::Clz | Opcode::Rbit | Opcode::Rev | Opcode::Rev16 | Opcode::Revsh => {
            bits::reordered(builder, op, m)
        }
        Opcode::Sbfx => bits::field(builder, true, n, it.amount, it.width),
        Opcode::Ubfx => bits::field(builder, false, n, it.amount, it.width),
        Opcode::Bfi => bits::insert(builder, it, Some(n)),
        Opcode::Bfc => bits::insert(builder, it, None),
    })
}
