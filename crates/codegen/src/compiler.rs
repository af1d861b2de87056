//! Compilation of one function at a time.

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
use crate::store::{Key, Store};

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

/// The answer of a store, or of none.
pub enum Found {
    /// The code that it has.
    Kept(Relocatable),
    /// The function, since it has no code for it.
    Missing(Box<Pending>),
}

/// A function that was built, and is to be compiled.
pub struct Pending {
    function: Function,
    key: Option<Key>,
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

    /// Builds a function that may refer to symbols ([`symbol_address`]), as [`Self::compile`] does: its code if the
    /// store has it, and else what [`Self::obtain`] makes code of, perhaps in another compiler of this process.
    pub fn look_up(
        &mut self,
        signature: Signature,
        store: Option<&dyn Store>,
        build: impl FnOnce(&mut FunctionBuilder<'_>),
    ) -> Found {
        self.build(signature, build);
        let key = store.map(|_| Key::of(&self.context.func, &*self.target));
        let kept = store.zip(key.as_ref()).and_then(|(store, key)| {
            let entry = store.find(key)?;
            Relocatable::from_entry(key, &entry)
        });
        if let Some(kept) = kept {
            return Found::Kept(kept);
        }
        let function = std::mem::replace(&mut self.context.func, Function::new());
        Found::Missing(Box::new(Pending { function, key }))
    }

    /// Compiles a function that was not found, into the store that was looked in.
    ///
    /// # Errors
    /// If Cranelift refuses the function.
    pub fn obtain(
        &mut self,
        pending: Pending,
        store: Option<&dyn Store>,
    ) -> Result<Relocatable, CompileError> {
        self.context.clear();
        self.context.func = pending.function;
        let made = self.generate()?;
        if let Some((store, key)) = store.zip(pending.key) {
            store.keep(&key, &made.to_entry(&key));
        }
        Ok(made)
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
    use crate::store::FORM;

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

    /// Looks for a function that adds a constant.
    fn look_up(compiler: &mut Compiler, store: &Memory, constant: i64) -> Found {
        let signature = compiler.signature(Convention::Host, &[I64, I64], &[I64]);
        compiler.look_up(signature, Some(store), |builder| {
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            let first = builder.block_params(block)[0];
            let more = builder.ins().iconst(I64, constant);
            let sum = builder.ins().iadd(first, more);
            builder.ins().return_(&[sum]);
        })
    }

    fn compile_missing(compiler: &mut Compiler, store: &Memory, constant: i64) -> Relocatable {
        let found = look_up(compiler, store, constant);
        let Found::Missing(pending) = found else { panic!("the store has it already") };
        compiler.obtain(*pending, Some(store)).expect("a function that compiles")
    }

    #[test]
    fn code_is_found_by_its_function_and_settings() {
        let compiler = |effort| Compiler::new(effort).expect("a host that code is compiled for");
        let (mut good, mut quick) = (compiler(Effort::Good), compiler(Effort::Quick));
        let store = Memory::default();
        let made = compile_missing(&mut good, &store, 2);
        let found = look_up(&mut compiler(Effort::Good), &store, 2);
        assert!(matches!(found, Found::Kept(kept) if kept == made));
        // An engine that builds another function, or sets the compiler otherwise, does not find it.
        compile_missing(&mut good, &store, 3);
        compile_missing(&mut quick, &store, 2);
    }

    #[test]
    fn code_of_another_version_is_not_found() {
        let mut compiler = Compiler::new(Effort::Good).expect("a host that code is compiled for");
        let store = Memory::default();
        let Found::Missing(pending) = look_up(&mut compiler, &store, 2) else {
            panic!("the store is empty")
        };
        let key = |version| Key::by(version, &pending.function, &*compiler.target);
        let ours = key((FORM, VERSION));
        assert_eq!(pending.key, Some(ours));
        let others = [(FORM + 1, VERSION), (FORM, "0.0.0")].map(key);
        assert!(!others.contains(&ours));
        let entry = Relocatable::default().to_entry(&ours);
        for other in others {
            store.keep(&other, &entry);
        }
        let made = compile_missing(&mut compiler, &store, 2);
        // Nor is what lies where ours would be, but was made for another key.
        store.keep(&ours, &made.to_entry(&others[0]));
        compile_missing(&mut compiler, &store, 2);
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
        let found = compiler.look_up(signature, None, |builder| {
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            let [first, second] = [0, 1].map(|symbol| symbol_address(builder, symbol));
            let difference = builder.ins().isub(second, first);
            builder.ins().return_(&[difference]);
        });
        let Found::Missing(pending) = found else { panic!("there is no store") };
        let made = compiler.obtain(*pending, None).expect("a function that compiles");
        for (first, second) in [(1 << 40, 3 << 50), (7, 9)] {
            let code = made.clone().link(&[first, second]).expect("two symbols");
            // SAFETY: the function was just built with this type, and reaches no memory.
            assert_eq!(unsafe { code.call(0, 0) }, second - first);
        }
        assert!(matches!(made.link(&[1]), Err(CompileError::Relocated)));
    }
}
