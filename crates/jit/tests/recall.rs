//! Regions that the next run of an image begins with.

mod small_machine;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use cocrypt_engine::StopCause;
use cocrypt_jit::{Jit, Keeping, Key, Options, Store};
use small_machine::{NoPeripherals, loaded};

/// Two loops, and an idle one, in which the core stays.
const PROGRAM: [u32; 8] = [
    0x0000_12b7, // lui t0, 1
    0x0013_8393, // addi t2, t2, 1
    0xfff2_8293, // addi t0, t0, -1
    0xfe02_9ce3, // bnez t0, -8
    0x7d0e_0e13, // addi t3, t3, 2000
    0xfffe_0e13, // addi t3, t3, -1
    0xfe0e_1ee3, // bnez t3, -4
    0x0000_006f, // j .
];
/// More often than any block of it runs.
const NEVER: u32 = 1 << 20;

/// A store in memory that counts how often it was asked in vain, with success, and to keep something.
#[derive(Default)]
struct Memory {
    entries: Mutex<HashMap<Key, Vec<u8>>>,
    counts: [AtomicUsize; 3],
}

impl Memory {
    fn count(&self, what: usize) {
        self.counts[what].fetch_add(1, Ordering::Relaxed);
    }

    /// The counts since this was called last.
    fn counted(&self) -> [usize; 3] {
        std::array::from_fn(|what| self.counts[what].swap(0, Ordering::Relaxed))
    }
}

impl Store for Memory {
    fn find(&self, key: &Key) -> Option<Vec<u8>> {
        let found = self.entries.lock().expect("no panic").get(key).cloned();
        self.count(usize::from(found.is_some()));
        found
    }

    fn keep(&self, key: &Key, entry: &[u8]) {
        self.count(2);
        self.entries.lock().expect("no panic").insert(*key, entry.to_vec());
    }
}

/// All that can be observed of a run.
type Seen = (StopCause, (u64, u64), Vec<u64>);

/// Runs a program by the name of an image; the interpreter alone without a store.
fn run(program: &[u32], store: Option<&Arc<Memory>>, image: &str, hot: u32) -> Seen {
    let (mut engine, mut ram) = loaded(program);
    if let Some(store) = store {
        let options = Options { at_once: true, profile: true, ..Options::default() };
        let keeping =
            Keeping { store: Arc::clone(store) as Arc<dyn Store>, image: Some(Key::of(&image)) };
        let jit = Jit::with_store(engine.fixed(&ram, 1), options, Some(keeping));
        engine.set_backend(Box::new(jit.expect("a host that code is compiled for")), hot);
    }
    let cause = engine.run(&mut ram, &mut NoPeripherals, u64::MAX).cause;
    (cause, engine.counted(), engine.cells().to_vec())
}

/// A store behind a first run.
fn first() -> (Arc<Memory>, Seen) {
    let store = Arc::default();
    let seen = run(&PROGRAM, Some(&store), "program", 2);
    let [_, _, kept] = store.counted();
    assert_eq!(kept, 3, "two regions, and their record");
    (store, seen)
}

#[test]
fn the_next_run_begins_with_the_regions_of_the_last_one() {
    let (store, seen) = first();
    assert_eq!(seen, run(&PROGRAM, None, "", NEVER));
    assert_eq!(seen.0, StopCause::Deadlock, "an idle loop that was met before is still recognised");
    assert_eq!(run(&PROGRAM, Some(&store), "program", NEVER), seen);
    assert_eq!(store.counted(), [0, 3, 0]);
}

#[test]
fn another_image_recalls_nothing_but_shares_code() {
    let (store, seen) = first();
    assert_eq!(run(&PROGRAM, Some(&store), "another", NEVER), seen);
    assert_eq!(store.counted(), [1, 0, 0]);
    assert_eq!(run(&PROGRAM, Some(&store), "another", 2), seen);
    assert_eq!(store.counted(), [1, 2, 1]);
}

#[test]
fn other_code_than_was_recorded_is_not_taken_for_it() {
    let (store, _) = first();
    let mut program = PROGRAM;
    program[5] = 0xffee_0e13; // addi t3, t3, -2
    let seen = run(&program, None, "", NEVER);
    assert_eq!(run(&program, Some(&store), "program", NEVER), seen);
    assert_eq!(store.counted(), [0, 2, 0], "one region is the same");
}

#[test]
fn a_broken_record_is_written_again() {
    let (store, seen) = first();
    for entry in store.entries.lock().expect("no panic").values_mut() {
        entry[10] ^= 4;
    }
    assert_eq!(run(&PROGRAM, Some(&store), "program", NEVER), seen);
    assert_eq!(store.counted(), [0, 1, 0], "it is of no use");
    assert_eq!(run(&PROGRAM, Some(&store), "program", 2), seen);
    assert_eq!(store.counted(), [0, 3, 3], "all of it is made again");
    assert_eq!(run(&PROGRAM, Some(&store), "program", NEVER), seen);
    assert_eq!(store.counted(), [0, 3, 0]);
}
