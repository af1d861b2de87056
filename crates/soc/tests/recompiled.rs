//! Code that is compiled again, with what was seen since.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use cocrypt_config as config;
use cocrypt_soc::{Keeping, Key, Machine, Options, StopCause, Store};

const DEVICE: &str = r#"
[device]
name = "test"
title = "Test"
core = "arm7tdmi"
clock_hz = 1_000_000
[[memory]]
name = "ram"
base = 0
size = 0x1000
fetch_wait = 1
data_wait = 1
[bus]
wait = 3
[[peripheral]]
kind = "counter"
base = 0x8000_0010
size = 0x10
[[peripheral]]
kind = "exit"
base = 0x8000_0020
size = 0x10
"#;

/// Two registers of a peripheral are read by one instruction, in a loop of 2^18 rounds.
const POLLS: [u32; 7] = [
    0xe3a0_0102, // mov r0, #0x80000000
    0xe3a0_1701, // mov r1, #0x40000
    0xe280_2010, // add r2, r0, #0x10
    0xe892_0018, // ldm r2, {r3, r4}
    0xe251_1001, // subs r1, r1, #1
    0x1aff_fffc, // bne .-8
    0xe580_1020, // str r1, [r0, #0x20]
];

/// A store that has nothing, and counts how often it is asked for code.
#[derive(Default)]
struct Asked(AtomicU32);

impl Store for Asked {
    fn find(&self, _: &Key) -> Option<Vec<u8>> {
        self.0.fetch_add(1, Ordering::Relaxed);
        None
    }

    fn keep(&self, _: &Key, _: &[u8]) {}
}

/// The interpreter has to go on at each such instruction: it alone knows how it does once a peripheral was asked.
#[test]
fn a_loop_that_polls_is_not_compiled_again_and_again() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../devices/cores/arm7tdmi.toml");
    let core = config::Core::load(&path).expect("a core");
    let device = config::Device::parse("test", DEVICE, &core).expect("a device");
    let mut machine = Machine::new(&device, Arc::from([0]), 0, vec![]).expect("a machine");
    machine.load(0, &POLLS.map(u32::to_le_bytes).concat()).expect("room for it");
    let store: Arc<Asked> = Arc::default();
    let keeping = Keeping { store: Arc::clone(&store) as Arc<dyn Store>, image: None };
    let options = Options { at_once: true, ..Options::default() };
    assert!(machine.compile_with(options, 2, Some(keeping)), "a host that code is compiled for");
    let stop = machine.run(u64::MAX);
    assert!(matches!(stop.cause, StopCause::Exit { code: 0, .. }), "{:?}", stop.cause);
    // Not each thousandth time that it leaves.
    let asked = store.0.load(Ordering::Relaxed);
    assert!((1..=4).contains(&asked), "{asked} regions");
}
