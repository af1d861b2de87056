//! Interrupt entry and return, and the cycle in which an interrupt is taken.
//!
//! Sources: DS40002198, sections 6.89 and 6.104; the data sheets of `ATmega328P` (DS40002061, 12.1) and
//! ATtiny25/45/85 (2586, 9.1) for vectors.

use std::collections::BTreeMap;

use cocrypt_ir::{Block, Counter, Environment, Exit, Fault, Outcome, StopKind, Width, evaluate};
use cocrypt_isa::{
    ClassCost, CodeMemory, Decision, Front, Frontend as _, Registers, TimingModel as _, Trap,
};
use cocrypt_isa_avr::class::CLASSES;
use cocrypt_isa_avr::{Avr, DATA, Features, Timing, Variant, cells};

const SEI: u16 = 0x9478;
const RETI: u16 = 0x9518;
const OUT_SREG_R16: u16 = 0xbf0f;
const NOP: u16 = 0;
const SLEEP: u16 = 0x9588;

struct Code([u16; 2]);

impl CodeMemory for Code {
    fn unit(&self, address: u64) -> Option<u16> {
        Some(self.0[usize::from(address != 0x100)])
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        1
    }
    fn is_boundary(&self, _: u64) -> bool {
        true
    }
}

#[derive(Default)]
struct Stack(BTreeMap<u32, u64>);

impl Environment for Stack {
    fn load(&mut self, address: u32, _: Width) -> Result<u64, Fault> {
        self.0.get(&address).copied().ok_or(Fault { address })
    }
    fn store(&mut self, address: u32, _: Width, value: u64) -> Result<(), Fault> {
        self.0.insert(address, value);
        Ok(())
    }
    fn count(&mut self, _: Counter) -> u64 {
        0
    }
}

fn frontend(core: Features) -> Avr {
    Avr::new(core, [true; CLASSES.len()])
}

fn fresh(frontend: &Avr) -> Vec<u64> {
    let count = frontend.cells().len() + usize::from(frontend.temporaries());
    let mut state = vec![0; count];
    state[usize::from(cells::SP.0)] = u64::from(DATA) | 0x1ff;
    state
}

/// Goes to the handler of line 3 from `at`, and back; what the stack held, and where the handler was.
fn there_and_back(core: Features, at: u64) -> (Vec<u64>, u64) {
    let frontend = frontend(core);
    let (mut state, mut stack) = (fresh(&frontend), Stack::default());
    state[usize::from(cells::I.0)] = 1;
    assert_eq!(frontend.interrupt(&state, 0b11_1000), Some(3), "the lowest line comes first");
    let trap = Trap::Interrupt { number: 3, note: 0 };
    let block = frontend.trap(trap, &Code([NOP; 2]), at, &state, 0).expect("a way to the handler");
    let Ok(Outcome::Goto(handler)) = evaluate(&block, &mut state, &mut stack) else {
        panic!("it leads nowhere")
    };
    assert_eq!(frontend.interrupt(&state, u32::MAX), None, "handlers are not interrupted");
    let held = stack.0.values().copied().collect();
    let back = frontend.lift(&Code([RETI; 2]), 0, 0).expect("reti");
    assert_eq!(evaluate(&back, &mut state, &mut stack), Ok(Outcome::Goto(at)));
    assert_eq!(state[usize::from(cells::SP.0)], u64::from(DATA) | 0x1ff);
    assert_eq!(state[usize::from(cells::I.0)], 1);
    assert_eq!(frontend.interrupt(&state, 0b1000), Some(3), "and may come again");
    (held, handler)
}

#[test]
fn handlers_are_reached_and_left() {
    let mega = Features::new(Variant::AvrePlus, 16384);
    assert_eq!(there_and_back(mega, 0x1234), (vec![0x09, 0x1a], 12));
    let tiny = Features::new(Variant::Avre, 4096);
    assert_eq!(there_and_back(tiny, 0x1234), (vec![0x09, 0x1a], 6));
    let wide = Features { wide_counter: true, ..Features::new(Variant::AvrePlus, 131_072) };
    assert_eq!(there_and_back(wide, 0x3_5678), (vec![0x01, 0xab, 0x3c], 12));
    for variant in [Variant::Avrxm, Variant::Avrxt] {
        assert_eq!(there_and_back(Features::new(variant, 16384), 0x200), (vec![0x01, 0x00], 12));
    }
    assert_eq!(there_and_back(Features::new(Variant::Avrrc, 512), 0x200), (vec![0x01, 0x00], 6));
}

/// The decision about the instruction behind one, with a line up that may interrupt.
fn behind(word: u16) -> Decision {
    let cost = ClassCost { ask: 1, rule: None, per_step: None };
    let table = CLASSES.iter().map(|name| ((*name).to_owned(), cost.clone())).collect();
    let timing = Timing::new(&table).expect("no rules");
    let core = frontend(Features::new(Variant::AvrePlus, 16384));
    let block: Block = core.lift(&Code([word; 2]), 0, 0).expect("an instruction");
    let asks = |_: Registers, _: i32| Some(3);
    let front = Front {
        pc: 2,
        state: 0,
        previous: Some(&block),
        taken: false,
        returned: false,
        left: None,
        asks: &asks,
        holds: &|_| true,
    };
    timing.interrupts().decide(&front, &Code([NOP; 2]))
}

#[test]
fn an_instruction_comes_behind_one_that_enables_interrupts() {
    for word in [SEI, RETI, OUT_SREG_R16] {
        assert_eq!(behind(word), Decision::Issues, "{word:#06x}");
    }
    assert!(matches!(behind(NOP), Decision::Interrupted { number: 3, cycles: 0, .. }));
}

#[test]
fn what_enables_interrupts_ends_its_block() {
    let core = frontend(Features::new(Variant::Avre, 4096));
    for word in [SEI, RETI, OUT_SREG_R16] {
        let block = core.lift(&Code([word; 2]), 0, 0).expect("an instruction");
        let yields = matches!(block.exit, Exit::Yield { .. } | Exit::YieldIf { .. });
        assert!(yields, "{word:#06x}");
    }
}

#[test]
fn sleep_waits_and_goes_on_behind() {
    let core = frontend(Features::new(Variant::Avrxt, 16384));
    let sleep = Code([SLEEP; 2]);
    let block = core.lift(&sleep, 0x100, 0).expect("an instruction");
    assert_eq!(block.exit, Exit::Stop(StopKind::Wait));
    let waited = core.trap(Trap::Instruction(StopKind::Wait), &sleep, 0x100, &fresh(&core), 0);
    assert_eq!(waited.expect("a way on").exit, Exit::Next { pc: 0x102 });
    let illegal = Trap::Instruction(StopKind::IllegalInstruction);
    assert_eq!(
        core.trap(illegal, &sleep, 0x100, &fresh(&core), 0),
        None,
        "there are no exceptions"
    );
}

#[test]
fn registers_are_memory_where_the_manual_says_so() {
    let names = |core: Features| -> Vec<(u32, Vec<&'static str>)> {
        let frontend = frontend(core);
        let name = |part: &cocrypt_isa::CellPart| frontend.cells()[usize::from(part.cell.0)];
        let all = frontend.mapped_cells().iter();
        all.map(|cell| (cell.address - DATA, cell.parts.iter().map(name).collect())).collect()
    };
    let mega = names(Features::new(Variant::AvrePlus, 16384));
    assert_eq!(mega.len(), 35);
    assert_eq!(mega[31], (31, vec!["r31"]));
    assert_eq!(mega[32..34], [(0x5d, vec!["SP"]), (0x5e, vec!["SP"])]);
    assert_eq!(mega[34], (0x5f, vec!["C", "Z", "N", "V", "S", "H", "T", "I"]));
    let modern = names(Features::new(Variant::Avrxt, 65536));
    let places: Vec<u32> = modern.iter().map(|(address, _)| *address).collect();
    assert_eq!(places, [0x3b, 0x3d, 0x3e, 0x3f]);
    let wide =
        Features { wide_counter: true, large_data: true, ..Features::new(Variant::Avrxm, 1 << 18) };
    assert_eq!(
        names(wide)[..5].iter().map(|(at, _)| *at).collect::<Vec<_>>(),
        [0x38, 0x39, 0x3a, 0x3b, 0x3c]
    );
}

#[test]
fn bytes_of_memory_are_composed_of_cells() {
    let frontend = frontend(Features::new(Variant::AvrePlus, 16384));
    let mut state = fresh(&frontend);
    let at = |address| frontend.mapped_cells().iter().find(|cell| cell.address == DATA + address);
    let [low, high, status] = [0x5d, 0x5e, 0x5f].map(|address| at(address).expect("it is mapped"));
    assert_eq!((low.read(&state), high.read(&state)), (0xff, 0x01));
    high.write(&mut state, 0x08);
    assert_eq!(state[usize::from(cells::SP.0)], u64::from(DATA) | 0x8ff);
    status.write(&mut state, 0b1000_0011);
    assert_eq!(status.read(&state), 0b1000_0011);
    assert_eq!((state[usize::from(cells::I.0)], state[usize::from(cells::N.0)]), (1, 0));
}
