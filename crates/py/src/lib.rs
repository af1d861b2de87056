//! The Python module `cocrypt._native`: converts, releases the interpreter lock, calls, converts back.

mod config;
mod convert;
mod debug;
mod errors;
mod fdl;
mod fdl_blocks;
mod fdl_files;
mod fdl_network;
mod fdl_run;
mod fdl_waves;
mod files;
mod gates;
mod guest;
mod image;
mod instructions;
mod kept_code;
mod leakage;
mod link;
mod machine;
mod profile;
mod report;
mod sampler;
mod secrets;
mod traces;
mod waves;

use pyo3::prelude::*;

/// The native part of cocrypt.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::config::{load_coprocessor, load_device, load_primitive, load_study};
    /// Instructions that a turn of a loop which waits for a coprocessor issues at most.
    #[pymodule_export]
    const LONGEST_TURN: u64 = cocrypt_soc::LONGEST_TURN;
    #[pymodule_export]
    use super::debug::debug;
    #[pymodule_export]
    use super::errors::DiagnosticError;
    #[pymodule_export]
    use super::fdl::{
        fdl_check, fdl_diagram, fdl_ports, fdl_simulate, fdl_tops, fdl_verilog, fdl_vhdl,
        verilog_simulate,
    };
    #[pymodule_export]
    use super::fdl_blocks::fdl_blocks;
    #[pymodule_export]
    use super::fdl_network::fdl_cores;
    #[pymodule_export]
    use super::fdl_run::fdl_run;
    #[pymodule_export]
    use super::gates::{
        gates_energy, gates_execute, gates_library, gates_outputs, gates_report, gates_simulate,
        gates_verilog,
    };
    #[pymodule_export]
    use super::image::{
        function_parameters, function_results, image_info, image_section, image_segments, type_size,
    };
    #[pymodule_export]
    use super::instructions::{instruction_sets, jump, target_title, target_words};
    #[pymodule_export]
    use super::leakage::{leak_attack, leak_explained, leak_welch};
    #[pymodule_export]
    use super::link::{link_answer, link_plug, link_run};
    #[pymodule_export]
    use super::machine::{Machine, run_many};
    #[pymodule_export]
    use super::sampler::{LeakageSampler, load_leakage};
    #[pymodule_export]
    use super::traces::{TraceWriter, trace_set};
    #[pymodule_export]
    use super::waves::waves;
}
