//! A session with one debugger, over TCP.

use std::convert::Infallible;
use std::io::{ErrorKind, Read, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use cocrypt_soc::{Debugger, Machine};
use gdbstub::common::Signal;
use gdbstub::stub::state_machine::GdbStubStateMachine as Session;
use gdbstub::stub::{DisconnectReason, GdbStub, GdbStubError, SingleThreadStopReason};

use crate::target::Stub;

/// The time for which the server waits for the debugger before it looks whether to go on at all.
const PATIENCE: Duration = Duration::from_millis(50);

/// The end of a session.
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

/// The answer to a packet that cannot be understood: the debugger takes it as a refusal and goes on.
const REFUSED: &[u8] = b"$E01#a6";

/// Serves one debugger until it goes. `goes_on` is asked now and then, with the machine, whether the
/// session should go on. What cannot be understood is answered with an error, and changes nothing.
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
    let mut session = begin(&stream, &mut stub)?;
    loop {
        if !goes_on(stub.debugger().machine()) {
            return Ok(End::Interrupted);
        }
        session = match session {
            Session::Disconnected(gone) => return Ok(end(gone.get_reason())),
            active => match step(active, &mut stream, &mut stub) {
                Ok(Some(next)) => next,
                Ok(None) => return Ok(End::Lost),
                Err(error) if error.is_connection_error() => return Ok(End::Lost),
                Err(_) if stream.write_all(REFUSED).is_err() => return Ok(End::Lost),
                Err(_) => begin(&stream, &mut stub)?,
            },
        };
    }
}

type Live<'a, 'm> = Session<'a, Stub<'m>, TcpStream>;
type Fault = GdbStubError<Infallible, std::io::Error>;

fn begin<'a, 'm>(stream: &TcpStream, stub: &mut Stub<'m>) -> Result<Live<'a, 'm>, ServeError> {
    let connection = stream.try_clone().map_err(failed)?;
    GdbStub::new(connection).run_state_machine(stub).map_err(failed)
}

/// A byte from the debugger, or a while of the program; nothing where the connection is closed.
fn step<'a, 'm>(
    session: Live<'a, 'm>,
    stream: &mut TcpStream,
    stub: &mut Stub<'m>,
) -> Result<Option<Live<'a, 'm>>, Fault> {
    let next = match session {
        Session::Idle(idle) => match received(stream, true) {
            Received::Byte(byte) => idle.incoming_data(stub, byte)?,
            Received::Nothing => idle.into(),
            Received::End => return Ok(None),
        },
        Session::Running(running) => match received(stream, false) {
            Received::Byte(byte) => running.incoming_data(stub, byte)?,
            Received::End => return Ok(None),
            Received::Nothing => match stub.go_on() {
                Some(reason) => running.report_stop(stub, reason)?,
                None => running.into(),
            },
        },
        Session::CtrlCInterrupt(interrupted) => {
            let reason = SingleThreadStopReason::Signal(Signal::SIGINT);
            interrupted.interrupt_handled(stub, Some(reason))?
        }
        Session::Disconnected(gone) => gone.into(),
    };
    Ok(Some(next))
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

/// A byte from the debugger, for which a patient server waits a little. A connection that fails is as
/// good as closed.
fn received(stream: &mut TcpStream, patient: bool) -> Received {
    let mut byte = [0];
    let read = stream.set_nonblocking(!patient).and_then(|()| stream.read(&mut byte));
    // What is written next must not fail because the debugger is slow.
    let blocks = stream.set_nonblocking(false);
    match blocks.and(read) {
        Ok(0) => Received::End,
        Ok(_) => Received::Byte(byte[0]),
        Err(error) => match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {
                Received::Nothing
            }
            _ => Received::End,
        },
    }
}

fn failed(error: impl std::fmt::Display) -> ServeError {
    ServeError(error.to_string())
}
