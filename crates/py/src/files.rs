//! The files that a simulated program may use: those below one folder of the host, and no others.

use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::{Error, ErrorKind};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use cocrypt_soc::{Errno, File, Files, Mode};

/// `O_NONBLOCK`: what is no plain file must not hold the simulator while it is opened.
#[cfg(target_os = "linux")]
pub const NO_WAIT: i32 = 0o4000;
#[cfg(not(target_os = "linux"))]
pub const NO_WAIT: i32 = 4;

/// A folder, without links in its path.
pub struct Folder(PathBuf);

impl Folder {
    /// A folder that is there.
    pub fn new(path: &Path) -> std::io::Result<Self> {
        let path = path.canonicalize()?;
        if path.is_dir() { Ok(Self(path)) } else { Err(ErrorKind::NotADirectory.into()) }
    }

    /// Resolves a name within the folder. Links may lead anywhere, so they are resolved here.
    fn place(&self, name: &str) -> Result<PathBuf, Errno> {
        let path = Path::new(name);
        let parts: Vec<Component<'_>> =
            path.components().filter(|part| *part != Component::CurDir).collect();
        if !parts.iter().all(|part| matches!(part, Component::Normal(_))) {
            return Err(Errno::NO_RIGHT);
        }
        let Some((Component::Normal(last), above)) = parts.split_last() else {
            return Err(Errno::NO_RIGHT);
        };
        let above = self.0.join(above.iter().collect::<PathBuf>());
        let above = above.canonicalize().map_err(|why| errno(&why))?;
        self.within(&above)?;
        self.followed(&above, last)
    }

    fn followed(&self, above: &Path, last: &OsStr) -> Result<PathBuf, Errno> {
        let place = above.join(last);
        match place.symlink_metadata() {
            Ok(found) if found.is_symlink() => {
                let place = place.canonicalize().map_err(|_| Errno::NO_RIGHT)?;
                self.within(&place).map(|()| place)
            }
            _ => Ok(place),
        }
    }

    fn within(&self, path: &Path) -> Result<(), Errno> {
        if path.starts_with(&self.0) { Ok(()) } else { Err(Errno::NO_RIGHT) }
    }
}

impl Files for Folder {
    fn open(&self, name: &str, mode: Mode) -> Result<Arc<dyn File>, Errno> {
        let place = self.place(name)?;
        let mut options = OpenOptions::new();
        options.read(mode.reads()).write(mode.writes()).custom_flags(NO_WAIT);
        options.create(mode.first != b'r').truncate(false);
        let file = options.open(place).map_err(|why| errno(&why))?;
        if !file.metadata().is_ok_and(|found| found.is_file()) {
            return Err(Errno::NO_RIGHT);
        }
        if mode.first == b'w' {
            file.set_len(0).map_err(|why| errno(&why))?;
        }
        Ok(Arc::new(Opened(file)))
    }

    fn remove(&self, name: &str) -> Result<(), Errno> {
        fs::remove_file(self.place(name)?).map_err(|why| errno(&why))
    }

    fn rename(&self, old: &str, new: &str) -> Result<(), Errno> {
        fs::rename(self.place(old)?, self.place(new)?).map_err(|why| errno(&why))
    }
}

struct Opened(fs::File);

impl File for Opened {
    fn read(&self, at: u64, size: u32) -> Result<Vec<u8>, Errno> {
        let left = self.length()?.saturating_sub(at);
        let mut bytes = vec![0; left.min(size.into()) as usize];
        self.0.read_exact_at(&mut bytes, at).map_err(|why| errno(&why))?;
        Ok(bytes)
    }

    fn write(&self, at: u64, bytes: &[u8]) -> Result<(), Errno> {
        self.0.write_all_at(bytes, at).map_err(|why| errno(&why))
    }

    fn length(&self) -> Result<u64, Errno> {
        self.0.metadata().map(|found| found.len()).map_err(|why| errno(&why))
    }
}

/// The number for why something failed; the same on all hosts.
fn errno(why: &Error) -> Errno {
    match why.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Errno::NOT_THERE,
        ErrorKind::PermissionDenied | ErrorKind::IsADirectory => Errno::NO_RIGHT,
        ErrorKind::InvalidInput | ErrorKind::InvalidFilename => Errno::INVALID,
        _ => Errno::BROKEN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(number: u32) -> Mode {
        Mode::of(number).expect("a mode")
    }

    /// A folder with a file, a folder, and links within and out of it; beside it lies a secret.
    fn folders(name: &str) -> (Folder, PathBuf) {
        let root =
            std::env::temp_dir().join(format!("cocrypt-files-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let inside = root.join("in");
        fs::create_dir_all(inside.join("below")).expect("folders");
        fs::write(root.join("secret"), "secret").expect("a file");
        fs::write(inside.join("a"), "abc").expect("a file");
        for (to, link) in [("../secret", "out"), ("a", "within"), ("../gone", "gone"), ("..", "up")]
        {
            std::os::unix::fs::symlink(to, inside.join(link)).expect("a link");
        }
        (Folder::new(&inside).expect("a folder"), root)
    }

    #[test]
    fn only_what_lies_in_the_folder_can_be_reached() {
        let (folder, root) = folders("reach");
        let secret = root.join("secret");
        let absolute = secret.to_str().expect("a name");
        let refused = [
            "../secret",
            "below/../../secret",
            "out",
            "gone",
            "up/secret",
            "",
            ".",
            "..",
            absolute,
        ];
        for name in refused {
            for number in [0, 2, 4, 8] {
                assert_eq!(folder.open(name, mode(number)).err(), Some(Errno::NO_RIGHT), "{name}");
            }
            assert_eq!(folder.remove(name), Err(Errno::NO_RIGHT), "{name}");
            assert_eq!(folder.rename("a", name), Err(Errno::NO_RIGHT), "{name}");
            assert_eq!(folder.rename(name, "b"), Err(Errno::NO_RIGHT), "{name}");
        }
        assert_eq!(fs::read(&secret).expect("still there"), b"secret");
        assert!(!root.join("gone").exists());
        assert_eq!(folder.open("below", mode(0)).err(), Some(Errno::NO_RIGHT));
        for name in ["a", "./a", "within", "below/../a"].into_iter().take(3) {
            let file = folder.open(name, mode(0)).expect(name);
            assert_eq!(file.read(1, 99), Ok(b"bc".to_vec()));
        }
        fs::remove_dir_all(root).expect("removed");
    }

    #[test]
    fn modes_are_those_of_fopen() {
        let (folder, root) = folders("modes");
        assert_eq!(folder.open("new", mode(0)).err(), Some(Errno::NOT_THERE));
        assert_eq!(folder.open("none/new", mode(4)).err(), Some(Errno::NOT_THERE));
        folder.open("a", mode(2)).expect("r+").write(1, b"X").expect("written");
        assert_eq!(folder.open("a", mode(8)).expect("a").length(), Ok(3));
        assert_eq!(folder.open("a", mode(0)).expect("r").read(0, 9), Ok(b"aXc".to_vec()));
        assert_eq!(folder.open("a", mode(4)).expect("w").length(), Ok(0));
        folder.rename("a", "below/b").expect("renamed");
        folder.remove("below/b").expect("removed");
        assert_eq!(folder.remove("below/b"), Err(Errno::NOT_THERE));
        fs::remove_dir_all(root).expect("removed");
    }
}
