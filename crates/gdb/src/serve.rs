//! A session with one debugger, over TCP.

use std::io::{ErrorKind, Read};
use std::net::TcpStream;
use std::time::Duration;

use cocrypt_soc::{Debugger, Machine};
use gdbstub::common::Signal;
use gdbstub::stub::state_machine::GdbStubStateMachine as Session;
use gdbstub::stub::{DisconnectReason, GdbStub, SingleThreadStopReason};

use crate::target::Stub;

/// How long the server waits for the debugger before it looks whether to go on at all.
const PATIENCE: Duration = Duration::from_millis(50);

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The debugger let the program go on without it.
    Detached,
    /// The program ended while it was watched.
    Ended,
    /// The debugger killed the program.
    Killed,
    /// The connection broke.
    Lost,
    /// The host wanted to end it.
    Interrupted,
}

/// The debugger said what the server does not understand, or the connection failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the session with the debugger failed: {0}")]
pub struct ServeError(pub String);

/// Serves one debugger until it goes. `goes_on` is asked now and then, with the machine, whether the
/// session should go on.
///
/// # Errors
/// If the connection fails otherwise than by being closed.
pub fn serve(
    machine: &mut Machine,
    mut stream: TcpStream,
    goes_on: &mut dyn FnMut(&Machine) -> bool,
) -> Result<End, ServeError> {
    stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
    let mut stub = Stub::new(Debugger::new(machine));
    let connection = stream.try_clone().map_err(failed)?;
    let mut session = GdbStub::new(connection).run_state_machine(&mut stub).map_err(failed)?;
    loop {
        if !goes_on(stub.debugger().machine()) {
            return Ok(End::Interrupted);
        }
        session = match session {
            Session::Idle(idle) => match received(&mut stream, true)? {
                Received::Byte(byte) => idle.incoming_data(&mut stub, byte).map_err(failed)?,
                Received::Nothing => idle.into(),
                Received::End => return Ok(End::Lost),
            },
            Session::Running(running) => match received(&mut stream, false)? {
                Received::Byte(byte) => running.incoming_data(&mut stub, byte).map_err(failed)?,
                Received::End => return Ok(End::Lost),
                Received::Nothing => match stub.go_on() {
                    Some(reason) => running.report_stop(&mut stub, reason).map_err(failed)?,
                    None => running.into(),
                },
            },
            Session::CtrlCInterrupt(interrupted) => {
                let reason = SingleThreadStopReason::Signal(Signal::SIGINT);
                interrupted.interrupt_handled(&mut stub, Some(reason)).map_err(failed)?
            }
            Session::Disconnected(gone) => return Ok(end(gone.get_reason())),
        };
    }
}

const fn end(reason: DisconnectReason) -> End {
    match reason {
        DisconnectReason::TargetExited(_) | DisconnectReason::TargetTerminated(_) => End::Ended,
        DisconnectReason::Disconnect => End::Detached,
        DisconnectReason::Kill => End::Killed,
    }
}

enum Received {
    Byte(u8),
    Nothing,
    End,
}

/// A byte from the debugger, for which a patient server waits a little.
fn received(stream: &mut TcpStream, patient: bool) -> Result<Received, ServeError> {
    let mut byte = [0];
    stream.set_nonblocking(!patient).map_err(failed)?;
    let read = stream.read(&mut byte);
    stream.set_nonblocking(false).map_err(failed)?;
    match read {
        Ok(0) => Ok(Received::End),
        Ok(_) => Ok(Received::Byte(byte[0])),
        Err(error) => match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {
                Ok(Received::Nothing)
            }
            ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => Ok(Received::End),
            _ => Err(failed(error)),
        },
    }
}

fn failed(error: impl std::fmt::Display) -> ServeError {
    ServeError(error.to_string())
}
