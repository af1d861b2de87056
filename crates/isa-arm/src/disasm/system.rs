//! Status registers, IT blocks and hints.

use super::{Text, register};
use crate::instruction::{Condition, Hint, Register, Special, StatusSource};

pub(super) fn status_read(rd: Register, special: Special) -> Text {
    Text::new("mrs", format!("{}, {}", register(rd), special.name()))
}

pub(super) fn status_write(special: Special, fields: u8, source: StatusSource) -> Text {
    let source = match source {
        StatusSource::Register(rn) => register(rn).to_owned(),
        StatusSource::Immediate(value) => format!("#{}", value as i32),
    };
    Text::new("msr", format!("{}{}, {source}", special.name(), parts(special, fields)))
}

/// The fields that are written, as far as the register has any.
fn parts(special: Special, fields: u8) -> String {
    if !matches!(special, Special::Current | Special::Saved | Special::Apsr) {
        return String::new();
    }
    let named = [(3, 'f'), (2, 's'), (1, 'x'), (0, 'c')];
    let letters = named.into_iter().filter(|(bit, _)| fields >> bit & 1 != 0);
    format!("_{}", letters.map(|(_, letter)| letter).collect::<String>())
}

/// `it` with a letter for each further instruction: the mask's bits equal the condition's lowest one
/// for those that are executed with the first, and its lowest 1 ends them.
pub(super) fn it(first: u8, mask: u8) -> Text {
    let further = (mask.trailing_zeros() as u8 + 1..4).rev();
    let letters = further.map(|bit| if mask >> bit & 1 == first & 1 { 't' } else { 'e' });
    Text::new(
        format!("it{}", letters.collect::<String>()),
        Condition::from_bits(first.into()).map_or("", Condition::name),
    )
}

pub(super) fn hinted(hint: Hint) -> Text {
    match hint {
        Hint::Nop => Text::new("nop", ""),
        Hint::Yield => Text::new("yield", ""),
        Hint::WaitForEvent => Text::new("wfe", ""),
        Hint::WaitForInterrupt => Text::new("wfi", ""),
        Hint::SendEvent => Text::new("sev", ""),
        Hint::Other(number) => Text::new("nop", format!("{{{number}}}")),
    }
}
