//! A block of a design as a library, in Verilog or C++, with the functions of `systems/blocks/interface.h`.

use std::ffi::{CStr, CString, c_char, c_void};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use cocrypt_rtl::{Block, BlockPort, Model};
use libloading::Library;

use crate::LoadError;

/// The functions' agreed form.
const FORM: u32 = 1;

type Pointer = *mut c_void;
/// A port of a library: true if it is an output, its name and its bits.
type Port = (bool, String, u32);

/// The interface of a library. The functions are valid as long as it is loaded.
#[derive(Debug)]
struct Functions {
    make: unsafe extern "C" fn(*const c_char) -> Pointer,
    copy: unsafe extern "C" fn(Pointer) -> Pointer,
    delete: unsafe extern "C" fn(Pointer),
    ports: unsafe extern "C" fn(Pointer) -> *const c_char,
    evaluate: unsafe extern "C" fn(Pointer, *const u64, *mut u64),
    clock: unsafe extern "C" fn(Pointer),
    fault: unsafe extern "C" fn(Pointer) -> *const c_char,
    _library: Library,
}

impl Functions {
    fn load(path: &Path) -> Result<Self, LoadError> {
        let wrong = |why| LoadError::Library { path: path.to_owned(), why };
        // SAFETY: The library is one that this project built of code that the user trusts; the signatures
        // are those of interface.h, whose form is checked before any other function is called.
        unsafe {
            let library = Library::new(path).map_err(wrong)?;
            let form = *library
                .get::<unsafe extern "C" fn() -> u32>(b"cocrypt_block_form\0")
                .map_err(wrong)?;
            let found = form();
            if found != FORM {
                return Err(LoadError::Form { path: path.to_owned(), found });
            }
            Ok(Self {
                make: *library.get(b"cocrypt_block_new\0").map_err(wrong)?,
                copy: *library.get(b"cocrypt_block_copy\0").map_err(wrong)?,
                delete: *library.get(b"cocrypt_block_delete\0").map_err(wrong)?,
                ports: *library.get(b"cocrypt_block_ports\0").map_err(wrong)?,
                evaluate: *library.get(b"cocrypt_block_evaluate\0").map_err(wrong)?,
                clock: *library.get(b"cocrypt_block_clock\0").map_err(wrong)?,
                fault: *library.get(b"cocrypt_block_fault\0").map_err(wrong)?,
                _library: library,
            })
        }
    }
}

/// A model that lives in a library. Whoever holds this alone may call its functions.
#[derive(Debug)]
struct Owned {
    functions: Arc<Functions>,
    model: Pointer,
}

// SAFETY: A model is bound to no thread, and only one thread at a time has access to it.
unsafe impl Send for Owned {}

impl Owned {
    /// A model at its start. A constructor that fails leaves its reason as the model's fault.
    fn new(functions: Arc<Functions>, parameters: &CStr) -> Self {
        // SAFETY: The function makes a model and gives it away; it keeps no pointer to the text.
        let model = unsafe { (functions.make)(parameters.as_ptr()) };
        Self { functions, model }
    }

    /// A text of the model's.
    fn text(&self, read: unsafe extern "C" fn(Pointer) -> *const c_char) -> Option<String> {
        // SAFETY: The model is this library's, and keeps the text as it is until it is called again.
        unsafe {
            let text = read(self.model);
            (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
        }
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: The model was made by this library and is deleted once.
        unsafe { (self.functions.delete)(self.model) }
    }
}

/// A block of a design in Verilog or C++.
#[derive(Debug)]
pub struct LibraryBlock {
    // A copy may write into a model's own bookkeeping, so that a shared reference needs a lock.
    owned: Mutex<Owned>,
    parameters: CString,
    /// Of each input of the library, in its order: where its limbs begin among the design's inputs.
    inputs: Vec<Limbs>,
    /// The same of outputs, whose values may go nowhere.
    outputs: Vec<Option<Limbs>>,
    /// The values as the library takes and returns them.
    taken: Vec<u64>,
    returned: Vec<u64>,
    /// Limbs of each output of the library.
    sizes: Vec<usize>,
}

/// The limbs of a port among the design's: the first, and how many.
type Limbs = (usize, usize);

impl LibraryBlock {
    /// Loads the library of a block, whose ports must be those that the design declares.
    ///
    /// # Errors
    /// The library cannot be used, the block cannot be made with its parameters, or a port is missing or
    /// another one.
    pub fn load(path: &Path, block: &Block) -> Result<Self, LoadError> {
        let functions = Arc::new(Functions::load(path)?);
        let lines: Vec<String> =
            block.parameters.iter().map(|(key, value)| format!("{key}={value}\n")).collect();
        let parameters = CString::new(lines.concat()).unwrap_or_default();
        let owned = Owned::new(functions, &parameters);
        if let Some(why) = owned.text(owned.functions.fault) {
            let why = format!("`{}` cannot be made: {why}", block.module);
            return Err(LoadError::Block { why, help: "correct its parameters, or its code" });
        }
        let ports = owned.text(owned.functions.ports).unwrap_or_default();
        let ports: Vec<Port> = ports.lines().filter_map(port).collect();
        let help = "declare the ports of the block, by their names, in any order";
        check(block, &ports).map_err(|why| LoadError::Block { why, help })?;
        let (of_inputs, of_outputs) = (places(&block.inputs), places(&block.outputs));
        let find = |places: &[(String, Limbs)], name: &str| {
            places.iter().find(|place| place.0 == name).map(|place| place.1)
        };
        let ins = ports.iter().filter(|port| !port.0);
        let inputs: Vec<Limbs> = ins.filter_map(|port| find(&of_inputs, &port.1)).collect();
        let outs = || ports.iter().filter(|port| port.0);
        let sizes: Vec<usize> = outs().map(|port| limbs(port.2)).collect();
        Ok(Self {
            taken: vec![0; inputs.iter().map(|place| place.1).sum()],
            returned: vec![0; sizes.iter().sum()],
            outputs: outs().map(|port| find(&of_outputs, &port.1)).collect(),
            owned: Mutex::new(owned),
            parameters,
            inputs,
            sizes,
        })
    }

    fn owned(&mut self) -> &mut Owned {
        self.owned.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Model for LibraryBlock {
    fn evaluate(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        let mut to = 0;
        for (from, size) in &self.inputs {
            self.taken[to..to + size].copy_from_slice(&inputs[*from..from + size]);
            to += size;
        }
        let (taken, returned) = (self.taken.as_ptr(), self.returned.as_mut_ptr());
        let owned = self.owned();
        // SAFETY: The model is this library's, and nobody else has it. The arrays have the limbs of all
        // ports that the library has named.
        unsafe { (owned.functions.evaluate)(owned.model, taken, returned) }
        let mut from = 0;
        for (place, size) in self.outputs.iter().zip(&self.sizes) {
            if let Some((to, _)) = place {
                outputs[*to..to + size].copy_from_slice(&self.returned[from..from + size]);
            }
            from += size;
        }
    }

    fn clock(&mut self) {
        let owned = self.owned();
        // SAFETY: As above.
        unsafe { (owned.functions.clock)(owned.model) }
    }

    fn reset(&mut self) {
        let functions = Arc::clone(&self.owned().functions);
        let owned = Owned::new(functions, &self.parameters);
        self.owned = Mutex::new(owned);
    }

    fn fault(&self) -> Option<String> {
        let owned = self.owned.lock().unwrap_or_else(PoisonError::into_inner);
        owned.text(owned.functions.fault)
    }

    fn duplicate(&self) -> Box<dyn Model> {
        let owned = self.owned.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: The lock keeps others from the model while it is copied.
        let model = unsafe { (owned.functions.copy)(owned.model) };
        let functions = Arc::clone(&owned.functions);
        Box::new(Self {
            owned: Mutex::new(Owned { functions, model }),
            parameters: self.parameters.clone(),
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            taken: self.taken.clone(),
            returned: self.returned.clone(),
            sizes: self.sizes.clone(),
        })
    }
}

fn limbs(width: u32) -> usize {
    width.div_ceil(64) as usize
}

/// The limbs of each port among all of them.
fn places(ports: &[BlockPort]) -> Vec<(String, Limbs)> {
    let mut at = 0;
    let place = |port: &BlockPort| {
        let size = limbs(port.width);
        at += size;
        (port.name.clone(), (at - size, size))
    };
    ports.iter().map(place).collect()
}

/// A port as a library writes it: `in a 8`.
fn port(line: &str) -> Option<Port> {
    let mut words = line.split(' ');
    let (direction, name, width) = (words.next()?, words.next()?, words.next()?);
    Some((direction == "out", name.to_owned(), width.parse().ok()?))
}

/// Compares the ports that a design declares with those of a library.
fn check(block: &Block, ports: &[Port]) -> Result<(), String> {
    let module = &block.module;
    let named = |is_output| if is_output { "out" } else { "in" };
    let known: Vec<String> = ports
        .iter()
        .map(|(is_output, name, width)| format!("{} {name} ({width})", named(*is_output)))
        .collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    let declared = block.inputs.iter().map(|port| (false, port));
    for (is_output, port) in declared.chain(block.outputs.iter().map(|port| (true, port))) {
        let BlockPort { name, width, .. } = port;
        match ports.iter().find(|(_, known, _)| known == name) {
            None => return Err(format!("`{module}` has no port `{name}`; it has {known}")),
            Some((found, ..)) if *found != is_output => {
                let (is, said) = (named(*found), named(is_output));
                return Err(format!("`{name}` of `{module}` is `{is}`, and declared as `{said}`"));
            }
            Some((_, _, found)) if found != width => {
                return Err(format!(
                    "`{name}` of `{module}` has {found} bits, and is declared with {width}"
                ));
            }
            Some(_) => {}
        }
    }
    let is_declared = |name: &str| block.inputs.iter().any(|port| port.name == name);
    match ports.iter().find(|(is_output, name, _)| !is_output && !is_declared(name)) {
        Some((_, name, width)) => {
            Err(format!("`{module}` has an input `{name}` of {width} bits, which is not declared"))
        }
        None => Ok(()),
    }
}
