//! The cache maintenance that a host asks for before new code may run.
//!
//! An x86-64 processor sees what is written to code by itself. An aarch64 processor does not: the
//! writer cleans the data cache and invalidates the instruction cache, and every thread that runs
//! the code synchronises its own context (Arm Architecture Reference Manual for A-profile, DDI 0487,
//! section B2.7.4.2, "Synchronization and coherency issues between data and instruction accesses").

/// True if code can be made ready to run on this host.
pub(crate) const SUPPORTED: bool =
    cfg!(any(target_arch = "x86_64", all(target_arch = "aarch64", unix)));

/// Makes code that this thread has just written visible to instruction fetches of all threads.
pub(crate) fn publish(code: &[u8]) {
    host::publish(code);
}

/// Discards what this thread may have fetched before the code was published. Every call into code
/// begins with it, so it does not matter which thread compiled the code.
pub(crate) fn receive() {
    host::receive();
}

#[cfg(all(target_arch = "aarch64", not(target_vendor = "apple")))]
mod host {
    use std::arch::asm;

    pub(super) fn publish(code: &[u8]) {
        let sizes: u64;
        // SAFETY: reads a register that operating systems let programs read.
        unsafe { asm!("mrs {}, ctr_el0", out(reg) sizes, options(nomem, nostack)) };
        // CTR_EL0 holds the smallest lines as powers of two words: DminLine and IminLine.
        let (data_line, code_line) = (4_u64 << (sizes >> 16 & 15), 4_u64 << (sizes & 15));
        for line in lines(code, data_line) {
            // SAFETY: writes a line of memory that is mapped back to memory, unchanged.
            unsafe { asm!("dc cvau, {}", in(reg) line, options(nostack)) };
        }
        // SAFETY: a barrier changes no memory and no register.
        unsafe { asm!("dsb ish", options(nostack)) };
        for line in lines(code, code_line) {
            // SAFETY: forgets a copy of a line of memory that is mapped.
            unsafe { asm!("ic ivau, {}", in(reg) line, options(nostack)) };
        }
        // SAFETY: barriers change no memory and no register.
        unsafe { asm!("dsb ish", "isb", options(nostack)) };
    }

    pub(super) fn receive() {
        // SAFETY: a barrier changes no memory and no register.
        unsafe { asm!("isb", options(nostack)) };
    }

    /// The addresses of the lines of this size in which the code lies.
    fn lines(code: &[u8], size: u64) -> impl Iterator<Item = u64> {
        let range = code.as_ptr_range();
        let first = range.start as u64 & !(size - 1);
        (first..range.end as u64).step_by(size as usize)
    }
}

#[cfg(all(target_arch = "aarch64", target_vendor = "apple"))]
mod host {
    use std::ffi::c_void;

    unsafe extern "C" {
        fn sys_icache_invalidate(start: *const c_void, length: usize);
    }

    pub(super) fn publish(code: &[u8]) {
        // SAFETY: the system's library reads the range that the slice covers.
        unsafe { sys_icache_invalidate(code.as_ptr().cast(), code.len()) };
    }

    pub(super) fn receive() {
        // SAFETY: a barrier changes no memory and no register.
        unsafe { std::arch::asm!("isb", options(nostack)) };
    }
}

#[cfg(not(target_arch = "aarch64"))]
mod host {
    pub(super) fn publish(_: &[u8]) {}
    pub(super) fn receive() {}
}
