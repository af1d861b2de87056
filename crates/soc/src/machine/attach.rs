//! Attaches a device's peripherals and coprocessors to the bus, at windows and at the core's links.

use cocrypt_config as config;
use cocrypt_isa::Links;

use super::BuildError;
use crate::bus::{SystemBus, Target};
use crate::coprocessor::{Coprocessor, Hardware};

/// A bus on the way to having a device's peripherals and coprocessors.
pub(super) struct Attach<'a> {
    device: &'a config::Device,
    bus: &'a mut SystemBus,
    /// Number, face and name of each coprocessor that is not attached yet.
    waiting: Vec<(usize, config::Face, String)>,
}

impl<'a> Attach<'a> {
    /// Takes coprocessors on, which have no window or link yet.
    pub fn new(
        device: &'a config::Device,
        bus: &'a mut SystemBus,
        coprocessors: Vec<(config::Coprocessor, Box<dyn Hardware>)>,
    ) -> Self {
        let mut waiting = vec![];
        for (number, (map, hardware)) in coprocessors.into_iter().enumerate() {
            bus.coprocessors.push(Coprocessor::new(&map, hardware, device.coprocessor_clock));
            waiting.push((number, map.face, map.name));
        }
        Self { device, bus, waiting }
    }

    /// Maps the peripherals at addresses.
    pub fn windows(&mut self) {
        for peripheral in &self.device.peripherals {
            let target = match peripheral.kind {
                config::PeripheralKind::Console => Target::Console,
                config::PeripheralKind::Counter => Target::Counter,
                config::PeripheralKind::Exit => Target::Exit,
                config::PeripheralKind::Marks => Target::Marks,
                config::PeripheralKind::Timer => Target::Timer,
                config::PeripheralKind::Dma => Target::Dma,
                config::PeripheralKind::Coprocessor => {
                    let Some(number) = self.next(config::Face::Registers) else { continue };
                    Target::Coprocessor(number)
                }
                config::PeripheralKind::Link => continue,
            };
            self.bus.map(peripheral.base as u32, peripheral.size as u32, target);
        }
    }

    /// Connects the core's links, which answer after so many cycles.
    pub fn links(&mut self, links: Option<Links>, wait: u32) -> Result<(), BuildError> {
        let is_link =
            |peripheral: &&config::Peripheral| peripheral.kind == config::PeripheralKind::Link;
        let count = self.device.peripherals.iter().filter(is_link).count();
        let Some(links) = links else {
            let none = || BuildError::NoLinks(self.device.name.clone());
            return if count == 0 { Ok(()) } else { Err(none()) };
        };
        let ends: Vec<_> = (0..count).map(|_| self.next(config::Face::Stream)).collect();
        self.bus.link_up(links, wait, &ends);
        Ok(())
    }

    /// The number of the next coprocessor with a face.
    fn next(&mut self, face: config::Face) -> Option<usize> {
        let at = self.waiting.iter().position(|(_, own, _)| *own == face)?;
        Some(self.waiting.remove(at).0)
    }

    /// Fails if a coprocessor is left over.
    pub fn finish(self) -> Result<(), BuildError> {
        let Some((_, face, coprocessor)) = self.waiting.into_iter().next() else { return Ok(()) };
        let (port, kind) = config::PeripheralKind::of_face(face).port();
        let device = self.device.name.clone();
        Err(BuildError::NoWindow { device, coprocessor, port, kind })
    }
}
