//! Lists of source files: paths, and patterns that stand for all that they match.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::pattern::{Finder, TooMany, is_pattern};
use crate::reader::{Reader, Spot};
use crate::section::Section;

/// Source files of a list, in its order; those of a pattern in the order of their paths.
#[derive(Debug, Default)]
pub struct Sources(Vec<Source>);

#[derive(Debug)]
struct Source {
    path: PathBuf,
    /// True if it matched a pattern.
    matched: bool,
}

/// The files that `common` of a table names, without those of `exclude`.
pub fn sources(reader: &Reader, section: &Section<'_>, what: &str) -> Sources {
    let finder = Finder::new(reader.folder());
    let (common, exclude) = (section.texts("common"), section.texts("exclude"));
    let mut sources = Sources::default();
    for spelled in &common {
        if is_pattern(&spelled.value) && !reader.folder().join(&spelled.value).exists() {
            sources.add(matched(reader, &finder, spelled, what), true);
        } else {
            sources.add([reader.existing_file(spelled, what)], false);
        }
    }
    for spelled in &exclude {
        leave_out(reader, &finder, spelled, &mut sources);
    }
    sources
}

impl Sources {
    /// The files, each once. Where a pattern led to a file that is also named elsewhere, it is that
    /// other thing.
    pub fn without(self, elsewhere: &[PathBuf]) -> Vec<PathBuf> {
        let sources = self.0.into_iter();
        let own = sources.filter(|source| !source.matched || !elsewhere.contains(&source.path));
        own.map(|source| source.path).collect()
    }

    fn add(&mut self, paths: impl IntoIterator<Item = PathBuf>, matched: bool) {
        for path in paths {
            match self.0.iter_mut().find(|source| source.path == path) {
                Some(known) => known.matched &= matched,
                None => self.0.push(Source { path, matched }),
            }
        }
    }
}

/// The files of a pattern, which has to match one.
fn matched(
    reader: &Reader,
    finder: &Finder<'_>,
    spelled: &Spot<String>,
    what: &str,
) -> Vec<PathBuf> {
    let files = found(reader, finder, spelled, &spelled.value);
    if files.as_ref().is_some_and(Vec::is_empty) {
        let message = format!("no {what} matches the pattern `{}`", spelled.value);
        let help = finder.there(&spelled.value);
        reader.report(spelled.span.clone(), "no-match", message, "nothing matches", help);
    }
    files.unwrap_or_default()
}

/// The files of a pattern with links followed; nothing where there are too many to look at.
fn found(
    reader: &Reader,
    finder: &Finder<'_>,
    spelled: &Spot<String>,
    pattern: &str,
) -> Option<Vec<PathBuf>> {
    if let Ok(files) = finder.files(pattern) {
        return Some(files.iter().map(|path| canonical(path)).collect());
    }
    let most = TooMany::MOST;
    let message = format!("`{}` leads to more than {most} files and folders", spelled.value);
    let help = "begin the pattern with the folder that the sources are in";
    reader.report(spelled.span.clone(), "too-many-files", message, "too many", help);
    None
}

/// Takes what a path or a pattern stands for out of the files that patterns led to; of a folder, all that is
/// in it.
fn leave_out(reader: &Reader, finder: &Finder<'_>, spelled: &Spot<String>, sources: &mut Sources) {
    let is_folder = reader.folder().join(&spelled.value).is_dir();
    let pattern = if is_folder { format!("{}/**", spelled.value) } else { spelled.value.clone() };
    let Some(files) = found(reader, finder, spelled, &pattern) else { return };
    let files: BTreeSet<_> = files.into_iter().collect();
    let before = sources.0.len();
    let all = named(reader.folder(), sources);
    sources.0.retain(|source| !source.matched || !files.contains(&source.path));
    if sources.0.len() == before {
        let message = format!("`{}` excludes nothing", spelled.value);
        let help = if all.is_empty() {
            "only files that a pattern of `common` led to can be excluded".to_owned()
        } else {
            format!("the patterns of `common` led to {all}")
        };
        reader.report(spelled.span.clone(), "nothing-excluded", message, "nothing", help);
    }
}

/// The first files that patterns led to, for a message.
fn named(folder: &Path, sources: &Sources) -> String {
    let matched = sources.0.iter().filter(|source| source.matched);
    let mut names: Vec<_> = matched
        .map(|source| {
            source.path.strip_prefix(folder).unwrap_or(&source.path).display().to_string()
        })
        .collect();
    let further = names.len().saturating_sub(8);
    names.truncate(8);
    let more = if further == 0 { String::new() } else { format!(" and {further} more") };
    names.join(", ") + &more
}

fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
