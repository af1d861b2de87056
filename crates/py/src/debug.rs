//! A machine under a debugger that comes over TCP.

use std::io::ErrorKind;
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use cocrypt_gdb::{End, serve};
use cocrypt_soc as soc;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::machine::Machine;

/// Time between two looks for the debugger, and for signals.
const PATIENCE: Duration = Duration::from_millis(50);

/// Waits for a debugger at a host's address and a port, 0 for any, and serves it until it goes; how
/// it went, and how many bytes of the console have been passed on. `listening` is told the address and
/// the port, `console` what the program prints meanwhile.
#[pyfunction]
pub fn debug(
    py: Python<'_>,
    mut machine: PyRefMut<'_, Machine>,
    host: &str,
    port: u16,
    listening: &Bound<'_, PyAny>,
    console: Py<PyAny>,
) -> PyResult<(&'static str, usize)> {
    let listener = TcpListener::bind((host, port))?;
    let at = listener.local_addr()?;
    listening.call1((at.ip().to_string(), at.port()))?;
    let stream = accept(py, &listener)?;
    // A second debugger is refused at once, and does not wait for an answer that never comes.
    drop(listener);
    stream.set_nodelay(true)?;
    let machine = &mut *machine;
    let soc = &mut machine.soc;
    let (mut shown, mut failed) = (soc.console().len(), None);
    let mut goes_on = |soc: &soc::Machine| match look(soc, &console, &mut shown) {
        Ok(()) => true,
        Err(error) => {
            failed = Some(error);
            false
        }
    };
    let end = py.detach(|| serve(soc, stream, &mut goes_on));
    // A snapshot that was restored came without compiled code.
    machine.engine.set(&mut machine.soc, machine.store.as_ref(), None);
    if let Some(error) = failed {
        return Err(error);
    }
    look(&machine.soc, &console, &mut shown)?;
    let end = match end.map_err(|error| PyOSError::new_err(error.to_string()))? {
        End::Detached => "detached",
        End::Ended => "ended",
        End::Killed => "killed",
        End::Lost | End::Interrupted => "lost",
    };
    Ok((end, shown))
}

fn accept(py: Python<'_>, listener: &TcpListener) -> PyResult<TcpStream> {
    listener.set_nonblocking(true)?;
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false)?;
                return Ok(stream);
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                py.detach(|| std::thread::sleep(PATIENCE));
                py.check_signals()?;
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Hears signals, and passes on what the program has printed since the last look.
fn look(soc: &soc::Machine, console: &Py<PyAny>, shown: &mut usize) -> PyResult<()> {
    Python::attach(|py| {
        py.check_signals()?;
        // A restored snapshot has printed less than was shown.
        let printed = soc.console();
        *shown = (*shown).min(printed.len());
        if *shown < printed.len() {
            console.call1(py, (PyBytes::new(py, &printed[*shown..]),))?;
            *shown = printed.len();
        }
        Ok(())
    })
}
