//! Which warnings models get: `survey FILE…` prints one line per warning, and how many there are of each kind.
use std::collections::BTreeMap;
use std::path::Path;

use testkit::run;

fn main() {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let (mut models, mut clean) = (0, 0);
    for file in std::env::args().skip(1) {
        let Some((warnings, sources)) = run::advice_on(Path::new(&file)) else { continue };
        models += 1;
        clean += usize::from(warnings.is_empty());
        let mut codes: Vec<&str> = warnings.iter().map(|it| it.code).collect();
        for it in &warnings {
            let place = sources.place(it.span.unwrap_or_default());
            println!("{}:{}:{}: {}: {}", place.file, place.line, place.column, it.code, it.message);
            counts.entry(it.code).or_default().0 += 1;
        }
        codes.sort_unstable();
        codes.dedup();
        codes.iter().for_each(|it| counts.entry(it).or_default().1 += 1);
    }
    counts.iter().for_each(|(code, (all, models))| println!("{code}: {all} in {models} models"));
    println!("{models} models, {clean} without a warning");
}
