//! Compiled code in files of the cache, one for each function of the host.
//!
//! The folder must be the user's alone; the caller has checked its parents. What is not the user's own, or could
//! be written by others, is not read.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::SystemTime;

use cocrypt_soc::{Key, Store};

/// A folder of such files.
pub(crate) struct KeptCode {
    folder: PathBuf,
    owner: owner::Owner,
}

/// Bytes of a file at most. No region's code comes near.
const MOST: u64 = 64 << 20;
/// Bytes that a process keeps at most: the cache is trimmed only when processes end.
const MOST_KEPT: u64 = 1 << 30;
/// The number of files that this process has begun to write.
static WRITTEN: AtomicU32 = AtomicU32::new(0);
/// Bytes that this process has been given to keep.
static GIVEN: AtomicU64 = AtomicU64::new(0);

impl KeptCode {
    /// The code in a folder; nothing, and all code is compiled, unless that is there and one user's alone.
    pub(crate) fn open(folder: &Path) -> Option<Arc<dyn Store>> {
        let about = fs::metadata(folder).ok().filter(fs::Metadata::is_dir)?;
        let owner = owner::alone(&about)?;
        Some(Arc::new(Self { folder: folder.to_path_buf(), owner }))
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(key.to_string())
    }

    fn write(&self, key: &Key, entry: &[u8]) -> std::io::Result<()> {
        let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let partial = self.folder.join(format!(".{key}.{}.{number}", std::process::id()));
        let written = owner::create(&partial)
            .and_then(|mut file| file.write_all(entry))
            .and_then(|()| fs::rename(&partial, self.path(key)));
        if written.is_err() {
            // It may not even be there.
            drop(fs::remove_file(&partial));
        }
        written
    }
}

impl Store for KeptCode {
    fn find(&self, key: &Key) -> Option<Vec<u8>> {
        let mut file = File::open(self.path(key)).ok()?;
        let about = file.metadata().ok()?;
        let is_ours = about.is_file() && owner::alone(&about).as_ref() == Some(&self.owner);
        if !is_ours || about.len() > MOST {
            return None;
        }
        let mut entry = vec![];
        file.read_to_end(&mut entry).ok()?;
        // The cache evicts what was used longest ago. Where times cannot be set, that is what was made first.
        drop(file.set_modified(SystemTime::now()));
        Some(entry)
    }

    fn keep(&self, key: &Key, entry: &[u8]) {
        let size = entry.len() as u64;
        if GIVEN.fetch_add(size, Ordering::Relaxed) + size > MOST_KEPT {
            return;
        }
        // Where nothing can be written, code is compiled every time.
        drop(self.write(key, entry));
    }
}

#[cfg(unix)]
mod owner {
    use std::fs::{File, Metadata, OpenOptions};
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
    use std::path::Path;

    /// The number of a user.
    pub(super) type Owner = u32;

    /// The bits of a mode that let a group, or everybody, write.
    const OTHERS: u32 = 0o022;

    /// The owner of what no other user can write to.
    pub(super) fn alone(about: &Metadata) -> Option<Owner> {
        (about.mode() & OTHERS == 0).then(|| about.uid())
    }

    pub(super) fn create(path: &Path) -> std::io::Result<File> {
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
    }
}

#[cfg(not(unix))]
mod owner {
    use std::fs::{File, Metadata};
    use std::path::Path;

    #[derive(PartialEq, Eq)]
    pub(super) struct Owner;

    /// Nobody knows who can write there.
    pub(super) fn alone(_: &Metadata) -> Option<Owner> {
        None
    }

    pub(super) fn create(path: &Path) -> std::io::Result<File> {
        File::create_new(path)
    }
}
