//! Registers of a chip's own peripherals, of a byte each, as far as a device has something of them.

use serde::Serialize;

use crate::names::{Names, identifier};
use crate::ranges::Ranges;
use crate::reader::{Reader, Spot};
use crate::section::Section;

/// Addresses have 32 bits.
const LAST: i64 = 0xffff_ffff;
/// Bytes that one name may stand for.
const SIZES: std::ops::RangeInclusive<i64> = 1..=0x1000;
const BYTES: std::ops::RangeInclusive<i64> = 0..=0xff;
/// The behaviours that a register may have.
const KINDS: [&str; 5] = ["console", "status", "kept", "port", "refused"];

/// A register, or several in a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChipRegister {
    /// Its name in the data sheet.
    pub name: String,
    /// First address.
    pub base: u64,
    /// How many bytes it has.
    pub size: u64,
    /// Its behaviour.
    pub kind: ChipRegisterKind,
}

/// The behaviour of a chip's register.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChipRegisterKind {
    /// A write is a character for the console, a read the next that came in.
    Console,
    /// Its bits are what was written there last, or 1, or 1 while a character waits to be read.
    Status {
        /// Bits that are 1.
        ready: u8,
        /// Bits that are 1 while a character waits.
        received: u8,
    },
    /// It holds what was written, and nothing else happens.
    Kept,
    /// A port of a byte: this is the address of its pins. A write goes to its latch, which is all ones after
    /// reset and which the pins show while nothing drives them.
    Port {
        /// The address at which instructions reach the latch: that of the pins if the file names no other.
        latch: u64,
    },
    /// An access ends the run, with these words of what is not modelled.
    Refused(String),
}

/// Reads a section `[[register]]` of a device.
pub fn register(
    reader: &Reader,
    section: &Section<'_>,
    names: &mut Names,
    windows: &mut Ranges,
) -> Option<ChipRegister> {
    let name = section.required_text("name");
    identifier(reader, &name, "register");
    names.add(reader, "register", &name);
    let base = section.required_integer("base", 0..=LAST);
    let size = section.integer("size", SIZES).map_or(1, |size| size.value);
    let kind = section.required_text("kind");
    let at = base.as_ref().map(|base| base.value);
    let kind = kind_of(reader, section, &kind, at);
    section.finish();
    let base = base?;
    if let Some(ChipRegisterKind::Port { latch }) = kind {
        let latch = latch as i64;
        if latch != base.value {
            windows.add(reader, "addresses", &name.value, latch..latch + 1, section.span());
        }
    }
    let addresses = base.value..base.value + size;
    if addresses.end > LAST + 1 {
        let message = format!("`{}` reaches past the end of the address space", name.value);
        let help = "choose a smaller base or size";
        reader.report(base.span.clone(), "out-of-range", message, "this address", help);
    }
    windows.add(reader, "addresses", &name.value, addresses, base.span);
    Some(ChipRegister { name: name.value, base: base.value as u64, size: size as u64, kind: kind? })
}

fn kind_of(
    reader: &Reader,
    section: &Section<'_>,
    kind: &Spot<String>,
    base: Option<i64>,
) -> Option<ChipRegisterKind> {
    let bits = |key| section.integer(key, BYTES).map_or(0, |bits| bits.value as u8);
    Some(match kind.value.as_str() {
        "console" => ChipRegisterKind::Console,
        "status" => ChipRegisterKind::Status { ready: bits("ready"), received: bits("received") },
        "kept" => ChipRegisterKind::Kept,
        "port" => {
            let latch = section.integer("latch", 0..=LAST).map_or(base?, |latch| latch.value);
            ChipRegisterKind::Port { latch: latch as u64 }
        }
        "refused" => ChipRegisterKind::Refused(
            section.text("part").map_or_else(|| "the register".to_owned(), |part| part.value),
        ),
        "" => return None,
        _ => {
            reader.unknown(kind, "kind of register", KINDS);
            return None;
        }
    })
}
