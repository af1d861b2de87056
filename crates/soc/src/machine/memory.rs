//! What the host sees and changes of a machine's memory.

use std::borrow::Cow;

use super::{LoadError, Machine};

impl Machine {
    /// Puts bytes into memory, as a loader does before reset is released, or a debugger at a stop. The
    /// address is translated as the program's are, whatever rights it has there.
    ///
    /// # Errors
    /// If no memory holds all of them; none is written then.
    pub fn load(&mut self, address: u32, bytes: &[u8]) -> Result<(), LoadError> {
        let size = bytes.len();
        let places = self.ram.places(address, size).ok_or(LoadError { address, size })?;
        if !places.iter().all(|&(place, size)| self.at(place, size).is_some()) {
            return Err(LoadError { address, size });
        }
        let mut rest = bytes;
        for (place, size) in places {
            let (here, behind) = rest.split_at(size);
            let to = match self.ram.at_mut(place, size) {
                Some(to) => Some(to),
                None => self.bus.memory_mut(place, size),
            };
            to.ok_or(LoadError { address, size })?.copy_from_slice(here);
            self.engine.host_wrote(&mut self.ram, place, size as u32);
            rest = behind;
        }
        Ok(())
    }

    /// The bytes at an address, if a memory holds all of them. It is translated as the program's are,
    /// whatever rights the program has there.
    #[must_use]
    pub fn read(&self, address: u32, size: usize) -> Option<Cow<'_, [u8]>> {
        match self.ram.places(address, size)?[..] {
            [(place, size)] => self.at(place, size).map(Cow::Borrowed),
            ref places => {
                let pieces = places.iter().map(|&(place, size)| self.at(place, size));
                Some(pieces.collect::<Option<Vec<_>>>()?.concat().into())
            }
        }
    }

    /// The bytes at a place in memory.
    fn at(&self, place: u32, size: usize) -> Option<&[u8]> {
        self.ram.at(place, size).or_else(|| self.bus.memory(place, size))
    }
}
