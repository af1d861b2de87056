//! One file being read: its text, its folder, and the mistakes found so far.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, io};

use cocrypt_diag::{Diagnostic, Source, suggest};
use toml::de::DeTable;

use crate::core::SourceRange;
use crate::section::Section;

/// Bytes of the largest file that is read.
const MOST: u64 = 16 << 20;

/// A value with the place where it stands.
#[derive(Clone, Debug)]
pub struct Spot<T> {
    /// The value.
    pub value: T,
    /// Byte offsets.
    pub span: Range<usize>,
}

/// A file being read.
pub struct Reader {
    room: &'static str,
    source: Source,
    folder: PathBuf,
    /// The folder with the devices and coprocessors that come with the workbench, where it is known.
    home: Option<PathBuf>,
    mistakes: RefCell<Vec<Diagnostic>>,
    /// Mistakes in other files that this one led to.
    adopted: RefCell<Vec<Diagnostic>>,
}

impl Reader {
    /// Reads `path` as a file of kind `room` and lets `read` take its values out.
    ///
    /// # Errors
    /// Everything that is wrong: the file is not there, is no TOML, or `read` complained.
    pub fn file<T>(
        room: &'static str,
        path: &Path,
        read: impl FnOnce(&Self, &mut Section<'_>) -> T,
    ) -> Result<T, Vec<Diagnostic>> {
        Self::file_at(room, path, None, read)
    }

    /// The same for a file that may name what comes with the workbench, whose folder is `home`.
    ///
    /// # Errors
    /// As [`Reader::file`].
    pub fn file_at<T>(
        room: &'static str,
        path: &Path,
        home: Option<&Path>,
        read: impl FnOnce(&Self, &mut Section<'_>) -> T,
    ) -> Result<T, Vec<Diagnostic>> {
        let text = text_of(path).map_err(|error| vec![unreadable(room, path, &error)])?;
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Self::text_at(room, &path.display().to_string(), &text, (&folder, home), read)
    }

    /// The same for a text that is already there; relative paths in it start at `folder`.
    ///
    /// # Errors
    /// As [`Reader::file`].
    pub fn text<T>(
        room: &'static str,
        name: &str,
        text: &str,
        folder: &Path,
        read: impl FnOnce(&Self, &mut Section<'_>) -> T,
    ) -> Result<T, Vec<Diagnostic>> {
        Self::text_at(room, name, text, (folder, None), read)
    }

    fn text_at<T>(
        room: &'static str,
        name: &str,
        text: &str,
        (folder, home): (&Path, Option<&Path>),
        read: impl FnOnce(&Self, &mut Section<'_>) -> T,
    ) -> Result<T, Vec<Diagnostic>> {
        let reader = Self {
            room,
            source: Source::new(name, text),
            folder: absolute(folder),
            home: home.map(absolute),
            mistakes: RefCell::default(),
            adopted: RefCell::default(),
        };
        let (document, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            let (span, message) = (error.span().unwrap_or_default(), error.message());
            reader.report(span, "syntax", message, "here", "write it as TOML 1.0 wants it");
        }
        if !errors.is_empty() {
            return Err(reader.all_mistakes());
        }
        let mut top = Section::new(&reader, document.get_ref(), String::new(), 0..0);
        let value = read(&reader, &mut top);
        top.finish();
        let mistakes = reader.all_mistakes();
        if mistakes.is_empty() { Ok(value) } else { Err(mistakes) }
    }

    /// This file's mistakes in the order of their places, then those of other files.
    fn all_mistakes(self) -> Vec<Diagnostic> {
        let mut mistakes = self.mistakes.into_inner();
        mistakes.sort_by_key(|mistake| mistake.labels.first().map(|label| label.span.start));
        mistakes.extend(self.adopted.into_inner());
        mistakes
    }

    /// Notes a mistake.
    pub fn report(
        &self,
        span: Range<usize>,
        what: &str,
        message: impl Into<String>,
        label: &str,
        help: impl Into<String>,
    ) {
        let mistake = self.mistake(what, message, help).with_label(span, label);
        self.mistakes.borrow_mut().push(mistake);
    }

    /// Notes that something does not go together with what stands at `other`.
    pub fn conflict(
        &self,
        span: Range<usize>,
        other: Range<usize>,
        what: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let mistake = self.mistake(what, message, help);
        let mistake = mistake.with_label(span, "this one").with_label(other, "and this one");
        self.mistakes.borrow_mut().push(mistake);
    }

    fn mistake(
        &self,
        what: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Diagnostic {
        let code = format!("{}.{what}", self.room);
        Diagnostic::error(code, message).with_source(&self.source).with_help(help)
    }

    /// Notes that a word is none of those that are known here.
    pub fn unknown<'a>(
        &self,
        wrong: &Spot<String>,
        what: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) {
        let known: Vec<_> = known.into_iter().collect();
        let message = format!("there is no {what} `{}`", wrong.value);
        let code = format!("unknown-{}", what.replace(' ', "-"));
        let help = offer(&wrong.value, what, &known);
        self.report(wrong.span.clone(), &code, message, "not known", help);
    }

    /// The position of a value in its source, for later checks.
    pub fn place<T>(&self, spot: &Spot<T>) -> SourceRange {
        SourceRange { source: self.source.clone(), span: spot.span.clone() }
    }

    /// The mistakes of another file that this one led to. A file that two places lead to is read
    /// twice, but what is wrong with it is said once.
    pub fn adopt(&self, mistakes: Vec<Diagnostic>) {
        let mut adopted = self.adopted.borrow_mut();
        for mistake in mistakes {
            if !adopted.contains(&mistake) {
                adopted.push(mistake);
            }
        }
    }

    /// A file named in this one: its absolute path. It must be there.
    pub fn existing_file(&self, spelled: &Spot<String>, what: &str) -> PathBuf {
        let path = self.existing(spelled, what);
        if path.is_dir() && !spelled.value.is_empty() {
            let message = format!("the {what} `{}` is a folder", spelled.value);
            self.report(spelled.span.clone(), "no-file", message, "a folder", "name a file in it");
        }
        path
    }

    /// The same for a file or a folder.
    pub fn existing_path(&self, spelled: &Spot<String>, what: &str) -> PathBuf {
        self.existing(spelled, what)
    }

    /// The same for a folder.
    pub fn existing_folder(&self, spelled: &Spot<String>, what: &str) -> PathBuf {
        let path = self.existing(spelled, what);
        if path.is_file() {
            let message = format!("the {what} `{}` is a file", spelled.value);
            let help = "name the folder that holds it";
            self.report(spelled.span.clone(), "no-folder", message, "a file", help);
        }
        path
    }

    fn existing(&self, spelled: &Spot<String>, what: &str) -> PathBuf {
        let path = self.folder.join(&spelled.value);
        if let Ok(path) = fs::canonicalize(&path) {
            return path;
        }
        let message = format!("the {what} `{}` does not exist", spelled.value);
        let help = absent(&path, &self.folder);
        self.report(spelled.span.clone(), "no-such-file", message, "not found", help);
        path
    }

    /// The file `NAME.toml` in the first of these folders that has it. It must be there.
    pub fn named(
        &self,
        name: &Spot<String>,
        what: &str,
        folders: impl IntoIterator<Item = PathBuf>,
    ) -> Option<PathBuf> {
        let folders: Vec<PathBuf> = folders.into_iter().collect();
        let mut paths = folders.iter().map(|folder| folder.join(format!("{}.toml", name.value)));
        if let Some(path) = paths.find(|path| path.exists()) {
            return Some(path);
        }
        if !name.value.is_empty() {
            let known: BTreeSet<String> = folders.iter().flat_map(|folder| stems(folder)).collect();
            self.unknown(name, what, known.iter().map(String::as_str));
        }
        None
    }

    /// The workbench's folder, where it is known.
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// A folder of things that come with the workbench, such as `devices`, where it is known.
    pub fn at_home(&self, folder: &str) -> Option<PathBuf> {
        self.home.as_ref().map(|home| home.join(folder)).filter(|path| path.is_dir())
    }

    /// The folder that the file stands in, absolute.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// The names of the TOML files in a folder.
fn stems(folder: &Path) -> Vec<String> {
    let Ok(entries) = folder.read_dir() else { return vec![] };
    let toml = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "toml");
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).filter(toml);
    paths.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect()
}

/// A hint for an unknown word: the nearest known one, or all of them.
pub fn offer(wrong: &str, what: &str, known: &[&str]) -> String {
    match suggest(wrong, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => format!("there is no {what} to choose from here"),
        None => format!("known: {}", known.join(", ")),
    }
}

/// A path from the file system's root on, symbolic links followed where it exists.
pub fn absolute(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).or_else(|_| std::env::current_dir());
    let whole = whole.unwrap_or_else(|_| path.to_owned());
    fs::canonicalize(&whole).unwrap_or(whole)
}

/// A file's text. What is no plain file may have no end, or wait for a writer for ever.
fn text_of(path: &Path) -> io::Result<String> {
    let found = fs::metadata(path)?;
    let refused = if found.is_dir() {
        Some("it is a folder".to_owned())
    } else if !found.is_file() {
        Some("it is no plain file".to_owned())
    } else if found.len() > MOST {
        Some(format!("it has more than {} MiB", MOST >> 20))
    } else {
        None
    };
    match refused {
        Some(why) => Err(io::Error::other(why)),
        None => fs::read_to_string(path),
    }
}

fn unreadable(room: &str, path: &Path, error: &io::Error) -> Diagnostic {
    let why = match error.kind() {
        io::ErrorKind::InvalidData if is_elf(path) => "it is an ELF file, not TOML".to_owned(),
        io::ErrorKind::InvalidData => "it is not text in UTF-8, as TOML is".to_owned(),
        _ => error.to_string(),
    };
    let message = format!("{} cannot be read: {why}", path.display());
    // A file that is there is its own nearest name.
    let near = (error.kind() == io::ErrorKind::NotFound).then(|| nearest(path)).flatten();
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let help = format!("give the path of a {room} file{near}");
    Diagnostic::error(format!("{room}.unreadable"), message).with_help(help)
}

fn is_elf(path: &Path) -> bool {
    let mut start = [0; 4];
    fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == *b"\x7fELF"
}

fn absent(path: &Path, folder: &Path) -> String {
    let near = nearest(path).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
    format!("{near}paths start at {}", folder.display())
}

/// The name most like a path's last part, among those that stand where it leads.
fn nearest(path: &Path) -> Option<String> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let entries = fs::read_dir(parent.unwrap_or(Path::new("."))).ok()?;
    let mut names: Vec<_> =
        entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    suggest(path.file_name()?.to_str()?, names.iter().map(String::as_str)).map(str::to_owned)
}
