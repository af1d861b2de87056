//! The JSON schemas say what the reader says: every example shows every key of its schema, and each
//! way to break a key or to use up its room is refused or accepted as the schema has it.

use std::fs;
use std::path::{Path, PathBuf};

use cocrypt_config::{Coprocessor, Core, Device, Leakage, Primitive, Study, TraceSet};
use cocrypt_diag::Diagnostic;
use serde_json::Value as Json;
use toml::Value as Toml;

/// The path of a value: keys and, in lists, positions.
type KeyPath = Vec<String>;

/// A changed value, and what the reader must say about it.
struct Change {
    path: KeyPath,
    /// The new value; nothing where the key is taken out.
    value: Option<Toml>,
    /// Part of a code that must be reported.
    refused_as: Option<&'static str>,
    /// Parts of codes that must not be reported.
    never: &'static [&'static str],
}

/// Codes of keys that have to be there.
const MISSING: &[&str] = &[".missing-", ".no-memory", ".no-workload", ".no-register"];

/// A study whose workloads are in Java.
const JAVA: &str = "studies/java.toml";

/// A primitive that is built over others.
const OVER: &str = "../../primitives/ctr/primitive.toml";

/// A study whose partitions are examined for leakage.
const LEAKING: &str = "../../studies/aes128-leakage.toml";

/// A coprocessor at a link.
const LINKED: &str = "../../studies/duarte2010/pow2_link/registers.toml";

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples")
}

fn schema(kind: &str) -> Json {
    let path = examples().join(format!("../schemas/{kind}.schema.json"));
    serde_json::from_str(&fs::read_to_string(path).expect("a schema")).expect("JSON")
}

/// A schema's part with its reference followed.
fn resolve<'a>(root: &'a Json, part: &'a Json) -> &'a Json {
    match part["$ref"].as_str() {
        Some(reference) => root.pointer(&reference[1..]).expect("what the reference names"),
        None => part,
    }
}

/// All changes of a value and of what it contains.
fn changes(root: &Json, part: &Json, value: &Toml, path: &KeyPath, all: &mut Vec<Change>) {
    let part = resolve(root, part);
    match value {
        Toml::Table(table) => {
            for (key, value) in table {
                let known = part["properties"].get(key);
                let inside = known.unwrap_or(&part["additionalProperties"]);
                changes(root, inside, value, &below(path, key), all);
            }
            keys(part, path, all);
        }
        Toml::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                changes(root, &part["items"], item, &below(path, &index.to_string()), all);
            }
        }
        _ => {}
    }
    if !path.is_empty() {
        change_value(part, value, path, all);
    }
}

/// Checks that among the values to which a schema's part applies, each key is shown once at least.
fn shown(root: &Json, part: &Json, values: &[&Toml], path: &KeyPath) {
    let part = resolve(root, part);
    for (key, inside) in part["properties"].as_object().into_iter().flatten() {
        let those: Vec<_> = values.iter().filter_map(|value| value.get(key)).collect();
        assert!(!those.is_empty(), "no example of {path:?} {key}");
        shown(root, inside, &those, &below(path, key));
    }
    if part["additionalProperties"].is_object() {
        let those: Vec<_> = values
            .iter()
            .filter_map(|value| value.as_table())
            .flat_map(toml::Table::values)
            .collect();
        shown(root, &part["additionalProperties"], &those, &below(path, "*"));
    }
    if part["items"].is_object() {
        let those: Vec<_> = values.iter().filter_map(|value| value.as_array()).flatten().collect();
        shown(root, &part["items"], &those, &below(path, "*"));
    }
}

fn below(path: &KeyPath, step: &str) -> KeyPath {
    [path.as_slice(), &[step.to_owned()]].concat()
}

/// Takes each key out, and adds one that is not known.
fn keys(part: &Json, path: &KeyPath, all: &mut Vec<Change>) {
    let Some(properties) = part["properties"].as_object() else { return };
    let required = part["required"].as_array().cloned().unwrap_or_default();
    for key in properties.keys() {
        let needed = required.iter().any(|name| name == key);
        let (refused_as, never) = if needed { (Some("."), &[][..]) } else { (None, MISSING) };
        all.push(Change { path: below(path, key), value: None, refused_as, never });
    }
    let value = Some(Toml::Boolean(true));
    let path = below(path, "nonesuch");
    all.push(Change { path, value, refused_as: Some(".unknown-key"), never: &[] });
}

/// Gives a value another type, and takes it to the borders of what it may be and beyond.
fn change_value(part: &Json, value: &Toml, path: &KeyPath, all: &mut Vec<Change>) {
    let mut refuse = |value, code| {
        let path = path.clone();
        all.push(Change { path, value: Some(value), refused_as: Some(code), never: &[] });
    };
    let date = "1979-05-27".parse().expect("a date");
    refuse(Toml::Datetime(date), ".wrong-type");
    if part["minLength"].is_u64() || part["pattern"].is_string() {
        refuse(Toml::String(String::new()), ".empty");
    }
    if part["pattern"].is_string() {
        refuse(Toml::String("a b".to_owned()), ".no-");
    }
    if part["enum"].is_array() {
        refuse(Toml::String("nonesuch".to_owned()), ".unknown-");
    }
    if part["minItems"].is_u64() {
        let code =
            if value.as_array().is_some_and(|list| list[0].is_table()) { ".no-" } else { ".bits" };
        refuse(Toml::Array(vec![]), code);
    }
    if part["exclusiveMinimum"] == 0 {
        refuse(Toml::Float(0.0), ".out-of-range");
        refuse(Toml::Integer(-1), ".out-of-range");
    }
    let (Some(least), Some(most)) = (part["minimum"].as_i64(), part["maximum"].as_i64()) else {
        return;
    };
    refuse(Toml::Integer(least - 1), ".out-of-range");
    refuse(Toml::Integer(most + 1), ".out-of-range");
    if part["multipleOf"].is_u64() {
        refuse(Toml::Integer(least + 2), ".unaligned");
    }
    for border in [least, most] {
        let never = &["is out of range"][..];
        let value = Some(Toml::Integer(border));
        all.push(Change { path: path.clone(), value, refused_as: None, never });
    }
}

/// The document with one change made.
fn apply(document: &Toml, change: &Change) -> Toml {
    let mut changed = document.clone();
    let (last, path) = change.path.split_last().expect("a path");
    let mut at = &mut changed;
    for step in path {
        at = match at {
            Toml::Array(items) => &mut items[step.parse::<usize>().expect("a position")],
            table => table.get_mut(step).expect("a key"),
        };
    }
    match (at, &change.value) {
        (Toml::Array(items), Some(value)) => {
            items[last.parse::<usize>().expect("a position")] = value.clone();
        }
        (Toml::Table(table), Some(value)) => {
            table.insert(last.clone(), value.clone());
        }
        (Toml::Table(table), None) => {
            table.remove(last);
        }
        _ => panic!("{:?} is no path", change.path),
    }
    changed
}

/// Makes every change to the first example, beside which others show further keys, and compares what the reader says with what the schema says.
fn check<T>(
    kind: &str,
    examples_of_it: &[&str],
    parse: impl Fn(&str) -> Result<T, Vec<Diagnostic>>,
) -> usize {
    let read = |name: &&str| fs::read_to_string(examples().join(name)).expect("an example");
    let texts: Vec<_> = examples_of_it.iter().map(read).collect();
    let documents: Vec<Toml> =
        texts.iter().map(|text| toml::from_str(text).expect("TOML")).collect();
    let document = &documents[0];
    assert!(parse(&texts[0]).is_ok(), "the example is good");
    let (root, mut all) = (schema(kind), vec![]);
    shown(&root, &root, &documents.iter().collect::<Vec<_>>(), &vec![]);
    changes(&root, &root, document, &vec![], &mut all);
    for change in &all {
        let changed = toml::to_string(&apply(document, change)).expect("TOML");
        let mistakes = parse(&changed).err().unwrap_or_default();
        let messages: Vec<_> = mistakes
            .iter()
            .map(|mistake| format!("{}: {}", mistake.code, mistake.message))
            .collect();
        let has = |part: &str| messages.iter().any(|message| message.contains(part));
        let at = format!("{kind}: {:?} as {:?}: {messages:#?}", change.path, change.value);
        assert!(change.refused_as.is_none_or(has), "not {:?}: {at}", change.refused_as);
        assert!(!change.never.iter().any(|part| has(part)), "wrongly refused: {at}");
    }
    all.len()
}

#[test]
fn the_reader_agrees_with_the_schemas() {
    let folder = |name: &str| examples().join(name);
    let core = Core::load(&folder("devices/cores/example.toml")).expect("a good core");
    let parse_coprocessor = |text: &str| Coprocessor::parse("c", text, &folder("coprocessor"));
    let parse_study = |text: &str| Study::parse("s", text, &folder("studies"));
    let core_changes =
        check("core", &["devices/cores/example.toml"], |text| Core::parse("c", text));
    let parse_device = |text: &str| Device::parse_in("d", text, &folder("devices"), &core);
    let device_changes =
        check("device", &["devices/example.toml", "devices/unified.toml"], parse_device);
    let coprocessor_changes =
        check("coprocessor", &["coprocessor/registers.toml", LINKED], parse_coprocessor);
    let study_changes = check("study", &["studies/example.toml", JAVA, LEAKING], parse_study);
    check("study", &[JAVA, "studies/example.toml", LEAKING], parse_study);
    let parse_primitive = |text: &str| Primitive::parse("p", text, &folder("primitives/xtea"));
    let primitive_changes =
        check("primitive", &["primitives/xtea/primitive.toml", OVER], parse_primitive);
    for count in [core_changes, device_changes, coprocessor_changes, study_changes] {
        assert!(count > 80, "{count} changes");
    }
    assert!(primitive_changes > 60, "{primitive_changes} changes");
    let leakage_changes =
        check("leakage", &["leakage/example.toml"], |text| Leakage::parse("l", text));
    assert!(leakage_changes > 60, "{leakage_changes} changes");
    let set_changes = check("set", &["traces/set.toml"], |text| TraceSet::parse("t", text));
    assert!(set_changes > 20, "{set_changes} changes");
}
