//! Words of the language, after preprocessing.
use std::sync::Arc;

use text::Span;

/// An identifier's text. Cheap to clone.
pub type Name = Arc<str>;

/// A word and where it stands.
#[derive(Clone, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where the reader sees it: for a word that a macro produced, the macro's use.
    pub span: Span,
    /// For a word that a macro produced, its place in the macro's definition.
    pub origin: Option<Span>,
    /// Whether a line break stands between the previous word and this one.
    pub starts_line: bool,
}

/// What a word is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// An identifier that is not reserved.
    Name(Name),
    /// A reserved word.
    Keyword(Keyword),
    /// An integer or character constant, wrapped to 32 bits.
    Number(i32),
    /// A string, without its quotes, escapes as written.
    Text(Name),
    /// The text between the braces of embedded C, as written.
    Code(Name),
    /// Punctuation.
    Punct(Punct),
    /// The end of the input; always the last word.
    End,
}

/// Declares an enum of fixed words and the table between the words and their texts.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum $name { $($variant),* }

        impl $name {
            /// Every word of this kind.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// How it is written.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }

            /// The word that is written this way.
            pub fn from_text(text: &str) -> Option<$name> {
                match text { $($text => Some($name::$variant),)* _ => None }
            }
        }
    };
}

words! {
    /// Reserved words. `in` is reserved only inside `for (…)`, the temporal operators only inside
    /// `ltl`, and the words of the PV dialect only there: those stay names.
    Keyword {
        Active = "active", Assert = "assert", Atomic = "atomic", Bit = "bit", Bool = "bool", Break = "break",
        Byte = "byte", CCode = "c_code", CDecl = "c_decl", CExpr = "c_expr", CState = "c_state", CTrack = "c_track",
        DProctype = "D_proctype", Do = "do", Chan = "chan", Else = "else", Empty = "empty", Enabled = "enabled",
        Eval = "eval", False = "false", Fi = "fi", For = "for", Full = "full", GetPriority = "get_priority",
        Goto = "goto", Hidden = "hidden", If = "if", Init = "init", Inline = "inline", Int = "int", Len = "len",
        Local = "local", Ltl = "ltl", Mtype = "mtype", Nempty = "nempty", Never = "never", Nfull = "nfull",
        Notrace = "notrace", Np = "np_", Od = "od", Of = "of", PcValue = "pc_value", Pid = "pid", Printf = "printf",
        Printm = "printm", Priority = "priority", Proctype = "proctype", Provided = "provided", Return = "return",
        Run = "run", DStep = "d_step", Select = "select", SetPriority = "set_priority", Short = "short", Skip = "skip",
        Timeout = "timeout", Trace = "trace", True = "true", Show = "show", Typedef = "typedef", Unless = "unless",
        Unsigned = "unsigned", Xr = "xr", Xs = "xs",
    }
}

words! {
    /// Punctuation. [`Punct::Semi`] also stands for the separators that line breaks imply, [`Punct::Bang`]
    /// also for a send; [`Punct::Equiv`] and what follows it have a meaning only inside `ltl`.
    Punct {
        LParen = "(", RParen = ")", LBracket = "[", RBracket = "]", LBrace = "{", RBrace = "}",
        Semi = ";", Arrow = "->", Comma = ",", Colon = ":", ColonColon = "::", Dot = ".", DotDot = "..", At = "@",
        Assign = "=", Increment = "++", Decrement = "--",
        Or = "||", And = "&&", BitOr = "|", BitXor = "^", BitAnd = "&", Eq = "==", Ne = "!=",
        Lt = "<", Le = "<=", Gt = ">", Ge = ">=", Shl = "<<", Shr = ">>",
        Plus = "+", Minus = "-", Star = "*", Slash = "/", Percent = "%", Tilde = "~",
        Bang = "!", BangBang = "!!", Query = "?", QueryQuery = "??",
        Equiv = "<->", Conj = "/\\", Disj = "\\/",
    }
}

impl Kind {
    /// How the word is written, for messages.
    pub fn describe(&self) -> String {
        match self {
            Kind::Name(name) => format!("`{name}`"),
            Kind::Keyword(word) => format!("`{}`", word.text()),
            Kind::Number(value) => format!("`{value}`"),
            Kind::Text(_) => "a string".to_string(),
            Kind::Code(_) => "C code".to_string(),
            Kind::Punct(punct) => format!("`{}`", punct.text()),
            Kind::End => "the end of the file".to_string(),
        }
    }
}
