//! 16-bit instructions, each expanded to the 32-bit instruction that it stands for.
//!
//! Source: unprivileged manual, chapter 16, tables 16.5 to 16.7. Reserved encodings expand to nothing.

const OP: u32 = 0x33;
const OP_IMM: u32 = 0x13;
const LUI: u32 = 0x37;
const LOAD: u32 = 0x03;
const STORE: u32 = 0x23;
const JAL: u32 = 0x6f;
const JALR: u32 = 0x67;
const BRANCH: u32 = 0x63;
const EBREAK: u32 = 0x0010_0073;
const SP: u32 = 2;

/// The 32-bit instruction that `half` stands for.
pub fn expand(half: u16) -> Option<u32> {
    let half = u32::from(half);
    match half & 3 {
        0 => quadrant0(half),
        1 => quadrant1(half),
        2 => quadrant2(half),
        _ => None,
    }
}

fn quadrant0(half: u32) -> Option<u32> {
    let (rd, rs1) = (short(half, 2), short(half, 7));
    let offset = bits(half, 10, 3) << 3 | bits(half, 6, 1) << 2 | bits(half, 5, 1) << 6;
    match bits(half, 13, 3) {
        0b000 => {
            let imm = bits(half, 11, 2) << 4
                | bits(half, 7, 4) << 6
                | bits(half, 6, 1) << 2
                | bits(half, 5, 1) << 3;
            (imm != 0).then(|| i_type(OP_IMM, 0, rd, SP, imm))
        }
        0b010 => Some(i_type(LOAD, 2, rd, rs1, offset)),
        0b110 => Some(s_type(2, rs1, rd, offset)),
        _ => None,
    }
}

fn quadrant1(half: u32) -> Option<u32> {
    let rd = bits(half, 7, 5);
    let imm = signed(bits(half, 12, 1) << 5 | bits(half, 2, 5), 6);
    match bits(half, 13, 3) {
        0b000 => Some(i_type(OP_IMM, 0, rd, rd, imm)),
        0b001 => Some(j_type(1, jump_offset(half))),
        0b010 => Some(i_type(OP_IMM, 0, rd, 0, imm)),
        0b011 if rd == SP => {
            let imm = bits(half, 12, 1) << 9
                | bits(half, 6, 1) << 4
                | bits(half, 5, 1) << 6
                | bits(half, 3, 2) << 7
                | bits(half, 2, 1) << 5;
            (imm != 0).then(|| i_type(OP_IMM, 0, SP, SP, signed(imm, 10)))
        }
        0b011 => (imm != 0).then_some(imm << 12 | rd << 7 | LUI),
        0b100 => arithmetic(half, imm),
        0b101 => Some(j_type(0, jump_offset(half))),
        funct3 => Some(b_type(funct3 & 1, short(half, 7), branch_offset(half))),
    }
}

fn arithmetic(half: u32, imm: u32) -> Option<u32> {
    let (rd, rs2) = (short(half, 7), short(half, 2));
    let shift = bits(half, 2, 5);
    match (bits(half, 10, 2), bits(half, 12, 1), bits(half, 5, 2)) {
        (0b00, 0, _) => Some(i_type(OP_IMM, 5, rd, rd, shift)),
        (0b01, 0, _) => Some(i_type(OP_IMM, 5, rd, rd, 0x400 | shift)),
        (0b10, _, _) => Some(i_type(OP_IMM, 7, rd, rd, imm)),
        (0b11, 0, 0b00) => Some(r_type(0x20, 0, rd, rd, rs2)),
        (0b11, 0, 0b01) => Some(r_type(0, 4, rd, rd, rs2)),
        (0b11, 0, 0b10) => Some(r_type(0, 6, rd, rd, rs2)),
        (0b11, 0, 0b11) => Some(r_type(0, 7, rd, rd, rs2)),
        _ => None,
    }
}

fn quadrant2(half: u32) -> Option<u32> {
    let (rd, rs2) = (bits(half, 7, 5), bits(half, 2, 5));
    let wide = bits(half, 12, 1);
    match bits(half, 13, 3) {
        0b000 => (wide == 0).then(|| i_type(OP_IMM, 1, rd, rd, rs2)),
        0b010 => {
            let offset = wide << 5 | bits(half, 4, 3) << 2 | bits(half, 2, 2) << 6;
            (rd != 0).then(|| i_type(LOAD, 2, rd, SP, offset))
        }
        0b100 => match (wide, rd, rs2) {
            (0, 0, 0) => None,
            (0, _, 0) => Some(i_type(JALR, 0, 0, rd, 0)),
            (0, _, _) => Some(r_type(0, 0, rd, 0, rs2)),
            (_, 0, 0) => Some(EBREAK),
            (_, _, 0) => Some(i_type(JALR, 0, 1, rd, 0)),
            (_, _, _) => Some(r_type(0, 0, rd, rd, rs2)),
        },
        0b110 => Some(s_type(2, SP, rs2, bits(half, 9, 4) << 2 | bits(half, 7, 2) << 6)),
        _ => None,
    }
}

fn jump_offset(half: u32) -> u32 {
    let offset = bits(half, 12, 1) << 11
        | bits(half, 11, 1) << 4
        | bits(half, 9, 2) << 8
        | bits(half, 8, 1) << 10
        | bits(half, 7, 1) << 6
        | bits(half, 6, 1) << 7
        | bits(half, 3, 3) << 1
        | bits(half, 2, 1) << 5;
    signed(offset, 12)
}

fn branch_offset(half: u32) -> u32 {
    let offset = bits(half, 12, 1) << 8
        | bits(half, 10, 2) << 3
        | bits(half, 5, 2) << 6
        | bits(half, 3, 2) << 1
        | bits(half, 2, 1) << 5;
    signed(offset, 9)
}

const fn bits(half: u32, at: u32, count: u32) -> u32 {
    (half >> at) & ((1 << count) - 1)
}

const fn short(half: u32, at: u32) -> u32 {
    8 + bits(half, at, 3)
}

const fn signed(value: u32, width: u32) -> u32 {
    (((value << (32 - width)) as i32) >> (32 - width)) as u32
}

const fn r_type(funct7: u32, funct3: u32, rd: u32, rs1: u32, rs2: u32) -> u32 {
    funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | OP
}

const fn i_type(opcode: u32, funct3: u32, rd: u32, rs1: u32, imm: u32) -> u32 {
    imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
}

const fn s_type(funct3: u32, rs1: u32, rs2: u32, imm: u32) -> u32 {
    bits(imm, 5, 7) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | bits(imm, 0, 5) << 7 | STORE
}

const fn b_type(funct3: u32, rs1: u32, imm: u32) -> u32 {
    bits(imm, 12, 1) << 31
        | bits(imm, 5, 6) << 25
        | rs1 << 15
        | funct3 << 12
        | bits(imm, 1, 4) << 8
        | bits(imm, 11, 1) << 7
        | BRANCH
}

const fn j_type(rd: u32, imm: u32) -> u32 {
    bits(imm, 20, 1) << 31
        | bits(imm, 1, 10) << 21
        | bits(imm, 11, 1) << 20
        | bits(imm, 12, 8) << 12
        | rd << 7
        | JAL
}
