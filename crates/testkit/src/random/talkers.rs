//! Random models in which few processes share a channel, and get to know it in different ways.
//!
//! This is what a reduction lives from, and what random models of everything rarely have: channels that are named in the text, handed over
//! to processes that exist or come later, used from one end by one process and from the other end by another.
use super::prng::Random;

/// Processes that talk over channels; equal seeds give equal texts.
pub fn talkers(seed: u64) -> String {
    let mut random = Random::new(seed);
    let channels = 2 + random.below(3);
    let mut text = String::from("byte g;\nbit h;\n");
    for channel in 0..channels {
        let capacity = random.weighted(&[(2, 0), (5, 1), (3, 2)]);
        text += &format!("chan c{channel} = [{capacity}] of {{ byte }};\n");
    }
    let types = 1 + random.below(2);
    for ty in 0..types {
        let body = Talk { random: &mut random, names: vec!["a".into(), "b".into()] }.body();
        text += &format!("proctype T{ty}(chan a, b; byte n) {{\n\tbyte x = n;\n{body}}}\n");
    }
    for row in 0..random.below(3) {
        let names = (0..channels).filter(|_| random.chance(50)).map(|it| format!("c{it}")).collect();
        let body = Talk { random: &mut random, names }.body();
        text += &format!("active proctype A{row}() {{\n\tbyte x;\n{body}}}\n");
    }
    text + &init(&mut random, channels, types)
}

/// A process that says something itself, and creates others now and then.
fn init(random: &mut Random, channels: usize, types: usize) -> String {
    let mut text = String::from("init {\n\tbyte x;\n");
    let names: Vec<String> = (0..channels).map(|it| format!("c{it}")).collect();
    for _ in 0..2 + random.below(3) {
        let (ty, value) = (random.below(types), random.below(3));
        if random.chance(30) {
            let statement = Talk { random, names: names.clone() }.simple();
            text += &format!("\t{statement};\n");
        }
        let (one, other) = (random.pick(&names).clone(), random.pick(&names).clone());
        text += &format!("\trun T{ty}({one}, {other}, {value});\n");
    }
    text + "\tskip\n}\n"
}

struct Talk<'r> {
    random: &'r mut Random,
    /// The channels that are known here.
    names: Vec<String>,
}

impl Talk<'_> {
    fn body(&mut self) -> String {
        (0..1 + self.random.below(3)).map(|_| format!("\t{};\n", self.statement(2))).collect::<String>() + "\tskip\n"
    }

    fn statement(&mut self, depth: usize) -> String {
        let block = if depth == 0 { 0 } else { 3 };
        match self.random.weighted(&[(10, 0), (block, 1), (block, 2), (block, 3)]) {
            0 => self.simple(),
            1 => format!("if :: {} :: {} fi", self.sequence(depth), self.sequence(depth)),
            2 => format!("do :: {} :: {}; break od", self.sequence(depth), self.simple()),
            _ => format!("atomic {{ {} }}", self.sequence(depth)),
        }
    }

    fn sequence(&mut self, depth: usize) -> String {
        format!("{}; {}", self.simple(), self.statement(depth - 1))
    }

    fn simple(&mut self) -> String {
        let value = self.random.below(3);
        if self.names.is_empty() || self.random.chance(40) {
            return self.silent(value);
        }
        let name = self.random.pick(&self.names).clone();
        match self.random.weighted(&[(5, 0), (4, 1), (5, 2), (3, 3), (1, 4), (1, 5), (1, 6), (1, 7)]) {
            0 => format!("{name}!{value}"),
            1 => format!("{name}!x"),
            2 => format!("{name}?x"),
            3 => format!("{name}?{value}"),
            4 => format!("{name}??{value}"),
            5 => format!("{name}!!{value}"),
            6 => format!("nempty({name})"),
            _ => format!("(len({name}) < {})", value + 1),
        }
    }

    fn silent(&mut self, value: usize) -> String {
        match self.random.below(8) {
            0 => format!("x = {value}"),
            1 => "x = (x + 1) % 3".into(),
            2 => "g = x".into(),
            3 => format!("(g == {value})"),
            4 => "h = 1 - h".into(),
            5 => "(h == 1)".into(),
            6 => format!("assert(x != {value} || g != {})", self.random.below(3)),
            _ => format!("assert(x != {value})"),
        }
    }
}
