//! Any bytes as code, on every device of the house: the machine stops or goes on, compiled or not.

mod words;

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use cocrypt_config::{Core, Device};
use cocrypt_jit::Options;
use cocrypt_soc::{Machine, RegisterRole, Stop};
use proptest::prelude::*;

use self::words::{a32, riscv, thumb};

/// The likeliest targets of random code, from its own beginning on: data, and other code.
const POINTERS: [u32; 6] = [0, 0x40, 0x41, 0x100, 0x8000, 0x1_fff0];
/// The addresses of devices, and of memories beside the first.
const PLACES: [u32; 6] =
    [0x8000_0000, 0x8000_0040, 0x8001_0000, 0x2000_0000, 0x2000_1001, 0xc000_0040];
/// In more pieces than one, the last of which ends what goes on for ever.
const LIMITS: [u64; 3] = [700, 703, 20_000];

static DEVICES: LazyLock<Vec<Device>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../devices");
    let files = fs::read_dir(&folder).expect("devices").map(|file| file.expect("a file").path());
    let devices = files.filter(|path| path.is_file());
    let load = |path: std::path::PathBuf| Device::load(&path).expect("a good device");
    let mut devices: Vec<_> = devices.map(load).collect();
    let with_interrupts = {
        let core = Core::load(&folder.join("cores/picorv32.toml")).expect("a good core");
        let text = fs::read_to_string(folder.join("picorv32.toml")).expect("a device");
        let on =
            "[parameters]\nENABLE_IRQ = true\nENABLE_IRQ_QREGS = true\nENABLE_IRQ_TIMER = true\n";
        Device::parse("irq", &text.replace("[parameters]\n", on), &core).expect("a good device")
    };
    devices.push(with_interrupts);
    let with_caches = {
        let core = Core::load(&folder.join("cores/ibex.toml")).expect("a good core");
        let text = fs::read_to_string(folder.join("ibex-small.toml")).expect("a device");
        let caches = "[cache.instruction]\nsize = 128\nways = 2\nline = 16\nrefill = 9\n\
            [cache.data]\nsize = 64\nways = 1\nline = 8\nwrites = \"allocate\"\nrefill = 5\n";
        Device::parse("cached", &format!("{text}{caches}"), &core).expect("a good device")
    };
    devices.push(with_caches);
    devices
});

/// A word that is most likely an instruction: of RISC-V, two of Thumb, one of Thumb-2, one of A32.
fn word() -> impl Strategy<Value = u32> {
    let wide = (0xe800u32..0xffff, any::<u16>()).prop_map(|(a, b)| a | u32::from(b) << 16);
    prop_oneof![4 => riscv(), 2 => thumb(), 1 => wide, 2 => a32(), 1 => any::<u32>()]
}

/// The value of a register: any number, a place near the code, or one of devices.
#[derive(Clone, Copy, Debug)]
enum Register {
    Number(u32),
    Near(u32),
}

fn register() -> impl Strategy<Value = Register> {
    prop_oneof![
        any::<u32>().prop_map(Register::Number),
        prop::sample::select(&PLACES[..]).prop_map(Register::Number),
        prop::sample::select(&POINTERS[..]).prop_map(Register::Near),
    ]
}

/// The observable state of a machine at each stop.
type Seen = Vec<(Stop, Vec<u64>, (u64, u64))>;

fn run(device: &Device, code: &[u32], registers: &[Register], compiled: bool) -> Seen {
    let base = device.memories[0].base as u32;
    let entry = u64::from(base);
    let mut machine = Machine::new(device, Arc::from([entry]), entry, vec![]).expect("a machine");
    let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
    machine.load(base, &bytes).expect("room for the code");
    let is_zero = machine.register_file().registers[0].role == RegisterRole::Zero;
    let first = usize::from(is_zero);
    for (number, value) in (first..machine.registers().len()).zip(registers) {
        let value = match *value {
            Register::Number(value) => value,
            Register::Near(offset) => base.wrapping_add(offset),
        };
        machine.set_register(number, value.into());
    }
    if !compiled {
        return stops(&mut machine);
    }
    let first = machine.fork();
    machine.compile(Options { profile: true, at_once: true, ..Options::default() }, 2);
    let seen = stops(&mut machine);
    let profile = machine.profile();
    for _ in 0..2 {
        machine.rewind(&first);
        assert_eq!(stops(&mut machine), seen, "after it was rewound");
        assert_eq!(machine.profile(), profile, "after it was rewound");
    }
    seen
}

fn stops(machine: &mut Machine) -> Seen {
    let stops = LIMITS.map(|limit| {
        let stop = machine.run(limit);
        (stop, machine.registers().to_vec(), machine.counted())
    });
    stops.to_vec()
}

/// A device by its number, code, and what its registers hold at first.
type Case = (usize, Vec<u32>, Vec<Register>);

fn case() -> impl Strategy<Value = Case> {
    let code = prop::collection::vec(word(), 1..64);
    (0..DEVICES.len(), code, prop::collection::vec(register(), 31))
}

fn agree((device, code, registers): &Case) -> Result<(), TestCaseError> {
    let device = &DEVICES[*device];
    let interpreted = run(device, code, registers, false);
    prop_assert_eq!(run(device, code, registers, true), interpreted);
    Ok(())
}

proptest! {
    #![proptest_config(cocrypt_sample::half(2000, 0))]
    #[test]
    fn any_code_runs_to_the_same_end_on_both_engines(case in case()) {
        agree(&case)?;
    }
}

proptest! {
    #![proptest_config(cocrypt_sample::half(2000, 1))]
    #[test]
    fn any_code_runs_to_the_same_end_with_another_seed(case in case()) {
        agree(&case)?;
    }
}
