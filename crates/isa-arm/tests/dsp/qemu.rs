//! Instructions on another's core: a static program for QEMU's user mode, made with binutils, that
//! executes each on given operands.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::forms::Forms;

/// Registers and flags, before or after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// N, Z, C, V, Q and GE where the status register has them.
    pub flags: u32,
    /// r0 to r4.
    pub r: [u32; 5],
}

/// An instruction on operands.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The form.
    pub form: usize,
    /// Its start value.
    pub before: Words,
}

/// The address of the stubs, and the size of each in bytes.
pub const STUBS: u32 = 0x0400_0000;
pub const SIZE: u32 = 32;

/// The code of all stubs, and what each case left.
pub struct Ran {
    /// From [`STUBS`] on.
    pub code: Vec<u8>,
    /// In the order of the cases.
    pub after: Vec<Words>,
}

const TOOLS: [&str; 3] = ["arm-none-eabi-gcc", "arm-none-eabi-objcopy", "qemu-arm"];

/// Returns true if all tools are there; says which is not, and fails if none may be missing.
pub fn is_there() -> bool {
    let missing = TOOLS.into_iter().find(|tool| find(tool).is_none());
    let Some(tool) = missing else { return true };
    assert!(
        std::env::var_os("COCRYPT_REQUIRE_TOOLS").is_none(),
        "{tool} is missing, and COCRYPT_REQUIRE_TOOLS is set"
    );
    eprintln!("did not run: {tool} is missing (`cocrypt doctor` says how to get it)");
    false
}

fn find(tool: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths).map(|path| path.join(tool)).find(|path| path.is_file())
}

/// Executes the cases.
pub fn run(forms: &Forms, cases: &[Case]) -> Ran {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("dsp-{}", forms.cpu));
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    let input: Vec<u8> = cases.iter().flat_map(|case| bytes(forms, case)).collect();
    std::fs::write(folder.join("input"), input).expect("a file");
    std::fs::write(folder.join("program.s"), program(forms, cases.len())).expect("a file");
    let mut gcc = Command::new(TOOLS[0]);
    gcc.arg(format!("-mcpu={}", forms.cpu)).arg(if forms.thumb { "-mthumb" } else { "-marm" });
    if forms.thumb {
        gcc.args(["-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"]);
    }
    gcc.args(["-nostdlib", "-static"]).arg(format!("-Wl,--section-start=.stubs={STUBS:#x}"));
    output(gcc.args(["program.s", "-o", "program"]).current_dir(&folder));
    let mut copy = Command::new(TOOLS[1]);
    copy.args(["-O", "binary", "-j", ".stubs", "program", "stubs"]);
    output(copy.current_dir(&folder));
    let mut qemu = Command::new(TOOLS[2]);
    let result = output(qemu.args(["-cpu", forms.emulated, "program"]).current_dir(&folder)).stdout;
    let words: Vec<u32> = result
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect();
    let after = words
        .chunks_exact(6)
        .map(|word| Words { flags: word[5], r: [word[0], word[1], word[2], word[3], word[4]] })
        .collect();
    Ran { code: std::fs::read(folder.join("stubs")).expect("a file"), after }
}

fn output(command: &mut Command) -> Output {
    let output = command.output().expect("a tool that starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    output
}

/// A case as the program reads it.
fn bytes(forms: &Forms, case: &Case) -> Vec<u8> {
    let stub = STUBS + case.form as u32 * SIZE + u32::from(forms.thumb);
    let words = [stub, case.before.flags].into_iter().chain(case.before.r);
    words.flat_map(u32::to_le_bytes).collect()
}

/// The program: a loop over the cases, then one `write` (4) of all results, and `exit` (1).
fn program(forms: &Forms, cases: usize) -> String {
    let set = if forms.thumb { ".thumb" } else { ".arm" };
    let status = if forms.thumb { ["apsr_nzcvqg", "apsr"] } else { ["cpsr_f", "cpsr"] };
    let kind = if forms.thumb { ".thumb_func" } else { "" };
    let stub = |line: &String| format!(".balign {SIZE}\n{}\nbx lr\n", line.replace("; ", "\n"));
    let stubs: String = forms.lines.iter().map(stub).collect();
    let [write, read] = status;
    let size = cases * 24;
    format!(
        ".syntax unified\n{set}\n.text\n.global _start\n{kind}\n_start:\n\
         ldr r8, =input\nldr r9, =output\nldr r10, =output + {size}\n\
         next:\nldr r6, [r8], #4\nldr r7, [r8], #4\nldr r5, =memory\nldmia r8!, {{r0-r4}}\n\
         msr {write}, r7\nblx r6\nmrs r7, {read}\nstmia r9!, {{r0-r4, r7}}\n\
         cmp r9, r10\nbne next\n\
         ldr r6, =output\n\
         more:\nmov r0, #1\nmov r1, r6\nsub r2, r10, r6\nmov r7, #4\nsvc 0\n\
         cmp r0, #0\nble done\nadd r6, r6, r0\ncmp r6, r10\nbne more\n\
         done:\nmov r0, #0\nmov r7, #1\nsvc 0\n.ltorg\n\
         .section .stubs, \"ax\"\n{stubs}\
         .data\n.balign 4\ninput: .incbin \"input\"\n\
         .bss\n.balign 8\nmemory: .space 64\noutput: .space {size}\n"
    )
}
