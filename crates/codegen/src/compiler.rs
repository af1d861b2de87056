//! Compilation of one function at a time.

use std::hash::Hash;
use std::sync::Arc;

use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{
    AbiParam, ExternalName, Function, GlobalValueData, InstBuilder, Signature, Type,
    UserExternalName, UserFuncName, Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{CodegenError, Context};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

use crate::code::Code;
use crate::coherence;
use crate::relocatable::Relocatable;
use crate::store::Key;

/// This host cannot run compiled code; interpreters go on without it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no code is compiled on this host: {0}")]
pub struct HostError(String);

/// A function that could not be compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// Cranelift refuses it, for its size as a rule.
    #[error("the function cannot be compiled: {0}")]
    Refused(Box<CodegenError>),
    /// It refers to symbols that it is not linked with, or in ways that this linker does not know.
    #[error("the function refers to unknown symbols")]
    Relocated,
    /// The host gives no executable memory.
    #[error("no executable memory: {0}")]
    Memory(#[from] std::io::Error),
}

impl From<CompileError> for HostError {
    fn from(error: CompileError) -> Self {
        Self(error.to_string())
    }
}

/// The calling convention of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// As this host's C functions are.
    Host,
    /// As functions that end by jumping into one another are.
    Tail,
    /// As functions that leave all registers as they were, and have no result.
    Preserving,
}

/// The optimisation effort for a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Good code.
    #[default]
    Good,
    /// Code soon.
    Quick,
}

/// Compiles functions for this host.
pub struct Compiler {
    target: Arc<dyn TargetIsa>,
    context: Context,
    frontend: FunctionBuilderContext,
}

impl Compiler {
    /// A compiler for the processor that runs this.
    ///
    /// # Errors
    /// On processors other than x86-64 and aarch64.
    pub fn new(effort: Effort) -> Result<Self, HostError> {
        if !coherence::SUPPORTED {
            return Err(HostError(format!("`{}` is not supported", std::env::consts::ARCH)));
        }
        let mut flags = settings::builder();
        let level = if effort == Effort::Good { "speed" } else { "none" };
        let checked = if cfg!(debug_assertions) { "true" } else { "false" };
        for (name, value) in [
            ("opt_level", level),
            ("enable_verifier", checked),
            ("unwind_info", "false"),
            ("enable_probestack", "false"),
            // Its tail calls rely on them.
            ("preserve_frame_pointers", "true"),
        ] {
            flags.set(name, value).map_err(|error| HostError(error.to_string()))?;
        }
        let builder = cranelift_native::builder().map_err(|error| HostError(error.to_owned()))?;
        let target = builder
            .finish(settings::Flags::new(flags))
            .map_err(|error| HostError(error.to_string()))?;
        Ok(Self { target, context: Context::new(), frontend: FunctionBuilderContext::new() })
    }

    /// The type of a function.
    #[must_use]
    pub fn signature(
        &self,
        convention: Convention,
        parameters: &[Type],
        results: &[Type],
    ) -> Signature {
        let mut signature = Signature::new(match convention {
            Convention::Host => self.target.default_call_conv(),
            Convention::Tail => CallConv::Tail,
            Convention::Preserving => CallConv::PreserveAll,
        });
        signature.params.extend(parameters.iter().copied().map(AbiParam::new));
        signature.returns.extend(results.iter().copied().map(AbiParam::new));
        signature
    }

    /// Compiles the function that `build` builds. It must fill and end every block that it makes;
    /// they are sealed here.
    ///
    /// # Errors
    /// If Cranelift refuses the function, or the host gives no memory for it.
    pub fn compile(
        &mut self,
        signature: Signature,
        build: impl FnOnce(&mut FunctionBuilder<'_>),
    ) -> Result<Code, CompileError> {
        self.build(signature, build);
        self.generate()?.link(&[])
    }

    /// The key of the code that this compiler makes from a description of a function. It must name everything that
    /// what is built depends on; only the compiler, its settings and the host are added here.
    #[must_use]
    pub fn key(&self, description: &impl Hash) -> Key {
        Key::of_code(description, &*self.target)
    }

    /// Builds and compiles a function, as [`Self::compile`] does, which may refer to symbols ([`symbol_address`]).
    ///
    /// # Errors
    /// If Cranelift refuses the function.
    pub fn make(
        &mut self,
        signature: Signature,
        build: impl FnOnce(&mut FunctionBuilder<'_>),
    ) -> Result<Relocatable, CompileError> {
        self.build(signature, build);
        self.generate()
    }

    fn build(&mut self, signature: Signature, build: impl FnOnce(&mut FunctionBuilder<'_>)) {
        self.context.clear();
        self.context.func = Function::with_name_signature(UserFuncName::default(), signature);
        let mut builder = FunctionBuilder::new(&mut self.context.func, &mut self.frontend);
        build(&mut builder);
        builder.seal_all_blocks();
        builder.finalize(self.target.frontend_config());
    }

    /// The machine code of the function that was built.
    fn generate(&mut self) -> Result<Relocatable, CompileError> {
        self.context
            .compile(&*self.target, &mut ControlPlane::default())
            .map_err(|error| CompileError::Refused(Box::new(error.inner)))?;
        let compiled = self.context.compiled_code().ok_or(CompileError::Relocated)?;
        Relocatable::new(&compiled.buffer, &self.context.func)
    }
}

/// The address of a symbol, which code is linked with once it is to run: the symbol's position in what
/// [`Relocatable::link`] gets.
pub fn symbol_address(builder: &mut FunctionBuilder<'_>, symbol: u32) -> Value {
    let name = UserExternalName::new(0, symbol);
    let name = ExternalName::user(builder.func.declare_imported_user_function(name));
    let data = GlobalValueData::Symbol { name, offset: 0.into(), colocated: false, tls: false };
    let address = builder.func.create_global_value(data);
    builder.ins().symbol_value(types::I64, address)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Mutex;

    use cranelift_codegen::VERSION;

    use super::*;
    use crate::clif::{InstBuilder, types::I64};
    use crate::store::{FORM, Store};

    /// A store in memory.
    #[derive(Default)]
    struct Memory(Mutex<HashMap<[u8; 32], Vec<u8>>>);

    impl Store for Memory {
        fn find(&self, key: &Key) -> Option<Vec<u8>> {
            self.0.lock().expect("the entries").get(key.bytes()).cloned()
        }
        fn keep(&self, key: &Key, entry: &[u8]) {
            self.0.lock().expect("the entries").insert(*key.bytes(), entry.to_vec());
        }
    }

    /// The key of a function that adds a constant.
    fn key(compiler: &Compiler, constant: i64) -> Key {
        compiler.key(&("adds", constant))
    }

    /// The function of that key, compiled into a store.
    fn make(compiler: &mut Compiler, store: &Memory, constant: i64) -> Relocatable {
        let signature = compiler.signature(Convention::Host, &[I64, I64], &[I64]);
        let made = compiler.make(signature, |builder| {
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            let first = builder.block_params(block)[0];
            let more = builder.ins().iconst(I64, constant);
            let sum = builder.ins().iadd(first, more);
            builder.ins().return_(&[sum]);
        });
        let made = made.expect("a function that compiles");
        made.keep(store, &key(compiler, constant));
        made
    }

    #[test]
    fn code_is_found_by_its_description_and_settings() {
        let compiler = |effort| Compiler::new(effort).expect("a host that code is compiled for");
        let (mut good, quick) = (compiler(Effort::Good), compiler(Effort::Quick));
        let store = Memory::default();
        let made = make(&mut good, &store, 2);
        let find =
            |compiler: &Compiler, constant| Relocatable::find(&store, &key(compiler, constant));
        assert_eq!(find(&compiler(Effort::Good), 2), Some(made));
        // An engine that makes another function, or sets the compiler otherwise, does not find it.
        assert_eq!(find(&good, 3), None);
        assert_eq!(find(&quick, 2), None);
    }

    #[test]
    fn code_of_another_version_is_not_found() {
        let mut compiler = Compiler::new(Effort::Good).expect("a host that code is compiled for");
        let store = Memory::default();
        let by = |version| Key::by(version, &("adds", 2i64), &*compiler.target);
        let others = [(FORM + 1, VERSION), (FORM, "0.0.0")].map(by);
        let ours = key(&compiler, 2);
        assert_eq!(ours, by((FORM, VERSION)));
        assert!(!others.contains(&ours));
        let made = make(&mut compiler, &store, 2);
        // What lies where ours would be, but was made for another key, is not found.
        store.keep(&ours, &made.to_entry(&others[0]));
        assert_eq!(Relocatable::find(&store, &ours), None);
    }

    #[test]
    fn a_sum_is_computed() {
        let mut compiler = Compiler::new(Effort::Good).expect("a host that code is compiled for");
        let signature = compiler.signature(Convention::Host, &[I64, I64], &[I64]);
        let code = compiler.compile(signature, |builder| {
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            let (a, b) = (builder.block_params(block)[0], builder.block_params(block)[1]);
            let sum = builder.ins().iadd(a, b);
            builder.ins().return_(&[sum]);
        });
        let code = code.expect("a function that compiles");
        // SAFETY: the function was just built with this type, and reaches no memory.
        assert_eq!(unsafe { code.call(40, 2) }, 42);
    }

    /// Changes the first of the numbers at an address.
    extern "C" fn change(numbers: *mut u64, _: u64) -> u64 {
        // SAFETY: the test passes the address of numbers of its own.
        unsafe { *numbers += 1000 };
        0
    }

    #[test]
    fn registers_are_preserved_across_a_call() {
        let mut compiler = Compiler::new(Effort::Good).expect("a host that code is compiled for");
        let host = compiler.signature(Convention::Host, &[I64, I64], &[I64]);
        let preserving = compiler.signature(Convention::Preserving, &[I64], &[]);
        let between = compiler.compile(preserving.clone(), |builder| {
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            let numbers = builder.block_params(block)[0];
            let called = builder.import_signature(host.clone());
            let function = builder.ins().iconst(I64, change as *const () as i64);
            builder.ins().call_indirect(called, function, &[numbers, numbers]);
            builder.ins().return_(&[]);
        });
        let between = between.expect("a function that compiles");
        let sum = compiler.compile(host, |builder| {
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            let numbers = builder.block_params(block)[0];
            let flags = crate::clif::MemFlagsData::trusted();
            let values = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
                .map(|number| builder.ins().load(I64, flags, numbers, 8 * number));
            let called = builder.import_signature(preserving);
            let function = builder.ins().iconst(I64, between.address().cast_signed());
            builder.ins().call_indirect(called, function, &[numbers]);
            let sum = values.into_iter().reduce(|a, b| builder.ins().iadd(a, b));
            builder.ins().return_(&[sum.expect("a sum")]);
        });
        let sum = sum.expect("a function that compiles");
        let mut numbers: [u64; 11] = std::array::from_fn(|number| 1 << number);
        // SAFETY: the function was just built with this type; it reaches these numbers alone.
        let sum = unsafe { sum.call(numbers.as_mut_ptr() as u64, 0) };
        assert_eq!((sum, numbers[0]), ((1 << 11) - 1, 1001));
    }

    #[test]
    fn symbols_have_the_addresses_that_code_is_linked_with() {
        let mut compiler = Compiler::new(Effort::Good).expect("a host that code is compiled for");
        let signature = compiler.signature(Convention::Host, &[I64, I64], &[I64]);
        let made = compiler.make(signature, |builder| {
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            let [first, second] = [0, 1].map(|symbol| symbol_address(builder, symbol));
            let difference = builder.ins().isub(second, first);
            builder.ins().return_(&[difference]);
        });
        let made = made.expect("a function that compiles");
        for (first, second) in [(1 << 40, 3 << 50), (7, 9)] {
            let code = made.clone().link(&[first, second]).expect("two symbols");
            // SAFETY: the function was just built with this type, and reaches no memory.
            assert_eq!(unsafe { code.call(0, 0) }, second - first);
        }
        assert!(matches!(made.link(&[1]), Err(CompileError::Relocated)));
    }
}
