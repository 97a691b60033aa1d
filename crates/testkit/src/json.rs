//! Just enough JSON to read recorded answers.
use std::collections::BTreeMap;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Json {
    Null,
    Boolean(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    /// The value a text stands for; `None` if it stands for none.
    pub fn parse(text: &str) -> Option<Json> {
        let mut reader = Reader { rest: text };
        let value = reader.value()?;
        reader.skip_space();
        reader.rest.is_empty().then_some(value)
    }

    /// A member of an object.
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.get(name),
            _ => None,
        }
    }

    /// A member that is a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(Json::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// A member that is a number.
    pub fn number(&self, name: &str) -> Option<u64> {
        match self.get(name) {
            Some(Json::Number(number)) => Some(*number as u64),
            _ => None,
        }
    }
}

/// A text as JSON writes it.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            _ if (letter as u32) < 32 => out.push_str(&format!("\\u{:04x}", letter as u32)),
            _ => out.push(letter),
        }
    }
    out + "\""
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, word: &str) -> bool {
        self.skip_space();
        let after = self.rest.strip_prefix(word);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn value(&mut self) -> Option<Json> {
        self.skip_space();
        match self.rest.chars().next()? {
            '{' => self.object(),
            '[' => self.list(),
            '"' => self.string().map(Json::Text),
            _ if self.eat("null") => Some(Json::Null),
            _ if self.eat("true") => Some(Json::Boolean(true)),
            _ if self.eat("false") => Some(Json::Boolean(false)),
            _ => self.digits(),
        }
    }

    fn object(&mut self) -> Option<Json> {
        let mut members = BTreeMap::new();
        self.eat("{");
        if self.eat("}") {
            return Some(Json::Object(members));
        }
        loop {
            self.skip_space();
            let name = self.string()?;
            self.eat(":").then_some(())?;
            members.insert(name, self.value()?);
            if !self.eat(",") {
                return self.eat("}").then_some(Json::Object(members));
            }
        }
    }

    fn list(&mut self) -> Option<Json> {
        let mut items = Vec::new();
        self.eat("[");
        if self.eat("]") {
            return Some(Json::List(items));
        }
        loop {
            items.push(self.value()?);
            if !self.eat(",") {
                return self.eat("]").then_some(Json::List(items));
            }
        }
    }

    fn digits(&mut self) -> Option<Json> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit() && !"+-.eE".contains(c)).unwrap_or(self.rest.len());
        let (number, rest) = self.rest.split_at(end);
        self.rest = rest;
        number.parse().ok().map(Json::Number)
    }

    fn string(&mut self) -> Option<String> {
        self.rest = self.rest.strip_prefix('"')?;
        let mut out = String::new();
        let mut letters = self.rest.char_indices();
        loop {
            match letters.next()? {
                (at, '"') => {
                    self.rest = &self.rest[at + 1..];
                    return Some(out);
                }
                (_, '\\') => match letters.next()?.1 {
                    'n' => out.push('\n'),
                    't' => out.push('\t'),
                    'r' => out.push('\r'),
                    'b' => out.push('\u{8}'),
                    'f' => out.push('\u{c}'),
                    'u' => {
                        let code: String = (0..4).filter_map(|_| letters.next()).map(|it| it.1).collect();
                        out.push(char::from_u32(u32::from_str_radix(&code, 16).ok()?).unwrap_or('\u{fffd}'));
                    }
                    other => out.push(other),
                },
                (_, letter) => out.push(letter),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read() {
        let record = Json::parse(r#"{"model": "a\"b\n", "stored": 12, "list": [1, null, true], "x": {}}"#).unwrap();
        assert_eq!((record.text("model"), record.number("stored")), (Some("a\"b\n"), Some(12)));
    }

    #[test]
    fn what_is_quoted_can_be_read() {
        let text = "tab\t quote\" line\n";
        assert_eq!(Json::parse(&quoted(text)), Some(Json::Text(text.to_string())));
    }

    #[test]
    fn half_a_record_is_none() {
        assert_eq!(Json::parse(r#"{"model": "a""#), None);
        assert_eq!(Json::parse("{} {}"), None);
    }
}
