//! Any code has a cost on any core, whatever is pending, and as many of them as instructions.

use std::path::Path;

use cocrypt_config::Core;
use cocrypt_isa::{ClassCost, CodeMemory, Frontend, STAYS};
use cocrypt_isa_arm::architecture::{Architecture, Version};
use cocrypt_isa_arm::lift::Arm;
use cocrypt_isa_arm::state::State;
use cocrypt_isa_arm::timing::{Flash, Kind, Surroundings, model};
use proptest::prelude::*;

const CORES: [(&str, Version); 7] = [
    ("sa1110", Version::V4),
    ("arm7tdmi", Version::V4T),
    ("arm926ej-s", Version::V5TE),
    ("cortex-m0", Version::V6M),
    ("cortex-m0plus", Version::V6M),
    ("cortex-m3", Version::V7M),
    ("cortex-m4", Version::V7EM),
];
/// The interface of an STM32F4.
const FLASH: Flash = Flash {
    base: 0,
    size: 0x1000,
    line: 16,
    waits: 5,
    prefetch: true,
    instruction_lines: 64,
    data_lines: 8,
};

/// Code from address 0 on.
struct Code(Vec<u16>);

impl CodeMemory for Code {
    fn unit(&self, address: u64) -> Option<u16> {
        self.0.get(address as usize / 2).copied()
    }
    fn fetch_wait(&self, address: u64) -> u32 {
        1 + (address >= 64) as u32
    }
    fn is_boundary(&self, address: u64) -> bool {
        address == 40
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cocrypt_sample::cases(1500), failure_persistence: None, ..ProptestConfig::default()
    })]
    #[test]
    fn any_code_has_a_cost(
        units in prop::collection::vec(any::<u16>(), 1..80),
        which in 0..CORES.len(),
        thumb in any::<bool>(),
        has_flash in any::<bool>(),
        data_wait in 0..4u32,
    ) {
        let (name, version) = CORES[which];
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../devices/cores");
        let core = Core::load(&path.join(format!("{name}.toml"))).expect("a core");
        let parameters = core.parameters.iter().map(|(name, parameter)| (name.clone(), parameter.default));
        let class = |(name, class): (String, cocrypt_config::ResolvedClass)| {
            (name, ClassCost { ask: class.ask, rule: class.rule, per_step: class.per_step })
        };
        let table = core.resolve(&parameters.collect()).into_iter().map(class).collect();
        let architecture = Architecture { version, vector: false };
        let kind = Kind::named(&core.timing).expect("a timing model");
        let flash = (has_flash && version.is_m()).then_some(FLASH);
        let surroundings = Surroundings { flash, nonsequential: 1, unmerged: vec![(0, 64)] };
        let timing = model(kind, architecture, &table, surroundings).expect("known rules");
        let arm = Arm {
            implemented: std::array::from_fn(|class| timing.implements(class as u8)),
            ..Arm::new(architecture)
        };
        let thumb = version.is_m() || thumb && version.has_thumb();
        let mode = State { thumb, mode: 0x13, ..State::default() }.number();
        let code = Code(units);
        let (mut pc, mut mode, mut pending) = (0, mode, 0);
        while let Ok(block) = arm.lift(&code, pc, mode) {
            let cost = timing.cost(&block, &code, data_wait, pending);
            prop_assert_eq!(cost.insns.len(), block.insns.len());
            for extra in cost.insns.iter().filter_map(|insn| insn.extra.as_ref()) {
                prop_assert!(extra.table.len().is_power_of_two());
                let known = extra.exit_states.iter().filter(|&&pending| pending != STAYS);
                for &known in known {
                    prop_assert!(known != pending, "it would be left for ever");
                }
            }
            let last = block.insns.last().expect("an instruction");
            (pc, mode) = (last.pc + u64::from(last.length.max(1)), block.onward);
            pending = cost.exit_states[0];
        }
    }
}
