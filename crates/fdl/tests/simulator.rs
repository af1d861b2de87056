//! The simulator as the machine uses it: ports, clock edges, idling, snapshots, registers by path.

use std::sync::Arc;

use cocrypt_diag::Source;
use cocrypt_fdl::{load, netlist};
use cocrypt_rtl::{Fault, Netlist, Simulator, verilog};

fn build(text: &str, top: Option<&str>) -> Netlist {
    let model = load(&Source::new("test.fdl", text)).expect("an accepted design");
    netlist(&model, top).expect("a top")
}

fn simulator(text: &str) -> Simulator {
    Simulator::new(Arc::new(build(text, None)))
}

/// Counts down from what is written, then rests.
const TIMER: &str = "
dp counter(in load : ns(1); in value : ns(100); out rest : ns(100)) {
  reg count : ns(100);
  always { rest = count; }
  always { count = load ? value : (count == 0) ? 0 : (count - 1); }
}
dp timer(in load : ns(1); in value : ns(100); out rest : ns(100); out busy : ns(1)) {
  reg steps : ns(4);
  use counter(load, value, rest);
  sfg run { steps = steps + 1; busy = rest != 0; }
  sfg stay { busy = rest != 0; }
}
fsm timer_control(timer) {
  initial begin_;
  state end_;
  @begin_ if (steps == 3) then run -> end_; else run -> begin_;
  @end_ stay -> end_;
}";

fn started(value: u64) -> Simulator {
    let mut simulator = simulator(TIMER);
    let (load, input) = (simulator.input("load").unwrap(), simulator.input("value").unwrap());
    simulator.set_input(load, 1);
    simulator.set_input(input, value);
    assert!(simulator.step());
    simulator.set_input(load, 0);
    simulator
}

#[test]
fn ports_are_found_by_name_and_direction() {
    let simulator = simulator(TIMER);
    assert!(simulator.input("load").is_some() && simulator.output("rest").is_some());
    assert!(simulator.input("rest").is_none() && simulator.output("load").is_none());
    assert!(simulator.input("steps").is_none());
}

#[test]
fn outputs_follow_inputs_within_a_cycle() {
    let mut simulator = simulator("dp d(in a : ns(8); out o : ns(8)) { always { o = a + 1; } }");
    let (a, o) = (simulator.input("a").unwrap(), simulator.output("o").unwrap());
    for value in [0, 7, 255, 256 + 7] {
        simulator.set_input(a, value);
        assert_eq!(simulator.evaluate_output(o), (value + 1) % 256);
    }
    assert_eq!(simulator.cycle(), 0);
}

#[test]
fn a_step_says_when_nothing_changes_any_more() {
    let mut simulator = started(6);
    let changes: Vec<bool> = (0..9).map(|_| simulator.step()).collect();
    assert_eq!(changes, [true, true, true, true, true, true, false, false, false]);
    assert_eq!(simulator.cycle(), 10);
    // An input that changes wakes it.
    let load = simulator.input("load").unwrap();
    simulator.set_input(load, 1);
    assert!(simulator.step());
}

#[test]
fn idle_cycles_are_counted_but_not_computed() {
    let mut simulator = started(6);
    // Six cycles count down, the seventh finds that nothing changes, 993 are saved.
    assert_eq!(simulator.run_idle(1000), 993);
    assert_eq!(simulator.cycle(), 1001);
    assert_eq!(simulator.run_idle(5), 4);
    assert_eq!(simulator.cycle(), 1006);
    let mut busy = started(100);
    assert_eq!(busy.run_idle(50), 0);
    assert_eq!(busy.register("counter.count"), Some(vec![50, 0]));
}

#[test]
fn a_clone_is_a_snapshot() {
    let mut simulator = started(20);
    simulator.run_idle(5);
    let snapshot = simulator.clone();
    simulator.run_idle(100);
    assert_eq!(simulator.register("counter.count"), Some(vec![0, 0]));
    let mut restored = snapshot;
    assert_eq!((restored.cycle(), restored.register("counter.count")), (6, Some(vec![15, 0])));
    restored.step();
    assert_eq!(restored.register("counter.count"), Some(vec![14, 0]));
}

#[test]
fn reset_goes_back_to_the_start() {
    let mut simulator = started(20);
    simulator.run_idle(10);
    assert_eq!(simulator.state(""), Some("end_"));
    simulator.reset();
    assert_eq!((simulator.cycle(), simulator.state("")), (0, Some("begin_")));
    assert_eq!(simulator.register("counter.count"), Some(vec![0, 0]));
    let busy = simulator.output("busy").unwrap();
    assert_eq!(simulator.evaluate_output(busy), 0);
}

#[test]
fn wide_ports_take_and_give_limbs() {
    let mut simulator = simulator(TIMER);
    let (load, value) = (simulator.input("load").unwrap(), simulator.input("value").unwrap());
    simulator.set_input(load, 1);
    simulator.set_input_wide(value, &[1, u64::MAX, 9]);
    simulator.step();
    let rest = simulator.output("rest").unwrap();
    assert_eq!(simulator.output_wide(rest), [1, (1 << 36) - 1]);
    assert_eq!(simulator.evaluate_output(rest), 1);
}

#[test]
fn registers_are_found_by_path() {
    let simulator = simulator(TIMER);
    assert!(simulator.register("steps").is_some() && simulator.register("counter.count").is_some());
    assert!(simulator.register("count").is_none() && simulator.register("counter.rest").is_none());
}

const TABLE: &str = "
dp d(in i : ns(4); in c : ns(1); out o : ns(8); out p : ns(8)) {
  lookup T : ns(8) = { 1, 2, 3 };
  reg r : ns(8);
  always { o = c ? T(i) : 0; r = o; p = r; }
}";

#[test]
fn a_table_read_past_its_end_is_a_fault_only_where_it_is_read() {
    let mut simulator = simulator(TABLE);
    let (i, c) = (simulator.input("i").unwrap(), simulator.input("c").unwrap());
    simulator.set_input(i, 9);
    simulator.step();
    assert_eq!(simulator.fault(), None);
    simulator.set_input(c, 1);
    simulator.step();
    assert_eq!(simulator.fault(), Some(&Fault::Lookup { table: "T".to_owned(), cycle: 1 }));
}

#[test]
fn a_loop_that_closes_is_a_fault() {
    let mut simulator = simulator(
        "dp d(in c : ns(1); in x : ns(8); out p : ns(8)) {
           reg r : ns(8);
           sig a, b : ns(8);
           always { a = c ? b + 1 : x; b = c ? a : 2; p = r; r = a; }
         }",
    );
    simulator.step();
    assert_eq!(simulator.fault(), None);
    let c = simulator.input("c").unwrap();
    simulator.set_input(c, 1);
    simulator.step();
    assert_eq!(simulator.fault(), Some(&Fault::Loop { cycle: 1 }));
}

#[test]
fn the_top_may_be_named() {
    let netlist = build(TIMER, Some("counter"));
    assert_eq!(netlist.scopes.len(), 1);
    let model = load(&Source::new("test.fdl", TIMER)).expect("an accepted design");
    let wrong = cocrypt_fdl::netlist(&model, Some("timr")).expect_err("no such datapath");
    assert_eq!(wrong.code, "fdl.unknown-datapath");
    assert_eq!(wrong.help.as_deref(), Some("did you mean `timer`?"));
}

#[test]
fn verilog_keeps_names_and_points_to_lines() {
    let text = verilog(&build(TIMER, None));
    for part in [
        "module timer(\n  input  wire clk,\n  input  wire rst,\n  input  wire load,",
        "  input  wire [99:0] value,\n  output wire [99:0] rest,",
        "reg  [3:0] steps;  // line 8",
        "counter counter_instance(",
        "module counter(",
        "localparam TIMER_CONTROL_BEGIN_ = 1'd0;",
        "if (steps == 4'd3) begin",
        "steps <= steps + 4'd1;  // line 10",
    ] {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
}

#[test]
fn ports_called_like_the_clock_get_another_name() {
    let text = verilog(&build(
        "dp inner(in clk : ns(4); out rst : ns(4)) { reg r : ns(4); always { r = clk; rst = r; } }
         dp d(in clk : ns(4); out begin : ns(4)) { use inner(clk, begin); }",
        None,
    ));
    for part in
        ["input  wire [3:0] clk_1,", "output wire [3:0] \\begin ", ".clk(clk)", ".clk_1(clk_1)"]
    {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
}
