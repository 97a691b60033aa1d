//! Small models, made by hand from a text.
use model::{
    BinaryOp, ChannelShape, Edge, Effect, Expr, Initial, Location, LocationId, Model, Pattern, Place, ProcessType,
    ProcessTypeId, Scope, ShapeId, Start, TemporalProperty, Type, Variable, VariableId,
};
use text::{FileId, Sources, Span};

/// A model and the text it is made from.
pub struct Fixture {
    pub name: &'static str,
    pub sources: Sources,
    pub model: Model,
}

const HOLDS: &str = "\
byte x;
active proctype P() {
	x = 1;
	if
	:: x == 0 -> x = 7
	:: else
	fi
}
ltl sooner_or_later { <> (x == 7) }
";

/// One process; one statement is never reached.
pub fn holds() -> Fixture {
    let mut it = Making::new("holds.pml", HOLDS);
    let x = it.global("x", &[], Initial::Zero);
    it.process("P", 2, &[]);
    it.edge(0, Some(1), "x = 1", Expr::TRUE, vec![assign(&x, Expr::Constant(1))]);
    it.edge(1, Some(2), "x == 0", binary(BinaryOp::Eq, read(&x), 0), vec![]);
    it.edge(1, Some(3), "else", Expr::TRUE, vec![]);
    it.model.processes[0].edges[2].otherwise = true;
    it.edge(2, Some(3), "x = 7", Expr::TRUE, vec![assign(&x, Expr::Constant(7))]);
    it.end(3);
    it.finish(&[0])
}

/// The same with a property that needs more than safety checking.
pub fn temporal() -> Fixture {
    let mut it = holds();
    it.model.temporal_properties = vec![TemporalProperty { name: "sooner_or_later".into(), span: Span::default() }];
    it
}

const VIOLATED: &str = "\
chan q = [0] of { byte };
chan log = [2] of { byte };
proctype Sender(byte n) {
	q!n;
	log!n
}
active proctype Receiver() {
	byte got;
	run Sender(2);
	q?got;
	assert(got == 1)
}
";

/// A rendezvous, a channel, a process that is created, an assertion that fails.
pub fn violated() -> Fixture {
    let mut it = Making::new("violated.pml", VIOLATED);
    it.model.shapes = [0, 2].map(|capacity| ChannelShape { capacity, fields: vec![Type::BYTE], enumerations: vec![None] }).into();
    let q = it.global("q", &[], Initial::Channels(ShapeId(0)));
    let log = it.global("log", &[], Initial::Channels(ShapeId(1)));
    it.process("Sender", 3, &["n"]);
    it.model.processes[0].parameters = 1;
    it.edge(0, Some(1), "q!n", Expr::TRUE, vec![send(&q, &local(0))]);
    it.edge(1, Some(2), "log!n", Expr::TRUE, vec![send(&log, &local(0))]);
    it.end(2);
    it.process("Receiver", 7, &["got"]);
    let run = Effect::Spawn { process: ProcessTypeId(0), arguments: vec![Expr::Constant(2)], priority: Expr::Constant(1) };
    it.edge(0, Some(1), "run Sender(2)", Expr::TRUE, vec![run]);
    let patterns = vec![Pattern::Store(local(0))];
    let receive = Effect::Receive { channel: read(&q), patterns, anywhere: false, keep: false };
    it.edge(1, Some(2), "q?got", Expr::TRUE, vec![receive]);
    it.edge(2, Some(3), "assert(got == 1)", Expr::TRUE, vec![Effect::Assert(binary(BinaryOp::Eq, read(&local(0)), 1))]);
    it.end(3);
    it.finish(&[1])
}

const FAULTY: &str = "\
byte a[3];
byte i;
active [2] proctype P() {
	do
	:: a[i] = 1; i = i + 1
	:: i > 1; (i == 0)
	od
}
";

/// An index that runs out of its array, and a place where everybody can get stuck.
pub fn faulty() -> Fixture {
    let mut it = Making::new("faulty.pml", FAULTY);
    let a = it.global("a[]", &[3], Initial::Zero);
    let i = it.global("i", &[], Initial::Zero);
    it.process("P", 3, &[]);
    let element = Place { indices: vec![read(&i)], ..a };
    it.edge(0, Some(1), "a[i] = 1", Expr::TRUE, vec![assign(&element, Expr::Constant(1))]);
    it.edge(0, Some(2), "i > 1", binary(BinaryOp::Gt, read(&i), 1), vec![]);
    it.edge(1, Some(0), "i = i + 1", Expr::TRUE, vec![assign(&i, binary(BinaryOp::Add, read(&i), 1))]);
    it.edge(2, Some(0), "(i == 0)", binary(BinaryOp::Eq, read(&i), 0), vec![]);
    it.finish(&[0, 0])
}

/// A counter that goes round for ever, or up to where an assertion stops it.
pub fn counter(stop: Option<i32>) -> Fixture {
    let mut it = Making::new("counter.pml", "byte n;\nactive proctype P() { do :: n++; assert(n != 99) od }\n");
    let n = it.global("n", &[], Initial::Zero);
    it.process("P", 2, &[]);
    it.edge(0, Some(1), "n++", Expr::TRUE, vec![assign(&n, binary(BinaryOp::Add, read(&n), 1))]);
    let fine = binary(BinaryOp::Ne, read(&n), stop.unwrap_or(-1));
    it.edge(1, Some(0), "assert(n != 99)", Expr::TRUE, vec![Effect::Assert(fine)]);
    it.finish(&[0])
}

/// A model in the making.
struct Making {
    name: &'static str,
    sources: Sources,
    file: FileId,
    model: Model,
}

impl Making {
    fn new(name: &'static str, text: &str) -> Self {
        let mut sources = Sources::default();
        let file = sources.add(name, text);
        Making { name, sources, file, model: Model::default() }
    }

    fn global(&mut self, name: &str, dimensions: &[u32], initial: Initial) -> Place {
        self.model.globals.push(variable(name, dimensions, initial));
        Place { scope: Scope::Global, variable: VariableId(self.model.globals.len() as u32 - 1), indices: Vec::new() }
    }

    /// A process type that starts on this line.
    fn process(&mut self, name: &str, line: usize, variables: &[&str]) {
        let start = self.sources.file(self.file).text.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
        let variables = variables.iter().map(|name| variable(name, &[], Initial::Zero)).collect();
        let span = Span { file: self.file, start: start as u32, end: start as u32 };
        self.model.processes.push(ProcessType { name: name.into(), variables, span, ..ProcessType::default() });
    }

    /// An edge of the newest process type, at the first place after its beginning that has this text.
    fn edge(&mut self, source: u32, target: Option<u32>, text: &str, guard: Expr, effects: Vec<Effect>) {
        let file = self.file;
        let process = self.model.processes.last_mut().expect("a process type");
        let start = process.span.start + self.sources.file(file).text[process.span.start as usize..].find(text).unwrap_or(0) as u32;
        let (source, target) = (LocationId(source), target.map(LocationId));
        let span = Span { file, start, end: start + text.len() as u32 };
        let (otherwise, keeps_control, group, text) = (false, false, 0, text.to_string());
        process.edges.push(Edge { source, target, guard, effects, otherwise, keeps_control, group, text, span });
    }

    fn end(&mut self, source: u32) {
        self.edge(source, None, "-end-", Expr::TRUE, vec![Effect::Terminate]);
        let process = self.model.processes.last_mut().expect("a process type");
        let rest = &self.sources.file(self.file).text[process.span.start as usize..];
        process.edges.last_mut().expect("an edge").span.start += rest.find("\n}").unwrap_or(0) as u32 + 1;
    }

    fn finish(mut self, start: &[u32]) -> Fixture {
        self.model.processes.iter_mut().for_each(close);
        let process = |&row: &u32| Start { process: ProcessTypeId(row), priority: 1 };
        self.model.start = start.iter().map(process).collect();
        Fixture { name: self.name, sources: self.sources, model: self.model }
    }
}

/// Derives the locations from the edges.
fn close(process: &mut ProcessType) {
    process.edges.sort_by_key(|edge| edge.source);
    let last = process.edges.last().map_or(0, |edge| edge.source.0);
    for row in 0..=last {
        let of = |edge: &&Edge| edge.source.0 == row;
        let first = process.edges.iter().position(|edge| edge.source.0 == row).expect("an edge out of every location");
        let span = process.edges[first].span;
        let valid_end = process.edges[first].effects.contains(&Effect::Terminate);
        let edge_count = process.edges.iter().filter(of).count() as u32;
        let first_edge = first as u32;
        process.locations.push(Location { number: row + 1, first_edge, edge_count, span, valid_end, ..Location::default() });
    }
}

fn variable(name: &str, dimensions: &[u32], initial: Initial) -> Variable {
    let ty = if matches!(initial, Initial::Channels(_)) { Type::Channel } else { Type::BYTE };
    let (name, dimensions) = (name.into(), dimensions.to_vec());
    Variable { name, ty, dimensions, initial, hidden: false, enumeration: None, span: Span::default() }
}

fn local(row: u32) -> Place {
    Place { scope: Scope::Local, variable: VariableId(row), indices: Vec::new() }
}

fn read(place: &Place) -> Expr {
    Expr::Read(place.clone())
}

fn assign(place: &Place, value: Expr) -> Effect {
    Effect::Assign(place.clone(), value)
}

fn send(channel: &Place, value: &Place) -> Effect {
    Effect::Send { channel: read(channel), message: vec![read(value)], sorted: false }
}

fn binary(op: BinaryOp, left: Expr, right: i32) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(Expr::Constant(right)))
}
