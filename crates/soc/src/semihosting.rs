//! Semihosting: what a program asks of its host by a breakpoint or system call that is marked as such.
//!
//! Source: Arm, "Semihosting for `AArch32` and `AArch64`", 2022Q4; "RISC-V Semihosting", 1.0. A call takes no
//! cycles beyond the breakpoint's. Time is the device's own: what passed since reset, by its clock.

mod call;
mod files;
mod memory;

use std::sync::Arc;

pub use call::name;
pub use files::{Errno, File, Files, Mode};
pub(crate) use memory::Guest;

use files::{Handle, Handles};

/// `SYS_EXIT`'s number of a normal end.
const APPLICATION_EXIT: u32 = 0x2_0026;
/// The greatest length of a text that the program gives without its length.
const LONGEST: u32 = 1 << 20;
/// The result of a failed call.
const FAILED: u32 = u32::MAX;

/// The services that a host offers to a program.
#[derive(Clone, Default)]
pub struct Offers {
    /// Its files; none are open to the program without.
    pub files: Option<Arc<dyn Files>>,
    /// The command line that the program was started with.
    pub command_line: Vec<u8>,
    /// The first address behind the program's data, where it is known.
    pub heap: Option<u32>,
}

/// The outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The program goes on, with this as the result.
    Return(u32),
    /// The program ends with this code.
    Exit(u32),
    /// The specification has no such call.
    Unknown,
}

/// The host's facts about the device.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Clock frequency in hertz.
    pub clock_hz: u64,
    /// The memory that programs write most: first address, and the one behind the last.
    pub ram: (u32, u32),
}

/// The host's side of semihosting.
#[derive(Clone)]
pub struct Host {
    offers: Offers,
    facts: Facts,
    handles: Handles,
    errno: Errno,
    /// Notes for people, each once.
    notes: Vec<&'static str>,
    /// The first call that the specification does not have.
    pub unknown: Option<u32>,
}

impl Host {
    pub fn new(offers: Offers, facts: Facts) -> Self {
        let (handles, errno) = (Handles::default(), Errno::NONE);
        Self { offers, facts, handles, errno, notes: vec![], unknown: None }
    }

    /// Notes for people about refused calls of the program.
    pub fn notes(&self) -> &[&'static str] {
        &self.notes
    }

    /// Answers the call `number` with its argument, in a cycle.
    pub fn answer(
        &mut self,
        guest: &mut Guest<'_>,
        number: u32,
        argument: u32,
        cycle: u64,
    ) -> Answer {
        let field = |guest: &Guest<'_>, index| guest.word(argument.wrapping_add(4 * index));
        Answer::Return(match number {
            0x03 => self.say(guest, guest.bytes(argument, 1), argument),
            0x04 => self.say(guest, Some(guest.text(argument, LONGEST)), argument),
            0x07 => guest.console().take().map_or(FAILED, u32::from),
            0x08 => match field(guest, 0) {
                Some(status) => u32::from(status.cast_signed() < 0),
                None => self.fails(Errno::FAULT),
            },
            // In hundredths of a second, and in seconds since 1970, when the device left its reset.
            0x10 => self.passed(cycle, 100),
            0x11 => self.passed(cycle, 1),
            0x13 => self.errno.0,
            0x16 => self.heap(guest, argument),
            0x18 => return Answer::Exit(u32::from(argument != APPLICATION_EXIT)),
            0x20 => match (field(guest, 0), field(guest, 1)) {
                (Some(APPLICATION_EXIT), Some(code)) => return Answer::Exit(code),
                _ => return Answer::Exit(1),
            },
            // The lower word is first in either order of bytes.
            0x30 => self.put(guest, argument, &[cycle as u32, (cycle >> 32) as u32]),
            0x31 => u32::try_from(self.facts.clock_hz).unwrap_or(FAILED),
            0x01 | 0x02 | 0x05 | 0x06 | 0x09 | 0x0a | 0x0c..=0x0f | 0x12 | 0x15 => {
                let fields = std::array::from_fn(|index| field(guest, index as u32).unwrap_or(0));
                if guest.word(argument).is_none() {
                    self.fails(Errno::FAULT)
                } else {
                    self.with_fields(guest, number, argument, fields)
                }
            }
            _ => {
                self.unknown.get_or_insert(number);
                return Answer::Unknown;
            }
        })
    }

    /// The calls whose argument leads to a block of words.
    fn with_fields(
        &mut self,
        guest: &mut Guest<'_>,
        number: u32,
        argument: u32,
        fields: [u32; 4],
    ) -> u32 {
        let [first, second, third, fourth] = fields;
        let done = match number {
            0x01 => self.open(guest, first, second, third),
            0x02 => self.handles.close(first).map(|()| 0),
            0x05 => return self.write(guest, first, (second, third)),
            0x06 => return self.read(guest, first, (second, third)),
            0x09 => self.handles.is_console(first).map(u32::from),
            0x0a => self.handles.seek(first, second).map(|()| 0),
            0x0c => self.handles.length(first),
            0x0d => temporary(guest, first, second, third),
            0x0e => self.with_name(guest, (first, second), |files, name| files.remove(name)),
            0x0f => self.rename(guest, (first, second), (third, fourth)),
            0x12 => {
                self.tell("the program asked its host to run a command, which it never does");
                Err(Errno::NOT_THERE)
            }
            _ => self.command_line(guest, argument, first, second),
        };
        done.unwrap_or_else(|why| self.fails(why))
    }

    fn fails(&mut self, why: Errno) -> u32 {
        self.errno = why;
        FAILED
    }

    fn tell(&mut self, note: &'static str) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn passed(&self, cycle: u64, parts: u64) -> u32 {
        (u128::from(cycle) * u128::from(parts) / u128::from(self.facts.clock_hz.max(1))) as u32
    }

    fn say(&mut self, guest: &mut Guest<'_>, bytes: Option<Vec<u8>>, result: u32) -> u32 {
        let Some(bytes) = bytes else { return self.fails(Errno::FAULT) };
        guest.say(&bytes);
        result
    }

    fn put(&mut self, guest: &mut Guest<'_>, at: u32, words: &[u32]) -> u32 {
        if guest.put_words(at, words) { 0 } else { self.fails(Errno::FAULT) }
    }

    /// The files, and the name of one.
    fn named<'a>(
        &mut self,
        guest: &Guest<'_>,
        (at, size): (u32, u32),
        files: Option<&'a Arc<dyn Files>>,
    ) -> Result<(&'a Arc<dyn Files>, String), Errno> {
        let name = guest.bytes(at, size.min(LONGEST)).ok_or(Errno::FAULT)?;
        let Some(files) = files else {
            self.tell(
                "the program asked for files of its host; --semihosting-files names the folder that \
                 it may use",
            );
            return Err(Errno::NO_RIGHT);
        };
        let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
        Ok((files, String::from_utf8(name.to_vec()).map_err(|_| Errno::INVALID)?))
    }

    fn refused(&mut self, why: Errno) -> Errno {
        if why == Errno::NO_RIGHT {
            self.tell(
                "the program was refused a file of its host: it is outside of the folder that was \
                 named, no plain file, or one to which you have no right",
            );
        }
        why
    }

    fn open(&mut self, guest: &Guest<'_>, name: u32, mode: u32, size: u32) -> Result<u32, Errno> {
        let mode = Mode::of(mode).ok_or(Errno::INVALID)?;
        let text = guest.bytes(name, size.min(LONGEST)).ok_or(Errno::FAULT)?;
        if text == b":tt" {
            return Ok(self.handles.add(Handle::Console { reads: mode.reads_console() }));
        }
        if text == b":semihosting-features" {
            let is_read = mode.reads_console();
            return if is_read {
                Ok(self.handles.add(Handle::Features))
            } else {
                Err(Errno::NO_RIGHT)
            };
        }
        let files = self.offers.files.clone();
        let (files, name) = self.named(guest, (name, size), files.as_ref())?;
        let opened = files.open(&name, mode).map_err(|why| self.refused(why))?;
        Ok(self.handles.add(Handle::File { file: opened, mode }))
    }

    fn with_name(
        &mut self,
        guest: &Guest<'_>,
        name: (u32, u32),
        act: impl Fn(&dyn Files, &str) -> Result<(), Errno>,
    ) -> Result<u32, Errno> {
        let files = self.offers.files.clone();
        let (files, name) = self.named(guest, name, files.as_ref())?;
        act(&**files, &name).map_err(|why| self.refused(why)).map(|()| 0)
    }

    fn rename(
        &mut self,
        guest: &Guest<'_>,
        old: (u32, u32),
        new: (u32, u32),
    ) -> Result<u32, Errno> {
        let files = self.offers.files.clone();
        let (_, new) = self.named(guest, new, files.as_ref())?;
        self.with_name(guest, old, |files, old| files.rename(old, &new))
    }

    /// Writes; how many bytes were not.
    fn write(&mut self, guest: &mut Guest<'_>, handle: u32, (from, size): (u32, u32)) -> u32 {
        let Some(bytes) = guest.bytes(from, size) else {
            self.errno = Errno::FAULT;
            return size;
        };
        let written = match self.handles.is_console(handle) {
            Ok(true) => {
                guest.say(&bytes);
                Ok(size)
            }
            Ok(false) => self.handles.write(handle, &bytes),
            Err(why) => Err(why),
        };
        written.map_or_else(
            |why| {
                self.errno = why;
                size
            },
            |written| size - written,
        )
    }

    /// Reads; how many bytes of those that were asked for did not come.
    fn read(&mut self, guest: &mut Guest<'_>, handle: u32, (to, size): (u32, u32)) -> u32 {
        if !guest.is_written(to, size) {
            self.errno = Errno::FAULT;
            return size;
        }
        let bytes = match self.handles.is_console(handle) {
            Ok(true) if self.handles.reads_console(handle) => Ok(guest.typed(size)),
            Ok(true) => Err(Errno::BAD_HANDLE),
            Ok(false) => self.handles.read(handle, size),
            Err(why) => Err(why),
        };
        match bytes {
            Ok(bytes) => {
                guest.put(to, &bytes);
                size - bytes.len() as u32
            }
            Err(why) => {
                self.errno = why;
                size
            }
        }
    }

    /// The command line, with a zero behind it; the block's second word becomes its length.
    fn command_line(
        &self,
        guest: &mut Guest<'_>,
        argument: u32,
        to: u32,
        size: u32,
    ) -> Result<u32, Errno> {
        let line = [&self.offers.command_line[..], b"\0"].concat();
        if line.len() > size as usize {
            return Err(Errno::NO_ROOM);
        }
        let length = line.len() as u32 - 1;
        let done = guest.put(to, &line) && guest.put_words(argument.wrapping_add(4), &[length]);
        if done { Ok(0) } else { Err(Errno::FAULT) }
    }

    /// The memory for heap and stack: behind the program's data up to the memory's end, which they share.
    /// An unknown limit is 0.
    fn heap(&mut self, guest: &mut Guest<'_>, argument: u32) -> u32 {
        let Some(block) = guest.word(argument) else { return self.fails(Errno::FAULT) };
        let (base, end) = self.facts.ram;
        let heap = self.offers.heap.filter(|heap| (base..end).contains(heap));
        let words = heap.map_or([0; 4], |heap| [heap, end, end, heap]);
        self.put(guest, block, &words)
    }
}

/// A name for a temporary file, by a number up to 255.
fn temporary(guest: &mut Guest<'_>, to: u32, number: u32, size: u32) -> Result<u32, Errno> {
    let name = format!("tmp{:03}.tmp\0", number & 0xff);
    if name.len() > size as usize {
        return Err(Errno::NO_ROOM);
    }
    if guest.put(to, name.as_bytes()) { Ok(0) } else { Err(Errno::FAULT) }
}
