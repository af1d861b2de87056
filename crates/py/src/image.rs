//! The contents of program files.

use cocrypt_image::{Debug, Image, SymbolKind, read, section};
use cocrypt_isa_all::ALL;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use serde_json::{Value, json};

use crate::convert::to_python;
use crate::errors::raise;

/// Entry, segments, symbols and hash of a program file; ELF object files are read too.
#[pyfunction]
#[pyo3(signature = (content, name, load_address = None))]
pub fn image_info<'py>(
    py: Python<'py>,
    content: &[u8],
    name: &str,
    load_address: Option<u32>,
) -> PyResult<Bound<'py, PyAny>> {
    let image = read(name, content, load_address, ALL).map_err(|wrong| raise(py, &[wrong]))?;
    let info = to_python(py, &describe(&image))?;
    info.set_item("symbols", symbols(py, &image)?)?;
    Ok(info)
}

/// The symbols of an image, of which large programs have thousands: their dictionaries are made directly.
fn symbols<'py>(py: Python<'py>, image: &Image) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for symbol in image.symbols.all() {
        let values = PyDict::new(py);
        values.set_item(intern!(py, "address"), symbol.address)?;
        values.set_item(intern!(py, "global"), symbol.global)?;
        values.set_item(intern!(py, "kind"), kind(symbol.kind))?;
        values.set_item(intern!(py, "mode"), symbol.mode)?;
        values.set_item(intern!(py, "name"), &symbol.name)?;
        values.set_item(intern!(py, "size"), symbol.size)?;
        list.append(values)?;
    }
    Ok(list)
}

/// The loaded segments of a program file: the address of each, and its bytes.
#[pyfunction]
pub fn image_segments<'py>(
    py: Python<'py>,
    content: &[u8],
    name: &str,
) -> PyResult<Vec<(u32, Bound<'py, PyBytes>)>> {
    let image = read(name, content, None, ALL).map_err(|wrong| raise(py, &[wrong]))?;
    let segments = image.segments.iter();
    Ok(segments.map(|segment| (segment.address, PyBytes::new(py, &segment.bytes))).collect())
}

/// The bytes of a section of an ELF file by its name, also of one that is not loaded; None if there is none.
#[pyfunction]
pub fn image_section<'py>(
    py: Python<'py>,
    content: &[u8],
    name: &str,
) -> Option<Bound<'py, PyBytes>> {
    section(content, name).map(|bytes| PyBytes::new(py, &bytes))
}

/// Of functions by their addresses: bytes of what each returns, 0 for nothing and None where the debug
/// information does not say, and the file and line where it begins.
#[pyfunction]
pub fn function_results(
    content: &[u8],
    addresses: Vec<u32>,
) -> Vec<(Option<u64>, Option<String>, Option<u32>)> {
    let debug = Debug::read(content);
    let look = |address: u32| {
        let debug = debug.as_ref()?;
        let frame = debug.frames(address).into_iter().next().unwrap_or_default();
        Some((debug.result_size(address), frame.file, frame.line))
    };
    addresses.into_iter().map(|address| look(address).unwrap_or_default()).collect()
}

/// Of functions by their addresses: bytes of each of their parameters, None where the debug information does
/// not say.
#[pyfunction]
pub fn function_parameters(content: &[u8], addresses: Vec<u32>) -> Vec<Option<Vec<u64>>> {
    let debug = Debug::read(content);
    let look = |address: u32| debug.as_ref()?.parameter_sizes(address);
    addresses.into_iter().map(look).collect()
}

/// Bytes of a type by its name, as the debug information of functions' files declares it, which are given by
/// their addresses; None where none of them does.
#[pyfunction]
pub fn type_size(content: &[u8], addresses: Vec<u32>, name: &str) -> Option<u64> {
    let debug = Debug::read(content)?;
    addresses.into_iter().find_map(|address| debug.type_size(address, name))
}

fn describe(image: &Image) -> Value {
    let segments = image.segments.iter().map(|segment| {
        json!({
            "address": segment.address,
            "runs_at": segment.runs_at,
            "size": segment.size,
            "file_size": segment.bytes.len(),
            "executable": segment.executable,
            "writable": segment.writable,
        })
    });
    json!({
        "instructions": image.instructions.map(|set| set.name),
        "entry": image.entry,
        "relocatable": image.relocatable,
        "segments": segments.collect::<Vec<_>>(),
        "undefined": image.undefined,
        "hash": image.hash(),
    })
}

const fn kind(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Function => "function",
        SymbolKind::Object => "object",
        SymbolKind::Label => "label",
    }
}
