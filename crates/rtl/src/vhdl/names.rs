//! Names: those of the design are kept. VHDL does not tell upper from lower case, and has many words
//! of its own; extended identifiers (`\map\`) keep such names nevertheless.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::{NetId, Netlist, Scope};

/// Reserved by VHDL-2008 and its forerunners, and the names that the written text relies on.
const RESERVED: &str = "
abs access after alias all and architecture array assert assume assume_guarantee attribute begin block
body buffer bus case component configuration constant context cover default disconnect downto else elsif
end entity exit fairness file for force function generate generic group guarded if impure in inertial
inout is label library linkage literal loop map mod nand new next nor not null of on open or others out
package parameter port postponed procedure process property protected pure range record register reject
release rem report restrict restrict_guarantee return rol ror select sequence severity shared signal sla
sll sra srl strong subtype then to transport type unaffected units until use variable vmode vprop vunit
wait when while with xnor xor
bit bit_vector boolean character choose entries falling_edge false flag ieee integer natural note now numeric_std
positive real remainder resize rising_edge rotate_left rotate_right shift_left shift_left_by shift_right
shift_right_by shift_right_signed_by signed state_type std std_logic std_logic_1164 std_logic_vector
std_ulogic string time to_01 to_integer to_signed to_unsigned true unsigned words work";

static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| RESERVED.split_whitespace().collect());

/// Returns true if VHDL reads a name as one plain identifier that is free.
fn is_plain(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let lower = name.to_ascii_lowercase();
    let reserved = WORDS.contains(lower.as_str());
    starts && !name.ends_with('_') && !name.contains("__") && !reserved
}

/// The names that are taken in one entity.
#[derive(Debug, Default)]
pub(super) struct UsedNames {
    exact: HashSet<String>,
    /// In lower case, of those that are plain.
    plain: HashSet<String>,
    /// Of names that were asked for again: the number to try next, so that none is tried twice.
    next: HashMap<String, u32>,
}

impl UsedNames {
    /// A fresh entity: its clock and reset are taken.
    pub fn entity() -> Self {
        let mut taken = Self::default();
        taken.take("clk");
        taken.take("rst");
        taken
    }

    /// Takes this name, or one like it; returns it ready for the text.
    pub fn take(&mut self, name: &str) -> String {
        let candidate = self.free(name);
        if is_plain(&candidate) && self.plain.insert(candidate.to_ascii_lowercase()) {
            candidate
        } else {
            format!("\\{candidate}\\")
        }
    }

    /// This name, or the first one like it that is free.
    fn free(&mut self, name: &str) -> String {
        if self.exact.insert(name.to_owned()) {
            return name.to_owned();
        }
        let next = self.next.entry(name.to_owned()).or_insert(1);
        loop {
            let candidate = format!("{name}_{next}");
            *next += 1;
            if self.exact.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

/// The names of the entities of scopes, of which a later one depends on those before it.
pub(super) fn entity_names(scopes: &[Scope]) -> Vec<String> {
    let mut taken = UsedNames::default();
    scopes.iter().map(|scope| taken.take(&scope.name)).collect()
}

/// The names of all nets of one scope in the entity that they belong to.
pub(crate) fn port_names(netlist: &Netlist, nets: &[NetId]) -> HashMap<NetId, String> {
    let mut taken = UsedNames::entity();
    nets.iter().map(|id| (*id, taken.take(&netlist.net(*id).name))).collect()
}
