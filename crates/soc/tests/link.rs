//! A program that waits for packets, on both engines, wherever its run is cut.

use std::path::Path;
use std::sync::Arc;

use cocrypt_config::Device;
use cocrypt_jit::Options;
use cocrypt_soc::{Machine, Packet, Sent, Stop, StopCause};

const LINK: u32 = 0x8000_0060;
const NUMBER: u32 = 7;

/// Waits 1,000 cycles for a packet; sends its sender the first three bytes of it; does so three times.
const ECHOES: &[u32] = &[
    0x8000_0537, // 0: lui a0, 0x80000
    0x0030_0413, // 4: li s0, 3
    0x3e80_0293, // 8: li t0, 1000
    0x0655_2023, // c: sw t0, 0x60(a0)
    0x0605_2303, // 10: lw t1, 0x60(a0)
    0x0645_2383, // 14: lw t2, 0x64(a0)
    0x0685_2e03, // 18: lw t3, 0x68(a0)
    0x06c5_2f03, // 1c: lw t5, 0x6c(a0)
    0x0675_2223, // 20: sw t2, 0x64(a0)
    0x07c5_2423, // 24: sw t3, 0x68(a0)
    0x0030_0e93, // 28: li t4, 3
    0x07d5_2623, // 2c: sw t4, 0x6c(a0)
    0x0060_80b3, // 30: add ra, ra, t1
    0xfff4_0413, // 34: addi s0, s0, -1
    0xfc04_18e3, // 38: bnez s0, 8
    0x0205_2023, // 3c: sw zero, 0x20(a0)
];

fn machine(compiled: bool) -> Machine {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../devices/picorv32.toml");
    let device = Device::load(&path).expect("a device");
    let mut machine = Machine::new(&device, Arc::from([0]), 0, vec![]).expect("a machine");
    let code: Vec<u8> = ECHOES.iter().flat_map(|word| word.to_le_bytes()).collect();
    machine.load(0, &code).expect("there is memory");
    machine.plug_in(LINK, NUMBER).expect("the place is free");
    if compiled {
        machine.compile(Options { profile: true, at_once: true, ..Options::default() }, 1);
    }
    machine
}

/// Runs until the machine waits or ends, in pieces of so many cycles.
fn go(machine: &mut Machine, piece: u64) -> Stop {
    loop {
        let (cycles, _) = machine.counted();
        let stop = machine.run(cycles + piece);
        if stop.cause != StopCause::CycleLimit {
            return stop;
        }
    }
}

/// The outcome of a run with these answers: the cycles of its stops, what it sent, its registers.
fn answered(
    machine: &mut Machine,
    piece: u64,
    answers: &[(u64, Option<&[u8]>)],
) -> (Vec<u64>, Vec<Sent>, Vec<u64>) {
    let (mut stops, mut sent) = (vec![], vec![]);
    for &(later, packet) in answers {
        let stop = go(machine, piece);
        assert_eq!((stop.cause, machine.waits()), (StopCause::Held, Some(1000)));
        assert_eq!(machine.run(u64::MAX), stop, "it waits until it is answered");
        stops.push(stop.cycles);
        sent.extend(machine.sent());
        let packet = packet.map(|bytes| Packet { from: 5, bytes: bytes.to_vec() });
        machine.answer(stop.cycles + later, packet);
    }
    let stop = go(machine, piece);
    assert!(matches!(stop.cause, StopCause::Exit { code: 0, .. }), "{stop:?}");
    stops.push(stop.cycles);
    sent.extend(machine.sent());
    (stops, sent, machine.registers().to_vec())
}

const ANSWERS: [(u64, Option<&[u8]>); 3] =
    [(123, Some(b"abcde")), (1000, None), (0, Some(b"\x80\x81"))];

#[test]
fn a_program_sees_what_came_in_and_goes_on_in_the_cycle_of_the_answer() {
    let (stops, sent, registers) = answered(&mut machine(false), u64::MAX / 2, &ANSWERS);
    let (idle, _, _) = answered(&mut machine(false), u64::MAX / 2, &[(0, None); 3]);
    for (place, &(stop, plain)) in stops.iter().zip(&idle).collect::<Vec<_>>().iter().enumerate() {
        let later: u64 = ANSWERS[..place].iter().map(|(later, _)| later).sum();
        assert_eq!(*stop, plain + later, "stop {place}");
    }
    let expected: [(u32, &[u8]); 3] = [(5, b"abc"), (0, b"\0\0\0"), (5, b"\x80\x81\0")];
    let found: Vec<(u32, &[u8])> =
        sent.iter().map(|packet| (packet.to, &packet.bytes[..])).collect();
    assert_eq!(found, expected);
    assert!(sent.iter().zip(&stops[1..]).all(|(packet, stop)| packet.cycle < *stop));
    // The sizes of all packets; the last read tells the node's own number.
    assert_eq!((registers[1], registers[30]), (5 + 2, u64::from(NUMBER)));
}

#[test]
fn engines_pieces_and_copies_give_the_same() {
    let whole = answered(&mut machine(false), u64::MAX / 2, &ANSWERS);
    assert_eq!(answered(&mut machine(true), u64::MAX / 2, &ANSWERS), whole);
    for piece in [1, 7, 40] {
        assert_eq!(answered(&mut machine(false), piece, &ANSWERS), whole, "pieces of {piece}");
    }
    let mut first = machine(false);
    let stop = go(&mut first, 1000);
    let mut twin = first.fork();
    assert_eq!(go(&mut twin, 1000), stop);
    assert_eq!(answered(&mut twin, 1000, &ANSWERS), whole);
    assert_eq!(answered(&mut first, 1000, &ANSWERS), whole);
}

#[test]
fn a_link_needs_a_free_place() {
    let mut machine = machine(false);
    assert_eq!(machine.plug_in(0x8000_0020, 1), Err("the exit device"));
    assert_eq!(machine.plug_in(0x100, 1), Err("a memory"));
    assert_eq!(machine.plug_in(LINK, 1), Err("a link"));
}
