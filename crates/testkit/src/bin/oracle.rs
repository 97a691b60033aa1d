// `oracle show SEED` prints a random model; `oracle spin SEED|FILE` asks an installed SPIN about it.
use std::path::Path;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let spin = || testkit::spin::Spin::find().expect("an installed SPIN");
    match words[..] {
        ["show", seed] => print!("{}", testkit::random::model(seed.parse().expect("a number")).text()),
        ["spin", what] => match what.parse() {
            Ok(seed) => println!("{:?}", spin().ask(&testkit::random::model(seed).text())),
            Err(_) => println!("{:?}", spin().ask_file(Path::new(what))),
        },
        ["survey", from, to] => {
            let spin = spin();
            for seed in from.parse::<u64>().unwrap()..to.parse().unwrap() {
                println!("{seed} {:?}", spin.ask(&testkit::random::model(seed).text()));
            }
        }
        _ => eprintln!("oracle show SEED | spin SEED|FILE | survey FROM TO"),
    }
}
