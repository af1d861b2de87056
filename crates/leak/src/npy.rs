//! The header of a `.npy` file: NumPy's format for one array, versions 1 to 3.
//!
//! Source: NumPy Enhancement Proposal 1. Arrays of Python objects are never read, since they are pickled
//! and loading a pickle runs code.

use std::io::{self, Read};

use cocrypt_config::Dtype;

/// The first bytes of every such file.
const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// The content starts at a multiple of so many bytes.
const ALIGNMENT: usize = 64;
/// Bytes of the longest header that is read.
const LONGEST: usize = 1 << 16;

/// The type and shape of an array, whose content follows in row-major order, little endian.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The type of its elements.
    pub dtype: Dtype,
    /// Its dimensions.
    pub shape: Vec<usize>,
    /// Bytes of the file before the content.
    pub size: usize,
}

/// The bytes before the content of an array.
#[must_use]
pub fn header(dtype: Dtype, shape: &[usize]) -> Vec<u8> {
    let lengths: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    let lengths = lengths.join(", ") + comma;
    let mut text = format!(
        "{{'descr': '{}', 'fortran_order': False, 'shape': ({lengths}), }}",
        description(dtype)
    );
    let unpadded = MAGIC.len() + 4 + text.len() + 1;
    text.extend(std::iter::repeat_n(' ', unpadded.next_multiple_of(ALIGNMENT) - unpadded));
    text.push('\n');
    let mut bytes = MAGIC.to_vec();
    bytes.extend([1, 0]);
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes
}

/// Reads the header of a file.
///
/// # Errors
/// The file cannot be read, or a sentence says how it differs from what is read here.
pub fn read_header(file: &mut impl Read) -> Result<Header, HeaderError> {
    let mut start = [0; 8];
    file.read_exact(&mut start)?;
    if &start[..6] != MAGIC {
        return Err(HeaderError::Content("it is no .npy file".into()));
    }
    let mut length = [0; 4];
    let width = if start[6] == 1 { 2 } else { 4 };
    file.read_exact(&mut length[..width])?;
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST {
        return Err(HeaderError::Content("its header is too long".into()));
    }
    let mut text = vec![0; length];
    file.read_exact(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    let (dtype, shape) = parse(&text).map_err(HeaderError::Content)?;
    Ok(Header { dtype, shape, size: 8 + width + length })
}

/// A header that is not read.
#[derive(Debug, thiserror::Error)]
pub enum HeaderError {
    /// The host failed, or the file ends too early.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The fault in it.
    #[error("{0}")]
    Content(String),
}

fn parse(text: &str) -> Result<(Dtype, Vec<usize>), String> {
    let wrong = || "its header cannot be read".to_owned();
    let described = value(text, "descr").ok_or_else(wrong)?;
    let described = described.strip_prefix('\'').and_then(|rest| rest.split('\'').next());
    let described = described.ok_or("its elements are records; only plain numbers are read")?;
    if described.contains('O') {
        return Err("it holds Python objects, which are pickled: loading them runs code".into());
    }
    let kind = described.trim_start_matches(['<', '|', '=']);
    let dtype = Dtype::ALL.into_iter().find(|dtype| &description(*dtype)[1..] == kind);
    let native = described.starts_with(['<', '|', '=']);
    let dtype = dtype.filter(|_| native).ok_or_else(|| {
        let known = Dtype::ALL.map(Dtype::name).join(", ");
        format!("its elements are `{described}`, none of these in little-endian order: {known}")
    })?;
    if !value(text, "fortran_order").ok_or_else(wrong)?.starts_with("False") {
        return Err("it is in Fortran order; save it by numpy.ascontiguousarray".into());
    }
    let shape = value(text, "shape").ok_or_else(wrong)?;
    let shape =
        shape.strip_prefix('(').and_then(|rest| rest.split(')').next()).ok_or_else(wrong)?;
    let lengths = shape.split(',').map(str::trim).filter(|length| !length.is_empty());
    let shape = lengths.map(str::parse).collect::<Result<_, _>>().map_err(|_| wrong())?;
    Ok((dtype, shape))
}

/// The text behind a key of the header's dictionary.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("'{key}'"))?;
    Some(rest.trim_start().strip_prefix(':')?.trim_start())
}

/// NumPy's short form of a type.
const fn description(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::Int8 => "|i1",
        Dtype::Uint8 => "|u1",
        Dtype::Int16 => "<i2",
        Dtype::Uint16 => "<u2",
        Dtype::Int32 => "<i4",
        Dtype::Uint32 => "<u4",
        Dtype::Float32 => "<f4",
        Dtype::Float64 => "<f8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_as_they_are_written() {
        for dtype in Dtype::ALL {
            for shape in [vec![], vec![7], vec![1000, 16], vec![3, 4, 5]] {
                let bytes = header(dtype, &shape);
                assert_eq!(bytes.len() % ALIGNMENT, 0);
                let found = read_header(&mut bytes.as_slice()).expect("a header");
                assert_eq!(found, Header { dtype, shape, size: bytes.len() });
            }
        }
    }

    #[test]
    fn other_arrays_are_refused_with_a_reason() {
        let cases = [
            ("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "pickled"),
            ("{'descr': '>i2', 'fortran_order': False, 'shape': (1,), }", "little-endian"),
            ("{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }", "`<c16`"),
            ("{'descr': '<i2', 'fortran_order': True, 'shape': (1, 2), }", "Fortran"),
            ("{'descr': [('a', '<i2')], 'fortran_order': False, 'shape': (1,), }", "records"),
            ("{'descr': '<i2', 'fortran_order': False, 'shape': (x,), }", "cannot be read"),
            ("{}", "cannot be read"),
        ];
        for (text, reason) in cases {
            let message = parse(text).expect_err(text);
            assert!(message.contains(reason), "{text}: {message}");
        }
    }
}
