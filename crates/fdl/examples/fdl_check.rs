//! Prints what is wrong with a design: `fdl_check FILE`.

use cocrypt_diag::Source;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: fdl_check FILE")?;
    let source = Source::new(&path, &std::fs::read_to_string(&path)?);
    let diagnostics = match cocrypt_fdl::load(&source) {
        Ok(model) => model.warnings,
        Err(errors) => errors,
    };
    for diagnostic in &diagnostics {
        println!("{}", diagnostic.render(false));
    }
    Ok(())
}
