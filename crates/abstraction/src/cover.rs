//! A set of cubes as a short condition.
//!
//! Cubes that are inconsistent never occur, so the condition may say about them what it likes: each cube of the set
//! loses every literal that it can lose without meeting a cube outside, and cubes that others cover are left out
//! (the *expand* and *irredundant* steps of Brayton et al., ESPRESSO, 1984).
use crate::decide::Truths;

/// Some literals of a cube: which conditions must be true or false.
pub type Partial = Vec<Option<bool>>;

/// Partial cubes that contain every cube of `inside` and none of `outside`.
pub fn cover(inside: &[Truths], outside: &[Truths]) -> Vec<Partial> {
    let mut parts: Vec<Partial> = Vec::new();
    for cube in inside {
        if !parts.iter().any(|it| contains(it, cube)) {
            parts.push(expand(cube, outside));
        }
    }
    irredundant(parts, inside)
}

fn contains(part: &Partial, cube: &Truths) -> bool {
    part.iter().zip(cube).all(|(wanted, is)| wanted.is_none_or(|it| it == *is))
}

fn expand(cube: &Truths, outside: &[Truths]) -> Partial {
    let mut part: Partial = cube.iter().map(|&it| Some(it)).collect();
    for row in (0..part.len()).rev() {
        let kept = part[row].take();
        if outside.iter().any(|it| contains(&part, it)) {
            part[row] = kept;
        }
    }
    part
}

fn irredundant(mut parts: Vec<Partial>, inside: &[Truths]) -> Vec<Partial> {
    let mut row = 0;
    while row < parts.len() {
        let part = parts.remove(row);
        let needed = |cube: &Truths| contains(&part, cube) && !parts.iter().any(|it| contains(it, cube));
        if inside.iter().any(needed) {
            parts.insert(row, part);
            row += 1;
        }
    }
    parts
}
