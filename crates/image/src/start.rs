//! The start of an image by the vector table that a core finds after reset.
//!
//! Source: "ARMv7-M Architecture Reference Manual" (DDI 0403), B1.5.3 and B1.5.5. The first word of the
//! table is the initial stack pointer, the second the address of the first instruction, with bit 0 set.

use cocrypt_diag::Diagnostic;

use crate::elf::Image;

/// The alignment of a table.
const TABLE: u32 = 128;

/// The facts about the device that an image starts on.
pub struct Board<'a> {
    /// Its name.
    pub name: &'a str,
    /// The address of its vector table after reset.
    pub vectors: u32,
    /// The memories that programs write: first address, and the one behind the last.
    pub ram: &'a [(u32, u32)],
    /// The word at an address, the image loaded.
    pub word: &'a dyn Fn(u32) -> Option<u32>,
    /// The message about a vector that leads to code without the bits of [`cocrypt_isa::Pointers::modes`].
    pub unmarked: &'a str,
}

/// The start of an image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// Address of the first instruction.
    pub entry: u32,
    /// The initial stack pointer, where a table gives one.
    pub stack: Option<u32>,
    /// The address of the table that gave it.
    pub vectors: Option<u32>,
    /// Notes for people if the program does not end well.
    pub note: Option<String>,
}

/// A table's first words, and where it is.
#[derive(Clone, Copy)]
struct Table {
    at: u32,
    stack: u32,
    entry: u32,
}

impl Start {
    /// Decides where an image starts: from the table that the core finds after reset, or else from the one
    /// that the image begins with, as a boot loader starts it, or else where its file says.
    ///
    /// # Errors
    /// If it has no table, and its file does not say.
    pub fn of(image: &Image, board: &Board<'_>) -> Result<Self, Diagnostic> {
        let lowest = image.segments.iter().map(|segment| segment.address).min();
        let places = [Some(board.vectors), lowest.filter(|at| at % TABLE == 0)];
        let mut tables = places.into_iter().flatten().filter_map(|at| table(board, at));
        if let Some(table) = tables.find(|table| is_meant(image, board, *table)) {
            return Ok(Self::from_table(table, board));
        }
        let found = found(image, board);
        if !image.says_entry {
            let message = format!("{} has no vector table: {found}", image.name);
            let help = "load it where it was linked (--load-address), name its first instruction \
                        (--entry), or give the ELF file";
            return Err(Diagnostic::error("image.no-vectors", message).with_help(help));
        }
        let entry = image.entry;
        let note = format!(
            "{} has no vector table ({found}), so it started at its entry {entry:#010x} with a stack \
             pointer of 0",
            image.name
        );
        Ok(Self { entry: entry & !1, note: Some(note), ..Self::default() })
    }

    /// Starts at an address that somebody named; the core has taken its stack pointer from a table before.
    #[must_use]
    pub fn at(entry: u32, image: &Image, board: &Board<'_>) -> Self {
        let start = Self::of(image, board).unwrap_or_default();
        Self { entry: entry & !1, ..start }
    }

    fn from_table(table: Table, board: &Board<'_>) -> Self {
        let Table { at, stack, entry } = table;
        let is_ram = is_stack(board, stack);
        let note = (!is_ram).then(|| {
            format!(
                "the vector table at {at:#010x} names {stack:#010x} as the initial stack pointer, \
                 where {} has no RAM",
                board.name
            )
        });
        Self { entry: entry & !1, stack: Some(stack & !3), vectors: Some(at), note }
    }
}

fn table(board: &Board<'_>, at: u32) -> Option<Table> {
    let (stack, entry) = ((board.word)(at)?, (board.word)(at.wrapping_add(4))?);
    Some(Table { at, stack, entry })
}

/// Returns true if these words are a table: the second leads to an instruction of the image. Code could
/// look like that too, so beside an entry that the file names the first has to lead into RAM.
fn is_meant(image: &Image, board: &Board<'_>, table: Table) -> bool {
    let leads = table.entry & 1 != 0 && holds(image, table.entry - 1);
    let agrees = !image.says_entry || image.entry | 1 == table.entry;
    leads && (agrees || is_stack(board, table.stack))
}

fn holds(image: &Image, address: u32) -> bool {
    let code = image.segments.iter().filter(|segment| segment.executable);
    code.into_iter()
        .any(|segment| (address.wrapping_sub(segment.address) as usize) < segment.bytes.len())
}

/// A stack grows down from here, so that the first byte behind a memory is one too.
fn is_stack(board: &Board<'_>, stack: u32) -> bool {
    stack.is_multiple_of(4) && board.ram.iter().any(|&(base, end)| base < stack && stack <= end)
}

/// The words at the address where the core looks for the table.
fn found(image: &Image, board: &Board<'_>) -> String {
    let Board { name, vectors, .. } = board;
    match table(board, *vectors) {
        Some(Table { stack, entry, .. }) => {
            let leads = holds(image, entry) && is_stack(board, stack);
            let lacks = if entry & 1 == 0 && leads { ", the reset vector, " } else { "" };
            format!(
                "{name} looks for it at {vectors:#010x}, where the words are {stack:#010x} and \
                 {entry:#010x}{lacks}{}",
                if lacks.is_empty() { "" } else { board.unmarked }
            )
        }
        None => format!("{name} looks for it at {vectors:#010x}, where it has no memory"),
    }
}
