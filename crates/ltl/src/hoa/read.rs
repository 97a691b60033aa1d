//! Reading the format: header, then states and edges, by recursive descent.
use std::collections::HashMap;

use super::words::{Placed, Problem, Word, words};
use crate::automaton::{Automaton, Edge, Marks, add_edge};
use crate::bdd::{Bdd, Bdds};

/// What was read.
#[derive(Clone, Debug)]
pub struct Document {
    /// The automaton.
    pub automaton: Automaton,
    /// The names of its atoms.
    pub names: Vec<String>,
    /// What the automaton is called.
    pub title: Option<String>,
}

/// More states than this are taken for a mistake.
const MOST_STATES: usize = 1_000_000;
/// Labels nested deeper than this are refused.
const DEEPEST: usize = 500;

/// Reads one automaton.
pub fn read(text: &str) -> Result<Document, Problem> {
    let (words, end) = words(text)?;
    let mut reader = Reader { words, at: 0, end, header: Header::default(), labels: Bdds::default(), depth: 0 };
    reader.header()?;
    let states = reader.body()?;
    reader.document(states)
}

#[derive(Default)]
struct Header {
    states: Option<usize>,
    start: Vec<usize>,
    names: Option<Vec<String>>,
    aliases: HashMap<String, Bdd>,
    acceptance: Option<Acceptance>,
    title: Option<String>,
}

/// How many sets the text has, and which of them must be met, in order. Without a list nothing is accepted.
struct Acceptance {
    declared: usize,
    needed: Option<Vec<usize>>,
}

struct Reader {
    words: Vec<Placed>,
    at: usize,
    end: (usize, usize),
    header: Header,
    labels: Bdds,
    depth: usize,
}

type Read<T> = Result<T, Problem>;

impl Reader {
    fn peek(&self) -> Option<&Word> {
        self.words.get(self.at).map(|it| &it.word)
    }

    /// A problem with the next word.
    fn problem<T>(&self, message: impl Into<String>) -> Read<T> {
        let (line, column) = self.words.get(self.at).map_or(self.end, |it| (it.line, it.column));
        Err(Problem { line, column, message: message.into() })
    }

    fn expected<T>(&self, what: &str) -> Read<T> {
        match self.peek() {
            Some(word) => self.problem(format!("{what} is expected here, not {word}")),
            None => self.problem(format!("{what} is expected here, but the text ends")),
        }
    }

    fn next_is(&mut self, word: &Word) -> bool {
        let found = self.peek() == Some(word);
        self.at += usize::from(found);
        found
    }

    fn sign(&mut self, sign: char) -> Read<()> {
        if self.next_is(&Word::Sign(sign)) { Ok(()) } else { self.expected(&format!("`{sign}`")) }
    }

    fn number(&mut self, what: &str) -> Read<usize> {
        match self.peek() {
            Some(&Word::Number(number)) => {
                self.at += 1;
                Ok(number)
            }
            _ => self.expected(what),
        }
    }

    fn header(&mut self) -> Read<()> {
        let version = self.next_is(&Word::Header("HOA".into()));
        match self.peek() {
            Some(Word::Name(name)) if version && name == "v1" => self.at += 1,
            Some(_) if version => return self.problem("only version `v1` of the format is read"),
            _ => return self.expected("`HOA: v1`"),
        }
        while !self.next_is(&Word::Mark("--BODY--".into())) {
            self.header_item()?;
        }
        Ok(())
    }

    fn header_item(&mut self) -> Read<()> {
        let Some(Word::Header(name)) = self.peek().cloned() else {
            return self.expected("a header item or `--BODY--`");
        };
        if matches!(&name[..], "States" | "AP" | "Acceptance") && self.is_known(&name) {
            return self.problem(format!("`{name}:` is given twice"));
        }
        self.at += 1;
        match &name[..] {
            "States" => self.header.states = Some(self.number_of_states()?),
            "Start" => self.start()?,
            "AP" => self.atoms()?,
            "Alias" => self.alias()?,
            "Acceptance" => self.acceptance()?,
            "name" => self.title()?,
            // By the rules of the format, items with a capital letter may change the meaning.
            _ if name.starts_with(|it: char| it.is_ascii_uppercase()) => {
                self.at -= 1;
                return self.problem(format!("`{name}:` may change what the automaton means, and is not known here"));
            }
            _ => self.skip_item(),
        }
        Ok(())
    }

    fn is_known(&self, item: &str) -> bool {
        match item {
            "States" => self.header.states.is_some(),
            "AP" => self.header.names.is_some(),
            _ => self.header.acceptance.is_some(),
        }
    }

    fn skip_item(&mut self) {
        while !matches!(self.peek(), None | Some(Word::Header(_) | Word::Mark(_))) {
            self.at += 1;
        }
    }

    fn title(&mut self) -> Read<()> {
        let Some(Word::Text(text)) = self.peek().cloned() else { return self.expected("a text") };
        self.at += 1;
        self.header.title = Some(text);
        Ok(())
    }

    fn number_of_states(&mut self) -> Read<usize> {
        match self.number("the number of states")? {
            number if number <= MOST_STATES => Ok(number),
            _ => {
                self.at -= 1;
                self.problem(format!("more than {MOST_STATES} states are not read"))
            }
        }
    }

    fn start(&mut self) -> Read<()> {
        let state = self.number("an initial state")?;
        if self.peek() == Some(&Word::Sign('&')) {
            return self.problem("alternating automata (`&` between states) are not read");
        }
        self.header.start.push(state);
        Ok(())
    }

    fn atoms(&mut self) -> Read<()> {
        let count = self.number("the number of atoms")?;
        let mut names = Vec::new();
        while let Some(Word::Text(name)) = self.peek().cloned() {
            names.push(name);
            self.at += 1;
        }
        if names.len() != count {
            return self.problem(format!("{count} atoms are announced and {} are named", names.len()));
        }
        self.header.names = Some(names);
        Ok(())
    }

    fn alias(&mut self) -> Read<()> {
        let Some(Word::Alias(name)) = self.peek().cloned() else { return self.expected("an alias such as `@a`") };
        self.at += 1;
        let label = self.label()?;
        self.header.aliases.insert(name, label);
        Ok(())
    }

    fn acceptance(&mut self) -> Read<()> {
        let declared = self.number("the number of acceptance sets")?;
        let mut needed = Some(Vec::new());
        loop {
            self.acceptance_part(declared, &mut needed)?;
            match self.peek() {
                Some(Word::Sign('&')) => self.at += 1,
                Some(Word::Sign('|')) => return self.unsupported("`|`"),
                _ => break,
            }
        }
        let count = needed.as_ref().map_or(0, Vec::len);
        if count > Marks::MOST as usize {
            return self.problem(format!("more than {} acceptance sets are not read", Marks::MOST));
        }
        self.header.acceptance = Some(Acceptance { declared, needed });
        Ok(())
    }

    /// `t`, `f`, `Inf(n)`, or a conjunction in parentheses.
    fn acceptance_part(&mut self, declared: usize, needed: &mut Option<Vec<usize>>) -> Read<()> {
        match self.peek().cloned() {
            Some(Word::Sign('(')) => return self.acceptance_in_parentheses(declared, needed),
            Some(Word::Name(name)) if name == "t" => self.at += 1,
            Some(Word::Name(name)) if name == "f" => {
                self.at += 1;
                *needed = None;
            }
            Some(Word::Name(name)) if name == "Inf" => {
                self.at += 1;
                self.sign('(')?;
                if self.peek() == Some(&Word::Sign('!')) {
                    return self.unsupported("`Inf(!…)`");
                }
                let set = self.set(declared)?;
                self.sign(')')?;
                needed.iter_mut().filter(|it| !it.contains(&set)).for_each(|it| it.push(set));
            }
            Some(Word::Name(name)) if name == "Fin" => return self.unsupported("`Fin`"),
            _ => return self.expected("an acceptance condition"),
        }
        Ok(())
    }

    fn acceptance_in_parentheses(&mut self, declared: usize, needed: &mut Option<Vec<usize>>) -> Read<()> {
        if self.depth == DEEPEST {
            return self.problem("the condition is nested too deeply");
        }
        self.depth += 1;
        self.sign('(')?;
        self.acceptance_part(declared, needed)?;
        while self.next_is(&Word::Sign('&')) {
            self.acceptance_part(declared, needed)?;
        }
        if self.peek() == Some(&Word::Sign('|')) {
            return self.unsupported("`|`");
        }
        self.depth -= 1;
        self.sign(')')
    }

    fn unsupported<T>(&self, what: &str) -> Read<T> {
        self.problem(format!(
            "an acceptance condition with {what} is not read; Büchi (`Inf(0)`), generalised Büchi (`Inf(0)&Inf(1)`) and `t` are"
        ))
    }

    fn set(&mut self, declared: usize) -> Read<usize> {
        match self.number("an acceptance set")? {
            set if set < declared => Ok(set),
            set => {
                self.at -= 1;
                self.problem(format!("there is no acceptance set {set}, only {declared} are announced"))
            }
        }
    }

    /// A disjunction of conjunctions of atoms, aliases, constants, negations and parentheses.
    fn label(&mut self) -> Read<Bdd> {
        if self.depth == DEEPEST {
            return self.problem("the label is nested too deeply");
        }
        self.depth += 1;
        let mut sum = self.label_product()?;
        while self.next_is(&Word::Sign('|')) {
            let more = self.label_product()?;
            sum = self.labels.or(sum, more);
        }
        self.depth -= 1;
        Ok(sum)
    }

    fn label_product(&mut self) -> Read<Bdd> {
        let mut product = self.label_part()?;
        while self.next_is(&Word::Sign('&')) {
            let more = self.label_part()?;
            product = self.labels.and(product, more);
        }
        Ok(product)
    }

    fn label_part(&mut self) -> Read<Bdd> {
        let mut negated = false;
        while self.next_is(&Word::Sign('!')) {
            negated = !negated;
        }
        let label = match self.peek().cloned() {
            Some(Word::Sign('(')) => {
                self.at += 1;
                let label = self.label()?;
                self.sign(')')?;
                label
            }
            _ => self.label_leaf()?,
        };
        Ok(if negated { self.labels.not(label) } else { label })
    }

    fn label_leaf(&mut self) -> Read<Bdd> {
        let leaf = match self.peek().cloned() {
            Some(Word::Name(name)) if name == "t" => Bdd::TRUE,
            Some(Word::Name(name)) if name == "f" => Bdd::FALSE,
            Some(Word::Alias(name)) => match self.header.aliases.get(&name) {
                Some(&label) => label,
                None => return self.problem(format!("there is no alias `@{name}`")),
            },
            Some(Word::Number(atom)) => {
                let announced = self.header.names.as_ref().map_or(usize::MAX, Vec::len);
                if atom >= announced || atom >= u32::MAX as usize {
                    return self.problem(format!("there is no atom {atom}, only {announced} are announced"));
                }
                self.labels.variable(atom as u32)
            }
            _ => return self.expected("a label"),
        };
        self.at += 1;
        Ok(leaf)
    }

    /// The edges of all states. Marks are those of the text, as far as they are needed.
    fn body(&mut self) -> Read<Vec<Vec<Edge>>> {
        let Some(acceptance) = &self.header.acceptance else {
            return self.problem("`Acceptance:` is missing in the header");
        };
        let declared = acceptance.declared;
        let mut states: Vec<Option<Vec<Edge>>> = vec![None; self.header.states.unwrap_or(0)];
        loop {
            match self.peek().cloned() {
                Some(Word::Header(name)) if name == "State" => self.state(declared, &mut states)?,
                Some(Word::Mark(mark)) if mark == "--END--" => break,
                Some(Word::Mark(mark)) if mark == "--ABORT--" => {
                    return self.problem("the automaton was not finished by who wrote it");
                }
                _ => return self.expected("`State:` or `--END--`"),
            }
        }
        Ok(states.into_iter().map(Option::unwrap_or_default).collect())
    }

    fn state(&mut self, declared: usize, states: &mut Vec<Option<Vec<Edge>>>) -> Read<()> {
        self.at += 1;
        let label = self.label_in_brackets()?;
        let state = self.state_number()?;
        if matches!(self.peek(), Some(Word::Text(_))) {
            self.at += 1;
        }
        let marks = self.marks(declared)?;
        let edges = self.edges(label, marks, declared)?;
        if states.len() <= state {
            states.resize(state + 1, None);
        }
        match &mut states[state] {
            Some(_) => self.problem(format!("state {state} is described twice")),
            empty => {
                *empty = Some(edges);
                Ok(())
            }
        }
    }

    fn state_number(&mut self) -> Read<usize> {
        let state = self.number("a state")?;
        let most = self.header.states.unwrap_or(MOST_STATES);
        if state >= most {
            self.at -= 1;
            return self.problem(format!("there is no state {state}, only {most} are announced"));
        }
        Ok(state)
    }

    fn label_in_brackets(&mut self) -> Read<Option<Bdd>> {
        if !self.next_is(&Word::Sign('[')) {
            return Ok(None);
        }
        let label = self.label()?;
        self.sign(']')?;
        Ok(Some(label))
    }

    fn marks(&mut self, declared: usize) -> Read<Marks> {
        let mut marks = Marks::NONE;
        if !self.next_is(&Word::Sign('{')) {
            return Ok(marks);
        }
        while !self.next_is(&Word::Sign('}')) {
            let set = self.set(declared)?;
            let needed = self.header.acceptance.as_ref().and_then(|it| it.needed.as_ref());
            let place = needed.and_then(|it| it.iter().position(|&it| it == set));
            marks = place.map_or(marks, |place| marks.with(Marks::one(place as u32)));
        }
        Ok(marks)
    }

    fn edges(&mut self, of_state: Option<Bdd>, of_all: Marks, declared: usize) -> Read<Vec<Edge>> {
        let (mut edges, mut implicit) = (Vec::new(), 0);
        while matches!(self.peek(), Some(Word::Sign('[') | Word::Number(_))) {
            let own = self.label_in_brackets()?;
            let label = match own.or(of_state) {
                Some(label) => label,
                None => {
                    implicit += 1;
                    self.implicit_label(implicit - 1)?
                }
            };
            let target = self.state_number()?;
            if self.peek() == Some(&Word::Sign('&')) {
                return self.problem("alternating automata (`&` between states) are not read");
            }
            let marks = self.marks(declared)?.with(of_all);
            add_edge(&mut edges, &mut self.labels, Edge { label, marks, target });
        }
        match self.header.names.as_ref().map_or(0, Vec::len) {
            atoms if implicit > 0 && (atoms >= 30 || implicit != 1 << atoms) => self.problem(format!(
                "a state without labels needs an edge for each combination of {atoms} atoms, not {implicit}"
            )),
            _ => Ok(edges),
        }
    }

    /// The letter of an edge by its place: bit by bit the truth of the atoms.
    fn implicit_label(&mut self, place: usize) -> Read<Bdd> {
        let atoms = self.header.names.as_ref().map_or(0, Vec::len);
        if atoms < usize::BITS as usize && place >> atoms > 0 {
            return self.problem("an edge too much for a state without labels");
        }
        let literals: Vec<(u32, bool)> =
            (0..atoms as u32).map(|it| (it, place.checked_shr(it).unwrap_or(0) & 1 == 1)).collect();
        Ok(self.labels.cube(&literals))
    }

    fn document(mut self, mut edges: Vec<Vec<Edge>>) -> Read<Document> {
        let needed = self.header.acceptance.as_ref().map_or(Some(0), |it| it.needed.as_ref().map(Vec::len));
        // Without a condition that can be met there is one set that nothing is in.
        let sets = needed.unwrap_or(1) as u32;
        let targets = edges.iter().flatten().map(|it| it.target).chain(self.header.start.iter().copied()).max();
        edges.resize(edges.len().max(targets.map_or(1, |it| it + 1)).min(MOST_STATES), Vec::new());
        if self.header.start.iter().any(|&it| it >= edges.len()) {
            return self.problem("an initial state does not exist");
        }
        let initial = self.initial(&mut edges);
        let names = self.header.names.take().unwrap_or_default();
        let automaton = Automaton { atoms: names.len() as u32, sets, initial, edges, labels: self.labels };
        Ok(Document { automaton, names, title: self.header.title })
    }

    /// The initial state; for none or several a new one with all their edges.
    fn initial(&mut self, edges: &mut Vec<Vec<Edge>>) -> usize {
        if let [only] = self.header.start[..] {
            return only;
        }
        let mut all = Vec::new();
        for edge in self.header.start.iter().flat_map(|&it| &edges[it]) {
            add_edge(&mut all, &mut self.labels, Edge { marks: Marks::NONE, ..*edge });
        }
        edges.push(all);
        edges.len() - 1
    }
}
