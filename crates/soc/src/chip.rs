//! Registers of a chip's own peripherals: characters for the console, bits that say that it is ready, values
//! that are kept, ports, and those of parts that are not modelled.

use cocrypt_config::{ChipRegister, ChipRegisterKind as Kind};

use crate::peripheral::Console;

/// Cycles that an access waits: they stand beside the core, as its memory does.
pub const WAIT: u32 = 1;

/// The registers, with what is kept in them.
#[derive(Clone, Debug, Default)]
pub struct Chip {
    registers: Vec<(ChipRegister, Vec<u8>)>,
    refused: Option<usize>,
}

/// The program touched a part that is not modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmodelled;

impl Chip {
    /// Those of a device, as they are after reset.
    pub fn new(registers: &[ChipRegister]) -> Self {
        let kept = |register: &ChipRegister| {
            let reset = if matches!(register.kind, Kind::Port { .. }) { u8::MAX } else { 0 };
            (register.clone(), vec![reset; register.size as usize])
        };
        Self { registers: registers.iter().map(kept).collect(), refused: None }
    }

    /// Returns true if one of them is in a range of addresses to which nothing outside can be connected.
    pub fn occupies(&self, base: u32, size: u32) -> bool {
        let (from, to) = (u64::from(base), u64::from(base) + u64::from(size));
        let mut closed = self
            .registers
            .iter()
            .filter(|(register, _)| !matches!(register.kind, Kind::Port { .. }));
        closed.any(|(register, _)| register.base < to && from < register.base + register.size)
    }

    /// Returns true if an access reaches what is connected to a port: a write of its latch, a read of its pins.
    pub fn leads_out(&self, address: u32, writes: bool) -> bool {
        let address = u64::from(address);
        self.registers.iter().any(|(register, _)| match register.kind {
            Kind::Port { latch } => address == if writes { latch } else { register.base },
            _ => false,
        })
    }

    /// The value of a byte; nothing where there is none.
    pub fn read(&mut self, address: u32, console: &mut Console) -> Option<Result<u8, Unmodelled>> {
        let (number, offset) = self.find(address)?;
        let (register, kept) = &self.registers[number];
        Some(Ok(match register.kind {
            Kind::Console => console.take().unwrap_or(0),
            Kind::Status { ready, received } => {
                let waits = if console.is_empty() { 0 } else { received };
                kept[offset] & !received | ready | waits
            }
            Kind::Kept | Kind::Port { .. } => kept[offset],
            Kind::Refused(_) => return Some(self.refuse(number)),
        }))
    }

    /// Writes a byte; nothing where there is none.
    pub fn write(
        &mut self,
        address: u32,
        value: u8,
        console: &mut Console,
    ) -> Option<Result<(), Unmodelled>> {
        let (number, offset) = self.find(address)?;
        let (register, kept) = &mut self.registers[number];
        match register.kind {
            Kind::Console => console.write(0, value.into()),
            Kind::Status { .. } | Kind::Kept | Kind::Port { .. } => kept[offset] = value,
            Kind::Refused(_) => return Some(self.refuse(number)),
        }
        Some(Ok(()))
    }

    /// A feature that the program touched and that is not modelled, in words for people.
    pub fn told(&self) -> Option<String> {
        let (register, _) = &self.registers[self.refused?];
        let Kind::Refused(part) = &register.kind else { return None };
        let (name, base) = (&register.name, register.base);
        Some(format!("{part} ({name} at {base:#010x}) is not modelled"))
    }

    fn find(&self, address: u32) -> Option<(usize, usize)> {
        let address = u64::from(address);
        let offset = |register: &ChipRegister| match register.kind {
            Kind::Port { latch } if latch == address => Some(0),
            _ => address.checked_sub(register.base).filter(|at| *at < register.size),
        };
        let mut numbered = self.registers.iter().enumerate();
        numbered.find_map(|(number, (register, _))| Some((number, offset(register)? as usize)))
    }

    const fn refuse<T>(&mut self, number: usize) -> Result<T, Unmodelled> {
        self.refused = Some(number);
        Err(Unmodelled)
    }
}
