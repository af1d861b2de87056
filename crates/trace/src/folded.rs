//! Folded stacks: one line a stack, callers first, for flame graphs.

use std::fmt::Write as _;

use crate::profile::Profile;

/// Every stack in which cycles were spent, as `caller;callee cycles`. What was inlined carries `_[i]`,
/// the mark that flame graph tools colour.
#[must_use]
pub fn folded(profile: &Profile) -> String {
    let mut out = String::new();
    let mut stacks: Vec<String> = Vec::with_capacity(profile.tree.len());
    for node in &profile.tree {
        // Semicolons and spaces separate, so no name may hold them.
        let name = node.name.replace([';', ' '], "_");
        let name = if node.inlined { format!("{name}_[i]") } else { name };
        let stack = match node.parent {
            Some(parent) => format!("{};{name}", stacks[parent]),
            None => name,
        };
        if node.own.cycles != 0 {
            let _ = writeln!(out, "{stack} {}", node.own.cycles);
        }
        stacks.push(stack);
    }
    out
}
