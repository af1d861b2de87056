//! Controllers: a state register, and a `case` that activates groups and picks the next state.

use std::fmt::Write;

use super::expression::range;
use super::module::Module;
use crate::{Control, Decision, State};

/// The writer of a module's controller.
pub(super) struct Controller<'a> {
    control: &'a Control,
    /// Of each state: its constant's name.
    states: Vec<String>,
    /// The state register and its next value; none for a single state.
    register: Option<(String, String)>,
    width: u32,
}

impl<'a> Controller<'a> {
    /// Takes names in the module, and marks which groups need a signal that activates them.
    pub fn new(control: &'a Control, module: &mut Module<'a>) -> Self {
        let many = control.states.len() > 1;
        let prefix = control.name.to_uppercase();
        let name = |state: &State| format!("{prefix}_{}", state.name.to_uppercase());
        let states = control.states.iter().map(|state| module.taken.take(&name(state))).collect();
        let register = many.then(|| (module.taken.take("state"), module.taken.take("next_state")));
        let width = usize::BITS - (control.states.len() - 1).max(1).leading_zeros();
        Self { control, states, register, width }
    }

    pub fn write(&self, module: &mut Module<'a>, text: &mut String) {
        if !self.control.permanent().is_empty() {
            return;
        }
        let above = module.notes.above(self.control.line, "  ");
        let line = module.notes.line(self.control.line);
        let _ = writeln!(text, "\n{above}  // Controller {}, {line}.", self.control.name);
        self.declare(module, text);
        let mut body = String::new();
        self.defaults(module, &mut body);
        match &self.register {
            Some((state, _)) => self.cases(state, module, &mut body),
            None => {
                if let Some(decision) = &self.control.states[0].decision {
                    self.decision(decision, 2, module, &mut body);
                }
            }
        }
        let _ = write!(text, "  always @* begin\n{body}  end\n");
    }

    fn declare(&self, module: &Module, text: &mut String) {
        if let Some((state, next)) = &self.register {
            let width = self.width;
            for (index, name) in self.states.iter().enumerate() {
                let line = self.control.states[index].line;
                let (range, above) = (range(width), module.notes.above(line, "  "));
                let line = module.notes.line(line);
                let _ = writeln!(
                    text,
                    "{above}  localparam {range}{name} = {width}'d{index};  // {line}"
                );
            }
            let _ = writeln!(text, "  reg {}{state}, {next};", range(width));
        }
        for group in self.control.groups() {
            let line = module.group_line(group);
            let (above, line) = (module.notes.above(line, "  "), module.notes.line(line));
            let _ = writeln!(text, "{above}  reg {};  // {line}", module.active(group));
        }
    }

    fn defaults(&self, module: &Module, text: &mut String) {
        if let Some((state, next)) = &self.register {
            let _ = writeln!(text, "    {next} = {state};");
        }
        for group in self.control.groups() {
            let _ = writeln!(text, "    {} = 1'b0;", module.active(group));
        }
    }

    fn cases(&self, register: &str, module: &mut Module<'a>, text: &mut String) {
        let _ = writeln!(text, "    case ({register})");
        for (state, name) in self.control.states.iter().zip(&self.states) {
            if let Some(decision) = &state.decision {
                let _ = writeln!(text, "      {name}: begin");
                text.push_str(&module.notes.transitions(state.line, "        "));
                self.decision(decision, 4, module, text);
                text.push_str("      end\n");
            }
        }
        let (_, next) = self.register.clone().unwrap_or_default();
        let initial = &self.states[self.control.initial.index()];
        let _ = write!(text, "      default: {next} = {initial};\n    endcase\n");
    }

    fn decision(
        &self,
        decision: &Decision,
        depth: usize,
        module: &mut Module<'a>,
        text: &mut String,
    ) {
        let indent = "  ".repeat(depth);
        match decision {
            Decision::Go { groups, next, .. } => {
                for group in groups {
                    let _ = writeln!(text, "{indent}{} = 1'b1;", module.active(*group));
                }
                if let Some((_, register)) = &self.register {
                    let _ = writeln!(text, "{indent}{register} = {};", self.states[next.index()]);
                }
            }
            Decision::If { condition, yes, no } => {
                let condition = module.text(*condition);
                let _ = writeln!(text, "{indent}if ({condition}) begin");
                self.decision(yes, depth + 1, module, text);
                self.otherwise(no, depth, module, text);
            }
        }
    }

    /// The rest of an `if`; a further condition goes on as `else if`.
    fn otherwise(&self, no: &Decision, depth: usize, module: &mut Module<'a>, text: &mut String) {
        let indent = "  ".repeat(depth);
        if let Decision::If { condition, yes, no } = no {
            let condition = module.text(*condition);
            let _ = writeln!(text, "{indent}end else if ({condition}) begin");
            self.decision(yes, depth + 1, module, text);
            self.otherwise(no, depth, module, text);
            return;
        }
        let _ = writeln!(text, "{indent}end else begin");
        self.decision(no, depth + 1, module, text);
        let _ = writeln!(text, "{indent}end");
    }

    /// The updates of the state register on reset and otherwise.
    pub fn reset(&self) -> Option<String> {
        let (state, _) = self.register.as_ref()?;
        Some(format!("{state} <= {};", self.states[self.control.initial.index()]))
    }

    pub fn advance(&self) -> Option<String> {
        self.register.as_ref().map(|(state, next)| format!("{state} <= {next};"))
    }
}
