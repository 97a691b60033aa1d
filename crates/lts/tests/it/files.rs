//! The format of Aldebaran: what is read and written, and what is said about mistakes.
use lts::{Silent, read, write};

use crate::chance::Chance;

fn again(text: &str, silent: Silent) -> String {
    let system = read(&mut text.as_bytes()).expect("a text").expect("a system");
    let mut out = Vec::new();
    write(&system, silent, &mut out).expect("room");
    String::from_utf8(out).expect("text")
}

#[track_caller]
fn wrong(text: &str, expected: &str) {
    let mistake = read(&mut text.as_bytes()).expect("a text").expect_err("a mistake");
    assert_eq!(format!("{}:{}: {}", mistake.line, mistake.column, mistake.message), expected);
}

#[test]
fn labels_may_have_quotes_commas_and_blanks() {
    let text = " des ( 1 , 5 , 3 )\r\n\r\n(0, \"CMD !LOCK, \"now\"\", 1)\n( 1 ,i, 0 )\n(0,\"tau\",2)\n(2,PUT !1,0)\n(2, f(a, b), 0)";
    let expected = "des (1,5,3)\n(0,\"CMD !LOCK, 'now'\",1)\n(0,i,2)\n(1,i,0)\n(2,\"PUT !1\",0)\n(2,\"f(a, b)\",0)\n";
    assert_eq!(again(text, Silent::I), expected);
    assert_eq!(again(text, Silent::Tau), expected.replace(",i,", ",\"tau\","));
}

#[test]
fn labels_that_differ_are_written_differently() {
    let text = "des (0,3,1)\n(0,\"a'\",0)\n(0,\"a\"\",0)\n(0,\"a\u{e9}\",0)\n";
    assert_eq!(again(text, Silent::I), "des (0,3,1)\n(0,\"a'\",0)\n(0,\"a' #2\",0)\n(0,\"a?\",0)\n");
}

#[test]
fn what_is_written_is_read_again() {
    for seed in 1..200 {
        let system = Chance::new(seed).small();
        let mut out = Vec::new();
        write(&system, Silent::I, &mut out).expect("room");
        let mut twice = Vec::new();
        write(&read(&mut &out[..]).expect("a text").expect("a system"), Silent::I, &mut twice).expect("room");
        assert_eq!(out, twice, "seed {seed}");
    }
}

#[test]
fn mistakes_are_told_with_line_and_column() {
    wrong("", "1:1: the file is empty");
    wrong("dse (0,0,1)", "1:1: expected `des`, found `d`");
    wrong("des (0,0,0)", "1:10: a system without states");
    wrong("des (3,0,2)", "1:6: there is no state 3: the first line announces states 0 to 1");
    wrong("des (0,0", "1:9: expected `,`, found the end of the line");
    wrong("des (0,99999999999,2)", "1:8: numbers up to 4294967294 are understood");
    wrong("des (0,1,2)\n", "1:1: the file ends after 0 of the 1 transitions that its first line announces");
    wrong("des (0,0,2)\n(0,a,1)", "2:1: more than the 0 transitions that the first line announces");
    wrong("des (0,1,2)\n(0,a,2)", "2:6: there is no state 2: the first line announces states 0 to 1");
    wrong("des (0,1,2)\n\n(0,\"a,1)", "3:4: the label has no closing quote");
    wrong("des (0,1,2)\n(0,,1)", "2:4: the label is missing");
    wrong("des (0,1,2)\n(0)", "2:3: expected `,`, found `)`");
    wrong("des (0,1,2)\n(0,", "2:4: the label and the target are missing");
    wrong("des (0,1,2)\n(0,a,1) x", "2:9: expected the end of the line, found `x`");
    wrong("des (0,1,2)\n(0,a,1 1/2 0)", "2:8: expected `)`, found `1`");
    wrong("des (0,1,2)\n(0,a\0,1)", "2:5: this is not text");
    wrong("des (0,0,4000000000)", "1:1: 4000000000 states with 0 transitions: hardly one can be reached");
}

#[test]
fn damaged_files_are_refused_or_read_but_never_a_panic() {
    let text = "des (0,3,3)\n(0,\"a b\",1)\n(1,i,2)\n(2,\"c\",0)\n";
    for seed in 1..3000 {
        let mut chance = Chance::new(seed);
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=chance.below(3) {
            let at = chance.below(bytes.len());
            match chance.below(3) {
                0 => bytes[at] = chance.below(256) as u8,
                1 => bytes.truncate(at + 1),
                _ => bytes.insert(at, b"(),\"\n09i\xff"[chance.below(9)]),
            }
        }
        let _ = read(&mut &bytes[..]).expect("memory can be read");
    }
}
