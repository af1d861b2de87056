//! Symbols: names of functions and data, and which function an address belongs to.

use cocrypt_isa::{Elf, Pointers};
use object::read::elf::ElfFile32;
use object::{Endianness, Object as _, ObjectSymbol as _, SymbolKind as Kind};

/// The kind of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// Code.
    Function,
    /// Data.
    Object,
    /// A place without type, such as an assembly label or one that the linker defines.
    Label,
}

/// A name for an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// Its address (its offset in the section, in an object file).
    pub address: u32,
    /// Size in bytes; 0 where the file does not say.
    pub size: u32,
    /// The kind of its object.
    pub kind: SymbolKind,
    /// True if other files can refer to it.
    pub global: bool,
    /// The mode bits of a function's address.
    pub mode: u32,
}

impl Symbol {
    /// Takes the prefix off a name that C can refer to; labels of one file are not C's.
    fn name_as_c(&mut self, prefix: &str) {
        let is_label_of_a_file = self.kind == SymbolKind::Label && !self.global;
        if !is_label_of_a_file && !prefix.is_empty() && self.name.starts_with(prefix) {
            self.name.drain(..prefix.len());
        }
    }
}

/// All defined symbols, by address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    all: Vec<Symbol>,
    /// The code symbols, one per address: what an address is reported as.
    code: Vec<Symbol>,
}

impl Symbols {
    pub(crate) fn of(file: &ElfFile32<'_, Endianness>, elf: &Elf, pointers: Pointers) -> Self {
        let mut all: Vec<_> = file.symbols().filter_map(|symbol| defined(&symbol)).collect();
        for symbol in &mut all {
            symbol.name_as_c(elf.prefix);
        }
        let functions = all.iter_mut().filter(|symbol| symbol.kind == SymbolKind::Function);
        functions.for_each(|symbol| (symbol.address, symbol.mode) = pointers.split(symbol.address));
        all.sort_by(|a, b| (a.address, &a.name).cmp(&(b.address, &b.name)));
        let code = code(&all);
        Self { all, code }
    }

    /// Every symbol, in order of addresses.
    #[must_use]
    pub fn all(&self) -> &[Symbol] {
        &self.all
    }

    /// The symbols that code belongs to, in order of addresses, at most one per address.
    #[must_use]
    pub fn code(&self) -> &[Symbol] {
        &self.code
    }

    /// The symbol of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Symbol> {
        self.all.iter().find(|symbol| symbol.name == name)
    }

    /// Returns true if the code at an address goes by this name: the name of its symbol, of another symbol
    /// at the same place, or of the function that it was split from. Debug information of code that the
    /// linker dropped often claims addresses where other code lies.
    #[must_use]
    pub fn is_called(&self, address: u32, name: &str) -> bool {
        let Some(function) = self.function_at(address) else { return true };
        let split = |part: &str| part.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        function.name == name
            || split(&function.name)
            || self
                .all
                .iter()
                .any(|symbol| symbol.address == function.address && symbol.name == name)
    }

    /// The code symbol that an address belongs to: the last one at or before it.
    #[must_use]
    pub fn function_at(&self, address: u32) -> Option<&Symbol> {
        let behind = self.code.partition_point(|symbol| symbol.address <= address);
        self.code[..behind].last()
    }
}

fn defined(symbol: &object::read::elf::ElfSymbol32<'_, '_, Endianness>) -> Option<Symbol> {
    let kind = match symbol.kind() {
        Kind::Text => SymbolKind::Function,
        Kind::Data | Kind::Tls => SymbolKind::Object,
        Kind::Unknown | Kind::Label => SymbolKind::Label,
        _ => return None,
    };
    let name = symbol.name().ok().filter(|name| !name.is_empty() && !name.starts_with('$'))?;
    (!symbol.is_undefined()).then(|| Symbol {
        name: name.to_owned(),
        address: symbol.address() as u32,
        size: symbol.size() as u32,
        kind,
        global: symbol.is_global(),
        mode: 0,
    })
}

/// Of several names at an address, a sized function is the one to report.
fn code(all: &[Symbol]) -> Vec<Symbol> {
    let mut code: Vec<Symbol> = vec![];
    for symbol in all.iter().filter(|symbol| symbol.kind == SymbolKind::Function) {
        match code.last_mut() {
            Some(last) if last.address == symbol.address => {
                if (symbol.size, symbol.global) > (last.size, last.global) {
                    *last = symbol.clone();
                }
            }
            _ => code.push(symbol.clone()),
        }
    }
    code
}
