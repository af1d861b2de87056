//! The semantics of each computation (DDI 0100I, A4.1; DDI 0403, A7.7).

use cocrypt_ir::{Binary, Unary, Value};

use super::builder::Builder;
use super::term::{Term, of};
use super::{bits, dsp, flags, products};
use crate::cells::general;
use crate::computation::{Computation, Opcode};

/// The result of a computation.
enum Result {
    Word(Term),
    /// The lower and the upper word.
    Pair([Value; 2]),
}

/// Writes a computation. A destination of 15 is unpredictable in all of them: false, as no decoder
/// gives it.
pub(super) fn lift(builder: &mut Builder, computation: &Computation) -> bool {
    if computation.registers("dDlLhH") >> 15 != 0 {
        return false;
    }
    match result(builder, computation) {
        Result::Word(word) => {
            let word = builder.term(word);
            builder.write_register(computation.rd, word);
            if computation.sets_flags {
                flags::set_by_result(builder, Value::Slot(general(computation.rd)));
            }
        }
        Result::Pair([low, high]) => {
            builder.write_register(computation.ra, low);
            builder.write_register(computation.rd, high);
            if computation.sets_flags {
                products::set_long_nz(builder, [computation.ra, computation.rd]);
            }
        }
    }
    true
}

fn result(builder: &mut Builder, computation: &Computation) -> Result {
    let op = computation.op;
    let [n, m, a] =
        [computation.rn, computation.rm, computation.ra].map(|register| builder.register(register));
    Result::Word(match op {
        Opcode::Mul => of(n) * m,
        Opcode::Mla => of(n) * m + a,
        Opcode::Mls => of(a) - of(n) * m,
        Opcode::Umull | Opcode::Smull | Opcode::Umlal | Opcode::Smlal | Opcode::Umaal => {
            return Result::Pair(products::long(
                builder,
                op,
                [computation.ra, computation.rd],
                [n, m],
            ));
        }
        Opcode::Smlalxy | Opcode::Smlald | Opcode::Smlsld => {
            let product = products::half_long(builder, computation, [n, m]);
            return Result::Pair(products::added_to_pair(
                builder,
                product,
                [computation.ra, computation.rd],
            ));
        }
        Opcode::Smulxy => products::of_halves([n, m], [computation.x, computation.y]),
        Opcode::Smlaxy => {
            products::added(builder, products::of_halves([n, m], [computation.x, computation.y]), a)
        }
        Opcode::Smulwy => products::by_half([n, m], computation.y),
        Opcode::Smlawy => products::added(builder, products::by_half([n, m], computation.y), a),
        Opcode::Smuad => products::dual_sum(builder, [n, m], computation.y),
        Opcode::Smlad => products::dual_sum_added(builder, [n, m], computation.y, a),
        Opcode::Smusd => products::dual(Binary::Sub, [n, m], computation.y),
        Opcode::Smlsd => {
            products::added(builder, products::dual(Binary::Sub, [n, m], computation.y), a)
        }
        Opcode::Smmul => products::upper([n, m], computation.y),
        Opcode::Smmla => products::upper([n, m], computation.y) + a,
        Opcode::Smmls => products::upper_less(builder, [n, m], computation.y, a),
        // Division by zero gives 0 where it does not trap, all ones in the lifted form; the overflow
        // of the signed one gives the dividend in both.
        Opcode::Sdiv => {
            let quotient = builder.binary(Binary::DivSigned, n, m);
            of(m).choose(quotient, 0)
        }
        Opcode::Udiv => {
            let quotient = builder.binary(Binary::DivUnsigned, n, m);
            of(m).choose(quotient, 0)
        }
        Opcode::Ssat | Opcode::Usat => dsp::saturate(builder, computation),
        Opcode::Ssat16 | Opcode::Usat16 => {
            dsp::saturate_halves(builder, op == Opcode::Ssat16, computation.width, n)
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
        Opcode::Sel => of(dsp::select(builder, n, m)),
        Opcode::Usad8 => dsp::sum_of_differences(builder, [n, m], of(4 * 256)),
        Opcode::Usada8 => dsp::sum_of_differences(builder, [n, m], of(a) + 4 * 256),
        Opcode::Sxtb | Opcode::Sxth | Opcode::Uxtb | Opcode::Uxth => bits::extended(computation, m),
        Opcode::Sxtab | Opcode::Sxtah | Opcode::Uxtab | Opcode::Uxtah => {
            of(n) + bits::extended(computation, m)
        }
        Opcode::Sxtb16 | Opcode::Uxtb16 => of(bits::bytes(builder, computation, m)),
        Opcode::Sxtab16 | Opcode::Uxtab16 => {
            let extended = bits::bytes(builder, computation, m);
            of(super::parallel::sum_of_halves(builder, n, extended))
        }
        Opcode::Pkhbt | Opcode::Pkhtb => bits::pack(computation, n, m),
        Opcode::Clz => of(m).unary(Unary::LeadingZeros),
        Opcode::Rbit => of(m).unary(Unary::ReverseBits),
        Opcode::Rev => of(m).unary(Unary::ReverseBytes),
        Opcode::Rev16 => of(m).unary(Unary::ReverseBytes).ror(16),
        Opcode::Revsh => of(m).unary(Unary::ReverseBytes).sar(16),
        Opcode::Sbfx => bits::field(true, of(n), computation.amount, computation.width),
        Opcode::Ubfx => bits::field(false, of(n), computation.amount, computation.width),
        Opcode::Bfi => bits::insert(computation, builder.register(computation.rd), Some(n)),
        Opcode::Bfc => bits::insert(computation, builder.register(computation.rd), None),
    })
}
