//! Good files give their values; bad files give the diagnostic that stands in their first line.

use std::fs;
use std::path::{Path, PathBuf};

use cocrypt_config::{Coprocessor, Core, Device, Leakage, Primitive, Role, Study, TraceSet};
use cocrypt_diag::Diagnostic;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn cases(kind: &str) -> PathBuf {
    root().join("tests/cases/config").join(kind)
}

/// The diagnostics that a bad file announces in its first lines, `# expect CODE LINE WORDS OF THE HELP`, one for each
/// mistake that it holds.
fn announced(text: &str) -> Vec<(&str, usize, &str)> {
    let lines = text.lines().map_while(|line| line.strip_prefix("# expect "));
    let fields = lines.map(|line| {
        let mut fields = line.splitn(3, ' ');
        let mut next = || fields.next().expect("code, line, words");
        (next(), next().parse().expect("a line number"), next())
    });
    fields.collect()
}

/// Loads every bad file of a kind: its mistakes must be those that it announces, and no others.
fn check<T>(kind: &str, load: impl Fn(&Path) -> Result<T, Vec<Diagnostic>>) -> usize {
    let (mut count, mut failures) = (0, vec![]);
    for entry in fs::read_dir(cases(kind)).expect("a folder of cases") {
        let path = entry.expect("an entry").path();
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let expected = announced(&text);
        if expected.is_empty() {
            continue;
        }
        let mistakes = load(&path).err().unwrap_or_default();
        let shown: String = mistakes.iter().map(|mistake| mistake.render(false)).collect();
        let found = mistakes.iter().map(|mistake| {
            let line = mistake.line_column().expect("a place").0;
            (mistake.code.as_str(), line, mistake.help.as_deref().expect("what to do"))
        });
        let found: Vec<_> = found.collect();
        let agrees = found.len() == expected.len()
            && found.iter().zip(&expected).all(|((code, line, help), expected)| {
                (*code, *line) == (expected.0, expected.1) && help.contains(expected.2)
            });
        if !agrees {
            failures.push(format!("{}: expected {expected:?}, got\n{shown}", path.display()));
        }
        count += 1;
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    count
}

#[test]
fn bad_files_are_refused_with_place_and_help() {
    assert!(check("devices", Device::load) >= 25);
    assert!(check("coprocessors", Coprocessor::load) >= 12);
    assert!(check("studies", Study::load) >= 20);
    assert!(check("cores", Core::load) >= 8);
    assert!(check("primitives", Primitive::load) >= 8);
    assert!(check("leakage", Leakage::load) >= 5);
    assert!(check("sets", TraceSet::load) >= 5);
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
fn a_core_is_beside_its_device_or_in_the_workbench() {
    let home = root().join("tests/cases/config");
    let elsewhere = home.join("elsewhere/mine.toml");
    let device = Device::load_at(&elsewhere, Some(&home)).unwrap_or_else(good);
    assert_eq!(device.core, Device::load(&cases("devices/tiny.toml")).expect("a good device").core);
    let study = Study::load_at(&home.join("elsewhere/study.toml"), Some(&home));
    assert_eq!(study.unwrap_or_else(good).device.name, "mine");
    let nowhere = Device::load(&elsewhere).expect_err("no core beside it");
    assert_eq!(nowhere[0].code, "device.unknown-core");
    assert_eq!(nowhere[0].help.as_deref(), Some("there is no core to choose from here"));
}

#[test]
fn the_first_alternative_that_holds_is_taken() {
    let core = Core::load(&cases("devices/cores/tiny.toml")).expect("a good core");
    let classes = core.resolve(&[("FAST".to_owned(), 1), ("STAGES".to_owned(), 2)].into());
    assert_eq!(classes["alu"].ask, 2);
    assert!(!classes.contains_key("divide"), "no alternative holds");
}

#[test]
fn a_core_may_say_what_compilers_are_told() {
    let text = "[core]\nname = \"c\"\ntitle = \"C\"\nisa = \"x\"\ntiming = \"y\"\nsource = \"z\"\n\
                [class]\nload = [{ ask = 1 }]\n[compiler]\ncpu = \"arm7tdmi\"\n";
    let told = |text: &str| Core::parse("core.toml", text).unwrap_or_else(good).compiler;
    let target = told(text).expect("what compilers are told");
    assert_eq!((target.cpu.as_str(), target.code), ("arm7tdmi", None));
    let thumb = told(&format!("{text}code = \"thumb\"\n")).expect("the same");
    assert_eq!(thumb.code.as_deref(), Some("thumb"));
    assert_eq!(told(text.split("[compiler]").next().expect("what is in front")), None);
}

#[test]
fn studies_and_coprocessors_give_their_values() {
    let study = Study::load(&cases("studies/good.toml")).expect("a good study");
    assert_eq!(study.device.name, "tiny");
    assert!(study.workloads[0].source.as_ref().is_some_and(|path| path.is_absolute()));
    assert_eq!(study.verify[0].hw, ["mod_add"]);
    let option = &study.candidates[0].options[0];
    assert_eq!(option.name, "coprocessor");
    let map = option.coprocessor.as_ref().expect("a register map");
    let coprocessor = Coprocessor::load(map).expect("a good map");
    assert_eq!(coprocessor.registers[0].role, Role::Control);
    assert_eq!(coprocessor.registers[0].fields[0].bits, (2, 2));
}

#[test]
fn patterns_stand_for_the_files_that_they_match() {
    let text = fs::read_to_string(cases("studies/good.toml")).expect("a study");
    let names = |lists: &str| {
        let text = format!("{text}\n{lists}");
        let study = Study::parse("s", &text, &cases("studies")).unwrap_or_else(good);
        let name = |path: &PathBuf| path.file_name().expect("a name").display().to_string();
        let names = |paths: &[PathBuf]| paths.iter().map(name).collect::<Vec<_>>();
        (names(&study.common), names(&study.drivers))
    };
    let common = |list: &str| names(&format!("[sources]\n{list}")).0;
    assert_eq!(common("common = ['pattern/*.c']"), ["a.c", "b.c", "b_test.c"]);
    assert_eq!(common("common = ['pattern/**/*.c']"), ["a.c", "b.c", "b_test.c", "c.c"]);
    assert_eq!(
        common("common = ['pattern/deep/*', 'pattern/[!b]*.c', 'pattern/a.c']"),
        ["c.c", "a.c"]
    );
    let excluded = "common = ['pattern/**/*.c']\nexclude = ['pattern/*_test.c', 'pattern/deep']";
    assert_eq!(common(excluded), ["a.c", "b.c"]);
    assert_eq!(common("common = ['**/*.c']"), ["a.c", "b.c", "b_test.c", "c.c"], "no workload's");
    let both = "[sources]\ncommon = ['pattern/?.c']\n[drivers]\ncommon = ['pattern/b*.c']";
    assert_eq!(names(both), (vec!["a.c".into()], vec!["b.c".into(), "b_test.c".into()]));
}

#[allow(clippy::needless_pass_by_value)] // The signature that `unwrap_or_else` wants.
fn good<T>(mistakes: Vec<Diagnostic>) -> T {
    panic!("{}", mistakes[0].render(false))
}

#[test]
fn the_examples_of_the_documentation_are_good() {
    let examples = root().join("docs/examples");
    let device = Device::load(&examples.join("devices/example.toml")).unwrap_or_else(good);
    assert_eq!(device.core.resolve(&device.parameters)["shift_immediate"].ask, 3);
    Coprocessor::load(&examples.join("coprocessor/registers.toml")).unwrap_or_else(good);
    Study::load(&examples.join("studies/example.toml")).unwrap_or_else(good);
    Primitive::load(&examples.join("primitives/xtea/primitive.toml")).unwrap_or_else(good);
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
fn a_name_is_suggested_only_for_a_file_that_is_not_there() {
    let told = |path: &str| {
        let [mistake] = &Study::load(&root().join(path)).expect_err("no study")[..] else {
            panic!("one mistake")
        };
        assert_eq!(mistake.code, "study.unreadable");
        (mistake.message.clone(), mistake.help.clone().expect("help"))
    };
    let plain = "give the path of a study file".to_owned();
    let (message, help) = told("tests/cases/rl78/sums.elf");
    assert!(message.ends_with("sums.elf cannot be read: it is an ELF file, not TOML"), "{message}");
    assert_eq!(help, plain);
    let (message, help) = told("tests/cases/rl78");
    assert!(message.ends_with("cannot be read: it is a folder"), "{message}");
    assert_eq!(help, plain);
    let (_, help) = told("tests/cases/rl78/sum.elf");
    assert_eq!(help, plain + "; did you mean `sums.elf`?");
}

/// Loads the files in `folder`, and those in its folders, whose path ends in `end`.
fn load_all<T>(
    folder: &str,
    end: &str,
    load: impl Fn(&Path) -> Result<T, Vec<Diagnostic>>,
) -> usize {
    let mut count = 0;
    for entry in fs::read_dir(root().join(folder)).expect("a folder") {
        let path = entry.expect("an entry").path();
        let path = if path.is_dir() { path.join(end) } else { path };
        if path.is_file() && path.to_string_lossy().ends_with(end) {
            load(&path).unwrap_or_else(good);
            count += 1;
        }
    }
    count
}

#[test]
fn the_shipped_files_are_good() {
    assert!(load_all("devices/cores", ".toml", Core::load) >= 1);
    assert!(load_all("devices", ".toml", Device::load) >= 2);
    assert!(load_all("coprocessors", "registers.toml", Coprocessor::load) >= 1);
    assert!(load_all("primitives", "primitive.toml", Primitive::load) >= 30);
    assert!(load_all("studies", ".toml", |path| Study::load_at(path, Some(&root()))) >= 1);
}
