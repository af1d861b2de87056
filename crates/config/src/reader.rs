//! One file being read: its text, its folder, and the mistakes found so far.

use std::cell::RefCell;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use cocrypt_diag::{Diagnostic, Source, suggest};
use toml::de::DeTable;

use crate::section::Section;

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
    mistakes: RefCell<Vec<Diagnostic>>,
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
        let text = fs::read_to_string(path).map_err(|error| {
            let message = format!("{} cannot be read: {error}", path.display());
            let help = format!("give the path of a {room} file");
            vec![Diagnostic::error(format!("{room}.unreadable"), message).with_help(help)]
        })?;
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Self::text(room, &path.display().to_string(), &text, &folder, read)
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
        let reader = Self {
            room,
            source: Source::new(name, text),
            folder: folder.to_owned(),
            mistakes: RefCell::default(),
        };
        let (document, errors) = DeTable::parse_recoverable(text);
        if let Some(error) = errors.first() {
            let span = error.span().unwrap_or_default();
            reader.report(span, "syntax", error.message(), "here", "write it as TOML 1.0 wants it");
            return Err(reader.mistakes.into_inner());
        }
        let mut top = Section::new(&reader, document.get_ref(), String::new(), 0..0);
        let value = read(&reader, &mut top);
        top.finish();
        let mut mistakes = reader.mistakes.into_inner();
        mistakes.sort_by_key(|mistake| mistake.labels.first().map(|label| label.span.start));
        if mistakes.is_empty() { Ok(value) } else { Err(mistakes) }
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
        let code = format!("{}.{what}", self.room);
        let mistake = Diagnostic::error(code, message)
            .with_source(&self.source)
            .with_label(span, label)
            .with_help(help);
        self.mistakes.borrow_mut().push(mistake);
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

    /// The mistakes of another file that this one led to.
    pub fn adopt(&self, mistakes: Vec<Diagnostic>) {
        self.mistakes.borrow_mut().extend(mistakes);
    }

    /// A path in the file, made absolute.
    pub fn path(&self, spelled: &str) -> PathBuf {
        let joined = self.folder.join(spelled);
        fs::canonicalize(&joined).unwrap_or(joined)
    }

    /// The same, and the file (or folder) must be there.
    pub fn existing(&self, spelled: &Spot<String>, what: &str) -> PathBuf {
        let path = self.path(&spelled.value);
        if !path.exists() {
            let message = format!("the {what} `{}` does not exist", spelled.value);
            let help = format!("paths start at {}", self.folder.display());
            self.report(spelled.span.clone(), "no-such-file", message, "not found", help);
        }
        path
    }

    /// The folder that the file stands in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// What to write instead of a word that is not known.
pub fn offer(wrong: &str, what: &str, known: &[&str]) -> String {
    match suggest(wrong, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => format!("there is no {what} to choose from here"),
        None => format!("known: {}", known.join(", ")),
    }
}
