//! Patterns for paths, as shells have them: `*`, `?` and `[a-z]` within a name, `**` for any depth of folders.
//!
//! The matches of a pattern depend on the names in the file system alone, not on the order in which it lists
//! them. Hidden files and folders are matched by names that begin with a dot themselves, and `**` does not
//! follow links to folders.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

/// Entries of folders that are looked at for one list of patterns at most.
const MOST: usize = 50_000;
/// Files that a message names.
const NAMED: usize = 8;
/// Any depth of folders.
const DEEP: &str = "**";

/// The files below a folder, as far as there are not too many of them to look at.
pub struct Finder<'a> {
    folder: &'a Path,
    looked_at: Cell<usize>,
}

/// More entries than are looked at.
#[derive(Debug, PartialEq, Eq)]
pub struct TooMany;

impl TooMany {
    /// How many are looked at.
    pub const MOST: usize = MOST;
}

/// Tells whether a path is a pattern.
pub fn is_pattern(spelled: &str) -> bool {
    spelled.split('/').any(|name| name.contains(['*', '?']) || class(name).is_some())
}

impl<'a> Finder<'a> {
    /// A finder whose patterns start at `folder`.
    pub fn new(folder: &'a Path) -> Self {
        Self { folder, looked_at: Cell::new(0) }
    }

    /// The files that a pattern matches, sorted by their paths.
    pub fn files(&self, pattern: &str) -> Result<Vec<PathBuf>, TooMany> {
        let (start, names) = self.start(pattern);
        let mut found = vec![];
        self.walk(&start, &names, &mut found)?;
        found.sort();
        found.dedup();
        Ok(found)
    }

    /// Describes the files that stand where a pattern found nothing.
    pub fn there(&self, pattern: &str) -> String {
        let (start, names) = self.start(pattern);
        let fixed = names.iter().take_while(|name| !is_pattern(name));
        let mut place = start;
        for name in fixed {
            let next = place.join(name);
            if !next.is_dir() {
                return format!(
                    "{} has no folder `{name}`: {}",
                    place.display(),
                    Self::list(&place, false)
                );
            }
            place = next;
        }
        let deep = names.contains(&DEEP);
        format!("{} holds {}", place.display(), Self::list(&place, deep))
    }

    /// The folder where a pattern starts, and its names; several `**` in a row mean the same as one.
    fn start<'p>(&self, pattern: &'p str) -> (PathBuf, Vec<&'p str>) {
        let start = if pattern.starts_with('/') { Path::new("/") } else { self.folder };
        let names = pattern.split('/').filter(|name| !name.is_empty() && *name != ".");
        let mut names: Vec<_> = names.collect();
        names.dedup_by(|later, earlier| *later == DEEP && *earlier == DEEP);
        (start.to_owned(), names)
    }

    fn walk(&self, folder: &Path, names: &[&str], found: &mut Vec<PathBuf>) -> Result<(), TooMany> {
        match names {
            [] => {}
            [DEEP] => self.walk_deep(folder, &["*"], names, found)?,
            [DEEP, rest @ ..] => self.walk_deep(folder, rest, names, found)?,
            [name] if !is_pattern(name) => {
                found.extend(Some(folder.join(name)).filter(|path| path.is_file()));
            }
            [name, rest @ ..] if !is_pattern(name) => self.walk(&folder.join(name), rest, found)?,
            [name, rest @ ..] => {
                for entry in self.entries(folder)? {
                    if !matches(name, &entry.name) {
                        continue;
                    }
                    let path = folder.join(&entry.name);
                    if rest.is_empty() {
                        found.extend(Some(path).filter(|path| path.is_file()));
                    } else if path.is_dir() {
                        self.walk(&path, rest, found)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds the matches of `rest` here, and those of `names`, which begin with `**`, in the folders below.
    fn walk_deep(
        &self,
        folder: &Path,
        rest: &[&str],
        names: &[&str],
        found: &mut Vec<PathBuf>,
    ) -> Result<(), TooMany> {
        self.walk(folder, rest, found)?;
        for entry in self.entries(folder)? {
            if entry.is_folder && !entry.name.starts_with('.') {
                self.walk(&folder.join(&entry.name), names, found)?;
            }
        }
        Ok(())
    }

    /// The entries of a folder; none where it is not one, or cannot be read.
    fn entries(&self, folder: &Path) -> Result<Vec<Entry>, TooMany> {
        let mut entries = vec![];
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            self.looked_at.set(self.looked_at.get() + 1);
            if self.looked_at.get() > MOST {
                return Err(TooMany);
            }
            if let Ok(name) = entry.file_name().into_string() {
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                entries.push(Entry { name, is_folder });
            }
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    /// The first files of a folder, and of those below it; the folders too where these are not looked into.
    fn list(place: &Path, deep: bool) -> String {
        let finder = Finder::new(place);
        let mut names: Vec<_> = if deep {
            let files = finder.files(DEEP).unwrap_or_default();
            let below = files.iter().filter_map(|file| file.strip_prefix(place).ok());
            below.map(|file| file.display().to_string()).collect()
        } else {
            let entries = finder.entries(place).unwrap_or_default();
            let slash = |entry: Entry| if entry.is_folder { entry.name + "/" } else { entry.name };
            entries.into_iter().map(slash).collect()
        };
        let further = names.len().saturating_sub(NAMED);
        names.truncate(NAMED);
        match (names.is_empty(), further) {
            (true, _) if deep => "no file".to_owned(),
            (true, _) => "nothing".to_owned(),
            (false, 0) => names.join(", "),
            (false, further) => format!("{} and {further} more", names.join(", ")),
        }
    }
}

struct Entry {
    name: String,
    /// Links to folders are none.
    is_folder: bool,
}

/// Tells whether a name is one of those that a pattern without `/` stands for.
fn matches(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let (mut rest, mut left) = (pattern, name);
    // Where to go on when the last `*` has to take one character more.
    let mut again: Option<(&str, &str)> = None;
    loop {
        if let Some(behind) = rest.strip_prefix('*') {
            again = Some((behind, left));
            rest = behind;
        } else if left.is_empty() && rest.is_empty() {
            return true;
        } else if let Some((behind, remaining)) = step(rest, left) {
            (rest, left) = (behind, remaining);
        } else {
            let Some((behind, taken)) = again else { return false };
            let Some(character) = taken.chars().next() else { return false };
            let remaining = &taken[character.len_utf8()..];
            (rest, left) = (behind, remaining);
            again = Some((behind, remaining));
        }
    }
}

/// The rest of a pattern and of a name behind the character that both begin with.
fn step<'p, 'n>(pattern: &'p str, name: &'n str) -> Option<(&'p str, &'n str)> {
    let character = name.chars().next()?;
    let remaining = &name[character.len_utf8()..];
    if let Some(behind) = pattern.strip_prefix('?') {
        return Some((behind, remaining));
    }
    if let Some((before, set, behind)) = class(pattern)
        && before.is_empty()
    {
        return in_class(set, character).then_some((behind, remaining));
    }
    Some((pattern.strip_prefix(character)?, remaining))
}

/// The first `[…]` of a name: what is before it, in it and behind it. A `]` right behind its beginning is
/// one of the characters.
fn class(name: &str) -> Option<(&str, &str, &str)> {
    let (before, from) = name.split_once('[')?;
    let first = from.strip_prefix('!').unwrap_or(from);
    let skipped = from.len() - first.len() + first.chars().next()?.len_utf8();
    let end = skipped + from[skipped..].find(']')?;
    Some((before, &from[..end], &from[end + 1..]))
}

fn in_class(set: &str, character: char) -> bool {
    let (negated, set) = set.strip_prefix('!').map_or((false, set), |set| (true, set));
    let characters: Vec<_> = set.chars().collect();
    let (mut at, mut found) = (0, false);
    while at < characters.len() {
        if characters.get(at + 1) == Some(&'-') && at + 2 < characters.len() {
            found |= (characters[at]..=characters[at + 2]).contains(&character);
            at += 3;
        } else {
            found |= characters[at] == character;
            at += 1;
        }
    }
    found != negated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_as_in_a_shell() {
        // POSIX.1-2024, "Shell Command Language", 2.14.
        for (pattern, name, expected) in [
            ("*.c", "main.c", true),
            ("*.c", "main.cc", false),
            ("*.c", ".hidden.c", false),
            (".*.c", ".hidden.c", true),
            ("a*b*c", "abbcbc", true),
            ("a*b*c", "abbcb", false),
            ("?.c", "ä.c", true),
            ("?.c", ".c", false),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[]x]", "]", true),
            ("[a-]", "-", true),
            ("a[", "a[", true),
            ("**", "a", true),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} and {name}");
        }
    }

    #[test]
    fn paths_are_patterns_where_a_name_is() {
        for (spelled, expected) in [
            ("a/*.c", true),
            ("a?/b", true),
            ("a/[bc].c", true),
            ("a/b.c", false),
            ("a[b.c", false),
        ] {
            assert_eq!(is_pattern(spelled), expected, "{spelled}");
        }
    }
}
