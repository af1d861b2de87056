//! Runs in lock step: on random programs of every device, with the samples of runs that a machine executes alone.

mod words;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use cocrypt_config::{Device, Leakage, Memory, MemoryKind};
use cocrypt_soc::{
    LeakageModel, Machine, Outcome, RegisterRole, Sample, Sampler, Stop, leakage_model,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use self::words::{a32, riscv, thumb};

/// A model in which each source has other weights, of all forms.
const MODEL: &str = "[leakage]\ntitle = 'all'\n\
    [weights.result]\nweight = 1.5\n[weights.register]\ndistance = 7\n\
    [weights.operand_a]\nweight = 31\n[weights.operand_b]\ndistance = [1, 3, 0, -5, 9]\n\
    [weights.address]\nidentity = 0.25\ndistance = 3\n[weights.data]\nweight = [2, 4, 8, 16]\ndistance = 5\n\
    [weights.memory]\ndistance = 11\nidentity = -1\n\
    [kinds.load]\nconstant = 2\n[kinds.multiply]\nconstant = 77\nresult = { weight = 100 }\n";
/// Returns from functions in machine code; on a device one of them is.
const RETURNS: [&[u8]; 8] = [
    &0x0000_8067u32.to_le_bytes(),
    &0x4770_4770u32.to_le_bytes(),
    &0xe12f_ff1eu32.to_le_bytes(),
    &[0x08, 0x95],
    &[0xd7],
    &[0x22],
    &[0x00, 0x0b, 0x00, 0x09],
    &[0x0b, 0x00, 0x09, 0x00],
];
/// The same with an instruction in a delay slot.
const LONG_RETURNS: [[u8; 8]; 2] =
    [[0x08, 0x00, 0x0f, 0xb6, 0, 0, 0, 0x80], [0xb6, 0x0f, 0x00, 0x08, 0x80, 0, 0, 0]];
/// The bytes that each run has of its own, and its runs: more than go in lock step at once.
const DATA: usize = 32;
const RUNS: usize = 70;
/// Instructions that a program may have.
const LENGTH: usize = 16;
const LIMIT: u64 = 5000;

/// The device with the least memory for each set of instructions; a few have less than a run's data.
fn devices() -> Vec<Device> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../devices");
    let files = fs::read_dir(&folder).expect("devices").map(|file| file.expect("a file").path());
    let paths = files.filter(|path| path.is_file());
    let mut least: BTreeMap<String, Device> = BTreeMap::new();
    let size = |device: &Device| device.memories.iter().map(|memory| memory.size).sum::<u64>();
    for path in paths {
        let device = Device::load(&path).expect("a good device");
        let known = least.get(&device.core.isa).map_or(u64::MAX, size);
        if ram(&device).size >= 4 * DATA as u64 && size(&device) < known {
            least.insert(device.core.isa.clone(), device);
        }
    }
    least.into_values().collect()
}

/// A word that is an instruction on many cores: of RISC-V, two of Thumb, one of A32, or any.
fn word() -> impl Strategy<Value = u32> {
    prop_oneof![3 => riscv(), 2 => thumb(), 2 => a32(), 2 => any::<u32>()]
}

/// The memory that programs write to.
fn ram(device: &Device) -> &Memory {
    let memories = device.memories.iter().filter(|memory| memory.kind == MemoryKind::Ram);
    memories.max_by_key(|memory| memory.size).expect("a memory to write to")
}

/// The program's place, and that of its data.
fn places(device: &Device) -> (u32, u32) {
    let Memory { base, size, .. } = *ram(device);
    (device.memories[0].base as u32, (base + size / 2) as u32)
}

/// A machine in front of a program; its registers point to the data, to the stack or to the program, which they may
/// return to.
fn machine(device: &Device, program: &[u8], registers: &[u32]) -> Machine {
    let (base, data) = places(device);
    let entry = u64::from(base);
    let mut machine = Machine::new(device, Arc::from([entry]), entry, vec![]).expect("a machine");
    machine.load(base, program).expect("room for the program");
    let roles: Vec<_> = machine.register_file().registers.iter().map(|one| one.role).collect();
    for ((number, role), &random) in roles.iter().enumerate().zip(registers.iter().cycle()) {
        let near = data.wrapping_add(random >> 8 & 0x1c);
        let value = match role {
            RegisterRole::Stack => (ram(device).base + ram(device).size / 4) as u32 & !7,
            RegisterRole::Link => base,
            RegisterRole::General if random & 3 != 0 => near,
            RegisterRole::General => random,
            _ => continue,
        };
        machine.set_register(number, value.into());
    }
    machine
}

/// What the runs of a program give: outcomes and samples.
type Runs = Result<(Vec<Outcome>, Vec<Vec<Sample>>), Stop>;

fn runs(sampler: &mut Sampler, place: u32, contents: &[Vec<u8>]) -> Runs {
    let contents: Vec<_> = contents.iter().map(|bytes| vec![(place, &bytes[..])]).collect();
    let mut traces = vec![vec![[0; 4]; 600]; contents.len()];
    let mut rows: Vec<&mut [Sample]> = traces.iter_mut().map(Vec::as_mut_slice).collect();
    let outcomes = sampler.run_all(&contents, &[(place, 2 * DATA)], &mut rows)?;
    Ok((outcomes, traces))
}

/// A program of instructions that do not end a run, and a return.
fn program(
    device: &Device,
    model: &Arc<LeakageModel>,
    words: &[u32],
    registers: &[u32],
) -> Option<Vec<u8>> {
    let returns = |program: &[u8]| {
        let machine = machine(device, program, registers);
        let place = places(device).1;
        let mut sampler = Sampler::new(&machine, Arc::clone(model), LIMIT);
        sampler.run(&vec![(place, &[7; DATA][..])], &[], false).is_ok()
    };
    let ends = RETURNS.iter().copied().chain(LONG_RETURNS.iter().map(|end| &end[..]));
    let end = ends.into_iter().find(|end| returns(end))?;
    let mut program = vec![];
    for word in words {
        let longer = [&program[..], &word.to_le_bytes()].concat();
        if returns(&[&longer[..], end].concat()) {
            program = longer;
        }
    }
    Some([&program[..], end].concat())
}

#[test]
fn runs_in_lock_step_have_the_samples_of_runs_alone() {
    let whole = std::env::var("COCRYPT_LANE_PROGRAMS").map_or(1, |text| {
        text.parse().expect("COCRYPT_LANE_PROGRAMS is the number of programs of each device")
    });
    let model = Arc::new(leakage_model(&Leakage::parse("all", MODEL).expect("a model")));
    let mut runner = TestRunner::deterministic();
    let mut draw = |count| {
        let words = prop::collection::vec(word(), count);
        words.new_tree(&mut runner).expect("words").current()
    };
    let mut found: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for device in &devices() {
        let (programs, together) = found.entry(device.core.isa.clone()).or_default();
        for _ in 0..whole {
            let (words, registers) = (draw(LENGTH), draw(37));
            let Some(program) = program(device, &model, &words, &registers) else { continue };
            let bytes = |_| draw(DATA / 4).iter().flat_map(|word| word.to_le_bytes()).collect();
            let contents: Vec<Vec<u8>> = (0..RUNS).map(bytes).collect();
            let machine = machine(device, &program, &registers);
            let mut sampler = Sampler::new(&machine, Arc::clone(&model), LIMIT);
            let mut alone = Sampler::new(&machine, Arc::clone(&model), LIMIT);
            alone.run_alone();
            let place = places(device).1;
            let (seen, expected) =
                (runs(&mut sampler, place, &contents), runs(&mut alone, place, &contents));
            assert_eq!(seen, expected, "{}: {program:02x?}", device.name);
            *programs += 1;
            *together += sampler.together();
        }
    }
    // Some cores have caches, or memory that is not mapped directly: all their runs are executed by a machine.
    eprintln!("programs, and runs in lock step: {found:?}");
    let sets = found.values().filter(|(_, together)| *together > 0).count();
    assert!(sets >= 8, "{found:?}");
}
