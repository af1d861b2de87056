//! The t-test where groups do not vary.

use cocrypt_leak::{Description, Dtype, Part, TraceSet, Welch, Writer, welch};

/// The test up to third order of one sample, in groups that take turns.
fn compared(dtype: Dtype, bytes: &[u8]) -> Welch {
    let folder = tempfile::tempdir().expect("a folder");
    let count = bytes.len() / dtype.size();
    let description = Description { samples: 1, dtype, source: String::new(), columns: vec![] };
    let path = folder.path().join("set");
    Writer::create(&path, description).expect("a set").append(count, bytes, &[]).expect("a chunk");
    let groups: Vec<u8> = (0..count).map(|trace| u8::from(trace % 2 == 1)).collect();
    let part = Part { traces: 0..count, samples: 0..1 };
    let set = TraceSet::open(&path).expect("a set");
    welch(&set, &part, &groups, 3, &mut |_| Ok(())).expect("a test")
}

/// The same of a type for floating-point samples.
fn compared_floats(dtype: Dtype, values: impl Iterator<Item = f32>) -> Welch {
    let bytes = values.flat_map(|value| match dtype {
        Dtype::Float32 => value.to_le_bytes().to_vec(),
        _ => f64::from(value).to_le_bytes().to_vec(),
    });
    compared(dtype, &bytes.collect::<Vec<_>>())
}

#[test]
fn constants_that_differ_are_infinitely_far_apart() {
    let welch = compared(Dtype::Int8, &[3, 5].repeat(50));
    assert_eq!(welch.t[0], [f64::NEG_INFINITY]);
    assert!(welch.t[1][0].is_nan() && welch.t[2][0].is_nan());
    for dtype in [Dtype::Float32, Dtype::Float64] {
        let welch = compared_floats(dtype, [0.5, 0.1].into_iter().cycle().take(3001 * 2));
        assert_eq!(welch.t[0], [f64::INFINITY]);
        assert!(welch.t[1][0].is_nan() && welch.t[2][0].is_nan());
    }
}

#[test]
fn equal_constants_have_no_statistic() {
    for dtype in [Dtype::Float32, Dtype::Float64] {
        let welch = compared_floats(dtype, std::iter::repeat_n(0.1, 2000));
        assert!(welch.t.iter().all(|order| order[0].is_nan()), "{welch:?}");
    }
}

#[test]
fn one_trace_is_no_constant_group() {
    let welch = compared(Dtype::Int8, &[3, 5, 3]);
    assert!(welch.t.iter().all(|order| order[0].is_nan()), "{welch:?}");
}

#[test]
fn a_constant_group_has_no_third_order() {
    for dtype in [Dtype::Float32, Dtype::Float64] {
        let mut weight = 0u32;
        let values = (0..3000).map(|trace| {
            weight = weight.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if trace % 2 == 0 { 8.0 } else { f32::from((weight >> 24) as u8) }
        });
        let welch = compared_floats(dtype, values);
        assert!(welch.t[0][0].is_finite() && welch.t[1][0].is_finite(), "{welch:?}");
        assert!(welch.t[2][0].is_nan(), "{welch:?}");
    }
}
