//! A node's end of a network: packets from and to other nodes.
//!
//! A program sees what came in packet by packet. A write to the first register holds the core until there
//! is one, and opens it; so what a program does depends on nothing but the order in which packets came and
//! the cycles in which it was let go on, and a machine may run ahead of all others until it waits.

/// Bytes of addresses.
pub const SIZE: u32 = 0x10;

/// Bytes that a packet has at most.
const MOST: usize = 2048;

const WAIT: u32 = 0x0;
const NODE: u32 = 0x4;
const DATA: u32 = 0x8;
const SEND: u32 = 0xc;

/// The packets received.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packet {
    /// The number of the node that sent it.
    pub from: u32,
    /// The packets that it sent.
    pub bytes: Vec<u8>,
}

/// The packets sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The cycle in which the program asked for it.
    pub cycle: u64,
    /// The number of the node that it goes to.
    pub to: u32,
    /// The packet's bytes.
    pub bytes: Vec<u8>,
}

/// The registers of a link.
#[derive(Clone, Debug)]
pub struct Link {
    number: u32,
    open: Packet,
    /// Bytes of the open packet that were read.
    read: usize,
    to: u32,
    written: Vec<u8>,
    sent: Vec<Sent>,
    /// The greatest number of cycles that the program waits, while it does.
    pub patience: Option<u32>,
}

impl Link {
    /// The link of the node of a number.
    pub fn new(number: u32) -> Self {
        Self {
            number,
            open: Packet::default(),
            read: 0,
            to: 0,
            written: vec![],
            sent: vec![],
            patience: None,
        }
    }

    /// The value of a register.
    pub fn read(&mut self, offset: u32) -> u32 {
        match offset {
            WAIT => (self.open.bytes.len() - self.read) as u32,
            NODE => self.open.from,
            DATA => self.word(),
            _ => self.number,
        }
    }

    /// The next four bytes of the open packet, 0 beyond its end.
    fn word(&mut self) -> u32 {
        let rest = &self.open.bytes[self.read..];
        let mut word = [0; 4];
        let size = rest.len().min(4);
        word[..size].copy_from_slice(&rest[..size]);
        self.read += size;
        u32::from_le_bytes(word)
    }

    /// Takes a word in a cycle; whether the core is held.
    pub fn write(&mut self, offset: u32, word: u32, cycle: u64) -> bool {
        match offset {
            WAIT => self.patience = Some(word),
            NODE => {
                self.to = word;
                self.written.clear();
            }
            DATA if self.written.len() < MOST => self.written.extend(word.to_le_bytes()),
            SEND => {
                self.written.truncate(word as usize);
                let bytes = std::mem::take(&mut self.written);
                self.sent.push(Sent { cycle, to: self.to, bytes });
            }
            _ => {}
        }
        self.patience.is_some()
    }

    /// Lets the core go on, with a packet to read or without.
    pub fn open(&mut self, packet: Option<Packet>) {
        self.open = packet.unwrap_or_default();
        (self.read, self.patience) = (0, None);
    }

    /// The packets sent since the last call.
    pub fn sent(&mut self) -> Vec<Sent> {
        std::mem::take(&mut self.sent)
    }
}
