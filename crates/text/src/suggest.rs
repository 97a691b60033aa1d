//! "Did you mean …": the known name nearest to a misspelt one.

/// The candidate with the smallest edit distance to `name`, if it is near enough to be meant.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    // Of one letter, nothing would be left.
    let limit = if length < 2 { 0 } else { (length / 3).max(1) };
    let near = candidates.into_iter().filter(|it| *it != name && it.chars().count().abs_diff(length) <= limit);
    let scored = near.map(|it| (distance(name, it), std::cmp::Reverse(common_start(name, it)), it));
    scored.filter(|it| it.0 <= limit).min().map(|it| it.2)
}

/// How many characters two words begin with alike.
fn common_start(left: &str, right: &str) -> usize {
    left.chars().zip(right.chars()).take_while(|(left, right)| left == right).count()
}

/// Levenshtein distance, where swapping two neighbours also counts one (Damerau 1964).
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.to_lowercase().chars().collect();
    let right: Vec<char> = right.to_lowercase().chars().collect();
    let mut before = vec![0; right.len() + 1];
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (i, &l) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &r) in right.iter().enumerate() {
            let mut cost = (above[j] + usize::from(l != r)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && l == right[j - 1] && left[i - 1] == r {
                cost = cost.min(before[j - 1] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_is_suggested_and_a_far_one_is_not() {
        assert_eq!(closest("trun", ["turn", "flag"]), Some("turn"));
        assert_eq!(closest("proctpye", ["proctype", "typedef"]), Some("proctype"));
        assert_eq!(closest("x", ["velocity"]), None);
        assert_eq!(closest("x", ["y", "X"]), Some("X"));
    }

    #[test]
    fn of_two_near_names_the_one_that_begins_alike_is_suggested() {
        assert_eq!(closest("byt", ["bit", "byte"]), Some("byte"));
    }
}
