//! Memory in pieces: what is secret, what may be written, and what the host puts there.

use cocrypt_ir::Width;
use cocrypt_taint::Memory;
use cocrypt_taint::shadow::Shadowed;

/// RAM with four bytes, flash with four, and further RAM with two.
fn memory() -> Memory {
    Memory::new(0x100, vec![1, 2, 3, 4]).beside(0x200, vec![5, 6, 7, 8]).and(0x300, vec![9, 10])
}

#[test]
fn every_piece_is_read_and_may_be_secret() {
    let mut memory = memory();
    for (address, value) in [(0x102, 0x0403), (0x202, 0x0807), (0x300, 0x0a09)] {
        let before = memory.load(address, Width::W16).expect("memory");
        assert_eq!((before.value, before.secret), (value, 0));
        assert!(memory.hide(address + 1, 1));
        let hidden = memory.load(address, Width::W16).expect("memory");
        assert_eq!((hidden.value, hidden.secret), (value, 0xff00));
    }
}

#[test]
fn what_lies_across_pieces_or_outside_is_nowhere() {
    let mut memory = memory();
    assert!(memory.load(0x103, Width::W16).is_none());
    assert!(!memory.hide(0x2ff, 2));
    assert!(!memory.put(0x400, &[1]));
    assert!(memory.bytes(0x300, 3).is_none());
    assert!(!memory.hide(0xffff_ffff, 2));
}

#[test]
fn programs_write_where_they_may_and_the_host_everywhere() {
    let mut memory = memory();
    let secret = Shadowed::new(0xbeef, 0x00ff);
    assert!(memory.store(0x300, Width::W16, secret));
    assert!(!memory.store(0x200, Width::W16, secret));
    let stored = memory.load(0x300, Width::W16).expect("memory");
    assert_eq!((stored.value, stored.secret), (0xbeef, 0x00ff));
    assert!(memory.put(0x200, &[0x11, 0x22]));
    assert!(memory.put(0x300, &[0x33]));
    assert_eq!(memory.bytes(0x200, 4), Some(vec![0x11, 0x22, 7, 8]));
    // What the host puts there is no secret.
    assert_eq!(memory.load(0x300, Width::W8).expect("memory").secret, 0);
    assert_eq!(memory.load(0x301, Width::W8).expect("memory").secret, 0);
}
