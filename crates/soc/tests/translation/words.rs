//! The tests' programs, as words with the source that `arm-none-eabi-as` made them from.

/// The vectors, and the kernel behind them; runs wherever its page is mapped.
pub const KERNEL: &[u32] = &[
    0xea00_0005, // b reset
    0xea00_0019, // b undefined
    0xea00_0012, // b call
    0xea00_001a, // b prefetch
    0xea00_001f, // b data
    0xe1a0_0000, // nop
    0xea00_001a, // b interrupt
    0xe3a0_0901, // reset: mov r0, #0x4000
    0xee02_0f10, // mcr p15, 0, r0, c2, c0, 0
    0xe3a0_0001, // mov r0, #1
    0xee03_0f10, // mcr p15, 0, r0, c3, c0, 0
    0xe3a0_cc32, // mov r12, #0x3200
    0xe59c_000c, // ldr r0, [r12, #0xc]
    0xee01_0f10, // mcr p15, 0, r0, c1, c0, 0
    0xe28f_0004, // add r0, pc, #4
    0xe59c_1008, // ldr r1, [r12, #8]
    0xe080_f001, // add pc, r0, r1
    0xe59c_0004, // inside: ldr r0, [r12, #4]
    0xe16f_f000, // msr spsr_fsxc, r0
    0xe59c_e000, // ldr lr, [r12]
    0xe3a0_0000, // mov r0, #0
    0xe1b0_f00e, // movs pc, lr
    0xe357_0001, // call: cmp r7, #1
    0x0a00_0024, // beq end
    0xe3a0_dc32, // mov sp, #0x3200
    0xe59d_d010, // ldr sp, [sp, #0x10]
    0xe080_000d, // add r0, r0, sp
    0xe1b0_f00e, // movs pc, lr
    0xe3a0_d001, // undefined: mov sp, #1
    0xe24e_e004, // sub lr, lr, #4
    0xea00_000b, // b log
    0xe3a0_d003, // prefetch: mov sp, #3
    0xe24e_e004, // sub lr, lr, #4
    0xea00_0008, // b log
    0xe3a0_d006, // interrupt: mov sp, #6
    0xe24e_e004, // sub lr, lr, #4
    0xea00_0005, // b log
    0xe3a0_dc32, // data: mov sp, #0x3200
    0xe59d_d014, // ldr sp, [sp, #0x14]
    0xe35d_0000, // cmp sp, #0
    0x1a00_0015, // bne map
    0xe3a0_d004, // mov sp, #4
    0xe24e_e008, // sub lr, lr, #8
    0xe58f_006c, // log: str r0, [pc, #hold - . - 8]
    0xe3a0_0a03, // mov r0, #0x3000
    0xe580_d040, // str sp, [r0, #64]
    0xe580_e044, // str lr, [r0, #68]
    0xe28f_e000, // add lr, pc, #0
    0xe580_e048, // str lr, [r0, #72]
    0xee15_ef10, // mrc p15, 0, lr, c5, c0, 0
    0xe580_e04c, // str lr, [r0, #76]
    0xee16_ef10, // mrc p15, 0, lr, c6, c0, 0
    0xe580_e050, // str lr, [r0, #80]
    0xee15_ef30, // mrc p15, 0, lr, c5, c0, 1
    0xe580_e054, // str lr, [r0, #84]
    0xe14f_e000, // mrs lr, spsr
    0xe580_e058, // str lr, [r0, #88]
    0xe1a0_e000, // mov lr, r0
    0xe59f_0030, // ldr r0, [pc, #hold - . - 8]
    0xe8ce_7fff, // stmia lr, {r0-r14}^
    0xe3a0_0c01, // mov r0, #0x100
    0xe3a0_1102, // end: mov r1, #0x80000000
    0xe581_0020, // str r0, [r1, #0x20]
    0xe58f_001c, // map: str r0, [pc, #hold - . - 8]
    0xe3a0_0c32, // mov r0, #0x3200
    0xe590_0018, // ldr r0, [r0, #0x18]
    0xe58d_0000, // str r0, [sp]
    0xe3a0_0c32, // mov r0, #0x3200
    0xe3a0_d000, // mov sp, #0
    0xe580_d014, // str sp, [r0, #0x14]
    0xe59f_0000, // ldr r0, [pc, #hold - . - 8]
    0xe25e_f008, // subs pc, lr, #8
    0x0000_0000, // hold: .word 0
];

/// Calls the kernel twice and ends with what it gives.
pub const CALLS: &[u32] = &[
    0xe3a0_0005, // mov r0, #5
    0xef00_0000, // svc #0
    0xe280_0001, // add r0, r0, #1
    0xef00_0000, // svc #0
    0xe3a0_7001, // mov r7, #1
    0xef00_0000, // svc #0
];

/// A user reads what is the kernel's.
pub const READS_KERNEL: &[u32] = &[
    0xe3a0_0601, // mov r0, #0x100000
    0xe380_1a01, // orr r1, r0, #0x1000
    0xe3a0_2016, // mov r2, #22
    0xe3a0_3021, // mov r3, #33
    0xe3a0_402c, // mov r4, #44
    0xe3a0_5037, // mov r5, #55
    0xe3a0_6c32, // mov r6, #0x3200
    0xe596_0000, // ldr r0, [r6]
];

/// A user writes what he may only read.
pub const WRITES_CODE: &[u32] = &[
    0xe3a0_0601, // mov r0, #0x100000
    0xe380_1a01, // orr r1, r0, #0x1000
    0xe3a0_2016, // mov r2, #22
    0xe3a0_3021, // mov r3, #33
    0xe3a0_402c, // mov r4, #44
    0xe3a0_5037, // mov r5, #55
    0xe580_2040, // str r2, [r0, #0x40]
];

/// A load behind the page's end that changes its base behind it.
pub const LOADS_BEHIND: &[u32] = &[
    0xe3a0_0601, // mov r0, #0x100000
    0xe380_1a01, // orr r1, r0, #0x1000
    0xe3a0_2016, // mov r2, #22
    0xe3a0_3021, // mov r3, #33
    0xe3a0_402c, // mov r4, #44
    0xe3a0_5037, // mov r5, #55
    0xe281_1a01, // add r1, r1, #0x1000
    0xe491_4004, // ldr r4, [r1], #4
];

/// The same, with a base that changes before it.
pub const LOADS_BEFORE: &[u32] = &[
    0xe3a0_0601, // mov r0, #0x100000
    0xe380_1a01, // orr r1, r0, #0x1000
    0xe3a0_2016, // mov r2, #22
    0xe3a0_3021, // mov r3, #33
    0xe3a0_402c, // mov r4, #44
    0xe3a0_5037, // mov r5, #55
    0xe281_1c0f, // add r1, r1, #0xf00
    0xe3a0_6f42, // mov r6, #0x108
    0xe7b1_4006, // ldr r4, [r1, r6]!
];

/// A load of four words across the page's end.
pub const LOADS_SEVERAL: &[u32] = &[
    0xe3a0_0601, // mov r0, #0x100000
    0xe380_1a01, // orr r1, r0, #0x1000
    0xe3a0_2016, // mov r2, #22
    0xe3a0_3021, // mov r3, #33
    0xe3a0_402c, // mov r4, #44
    0xe3a0_5037, // mov r5, #55
    0xe281_1eff, // add r1, r1, #0xff0
    0xe281_1008, // add r1, r1, #8
    0xe8b1_003c, // ldmia r1!, {r2-r5}
];

/// The same, with the base among what is loaded.
pub const LOADS_ITS_BASE: &[u32] = &[
    0xe3a0_0601, // mov r0, #0x100000
    0xe380_1a01, // orr r1, r0, #0x1000
    0xe3a0_2016, // mov r2, #22
    0xe3a0_3021, // mov r3, #33
    0xe3a0_402c, // mov r4, #44
    0xe3a0_5037, // mov r5, #55
    0xe281_1eff, // add r1, r1, #0xff0
    0xe281_1008, // add r1, r1, #8
    0xe891_000f, // ldmia r1, {r0-r3}
];

/// A store of four words across the page's end.
pub const STORES_SEVERAL: &[u32] = &[
    0xe3a0_0601, // mov r0, #0x100000
    0xe380_1a01, // orr r1, r0, #0x1000
    0xe3a0_2016, // mov r2, #22
    0xe3a0_3021, // mov r3, #33
    0xe3a0_402c, // mov r4, #44
    0xe3a0_5037, // mov r5, #55
    0xe281_1eff, // add r1, r1, #0xff0
    0xe281_1008, // add r1, r1, #8
    0xe8a1_003c, // stmia r1!, {r2-r5}
];

/// A load of two words behind the page's end.
pub const LOADS_TWO: &[u32] = &[
    0xe3a0_0601, // mov r0, #0x100000
    0xe380_1a01, // orr r1, r0, #0x1000
    0xe3a0_2016, // mov r2, #22
    0xe3a0_3021, // mov r3, #33
    0xe3a0_402c, // mov r4, #44
    0xe3a0_5037, // mov r5, #55
    0xe281_1eff, // add r1, r1, #0xff0
    0xe1e1_21d0, // ldrd r2, [r1, #16]!
];

/// A swap of what a user may only read.
pub const SWAPS: &[u32] = &[
    0xe3a0_0601, // mov r0, #0x100000
    0xe380_1a01, // orr r1, r0, #0x1000
    0xe3a0_2016, // mov r2, #22
    0xe3a0_3021, // mov r3, #33
    0xe3a0_402c, // mov r4, #44
    0xe3a0_5037, // mov r5, #55
    0xe100_4095, // swp r4, r5, [r0]
];

/// An unaligned load of what is the kernel's.
pub const LOADS_UNALIGNED: &[u32] = &[
    0xe3a0_0601, // mov r0, #0x100000
    0xe380_1a01, // orr r1, r0, #0x1000
    0xe3a0_2016, // mov r2, #22
    0xe3a0_3021, // mov r3, #33
    0xe3a0_402c, // mov r4, #44
    0xe3a0_5037, // mov r5, #55
    0xe3a0_6c32, // mov r6, #0x3200
    0xe596_4001, // ldr r4, [r6, #1]
];

/// An unaligned store behind the page's end.
pub const STORES_UNALIGNED: &[u32] = &[
    0xe3a0_0601, // mov r0, #0x100000
    0xe380_1a01, // orr r1, r0, #0x1000
    0xe3a0_2016, // mov r2, #22
    0xe3a0_3021, // mov r3, #33
    0xe3a0_402c, // mov r4, #44
    0xe3a0_5037, // mov r5, #55
    0xe281_1eff, // add r1, r1, #0xff0
    0xe581_4012, // str r4, [r1, #18]
];

/// An unaligned load from a page of the user's own.
pub const ROTATES: &[u32] = &[
    0xe3a0_0601, // mov r0, #0x100000
    0xe380_1a01, // orr r1, r0, #0x1000
    0xe3a0_2016, // mov r2, #22
    0xe3a0_3021, // mov r3, #33
    0xe3a0_402c, // mov r4, #44
    0xe3a0_5037, // mov r5, #55
    0xe591_0002, // ldr r0, [r1, #2]
    0xe3a0_7001, // mov r7, #1
    0xef00_0000, // svc #0
];

/// Stores and loads four words across the end of a page, of which the next comes when it is needed.
pub const STORES_TWICE: &[u32] = &[
    0xe3a0_0601, // mov r0, #0x100000
    0xe380_1a01, // orr r1, r0, #0x1000
    0xe281_1eff, // add r1, r1, #0xff0
    0xe281_1008, // add r1, r1, #8
    0xe3a0_2001, // mov r2, #1
    0xe3a0_3002, // mov r3, #2
    0xe3a0_4003, // mov r4, #3
    0xe3a0_5004, // mov r5, #4
    0xe8a1_003c, // stmia r1!, {r2-r5}
    0xe911_0740, // ldmdb r1, {r6, r8-r10}
    0xe086_0208, // add r0, r6, r8, lsl #4
    0xe080_0409, // add r0, r0, r9, lsl #8
    0xe080_060a, // add r0, r0, r10, lsl #12
    0xe3a0_7001, // mov r7, #1
    0xef00_0000, // svc #0
];

/// Jumps to where the word behind it says.
pub const JUMPS: &[u32] = &[
    0xe3a0_2016, // mov r2, #22
    0xe51f_f004, // ldr pc, [pc, #-4]
];

/// The end of a page behind which there is none.
pub const RUNS_ON: &[u32] = &[
    0xe3a0_2016, // mov r2, #22
    0xe3a0_3021, // mov r3, #33
];

/// A function that is changed where its page is mapped a second time.
pub const CHANGES_ITSELF: &[u32] = &[
    0xe3a0_5000, // mov r5, #0
    0xe3a0_6003, // mov r6, #3
    0xeb00_000e, // again: bl function
    0xe080_5205, // add r5, r0, r5, lsl #4
    0xe256_6001, // subs r6, r6, #1
    0x1aff_fffb, // bne again
    0xe59f_1030, // ldr r1, other
    0xe3a0_2601, // mov r2, #0x100000
    0xe382_2901, // orr r2, r2, #0x4000
    0xe582_1048, // str r1, [r2, #function - start]
    0xe3a0_6002, // mov r6, #2
    0xeb00_0005, // more: bl function
    0xe080_5205, // add r5, r0, r5, lsl #4
    0xe256_6001, // subs r6, r6, #1
    0x1aff_fffb, // bne more
    0xe1a0_0005, // mov r0, r5
    0xe3a0_7001, // mov r7, #1
    0xef00_0000, // svc #0
    0xe3a0_0001, // function: mov r0, #1
    0xe1a0_f00e, // mov pc, lr
    0xe3a0_0002, // other: mov r0, #2
];

/// The kernel leads a page elsewhere and says so, and makes a section of what was none.
pub const TABLES: &[u32] = &[
    0xe3a0_1601, // mov r1, #0x100000
    0xe381_1a01, // orr r1, r1, #0x1000
    0xe591_2000, // ldr r2, [r1]
    0xe3a0_3902, // mov r3, #0x8000
    0xe593_4004, // ldr r4, [r3, #4]
    0xe224_4a03, // eor r4, r4, #0x3000
    0xe583_4004, // str r4, [r3, #4]
    0xee08_0f17, // mcr p15, 0, r0, c8, c7, 0
    0xe591_5000, // ldr r5, [r1]
    0xe3a0_6b03, // mov r6, #0xc00
    0xe386_6002, // orr r6, r6, #2
    0xe3a0_3b13, // mov r3, #0x4c00
    0xe583_6000, // str r6, [r3]
    0xe3a0_7203, // mov r7, #0x30000000
    0xe387_7c32, // orr r7, r7, #0x3200
    0xe597_8010, // ldr r8, [r7, #0x10]
    0xe082_0405, // add r0, r2, r5, lsl #8
    0xe080_0808, // add r0, r0, r8, lsl #16
    0xe3a0_1102, // mov r1, #0x80000000
    0xe581_0020, // str r0, [r1, #0x20]
];

/// The virtual address of the code.
pub const HERE: &[u32] = &[
    0xe28f_0000, // add r0, pc, #0
    0xe3a0_1102, // mov r1, #0x80000000
    0xe581_0020, // str r0, [r1, #0x20]
];

/// The lowest addresses are a process's, and then nobody's.
pub const PROCESSES: &[u32] = &[
    0xe3a0_2601, // mov r2, #0x100000
    0xe382_2a01, // orr r2, r2, #0x1000
    0xe3a0_0301, // mov r0, #0x04000000
    0xee0d_0f10, // mcr p15, 0, r0, c13, c0, 0
    0xe592_3000, // ldr r3, [r2]
    0xe3a0_0000, // mov r0, #0
    0xee0d_0f10, // mcr p15, 0, r0, c13, c0, 0
    0xe592_4000, // ldr r4, [r2]
    0xe083_0404, // add r0, r3, r4, lsl #8
    0xe3a0_1102, // mov r1, #0x80000000
    0xe581_0020, // str r0, [r1, #0x20]
];

/// Translation ends and begins again.
pub const SWITCHES_OFF: &[u32] = &[
    0xe3a0_2c32, // mov r2, #0x3200
    0xe3a0_5003, // mov r5, #3
    0xee11_3f10, // mrc p15, 0, r3, c1, c0, 0
    0xe592_4010, // again: ldr r4, [r2, #0x10]
    0xe086_6004, // add r6, r6, r4
    0xe223_3001, // eor r3, r3, #1
    0xee01_3f10, // mcr p15, 0, r3, c1, c0, 0
    0xe255_5001, // subs r5, r5, #1
    0x1aff_fff9, // bne again
    0xe1a0_0006, // mov r0, r6
    0xe3a0_1102, // mov r1, #0x80000000
    0xe581_0020, // str r0, [r1, #0x20]
];

/// A loop that only an interrupt ends.
pub const WAITS: &[u32] = &[
    0xe3a0_1102, // mov r1, #0x80000000
    0xe3a0_0b01, // mov r0, #0x400
    0xe581_0048, // str r0, [r1, #0x48]
    0xe3a0_0000, // mov r0, #0
    0xe581_004c, // str r0, [r1, #0x4c]
    0xe283_3001, // again: add r3, r3, #1
    0xeaff_fffd, // b again
];

/// A user asks for the kernel's mode in three ways, and then for what is the kernel's.
pub const LEAVES_USER: &[u32] = &[
    0xe3a0_00d3, // mov r0, #0xd3
    0xe121_f000, // msr cpsr_c, r0
    0xe16f_f000, // msr spsr_fsxc, r0
    0xe1a0_e00f, // mov lr, pc
    0xe1b0_f00e, // movs pc, lr
    0xe3a0_6c32, // mov r6, #0x3200
    0xe596_0000, // ldr r0, [r6]
];

/// A user writes to coprocessor 15.
pub const COPROCESSOR: &[u32] = &[
    0xe3a0_0000, // mov r0, #0
    0xee01_0f10, // mcr p15, 0, r0, c1, c0, 0
];
