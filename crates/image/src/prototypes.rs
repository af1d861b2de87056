//! The declared parameters and results of functions, and the sizes of types.
//!
//! Source: DWARF 5, section 3.3.2 (a subroutine without a type returns nothing) and table 7.17 (languages).

use gimli::{AttributeValue, Reader, UnitRef, constants as dw};

/// An instance of a function leads to what it is an instance of, and that to a declaration at most.
const STEPS: usize = 4;

/// Bytes of what the function that begins at an address returns, 0 for nothing; `None` where the unit does not
/// say so, as of assembly, which has no types.
pub fn result_size<R: Reader>(unit: UnitRef<'_, R>, address: u64) -> Option<u64> {
    let function = function(unit, address)?;
    if has_type(unit, function)? { size(unit, function) } else { Some(0) }
}

/// Bytes of each parameter of the function that begins at an address; nothing where the unit does not say
/// so.
pub fn parameter_sizes<R: Reader>(unit: UnitRef<'_, R>, address: u64) -> Option<Vec<u64>> {
    let mut tree = unit.entries_tree(Some(function(unit, address)?)).ok()?;
    let mut children = tree.root().ok()?.children();
    let mut sizes = vec![];
    while let Some(child) = children.next().ok()? {
        if child.entry().tag() == dw::DW_TAG_formal_parameter {
            sizes.push(size(unit, child.entry().offset())?);
        }
    }
    Some(sizes)
}

/// Bytes of a type that a unit declares: of `struct NAME`, or of a name that `typedef` gave; `None` where the
/// unit has no such type.
pub fn type_size<R: Reader>(unit: UnitRef<'_, R>, name: &str) -> Option<u64> {
    let (tag, name) = match name.strip_prefix("struct ") {
        Some(structure) => (dw::DW_TAG_structure_type, structure.trim()),
        None => (dw::DW_TAG_typedef, name),
    };
    let mut entries = unit.entries();
    while let Some(entry) = entries.next_dfs().ok()? {
        let found = (entry.tag() == tag).then(|| entry.attr_value(dw::DW_AT_name)).flatten();
        let found = found.and_then(|value| unit.attr_string(value).ok());
        if found.is_some_and(|found| found.to_string_lossy().is_ok_and(|found| found == name)) {
            return size(unit, entry.offset());
        }
    }
    None
}

/// The function that begins at an address, of a unit that knows types.
fn function<R: Reader>(unit: UnitRef<'_, R>, address: u64) -> Option<gimli::UnitOffset<R::Offset>> {
    let mut entries = unit.entries();
    while let Ok(Some(entry)) = entries.next_dfs() {
        if entry.tag() == dw::DW_TAG_compile_unit
            && is_assembly(entry.attr_value(dw::DW_AT_language).as_ref())
        {
            return None;
        }
        if entry.tag() != dw::DW_TAG_subprogram {
            continue;
        }
        let begin = entry.attr_value(dw::DW_AT_low_pc);
        let begin = begin.and_then(|at| unit.attr_address(at).ok().flatten());
        if begin == Some(address) {
            return Some(entry.offset());
        }
    }
    None
}

/// Bytes of a parameter, of a function's result, or of a type: of the first on the way from name to name that
/// says them. A pointer that does not has an address's.
fn size<R: Reader>(unit: UnitRef<'_, R>, offset: gimli::UnitOffset<R::Offset>) -> Option<u64> {
    let mut offset = offset;
    for _ in 0..2 * STEPS {
        let entry = unit.entry(offset).ok()?;
        if let Some(size) = entry.attr_value(dw::DW_AT_byte_size) {
            return size.udata_value();
        }
        if entry.tag() == dw::DW_TAG_pointer_type {
            return Some(unit.encoding().address_size.into());
        }
        let target = entry.attr_value(dw::DW_AT_type);
        let origin = entry.attr_value(dw::DW_AT_abstract_origin);
        match target.or(origin).or_else(|| entry.attr_value(dw::DW_AT_specification)) {
            Some(AttributeValue::UnitRef(to)) => offset = to,
            _ => return None,
        }
    }
    None
}

fn is_assembly<R: Reader>(language: Option<&AttributeValue<R>>) -> bool {
    matches!(language, Some(AttributeValue::Language(dw::DW_LANG_Mips_Assembler)))
}

/// True if an entry, or the one that it is an instance of, has a type.
fn has_type<R: Reader>(unit: UnitRef<'_, R>, offset: gimli::UnitOffset<R::Offset>) -> Option<bool> {
    let mut offset = offset;
    for _ in 0..STEPS {
        let entry = unit.entry(offset).ok()?;
        if entry.attr(dw::DW_AT_type).is_some() {
            return Some(true);
        }
        let origin = entry.attr_value(dw::DW_AT_abstract_origin);
        match origin.or_else(|| entry.attr_value(dw::DW_AT_specification)) {
            Some(AttributeValue::UnitRef(to)) => offset = to,
            Some(_) => return None,
            None => return Some(false),
        }
    }
    None
}
