//! The files that a program has open at its host, and what a host offers of its own.

use std::sync::Arc;

/// The error numbers of failed calls, as newlib and Linux have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errno(pub u32);

impl Errno {
    /// Nothing failed.
    pub const NONE: Self = Self(0);
    /// There is no such file.
    pub const NOT_THERE: Self = Self(2);
    /// Reading or writing failed.
    pub const BROKEN: Self = Self(5);
    /// There is no such handle, or it is not open for that.
    pub const BAD_HANDLE: Self = Self(9);
    /// The file is none that the program may use.
    pub const NO_RIGHT: Self = Self(13);
    /// No memory is at the address that was given.
    pub const FAULT: Self = Self(14);
    /// Invalid argument.
    pub const INVALID: Self = Self(22);
    /// The buffer has not enough room.
    pub const NO_ROOM: Self = Self(34);
}

/// The mode in which a file is opened: a mode of C's `fopen`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// `r`, `w` or `a`.
    pub first: u8,
    /// True if the other of reading and writing is meant too (`+`).
    pub both: bool,
}

impl Mode {
    /// That of a number of the specification: `r`, `rb`, `r+`, `r+b`, and so for `w` and `a`.
    #[must_use]
    pub fn of(number: u32) -> Option<Self> {
        let first = *b"rwa".get(number as usize / 4)?;
        Some(Self { first, both: number & 2 != 0 })
    }

    /// Returns true if the program may read the file.
    #[must_use]
    pub const fn reads(self) -> bool {
        self.first == b'r' || self.both
    }

    /// Returns true if the program may write the file.
    #[must_use]
    pub const fn writes(self) -> bool {
        self.first != b'r' || self.both
    }

    /// True if the console of this mode is what is typed in.
    pub(super) const fn reads_console(self) -> bool {
        self.first == b'r'
    }
}

/// The files of a host that a program may use. Names are those that the program gives.
pub trait Files: Send + Sync {
    /// Opens a file; one that is written is made, and one of mode `w` is emptied.
    ///
    /// # Errors
    /// Why not.
    fn open(&self, name: &str, mode: Mode) -> Result<Arc<dyn File>, Errno>;
    /// Removes a file.
    ///
    /// # Errors
    /// Why not.
    fn remove(&self, name: &str) -> Result<(), Errno>;
    /// Gives a file another name.
    ///
    /// # Errors
    /// Why not.
    fn rename(&self, old: &str, new: &str) -> Result<(), Errno>;
}

/// An open file; where the program stands in it, its handle knows.
pub trait File: Send + Sync {
    /// Reads up to so many bytes from a place on; fewer at the end alone.
    ///
    /// # Errors
    /// Why not.
    fn read(&self, at: u64, size: u32) -> Result<Vec<u8>, Errno>;
    /// Writes all bytes from a place on.
    ///
    /// # Errors
    /// Why not.
    fn write(&self, at: u64, bytes: &[u8]) -> Result<(), Errno>;
    /// Its size in bytes.
    ///
    /// # Errors
    /// Why that cannot be said.
    fn length(&self) -> Result<u64, Errno>;
}

/// The contents of `:semihosting-features`: a mark, and that `SYS_EXIT_EXTENDED` is there and the console
/// has a stream for errors.
const FEATURES: &[u8] = b"SHFB\x03";

/// Something that is open.
#[derive(Clone)]
pub enum Handle {
    /// `:tt`: what is typed in, or what is shown.
    Console { reads: bool },
    /// The features of the host.
    Features,
    /// A file.
    File { file: Arc<dyn File>, mode: Mode },
}

impl Handle {
    fn length(&self) -> Result<u64, Errno> {
        match self {
            Self::Console { .. } => Ok(0),
            Self::Features => Ok(FEATURES.len() as u64),
            Self::File { file, .. } => file.length(),
        }
    }

    fn read(&self, at: u64, size: u32) -> Result<Vec<u8>, Errno> {
        match self {
            Self::Features => {
                let rest = FEATURES.iter().skip(at as usize).take(size as usize);
                Ok(rest.copied().collect())
            }
            Self::File { file, mode } if mode.reads() => file.read(at, size),
            Self::Console { .. } | Self::File { .. } => Err(Errno::BAD_HANDLE),
        }
    }
}

/// The open handles of a program, each with its position; a handle is its number from 1 on.
#[derive(Clone)]
pub struct Handles(Vec<Option<(Handle, u64)>>);

/// The console's output is open as 1 and 2 from the start, as small programs expect.
impl Default for Handles {
    fn default() -> Self {
        Self(vec![Some((Handle::Console { reads: false }, 0)); 2])
    }
}

impl Handles {
    /// Opens something; its handle.
    pub fn add(&mut self, handle: Handle) -> u32 {
        let free = self.0.iter().position(Option::is_none).unwrap_or(self.0.len());
        if free == self.0.len() {
            self.0.push(None);
        }
        self.0[free] = Some((handle, 0));
        free as u32 + 1
    }

    fn get(&mut self, handle: u32) -> Result<&mut (Handle, u64), Errno> {
        let entry = self.0.get_mut((handle as usize).wrapping_sub(1)).and_then(Option::as_mut);
        entry.ok_or(Errno::BAD_HANDLE)
    }

    /// Closes something.
    pub fn close(&mut self, handle: u32) -> Result<(), Errno> {
        self.get(handle)?;
        self.0[handle as usize - 1] = None;
        Ok(())
    }

    /// True if a handle is one of the console.
    pub fn is_console(&mut self, handle: u32) -> Result<bool, Errno> {
        self.get(handle).map(|entry| matches!(entry.0, Handle::Console { .. }))
    }

    /// Returns true if it is that of what is typed in.
    pub fn reads_console(&mut self, handle: u32) -> bool {
        matches!(self.get(handle), Ok((Handle::Console { reads: true }, _)))
    }

    /// Sets the position from which the next bytes are read or written.
    pub fn seek(&mut self, handle: u32, to: u32) -> Result<(), Errno> {
        let (handle, at) = self.get(handle)?;
        if matches!(handle, Handle::Console { .. }) {
            return Err(Errno::INVALID);
        }
        *at = to.into();
        Ok(())
    }

    /// The number of bytes.
    pub fn length(&mut self, handle: u32) -> Result<u32, Errno> {
        let length = self.get(handle)?.0.length()?;
        u32::try_from(length).map_err(|_| Errno::NO_ROOM)
    }

    /// The next bytes, up to so many.
    pub fn read(&mut self, handle: u32, size: u32) -> Result<Vec<u8>, Errno> {
        let (handle, at) = self.get(handle)?;
        let bytes = handle.read(*at, size)?;
        *at += bytes.len() as u64;
        Ok(bytes)
    }

    /// Writes bytes, at the end where the mode says so; how many.
    pub fn write(&mut self, handle: u32, bytes: &[u8]) -> Result<u32, Errno> {
        let (handle, at) = self.get(handle)?;
        let Handle::File { file, mode } = handle else { return Err(Errno::BAD_HANDLE) };
        if !mode.writes() {
            return Err(Errno::BAD_HANDLE);
        }
        if mode.first == b'a' {
            *at = file.length()?;
        }
        file.write(*at, bytes)?;
        *at += bytes.len() as u64;
        Ok(bytes.len() as u32)
    }
}
