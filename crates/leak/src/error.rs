//! Failures of trace sets and of statistics over them.

use std::io;
use std::path::{Path, PathBuf};

use cocrypt_diag::Diagnostic;

/// A failure.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something that the user gave is wrong.
    #[error("{}", .0.first().map_or("", |first| first.message.as_str()))]
    Input(Vec<Diagnostic>),
    /// The disk is full.
    #[error(
        "the disk is full: chunk {chunk} of {} was not written, the {kept} traces before it are kept",
        .set.display()
    )]
    DiskFull {
        /// The trace set.
        set: PathBuf,
        /// The chunk's number.
        chunk: usize,
        /// Traces in the chunks before.
        kept: usize,
    },
    /// Whoever is told of the progress asked to stop.
    #[error("stopped")]
    Stopped,
    /// The host failed.
    #[error("{}: {error}", .path.display())]
    Host {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
}

impl Error {
    /// A mistake of the user with what to do about it.
    pub(crate) fn input(code: &str, message: impl Into<String>, help: &str) -> Self {
        let code = format!("set.{code}");
        Self::Input(vec![Diagnostic::error(code, message).with_help(help)])
    }

    /// A failure of the host at a file or folder.
    pub(crate) fn host(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Host { path: path.to_owned(), error }
    }
}
