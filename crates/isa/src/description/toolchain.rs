//! The compiler options of an instruction set, and its part of `runtime/`.

/// An encoding that programs are compiled to, of an instruction set that may have several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// Its name, in core files and to compilers.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The bits of a pointer to such code that say so ([`super::Pointers::modes`]).
    pub mode: u32,
}

/// The compilation target.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The extensions of the instruction set.
    pub extensions: &'a [String],
    /// The core, as compilers name it, where its extensions do not say all.
    pub cpu: Option<&'a str>,
    /// The encoding.
    pub encoding: &'a str,
}

/// A kind of compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompilerKind {
    /// The C compiler of zig.
    Zig,
    /// A clang.
    Clang,
    /// A GCC.
    Gcc,
}

impl CompilerKind {
    /// All of them by name.
    pub const ALL: [(&'static str, Self); 3] =
        [("zig", Self::Zig), ("clang", Self::Clang), ("gcc", Self::Gcc)];
}

/// A compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// Its kind.
    pub kind: CompilerKind,
    /// True if it takes the words of [`Toolchain::probe`].
    pub is_recent: bool,
}

/// A compiler with its linker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builder {
    /// LLVM's, which come with cocrypt.
    Llvm,
    /// GCC and the GNU linker, for what LLVM lacks.
    Gnu,
}

/// The options of tools.
#[derive(Clone, Copy, Debug)]
pub struct Toolchain {
    /// The folder of `runtime/`.
    pub runtime: &'static str,
    /// The compiler and the linker that build for it unless others are named.
    pub builder: Builder,
    /// True if its linker scripts tell flash memory from RAM; else there is one memory, from 0 on.
    pub places_memories: bool,
    /// True if compilers leave products and quotients to the library of GCC; else the runtime has them.
    pub libgcc: bool,
    /// The addresses that debug information of discarded code may have: an address without memory that the
    /// linker takes for one.
    pub nowhere: u32,
    /// The beginning of a comment in assembly.
    pub comment: &'static str,
    /// Names of calls and jumps that a linker may make shorter, each with what does the same and stays as it
    /// is.
    pub steady: &'static [(&'static str, &'static str)],
    /// True if assemblers read a difference of labels in data as a number only if it stands in parentheses;
    /// compilers write it without them.
    pub parenthesised: bool,
    /// The prefix of the machine that a GCC for it names.
    pub machine: &'static str,
    /// A GCC for it, as an example.
    pub gcc: &'static str,
    /// Words that only a recent clang understands; none where that makes no difference.
    pub probe: &'static [&'static str],
    /// The encodings, that of programs first unless a core file says otherwise.
    pub encodings: &'static [Encoding],
    /// The options for every unit.
    pub flags: fn(CompilerKind) -> &'static [&'static str],
    /// The words that choose what code is compiled for.
    pub target: fn(&Target<'_>, Compiler) -> Vec<String>,
    /// The name of the compilation target, for people.
    pub title: fn(&Target<'_>) -> String,
}
