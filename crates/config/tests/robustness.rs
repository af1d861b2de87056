//! Whatever stands in a file, reading it ends, in a value or in diagnostics that can be shown.

use std::fs;
use std::path::{Path, PathBuf};

use cocrypt_config::{Coprocessor, Core, Device, Study};
use cocrypt_diag::Diagnostic;
use proptest::prelude::*;
use proptest::sample::Index;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples")
}

fn example(name: &str) -> String {
    fs::read_to_string(examples().join(name)).expect("an example")
}

/// Pieces that a slip of the hand, or malice, puts into a file.
const PIECES: &[&str] = &[
    "",
    "\"",
    "=",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    ",",
    "\n",
    "#",
    ".",
    "-",
    "0",
    "1",
    "-1",
    "0x",
    "0xffff_ffff_ffff_ffff",
    "9223372036854775807",
    "1e999",
    "nan",
    "true",
    "ä",
    "\u{0}",
    "[memory]",
    "[[register]]",
    "[parameters.A]",
    "size = 4",
    "..",
    "/",
];

/// A text with some places cut out and replaced.
fn spoilt(text: String) -> impl Strategy<Value = String> {
    let edit = (any::<Index>(), 0..12usize, prop::sample::select(PIECES));
    prop::collection::vec(edit, 1..6).prop_map(move |edits| {
        let mut letters: Vec<char> = text.chars().collect();
        for (at, cut, piece) in edits {
            let at = at.index(letters.len().max(1));
            let end = (at + cut).min(letters.len());
            letters.splice(at.min(end)..end, piece.chars());
        }
        letters.into_iter().collect()
    })
}

fn showable<T>(result: Result<T, Vec<Diagnostic>>) -> Result<(), TestCaseError> {
    let Err(mistakes) = result else { return Ok(()) };
    prop_assert!(!mistakes.is_empty());
    for mistake in mistakes {
        prop_assert!(mistake.help.is_some() && mistake.line_column().is_some());
        prop_assert!(mistake.render(false).contains(&mistake.code));
        prop_assert!(mistake.to_json()["line"].is_u64());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn cores(text in spoilt(example("devices/cores/example.toml"))) {
        showable(Core::parse("core.toml", &text))?;
    }

    #[test]
    fn devices(text in spoilt(example("devices/example.toml"))) {
        showable(Device::parse("device.toml", &text, &Core::default()))?;
    }

    #[test]
    fn coprocessors(text in spoilt(example("coprocessor/registers.toml"))) {
        showable(Coprocessor::parse("registers.toml", &text, &examples().join("coprocessor")))?;
    }

    #[test]
    fn studies(text in spoilt(example("studies/example.toml"))) {
        showable(Study::parse("study.toml", &text, &examples().join("studies")))?;
    }
}
