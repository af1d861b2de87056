//! The instructions that are compared, in assembly: operands in r2 to r4, results in r0 and r1 that are
//! operands too where something is added; r5 points to 64 bytes of memory.

/// Instructions of a core.
pub struct Forms {
    /// As the assembler names it.
    pub cpu: &'static str,
    /// As QEMU names one that has all of them. Its user mode runs programs of the A profile only, where
    /// these instructions are the same.
    pub emulated: &'static str,
    /// True if they are Thumb.
    pub thumb: bool,
    /// One for each stub; several are divided by semicolons.
    pub lines: Vec<String>,
}

/// The instructions of a Cortex-M4 in the families.
pub fn cortex_m4() -> Forms {
    let mut lines = products();
    lines.extend(thumb_products());
    lines.extend(dual_products());
    lines.extend(saturation());
    lines.extend(parallel());
    lines.extend(extensions());
    lines.extend(fields());
    lines.extend(reordered());
    lines.extend(vector());
    Forms { cpu: "cortex-m4", emulated: "max", thumb: true, lines }
}

/// The instructions of an ARM926EJ-S in the families, in A32.
pub fn arm926() -> Forms {
    let mut lines = products();
    lines.extend(flag_products());
    lines.extend(saturating_sums());
    lines.push("clz r0, r2".into());
    Forms { cpu: "arm926ej-s", emulated: "arm926", thumb: false, lines }
}

fn texts(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|&line| line.to_owned()).collect()
}

/// All ways to put one of each list's strings in the place of its pair of braces.
fn each(pattern: &str, lists: &[&[&str]]) -> Vec<String> {
    let mut lines = vec![pattern.to_owned()];
    for list in lists {
        let filled = |line: &String| {
            list.iter().map(|text| line.replacen("{}", text, 1)).collect::<Vec<_>>()
        };
        lines = lines.iter().flat_map(filled).collect();
    }
    lines
}

const HALF: &[&str] = &["b", "t"];
const EXCHANGE: &[&str] = &["", "x"];

/// Those of `ARMv5TE`, by the same names in all instruction sets.
fn products() -> Vec<String> {
    let mut lines = texts(&["mul r0, r2, r3", "mla r0, r2, r3, r4", "mla r2, r3, r2, r2"]);
    lines.extend(each("{} r0, r1, r2, r3", &[&["umull", "smull", "umlal", "smlal"]]));
    lines.extend(each("smul{}{} r0, r2, r3", &[HALF, HALF]));
    lines.extend(each("smla{}{} r0, r2, r3, r4", &[HALF, HALF]));
    lines.extend(each("smla{}{} r2, r3, r2, r2", &[HALF, HALF]));
    lines.extend(each("smulw{} r0, r2, r3", &[HALF]));
    lines.extend(each("smlaw{} r0, r2, r3, r4", &[HALF]));
    lines.extend(each("smlal{}{} r0, r1, r2, r3", &[HALF, HALF]));
    lines
}

fn flag_products() -> Vec<String> {
    texts(&[
        "muls r0, r2, r3",
        "mlas r0, r2, r3, r4",
        "umulls r0, r1, r2, r3",
        "smulls r0, r1, r2, r3",
        "umlals r0, r1, r2, r3",
        "smlals r0, r1, r2, r3",
    ])
}

fn thumb_products() -> Vec<String> {
    texts(&[
        "muls r0, r2, r0",
        "mls r0, r2, r3, r4",
        "umaal r0, r1, r2, r3",
        "umaal r0, r1, r1, r0",
        "sdiv r0, r2, r3",
        "udiv r0, r2, r3",
        "mov r3, #0; sdiv r0, r2, r3; udiv r1, r2, r3",
        "mov r3, #-1; sdiv r0, r2, r3",
    ])
}

fn dual_products() -> Vec<String> {
    let mut lines = each("{}{} r0, r2, r3", &[&["smuad", "smusd"], EXCHANGE]);
    lines.extend(each("{} r1, r0, r0, r1", &[&["umull", "smull"]]));
    lines.extend(each("{}{} r0, r2, r3, r4", &[&["smlad", "smlsd"], EXCHANGE]));
    lines.extend(each("{}{} r3, r2, r3, r3", &[&["smlad", "smlsd"], EXCHANGE]));
    lines.extend(each("{}{} r0, r1, r2, r3", &[&["smlald", "smlsld"], EXCHANGE]));
    lines.extend(each("{}{} r0, r1, r0, r1", &[&["smlald", "smlsld"], EXCHANGE]));
    lines.extend(each("smmul{} r0, r2, r3", &[&["", "r"]]));
    lines.extend(each("{}{} r0, r2, r3, r4", &[&["smmla", "smmls"], &["", "r"]]));
    lines
}

fn saturating_sums() -> Vec<String> {
    each("{} r0, r2, r3", &[&["qadd", "qsub", "qdadd", "qdsub"]])
}

fn saturation() -> Vec<String> {
    let mut lines = saturating_sums();
    for bits in 0..32 {
        let (signed, shift) = (bits + 1, bits.max(1));
        lines.push(format!("ssat r0, #{signed}, r2"));
        lines.push(format!("usat r0, #{bits}, r2"));
        lines.push(format!("ssat r0, #{signed}, r2, asr #{}", 32 - shift));
        lines.push(format!("usat r0, #{bits}, r2, lsl #{shift}"));
    }
    for bits in 0..16 {
        lines.push(format!("ssat16 r0, #{}, r2", bits + 1));
        lines.push(format!("usat16 r0, #{bits}, r2"));
    }
    lines
}

fn parallel() -> Vec<String> {
    let kinds: &[&str] = &["s", "q", "sh", "u", "uq", "uh"];
    let ops: &[&str] = &["add16", "asx", "sax", "sub16", "add8", "sub8"];
    let mut lines = each("{}{} r0, r2, r3", &[kinds, ops]);
    lines.extend(each("{}{} r2, r3, r2; sel r0, r2, r3", &[&["s", "u"], ops]));
    lines.extend(texts(&["sel r0, r2, r3", "usad8 r0, r2, r3", "usada8 r0, r2, r3, r4"]));
    lines
}

fn extensions() -> Vec<String> {
    let rotations: &[&str] = &["", ", ror #8", ", ror #16", ", ror #24"];
    let kinds: &[&str] = &["xtb", "xth", "xtb16"];
    let mut lines = each("{}{}.w r0, r2{}", &[&["s", "u"], kinds, rotations]);
    let kinds: &[&str] = &["xtab", "xtah", "xtab16"];
    lines.extend(each("{}{} r0, r2, r3{}", &[&["s", "u"], kinds, rotations]));
    lines.extend(each("{}{}.n r0, r2", &[&["s", "u"], &["xtb", "xth"]]));
    for amount in 0..32 {
        lines.push(format!("pkhbt r0, r2, r3, lsl #{amount}"));
        lines.push(format!("pkhtb r0, r2, r3, asr #{}", amount + 1));
    }
    lines
}

fn fields() -> Vec<String> {
    let mut lines = vec![];
    for (lsb, width) in
        [(0, 1), (0, 8), (0, 16), (0, 31), (0, 32), (1, 31), (3, 7), (8, 16), (16, 16), (31, 1)]
    {
        for name in ["sbfx", "ubfx", "bfi"] {
            lines.push(format!("{name} r0, r2, #{lsb}, #{width}"));
        }
        lines.push(format!("bfc r0, #{lsb}, #{width}"));
    }
    lines
}

fn reordered() -> Vec<String> {
    let mut lines = each("{} r0, r2", &[&["clz", "rbit", "rev.w", "rev16.w", "revsh.w"]]);
    lines.extend(each("{}.n r0, r2", &[&["rev", "rev16", "revsh"]]));
    lines.extend(texts(&["movw r0, #0xbeef", "movt r0, #0xdead", "movt r0, #0"]));
    lines.extend(texts(&["adr.n r0, .+8", "adr.w r0, .-20", "nop; adr.w r0, .+6"]));
    lines
}

fn vector() -> Vec<String> {
    texts(&[
        "vmov s31, r2; vmov.f32 s7, s31; vmov r0, s7",
        "vmov d8, r2, r3; vmov r1, s16; vmov r0, s17",
        "vmov s3, s4, r2, r3; vmov r0, r1, s3, s4",
        "vmov.f32 s9, #-1.5; vmov r0, s9",
        "and r2, #0xf0000000; vmsr fpscr, r2; vmrs r0, fpscr",
        "and r2, #0xf7000000; vmsr fpscr, r2; vmrs APSR_nzcv, fpscr",
        "vmov s4, s5, r2, r3; vstmia r5!, {s4-s5}; vldmdb r5!, {s6-s7}; vmov r0, r1, s6, s7",
        "vmov d1, r2, r3; vstr d1, [r5, #8]; vldr s9, [r5, #12]; vmov r0, s9",
        "vmov s2, r2; vmov s3, r3; vstmia r5, {d1}; ldr r1, [r5]; vldmia r5, {s0-s1}; vmov r0, s1",
    ])
}
