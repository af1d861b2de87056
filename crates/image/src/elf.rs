//! Reading an ELF file: loaded segments, entry, symbols, hash.

use std::fmt::Write as _;

use cocrypt_diag::Diagnostic;
use object::elf::{EM_ARM, EM_RISCV, ET_EXEC, ET_REL, FileHeader32, PF_W, PF_X, PT_LOAD};
use object::read::elf::{ElfFile32, FileHeader as _, ProgramHeader as _};
use object::{Endianness, Object as _};
use sha2::{Digest as _, Sha256};

use crate::symbols::Symbols;

/// A run of bytes to be placed in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Where the bytes go.
    pub address: u32,
    /// Where the program has them when it runs: start-up code may copy them there.
    pub runs_at: u32,
    /// The bytes, as far as the file holds them.
    pub bytes: Vec<u8>,
    /// Bytes of memory that the segment takes; what the file does not hold is zero.
    pub size: u32,
    /// Whether the segment holds code.
    pub executable: bool,
    /// Whether the program may write to it.
    pub writable: bool,
}

/// Whose instructions a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processor {
    /// RISC-V.
    RiscV,
    /// ARM.
    Arm,
}

/// What a file puts into memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The file's name, as the user gave it.
    pub name: String,
    /// Whether it is an object file, not yet linked: symbols are then all there is.
    pub relocatable: bool,
    /// What it is for; formats other than ELF do not say.
    pub processor: Option<Processor>,
    /// Address of the first instruction.
    pub entry: u32,
    /// Whether the file says so; else it is the lowest address.
    pub says_entry: bool,
    /// Whether the first instruction is Thumb.
    pub thumb: bool,
    /// Loaded segments, in the file's order.
    pub segments: Vec<Segment>,
    /// Symbols.
    pub symbols: Symbols,
}

/// Bytes that all segments hold, at most.
const LARGEST: usize = 1 << 28;

/// Reads an ELF file.
///
/// # Errors
/// A diagnostic that says what the file is instead of a 32-bit little-endian executable for RISC-V or
/// ARM, or where it is broken.
pub fn read(name: &str, bytes: &[u8]) -> Result<Image, Diagnostic> {
    if !bytes.starts_with(b"\x7fELF") {
        return Err(foreign(name, "it does not start as an ELF file does"));
    }
    let header = FileHeader32::<Endianness>::parse(bytes)
        .map_err(|error| foreign(name, &format!("it is no 32-bit ELF file ({error})")))?;
    let endian = header.endian().map_err(|error| broken(name, &error.to_string()))?;
    let processor = processor(name, header, endian)?;
    let kind = header.e_type(endian);
    if kind != ET_EXEC && kind != ET_REL {
        return Err(foreign(name, "it is neither an executable nor an object file"));
    }
    let file =
        ElfFile32::<Endianness>::parse(bytes).map_err(|error| broken(name, &error.to_string()))?;
    // In the file, bit 0 says so of an address of code.
    let thumb = processor == Processor::Arm && file.entry() & 1 != 0;
    Ok(Image {
        name: name.to_owned(),
        relocatable: kind == ET_REL,
        processor: Some(processor),
        entry: file.entry() as u32 - u32::from(thumb),
        says_entry: true,
        thumb,
        segments: segments(name, header, endian, bytes)?,
        symbols: Symbols::of(&file),
    })
}

fn processor(
    name: &str,
    header: &FileHeader32<Endianness>,
    endian: Endianness,
) -> Result<Processor, Diagnostic> {
    if endian != Endianness::Little {
        return Err(foreign(name, "it is big-endian"));
    }
    match header.e_machine(endian) {
        EM_RISCV => Ok(Processor::RiscV),
        EM_ARM => Ok(Processor::Arm),
        other => {
            Err(foreign(name, &format!("it is for another processor (e_machine {})", other.0)))
        }
    }
}

impl Image {
    /// SHA-256 over the entry and the loaded segments, in hexadecimal. Debug sections and file layout
    /// do not enter, since they differ from build to build.
    #[must_use]
    pub fn hash(&self) -> String {
        let mut hasher = Sha256::new();
        hasher.update((self.entry | u32::from(self.thumb)).to_le_bytes());
        for segment in &self.segments {
            hasher.update(segment.address.to_le_bytes());
            hasher.update(segment.size.to_le_bytes());
            hasher.update((segment.bytes.len() as u32).to_le_bytes());
            hasher.update(&segment.bytes);
        }
        hasher.finalize().iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}

fn segments(
    name: &str,
    header: &FileHeader32<Endianness>,
    endian: Endianness,
    bytes: &[u8],
) -> Result<Vec<Segment>, Diagnostic> {
    let headers =
        header.program_headers(endian, bytes).map_err(|error| broken(name, &error.to_string()))?;
    let loaded = headers
        .iter()
        .filter(|header| header.p_type(endian) == PT_LOAD && header.p_memsz(endian) != 0);
    // Headers may all name the same bytes of a file, which would become a copy each.
    let mut room = LARGEST;
    let loaded = loaded
        .map(|header| {
            let held = header
                .data(endian, bytes)
                .map_err(|()| broken(name, "a segment reaches past the end of the file"))?;
            let size = header.p_memsz(endian);
            if held.len() > size as usize {
                return Err(broken(name, "a segment holds more bytes than it takes in memory"));
            }
            room = room.checked_sub(held.len()).ok_or_else(|| {
                broken(name, &format!("its segments hold more than {} MiB", LARGEST >> 20))
            })?;
            let flags = header.p_flags(endian);
            Ok(Segment {
                address: header.p_paddr(endian),
                runs_at: header.p_vaddr(endian),
                bytes: held.to_vec(),
                size,
                executable: flags.contains(PF_X),
                writable: flags.contains(PF_W),
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    apart(name, &loaded)?;
    Ok(loaded)
}

/// Refuses segments that load different bytes to one place: which of them counts would be a guess.
fn apart(name: &str, segments: &[Segment]) -> Result<(), Diagnostic> {
    let range = |segment: &Segment| {
        let from = u64::from(segment.address);
        (from, from + segment.bytes.len() as u64)
    };
    let mut ranges: Vec<_> = segments.iter().map(range).filter(|(from, to)| from < to).collect();
    ranges.sort_unstable();
    if let Some(pair) = ranges.windows(2).find(|pair| pair[1].0 < pair[0].1) {
        let ((first, end), (second, _)) = (pair[0], pair[1]);
        let why = format!(
            "the segments at {first:#010x}, up to {end:#010x}, and at {second:#010x} overlap in memory"
        );
        return Err(broken(name, &why));
    }
    match ranges.last() {
        Some(&(from, to)) if to > 1 << 32 => {
            let why =
                format!("the segment at {from:#010x} reaches past the end of the address space");
            Err(broken(name, &why))
        }
        _ => Ok(()),
    }
}

fn foreign(name: &str, why: &str) -> Diagnostic {
    Diagnostic::error("image.foreign", format!("{name} cannot run here: {why}")).with_help(
        "give a 32-bit little-endian executable for RISC-V or ARM in ELF, linked at fixed addresses, or \
         Intel HEX, or say at which address the bytes of a raw binary go",
    )
}

fn broken(name: &str, why: &str) -> Diagnostic {
    Diagnostic::error("image.broken", format!("{name} is a broken ELF file: {why}"))
        .with_help("build the file again; it may have been cut short or overwritten")
}
