//! Blocks of the design's own, in Verilog or C++: which file one is in, and what it says of its ports.

use std::fmt::Write as _;

use cocrypt_rtl::Language;

use super::Resolver;
use super::blocks::{Block, Body, Parameters, Wrong};
use crate::ast::{Kind, Span};
use crate::model::UserBlock;

/// The languages of blocks, and the ends of their files' names.
const LANGUAGES: [(Language, &str); 2] = [(Language::Verilog, "v"), (Language::Cpp, "cpp")];

/// The largest decimal number that a parameter of Verilog may be: of 32 bits, with a sign.
const LARGEST: i64 = i32::MAX as i64;

impl Resolver<'_> {
    /// The block of this name whose file is beside the design; nothing if there is none.
    pub(super) fn user_block(&self, kind: &str, place: Span) -> Option<Result<UserBlock, Wrong>> {
        if !is_identifier(kind) {
            return None;
        }
        let found = LANGUAGES.map(|(language, end)| {
            let text = self.files.bytes(&format!("{kind}.{end}")).ok();
            text.map(|text| (language, String::from_utf8_lossy(&text).into_owned()))
        });
        match found {
            [None, None] => None,
            [Some(_), Some(_)] => {
                let message = format!("there are `{kind}.v` and `{kind}.cpp`, and a block is one");
                let help = "remove or rename one of the two files".to_owned();
                Some(Err((message, place, help)))
            }
            [Some((language, text)), None] | [None, Some((language, text))] => {
                let has = |name| language == Language::Verilog && has_input(&text, kind, name);
                Some(Ok(UserBlock {
                    module: kind.to_owned(),
                    language,
                    clock: has("clk"),
                    reset: has("rst"),
                    parameters: vec![],
                    outputs: vec![],
                }))
            }
        }
    }
}

impl Block<'_, '_> {
    /// The FDL around a user's block: a register for each output, which the block drives.
    pub(super) fn around(&self, mut user: UserBlock, types: &[String]) -> Result<Body, Wrong> {
        user.parameters = passed_on(&self.parameters, user.language)?;
        let (mut text, mut assigns) = (String::new(), String::new());
        let ports = self.written.ports.iter().flat_map(|declaration| {
            declaration.names.iter().map(|name| (declaration.kind, &name.name))
        });
        for (at, ((kind, name), ty)) in ports.zip(types).enumerate() {
            if matches!(name.text.as_str(), "clk" | "rst") {
                let message = format!("`{}` is connected by itself", name.text);
                let help = "leave it out: `clk` is the clock and `rst` the reset of every block";
                return Err((message, name.span, help.to_owned()));
            }
            if kind == Kind::Out {
                write!(text, "reg own_{at} : {ty}; ").unwrap_or_default();
                write!(assigns, "{} = own_{at}; ", name.text).unwrap_or_default();
                user.outputs.push((name.text.clone(), format!("own_{at}")));
            }
        }
        write!(text, "always {{ {assigns} }}").unwrap_or_default();
        Ok(Body { text, user: Some(user), ..Body::default() })
    }
}

/// The parameters of a block in the order of their names.
fn passed_on(parameters: &Parameters, language: Language) -> Result<Vec<(String, String)>, Wrong> {
    let mut passed = vec![];
    for (key, (value, span)) in parameters {
        let wrong = |message: String, help: &str| Err((message, *span, help.to_owned()));
        if !is_identifier(key) {
            return wrong(format!("`{key}` is no name of a parameter"), "use letters and digits");
        }
        if value.chars().any(|letter| letter.is_control() || matches!(letter, '"' | '\\')) {
            let message =
                format!("the value of `{key}` has a quote, a backslash or a control character");
            return wrong(message, "use other characters");
        }
        let is_large = value.parse::<i128>().is_ok_and(|number| number.abs() > LARGEST.into());
        if language == Language::Verilog && is_large {
            let message = format!("`{key}` has more than 32 bits");
            return wrong(
                message,
                "write it in hex, `0x…`, with as many digits as it has bits for",
            );
        }
        passed.push((key.clone(), value.clone()));
    }
    passed.sort();
    Ok(passed)
}

fn is_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns true if the module of this name in a Verilog text has a one-bit input of that name. Comments do
/// not count.
fn has_input(text: &str, module: &str, input: &str) -> bool {
    let text = without_comments(text);
    let mut words = text
        .split(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$')))
        .filter(|word| !word.is_empty());
    let mut last = "";
    let begins = words.any(|word| std::mem::replace(&mut last, word) == "module" && word == module);
    let mut is_input = false;
    for word in words.take_while(|word| begins && *word != "endmodule") {
        match word {
            "input" => is_input = true,
            "output" | "inout" | "reg" | "always" | "assign" | "parameter" | "localparam" => {
                is_input = false;
            }
            _ if is_input && word == input => return true,
            _ => {}
        }
    }
    false
}

fn without_comments(text: &str) -> String {
    let (mut left, mut kept) = (text, String::with_capacity(text.len()));
    while let Some(at) = left.find("/*").into_iter().chain(left.find("//")).min() {
        kept.push_str(&left[..at]);
        kept.push(' ');
        let (end, skipped) = if left[at..].starts_with("//") { ("\n", 0) } else { ("*/", 2) };
        let rest = &left[at + 2..];
        left = rest.find(end).map_or("", |found| &rest[found + skipped..]);
    }
    kept + left
}

#[cfg(test)]
mod tests {
    use super::has_input;

    #[test]
    fn clocks_are_found_in_both_styles_of_ports() {
        let ansi = "module a(input wire [7:0] x, /* input clk, */ input clk, output reg [7:0] q);";
        let old = "module b(x, clk, rst); // input rst\n input x, clk; output rst; endmodule";
        assert!(has_input(ansi, "a", "clk"));
        assert!(!has_input(ansi, "a", "rst"));
        assert!(has_input(old, "b", "clk"));
        assert!(!has_input(old, "b", "rst"));
        let two = format!("module c(input x); endmodule\n{ansi}");
        assert!(!has_input(&two, "c", "clk"));
        assert!(has_input(&two, "a", "clk"));
    }
}
