//! Instruction sets, as toolchain and harnesses know them.

use cocrypt_isa::{
    Builder, CodePointer, Compiler, CompilerKind, Encoding, InstructionSet, Register, Target,
    Toolchain,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::{Value, json};

use crate::convert::to_python;

/// All instruction sets, each as the dictionary of what its value says.
#[pyfunction]
pub fn instruction_sets(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let all = cocrypt_isa_all::ALL.iter().map(|set| describe(set));
    to_python(py, &Value::Array(all.collect()))
}

/// The target of compilation: extensions, the core as compilers name it, the encoding.
type TargetArguments<'a> = (Vec<String>, Option<&'a str>, &'a str);

/// The words that tell a compiler of a target: its kind is `zig`, `clang` or `gcc`, and it may be recent
/// enough to take the words of the probe.
#[pyfunction]
pub fn target_words(
    instructions: &str,
    target: TargetArguments<'_>,
    kind: &str,
    is_recent: bool,
) -> PyResult<Vec<String>> {
    let known = CompilerKind::ALL.into_iter().find(|(name, _)| *name == kind);
    let Some((_, kind)) = known else {
        return Err(PyValueError::new_err(format!("there is no kind of compiler `{kind}`")));
    };
    let toolchain = &named(instructions)?.toolchain;
    Ok((toolchain.target)(&wanted(&target), Compiler { kind, is_recent }))
}

/// A target in a word for people.
#[pyfunction]
pub fn target_title(instructions: &str, target: TargetArguments<'_>) -> PyResult<String> {
    Ok((named(instructions)?.toolchain.title)(&wanted(&target)))
}

fn wanted<'a>((extensions, cpu, encoding): &'a TargetArguments<'a>) -> Target<'a> {
    Target { extensions, cpu: *cpu, encoding }
}

/// The jump between two places, each an address with the bits that say how code is decoded there: how far it
/// reaches in each direction, in bytes, and its code. Both are in a memory of so many bytes.
#[pyfunction]
pub fn jump<'py>(
    py: Python<'py>,
    instructions: &str,
    variant: &str,
    from: (u32, u32),
    to: (u32, u32),
    memory: u64,
) -> PyResult<(u64, Bound<'py, PyBytes>)> {
    let place = |(address, mode)| CodePointer { address, mode };
    let jump = (named(instructions)?.jump)(variant, place(from), place(to), memory);
    Ok((jump.reach, PyBytes::new(py, &jump.code)))
}

fn named(name: &str) -> PyResult<&'static InstructionSet> {
    let known = cocrypt_isa_all::named(name);
    known.ok_or_else(|| PyValueError::new_err(format!("there is no instruction set `{name}`")))
}

fn describe(set: &InstructionSet) -> Value {
    json!({
        "name": set.name,
        "variants": set.variants,
        "timings": set.timings,
        "classes": set.classes.iter().map(|(name, kind)| (*name, kind.name())).collect::<Vec<_>>(),
        "elf": {
            "machine": set.elf.machine,
            "class": set.elf.class,
            "order": set.elf.order.name(),
            "flags": set.elf.flags,
            "prefix": set.elf.prefix,
        },
        "spaces": set.spaces.iter().map(|space| json!({
            "name": space.name,
            "bits": space.bits,
            "origin": space.origin,
        })).collect::<Vec<_>>(),
        "pointer_unit": set.pointers.unit,
        "code_unit": set.code_unit,
        "registers": set.registers.iter().map(register).collect::<Vec<_>>(),
        "convention": convention(set),
        "toolchain": toolchain(&set.toolchain),
    })
}

fn register(register: &Register) -> Value {
    json!({
        "name": register.name,
        "role": register.role.name(),
        "bits": register.bits,
        "gdb": register.gdb,
        "dwarf": register.dwarf,
        "address": register.address,
    })
}

fn convention(set: &InstructionSet) -> Value {
    let (convention, caller) = (&set.convention, &set.caller);
    json!({
        "arguments": convention.arguments,
        "results": convention.results,
        "preserved": convention.preserved,
        "word": convention.word,
        "registers": convention.registers,
        "paired": convention.paired,
        "descends": convention.descends,
        "alignment": convention.alignment,
        "stacked": caller.stacked,
        "frame": caller.frame,
        "kept": caller.kept,
        "around": caller.around,
    })
}

fn toolchain(toolchain: &Toolchain) -> Value {
    let flags =
        CompilerKind::ALL.map(|(name, kind)| (name.to_owned(), json!((toolchain.flags)(kind))));
    json!({
        "runtime": toolchain.runtime,
        "llvm": toolchain.builder == Builder::Llvm,
        "places_memories": toolchain.places_memories,
        "libgcc": toolchain.libgcc,
        "nowhere": toolchain.nowhere,
        "comment": toolchain.comment,
        "steady": toolchain.steady,
        "parenthesised": toolchain.parenthesised,
        "machine": toolchain.machine,
        "gcc": toolchain.gcc,
        "probe": toolchain.probe,
        "encodings": toolchain.encodings.iter().map(encoding).collect::<Vec<_>>(),
        "flags": flags.into_iter().collect::<serde_json::Map<String, Value>>(),
    })
}

fn encoding(encoding: &Encoding) -> Value {
    json!({ "name": encoding.name, "title": encoding.title, "mode": encoding.mode })
}
