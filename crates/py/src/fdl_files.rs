//! The files that a design names. It is somebody else's text perhaps: it reads what lies below its own
//! folder, and writes below one folder that the command names.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Component, Path, PathBuf};

use cocrypt_fdl as fdl;

use crate::files::NO_WAIT;

/// Bytes of a file that a design reads, at most.
const LARGEST: u64 = 1 << 26;

/// Opens a file to write, which the user has named.
///
/// # Errors
/// It cannot be written; the error names it.
pub fn create(path: &Path) -> io::Result<File> {
    File::create(path).map_err(|error| {
        let message = format!("{} cannot be written: {error}", path.display());
        io::Error::new(error.kind(), message)
    })
}

/// The files beside a design.
pub struct Beside(PathBuf);

impl Beside {
    /// Those beside the file at this path.
    pub fn new(path: &Path) -> Self {
        Self(path.parent().map(Path::to_path_buf).unwrap_or_default())
    }

    fn open(&self, name: &str) -> Result<File, String> {
        let path = self.0.join(name);
        let real = path.canonicalize().map_err(|error| error.to_string())?;
        let folder = if self.0.as_os_str().is_empty() { Path::new(".") } else { &self.0 };
        let folder = folder.canonicalize().map_err(|error| error.to_string())?;
        // Parts of designs may lie beside their folder, and are FDL.
        let is_part = |path: &Path| path.extension().is_some_and(|extension| extension == "fdl");
        let is_allowed = real.starts_with(&folder) || (is_part(&path) && is_part(&real));
        if !is_allowed {
            return Err("it lies outside of the folder of the design".to_owned());
        }
        open(&real)
    }
}

impl fdl::Files for Beside {
    fn read(&self, name: &str) -> Result<String, String> {
        String::from_utf8(self.bytes(name)?).map_err(|_| "it is no text in UTF-8".to_owned())
    }

    fn bytes(&self, name: &str) -> Result<Vec<u8>, String> {
        bounded(self.open(name)?, LARGEST)
    }
}

/// Opens a plain file to read. Anything else may have no end, or wait for a writer for ever; it is asked once
/// it is open, so that nothing can take its place in between.
pub fn open(path: &Path) -> Result<File, String> {
    let file = File::options().read(true).custom_flags(NO_WAIT).open(path);
    let file = file.map_err(|error| error.to_string())?;
    let found = file.metadata().map_err(|error| error.to_string())?;
    if found.is_dir() {
        Err("it is a folder".to_owned())
    } else if found.is_file() {
        Ok(file)
    } else {
        Err("it is no plain file".to_owned())
    }
}

/// The bytes of a file, if there are no more than so many.
pub fn bounded(file: File, most: u64) -> Result<Vec<u8>, String> {
    let mut bytes = vec![];
    let read = file.take(most + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if read as u64 > most {
        return Err(format!("it has more than {most} bytes"));
    }
    Ok(bytes)
}

/// The folder below which a design writes, and whether the user has named it, so that it may be a link.
pub struct Below(pub PathBuf, pub bool);

impl Below {
    /// Opens a file to write, which the design has named; and its path.
    ///
    /// # Errors
    /// It cannot be written; it lies elsewhere, or a link would lead there.
    pub fn create(&self, name: &str) -> io::Result<(File, PathBuf)> {
        let refused = |why: &str| {
            let message = format!("`{name}` cannot be written: {why}");
            io::Error::new(io::ErrorKind::PermissionDenied, message)
        };
        let parts: Vec<Component<'_>> = Path::new(name).components().collect();
        if parts.is_empty() || !parts.iter().all(|part| matches!(part, Component::Normal(_))) {
            return Err(refused("a design writes below one folder; name a file there"));
        }
        let mut path = self.0.clone();
        if fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) && !self.1 {
            return Err(refused(&format!("{} is a link", path.display())));
        }
        for (at, part) in parts.iter().enumerate() {
            make_folder(&path)?;
            path.push(part);
            let is_last = at + 1 == parts.len();
            let found = fs::symlink_metadata(&path).map(|found| found.file_type());
            match found {
                Ok(found) if found.is_symlink() => {
                    return Err(refused(&format!("{} is a link", path.display())));
                }
                Ok(found) if is_last && !found.is_file() => {
                    return Err(refused(&format!("{} is no file", path.display())));
                }
                _ => {}
            }
        }
        Ok((create(&path)?, path))
    }
}

fn make_folder(path: &Path) -> io::Result<()> {
    if path.as_os_str().is_empty() || path.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(path).map_err(|error| {
        io::Error::new(error.kind(), format!("{} cannot be made: {error}", path.display()))
    })
}
