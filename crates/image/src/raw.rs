//! Images without a format of their own, or with hardly one: Intel HEX and raw binaries.
//!
//! Source: Intel, "Hexadecimal Object File Format Specification", revision A.

use std::collections::BTreeMap;

use cocrypt_diag::Diagnostic;
use ihex::{Reader, Record};

use crate::elf::{Image, Segment};
use crate::symbols::Symbols;

/// Reads Intel HEX. The program starts where the file says, or else at its lowest address.
///
/// # Errors
/// A diagnostic that names the line that is wrong.
pub fn read_hex(name: &str, bytes: &[u8]) -> Result<Image, Diagnostic> {
    let text =
        std::str::from_utf8(bytes).map_err(|_| broken(name, "it holds bytes that are no text"))?;
    let mut memory = Memory::default();
    for (number, record) in Reader::new(text).enumerate() {
        let at = |why: String| broken(name, &format!("record {}: {why}", number + 1));
        let record = record.map_err(|error| at(error.to_string()))?;
        memory.take(record).map_err(at)?;
        if memory.ended {
            break;
        }
    }
    if !memory.ended {
        return Err(broken(name, "its end-of-file record is missing"));
    }
    let segments = memory.segments();
    let lowest = segments.first().map(|segment| segment.address);
    let entry = memory.start.or(lowest).ok_or_else(|| broken(name, "it holds no data"))?;
    Ok(Image { says_entry: memory.start.is_some(), ..image(name, entry, segments) })
}

/// Takes bytes as they are, to be put at `address`, where the program also starts.
#[must_use]
pub fn read_raw(name: &str, bytes: &[u8], address: u32) -> Image {
    image(name, address, vec![segment(address, bytes.to_vec())])
}

fn image(name: &str, entry: u32, segments: Vec<Segment>) -> Image {
    let (symbols, undefined) = (Symbols::default(), Vec::new());
    let name = name.to_owned();
    let (relocatable, instructions, mode, says_entry) = (false, None, 0, false);
    Image { name, relocatable, instructions, entry, says_entry, mode, segments, symbols, undefined }
}

/// Sections of a file without flags may be anything.
fn segment(address: u32, bytes: Vec<u8>) -> Segment {
    let size = bytes.len() as u32;
    Segment { address, runs_at: address, bytes, size, executable: true, writable: true }
}

#[derive(Default)]
struct Memory {
    runs: BTreeMap<u32, Vec<u8>>,
    base: u32,
    start: Option<u32>,
    ended: bool,
}

impl Memory {
    fn take(&mut self, record: Record) -> Result<(), String> {
        match record {
            Record::Data { offset, value } => {
                let address = self.base.wrapping_add(offset.into());
                return self.put(address, value);
            }
            Record::ExtendedSegmentAddress(segment) => self.base = u32::from(segment) << 4,
            Record::ExtendedLinearAddress(high) => self.base = u32::from(high) << 16,
            Record::StartLinearAddress(start) => self.start = Some(start),
            Record::StartSegmentAddress { cs, ip } => {
                self.start = Some((u32::from(cs) << 4) + u32::from(ip));
            }
            Record::EndOfFile => self.ended = true,
        }
        Ok(())
    }

    fn put(&mut self, address: u32, bytes: Vec<u8>) -> Result<(), String> {
        let end = u64::from(address) + bytes.len() as u64;
        if end > 1 << 32 {
            return Err("its data reaches past the end of the address space".to_owned());
        }
        let before = self.runs.range_mut(..u32::try_from(end).unwrap_or(u32::MAX)).next_back();
        match before {
            Some((&from, run)) if u64::from(from) + run.len() as u64 > u64::from(address) => {
                Err(format!("data for {address:#010x} stands in the file twice"))
            }
            Some((&from, run)) if u64::from(from) + run.len() as u64 == u64::from(address) => {
                run.extend(bytes);
                Ok(())
            }
            _ => {
                self.runs.insert(address, bytes);
                Ok(())
            }
        }
    }

    /// Runs that touch become one segment.
    fn segments(&mut self) -> Vec<Segment> {
        let mut segments: Vec<Segment> = vec![];
        for (address, bytes) in std::mem::take(&mut self.runs) {
            match segments.last_mut() {
                Some(last) if last.address.wrapping_add(last.size) == address => {
                    last.size += bytes.len() as u32;
                    last.bytes.extend(bytes);
                }
                _ => segments.push(segment(address, bytes)),
            }
        }
        segments
    }
}

fn broken(name: &str, why: &str) -> Diagnostic {
    Diagnostic::error("image.hex", format!("{name} is broken Intel HEX: {why}"))
        .with_help("write the file again, for example with `objcopy -O ihex`")
}
