//! Writes a trace set chunk by chunk.
//!
//! A chunk is written to a folder whose name begins with a dot, and renamed when it is whole. A process
//! that is killed loses the chunk that it was writing, and no other.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use cocrypt_config::TraceSet as Description;

use crate::error::Error;
use crate::npy;
use crate::set::{self, DESCRIPTION, TRACES, TraceSet};

/// A trace set that is written.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    description: Description,
    /// The number of the next chunk.
    next: usize,
    /// Traces in all chunks before.
    traces: usize,
}

impl Writer {
    /// Makes a trace set in a folder that is empty or does not exist.
    ///
    /// # Errors
    /// The folder has content, the description could not be read again, or the host fails.
    pub fn create(path: &Path, mut description: Description) -> Result<Self, Error> {
        description.columns.sort_by(|left, right| left.name.cmp(&right.name));
        let text = description_text(&description);
        Description::parse(DESCRIPTION, &text).map_err(Error::Input)?;
        fs::create_dir_all(path).map_err(Error::host(path))?;
        if fs::read_dir(path).map_err(Error::host(path))?.next().is_some() {
            let message = format!("{} is not empty", path.display());
            let help = "name a new folder, or remove this one: traces are never overwritten";
            return Err(Error::input("not-empty", message, help));
        }
        let temporary = path.join(format!(".{DESCRIPTION}"));
        let file = path.join(DESCRIPTION);
        let written = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, &file));
        written.map_err(Error::host(&file))?;
        Ok(Self { path: path.to_owned(), description, next: 0, traces: 0 })
    }

    /// Opens a trace set to add chunks to it, and removes what a killed process left unfinished.
    ///
    /// # Errors
    /// As [`TraceSet::open`].
    pub fn resume(path: &Path) -> Result<Self, Error> {
        let set = TraceSet::open(path)?;
        let next = set::chunk_folders(path)?.last().map_or(0, |(number, _)| number + 1);
        let traces = set.traces();
        let writer = Self { path: set.path, description: set.description, next, traces };
        let _ = fs::remove_dir_all(writer.folder(true));
        Ok(writer)
    }

    /// The description of the set.
    #[must_use]
    pub const fn description(&self) -> &Description {
        &self.description
    }

    /// Traces written so far, with those that were there before.
    #[must_use]
    pub const fn traces(&self) -> usize {
        self.traces
    }

    /// Writes a chunk of `count` traces: the samples, row by row in little-endian order, and the values of
    /// each column by its name, likewise.
    ///
    /// # Errors
    /// The set has the highest number of a chunk already, the disk is full, or the host fails otherwise;
    /// the set is then as it was before.
    ///
    /// # Panics
    /// A column is missing, or a length does not match the description.
    pub fn append(
        &mut self,
        count: usize,
        traces: &[u8],
        columns: &[(&str, &[u8])],
    ) -> Result<(), Error> {
        if self.next > set::LAST_CHUNK {
            let message =
                format!("{} has a chunk {}, the last", self.path.display(), set::LAST_CHUNK);
            let help = "give that folder a lower number, or write a new set";
            return Err(Error::input("last-chunk", message, help));
        }
        let temporary = self.folder(true);
        if let Err((path, error)) = self.write(&temporary, count, traces, columns) {
            let _ = fs::remove_dir_all(&temporary);
            return Err(self.failure(path, error));
        }
        let folder = self.folder(false);
        fs::rename(&temporary, &folder).map_err(Error::host(&folder))?;
        self.next += 1;
        self.traces += count;
        Ok(())
    }

    fn failure(&self, path: PathBuf, error: io::Error) -> Error {
        if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) {
            return Error::DiskFull { set: self.path.clone(), chunk: self.next, kept: self.traces };
        }
        Error::Host { path, error }
    }

    /// The folder of the next chunk, before or after it is whole.
    fn folder(&self, temporary: bool) -> PathBuf {
        let dot = if temporary { "." } else { "" };
        self.path.join(format!("{dot}{:06}", self.next))
    }

    fn write(
        &self,
        folder: &Path,
        count: usize,
        traces: &[u8],
        columns: &[(&str, &[u8])],
    ) -> Result<(), (PathBuf, io::Error)> {
        let Description { samples, dtype, columns: described, .. } = &self.description;
        fs::create_dir_all(folder).map_err(|error| (folder.to_owned(), error))?;
        let write = |name: &str, dtype, shape: &[usize], content| {
            let path = set::file_of(folder, name);
            let shape: Vec<_> = [count].iter().chain(shape).copied().collect();
            write_array(&path, dtype, &shape, content).map_err(|error| (path, error))
        };
        write(TRACES, *dtype, &[*samples], traces)?;
        for column in described {
            let given = columns.iter().find(|(name, _)| *name == column.name);
            let (_, content) = given.unwrap_or_else(|| panic!("no values of {}", column.name));
            write(&column.name, column.dtype, &column.shape, content)?;
        }
        Ok(())
    }
}

fn write_array(
    path: &Path,
    dtype: cocrypt_config::Dtype,
    shape: &[usize],
    content: &[u8],
) -> io::Result<()> {
    let elements = shape.iter().product::<usize>();
    assert_eq!(content.len(), elements * dtype.size(), "the content has the shape {shape:?}");
    let mut file = File::create(path)?;
    file.write_all(&npy::header(dtype, shape))?;
    file.write_all(content)
}

/// The text of `set.toml`.
fn description_text(description: &Description) -> String {
    let Description { samples, dtype, source, columns } = description;
    let mut text = format!("[set]\nsamples = {samples}\ndtype = \"{}\"\n", dtype.name());
    if !source.is_empty() {
        let _ = writeln!(text, "source = {}", quoted(source));
    }
    for column in columns {
        let (name, dtype) = (quoted(&column.name), column.dtype.name());
        let shape = &column.shape;
        let _ = write!(text, "\n[columns.{name}]\ndtype = \"{dtype}\"\nshape = {shape:?}\n");
    }
    text
}

/// A text as a basic string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(control));
            }
            other => quoted.push(other),
        }
    }
    quoted + "\""
}
