//! Java in studies: the classes of its workloads, and the memory that the virtual machine gets.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use serde::Serialize;

use crate::bytes::size;
use crate::reader::{Reader, Spot};
use crate::section::Section;

/// Bytes that objects may take, and those of the frames of methods.
const HEAPS: RangeInclusive<u64> = 64..=1 << 28;
const STACKS: RangeInclusive<u64> = 256..=1 << 28;

/// The settings that a study's workloads in Java have in common.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Java {
    /// Class files, folders of them, and jars.
    pub classes: Vec<PathBuf>,
    /// Bytes for objects.
    pub heap: u64,
    /// Bytes for the frames of methods.
    pub stack: u64,
    /// True if objects that nothing refers to are freed.
    pub collector: bool,
    /// True if methods may use floating point.
    pub floating_point: bool,
}

pub(crate) fn java(reader: &Reader, section: &Section<'_>) -> Java {
    let classes = section.required_texts("classes");
    let classes = classes.iter().map(|path| reader.existing_path(path, "Java classes")).collect();
    let bytes = |key: &'static str, usual: u64, range: &RangeInclusive<u64>| {
        section.text(key).and_then(|text| size(reader, key, &text, range)).unwrap_or(usual)
    };
    let java = Java {
        classes,
        heap: bytes("heap", 32 << 10, &HEAPS),
        stack: bytes("stack", 4 << 10, &STACKS),
        collector: !section.switch("no_collector"),
        floating_point: section.switch("floating_point"),
    };
    section.finish();
    java
}

/// Checks a class or a method, as `aes.Cipher`, `aes.Cipher.encrypt` or `aes.Cipher.encrypt([B)V`.
pub(crate) fn java_name(reader: &Reader, name: &Spot<String>, what: &str) {
    let (path, descriptor) = name.value.split_once('(').unwrap_or((&name.value, ""));
    let is_name = |part: &str| {
        let fits = |letter: char| letter.is_alphanumeric() || "_$<>".contains(letter);
        !part.is_empty() && !part.starts_with(char::is_numeric) && part.chars().all(fits)
    };
    let is_type = |letter: char| letter.is_alphanumeric() || "[;/)_$".contains(letter);
    if !path.split('.').all(is_name) || !descriptor.chars().all(is_type) {
        let message = format!("`{}` cannot be the name of a {what} in Java", name.value);
        let help = "write it as in Java, with its packages: aes.Cipher.encrypt";
        reader.report(name.span.clone(), "no-java-name", message, "no name", help);
    }
}
