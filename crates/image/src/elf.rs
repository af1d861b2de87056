//! Reading an ELF file: loaded segments, entry, symbols, hash.

use std::fmt::Write as _;

use cocrypt_diag::Diagnostic;
use cocrypt_isa::{ByteOrder, InstructionSet};
use object::elf::{ET_EXEC, ET_REL, FileHeader32, PF_W, PF_X, PT_LOAD};
use object::read::elf::{ElfFile32, FileHeader as _, ProgramHeader as _};
use object::{Endianness, Object as _, ObjectSection as _, ObjectSymbol};
use sha2::{Digest as _, Sha256};

use crate::symbols::Symbols;

/// A run of bytes to be placed in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The load address of the bytes.
    pub address: u32,
    /// The run-time address of the bytes: start-up code may copy them there.
    pub runs_at: u32,
    /// The bytes, as far as the file holds them.
    pub bytes: Vec<u8>,
    /// Bytes of memory that the segment takes; what the file does not hold is zero.
    pub size: u32,
    /// True if the segment holds code.
    pub executable: bool,
    /// True if the program may write to it.
    pub writable: bool,
}

/// A segment: bytes that a file puts into memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The file's name, as the user gave it.
    pub name: String,
    /// True if it is an object file, not yet linked: symbols are then all there is.
    pub relocatable: bool,
    /// The instruction set of its code; formats other than ELF do not say.
    pub instructions: Option<&'static InstructionSet>,
    /// Address of the first instruction.
    pub entry: u32,
    /// True if the file says so; else it is the lowest address.
    pub says_entry: bool,
    /// The mode bits of its entry point.
    pub mode: u32,
    /// Loaded segments, in the file's order.
    pub segments: Vec<Segment>,
    /// Symbols.
    pub symbols: Symbols,
    /// Names that an object file refers to and does not define.
    pub undefined: Vec<String>,
}

/// Bytes that all segments hold, at most.
const LARGEST: usize = 1 << 28;

/// The instruction sets that there are.
pub type InstructionSets<'a> = &'a [&'static InstructionSet];

/// Reads an ELF file of one of the known instruction sets.
///
/// # Errors
/// A diagnostic that says what the file is instead of a 32-bit executable for one of them, or where it is
/// broken.
pub fn read(name: &str, bytes: &[u8], known: InstructionSets<'_>) -> Result<Image, Diagnostic> {
    read_for(name, bytes, known).map_err(|wrong| wrong.told(name, known))
}

/// The bytes of a section of an ELF file by its name; nothing if there is none.
#[must_use]
pub fn section(bytes: &[u8], name: &str) -> Option<Vec<u8>> {
    let file = ElfFile32::<Endianness>::parse(bytes).ok()?;
    Some(file.section_by_name(name)?.data().ok()?.to_vec())
}

fn read_for(name: &str, bytes: &[u8], known: InstructionSets<'_>) -> Result<Image, ReadError> {
    if !bytes.starts_with(b"\x7fELF") {
        return Err(foreign("it does not start as an ELF file does"));
    }
    let header = FileHeader32::<Endianness>::parse(bytes)
        .map_err(|error| foreign(&format!("it is no 32-bit ELF file ({error})")))?;
    let endian = header.endian().map_err(|error| broken(&error.to_string()))?;
    let instructions = instructions(header, endian, known)?;
    let kind = header.e_type(endian);
    if kind != ET_EXEC && kind != ET_REL {
        return Err(foreign("it is neither an executable nor an object file"));
    }
    let file = ElfFile32::<Endianness>::parse(bytes).map_err(|error| broken(&error.to_string()))?;
    let (entry, mode) = instructions.pointers.split(file.entry() as u32);
    Ok(Image {
        name: name.to_owned(),
        relocatable: kind == ET_REL,
        instructions: Some(instructions),
        entry,
        says_entry: true,
        mode,
        segments: segments(instructions, header, endian, bytes)?,
        symbols: Symbols::of(&file, &instructions.elf, instructions.pointers),
        undefined: undefined(&file),
    })
}

fn undefined(file: &ElfFile32<'_, Endianness>) -> Vec<String> {
    let names = file.symbols().filter(ObjectSymbol::is_undefined);
    let names = names.filter_map(|symbol| symbol.name().ok());
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn instructions(
    header: &FileHeader32<Endianness>,
    endian: Endianness,
    known: InstructionSets<'_>,
) -> Result<&'static InstructionSet, ReadError> {
    let machine = header.e_machine(endian).0;
    let mut found = known.iter().filter(|set| set.elf.machine == machine).peekable();
    if found.peek().is_none() {
        return Err(foreign(&format!("it is for another processor (e_machine {machine})")));
    }
    let is_big = endian == Endianness::Big;
    let why = if is_big { "it is big-endian" } else { "it is little-endian" };
    let fits = |set: &&&InstructionSet| is_big == (set.elf.order == ByteOrder::Big);
    found.copied().find(|set| fits(&set)).ok_or_else(|| foreign(why))
}

impl Image {
    /// SHA-256 over the entry and the loaded segments, in hexadecimal. Debug sections and file layout
    /// do not enter, since they differ from build to build.
    #[must_use]
    pub fn hash(&self) -> String {
        let mut hasher = Sha256::new();
        hasher.update((self.entry | self.mode).to_le_bytes());
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
    instructions: &InstructionSet,
    header: &FileHeader32<Endianness>,
    endian: Endianness,
    bytes: &[u8],
) -> Result<Vec<Segment>, ReadError> {
    let headers =
        header.program_headers(endian, bytes).map_err(|error| broken(&error.to_string()))?;
    let loaded = headers
        .iter()
        .filter(|header| header.p_type(endian) == PT_LOAD && header.p_memsz(endian) != 0);
    // Headers may all name the same bytes of a file, which would become a copy each.
    let mut room = LARGEST;
    let loaded = loaded
        .map(|header| {
            let held = header
                .data(endian, bytes)
                .map_err(|()| broken("a segment reaches past the end of the file"))?;
            let size = header.p_memsz(endian);
            if held.len() > size as usize {
                return Err(broken("a segment holds more bytes than it takes in memory"));
            }
            room = room.checked_sub(held.len()).ok_or_else(|| {
                broken(&format!("its segments hold more than {} MiB", LARGEST >> 20))
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
    apart(&loaded, instructions)?;
    Ok(loaded)
}

/// Refuses segments that load different bytes to one place: which of them counts would be a guess.
fn apart(segments: &[Segment], instructions: &InstructionSet) -> Result<(), ReadError> {
    let range = |segment: &Segment| {
        let from = u64::from(segment.address);
        (from, from + segment.bytes.len() as u64)
    };
    let is_beyond =
        |&&(from, to): &&(u64, u64)| !instructions.spaces.iter().any(|space| space.holds(from, to));
    let mut ranges: Vec<_> = segments.iter().map(range).filter(|(from, to)| from < to).collect();
    ranges.sort_unstable();
    if let Some(pair) = ranges.windows(2).find(|pair| pair[1].0 < pair[0].1) {
        let ((first, end), (second, _)) = (pair[0], pair[1]);
        let why = format!(
            "the segments at {first:#010x}, up to {end:#010x}, and at {second:#010x} overlap in memory"
        );
        return Err(broken(&why));
    }
    ranges.iter().find(is_beyond).map_or(Ok(()), |(from, _)| {
        Err(broken(&format!(
            "the segment at {from:#010x} reaches past the end of the address space"
        )))
    })
}

/// The reason for which a file is not read.
enum ReadError {
    /// It is something else.
    Foreign(String),
    /// It is none any more.
    Broken(String),
}

fn foreign(why: &str) -> ReadError {
    ReadError::Foreign(why.to_owned())
}

fn broken(why: &str) -> ReadError {
    ReadError::Broken(why.to_owned())
}

impl ReadError {
    fn told(&self, name: &str, known: InstructionSets<'_>) -> Diagnostic {
        let names: Vec<&str> = known.iter().map(|set| set.name).collect();
        match self {
            Self::Foreign(why) => {
                let message = format!("{name} cannot run here: {why}");
                Diagnostic::error("image.foreign", message).with_help(format!(
                    "give a 32-bit executable for {} in ELF, linked at fixed addresses, or Intel HEX, or \
                     say at which address the bytes of a raw binary go",
                    names.join(" or ")
                ))
            }
            Self::Broken(why) => {
                let message = format!("{name} is a broken ELF file: {why}");
                let help = "build the file again; it may have been cut short or overwritten";
                Diagnostic::error("image.broken", message).with_help(help)
            }
        }
    }
}
