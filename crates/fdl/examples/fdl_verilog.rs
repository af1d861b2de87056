//! Prints a design as Verilog: `fdl_verilog FILE [TOP]`.

use cocrypt_diag::Source;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: fdl_verilog FILE [TOP]")?;
    let top = std::env::args().nth(2);
    let source = Source::new(&path, &std::fs::read_to_string(&path)?);
    let model = cocrypt_fdl::load(&source)
        .map_err(|list| list.iter().map(|d| d.render(false)).collect::<String>())?;
    let netlist = cocrypt_fdl::netlist(&model, top.as_deref())
        .map_err(|diagnostic| diagnostic.render(false))?;
    print!("{}", cocrypt_rtl::verilog(&netlist));
    Ok(())
}
