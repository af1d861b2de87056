//! What functions were declared to return.
//!
//! Source: DWARF 5, section 3.3.2 (a subroutine without a type returns nothing) and table 7.17 (languages).

use gimli::{AttributeValue, Reader, UnitRef, constants as dw};

/// An instance of a function leads to what it is an instance of, and that to a declaration at most.
const STEPS: usize = 4;

/// Whether the function that begins at an address returns something; nothing where the unit does not say so, as
/// of assembly, which has no types.
pub fn has_result<R: Reader>(unit: UnitRef<'_, R>, address: u64) -> Option<bool> {
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
            return has_type(unit, entry.offset());
        }
    }
    None
}

fn is_assembly<R: Reader>(language: Option<&AttributeValue<R>>) -> bool {
    matches!(language, Some(AttributeValue::Language(dw::DW_LANG_Mips_Assembler)))
}

/// Whether an entry, or the one that it is an instance of, has a type.
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
