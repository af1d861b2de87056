//! Contexts of a program that another program interprets: each method of it is a context of the interpreter.

use super::{Contexts, ROOT};

impl Contexts {
    /// The context in which the interpreter, which runs in a context already, begins a method that is called
    /// at an instruction of the interpreted program; methods are told apart by their addresses.
    pub fn begin_guest(&mut self, caller: u32, site: u64, method: u64) -> u32 {
        let code = (self.tree[self.current as usize].function, Some(method));
        self.called(caller, (site, method), code, true)
    }

    /// The interpreter goes on in a context with the instruction at an address of the interpreted program.
    pub const fn resume_guest(&mut self, context: u32, instruction: u64) {
        self.current = context;
        self.guest_site = instruction;
    }

    /// Returns true if two contexts have the same caller, and one function took the other's place there.
    #[must_use]
    pub fn are_siblings(&self, context: u32, sibling: u32) -> bool {
        let caller = |number: u32| self.tree[number as usize].parent;
        caller(context) == caller(sibling) && caller(context) != ROOT
    }

    /// The address of a call from the current context: of an interpreter, that of the interpreted program.
    pub(super) fn site(&self, call: u64) -> u64 {
        self.tree[self.current as usize].guest.map_or(call, |_| self.guest_site)
    }
}
