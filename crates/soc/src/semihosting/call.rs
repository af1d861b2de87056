//! The names of host calls.

/// The specification's name for a call, by its number.
#[must_use]
pub fn name(number: u32) -> Option<&'static str> {
    Some(match number {
        0x01 => "SYS_OPEN",
        0x02 => "SYS_CLOSE",
        0x03 => "SYS_WRITEC",
        0x04 => "SYS_WRITE0",
        0x05 => "SYS_WRITE",
        0x06 => "SYS_READ",
        0x07 => "SYS_READC",
        0x08 => "SYS_ISERROR",
        0x09 => "SYS_ISTTY",
        0x0a => "SYS_SEEK",
        0x0c => "SYS_FLEN",
        0x0d => "SYS_TMPNAM",
        0x0e => "SYS_REMOVE",
        0x0f => "SYS_RENAME",
        0x10 => "SYS_CLOCK",
        0x11 => "SYS_TIME",
        0x12 => "SYS_SYSTEM",
        0x13 => "SYS_ERRNO",
        0x15 => "SYS_GET_CMDLINE",
        0x16 => "SYS_HEAPINFO",
        0x18 => "SYS_EXIT",
        0x20 => "SYS_EXIT_EXTENDED",
        0x30 => "SYS_ELAPSED",
        0x31 => "SYS_TICKFREQ",
        _ => return None,
    })
}
