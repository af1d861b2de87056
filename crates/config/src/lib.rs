//! Every TOML kind, read once: plain checked values, and a diagnostic with its place for every
//! mistake. All mistakes of a file are reported together.
//!
//! Nothing here knows how the values are used.

mod authentication;
mod bytes;
mod cache;
mod candidate;
mod chip;
mod coprocessor;
mod core;
mod device;
mod flash;
mod java;
mod kinds;
mod leakage;
mod multiplier;
mod names;
mod pattern;
mod primitive;
mod privileged;
mod ranges;
mod reader;
mod search;
mod section;
mod settings;
mod sources;
mod study;
mod study_leakage;
mod system;
mod timer;
mod toolchain;
mod trace_set;
mod window;

pub use authentication::{Authentication, Node};
pub use cache::{Cache, Caches, REPLACEMENTS, WRITES};
pub use candidate::{Alternative, Candidate};
pub use chip::{ChipRegister, ChipRegisterKind};
pub use coprocessor::{Access, Coprocessor, Face, Field, Register, Role};
pub use core::{ClassRule, Core, Parameter, ResolvedClass, SourceRange, Target};
pub use device::{
    Bus, Device, Memory, MemoryKind, Peripheral, PeripheralKind, Power, PowerClass, Ratio, Toggling,
};
pub use flash::Flash;
pub use java::Java;
pub use leakage::{LEAKAGE_KINDS, LEAKAGE_SOURCES, Leakage, LeakageKind, LeakageWeights};
pub use multiplier::Multiplier;
pub use primitive::{Implementation, Member, Primitive, PrimitiveOperation};
pub use privileged::{COUNTERS, Csr, EXCEPTIONS, Irq, Privileged};
pub use search::{Search, Sweep};
pub use settings::Settings;
pub use study::{Partition, Study, Verify, Workload};
pub use study_leakage::{LeakageInput, LeakageOutput, StudyLeakage};
pub use system::System;
pub use timer::ChipTimer;
pub use toolchain::{DeviceToolchain, Toolchain};
pub use trace_set::{Column, Dtype, TraceSet, is_column_name};
pub use window::MemoryWindow;
