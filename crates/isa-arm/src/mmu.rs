//! The memory management unit of ARMv4 and ARMv5: sections and pages, domains and rights.
//!
//! Source: "ARM Architecture Reference Manual" (DDI 0100I), B4.7 and B4.3 to B4.6, whose format of tables
//! with sub-pages is that of SA-1110 and ARM926EJ-S. What a walk through the tables takes is left out.

use cocrypt_isa::{Page, Space};

use crate::cells;
use crate::mode::USER;

/// Bits of the control register: translation is on; the system and ROM protection bits.
const ON: u64 = 1;
const SYSTEM: u32 = 1 << 8;
const ROM: u32 = 1 << 9;

/// Bits of an address that say whose it is, and of the register that says who runs.
const PROCESS: u32 = 0xfe00_0000;

/// Fault status codes (DDI 0100I, table B4-1); the domain stands above them.
mod status {
    pub const SECTION_TRANSLATION: u32 = 0b0101;
    pub const PAGE_TRANSLATION: u32 = 0b0111;
    pub const SECTION_DOMAIN: u32 = 0b1001;
    pub const PAGE_DOMAIN: u32 = 0b1011;
    pub const FIRST_WALK: u32 = 0b1100;
    pub const SECTION_RIGHTS: u32 = 0b1101;
    pub const SECOND_WALK: u32 = 0b1110;
    pub const PAGE_RIGHTS: u32 = 0b1111;
}

/// The parameters of translation, where it is on.
pub fn space(cells: &[u64]) -> Option<Space> {
    let now = |cell: cocrypt_ir::Slot| cells[usize::from(cell.0)];
    let control = now(cells::SYSTEM_CONTROL);
    (control & ON != 0).then(|| Space {
        table: now(cells::TABLE_BASE) as u32 & !0x3fff,
        domains: now(cells::DOMAINS) as u32,
        control: control as u32 & (SYSTEM | ROM) | now(cells::PROCESS) as u32 & PROCESS,
        age: now(cells::TRANSLATIONS) as u32,
        privileged: now(cells::MODE) as u8 != USER,
    })
}

/// The table's entry of an address, before rights are checked.
struct Entry {
    size: u32,
    to: u32,
    rights: u32,
    domain: u32,
    is_section: bool,
}

/// The lowest 32 MiB of addresses are those of the process that runs (DDI 0100I, B8).
pub const fn modified(process: u32, address: u32) -> u32 {
    if address & PROCESS == 0 { address | process & PROCESS } else { address }
}

/// The page of an address.
///
/// # Errors
/// The fault status, where the tables have none.
pub fn page(space: &Space, address: u32, memory: &dyn Fn(u32) -> Option<u32>) -> Result<Page, u32> {
    let entry = entry(space, modified(space.control, address), memory)?;
    let refuses = [false, true].map(|writes| refusal(space, &entry, writes));
    Ok(Page { from: address & !(entry.size - 1), size: entry.size, to: entry.to, refuses })
}

fn entry(space: &Space, address: u32, memory: &dyn Fn(u32) -> Option<u32>) -> Result<Entry, u32> {
    let first = memory(space.table | address >> 20 << 2).ok_or(status::FIRST_WALK)?;
    let domain = first >> 5 & 15;
    let size = 1 << 20;
    match first & 3 {
        2 => Ok(Entry {
            size,
            to: first & !(size - 1),
            rights: first >> 10 & 3,
            domain,
            is_section: true,
        }),
        1 => second((first & !0x3ff) | (address >> 12 & 0xff) << 2, domain, address, memory),
        3 => second((first & !0xfff) | (address >> 10 & 0x3ff) << 2, domain, address, memory),
        _ => Err(status::SECTION_TRANSLATION | domain << 4),
    }
}

/// A page by the second table; a quarter of it where quarters have rights of their own.
fn second(
    at: u32,
    domain: u32,
    address: u32,
    memory: &dyn Fn(u32) -> Option<u32>,
) -> Result<Entry, u32> {
    let entry = memory(at).ok_or(status::SECOND_WALK | domain << 4)?;
    let quarter = |size: u32| {
        let number = (address / size) & 3;
        let to = (entry & !(4 * size - 1)) | (number * size);
        Entry { size, to, rights: entry >> (4 + 2 * number) & 3, domain, is_section: false }
    };
    match entry & 3 {
        1 => Ok(quarter(1 << 14)),
        2 => Ok(quarter(1 << 10)),
        3 => Ok(Entry {
            size: 1 << 10,
            to: entry & !0x3ff,
            rights: entry >> 4 & 3,
            domain,
            is_section: false,
        }),
        _ => Err(status::PAGE_TRANSLATION | domain << 4),
    }
}

/// The fault status of a refused access.
fn refusal(space: &Space, entry: &Entry, writes: bool) -> Option<u32> {
    let (no_domain, no_right) = if entry.is_section {
        (status::SECTION_DOMAIN, status::SECTION_RIGHTS)
    } else {
        (status::PAGE_DOMAIN, status::PAGE_RIGHTS)
    };
    let status = match space.domains >> (2 * entry.domain) & 3 {
        1 if may(space, entry.rights, writes) => return None,
        1 => no_right,
        3 => return None,
        _ => no_domain,
    };
    Some(status | entry.domain << 4)
}

/// Rights by their two bits (DDI 0100I, table B4-2).
const fn may(space: &Space, rights: u32, writes: bool) -> bool {
    match (rights, space.privileged) {
        (0, privileged) => {
            let reads = match space.control & (SYSTEM | ROM) {
                SYSTEM => privileged,
                ROM => true,
                _ => false,
            };
            reads && !writes
        }
        (2, false) => !writes,
        (1, false) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A first table at 0x4000 with one entry for the second megabyte, and second tables at
    /// 0x8000 (coarse) and 0x9000 (fine).
    fn memory(first: u32, second: &'static [(u32, u32)]) -> impl Fn(u32) -> Option<u32> {
        move |at| match at {
            0x4004 => Some(first),
            0x4000..0x8000 => Some(0),
            _ => second.iter().find(|(place, _)| *place == at).map(|&(_, word)| word).or(Some(0)),
        }
    }

    fn space(domains: u32, privileged: bool) -> Space {
        Space { table: 0x4000, domains, control: 0, age: 0, privileged }
    }

    #[test]
    fn a_section_leads_to_a_megabyte() {
        // Domain 3, rights 2: users read.
        let memory = memory(0x2000_0000 | 2 << 10 | 3 << 5 | 2, &[]);
        let page = page(&space(1 << 6, false), 0x0012_3456, &memory).expect("a page");
        assert_eq!(page.leads(0x0012_3456), 0x2002_3456);
        assert_eq!(page.refuses, [None, Some(0x3d)]);
        let kernel = super::page(&space(1 << 6, true), 0x0012_3456, &memory).expect("a page");
        assert_eq!(kernel.refuses, [None, None]);
    }

    #[test]
    fn a_domain_without_access_refuses_and_a_manager_does_not() {
        let memory = memory(0x2000_0000 | 3 << 5 | 2, &[]);
        let refused =
            |domains| page(&space(domains, true), 0x0010_0000, &memory).map(|page| page.refuses);
        assert_eq!(refused(0), Ok([Some(0x39); 2]));
        assert_eq!(refused(3 << 6), Ok([None; 2]));
    }

    #[test]
    fn small_large_and_tiny_pages_have_their_sizes_and_rights() {
        const COARSE: &[(u32, u32)] =
            &[(0x8004, 0x3000_0000 | 0b1101_1000 << 4 | 2), (0x8054, 0x4000_0000 | 0xff << 4 | 1)];
        let memory_of_coarse = memory(0x8000 | 1, COARSE);
        let user = space(1, false);
        // The quarters of a small page: no right, read, only the system's, all.
        let rights = [0, 1, 2, 3].map(|quarter| {
            page(&user, 0x0010_1000 + 0x400 * quarter, &memory_of_coarse).map(|page| page.refuses)
        });
        assert_eq!(
            rights,
            [Ok([Some(15); 2]), Ok([None, Some(15)]), Ok([Some(15); 2]), Ok([None; 2])]
        );
        let large = page(&user, 0x0011_5678, &memory_of_coarse).expect("a page");
        assert_eq!(large.leads(0x0011_5678), 0x4000_5678);
        let memory_of_fine = memory(0x9000 | 3, &[(0x9004, 0x5000_0400 | 3 << 4 | 3)]);
        let tiny = page(&user, 0x0010_0456, &memory_of_fine).expect("a page");
        assert_eq!((tiny.leads(0x0010_0456), tiny.size), (0x5000_0456, 0x400));
    }

    #[test]
    fn fine_tables_name_a_page_once_for_each_kibibyte() {
        // The third KiB of a small page that only the system writes there, and the 49th KiB of a large one
        // that users read in its last quarter; the second KiB, and one that nobody has a right to.
        const FINE: &[(u32, u32)] = &[
            (0x9008, 0x6000_1000 | 1 << 8 | 2),
            (0x90c0 + 0x100, 0x7001_0000 | 2 << 10 | 1),
            (0x9ffc, 0x5000_fc00 | 3),
        ];
        let memory = memory(0x9000 | 5 << 5 | 3, FINE);
        let user = space(1 << 10, false);
        let system = space(1 << 10, true);
        let small = page(&system, 0x0010_0abc, &memory).expect("a page");
        assert_eq!((small.leads(0x0010_0abc), small.refuses), (0x6000_1abc, [None; 2]));
        let refused = page(&user, 0x0010_0abc, &memory).map(|page| page.refuses);
        assert_eq!(refused, Ok([Some(0x5f); 2]));
        let large = page(&user, 0x0011_c010, &memory).expect("a page");
        assert_eq!((large.leads(0x0011_c010), large.refuses), (0x7001_c010, [None, Some(0x5f)]));
        let tiny = page(&system, 0x001f_ffff, &memory).expect("a page");
        assert_eq!((tiny.leads(0x001f_ffff), tiny.refuses), (0x5000_ffff, [Some(0x5f); 2]));
        assert_eq!(page(&system, 0x0010_0400, &memory), Err(0x57));
    }

    /// DDI 0100I, table B4-2, its first four rows.
    #[test]
    fn without_rights_of_its_own_a_page_has_those_of_the_control_register() {
        let memory = memory(0x2000_0000 | 2, &[]);
        let rights = |control: u32, privileged: bool| {
            let space = Space { control, ..space(1, privileged) };
            let refuses = page(&space, 0x0010_0000, &memory).expect("a page").refuses;
            refuses.map(|refusal| refusal.is_none())
        };
        for (control, user, privileged) in [
            (0, [false, false], [false, false]),
            (SYSTEM, [false, false], [true, false]),
            (ROM, [true, false], [true, false]),
        ] {
            assert_eq!((rights(control, false), rights(control, true)), (user, privileged));
        }
    }

    #[test]
    fn the_lowest_addresses_are_those_of_the_process() {
        let memory = |at| Some(if at == 0x4000 + (0x050 << 2) { 0x2000_0002 } else { 0 });
        let of = |process| Space { control: process, ..space(3, true) };
        let page = page(&of(2 << 25), 0x0102_3456, &memory).expect("a page");
        assert_eq!((page.from, page.leads(0x0102_3456)), (0x0100_0000, 0x2002_3456));
        assert!(super::page(&of(2 << 25), 0x0502_3456, &memory).is_ok());
        assert!(super::page(&of(0), 0x0102_3456, &memory).is_err());
    }

    #[test]
    fn what_no_table_has_is_a_fault() {
        let none = memory(0, &[]);
        assert_eq!(page(&space(1, true), 0x0010_0000, &none), Err(0b0101));
        let coarse = memory(0x8000 | 2 << 5 | 1, &[]);
        assert_eq!(page(&space(1, true), 0x0010_0000, &coarse), Err(0x27));
        assert_eq!(page(&space(1, true), 0x0010_0000, &|_| None), Err(0b1100));
    }
}
