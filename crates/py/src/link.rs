//! Machines that exchange packets: each runs until it waits for one.

use cocrypt_soc::{Packet, StopCause};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::machine::Machine;
use crate::report::kind;

/// A packet that was sent: cycle, receiver, bytes.
type Sent<'py> = (u64, u32, Bound<'py, PyBytes>);

/// How a machine stopped, the same in words, the cycle, for how many cycles it waits for a packet, its exit
/// code (0 if it has not ended) and what it has sent since it ran last.
type Held<'py> = (&'static str, String, u64, Option<u32>, u32, Vec<Sent<'py>>);

/// Plugs a link in whose registers begin at an address, and which has a number among its network's nodes.
#[pyfunction]
pub fn link_plug(machine: &mut Machine, base: u32, number: u32) -> PyResult<()> {
    let plugged = machine.soc.plug_in(base, number);
    plugged.map_err(|there| {
        PyValueError::new_err(format!("{there} is at {base:#x}, where the link would be"))
    })
}

/// Runs until the program waits for a packet, ends, or `max_cycles` have passed since reset.
#[pyfunction]
pub fn link_run<'py>(py: Python<'py>, machine: &mut Machine, max_cycles: u64) -> Held<'py> {
    let soc = &mut machine.soc;
    let stop = py.detach(|| soc.run(max_cycles));
    let code = if let StopCause::Exit { code, .. } = stop.cause { code } else { 0 };
    let (name, cause) = kind(stop.cause);
    let cause = soc.reason(&stop).unwrap_or(cause);
    let sent = soc.sent().into_iter();
    let sent = sent.map(|message| (message.cycle, message.to, PyBytes::new(py, &message.bytes)));
    (name, cause, stop.cycles, soc.waits(), code, sent.collect())
}

/// Lets a program that waits go on in a cycle, with a packet (its sender and its bytes) or without.
#[pyfunction]
#[pyo3(signature = (machine, cycle, packet))]
pub fn link_answer(machine: &mut Machine, cycle: u64, packet: Option<(u32, Vec<u8>)>) {
    let packet = packet.map(|(from, bytes)| Packet { from, bytes });
    machine.soc.answer(cycle, packet);
}
