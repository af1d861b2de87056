//! Pictures: what is alike is drawn once, what one sfg assigns is in its frame.

use cocrypt_diag::Source;
use cocrypt_fdl::diagram::{Connections, Shape, connections, states_dot, states_mermaid};
use cocrypt_fdl::{Model, load};

const DESIGN: &str = "
dp cell(in a : ns(8); out y : ns(8)) {
  reg r : ns(8);
  sfg go { r = a; y = r; }
}
hardwired h(cell) { go; }
dp top(in x : ns(8); in go : ns(1); out o : ns(8)) {
  reg held, left : ns(8);
  for (i : 0..3) { sig a.i, y.i : ns(8); use cell(a.i, y.i); always { a.i = x + i; } }
  always { o = y.0 ^ y.1 ^ y.2 ^ y.3; }
  sfg run  { held = held ^ y.0; left = left - 1; }
  sfg load { held = x; }
}
fsm f(top) {
  initial s0; state s1;
  @s0 if (go) then load -> s1; else load -> s0;
  @s1 if (left == 0) then run -> s0; else run -> s1;
}";

fn model() -> Model {
    load(&Source::new("d.fdl", DESIGN)).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

fn top(model: &Model) -> Connections {
    connections(model, model.find("top").expect("it is there"))
}

/// The places of an element by its first line.
fn place(drawn: &Connections, name: &str) -> usize {
    let found = drawn.elements.iter().position(|element| element.lines[0] == name);
    found.unwrap_or_else(|| panic!("no `{name}` in {drawn:?}"))
}

#[test]
fn clones_that_are_connected_alike_are_one_element() {
    let model = model();
    let drawn = top(&model);
    let instances = drawn.elements.iter().filter(|element| element.shape == Shape::Instance);
    let lines: Vec<&[String]> = instances.map(|element| &element.lines[..]).collect();
    // `y_0` drives a register too, so it and its cell are not like the others.
    assert_eq!(lines, [&["cell"][..], &["cell_2 … cell_4", "3 of cell"]]);
    assert_eq!(drawn.elements[place(&drawn, "y_1 … y_3")].lines[1], "3, each ns(8)");
    let (from, to) = (place(&drawn, "a_1 … a_3"), place(&drawn, "cell_2 … cell_4"));
    let arrow = drawn.arrows.iter().find(|arrow| (arrow.from, arrow.to) == (from, to));
    assert_eq!(arrow.map(|arrow| &arrow.label[..]), Some(&["a".to_owned()][..]));
}

#[test]
fn what_one_sfg_assigns_is_in_its_frame() {
    let model = model();
    let drawn = top(&model);
    assert_eq!(drawn.groups, ["run"]);
    let groups = ["left", "held", "o"].map(|name| drawn.elements[place(&drawn, name)].group);
    assert_eq!(groups, [Some(0), None, None]);
    let labels = |from, to| {
        let (from, to) = (place(&drawn, from), place(&drawn, to));
        let arrow = drawn.arrows.iter().find(|arrow| (arrow.from, arrow.to) == (from, to));
        arrow.map(|arrow| arrow.label.join(" "))
    };
    assert_eq!(labels("x", "held").as_deref(), Some("load"));
    assert_eq!(labels("left", "left").as_deref(), Some(""));
    assert_eq!(labels("x", "left"), None);
}

#[test]
fn a_controller_without_a_choice_is_one_box() {
    let model = model();
    let text = states_dot(&model);
    assert!(text.contains("label=\"h of cell ×4\\nin every cycle: go\""), "{text}");
    assert_eq!(text.matches("subgraph").count(), 1);
    let text = states_mermaid(&model);
    assert!(text.contains("state \"h of cell ×4, in every cycle #58; go\" as m0\n"), "{text}");
}

#[test]
fn a_long_chain_is_drawn_link_by_link() {
    let text = "dp d(in x : ns(8); out o : ns(8)) {
      for (i : 0..3999) { sig s.i : ns(8); }
      always { s.0 = x; for (i : 1..3999) { s.i = s.(i - 1); } o = s.3999; }
    }";
    let model = load(&Source::new("d.fdl", text)).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let drawn = connections(&model, 0);
    assert_eq!((drawn.elements.len(), drawn.arrows.len()), (4002, 4001));
}
