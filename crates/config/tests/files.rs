//! Good files give their values; bad files give the diagnostic that stands in their first line.

use std::fs;
use std::path::{Path, PathBuf};

use cocrypt_config::{Coprocessor, Core, Device, Role, Study};
use cocrypt_diag::Diagnostic;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn cases(kind: &str) -> PathBuf {
    root().join("tests/cases/config").join(kind)
}

/// Loads every bad file of a kind and compares the first diagnostic with what the file announces:
/// `# expect CODE LINE WORDS OF THE HELP`.
fn check<T>(kind: &str, load: impl Fn(&Path) -> Result<T, Vec<Diagnostic>>) -> usize {
    let mut count = 0;
    for entry in fs::read_dir(cases(kind)).expect("a folder of cases") {
        let path = entry.expect("an entry").path();
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let Some(expected) = text.lines().next().and_then(|line| line.strip_prefix("# expect ")) else {
            continue;
        };
        let mut fields = expected.splitn(3, ' ');
        let (code, line) = (fields.next().expect("a code"), fields.next().expect("a line"));
        let help = fields.next().expect("words of the help");
        let Err(mistakes) = load(&path) else { panic!("{} is accepted", path.display()) };
        let first = &mistakes[0];
        let shown = first.render(false);
        assert_eq!(first.code, code, "{}\n{shown}", path.display());
        let at = first.line_column().expect("a place").0;
        assert_eq!(at.to_string(), line, "{}\n{shown}", path.display());
        assert!(first.help.as_ref().is_some_and(|text| text.contains(help)), "{shown}");
        count += 1;
    }
    count
}

#[test]
fn bad_files_are_refused_with_place_and_help() {
    assert!(check("devices", Device::load) >= 12);
    assert!(check("coprocessors", Coprocessor::load) >= 5);
    assert!(check("studies", Study::load) >= 10);
    assert!(check("cores", Core::load) >= 1);
}

#[test]
fn a_device_fills_in_its_core() {
    let device = Device::load(&cases("devices/tiny.toml")).expect("a good device");
    assert_eq!(device.parameters["FAST"], 0);
    assert_eq!(device.parameters["STAGES"], 2);
    assert_eq!((device.memories[0].fetch_wait, device.memories[0].data_wait), (1, 2));
    assert_eq!(device.power.active_W, None);
    let classes = device.core.resolve(&device.parameters);
    assert_eq!(classes["alu"].ask, 5, "3, and one each for STAGES and not FAST");
    assert_eq!(classes["divide"].ask, 40);
}

#[test]
fn the_first_alternative_that_holds_is_taken() {
    let core = Core::load(&cases("devices/cores/tiny.toml")).expect("a good core");
    let classes = core.resolve(&[("FAST".to_owned(), 1), ("STAGES".to_owned(), 2)].into());
    assert_eq!(classes["alu"].ask, 2);
    assert!(!classes.contains_key("divide"), "no alternative holds");
}

#[test]
fn studies_and_coprocessors_give_their_values() {
    let study = Study::load(&cases("studies/good.toml")).expect("a good study");
    assert_eq!(study.device.name, "tiny");
    assert!(study.workloads[0].source.is_absolute());
    assert_eq!(study.verify[0].hw, ["mod_add"]);
    let coprocessor = Coprocessor::load(&study.candidates[0].coprocessor).expect("a good map");
    assert_eq!(coprocessor.registers[0].role, Role::Control);
    assert_eq!(coprocessor.registers[0].fields[0].bits, (2, 2));
}

#[test]
fn the_examples_of_the_documentation_are_good() {
    let examples = root().join("docs/examples");
    let good = |mistakes: Vec<Diagnostic>| panic!("{}", mistakes[0].render(false));
    let device = Device::load(&examples.join("devices/example.toml")).unwrap_or_else(good);
    assert_eq!(device.core.resolve(&device.parameters)["shift_immediate"].ask, 3);
    Coprocessor::load(&examples.join("coprocessor/registers.toml")).unwrap_or_else(good);
    Study::load(&examples.join("studies/example.toml")).unwrap_or_else(good);
    Study::load(&root().join("studies/hau2011.toml")).unwrap_or_else(good);
}

#[test]
fn all_mistakes_are_reported_together() {
    let text = "[core]\nname = 1\nisa = \"x\"\ntiming = \"y\"\nsource = \"z\"\nfoo = 2\n[class]\n";
    let mistakes = Core::parse("core.toml", text).expect_err("three mistakes");
    let codes: Vec<_> = mistakes.iter().map(|mistake| mistake.code.as_str()).collect();
    assert_eq!(codes, ["core.missing-key", "core.wrong-type", "core.unknown-key"]);
}

#[test]
fn a_missing_file_is_a_diagnostic() {
    let mistakes = Study::load(Path::new("nowhere/study.toml")).expect_err("no file");
    assert_eq!(mistakes[0].code, "study.unreadable");
}

#[test]
fn the_shipped_devices_are_good() {
    let mut count = 0;
    for entry in fs::read_dir(root().join("devices")).expect("the devices") {
        let path = entry.expect("an entry").path();
        if path.is_file() && path.extension().is_some_and(|extension| extension == "toml") {
            let device = Device::load(&path);
            assert!(device.is_ok(), "{}", device.expect_err("a mistake")[0].render(false));
            count += 1;
        }
    }
    assert!(count >= 2, "{count} devices");
}
