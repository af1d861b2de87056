//! Files of waves, read back by a library that others wrote.

use std::collections::BTreeMap;
use std::io::{Cursor, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex};

use cocrypt_trace::{Format, Signal, Waves};
use proptest::prelude::*;

const SIGNALS: [Signal; 3] = [
    Signal { scope: "core", name: "pc", width: 32 },
    Signal { scope: "bus", name: "request", width: 1 },
    Signal { scope: "bus", name: "data", width: 64 },
];

/// Picoseconds of a cycle at 50 MHz.
const PERIOD: u64 = 20_000;

/// A file that stays here when its writer has gone.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Cursor<Vec<u8>>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("one thread").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Seek for Shared {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.0.lock().expect("one thread").seek(to)
    }
}

type Change = (u64, usize, u64);

fn written(format: Format, changes: &[Change], passes: &[u64], end: u64) -> Vec<u8> {
    let file = Shared::default();
    let mut waves =
        Waves::new(format, Box::new(file.clone()), 50_000_000, &SIGNALS).expect("a file");
    let mut from = 0;
    for &pass in passes.iter().chain([&end]) {
        for &(cycle, signal, value) in
            changes.iter().filter(|change| (from..pass).contains(&change.0))
        {
            waves.set(cycle, signal, value);
        }
        waves.pass(pass).expect("a file");
        from = from.max(pass);
    }
    waves.finish(end).expect("a file");
    file.0.lock().expect("one thread").get_ref().clone()
}

/// The changes of each signal, by time.
fn read(bytes: Vec<u8>) -> [BTreeMap<u64, u64>; 3] {
    let mut file = wellen::simple::read_from_reader(Cursor::new(bytes)).expect("a file of waves");
    SIGNALS.map(|signal| {
        let hierarchy = file.hierarchy();
        let variable = hierarchy.lookup_var(&[signal.scope], signal.name).expect("the signal");
        assert_eq!(hierarchy[variable].length(hierarchy), Some(signal.width));
        let signal = hierarchy[variable].signal_ref();
        file.load_signals(&[signal]);
        let times = file.time_table();
        let changes = file.get_signal(signal).expect("it was loaded").iter_changes();
        let value = |text: &str| u64::from_str_radix(text, 2).expect("bits");
        let pair = |(at, seen): (u32, wellen::SignalValueRef<'_>)| {
            let bits = seen.to_bit_string().expect("bits");
            (times[at as usize], value(&bits))
        };
        // What was never set is unknown.
        let known = |seen: &wellen::SignalValueRef<'_>| {
            seen.to_bit_string().is_some_and(|bits| !bits.contains('x'))
        };
        changes.filter(|(_, seen)| known(seen)).map(pair).collect()
    })
}

/// The expected contents for a reader: of the changes of a signal in a cycle the last, if it is one.
fn wanted(changes: &[Change], end: u64) -> [BTreeMap<u64, u64>; 3] {
    let mut found = [const { BTreeMap::new() }; 3];
    for &(cycle, signal, value) in changes.iter().filter(|change| change.0 < end) {
        found[signal].insert(cycle * PERIOD, value);
    }
    found.map(|all| {
        let mut last = None;
        all.into_iter().filter(|&(_, value)| last.replace(value) != Some(value)).collect()
    })
}

proptest! {
    #[test]
    fn both_formats_hold_every_change(
        changes in prop::collection::vec((0..200u64, 0..3usize, any::<u64>()), 1..200),
        mut passes in prop::collection::vec(0..200u64, 0..4),
    ) {
        let fits = |&(cycle, signal, value): &Change| {
            (cycle, signal, value & (u64::MAX >> (64 - SIGNALS[signal].width)))
        };
        let changes: Vec<_> = changes.iter().map(fits).collect();
        passes.sort_unstable();
        for format in [Format::Vcd, Format::Fst] {
            let found = read(written(format, &changes, &passes, 250));
            prop_assert_eq!(found, wanted(&changes, 250));
        }
    }
}

#[test]
fn the_same_changes_give_the_same_file() {
    let changes = [(1, 0, 4), (2, 1, 1), (2, 2, 7), (3, 1, 0)];
    for format in [Format::Vcd, Format::Fst] {
        assert_eq!(written(format, &changes, &[], 9), written(format, &changes, &[2], 9));
    }
}
