//! The commands of `monitor`.

use cocrypt_soc::Debugger;

const HELP: &str = "\
cycles        clock cycles since reset
instructions  instructions issued since reset
marks         the program's marks: cycle, value
snapshot      keep the machine as it is now
restore       make it what it was at the last snapshot
reset         make it what it was when the debugger came
";

/// Carries out a command; what it says to the user.
pub fn command(debugger: &mut Debugger<'_>, text: &str) -> String {
    let (cycles, instructions) = debugger.machine().counted();
    match text.trim() {
        "cycles" => format!("{cycles}\n"),
        "instructions" => format!("{instructions}\n"),
        "marks" => marks(debugger),
        "snapshot" => {
            debugger.take_snapshot();
            format!("kept as it is in cycle {cycles}\n")
        }
        "restore" if debugger.restore() => is_changed(debugger),
        "restore" => "there is no snapshot; `monitor snapshot` takes one\n".to_owned(),
        "reset" => {
            debugger.reset();
            is_changed(debugger)
        }
        "" | "help" => HELP.to_owned(),
        other => format!("`{other}` is not known:\n{HELP}"),
    }
}

/// The debugger keeps registers that it has read, and must be told to reread them.
fn is_changed(debugger: &Debugger<'_>) -> String {
    let (cycles, _) = debugger.machine().counted();
    format!("back in cycle {cycles}; `maintenance flush register-cache` shows the registers\n")
}

fn marks(debugger: &Debugger<'_>) -> String {
    let marks = debugger.machine().marks();
    if marks.is_empty() {
        return "none\n".to_owned();
    }
    let lines: Vec<_> =
        marks.iter().map(|(cycle, value)| format!("{cycle:>12}  {value:#010x}\n")).collect();
    lines.concat()
}
