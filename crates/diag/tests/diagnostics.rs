//! Places, text and JSON of diagnostics; suggestions.

use cocrypt_diag::{Diagnostic, Source, suggest};

fn sample() -> Diagnostic {
    let source = Source::new("study.toml", "[study]\nnäme = \"x\"\ndevcie = \"y\"\n");
    Diagnostic::error("study.unknown-key", "there is no key `devcie` in [study]")
        .with_source(&source)
        .with_label(20..26, "not known here")
        .with_help("did you mean `device`?")
}

#[test]
fn places_count_characters_from_one() {
    assert_eq!(sample().line_column(), Some((3, 1)));
    let inside = Diagnostic { labels: vec![], ..sample() }.with_label(11..12, "");
    assert_eq!(inside.line_column(), Some((2, 3)), "the second byte of ä does not count");
    assert_eq!(Diagnostic::error("a.b", "c").line_column(), None);
}

#[test]
fn the_text_names_file_line_and_what_to_do() {
    let text = sample().render(false);
    for part in ["study.unknown-key", "study.toml:3:1", "devcie = ", "did you mean `device`?"] {
        assert!(text.contains(part), "{part} is missing in:\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "escape codes without color");
}

#[test]
fn a_span_outside_the_text_still_gives_the_message() {
    let text = sample().with_label(500..600, "nowhere").render(false);
    assert!(text.contains("there is no key `devcie`"), "{text}");
}

#[test]
fn json_has_null_where_nothing_is_known() {
    let json = sample().to_json();
    assert_eq!(json["line"], 3);
    assert_eq!(json["end_column"], 7);
    assert_eq!(json["file"], "study.toml");
    let bare = Diagnostic::warning("a.b", "c").to_json();
    assert_eq!(bare["severity"], "warning");
    assert!(bare["line"].is_null() && bare["file"].is_null() && bare["help"].is_null());
}

#[test]
fn suggestions_forgive_slips_and_nothing_more() {
    let known = ["device", "workload", "name", "mod_mul", "mod_div", "w"];
    for (wrong, right) in [
        ("devcie", Some("device")),
        ("Device", Some("device")),
        ("worklod", Some("workload")),
        ("mod_mull", Some("mod_mul")),
        ("nam", Some("name")),
        ("mod_dvi", Some("mod_div")),
        ("", None),
        ("frequency", None),
        ("x", None),
    ] {
        assert_eq!(suggest(wrong, known), right, "{wrong}");
    }
}
