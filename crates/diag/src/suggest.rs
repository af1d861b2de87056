//! Suggestions for misspelt words.

/// Letters of the wrong word times those of all words that it is compared with, at most.
const WORK: usize = 1 << 20;

/// The known word nearest to a wrong one, if it is near enough that a slip explains it.
#[must_use]
pub fn suggest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = wrong.chars().count();
    // A third of the letters may be wrong, of a short word one, but never all of them.
    let allowed = (length / 3).max(1).min(length.saturating_sub(1));
    let mut work = 0;
    known
        .into_iter()
        .filter(|word| word.chars().count().abs_diff(length) <= allowed)
        .take_while(|word| {
            work += word.len() * wrong.len();
            work <= WORK
        })
        .map(|word| (distance(wrong, word), word))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other,
/// case ignored (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let fold = |text: &str| text.to_lowercase().chars().collect::<Vec<_>>();
    let (a, b) = (fold(a), fold(b));
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let above = &rows[i - 1];
            let mut cost = (above[j] + 1)
                .min(row[j - 1] + 1)
                .min(above[j - 1] + usize::from(a[i - 1] != b[j - 1]));
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(rows[i - 2][j - 2] + 1);
            }
            row.push(cost);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
