//! Debug information: the source locations of an address, what was inlined there included.
//!
//! Source: DWARF 5, sections 2.17, 3.3.8 and 6.2.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};

use gimli::{Dwarf, EndianArcSlice, RunTimeEndian, SectionId};
use object::read::elf::ElfFile32;
use object::{Endianness, Object as _, ObjectSection as _};

use crate::prototypes;

type Bytes = EndianArcSlice<RunTimeEndian>;

/// The source location of an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The function, where it is known.
    pub function: Option<String>,
    /// The file, as the compiler was given it.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
}

/// The debug information of an ELF file.
pub struct Debug {
    // It reads lazily, which is for one thread at a time.
    context: Mutex<addr2line::Context<Bytes>>,
}

impl Debug {
    /// Reads it out of an ELF file; nothing where there is none, or where it is broken, since a
    /// program runs without it.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let file = ElfFile32::<Endianness>::parse(bytes).ok()?;
        file.section_by_name(".debug_info")?;
        let order =
            if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
        let load = |id: SectionId| {
            let data = file
                .section_by_name(id.name())
                .and_then(|section| section.uncompressed_data().ok());
            let data = data.unwrap_or(Cow::Borrowed(&[]));
            Ok::<_, gimli::Error>(Bytes::new(Arc::from(&*data), order))
        };
        let dwarf = Dwarf::load(load).ok()?;
        Some(Self { context: Mutex::new(addr2line::Context::from_dwarf(dwarf).ok()?) })
    }

    /// The locations of an instruction: that of its function first, then what was inlined there, outer
    /// before inner. Empty where nothing is known.
    #[must_use]
    pub fn frames(&self, address: u32) -> Vec<Frame> {
        let Ok(context) = self.context.lock() else { return vec![] };
        let Ok(mut found) = context.find_frames(address.into()).skip_all_loads() else {
            return vec![];
        };
        let mut frames = vec![];
        while let Ok(Some(frame)) = found.next() {
            let name = frame.function.and_then(|name| Some(name.raw_name().ok()?.into_owned()));
            let location = frame.location;
            frames.push(Frame {
                function: name,
                file: location.as_ref().and_then(|at| at.file).map(str::to_owned),
                line: location.and_then(|at| at.line).filter(|&line| line != 0),
            });
        }
        frames.reverse();
        frames
    }

    /// Bytes of what the function that begins at an address returns, 0 for nothing; `None` where that is not
    /// known, as of assembly.
    #[must_use]
    pub fn result_size(&self, address: u32) -> Option<u64> {
        let context = self.context.lock().ok()?;
        let unit = context.find_dwarf_and_unit(address.into()).skip_all_loads()?;
        prototypes::result_size(unit, address.into())
    }

    /// Bytes of each parameter of the function that begins at an address; nothing where that is not known.
    #[must_use]
    pub fn parameter_sizes(&self, address: u32) -> Option<Vec<u64>> {
        let context = self.context.lock().ok()?;
        let unit = context.find_dwarf_and_unit(address.into()).skip_all_loads()?;
        prototypes::parameter_sizes(unit, address.into())
    }

    /// Bytes of a type by its name in the unit of the function that begins at an address, such as `struct state`
    /// or what `typedef` names; nothing where that unit does not declare it.
    #[must_use]
    pub fn type_size(&self, address: u32, name: &str) -> Option<u64> {
        let context = self.context.lock().ok()?;
        let unit = context.find_dwarf_and_unit(address.into()).skip_all_loads()?;
        prototypes::type_size(unit, name)
    }
}
