//! Primitives: cryptographic algorithms, their sizes and the ways in which they are coded.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use cocrypt_diag::Diagnostic;
use serde::Serialize;

use crate::kinds::{FURTHER, KINDS, Kind, WIDE};
use crate::names::{Names, file_name, identifier};
use crate::reader::{Reader, Spot, absolute};
use crate::section::Section;

/// The most bytes that a key, a signature or the like may have.
const MOST: i64 = 1 << 16;

/// A primitive file's contents.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Primitive {
    /// The file.
    pub path: PathBuf,
    /// Its name for people.
    pub title: String,
    /// Its kind, which says what functions it has.
    pub kind: String,
    /// The standard or paper that it follows.
    pub source: Option<String>,
    /// The header that declares its functions.
    pub header: Option<String>,
    /// The type of what its functions keep between calls.
    pub context: Option<String>,
    /// The kind that it is built over, as a mode is over block ciphers; each of these makes one of it.
    pub over: Option<String>,
    /// Its functions.
    pub operations: Vec<PrimitiveOperation>,
    /// One for each size.
    pub members: Vec<Member>,
    /// The ways in which it is coded.
    pub implementations: Vec<Implementation>,
}

/// A function of a primitive.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PrimitiveOperation {
    /// Its name.
    pub name: String,
    /// The C function; none where its name follows from the member's.
    pub function: Option<String>,
    /// The roles of its arguments, in their order.
    pub arguments: Vec<String>,
    /// True if every implementation has it, unless it says otherwise.
    pub usual: bool,
}

/// A primitive in one of its sizes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Member {
    /// Its name, with which its functions' names begin.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// Sizes in bytes, by what they are sizes of.
    pub sizes: BTreeMap<String, i64>,
    /// Options of the compiler that choose it.
    pub flags: Vec<String>,
    /// Its vectors, where there are any.
    pub vectors: Option<PathBuf>,
}

/// One way to code a primitive.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Implementation {
    /// Its name.
    pub name: String,
    /// A line about it.
    pub about: String,
    /// Its source files.
    pub sources: Vec<PathBuf>,
    /// Folders of headers.
    pub include: Vec<PathBuf>,
    /// The functions that it has.
    pub provides: Vec<String>,
    /// The members that it codes.
    pub members: Vec<String>,
    /// Options of the compiler.
    pub flags: Vec<String>,
    /// Extensions of the instruction set that it needs.
    pub extensions: Vec<String>,
    /// True if its time does not depend on secrets.
    pub constant_time: bool,
}

impl Primitive {
    /// Reads a primitive's file.
    ///
    /// # Errors
    /// Everything that is wrong in it.
    pub fn load(path: &Path) -> Result<Self, Vec<Diagnostic>> {
        let found = Reader::file("primitive", path, read)?;
        Ok(Self { path: absolute(path), ..found })
    }

    /// Reads a primitive from a text whose relative paths start at `folder`.
    ///
    /// # Errors
    /// Everything that is wrong in it.
    pub fn parse(name: &str, text: &str, folder: &Path) -> Result<Self, Vec<Diagnostic>> {
        Reader::text("primitive", name, text, folder, read)
    }
}

fn read(reader: &Reader, top: &mut Section<'_>) -> Primitive {
    let Some(section) = top.required_section("primitive") else { return Primitive::default() };
    let kind_name = section.required_text("kind");
    let kind = KINDS.iter().find(|kind| kind.name == kind_name.value);
    if kind.is_none() && !kind_name.value.is_empty() {
        reader.unknown(&kind_name, "kind of primitive", KINDS.iter().map(|kind| kind.name));
    }
    let over = section.text("over").map(|spelled| {
        if !KINDS.iter().any(|kind| kind.name == spelled.value) {
            reader.unknown(&spelled, "kind of primitive", KINDS.iter().map(|kind| kind.name));
        }
        spelled.value
    });
    let context = section.text("context").map(|spelled| {
        identifier(reader, &spelled, "type");
        spelled.value
    });
    let title = section.required_text("title").value;
    let operations = operations(reader, top, kind);
    let members = members(reader, top, kind, (&title, over.is_some()));
    let primitive = Primitive {
        path: PathBuf::new(),
        kind: kind_name.value,
        source: section.text("source").map(|spelled| spelled.value),
        header: section.text("header").map(|spelled| spelled.value),
        context,
        implementations: implementations(reader, top, &operations, &members),
        title,
        operations,
        members,
        over,
    };
    section.finish();
    primitive
}

/// The kind's operations, with what the file says of their functions.
fn operations(reader: &Reader, top: &Section<'_>, kind: Option<&Kind>) -> Vec<PrimitiveOperation> {
    let known = kind.map_or(&[][..], |kind| kind.operations);
    let mut operations: Vec<_> = known
        .iter()
        .map(|operation| PrimitiveOperation {
            name: operation.name.to_owned(),
            function: None,
            arguments: operation.arguments.iter().map(|&role| role.to_owned()).collect(),
            usual: operation.usual,
        })
        .collect();
    for (name, section) in top.section("functions").iter().flat_map(Section::named_sections) {
        let Some(index) = known.iter().position(|operation| operation.name == name.value) else {
            if kind.is_some() {
                reader.unknown(&name, "operation", known.iter().map(|operation| operation.name));
            }
            continue;
        };
        if let Some(function) = section.text("name") {
            identifier(reader, &function, "function");
            operations[index].function = Some(function.value);
        }
        let given = section.texts("arguments");
        for role in &given {
            require_role(reader, role, known[index].arguments);
        }
        if !given.is_empty() {
            operations[index].arguments = given.into_iter().map(|role| role.value).collect();
        }
        section.finish();
    }
    operations
}

/// Sees to it that an argument's role is one that the operation knows.
fn require_role(reader: &Reader, role: &Spot<String>, known: &[&str]) {
    let plain = role.value.strip_suffix(WIDE).filter(|plain| plain.ends_with("_size"));
    let further = |known: &str| role.value.strip_suffix("_size").is_some_and(|of| of == known);
    let is_known =
        known.iter().any(|&known| known == plain.unwrap_or(&role.value) || further(known));
    if !is_known && !FURTHER.contains(&role.value.as_str()) {
        reader.unknown(role, "role of an argument", known.iter().chain(FURTHER).copied());
    }
}

fn members(
    reader: &Reader,
    top: &Section<'_>,
    kind: Option<&Kind>,
    (title, is_over): (&str, bool),
) -> Vec<Member> {
    let mut names = Names::default();
    let sections = top.required_section("members");
    let sections = sections.iter().flat_map(Section::named_sections);
    let members = sections.map(|(name, section)| {
        identifier(reader, &name, "member");
        names.add(reader, "member", &name);
        let mut sizes = BTreeMap::new();
        // What is built over others has most of its sizes from them.
        let needed = kind.filter(|_| !is_over).map_or(&[][..], |kind| kind.sizes);
        for &size in needed {
            sizes.insert(size.to_owned(), section.number(size, 1..=MOST));
        }
        let further = kind.map_or(&[][..], |kind| kind.optional).iter();
        let lent = kind.filter(|_| is_over).map_or(&[][..], |kind| kind.sizes);
        for &size in further.chain(lent) {
            if let Some(found) = section.integer(size, 1..=MOST) {
                sizes.insert(size.to_owned(), found.value);
            }
        }
        let vectors = section.text("vectors").map(|path| reader.existing_file(&path, "vectors"));
        let usual = reader.folder().join("vectors").join(format!("{}.toml", name.value));
        let member = Member {
            title: section.text("title").map_or_else(|| title.to_owned(), |spelled| spelled.value),
            sizes,
            flags: plain(section.texts("flags")),
            vectors: vectors.or(usual.is_file().then_some(usual)),
            name: name.value,
        };
        if kind.is_some() {
            section.finish();
        }
        member
    });
    members.collect()
}

fn implementations(
    reader: &Reader,
    top: &Section<'_>,
    operations: &[PrimitiveOperation],
    members: &[Member],
) -> Vec<Implementation> {
    let sections = top.required_section("implementations");
    let sections = sections.iter().flat_map(Section::named_sections);
    let usual = || {
        operations
            .iter()
            .filter(|operation| operation.usual)
            .map(|operation| operation.name.clone())
            .collect()
    };
    let implementations = sections.map(|(name, section)| {
        file_name(reader, &name, "implementation");
        let operation_names: Vec<_> =
            operations.iter().map(|operation| operation.name.as_str()).collect();
        let member_names: Vec<_> = members.iter().map(|member| member.name.as_str()).collect();
        let provides = chosen(reader, &section, "provides", "operation", &operation_names);
        let codes = chosen(reader, &section, "members", "member", &member_names);
        let include = section.texts("include");
        let found = Implementation {
            about: section.text("about").map(|spelled| spelled.value).unwrap_or_default(),
            sources: sources(reader, &section),
            include: include.iter().map(|path| reader.existing_folder(path, "folder")).collect(),
            provides: provides.unwrap_or_else(usual),
            members: codes
                .unwrap_or_else(|| member_names.iter().map(|&member| member.to_owned()).collect()),
            flags: plain(section.texts("flags")),
            extensions: plain(section.texts("extensions")),
            constant_time: section.switch("constant_time"),
            name: name.value,
        };
        section.finish();
        found
    });
    implementations.collect()
}

/// A list of names, each of which must be known; nothing where the key is absent.
fn chosen(
    reader: &Reader,
    section: &Section<'_>,
    key: &'static str,
    what: &str,
    known: &[&str],
) -> Option<Vec<String>> {
    let names = section.texts(key);
    for name in &names {
        if !known.is_empty() && !known.contains(&name.value.as_str()) {
            reader.unknown(name, what, known.iter().copied());
        }
    }
    (!names.is_empty()).then(|| plain(names))
}

/// Source files; in a name, `*` stands for anything.
fn sources(reader: &Reader, section: &Section<'_>) -> Vec<PathBuf> {
    let mut found = vec![];
    for spelled in section.required_texts("sources") {
        let Some((before, after)) = spelled.value.split_once('*') else {
            found.push(reader.existing_file(&spelled, "source"));
            continue;
        };
        let (folder, start) = before.rsplit_once('/').unwrap_or((".", before));
        let mut files = matching(&reader.folder().join(folder), start, after);
        if files.is_empty() {
            let message = format!("no source is called `{}`", spelled.value);
            let help = format!("paths start at {}", reader.folder().display());
            reader.report(spelled.span, "no-such-file", message, "none found", help);
        }
        found.append(&mut files);
    }
    found
}

/// The files of a folder whose names start and end so, in order.
fn matching(folder: &Path, start: &str, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let fits = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        path.is_file() && name.is_some_and(|name| name.starts_with(start) && name.ends_with(end))
    };
    let found = entries.map(|entry| entry.path()).filter(fits);
    let mut files: Vec<_> = found.map(|path| absolute(&path)).collect();
    files.sort();
    files
}

fn plain(texts: Vec<Spot<String>>) -> Vec<String> {
    texts.into_iter().map(|text| text.value).collect()
}
