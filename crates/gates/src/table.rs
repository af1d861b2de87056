//! Look-up tables of delays, transitions and constraints (Liberty's NLDM).

/// The quantity along an axis of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// The transition time at the input, or at the pin that a constraint is about.
    Slew,
    /// The capacitance at the output.
    Load,
    /// The transition time at the related pin, a clock's.
    RelatedSlew,
}

/// A table over at most two variables, with linear interpolation, and extrapolation beyond its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    axes: Vec<(Variable, Vec<f64>)>,
    values: Vec<f64>,
}

impl Table {
    /// A table.
    ///
    /// # Errors
    /// States it where values are not as many as the axes need, or an axis does not grow.
    pub fn new(axes: Vec<(Variable, Vec<f64>)>, values: Vec<f64>) -> Result<Self, String> {
        if axes.len() > 2 {
            return Err("it has more than two axes".to_owned());
        }
        for (_, points) in &axes {
            if points.is_empty() || points.windows(2).any(|pair| pair[0] >= pair[1]) {
                return Err("an index does not grow from value to value".to_owned());
            }
        }
        let needed: usize = axes.iter().map(|(_, points)| points.len()).product();
        if values.len() != needed {
            return Err(format!("it has {} values, where its indexes need {needed}", values.len()));
        }
        Ok(Self { axes, values })
    }

    /// The value at transitions in seconds and a load in farads.
    #[must_use]
    pub fn at(&self, slew: f64, load: f64, related: f64) -> f64 {
        let value = |variable| match variable {
            Variable::Slew => slew,
            Variable::Load => load,
            Variable::RelatedSlew => related,
        };
        match &self.axes[..] {
            [] => self.values[0],
            [(variable, points)] => {
                let (index, share) = position(points, value(*variable));
                between(&self.values, index, share)
            }
            [(first, rows), (second, columns), ..] => {
                let (row, share) = position(rows, value(*first));
                let (column, across) = position(columns, value(*second));
                let line = |row: usize| {
                    let start = row * columns.len();
                    between(&self.values[start..start + columns.len()], column, across)
                };
                if rows.len() == 1 {
                    return line(0);
                }
                line(row) * (1.0 - share) + line(row + 1) * share
            }
        }
    }
}

/// The segment of an axis for a value, and where the value is in it; beyond the ends outside 0 to 1.
fn position(points: &[f64], value: f64) -> (usize, f64) {
    if points.len() < 2 {
        return (0, 0.0);
    }
    let above = points.partition_point(|point| *point <= value);
    let index = above.saturating_sub(1).min(points.len() - 2);
    (index, (value - points[index]) / (points[index + 1] - points[index]))
}

fn between(values: &[f64], index: usize, share: f64) -> f64 {
    match values.get(index + 1) {
        Some(next) => values[index] * (1.0 - share) + next * share,
        None => values[index],
    }
}

#[cfg(test)]
mod tests {
    use super::{Table, Variable};

    #[test]
    fn values_are_interpolated_and_extrapolated() {
        let axes = vec![(Variable::Load, vec![1.0, 3.0]), (Variable::Slew, vec![0.0, 10.0])];
        let table = Table::new(axes, vec![1.0, 2.0, 5.0, 8.0]).unwrap();
        for (slew, load, expected) in [
            (0.0, 1.0, 1.0),
            (10.0, 3.0, 8.0),
            (5.0, 2.0, 4.0),
            (0.0, 5.0, 9.0),
            (20.0, 1.0, 3.0),
            (0.0, 0.0, -1.0),
        ] {
            assert!((table.at(slew, load, 0.0) - expected).abs() < 1e-12, "{slew} {load}");
        }
    }

    #[test]
    fn broken_tables_are_refused() {
        let axis = |points: &[f64]| vec![(Variable::Slew, points.to_vec())];
        assert!(Table::new(axis(&[1.0, 2.0]), vec![1.0]).is_err());
        assert!(Table::new(axis(&[2.0, 1.0]), vec![1.0, 2.0]).is_err());
        assert!(Table::new(axis(&[]), vec![]).is_err());
    }
}
