//! Trace sets as they are written, read, cut off and broken.

use std::fs;
use std::io::Read;
use std::path::Path;

use cocrypt_leak::{Column, Description, Dtype, Error, TraceSet, Writer, npy};

fn description() -> Description {
    let column = |name: &str, shape| Column { name: name.into(), dtype: Dtype::Uint8, shape };
    Description {
        samples: 3,
        dtype: Dtype::Int16,
        source: "a \"test\" \\ with\nlines".into(),
        columns: vec![column("group", vec![]), column("plaintext", vec![2])],
    }
}

/// A set of two chunks, of two traces and of one.
fn written(path: &Path) -> Writer {
    let mut writer = Writer::create(path, description()).expect("a new set");
    writer.append(2, &[1; 12], &[("plaintext", &[2; 4]), ("group", &[0, 1])]).expect("a chunk");
    writer.append(1, &[3; 6], &[("plaintext", &[4; 2]), ("group", &[1])]).expect("another");
    writer
}

fn message(error: &Error) -> String {
    error.to_string()
}

#[test]
fn a_set_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("set");
    assert_eq!(written(&path).traces(), 3);
    let set = TraceSet::open(&path).expect("a set");
    assert_eq!(set.description, description());
    assert_eq!(set.traces(), 3);
    assert_eq!(set.chunks[0].column("plaintext", 2).expect("a column"), [2; 4]);
    let mut row = vec![];
    set.chunks[0].reader("traces", 6, 1).expect("a file").read_to_end(&mut row).expect("a row");
    assert_eq!(row, [1; 6]);
}

#[test]
fn a_killed_writer_loses_the_chunk_that_it_was_writing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("set");
    written(&path);
    let unfinished = path.join(".000002");
    fs::create_dir(&unfinished).expect("a folder");
    fs::write(unfinished.join("traces.npy"), b"\x93NUM").expect("a file");
    assert_eq!(TraceSet::open(&path).expect("a set").traces(), 3);
    let mut writer = Writer::resume(&path).expect("a set");
    assert!(!unfinished.exists());
    writer.append(1, &[5; 6], &[("plaintext", &[6; 2]), ("group", &[0])]).expect("a chunk");
    assert_eq!(TraceSet::open(&path).expect("a set").traces(), 4);
}

#[test]
fn traces_are_never_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    written(&folder.path().join("set"));
    let error = Writer::create(&folder.path().join("set"), description()).expect_err("content");
    assert!(message(&error).contains("is not empty"), "{error}");
}

#[test]
fn columns_have_names_that_files_may_have() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["traces", "../key", "", "1st"] {
        let mut wrong = description();
        wrong.columns[0].name = name.into();
        let error = Writer::create(&folder.path().join("set"), wrong).expect_err(name);
        assert!(message(&error).contains("is no name of a column"), "{error}");
    }
}

#[test]
fn broken_chunks_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("set");
    written(&path);
    let file = path.join("000001/plaintext.npy");
    let whole = fs::read(&file).expect("a file");
    fs::write(&file, &whole[..whole.len() - 1]).expect("a file");
    let shorter = TraceSet::open(&path).expect_err("a short file");
    assert!(message(&shorter).contains("fewer than its header says"), "{shorter}");
    fs::copy(path.join("000000/plaintext.npy"), &file).expect("a copy");
    let longer = TraceSet::open(&path).expect_err("more traces");
    assert!(message(&longer).contains("shape [2, 2]"), "{longer}");
    fs::remove_file(&file).expect("a file");
    let missing = TraceSet::open(&path).expect_err("no file");
    assert!(message(&missing).contains("there is no such file"), "{missing}");
}

#[test]
fn numbers_that_no_writer_makes_are_no_chunks() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("set");
    written(&path);
    fs::create_dir(path.join(usize::MAX.to_string())).expect("a folder");
    let mut writer = Writer::resume(&path).expect("a set");
    writer.append(1, &[5; 6], &[("plaintext", &[6; 2]), ("group", &[0])]).expect("a chunk");
    assert!(path.join("000002").is_dir());
    assert_eq!(TraceSet::open(&path).expect("a set").traces(), 4);
}

#[test]
fn no_chunk_follows_the_last_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("set");
    written(&path);
    fs::rename(path.join("000001"), path.join("999999999")).expect("a folder");
    let mut writer = Writer::resume(&path).expect("a set");
    let columns: [(&str, &[u8]); 2] = [("plaintext", &[6; 2]), ("group", &[0])];
    let error = writer.append(1, &[5; 6], &columns).expect_err("no number");
    assert!(message(&error).contains("the last"), "{error}");
    assert_eq!(TraceSet::open(&path).expect("a set").traces(), 3);
}

#[test]
fn sizes_that_overflow_are_diagnosed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("set");
    let shape = vec![1 << 20, 1 << 20];
    let large = Column { name: "plaintext".into(), dtype: Dtype::Float64, shape };
    let columns = vec![large];
    let set = Description { samples: 1, dtype: Dtype::Int8, columns, ..description() };
    Writer::create(&path, set).expect("a new set");
    let chunk = path.join("000000");
    fs::create_dir(&chunk).expect("a folder");
    // Each text has 2⁴³ bytes, so that these have 2⁶⁴.
    let count = 1 << 21;
    let mut samples = npy::header(Dtype::Int8, &[count, 1]);
    samples.resize(samples.len() + count, 0);
    fs::write(chunk.join("traces.npy"), samples).expect("a file");
    let texts = npy::header(Dtype::Float64, &[count, 1 << 20, 1 << 20]);
    fs::write(chunk.join("plaintext.npy"), texts).expect("a file");
    let error = TraceSet::open(&path).expect_err("a short file");
    assert!(message(&error).contains("fewer than its header says"), "{error}");
}
