//! A coprocessor in Verilog as hardware on the bus: a library that Verilator and a C++ compiler made,
//! with the functions of `systems/library/library.cpp`; and blocks of designs in FDL, in Verilog or C++.

mod block;

use std::ffi::{CStr, c_char, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use cocrypt_soc::{Access, Hardware};
use libloading::Library;

pub use block::LibraryBlock;

/// The functions' agreed form; a library says which one it has.
const FORM: u32 = 1;

/// A library cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It cannot be loaded, or lacks a function.
    #[error("{path}: {why}", path = path.display())]
    Library {
        /// The library.
        path: PathBuf,
        /// The loader's message.
        why: libloading::Error,
    },
    /// It was built for another version.
    #[error("{path} has form {found}, not {FORM}", path = path.display())]
    Form {
        /// The library.
        path: PathBuf,
        /// The form that it has.
        found: u32,
    },
    /// It is not the block that the design declares.
    #[error("{why}")]
    Block {
        /// What is wrong.
        why: String,
        /// What to do.
        help: &'static str,
    },
}

type Model = *mut c_void;

/// The interface of a library. The functions are valid as long as it is loaded.
struct Functions {
    make: unsafe extern "C" fn() -> Model,
    copy: unsafe extern "C" fn(Model) -> Model,
    delete: unsafe extern "C" fn(Model),
    access: unsafe extern "C" fn(Model, u32, u32, u32, u32) -> u32,
    idle: unsafe extern "C" fn(Model, u64),
    fault: unsafe extern "C" fn(Model) -> *const c_char,
    _library: Library,
}

impl Functions {
    fn load(path: &Path) -> Result<Self, LoadError> {
        let wrong = |why| LoadError::Library { path: path.to_owned(), why };
        // SAFETY: The library is one that this project built, and its initialisers only construct
        // the static objects of Verilator's runtime; the signatures are those of library.cpp, whose
        // form is checked before any other function is called.
        unsafe {
            let library = Library::new(path).map_err(wrong)?;
            let form = *library
                .get::<unsafe extern "C" fn() -> u32>(b"cocrypt_model_form\0")
                .map_err(wrong)?;
            let found = form();
            if found != FORM {
                return Err(LoadError::Form { path: path.to_owned(), found });
            }
            Ok(Self {
                make: *library.get(b"cocrypt_model_new\0").map_err(wrong)?,
                copy: *library.get(b"cocrypt_model_copy\0").map_err(wrong)?,
                delete: *library.get(b"cocrypt_model_delete\0").map_err(wrong)?,
                access: *library.get(b"cocrypt_model_access\0").map_err(wrong)?,
                idle: *library.get(b"cocrypt_model_idle\0").map_err(wrong)?,
                fault: *library.get(b"cocrypt_model_fault\0").map_err(wrong)?,
                _library: library,
            })
        }
    }
}

/// A model that lives in a library. Whoever holds this alone may call its functions.
struct Owned {
    functions: Arc<Functions>,
    model: Model,
}

// SAFETY: A model is bound to no thread: it has a context of its own, and only one thread at a time has
// access to it, which `Verilated` sees to.
unsafe impl Send for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: The model was made by this library and is deleted once.
        unsafe { (self.functions.delete)(self.model) }
    }
}

/// A coprocessor in Verilog, behind the register face.
pub struct Verilated {
    // Copying a model writes into Verilator's own bookkeeping, so that a shared reference needs a lock;
    // an exclusive one does not.
    owned: Mutex<Owned>,
    cycle: u64,
}

impl Verilated {
    /// Loads a library and resets a model of it.
    ///
    /// # Errors
    /// If there is no such library, or it is no library of that kind.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let functions = Arc::new(Functions::load(path)?);
        // SAFETY: The function makes a model and gives it away.
        let model = unsafe { (functions.make)() };
        Ok(Self { owned: Mutex::new(Owned { functions, model }), cycle: 0 })
    }

    fn owned(&mut self) -> &mut Owned {
        self.owned.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hardware for Verilated {
    fn cycle(&self) -> u64 {
        self.cycle
    }

    fn run_idle(&mut self, cycles: u64) {
        self.cycle += cycles;
        let owned = self.owned();
        // SAFETY: The model is this library's, and nobody else has it.
        unsafe { (owned.functions.idle)(owned.model, cycles) }
    }

    fn access(&mut self, access: Access) -> u32 {
        self.cycle += 1;
        let Access { address, wdata, write } = access;
        let (write, read) = (u32::from(write), u32::from(!write));
        let owned = self.owned();
        // SAFETY: As above.
        unsafe { (owned.functions.access)(owned.model, address, wdata, write, read) }
    }

    fn fault(&self) -> Option<String> {
        let owned = self.owned.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: The text is the model's, which the lock keeps as it is.
        unsafe {
            let text = (owned.functions.fault)(owned.model);
            (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
        }
    }

    fn duplicate(&self) -> Box<dyn Hardware> {
        let owned = self.owned.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: The lock keeps others from the model while it is copied.
        let model = unsafe { (owned.functions.copy)(owned.model) };
        let functions = Arc::clone(&owned.functions);
        Box::new(Self { owned: Mutex::new(Owned { functions, model }), cycle: self.cycle })
    }
}
