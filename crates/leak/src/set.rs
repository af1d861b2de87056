//! A trace set: a folder with a description and, in numbered folders, chunks of traces.
//!
//! ```text
//! set.toml                 samples, types, columns, source
//! 000000/traces.npy        traces × samples
//! 000000/plaintext.npy     traces × the shape of the column
//! 000001/…
//! samples.csv              optional: a row for each sample (cycle, pc, function, file, line, …)
//! ```
//!
//! Chunks may have any number of traces, each its own. Names that begin with a dot are chunks that were
//! never finished, and are not read; nor are names of more than nine digits, which no writer makes.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use cocrypt_config::{Dtype, TraceSet as Description};

use crate::error::Error;
use crate::npy::{self, Header, HeaderError};

/// The name of the description's file.
pub(crate) const DESCRIPTION: &str = "set.toml";
/// The name of the samples in a chunk.
pub(crate) const TRACES: &str = "traces";
/// Digits that the name of a chunk has at most.
const DIGITS: usize = 9;
/// The highest number of a chunk.
pub(crate) const LAST_CHUNK: usize = 999_999_999;

/// A trace set that is read.
#[derive(Clone, Debug)]
pub struct TraceSet {
    /// Its folder.
    pub path: PathBuf,
    /// Its description.
    pub description: Description,
    /// Its chunks, in order.
    pub chunks: Vec<Chunk>,
}

/// A chunk of a trace set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its folder.
    pub path: PathBuf,
    /// Its traces.
    pub traces: usize,
}

impl TraceSet {
    /// Opens a trace set, and checks the headers of its files.
    ///
    /// # Errors
    /// There is no set, its description is wrong, a file is missing or of another type or shape.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = path.join(DESCRIPTION);
        if !file.is_file() {
            let message = format!("{} is no trace set: it has no {DESCRIPTION}", path.display());
            let help = "name the folder that holds it";
            return Err(Error::input("missing", message, help));
        }
        let description = Description::load(&file).map_err(Error::Input)?;
        let mut set = Self { path: path.to_owned(), description, chunks: vec![] };
        for (_, folder) in chunk_folders(path)? {
            let traces = set.check(&folder)?;
            set.chunks.push(Chunk { path: folder, traces });
        }
        Ok(set)
    }

    /// Traces in all chunks.
    #[must_use]
    pub fn traces(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.traces).sum()
    }

    /// Checks the files of a chunk and returns its number of traces.
    fn check(&self, folder: &Path) -> Result<usize, Error> {
        let Description { samples, dtype, columns, .. } = &self.description;
        let traces = check_file(folder, TRACES, *dtype, &[*samples], None)?;
        for column in columns {
            check_file(folder, &column.name, column.dtype, &column.shape, Some(traces))?;
        }
        Ok(traces)
    }
}

impl Chunk {
    /// Opens the file of the samples, or of a column, for reading from a trace on; `row_size` is the
    /// number of bytes of one trace.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn reader(
        &self,
        name: &str,
        row_size: usize,
        from: usize,
    ) -> Result<impl Read + use<>, Error> {
        let path = file_of(&self.path, name);
        let open = || -> io::Result<File> {
            let mut file = File::open(&path)?;
            let header = npy::read_header(&mut file).map_err(io::Error::other)?;
            file.seek(SeekFrom::Start((header.size + from * row_size) as u64))?;
            Ok(file)
        };
        open().map_err(Error::host(&path))
    }

    /// Reads the values of a column of all traces of the chunk; `row_size` is the number of bytes of one.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn column(&self, name: &str, row_size: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; self.traces * row_size];
        let path = file_of(&self.path, name);
        self.reader(name, row_size, 0)?.read_exact(&mut bytes).map_err(Error::host(&path))?;
        Ok(bytes)
    }
}

/// The path of an array in a chunk.
pub(crate) fn file_of(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.npy"))
}

/// The folders of chunks with their numbers, in order.
pub(crate) fn chunk_folders(path: &Path) -> Result<Vec<(usize, PathBuf)>, Error> {
    let mut found = vec![];
    for entry in fs::read_dir(path).map_err(Error::host(path))? {
        let entry = entry.map_err(Error::host(path))?;
        let name = entry.file_name();
        let digits = name
            .to_str()
            .filter(|name| name.len() <= DIGITS && name.bytes().all(|byte| byte.is_ascii_digit()));
        if let Some(number) = digits.and_then(|digits| digits.parse().ok()) {
            found.push((number, entry.path()));
        }
    }
    found.sort();
    Ok(found)
}

/// Checks an array of a chunk and returns its number of traces.
fn check_file(
    folder: &Path,
    name: &str,
    dtype: Dtype,
    shape: &[usize],
    traces: Option<usize>,
) -> Result<usize, Error> {
    let path = file_of(folder, name);
    let wrong = |what: &str| {
        let message = format!("{}: {what}", path.display());
        let help =
            "each chunk needs every column that set.toml names; remove a chunk that is broken";
        Error::input("wrong-chunk", message, help)
    };
    let mut file = File::open(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => wrong("there is no such file"),
        _ => Error::host(&path)(error),
    })?;
    let Header { dtype: found, shape: lengths, size } =
        npy::read_header(&mut file).map_err(|error| match error {
            HeaderError::Io(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
                Error::host(&path)(error)
            }
            HeaderError::Io(_) => wrong("it ends within its header"),
            HeaderError::Content(what) => wrong(&what),
        })?;
    let fits = lengths.split_first().filter(|(_, rest)| found == dtype && *rest == shape);
    let Some((&count, _)) = fits.filter(|(count, _)| traces.is_none_or(|traces| traces == **count))
    else {
        let wanted = traces.map_or("traces".to_owned(), |traces| traces.to_string());
        let (found, dtype) = (found.name(), dtype.name());
        return Err(wrong(&format!(
            "it holds {found} of shape {lengths:?}, not {dtype} of {wanted} × {shape:?}"
        )));
    };
    let length = file.metadata().map_err(Error::host(&path))?.len();
    let row = shape.iter().product::<usize>() * dtype.size();
    let whole = count.checked_mul(row).and_then(|bytes| bytes.checked_add(size));
    if whole.is_none_or(|whole| length < whole as u64) {
        return Err(wrong(&format!("it has {length} bytes, fewer than its header says")));
    }
    Ok(count)
}
