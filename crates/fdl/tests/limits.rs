//! Every text of up to a megabyte is accepted or refused soon and in bounded memory. Each case is a design that
//! grows somewhere; `tests/python/test_fdl_limits.py` holds some to 5 seconds and a gigabyte.

use cocrypt_diag::{Diagnostic, Source};
use cocrypt_fdl::{LARGEST, diagram, load, netlist};
use cocrypt_rtl::{Standard, verilog, vhdl};

/// Reads, checks, lays out and writes a design; what was wrong with it.
fn process(text: &str) -> Result<(), Vec<Diagnostic>> {
    let model = load(&Source::new("large.fdl", text))?;
    let _ = (diagram::states_dot(&model), diagram::states_mermaid(&model));
    let netlist = netlist(&model, None).map_err(|wrong| vec![wrong])?;
    assert!(!verilog(&netlist).is_empty() && !vhdl(&netlist, Standard::Vhdl93).is_empty());
    Ok(())
}

/// The first diagnostic of a design.
fn code(text: &str) -> String {
    let wrong = process(text).expect_err("refused");
    assert!(wrong.len() <= 200, "{} diagnostics", wrong.len());
    assert!(wrong[0].help.is_some(), "{wrong:?}");
    wrong[0].code.clone()
}

fn datapath(items: &str) -> String {
    format!("dp d(in i : ns(8); out o : ns(8)) {{ {items} }}")
}

/// So many times the same, each with its number.
fn each(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

/// Datapaths of which each uses four of the one before.
fn levels(count: usize) -> String {
    let four = "use {}(a, w); ";
    let mut text = "dp a0(in a : ns(8); out o : ns(8)) { always { o = a; } }\n".to_owned();
    for level in 1..=count {
        let uses = each(4, |n| {
            four.replace("{}", &format!("a{}", level - 1)).replace('w', &format!("w{n}"))
        });
        text.push_str(&["dp a", &level.to_string(), "(in a : ns(8); out o : ns(8)) { "].concat());
        text.push_str(&["sig w0, w1, w2, w3 : ns(8); ", &uses, "\n"].concat());
        text += "always { o = w0 ^ w1 ^ w2 ^ w3; } }\n";
    }
    text
}

#[test]
fn instances_are_counted_before_they_are_made() {
    assert!(process(&levels(3)).is_ok());
    for count in [9, 13, 60] {
        assert_eq!(code(&levels(count)), "fdl.too-large");
    }
    let deep = "dp a0(out o : ns(8)) { always { o = 1; } }\n".to_owned()
        + &each(20_000, |n| format!("dp a{}(out o : ns(8)) {{ use a{n}(o); }}\n", n + 1));
    assert_eq!(code(&deep), "fdl.too-large");
}

#[test]
fn the_diagnostic_says_where_and_what_to_do() {
    let wrong = process(&levels(13)).expect_err("refused").remove(0);
    // Each level stands on two lines, behind the first.
    let level = wrong.line_column().map_or(0, |(line, _)| line / 2);
    let message = format!("`a{level}` with all its instances has more than 524288 parts");
    assert_eq!(wrong.message, message);
}

#[test]
fn what_is_too_large_is_refused() {
    let wide = "~(ns(1000000)) 0";
    let cases = [
        ("comment", "/* ".repeat(300_000), "fdl.syntax"),
        ("file", " ".repeat(LARGEST + 1), "fdl.too-large"),
        ("name", datapath(&format!("sig {} : ns(8);", "a".repeat(100_000))), "fdl.too-large"),
        (
            "number",
            datapath(&format!("always {{ o = {}; }}", "9".repeat(900_000))),
            "fdl.too-large",
        ),
        (
            "string",
            datapath(&format!("always {{ $display(\"{}\"); o = 1; }}", "a".repeat(900_000))),
            "fdl.too-large",
        ),
        (
            "index",
            datapath(&format!("always {{ o = {}i{}; }}", "i[".repeat(700), "]".repeat(700))),
            "fdl.syntax",
        ),
        (
            "indices",
            datapath(&format!(
                "always {{ o = {}0{}; }}",
                format!("i[{}", "0+".repeat(250)).repeat(150),
                "]".repeat(150)
            )),
            "fdl.syntax",
        ),
        (
            "types",
            datapath(&format!("always {{ o = {}8{}; }}", "(ns(".repeat(400), ")) i".repeat(400))),
            "fdl.syntax",
        ),
        ("wide", datapath(&each(2_000, |n| format!("sig w{n} : ns(1000000);"))), "fdl.too-large"),
        (
            "products",
            datapath(&format!(
                "always {{ o = {}; }}",
                vec![format!("(({wide})*({wide}))[0]"); 90].join("+")
            )),
            "fdl.width",
        ),
        (
            "factors",
            datapath(&format!(
                "always {{ o = {}; }}",
                vec!["((~(ns(500000)) 0)*(~(ns(500000)) 0))[0]"; 90].join("+")
            )),
            "fdl.too-large",
        ),
        (
            "array",
            datapath("reg m(16777216) : ns(8); always { o = m(0); m(0) = i; }"),
            "fdl.too-large",
        ),
        (
            "words",
            datapath("reg m(100000) : ns(1000000); always { o = m(0); m(0) = i; }"),
            "fdl.too-large",
        ),
        (
            "tables",
            datapath(&format!(
                "lookup {} : ns(8) = {{ {}1 }}; always {{ o = t0(i); }}",
                vec_names(10_000),
                "1,".repeat(10_000)
            )),
            "fdl.too-large",
        ),
        (
            "table",
            datapath(&format!(
                "lookup t : ns(1000000) = {{ {}1 }}; always {{ o = t(i); }}",
                "1,".repeat(10_000)
            )),
            "fdl.too-large",
        ),
        (
            "turns",
            datapath(&format!(
                "for (k : 0..30000) {{ always {{ {} }} }}",
                "$finish; ".repeat(10_000)
            )),
            "fdl.too-large",
        ),
        (
            "chain",
            datapath(&format!(
                "sig s0 : ns(8); {} always {{ s0 = i; o = s30000; }}",
                each(30_000, |n| format!("sig s{0}:ns(8); always {{s{0}=s{n};}}", n + 1))
            )),
            "fdl.too-large",
        ),
        (
            "clones",
            format!(
                "{}\n{}",
                datapath(&format!("always {{ o = {}; }}", vec!["i"; 250].join("+"))),
                each(10_000, |n| format!("dp c{n}:d\n"))
            ),
            "fdl.too-large",
        ),
        (
            "mistakes",
            datapath(&each(40_000, |n| format!("always {{ o = x{n}; }}"))),
            "fdl.unknown-name",
        ),
        ("steps", steps(20_000, 20_000), "fdl.too-large"),
        (
            "chained",
            datapath(&format!(
                "{} always {{ {} {}; }}",
                each(250, |n| format!("sig s{n} : ns(8); ")),
                each(250, |n| format!("s{n} = ")),
                balanced(12)
            )),
            "fdl.too-large",
        ),
    ];
    for (what, text, code) in cases {
        assert!(text.len() <= LARGEST + 1, "{what} has {} bytes", text.len());
        let wrong = process(&text).expect_err(what);
        assert_eq!(wrong[0].code, code, "{what}: {}", wrong[0].message);
        assert!(wrong.len() <= 200 && wrong[0].message.len() < 1000, "{what}");
    }
}

fn vec_names(count: usize) -> String {
    each(count, |n| format!("t{n},")).trim_end_matches(',').to_owned()
}

/// Sums of sums, as even as can be.
fn balanced(levels: usize) -> String {
    if levels == 0 { "i".to_owned() } else { format!("({0}+{0})", balanced(levels - 1)) }
}

/// A controller of so many steps beside so many assignments that are always active.
fn steps(steps: usize, assigns: usize) -> String {
    let assigns = each(assigns, |n| format!("s{n}=i;"));
    let names = each(20_000, |n| format!("s{n},"));
    let list = each(steps, |_| "a;".to_owned());
    format!(
        "dp d(in i : ns(8); out o : ns(8)) {{ sig {} : ns(8); always {{ o = i; {assigns} }} sfg a {{ $finish; }} }} \
         sequencer q(d) {{ {list} }}",
        names.trim_end_matches(',')
    )
}

#[test]
fn what_is_large_and_right_is_accepted() {
    let cases = [
        ("states", {
            let names = each(4_000, |n| format!("state s{n};"));
            let moves = each(4_000, |n| format!("@s{n} a -> s{};", (n + 1) % 4_000));
            format!(
                "dp d(in i : ns(8); out o : ns(8)) {{ always {{ o = i; }} sfg a {{ $finish; }} }} fsm f(d) {{ initial z; {names} @z a -> s0; {moves} }}"
            )
        }),
        (
            "datapaths",
            each(4_000, |n| format!("dp d{n}(out o : ns(1)) {{ always {{ o = 1; }} }}\n")),
        ),
        (
            "sfgs",
            datapath(&format!(
                "always {{ o = i; }} {}",
                each(4_000, |n| format!("sfg g{n} {{ sig l : ns(2); l = 1; }}"))
            )),
        ),
        (
            "table",
            datapath(&format!(
                "lookup t : ns(8) = {{ {}1 }}; {} always {{ o = s0; }}",
                "1,".repeat(60_000),
                each(3_000, |n| format!("sig s{n} : ns(8); always {{ s{n} = t(i); }}"))
            )),
        ),
        (
            "remainders",
            datapath(&format!(
                "sig t : tc(9); always {{ t = {}t{}; o = i; }}",
                "(".repeat(40),
                " % (tc(9)) i)".repeat(40)
            ))
            .replacen("(t %", "(i %", 1),
        ),
        (
            "conditions",
            format!(
                "dp d(in i : ns(8); out o : ns(8)) {{ always {{ o = i; }} sfg a {{ $finish; }} }} fsm f(d) {{ initial s; @s {} a -> s; {} }}",
                "if (i[0]) then ".repeat(500),
                "else a -> s; ".repeat(500)
            ),
        ),
    ];
    for (what, text) in cases {
        let wrong = process(&text).map_err(|wrong| wrong[0].message.clone());
        assert_eq!(wrong, Ok(()), "{what}");
    }
}

#[test]
fn names_of_files_do_not_lead_out() {
    for name in ["/etc/passwd", "../out", "a/../../b", "", "C:/x", "\\\\host\\x"] {
        let text =
            datapath(&format!("reg r : ns(8); always {{ r = i; o = r; }} $trace(r, \"{name}\");"));
        assert_eq!(code(&text), "fdl.file", "{name}");
        let text =
            format!("ipblock t(in data : ns(8)) {{ iptype \"tracer\"; ipparm \"file={name}\"; }}");
        assert_eq!(code(&text), "fdl.file", "{name}");
    }
    for (kind, ports) in [
        ("rom", "in address : ns(8); in rd : ns(1); out odata : ns(8)"),
        ("ram", "in address : ns(8); in wr, rd : ns(1); in idata : ns(8); out odata : ns(8)"),
        ("filesource", "out d1 : ns(8)"),
    ] {
        let text = format!(
            "ipblock m({ports}) {{ iptype \"{kind}\"; ipparm \"size=8\"; ipparm \"wl=8\"; ipparm \"file=/etc/passwd\"; }}"
        );
        let wrong = process(&text).expect_err(kind);
        assert!(
            wrong.iter().any(|diagnostic| diagnostic.message.contains("is an absolute path")),
            "{kind}: {wrong:?}"
        );
    }
    let text = "ipblock arm { iptype \"armsystem\"; ipparm \"exec=../../bin/sh\"; }";
    assert_eq!(code(text), "fdl.block");
    assert_eq!(code("$include \"/etc/passwd\";"), "fdl.file");
    assert_eq!(code("$include \"../secret.txt\";"), "fdl.file");
}
