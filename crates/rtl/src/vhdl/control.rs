//! Controllers: a state register, and a `case` that activates groups and picks the next state.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::Standard;
use super::entity::Entity;
use crate::{Control, Decision, GroupId};

/// The writer of an entity's controller.
pub(super) struct Controller<'a> {
    control: &'a Control,
    /// Of each state: its literal.
    states: Vec<String>,
    /// The state register and its next value; none for a single state.
    register: Option<(String, String)>,
    /// The groups that some decision names.
    groups: Vec<GroupId>,
}

impl<'a> Controller<'a> {
    /// Takes names in the entity; none for a controller that has no choice.
    pub fn new(control: &'a Control, entity: &mut Entity<'a>) -> Option<Self> {
        if !control.permanent().is_empty() {
            return None;
        }
        let many = control.states.len() > 1;
        let name = |state: &str| format!("{}_{state}", control.name);
        let states = control.states.iter().map(|state| entity.taken.take(&name(&state.name)));
        let states = states.collect();
        let register = many.then(|| (entity.taken.take("state"), entity.taken.take("next_state")));
        Some(Self { control, states, register, groups: control.groups() })
    }

    /// The type and the signals of the architecture.
    pub fn declare(&self, entity: &Entity, text: &mut String) {
        let (above, line) = entity.note(self.control.line, "  ");
        let _ = writeln!(text, "\n{above}  -- Controller {}, {line}.", self.control.name);
        if let Some((state, next)) = &self.register {
            text.push_str("  type state_type is (\n");
            let last = self.states.len() - 1;
            for (index, name) in self.states.iter().enumerate() {
                let comma = if index == last { "" } else { "," };
                let (above, line) = entity.note(self.control.states[index].line, "    ");
                let _ = writeln!(text, "{above}    {name}{comma}  -- {line}");
            }
            let _ = writeln!(text, "  );\n  signal {state}, {next} : state_type;");
        }
        for group in &self.groups {
            let (above, line) = entity.note(entity.group_line(*group), "  ");
            let name = entity.active(*group);
            let _ = writeln!(text, "{above}  signal {name} : boolean;  -- {line}");
        }
    }

    /// The process that decides.
    pub fn write(&self, entity: &mut Entity<'a>, text: &mut String) {
        let mut body = String::new();
        let mut reads = BTreeSet::new();
        for group in &self.groups {
            let _ = writeln!(body, "    {} <= false;", entity.active(*group));
        }
        match &self.register {
            Some((state, next)) => {
                reads.insert(state.clone());
                let _ = writeln!(body, "    {next} <= {state};\n    case {state} is");
                self.cases(entity, &mut reads, &mut body);
                body.push_str("    end case;\n");
            }
            None => {
                if let Some(decision) = &self.control.states[0].decision {
                    self.decision(decision, 2, entity, &mut reads, &mut body);
                }
            }
        }
        let list = match entity.standard {
            Standard::Vhdl2008 => "all".to_owned(),
            Standard::Vhdl93 => reads.into_iter().collect::<Vec<_>>().join(", "),
        };
        let line = self.control.line;
        let _ = write!(
            text,
            "\n  -- Controller {}, line {line}.\n  process ({list})\n  begin\n{body}  end process;\n",
            self.control.name
        );
    }

    fn cases(&self, entity: &mut Entity<'a>, reads: &mut BTreeSet<String>, text: &mut String) {
        for (state, name) in self.control.states.iter().zip(&self.states) {
            let _ = writeln!(text, "      when {name} =>  -- line {}", state.line);
            text.push_str(&entity.notes.transitions(state.line, "        "));
            match &state.decision {
                Some(decision) => self.decision(decision, 4, entity, reads, text),
                None => text.push_str("        null;\n"),
            }
        }
    }

    fn decision(
        &self,
        decision: &Decision,
        depth: usize,
        entity: &mut Entity<'a>,
        reads: &mut BTreeSet<String>,
        text: &mut String,
    ) {
        let indent = "  ".repeat(depth);
        match decision {
            Decision::Go { groups, next, .. } => {
                for group in groups {
                    let _ = writeln!(text, "{indent}{} <= true;", entity.active(*group));
                }
                match &self.register {
                    Some((_, register)) => {
                        let _ =
                            writeln!(text, "{indent}{register} <= {};", self.states[next.index()]);
                    }
                    None if groups.is_empty() => {
                        let _ = writeln!(text, "{indent}null;");
                    }
                    None => {}
                }
            }
            Decision::If { condition, yes, no } => {
                let condition = entity.condition(*condition, reads);
                let _ = writeln!(text, "{indent}if {condition} then");
                self.decision(yes, depth + 1, entity, reads, text);
                let _ = writeln!(text, "{indent}else");
                self.decision(no, depth + 1, entity, reads, text);
                let _ = writeln!(text, "{indent}end if;");
            }
        }
    }

    /// The update of the state register on reset.
    pub fn reset(&self) -> Option<String> {
        let (state, _) = self.register.as_ref()?;
        Some(format!("{state} <= {};", self.states[self.control.initial.index()]))
    }

    /// Its update otherwise.
    pub fn advance(&self) -> Option<String> {
        self.register.as_ref().map(|(state, next)| format!("{state} <= {next};"))
    }
}
