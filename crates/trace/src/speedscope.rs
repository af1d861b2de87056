//! The file format of speedscope.
//!
//! Source: speedscope's file format specification (the `sampled` profile).

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::profile::{Node, Profile};

/// The call tree as a sampled profile whose weights are cycles; `name` is what the page is called.
#[must_use]
pub fn speedscope(profile: &Profile, name: &str) -> Value {
    let mut frames = Frames::default();
    let mut stacks: Vec<Vec<usize>> = Vec::with_capacity(profile.tree.len());
    let (mut samples, mut weights, mut total) = (vec![], vec![], 0);
    for node in &profile.tree {
        let mut stack = node.parent.map_or_else(Vec::new, |parent| stacks[parent].clone());
        stack.push(frames.number(node));
        if node.own.cycles != 0 {
            samples.push(stack.clone());
            weights.push(node.own.cycles);
            total += node.own.cycles;
        }
        stacks.push(stack);
    }
    json!({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": "cocrypt",
        "name": name,
        "shared": { "frames": frames.list },
        "profiles": [{
            "type": "sampled",
            "name": "cycles",
            "unit": "none",
            "startValue": 0,
            "endValue": total,
            "samples": samples,
            "weights": weights,
        }],
    })
}

#[derive(Default)]
struct Frames {
    list: Vec<Value>,
    known: HashMap<(String, bool), usize>,
}

impl Frames {
    fn number(&mut self, node: &Node) -> usize {
        *self.known.entry((node.name.clone(), node.inlined)).or_insert_with(|| {
            let name =
                if node.inlined { format!("{} (inlined)", node.name) } else { node.name.clone() };
            self.list.push(json!({ "name": name }));
            self.list.len() - 1
        })
    }
}
