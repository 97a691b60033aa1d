//! Labels and names as text, for all formats.
use crate::automaton::Automaton;
use crate::bdd::Bdd;

/// The name of an atom; without one it is `p0`, `p1` …
pub(crate) fn name(names: &[String], atom: u32) -> String {
    names.get(atom as usize).cloned().unwrap_or_else(|| format!("p{atom}"))
}

/// How a format writes labels.
pub(crate) struct Signs {
    pub always: &'static str,
    pub never: &'static str,
    pub not: &'static str,
    pub and: &'static str,
    pub or: &'static str,
}

/// A label as a sum of products. Products of several literals are in parentheses if there are several products.
pub(crate) fn label(automaton: &Automaton, label: Bdd, signs: &Signs, name: impl Fn(u32) -> String) -> String {
    match label {
        Bdd::TRUE => return signs.always.to_string(),
        Bdd::FALSE => return signs.never.to_string(),
        _ => {}
    }
    let cubes = automaton.cubes(label);
    let products: Vec<String> = cubes
        .iter()
        .map(|cube| {
            let literal = |&(atom, positive): &(u32, bool)| {
                if positive { name(atom) } else { format!("{}{}", signs.not, name(atom)) }
            };
            let product = cube.iter().map(literal).collect::<Vec<_>>().join(signs.and);
            if cubes.len() > 1 && cube.len() > 1 { format!("({product})") } else { product }
        })
        .collect();
    products.join(signs.or)
}
