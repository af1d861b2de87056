//! The one list of instruction sets: nobody else names one.

use cocrypt_config as config;
use cocrypt_isa::{CoreError, InstructionSet, quoted};
use cocrypt_isa_8051::MCS_51;
use cocrypt_isa_arm::ARM;
use cocrypt_isa_avr::AVR;
use cocrypt_isa_microblaze::{MICROBLAZE, MICROBLAZE_LITTLE};
use cocrypt_isa_riscv::RISC_V;
use cocrypt_isa_rl78::RL78;
use cocrypt_isa_sh::{SUPERH, SUPERH_LITTLE};

/// All of them.
pub static ALL: &[&InstructionSet] = &[
    &RISC_V,
    &ARM,
    &AVR,
    &MICROBLAZE,
    &MICROBLAZE_LITTLE,
    &MCS_51,
    &RL78,
    &SUPERH,
    &SUPERH_LITTLE,
];

/// The instruction set of a core.
///
/// # Errors
/// If no instruction set has the variant that its file names, or none of its encodings is the one that
/// programs are compiled to.
pub fn of(core: &config::Core) -> Result<&'static InstructionSet, CoreError> {
    let has = |set: &&&InstructionSet| set.variants.contains(&core.isa.as_str());
    let found = *ALL.iter().find(has).ok_or_else(|| unknown(&core.isa))?;
    found.encoding(core)?;
    Ok(found)
}

fn unknown(isa: &str) -> CoreError {
    let variants: Vec<&str> = ALL.iter().flat_map(|set| set.variants).copied().collect();
    CoreError::UnknownIsa { isa: isa.to_owned(), known: quoted(&variants) }
}

/// The instruction set of a name.
#[must_use]
pub fn named(name: &str) -> Option<&'static InstructionSet> {
    ALL.iter().find(|set| set.name == name).copied()
}
