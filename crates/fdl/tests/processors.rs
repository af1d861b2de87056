//! The behaviour of blocks at processors, cycle by cycle, as their programs and the design see it.

use std::sync::Arc;

use cocrypt_diag::Source;
use cocrypt_fdl::{Dialect, NoFiles, load, load_as, netlist};
use cocrypt_rtl::{Face, NetId, Route, Simulator};

fn with_processor(text: &str) -> String {
    format!("ipblock cpu {{ iptype \"armsystem\"; ipparm \"exec=main\"; }}\n{text}")
}

/// The same of an 8051.
fn with_8051(text: &str) -> String {
    format!("ipblock cpu {{ iptype \"i8051system\"; ipparm \"exec=main.ihx\"; }}\n{text}")
}

/// A design, and programs that the test plays.
struct Bench {
    simulator: Simulator,
    faces: Vec<Face>,
    strobes: Vec<NetId>,
}

impl Bench {
    fn new(text: &str) -> Self {
        Self::of(&with_processor(text), Dialect::Extended, None)
    }

    fn of(text: &str, dialect: Dialect, top: Option<&str>) -> Self {
        let model = load_as(&Source::new("bench.fdl", text), dialect, &NoFiles);
        let netlist = netlist(&model.expect("a correct design"), top).expect("a netlist");
        let faces = netlist.faces.clone();
        Self { simulator: Simulator::new(Arc::new(netlist)), faces, strobes: vec![] }
    }

    /// A store of the lowest bits of a value, as many as `mask` has.
    fn store_some(&mut self, face: usize, address: u64, value: u64, mask: u64) {
        let face = self.faces[face].clone();
        self.simulator.set_register(face.data, value & mask);
        self.simulator.set_register(face.mask, mask);
        self.access(face.address, address, face.write);
    }

    fn store(&mut self, face: usize, address: u64, value: u64) {
        self.store_some(face, address, value, 0xffff_ffff);
    }

    fn load(&mut self, face: usize, address: u64) -> u64 {
        let face = self.faces[face].clone();
        self.access(face.address, address, face.read);
        self.simulator.net_value(face.value)[0]
    }

    fn access(&mut self, place: NetId, address: u64, strobe: NetId) {
        self.simulator.set_register(place, address);
        self.simulator.set_register(strobe, 1);
        self.strobes.push(strobe);
    }

    fn step(&mut self) {
        self.simulator.step();
        for strobe in self.strobes.drain(..) {
            self.simulator.set_register(strobe, 0);
        }
    }

    fn set(&mut self, port: &str, value: u64) {
        let port = self.simulator.input(port).expect("an input");
        self.simulator.set_input(port, value);
    }

    fn get(&mut self, port: &str) -> u64 {
        let port = self.simulator.output(port).expect("an output");
        self.simulator.evaluate_output(port)
    }
}

#[test]
fn a_store_is_seen_a_cycle_later_and_stays() {
    let mut bench = Bench::new(
        "ipblock b(out data : ns(32)) { iptype \"armsystemsource\"; ipparm \"core=cpu\"; ipparm \"address=0x90000000\"; }
         dp top(out o : ns(32)) { sig v : ns(32); use b(v); always { o = v; } }",
    );
    bench.store(0, 0, 0x1234_5678);
    assert_eq!(bench.get("o"), 0);
    for _ in 0..3 {
        bench.step();
        assert_eq!(bench.get("o"), 0x1234_5678);
    }
    bench.store_some(0, 0, 0xabcd, 0xff);
    bench.step();
    assert_eq!(bench.get("o"), 0xcd, "a byte is a value of its own");
}

#[test]
fn a_load_yields_what_stands_there_in_its_cycle() {
    let mut bench = Bench::new(
        "ipblock b(in data : ns(32)) { iptype \"armsystemsink\"; ipparm \"core=cpu\"; ipparm \"address=0x90000000\"; }
         dp top(in i : ns(32)) { use b(i); }",
    );
    bench.set("i", 77);
    assert_eq!(bench.load(0, 0), 77);
    bench.step();
    bench.set("i", 78);
    assert_eq!(bench.load(0, 0), 78);
}

#[test]
fn a_buffer_is_written_from_both_sides() {
    let mut bench = Bench::new(
        "ipblock b(in idata : ns(32); out odata : ns(32); in address : ns(8); in wr : ns(1)) {
           iptype \"armbuffer\"; ipparm \"core=cpu\"; ipparm \"address=0x90000000\"; ipparm \"range=16\"; }
         dp top(in idata : ns(32); in address : ns(8); in wr : ns(1); out odata : ns(32)) {
           use b(idata, odata, address, wr); }",
    );
    // Both write in one cycle, different words.
    bench.store(0, 4, 0x1111_1111);
    for (port, value) in [("idata", 0x2222_2222), ("address", 8), ("wr", 1)] {
        bench.set(port, value);
    }
    bench.step();
    bench.set("wr", 0);
    assert_eq!((bench.load(0, 4), bench.get("odata")), (0x1111_1111, 0x2222_2222));
    bench.step();
    // A byte and a half word go where they belong.
    bench.store_some(0, 5, 0xaa, 0xff);
    bench.step();
    bench.store_some(0, 6, 0xbbcc, 0xffff);
    bench.step();
    assert_eq!(bench.load(0, 4), 0xbbcc_aa11);
    bench.step();
    // Where both write one word, the program wins.
    bench.store(0, 8, 5);
    bench.set("wr", 1);
    bench.step();
    bench.set("wr", 0);
    assert_eq!(bench.get("odata"), 5);
    // Beyond the end, and while it writes, the design sees what it read last.
    bench.step();
    bench.set("address", 16);
    assert_eq!(bench.get("odata"), 5);
    bench.set("wr", 1);
    bench.step();
    bench.set("wr", 0);
    assert_eq!(bench.get("odata"), 5);
    assert_eq!([0, 4, 8, 12].map(|at| bench.load(0, at)), [0, 0xbbcc_aa11, 5, 0]);
}

#[test]
fn a_slave_link_holds_one_word() {
    let mut bench = Bench::new(
        "ipblock b(out data : ns(32); out exists : ns(1); in read : ns(1)) {
           iptype \"armfslslave\"; ipparm \"core=cpu\"; ipparm \"write=0x90000000\"; ipparm \"status=0x90000010\"; }
         dp top(in read : ns(1); out data : ns(32); out exists : ns(1)) { use b(data, exists, read); }",
    );
    assert_eq!((bench.get("exists"), bench.load(0, 4)), (0, 0));
    bench.step();
    bench.store(0, 0, 9);
    bench.step();
    assert_eq!((bench.get("exists"), bench.get("data"), bench.load(0, 4)), (1, 9, 1));
    bench.step();
    bench.set("read", 1);
    assert_eq!((bench.get("exists"), bench.get("data"), bench.load(0, 4)), (0, 9, 0));
    bench.step();
    bench.set("read", 0);
    assert_eq!(bench.get("exists"), 0);
}

#[test]
fn a_master_link_holds_one_word() {
    let mut bench = Bench::new(
        "ipblock b(in data : ns(32); out full : ns(1); in write : ns(1)) {
           iptype \"armfslmaster\"; ipparm \"core=cpu\"; ipparm \"read=0x90000000\"; ipparm \"status=0x90000010\"; }
         dp top(in data : ns(32); in write : ns(1); out full : ns(1)) { use b(data, full, write); }",
    );
    bench.set("data", 3);
    bench.set("write", 1);
    assert_eq!((bench.get("full"), bench.load(0, 4)), (1, 0));
    bench.step();
    // It is full: another word is not taken.
    bench.set("data", 4);
    assert_eq!((bench.get("full"), bench.load(0, 4)), (1, 1));
    bench.step();
    bench.set("write", 0);
    assert_eq!(bench.load(0, 0), 3);
    bench.step();
    assert_eq!((bench.get("full"), bench.load(0, 4)), (0, 0));
}

#[test]
fn a_link_of_both_ways_is_one_of_each() {
    let mut bench = Bench::new(
        "ipblock b(in FSL_S_Clk : ns(1); in FSL_S_Read : ns(1); out FSL_S_Data : ns(32);
                   out FSL_S_Control : ns(1); out FSL_S_Exists : ns(1); in FSL_M_Clk : ns(1);
                   in FSL_M_Write : ns(1); in FSL_M_Data : ns(32); in FSL_M_Control : ns(1);
                   out FSL_M_Full : ns(1)) {
           iptype \"xilinx_fsl\"; ipparm \"core=cpu\";
           ipparm \"slavewrite=0x90000000\"; ipparm \"slavestatus=0x90000004\";
           ipparm \"masterread=0x90000008\"; ipparm \"masterstatus=0x9000000c\"; }
         dp top(in read, write : ns(1); in m : ns(32); out s : ns(32); out exists, full : ns(1)) {
           sig c : ns(1); use b(0, read, s, c, exists, 0, write, m, 0, full); }",
    );
    bench.store(0, 0, 21);
    bench.set("m", 34);
    bench.set("write", 1);
    bench.step();
    bench.set("write", 0);
    assert_eq!((bench.get("s"), bench.get("exists"), bench.get("full")), (21, 1, 1));
    assert_eq!([4, 8, 12].map(|at| bench.load(0, at)), [1, 34, 1]);
    bench.set("read", 1);
    bench.load(0, 8);
    bench.step();
    assert_eq!([4, 12].map(|at| bench.load(0, at)), [0, 0]);
}

#[test]
fn words_queue_from_the_design_to_the_program() {
    let mut bench = Bench::new(
        "ipblock b(in IP2RFIFO_WrReq : ns(1); in IP2RFIFO_Data : ns(32); out RFIFO2IP_WrAck : ns(1);
                   out RFIFO2IP_AlmostFull : ns(1); out RFIFO2IP_Full : ns(1)) {
           iptype \"xilinx_ipif_rdfifo\"; ipparm \"core=cpu\"; ipparm \"depth=3\";
           ipparm \"read=0x90000000\"; ipparm \"status=0x90000004\"; }
         dp top(in w : ns(1); in d : ns(32); out ack, almost, full : ns(1)) { use b(w, d, ack, almost, full); }",
    );
    bench.set("w", 1);
    let mut seen = vec![];
    for word in 10..14 {
        bench.set("d", word);
        seen.push((bench.get("ack"), bench.get("almost"), bench.get("full")));
        bench.step();
    }
    assert_eq!(seen, [(1, 0, 0), (1, 1, 0), (1, 0, 1), (0, 0, 1)]);
    bench.set("w", 0);
    let mut words = vec![];
    for _ in 0..4 {
        let tokens = bench.load(0, 4);
        bench.step();
        words.push((tokens, bench.load(0, 0)));
        bench.step();
    }
    assert_eq!(words, [(3, 10), (2, 11), (1, 12), (0, 0)]);
}

#[test]
fn words_queue_from_the_program_to_the_design() {
    let mut bench = Bench::new(
        "ipblock b(in IP2WFIFO_RdReq : ns(1); out WFIFO2IP_Data : ns(32); out WFIFO2IP_RdAck : ns(1);
                   out WFIFO2IP_AlmostEmpty : ns(1); out WFIFO2IP_Empty : ns(1)) {
           iptype \"xilinx_ipif_wrfifo\"; ipparm \"core=cpu\"; ipparm \"depth=2\";
           ipparm \"write=0x90000000\"; ipparm \"status=0x90000004\"; }
         dp top(in r : ns(1); out d : ns(32); out ack, almost, empty : ns(1)) { use b(r, d, ack, almost, empty); }",
    );
    assert_eq!((bench.get("ack"), bench.get("empty")), (0, 1));
    for word in [5, 6, 7] {
        bench.store(0, 0, word);
        bench.step();
    }
    assert_eq!(bench.load(0, 4), 2, "what does not fit is not taken");
    bench.step();
    bench.set("r", 1);
    let mut seen = vec![];
    for _ in 0..3 {
        seen.push((bench.get("ack"), bench.get("d"), bench.get("almost"), bench.get("empty")));
        bench.step();
    }
    assert_eq!(seen, [(1, 5, 0, 0), (1, 6, 1, 0), (0, 6, 0, 1)]);
}

#[test]
fn words_queue_between_programs() {
    let mut bench = Bench::new(
        "ipblock other { iptype \"armsystem\"; ipparm \"exec=main\"; }
         ipblock b { iptype \"armfifo\"; ipparm \"sendcore=cpu\"; ipparm \"receivecore=other\";
           ipparm \"size=2\"; ipparm \"sendbase=0x90000000\"; ipparm \"receivebase=0xa0000000\"; }
         dp top { }",
    );
    assert_eq!((bench.load(0, 4), bench.load(1, 4)), (2, 0));
    bench.step();
    for word in [1, 2, 3] {
        bench.store(0, 0, word);
        bench.step();
    }
    assert_eq!((bench.load(0, 4), bench.load(1, 4)), (0, 2));
    bench.step();
    // One goes and one comes in the same cycle, where there is room.
    assert_eq!(bench.load(1, 0), 1);
    bench.step();
    bench.store(0, 0, 4);
    assert_eq!(bench.load(1, 0), 2);
    bench.step();
    assert_eq!((bench.load(1, 4), bench.load(1, 0)), (1, 4));
}

#[test]
fn a_wide_memory_yields_several_words_at_once() {
    let mut bench = Bench::new(
        "ipblock b(in address : ns(3); in wr : ns(1); in rd : ns(1); in idata : ns(8);
                   out odata : ns(8); out wodata : ns(24)) {
           iptype \"wideram\"; ipparm \"size=5\"; ipparm \"wl=8\"; ipparm \"width=3\"; }
         dp top(in a : ns(3); in wr, rd : ns(1); in i : ns(8); out o : ns(8); out w : ns(24)) {
           use b(a, wr, rd, i, o, w); }",
    );
    bench.set("wr", 1);
    for at in 0..5 {
        bench.set("a", at);
        bench.set("i", 0x10 + at);
        bench.step();
    }
    bench.set("wr", 0);
    bench.set("rd", 1);
    let mut seen = vec![];
    for at in [0, 3, 4] {
        bench.set("a", at);
        seen.push((bench.get("o"), bench.get("w")));
        bench.step();
    }
    assert_eq!(seen, [(0x10, 0x0010_1112), (0x13, 0x1314), (0x14, 0x14)]);
    bench.set("rd", 0);
    bench.set("a", 1);
    assert_eq!((bench.get("o"), bench.get("w")), (0x14, 0x14), "it holds what was read last");
}

/// Every block of GEZEL 2.5 that is not available is known by its name, and told from one that never was.
#[test]
fn other_blocks_are_refused_by_name() {
    let known = [
        "armsystemprobe",
        "armsfu2x2",
        "armsfu2x1",
        "armsfu3x1",
        "xilinx_ipif_reg",
        "xilinx_plb_ipif_reg",
        "xilinx_ipif_mem",
        "picoblaze",
        "atm128core",
        "atm128sourcepin",
        "atm128sinkpin",
        "atm128adpin",
        "atmega128system",
        "javasource",
        "javasink",
        "systemcsource",
        "systemcsink",
        "nalla_regio",
        "nalla_spl",
        "ijvm",
    ];
    let first = |kind: &str| {
        let text = format!("ipblock b {{ iptype \"{kind}\"; }}");
        let wrong = load(&Source::new("block.fdl", &text)).expect_err("a mistake");
        (wrong[0].message.clone(), wrong[0].help.clone().unwrap_or_default())
    };
    for kind in known {
        let (message, help) = first(kind);
        assert_eq!(message, format!("GEZEL's block `{kind}` is not available here"));
        assert!(!help.is_empty(), "{kind}");
    }
    assert_eq!(first("myblock").0, "the library has no block `myblock`");
}

#[test]
fn gezels_links_need_no_status() {
    let link = "ipblock b(out data : ns(32); out exists : ns(1); in read : ns(1)) {
         iptype \"armfslslave\"; ipparm \"core=cpu\"; ipparm \"write=0x90000000\"; }
       dp top(in read : ns(1); out data : ns(32); out exists : ns(1)) { use b(data, exists, read); }
       system s { }";
    assert!(load(&Source::new("bench.fdl", &with_processor(link))).is_err());
    let mut bench = Bench::of(&with_processor(link), Dialect::Gezel, Some("top"));
    bench.store(0, 0, 9);
    bench.step();
    assert_eq!((bench.get("exists"), bench.get("data")), (1, 9));
}

#[test]
fn gezels_buffer_of_no_range_is_the_programs_alone() {
    let buffer =
        "ipblock b(in idata : ns(32); out odata : ns(32); in address : ns(8); in wr : ns(1)) {
         iptype \"armbuffer\"; ipparm \"core=cpu\"; ipparm \"address=0x90000000\"; }
       dp top(in d : ns(32); in a : ns(8); in wr : ns(1); out o : ns(32)) { use b(d, o, a, wr); }";
    assert!(load(&Source::new("bench.fdl", &with_processor(buffer))).is_err());
    let mut bench = Bench::of(&with_processor(buffer), Dialect::Gezel, Some("top"));
    bench.set("d", 5);
    bench.set("wr", 1);
    bench.step();
    bench.set("wr", 0);
    assert_eq!((bench.get("o"), bench.load(0, 0)), (0, 0));
    bench.store(0, 8, 7);
    bench.step();
    assert_eq!((bench.get("o"), bench.load(0, 8)), (0, 7));
}

#[test]
fn gezels_blocks_give_way_to_those_above_them() {
    let ports = "ipblock b(out data : ns(64)) {
         iptype \"armsystemsource\"; ipparm \"core=cpu\"; ipparm \"address=0x90000000\"; }
       ipblock c(out data : ns(32)) {
         iptype \"armsystemsource\"; ipparm \"core=cpu\"; ipparm \"address=0x90000004\"; }
       dp top(out o : ns(64); out p : ns(32)) { use b(o); use c(p); }";
    let bench = Bench::of(&with_processor(ports), Dialect::Gezel, Some("top"));
    let windows: Vec<_> = bench.faces.iter().flat_map(|face| face.windows.clone()).collect();
    assert_eq!(windows, [(0x9000_0000, 4, 0), (0x9000_0004, 4, 0)]);
}

#[test]
fn gezels_wide_ports_are_words_from_the_lowest_on() {
    let ports = "ipblock b(out data : ns(2*32)) {
         iptype \"armsystemsource\"; ipparm \"core=cpu\"; ipparm \"address=0x90000000\"; }
       ipblock c(in data : ns(64)) {
         iptype \"armsystemsink\"; ipparm \"core=cpu\"; ipparm \"address=0x90000010\"; }
       dp top(out o : ns(64)) { sig s : ns(64); use b(s); use c(s); always { o = s; } }";
    let mut bench = Bench::of(&with_processor(ports), Dialect::Gezel, Some("top"));
    bench.store(0, 4, 0x1234_5678);
    bench.step();
    assert_eq!(bench.get("o"), 0x1234_5678_0000_0000);
    bench.store(0, 0, 9);
    bench.step();
    assert_eq!(bench.get("o"), 0x1234_5678_0000_0009);
    assert_eq!([bench.load(1, 0), bench.load(1, 4)], [9, 0x1234_5678]);
    assert_eq!([bench.load(0, 0), bench.load(0, 4)], [9, 0x1234_5678]);
}

#[test]
fn bytes_of_ports_go_to_a_design_and_come_back() {
    let ports = "ipblock b(out data : ns(8)) {
         iptype \"i8051systemsource\"; ipparm \"core=cpu\"; ipparm \"port=P1\"; }
       ipblock c(in data : ns(8)) {
         iptype \"i8051systemsink\"; ipparm \"core=cpu\"; ipparm \"port=P1\"; }
       dp top(out o : ns(8); in i : ns(8)) { use b(o); use c(i); }";
    let mut bench = Bench::of(&with_8051(ports), Dialect::Extended, None);
    let routes: Vec<_> = bench.faces.iter().map(|face| face.route.clone()).collect();
    assert_eq!(routes, [Route::Latch("P1".to_owned()), Route::Pins("P1".to_owned())]);
    assert_eq!(bench.get("o"), 0, "the latch after reset is no change");
    bench.store_some(0, 0, 0x1a5, 0xff);
    bench.step();
    assert_eq!(bench.get("o"), 0xa5);
    bench.set("i", 0x5a);
    assert_eq!(bench.load(1, 0), 0x5a5a_5a5a, "on every lane, since a byte may have any address");
}

#[test]
fn a_buffer_of_bytes_is_written_from_both_sides() {
    let buffer =
        "ipblock b(in idata : ns(8); out odata : ns(8); in address : ns(4); in wr : ns(1)) {
         iptype \"i8051buffer\"; ipparm \"core=cpu\"; ipparm \"xbus=0x4001\"; ipparm \"xrange=5\"; }
       dp top(in i : ns(8); in a : ns(4); in wr : ns(1); out o : ns(8)) { use b(i, o, a, wr); }";
    let mut bench = Bench::of(&with_8051(buffer), Dialect::Extended, None);
    assert_eq!(bench.faces[0].route, Route::Space("external data"));
    assert_eq!(bench.faces[0].windows, [(0x4001, 5, 0)]);
    // Both write in one cycle, different bytes.
    bench.store_some(0, 1, 0x11, 0xff);
    for (port, value) in [("i", 0x22), ("a", 4), ("wr", 1)] {
        bench.set(port, value);
    }
    bench.step();
    // Both write one byte, and the program wins.
    bench.store_some(0, 4, 0x33, 0xff);
    bench.step();
    bench.set("wr", 0);
    assert_eq!(bench.get("o"), 0x33);
    bench.set("a", 1);
    assert_eq!(bench.get("o"), 0x11);
    bench.step();
    bench.set("a", 5);
    assert_eq!(bench.get("o"), 0x11, "beyond the end the design sees what it read last");
    let bytes = [0, 1, 2, 3, 4].map(|at| bench.load(0, at) & 0xff);
    assert_eq!(bytes, [0, 0x11, 0, 0, 0x33]);
}

/// Mistakes in blocks of an 8051, each with a part of what is said.
#[test]
fn blocks_of_an_8051_lie_at_its_ports_or_in_its_external_data() {
    let sink = |parameters: &str| {
        let text = format!(
            "ipblock b(in data : ns(8)) {{ iptype \"i8051systemsink\"; ipparm \"core=cpu\"; {parameters} }}
             ipblock c(in data : ns(8)) {{
               iptype \"i8051systemsink\"; ipparm \"core=cpu\"; ipparm \"port=P0\"; }}
             dp top(in i : ns(8)) {{ use b(i); use c(i); }}"
        );
        let model = load(&Source::new("bench.fdl", &with_8051(&text)));
        let wrong = model.and_then(|model| netlist(&model, None).map_err(|wrong| vec![wrong]));
        wrong.err().map(|wrong| wrong[0].message.clone())
    };
    assert_eq!(sink("ipparm \"port=P1\";"), None);
    for (parameters, said) in [
        ("", "this block needs the parameter `port`"),
        ("ipparm \"port=p1\";", "there is no port `p1`"),
        ("ipparm \"port=P0\";", "`cpu` reaches something else at the pins of `P0` already"),
        ("ipparm \"xbus=0x10000\";", "this is not in external data"),
        ("ipparm \"xbus=here\";", "this is not in external data"),
    ] {
        assert_eq!(sink(parameters).as_deref(), Some(said), "{parameters}");
    }
}
