//! Descriptions agree with themselves, with one another, and with the core files of the project.

use std::collections::BTreeSet;
use std::path::Path;

use cocrypt_config::{Device, Target};
use cocrypt_isa::{CoreError, InstructionSet, Role};
use cocrypt_isa_all::{ALL, named, of};

fn devices() -> Vec<Device> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../devices");
    let files = std::fs::read_dir(folder).expect("the devices").filter_map(Result::ok);
    let files = files.map(|file| file.path()).filter(|path| path.is_file());
    files.map(|path| Device::load(&path).expect("a good device")).collect()
}

/// Nothing that an instruction set has is another's too.
fn assert_distinct<T: Ord>(of: impl Fn(&'static InstructionSet) -> Vec<T>) {
    let all: Vec<T> = ALL.iter().flat_map(|set| of(set)).collect();
    let count = all.len();
    assert_eq!(all.into_iter().collect::<BTreeSet<T>>().len(), count);
}

#[test]
fn names_and_marks_belong_to_one_instruction_set() {
    assert_distinct(|set| vec![set.name]);
    assert_distinct(|set| set.variants.to_vec());
    assert_distinct(|set| set.timings.to_vec());
    assert_distinct(|set| vec![(set.elf.machine, set.elf.order.name())]);
    // The two orders of bytes of one machine have their runtime in common.
    let runtimes: BTreeSet<_> =
        ALL.iter().map(|set| (set.elf.machine, set.toolchain.runtime)).collect();
    let machines: BTreeSet<u16> = ALL.iter().map(|set| set.elf.machine).collect();
    let folders: BTreeSet<&str> = ALL.iter().map(|set| set.toolchain.runtime).collect();
    assert_eq!((runtimes.len(), runtimes.len()), (machines.len(), folders.len()));
    assert!(ALL.iter().all(|set| named(set.name) == Some(*set)));
}

#[test]
fn every_device_has_a_core_that_its_instruction_set_names() {
    let (mut variants, mut timings) = (BTreeSet::new(), BTreeSet::new());
    for device in devices() {
        let instructions = of(&device.core).expect("a known instruction set");
        let core = (instructions.build)(&device).unwrap_or_else(|wrong| panic!("{wrong}"));
        let registers = core.frontend.register_file().registers;
        assert_eq!(registers, instructions.registers, "{}", device.name);
        let names: Vec<&str> = registers.iter().map(|register| register.name).collect();
        assert_eq!(core.frontend.cells()[..names.len()], names, "they are the first cells");
        let classes: Vec<&str> = instructions.classes.iter().map(|(name, _)| *name).collect();
        assert_eq!(core.frontend.classes(), classes, "each class has its kind");
        variants.insert(device.core.isa);
        timings.insert(device.core.timing);
    }
    let all = |of: fn(&InstructionSet) -> &'static [&'static str]| {
        ALL.iter().flat_map(|set| of(set)).map(|&name| name.to_owned()).collect::<BTreeSet<_>>()
    };
    assert_eq!(variants, all(|set| set.variants));
    assert_eq!(timings, all(|set| set.timings));
}

#[test]
fn registers_and_conventions_fit() {
    for set in ALL {
        let (count, convention) = (set.registers.len() as u16, &set.convention);
        let stack: Vec<usize> = set.of_role(Role::Stack).collect();
        assert_eq!(stack.len(), 1, "{}", set.name);
        assert!(convention.preserved.contains(&(stack[0] as u16)), "{}", set.name);
        let used = [convention.arguments, convention.results, convention.preserved].concat();
        assert!(used.iter().all(|&register| register < count), "{}", set.name);
        let numbers: BTreeSet<u16> = set.registers.iter().map(|register| register.gdb).collect();
        assert_eq!(numbers.len(), set.registers.len(), "{}", set.name);
    }
}

#[test]
fn pointers_say_how_code_is_decoded() {
    for set in ALL {
        for encoding in set.toolchain.encodings {
            let (address, mode) = (0x1000, encoding.mode);
            assert_eq!(set.pointers.split(address | mode), (address, mode), "{}", set.name);
            let counted = address / u32::from(set.pointers.unit);
            assert_eq!(set.pointers.held(address, mode), counted | mode, "{}", set.name);
        }
    }
}

#[test]
fn what_is_not_known_is_refused_with_what_is() {
    let mut device = devices().remove(0);
    device.core.timing = "nothing".to_owned();
    let built = (of(&device.core).expect("an instruction set").build)(&device);
    assert!(matches!(built, Err(CoreError::UnknownTiming { .. })));
    let code = Some("nothing".to_owned());
    device.core.compiler = Some(Target { cpu: "a".to_owned(), code, code_place: None });
    assert!(matches!(of(&device.core), Err(CoreError::UnknownEncoding { .. })));
    device.core.isa = "nothing".to_owned();
    let Err(wrong) = of(&device.core) else { panic!("it is known") };
    let message = wrong.to_string();
    assert!(
        ALL.iter().flat_map(|set| set.variants).all(|name| message.contains(name)),
        "{message}"
    );
}
