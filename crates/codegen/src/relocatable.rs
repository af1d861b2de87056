//! Machine code before it has addresses: made once, and linked wherever it is to run.

use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir::{ExternalName, Function};
use cranelift_codegen::{Final, FinalizedMachReloc, FinalizedRelocTarget, MachBufferFinalized};

use crate::checksum::checksum;
use crate::code::Code;
use crate::compiler::CompileError;
use crate::store::{Key, Store};

/// A function's machine code with the places at which it refers to symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relocatable {
    code: Vec<u8>,
    places: Vec<Place>,
}

/// The place of a symbol's address, of eight bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    /// The offset into the code.
    at: u32,
    /// The symbol's number.
    symbol: u32,
}

/// The size of an address, and of the record of a place in an entry of a store.
const ADDRESS: usize = size_of::<u64>();
const PLACE: usize = 2 * size_of::<u32>();

impl Relocatable {
    /// # Errors
    /// If the code refers to its surroundings otherwise than by whole addresses of symbols.
    pub(crate) fn new(
        buffer: &MachBufferFinalized<Final>,
        function: &Function,
    ) -> Result<Self, CompileError> {
        let names = function.params.user_named_funcs();
        let place = |reloc: &FinalizedMachReloc| match reloc.target {
            FinalizedRelocTarget::ExternalName(ExternalName::User(name))
                if reloc.kind == Reloc::Abs8 && reloc.addend == 0 =>
            {
                Ok(Place { at: reloc.offset, symbol: names[name].index })
            }
            _ => Err(CompileError::Relocated),
        };
        let places = buffer.relocs().iter().map(place).collect::<Result<_, _>>()?;
        Ok(Self { code: buffer.data().to_vec(), places })
    }

    /// The function, ready to run, with the addresses of its symbols.
    ///
    /// # Errors
    /// If a symbol is missing, or the host gives no executable memory.
    pub fn link(mut self, symbols: &[u64]) -> Result<Code, CompileError> {
        for place in &self.places {
            let address = symbols.get(place.symbol as usize).ok_or(CompileError::Relocated)?;
            let at = place.at as usize;
            let bytes = self.code.get_mut(at..at + ADDRESS).ok_or(CompileError::Relocated)?;
            bytes.copy_from_slice(&address.to_le_bytes());
        }
        Code::new(&self.code)
    }

    /// The code that a store has for a key, if that is whole.
    #[must_use]
    pub fn find(store: &dyn Store, key: &Key) -> Option<Self> {
        Self::from_entry(key, &store.find(key)?)
    }

    /// Keeps the code for a key.
    pub fn keep(&self, store: &dyn Store, key: &Key) {
        store.keep(key, &self.to_entry(key));
    }

    /// The entry of a store: a checksum of key and rest, the number of places, the places, the code.
    pub(crate) fn to_entry(&self, key: &Key) -> Vec<u8> {
        let mut rest = (self.places.len() as u64).to_le_bytes().to_vec();
        for Place { at, symbol } in &self.places {
            rest.extend(at.to_le_bytes());
            rest.extend(symbol.to_le_bytes());
        }
        rest.extend(&self.code);
        [&checksum(key.bytes(), &rest).to_le_bytes()[..], &rest].concat()
    }

    /// Reads an entry of a store; nothing unless it is whole, and that of this key.
    pub(crate) fn from_entry(key: &Key, entry: &[u8]) -> Option<Self> {
        let (expected, rest) = entry.split_first_chunk()?;
        if checksum(key.bytes(), rest) != u64::from_le_bytes(*expected) {
            return None;
        }
        let (count, rest) = rest.split_first_chunk()?;
        let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
        let size = PLACE.checked_mul(count)?;
        let (places, code) = rest.split_at_checked(size)?;
        let number = |bytes: &[u8]| bytes.try_into().ok().map(u32::from_le_bytes);
        let place = |bytes: &[u8]| {
            let (at, symbol) = bytes.split_at(size_of::<u32>());
            Some(Place { at: number(at)?, symbol: number(symbol)? })
        };
        let places = places.chunks_exact(PLACE).map(place).collect::<Option<_>>()?;
        Some(Self { code: code.to_vec(), places })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key = Key::new([7; 32]);

    fn code() -> Relocatable {
        let places = vec![Place { at: 2, symbol: 1 }, Place { at: 10, symbol: 0 }];
        Relocatable { code: (0..20).collect(), places }
    }

    #[test]
    fn an_entry_holds_what_was_kept() {
        assert_eq!(Relocatable::from_entry(&KEY, &code().to_entry(&KEY)), Some(code()));
    }

    #[test]
    fn no_bit_of_an_entry_may_change() {
        let entry = code().to_entry(&KEY);
        for bit in 0..8 * entry.len() {
            let mut broken = entry.clone();
            broken[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Relocatable::from_entry(&KEY, &broken), None, "bit {bit}");
        }
    }

    #[test]
    fn an_entry_is_whole_and_that_of_its_key() {
        let entry = code().to_entry(&KEY);
        for size in 0..entry.len() {
            assert_eq!(Relocatable::from_entry(&KEY, &entry[..size]), None, "{size} bytes");
        }
        assert_eq!(Relocatable::from_entry(&Key::new([8; 32]), &entry), None);
    }

    #[test]
    fn a_place_beyond_the_code_or_a_missing_symbol_is_refused() {
        let linked = |at, symbols: &[u64]| {
            let places = vec![Place { at, symbol: 0 }];
            Relocatable { code: vec![0; 16], places }.link(symbols)
        };
        assert!(linked(8, &[1]).is_ok());
        assert!(matches!(linked(9, &[1]), Err(CompileError::Relocated)));
        assert!(matches!(linked(8, &[]), Err(CompileError::Relocated)));
    }
}
