//! The stream face of the coprocessor port: two FIFOs between a link of the core and a design.
//!
//! On the design's side a word moves in each cycle in which `valid` and `ready` are both 1, as on AXI4-Stream (IHI
//! 0051A, 2.2.1). The FIFOs are registered: a word that comes in one cycle can be taken in the next one.

use std::collections::VecDeque;
use std::sync::Arc;

use cocrypt_isa::Links;
use cocrypt_rtl::{Netlist, PortId, Simulator};

use crate::coprocessor::{Access, AttachError, Clocked, Hardware, Ports};

/// A word on its way, with its control bit (the side band TLAST of AXI4-Stream).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word {
    value: u32,
    control: bool,
    /// The design's cycle in which it came into the FIFO.
    came: u64,
}

/// A design behind a link.
#[derive(Clone)]
pub struct Fifos {
    design: Clocked,
    ports: StreamPorts,
    /// Words that each of the FIFOs holds.
    words: usize,
    /// From the core to the design.
    sent: VecDeque<Word>,
    /// From the design to the core.
    made: VecDeque<Word>,
    /// True if the design changes nothing any more until a word comes or is taken.
    rests: bool,
}

/// The design's ports; the control bits only if it has them.
#[derive(Clone, Copy)]
struct StreamPorts {
    in_data: PortId,
    in_valid: PortId,
    in_control: Option<PortId>,
    in_ready: PortId,
    out_data: PortId,
    out_valid: PortId,
    out_control: Option<PortId>,
    out_ready: PortId,
}

impl Fifos {
    /// Finds the stream face of a design, and puts FIFOs of so many words before it; `coprocessor` is what to call
    /// it in messages.
    ///
    /// # Errors
    /// If the design lacks a port.
    pub fn new(coprocessor: &str, design: Arc<Netlist>, words: u32) -> Result<Self, AttachError> {
        let simulator = Simulator::new(design);
        let find = Ports { coprocessor, face: "stream", simulator: &simulator };
        let ports = StreamPorts {
            in_data: find.input("in_data")?,
            in_valid: find.input("in_valid")?,
            in_control: simulator.input("in_control"),
            in_ready: find.output("in_ready")?,
            out_data: find.output("out_data")?,
            out_valid: find.output("out_valid")?,
            out_control: simulator.output("out_control"),
            out_ready: find.input("out_ready")?,
        };
        Ok(Self {
            design: Clocked::new(simulator),
            ports,
            words: words as usize,
            sent: VecDeque::new(),
            made: VecDeque::new(),
            rests: false,
        })
    }

    /// One cycle of the design between the FIFOs.
    fn step(&mut self) {
        let cycle = self.design.simulator.cycle();
        let ports = self.ports;
        let offered = self.sent.front().copied().filter(|word| word.came < cycle);
        self.show(offered);
        let simulator = &mut self.design.simulator;
        let takes = offered.is_some() && simulator.evaluate_output(ports.in_ready) != 0;
        let gives = self.made.len() < self.words && simulator.evaluate_output(ports.out_valid) != 0;
        let made = gives.then(|| Word {
            value: simulator.evaluate_output(ports.out_data) as u32,
            control: ports.out_control.is_some_and(|port| simulator.evaluate_output(port) != 0),
            came: cycle,
        });
        let changed = self.design.step();
        self.made.extend(made);
        if takes {
            self.sent.pop_front();
        }
        // A word that has just been sent is offered in the next cycle only.
        let offers_later = offered.is_none() && !self.sent.is_empty();
        self.rests = !changed && !takes && !gives && !offers_later;
    }

    /// Sets the design's inputs for a cycle.
    fn show(&mut self, offered: Option<Word>) {
        let (ports, simulator) = (self.ports, &mut self.design.simulator);
        let has_room = self.made.len() < self.words;
        simulator.set_input(ports.in_valid, offered.is_some().into());
        simulator.set_input(ports.in_data, offered.map_or(0, |word| word.value.into()));
        simulator.set_input(ports.out_ready, has_room.into());
        if let Some(port) = ports.in_control {
            simulator.set_input(port, offered.is_some_and(|word| word.control).into());
        }
    }

    /// The status of the FIFO that the core takes from: bit 0 for a word, bit 1 for its control bit.
    fn come(&self) -> u32 {
        self.made.front().map_or(0, |word| 1 | u32::from(word.control) << 1)
    }

    fn has_room(&self) -> bool {
        self.sent.len() < self.words
    }

    fn send(&mut self, value: u32, control: bool) {
        self.sent.push_back(Word { value, control, came: self.cycle() });
        self.rests = false;
    }

    fn take(&mut self) -> u32 {
        self.rests = false;
        self.made.pop_front().map_or(0, |word| word.value)
    }
}

impl Hardware for Fifos {
    fn cycle(&self) -> u64 {
        self.design.simulator.cycle()
    }

    fn run_idle(&mut self, cycles: u64) {
        let end = self.cycle() + cycles;
        while self.cycle() < end {
            if self.rests {
                self.design.run_idle(end - self.cycle());
            } else {
                self.step();
            }
        }
    }

    /// Works on the FIFOs as they are between two cycles, so that several accesses may fall into one.
    fn access(&mut self, access: Access) -> u32 {
        match access.address {
            Links::TAKE => return self.take(),
            Links::PEEK => return self.made.front().map_or(0, |word| word.value),
            Links::COME | Links::AWAIT => return self.come(),
            Links::ROOM | Links::AWAIT_ROOM => return self.has_room().into(),
            Links::SEND if self.has_room() => self.send(access.wdata, false),
            Links::SEND_CONTROL if self.has_room() => self.send(access.wdata, true),
            _ => {}
        }
        0
    }

    fn run_until_answer(&mut self, offset: u32, end: u64) -> bool {
        loop {
            let is_there = match offset {
                Links::AWAIT => self.come() != 0,
                Links::AWAIT_ROOM => self.has_room(),
                _ => true,
            };
            if is_there || self.rests || self.cycle() >= end {
                return is_there;
            }
            self.step();
        }
    }

    fn fault(&self) -> Option<String> {
        self.design.simulator.fault().map(ToString::to_string)
    }

    fn duplicate(&self) -> Box<dyn Hardware> {
        Box::new(self.clone())
    }

    fn count_toggles(&mut self) {
        self.design.count_toggles();
    }

    fn toggles(&self) -> Option<u64> {
        self.design.toggles
    }
}
