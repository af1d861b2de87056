//! Choices between two words bit by bit, `a & b ^ ~a & c`, which many ciphers and hash functions make.
//!
//! Written `(b ^ c) & a ^ c`, a choice takes three operations of the host, not four, and no complement.

use cocrypt_codegen::{KernelBuilder, Word};
use rustc_hash::FxHashMap;

use super::Emitter;
use crate::sim::code::Instr;

/// The products and complements that were emitted, by their words.
#[derive(Default)]
pub(super) struct Choices {
    products: FxHashMap<Word, [Factor; 2]>,
    /// What each is the complement of, in which bits; its others are 0.
    complements: FxHashMap<Word, (Word, u64)>,
}

/// An operand of a product and the bits of it that can be set.
#[derive(Clone, Copy)]
struct Factor {
    word: Word,
    bound: u64,
}

impl Choices {
    /// A word is the complement of another in some bits, and 0 in the others.
    fn complement(&mut self, word: Word, of: Word, bits: u64) {
        self.complements.insert(word, (of, bits));
    }

    /// A word is the bitwise product of two others.
    fn product(&mut self, word: Word, factors: [Factor; 2]) {
        self.products.insert(word, factors);
    }

    /// The sum, or the union, of two words that are a choice; nothing where they are none.
    fn choose(&self, builder: &mut KernelBuilder<'_, '_>, a: Word, b: Word) -> Option<Word> {
        let (left, right) = (*self.products.get(&a)?, *self.products.get(&b)?);
        let swapped = |[a, b]: [Factor; 2]| [b, a];
        let orders = [(left, right), (left, swapped(right)), (swapped(left), right)];
        let mut orders = orders.into_iter().chain([(swapped(left), swapped(right))]);
        let (by, yes, no) = orders.find_map(|(left, right)| {
            self.condition(left, right).or_else(|| self.condition(right, left))
        })?;
        let differs = builder.xor(yes, no);
        let taken = builder.and(differs, by);
        Some(builder.xor(taken, no))
    }

    /// What chooses, and the words it chooses between, where the second product's first factor is the complement
    /// of the first's.
    fn condition(
        &self,
        [by, yes]: [Factor; 2],
        [complement, no]: [Factor; 2],
    ) -> Option<(Word, Word, Word)> {
        let (of, bits) = *self.complements.get(&complement.word)?;
        (of == by.word && no.bound & !bits == 0).then_some((of, yes.word, no.word))
    }
}

impl<'c, 'f> Emitter<'_, 'c, 'f> {
    /// A bitwise product, which may become a part of a choice.
    pub(super) fn and(&mut self, instr: &Instr, a: &[Word]) -> Vec<Word> {
        let b = self.limbs(instr.b, instr.limbs_b);
        let mut products = vec![];
        for (at, (a, b)) in (0..).zip(a.iter().zip(b)) {
            let product = self.builder.and(*a, b);
            let factor = |word, limb| Factor { word, bound: self.bound(limb) };
            let factors = [factor(*a, instr.a + at), factor(b, instr.b + at)];
            self.choices.product(product, factors);
            products.push(product);
        }
        products
    }

    /// A sum without carries, or a union; where it is a choice, in its shorter form.
    pub(super) fn sum(
        &mut self,
        instr: &Instr,
        a: &[Word],
        operation: fn(&mut KernelBuilder<'c, 'f>, Word, Word) -> Word,
    ) -> Vec<Word> {
        let b = self.limbs(instr.b, instr.limbs_b);
        let pairs = a.iter().zip(b);
        pairs
            .map(|(a, b)| {
                let chosen = self.choices.choose(self.builder, *a, b);
                chosen.unwrap_or_else(|| operation(self.builder, *a, b))
            })
            .collect()
    }

    /// Notes what a complement is one of; its highest limb has only the bits of its width.
    pub(super) fn note_complement(&mut self, instr: &Instr, result: &[Word]) {
        let highest = result.len() - 1;
        for (at, word) in result.iter().enumerate() {
            let of = self.limb(instr.a + at as u32);
            let bits = if at == highest { instr.mask } else { u64::MAX };
            self.choices.complement(*word, of, bits);
        }
    }
}

#[cfg(test)]
mod tests {
    use cocrypt_codegen::{Compiler, Effort, Kernel};

    use super::*;

    /// The word that `a & b ^ ~a & c` becomes, where the complement has some bits and `c` others.
    fn chosen(words: [u64; 3], bits: u64, bound: u64) -> Option<u64> {
        let (mut choices, mut is_choice) = (Choices::default(), false);
        let mut compiler = Compiler::new(Effort::Good).expect("a host that code is compiled for");
        let kernel = Kernel::new(&mut compiler, 3, |builder, _| {
            let [a, b, c] = [0, 1, 2].map(|place| builder.load(place));
            let (all, mask) = (builder.not(a), builder.constant(bits));
            let complement = builder.and(all, mask);
            choices.complement(complement, a, bits);
            let products = [(b, a, u64::MAX), (complement, c, bound)];
            let [taken, left] = products.map(|(one, other, bound)| {
                let product = builder.and(one, other);
                let factor = |word| Factor { word, bound };
                choices.product(product, [factor(one), factor(other)]);
                product
            });
            let choice = choices.choose(builder, left, taken);
            is_choice = choice.is_some();
            builder.leave(choice.unwrap_or(taken));
        });
        let value = kernel.expect("a function that compiles").call(&mut words.to_vec(), 0);
        is_choice.then_some(value)
    }

    #[test]
    fn bits_are_taken_from_either_word() {
        assert_eq!(chosen([0xf0f0, 0x1234, 0xabcd], 0xffff, 0xffff), Some(0x1b3d));
    }

    #[test]
    fn a_complement_of_fewer_bits_is_no_choice() {
        assert_eq!(chosen([0xf0f0, 0x1234, 0xabcd], 0xff, 0xffff), None);
    }
}
