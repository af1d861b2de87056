//! Hashes the sources that make machine code of a region's description, and the version of their compiler, so that
//! kept code of another engine is never found.

use std::collections::hash_map::DefaultHasher;
use std::env;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates that a region's code is made by, or whose data it reads.
const CRATES: [&str; 5] = ["codegen", "engine", "ir", "isa", "jit"];

fn main() {
    let manifest = env::var("CARGO_MANIFEST_DIR").expect("Cargo says where the crate is");
    let crates = Path::new(&manifest).join("..");
    let mut hash = DefaultHasher::new();
    for name in CRATES {
        let folder = crates.join(name).join("src");
        println!("cargo::rerun-if-changed={}", folder.display());
        for file in files(&folder) {
            let relative = file.strip_prefix(&crates).expect("a file of the folder");
            (relative, fs::read(&file).expect("a source")).hash(&mut hash);
        }
    }
    let compiler = env::var("RUSTC").expect("Cargo says which compiler it runs");
    let version = Command::new(compiler).arg("-vV").output().expect("the compiler's version");
    version.stdout.hash(&mut hash);
    println!("cargo::rustc-env=COCRYPT_ENGINE={:016x}", hash.finish());
}

/// All files of a folder and of those in it, in an order of their own.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut open = vec![folder.to_path_buf()];
    let mut files = vec![];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry of the folder").path();
            if path.is_dir() { open.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}
