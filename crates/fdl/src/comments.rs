//! Comments of a design, with the declarations and assignments that they belong to: one above something
//! belongs to what follows, one behind something to that.

use std::collections::BTreeMap;

use cocrypt_rtl::{Comment, Comments, Position};

use crate::ast::Span;
use crate::lexer::{Token, tokens};
use crate::model::{Datapath, Decision, Model};

/// Something that is exported, at its first byte: its line, and true if it is a transition of the state in
/// that line.
type Anchors = BTreeMap<usize, (usize, bool)>;

/// The comments of a design, for scopes that are instances of these datapaths.
pub(crate) fn comments(model: &Model, scopes: impl Iterator<Item = usize>) -> Comments {
    // What was parsed is a sequence of words.
    let Ok(words) = tokens(&model.source) else { return Comments::default() };
    let starts = definitions(&words);
    let of = |at: usize| starts.partition_point(|start| *start <= at).max(1) - 1;
    let anchors = anchors(model);
    let mut definitions = vec![vec![]; starts.len()];
    let mut before = None;
    for (_, word) in &words {
        let from = before.map_or(0, |word: Span| word.end);
        for (comment, is_beside) in gap(&model.source.text, from, word.start) {
            let at = before.filter(|_| is_beside).map_or(word.start, |word| word.start);
            let definition = of(at);
            let end = starts.get(definition + 1).copied().unwrap_or(usize::MAX);
            let within = starts[definition]..end;
            let earlier = || anchors.range(within.start..=at).next_back();
            let later = || anchors.range(at..within.end).next();
            let anchor = if is_beside { earlier() } else { later().or_else(earlier) };
            let (line, is_transition) = anchor.map_or((0, false), |(_, anchor)| *anchor);
            let position = match (is_transition, is_beside) {
                (true, _) => Position::Transitions,
                (_, true) => Position::Beside,
                _ => Position::Above,
            };
            let comment = comment.into_iter().map(|text| Comment { text, line, position });
            definitions[definition].extend(comment);
        }
        before = Some(*word);
    }
    let of_datapath = |datapath: usize| {
        let chain = std::iter::successors(Some(datapath), |at| model.datapaths[*at].original);
        let mut own: Vec<usize> = chain.map(|at| of(model.datapaths[at].span.start)).collect();
        own.dedup();
        own
    };
    Comments { definitions, scopes: scopes.map(of_datapath).collect() }
}

/// The first bytes of the definitions in a file, each with the controller behind it.
fn definitions(words: &[(Token, Span)]) -> Vec<usize> {
    let (mut open, mut starts) = (0_usize, vec![]);
    for (token, span) in words {
        match token {
            Token::LeftBrace => open += 1,
            Token::RightBrace => open = open.saturating_sub(1),
            Token::Dp | Token::Ipblock | Token::System if open == 0 => starts.push(span.start),
            _ => {}
        }
    }
    if starts.is_empty() { vec![0] } else { starts }
}

fn anchors(model: &Model) -> Anchors {
    let mut anchors = Anchors::new();
    let mut add = |span: Span| {
        anchors.insert(span.start, (model.line(span), false));
    };
    for datapath in &model.datapaths {
        add(datapath.span);
        if datapath.original.is_none() {
            spans(datapath).into_iter().for_each(&mut add);
        }
    }
    for controller in model.datapaths.iter().filter_map(|datapath| datapath.controller.as_ref()) {
        for state in &controller.states {
            let line = model.line(state.span);
            let mut spans = vec![];
            state.decision.iter().for_each(|decision| transitions(decision, &mut spans));
            for span in spans {
                // A step of a sequencer is declared where it runs.
                anchors.entry(span.start).or_insert((line, true));
            }
        }
    }
    anchors
}

/// The spans of what is exported of a datapath.
fn spans(datapath: &Datapath) -> Vec<Span> {
    let controller = datapath.controller.iter();
    let own = controller.clone().map(|controller| controller.span);
    let states = controller.flat_map(|controller| &controller.states).map(|state| state.span);
    let named = datapath.sfgs.iter().filter(|sfg| !sfg.always).map(|sfg| sfg.span);
    let assigns = datapath.sfgs.iter().flat_map(|sfg| &sfg.assigns).map(|assign| assign.span);
    let writes = datapath.sfgs.iter().flat_map(|sfg| &sfg.writes).map(|write| write.span);
    let symbols = datapath.symbols.iter().map(|symbol| symbol.span);
    let words = datapath.tables.iter().map(|table| table.span);
    let arrays = datapath.arrays.iter().map(|array| array.span);
    let uses = datapath.uses.iter().map(|instance| instance.span);
    let declared = symbols.chain(words).chain(arrays).chain(uses);
    declared.chain(named).chain(assigns).chain(writes).chain(own).chain(states).collect()
}

fn transitions(decision: &Decision, spans: &mut Vec<Span>) {
    match decision {
        Decision::Go { span, .. } => spans.push(*span),
        Decision::If { condition, yes, no } => {
            spans.push(condition.span);
            transitions(yes, spans);
            transitions(no, spans);
        }
    }
}

/// The comments between two words, each as lines, and whether the first word is in the same line.
fn gap(text: &str, from: usize, to: usize) -> Vec<(Vec<String>, bool)> {
    let (mut found, mut at, mut is_beside) = (vec![], from, from != 0);
    while at < to {
        let rest = &text[at..to];
        let (length, body) = if rest.starts_with("/*") {
            let length = rest.find("*/").map_or(rest.len(), |end| end + 2);
            (length, rest[..length].trim_start_matches("/*").trim_end_matches("*/"))
        } else if rest.starts_with("//") || rest.starts_with("#!") {
            let length = rest.find('\n').unwrap_or(rest.len());
            // A first line `#!` is the shell's.
            let is_shell = at == 0 && rest.starts_with("#!");
            (length, if is_shell { "" } else { &rest[2..length] })
        } else {
            is_beside &= !rest.starts_with('\n');
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        let lines = lines(body);
        if is_beside && !lines.is_empty() {
            found.push((vec![lines.join(" ")], true));
        } else if !lines.is_empty() {
            found.push((lines, false));
        }
        is_beside &= !rest[..length].contains('\n');
        at += length;
    }
    found
}

/// The lines of a comment that say something, without marks at their borders.
fn lines(comment: &str) -> Vec<String> {
    let bare = |line: &str| line.trim().trim_matches(['*', '/', '#', '=', '-']).trim().to_owned();
    let says = |line: &String| line.chars().any(char::is_alphanumeric);
    comment.lines().map(bare).filter(says).collect()
}

#[cfg(test)]
mod tests {
    use super::gap;

    #[test]
    fn comments_are_split_into_lines() {
        let text = "a // one\n  /* two\n   * three */ b";
        let found = gap(text, 1, text.len() - 1);
        assert_eq!(found[0], (vec!["one".to_owned()], true));
        assert_eq!(found[1], (vec!["two".to_owned(), "three".to_owned()], false));
        assert!(gap("#!/bin/sh\n// ----\n", 0, 18).is_empty());
    }
}
