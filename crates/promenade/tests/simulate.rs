//! `prom simulate` and the formats of `prom replay`, from outside; the screen without a terminal, and in tmux where there is one.
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use model::semantics::Semantics;
use promenade::{Input, open};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use report::Terms;
use simulate::{Action, Dice, End, History, Key, Screen, Walk};

const TALK: &str = "mtype = { req, ack }; chan q = [2] of { mtype, byte }; chan r = [0] of { mtype }; byte x;
active proctype S() { byte i; do :: i < 3 -> q!req,i; i++; r?ack :: else -> break od; printf(\"done %d\\n\", x) }
active proctype R() { byte v; do :: q?req,v -> x = x + v; r!ack od }";

const FORKS: &str = "bool taken[2]; active [2] proctype P() { do :: atomic { !taken[_pid] -> taken[_pid] = 1 };
    atomic { !taken[1 - _pid] -> taken[1 - _pid] = 1 }; taken[_pid] = 0; taken[1 - _pid] = 0 od }";

fn file(name: &str, content: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("simulate");
    fs::create_dir_all(&folder).expect("a folder for scratch files");
    let path = folder.join(name);
    fs::write(&path, content).expect("a scratch file");
    path.to_str().expect("a plain path").to_string()
}

fn prom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_prom")).args(arguments).output().expect("prom runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

/// What a run writes, and its exit code.
fn said(arguments: &[&str], code: i32) -> String {
    let output = prom(arguments);
    assert_eq!(output.status.code(), Some(code), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout).to_string()
}

#[test]
fn a_seed_is_printed_and_gives_the_same_execution_again() {
    let path = file("seed.pml", FORKS);
    let first = said(&["simulate", &path, "-p", "--steps", "50", "--seed", "5"], 1);
    assert_eq!(first, said(&["simulate", &path, "-p", "--steps", "50", "--seed", "5"], 1));
    assert!(first.starts_with("seed 5\n") && first.contains("invalid end state: process P (0) is waiting"), "{first}");
    let drawn = text(&prom(&["simulate", &path, "-p"]).stdout).to_string();
    let seed = drawn.lines().next().and_then(|it| it.strip_prefix("seed ")).expect("a seed").to_string();
    assert_eq!(text(&prom(&["simulate", &path, "-p", "--seed", &seed]).stdout), drawn);
}

#[test]
fn what_is_printed_can_be_chosen() {
    let path = file("prints.pml", TALK);
    let plain = said(&["simulate", &path, "-n", "1"], 1);
    assert!(plain.contains("\n      done 3\n") && !plain.contains("q!req"), "{plain}");
    for (option, words, others) in [
        ("-p", "i < 3", "sends"),
        ("-g", "→ q = [req,0]", "S(0).i"),
        ("-l", "→ S(0).i = 1", "→ q ="),
        ("-s", "→ sends req,0 to q", "receives"),
        ("-r", "→ receives req,0 from q", "sends"),
        ("-c", "\n  1   .   q?req,0\n", "→"),
    ] {
        let shown = said(&["simulate", &path, "-n", "1", option], 1);
        assert!(shown.contains(words) && !shown.contains(others), "{option}: {shown}");
    }
    let late = said(&["simulate", &path, "-n", "1", "-p", "--quiet-until", "9", "--steps", "10", "-B"], 0);
    let numbers: Vec<&str> = late.lines().skip(1).filter_map(|it| it.split_whitespace().next()).collect();
    assert_eq!(numbers[..2], ["9", "10"], "{late}");
    assert!(late.contains("after step 10: stopped"), "{late}");
}

#[test]
fn messages_for_a_full_channel_wait_or_are_lost() {
    let path = file("loss.pml", "chan q = [1] of { byte }; active proctype S() { q!1; q!2; q!3 }");
    let waits = said(&["simulate", &path, "-s"], 1);
    assert!(waits.contains("after step 1: invalid end state"), "{waits}");
    let loses = said(&["simulate", &path, "-s", "-m"], 0);
    assert!(loses.contains("loses 3 for q, which is full") && loses.contains("q = [1]"), "{loses}");
}

#[test]
fn an_execution_ends_with_what_is_wrong() {
    for (name, model, words) in [
        ("assert.pml", "byte x; active proctype P() { x = 1; assert(x == 2) }", "assertion violated: x == 2"),
        ("index.pml", "byte a[2], i; active proctype P() { i = 2; a[i] = 1 }", "array index 2 is outside `a`"),
    ] {
        let shown = said(&["simulate", &file(name, model)], 1);
        assert!(shown.contains(&format!("after step 2: {words}")), "{shown}");
    }
    let fine = said(&["simulate", &file("fine.pml", "active proctype P() { skip }")], 0);
    assert!(fine.contains("every process has ended"), "{fine}");
}

#[test]
fn a_conversation_goes_back_and_forth() {
    let path = file("talk.pml", TALK);
    let mut child = Command::new(env!("CARGO_BIN_EXE_prom"))
        .args(["simulate", &path, "-i", "-n", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("prom runs");
    let typed = "1\n\nb\nf\nj 0\nf 2\nv x\n9\nnonsense\nr 100\nq\n";
    child.stdin.take().expect("a pipe").write_all(typed.as_bytes()).expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    let prompts: Vec<&str> = shown.lines().filter_map(|it| it.split_once("> ")).map(|it| it.0).collect();
    assert_eq!(prompts[..8], ["0", "1", "2", "1", "2", "0", "2", "2"], "{shown}");
    for words in ["there is no such step: there are 2", "`nonsense ` is not understood", "invalid end state"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

/// Calls `test` with a model's names and places.
fn with_terms(model: &str, test: impl FnOnce(Terms<'_>)) {
    let bytes = Input::Bytes { name: "m.pml".into(), bytes: model.as_bytes().to_vec() };
    let opened = open(&bytes, &front_promela::Options::default(), &[]);
    let model = opened.model.expect("a model");
    let system = Semantics::new(&model).listening();
    test(Terms { system: &system, sources: &opened.checked.sources });
}

#[test]
fn a_walk_takes_the_steps_of_the_reference_and_no_others() {
    with_terms(TALK, |terms| {
        for seed in 0..20 {
            let (mut walk, mut dice) = (Walk::new(terms.system).expect("a start"), Dice::new(seed));
            let mut steps = Vec::new();
            while let Some(row) = dice.choose(walk.choices()) {
                steps.push(walk.choices()[row].step);
                walk.take(row);
            }
            let certified = certify::Walk::along(terms.system, &steps).expect("a behaviour");
            assert_eq!(certified.here().identity(), walk.here().identity());
            assert_eq!(walk.end(), Some(End::Stuck(1)));
            assert!(!walk.take(0));
        }
    });
}

/// The screen as text.
fn drawn(screen: &Screen<'_>, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    terminal.draw(|frame| screen.draw(frame)).expect("a frame");
    terminal.backend().to_string()
}

#[test]
fn a_deadlock_is_found_on_the_screen_and_taken_back() {
    with_terms(FORKS, |terms| {
        let mut screen = Screen::new(History::new(terms).expect("a start"), Dice::new(1), "m.pml");
        assert!(drawn(&screen, 120, 40).contains("▶ 1 P(1):1 !taken[_pid]"), "{}", drawn(&screen, 120, 40));
        let keys = [Key::Enter, Key::Enter, Key::Down, Key::Enter, Key::Enter];
        assert!(keys.iter().all(|&it| screen.press(it) == Action::Continue));
        let shown = drawn(&screen, 120, 40);
        assert!(shown.contains("invalid end state: process P (0) is waiting"), "{shown}");
        assert!(shown.contains("after step 4 ") && shown.contains("* taken[0] = 1"), "{shown}");
        screen.press(Key::Left);
        assert!(drawn(&screen, 120, 40).contains("after step 3 of 4"));
        screen.press(Key::Right);
        assert_eq!(drawn(&screen, 120, 40), shown);
        for key in [Key::Char('g'), Key::Char('1'), Key::Enter] {
            screen.press(key);
        }
        assert!(drawn(&screen, 120, 40).contains("after step 1 of 4"));
        assert_eq!(screen.press(Key::Char('q')), Action::Quit);
    });
}

#[test]
fn the_screen_can_be_filtered_shows_messages_and_fits_any_size() {
    with_terms(TALK, |terms| {
        let mut screen = Screen::new(History::new(terms).expect("a start"), Dice::new(1), "m.pml");
        screen.press(Key::Char('R'));
        screen.press(Key::Char('m'));
        let shown = drawn(&screen, 120, 60);
        assert!(shown.contains("q!req,0 →") && shown.contains("→ q?req,0"), "{shown}");
        for key in [Key::Char('/'), Key::Char('R'), Key::Char('('), Key::Enter] {
            screen.press(key);
        }
        let shown = drawn(&screen, 120, 60);
        assert!(shown.contains("only: R(") && shown.contains("R(1).v = 2") && !shown.contains("S(0).i = "), "{shown}");
        screen.press(Key::Escape);
        assert!(drawn(&screen, 120, 60).contains("S(0).i = 3"));
        screen.press(Key::Char('?'));
        assert!(drawn(&screen, 120, 60).contains("jump to the state after that step"));
        for (width, height) in [(1, 1), (5, 3), (40, 10), (89, 24), (300, 100)] {
            drawn(&screen, width, height);
        }
    });
}

/// Runs where tmux is installed.
#[test]
fn the_screen_is_driven_through_tmux() {
    let tmux = |arguments: &[&str]| Command::new("tmux").args(["-L", "prom-simulate-test"]).args(arguments).output();
    if !Command::new("tmux").arg("-V").output().is_ok_and(|it| it.status.success()) {
        println!("skipped: there is no tmux");
        return;
    }
    let path = file("tmux.pml", FORKS);
    let command = format!("{} simulate {path} -i -n 1; echo ended with $?; sleep 20", env!("CARGO_BIN_EXE_prom"));
    drop(tmux(&["new-session", "-d", "-s", "t", "-x", "120", "-y", "40", &command]).expect("tmux runs"));
    let wait_for = |words: &str| {
        let mut seen = String::new();
        for _ in 0..100 {
            seen = tmux(&["capture-pane", "-p", "-t", "t"]).map_or(String::new(), |it| text(&it.stdout).to_string());
            if seen.contains(words) {
                return true;
            }
            sleep(Duration::from_millis(50));
        }
        println!("{words} is not here:\n{seen}");
        false
    };
    let press = |keys: &[&str]| drop(tmux(&[&["send-keys", "-t", "t"], keys].concat()));
    let mut fine = wait_for("after step 0");
    for (keys, words) in [
        (&["Enter", "Enter", "Down", "Enter", "Enter"][..], "invalid end state"),
        (&["Left", "Left"], "after step 2 of 4"),
        (&["Right", "Right"], "after step 4"),
        (&["q"], "ended with 1"),
    ] {
        press(keys);
        fine = fine && wait_for(words);
    }
    drop(tmux(&["kill-server"]));
    assert!(fine);
}

/// A counterexample in a file, and its model.
fn counterexample(name: &str, model: &str) -> (String, String) {
    let path = file(&format!("{name}.pml"), model);
    let trace = format!("{path}.trace");
    said(&["check", &path, "--trace", &trace], 1);
    (path, trace)
}

#[test]
fn a_trace_guides_a_simulation() {
    let (path, trace) = counterexample("guided", FORKS);
    for trace in [trace.clone(), format!("{trace}.trail")] {
        let shown = said(&["simulate", &path, "--trail", &trace, "-p"], 1);
        assert!(shown.contains("after step 4: invalid end state") && !shown.contains("seed"), "{shown}");
    }
    let other = file("other.pml", TALK);
    let output = prom(&["simulate", &other, "--trail", &trace]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("step 1 in"), "{}", text(&output.stderr));
}

#[test]
fn a_replay_has_every_format() {
    let (path, trace) = counterexample("formats", TALK);
    let shown = |format: &str| said(&["replay", &path, &trace, "--format", format], 0);
    assert!(shown("text").contains("invalid end state"));
    let json: serde_json::Value = serde_json::from_str(&shown("json")).expect("one object");
    assert_eq!(json["steps"].as_array().map(Vec::len), json["length"].as_u64().map(|it| it as usize));
    assert!(shown("columns").contains("\n  1   .   q?req,0\n"), "{}", shown("columns"));
    let (svg, html) = (shown("svg"), shown("html"));
    assert_eq!(svg.matches("marker-end").count(), 6, "six messages: {svg}");
    // On the page, the chart has the ground of the page.
    let chart = svg.replace("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n", "");
    assert!(
        chart != svg && html.contains(&*chart) && html.contains("<dt>x</dt>") && html.contains("x = x + v"),
        "{html}"
    );
    assert!(
        !html.contains("http://")
            || html.matches("http://").count() == html.matches("http://www.w3.org/2000/svg").count()
    );
    assert!(!html.contains("<script") && !html.contains("https://"), "nothing is loaded");
}

#[test]
fn every_text_of_a_chart_is_inside_of_it() {
    let (path, trace) = counterexample("inside", TALK);
    let svg = said(&["replay", &path, &trace, "--format", "svg"], 0);
    let number = |text: &str, name: &str| -> f64 {
        let rest = text.split(&format!(" {name}=\"")).nth(1).and_then(|it| it.split('"').next());
        rest.and_then(|it| it.parse().ok()).expect("a number")
    };
    let root = svg.lines().next().expect("a root");
    let (width, height) = (number(root, "width"), number(root, "height"));
    let texts: Vec<&str> = svg.lines().filter(|it| it.starts_with("<text")).collect();
    assert!(texts.len() > 20);
    for it in texts {
        let words = it.rsplit("</title>").next().unwrap_or(it).trim_end_matches("</text>");
        // A character of this size is at most 7 pixels wide.
        let half = words.chars().count() as f64 * 3.5;
        let (x, y) = (number(it, "x"), number(it, "y"));
        if it.contains("middle") {
            assert!(x - half >= 0.0 && x + half <= width, "{it}");
        }
        assert!(y >= 8.0 && y <= height, "{it}");
    }
}

/// Runs where Chromium is installed: at neither width does the page have to be scrolled sideways, and no section is cut.
#[test]
fn nothing_of_a_page_is_cut_in_a_browser() {
    if !Command::new("chromium").arg("--version").output().is_ok_and(|it| it.status.success()) {
        println!("skipped: there is no chromium");
        return;
    }
    let (path, trace) = counterexample("browser", TALK);
    let html = said(&["replay", &path, &trace, "--format", "html"], 0);
    // A browser without a head does not go below 500 pixels; a frame does.
    for width in [1280, 400] {
        let measure = "<script>addEventListener('load',()=>{const w=document.documentElement,cut=[...document.querySelectorAll('section,header')]\
            .filter(e=>e.scrollWidth>e.clientWidth+1).length;parent.postMessage(w.scrollWidth+' '+w.clientWidth+' '+cut,'*')})</script>";
        let inner = html.replace("</body>", &format!("{measure}</body>"));
        let inner = inner.replace('&', "&amp;").replace('"', "&quot;");
        let outer = format!(
            "<body><iframe style=\"width:{width}px;height:800px;border:0\" srcdoc=\"{inner}\"></iframe>\
             <script>addEventListener('message',e=>{{document.body.innerHTML='<p>measured '+e.data+' end</p>'}})</script></body>"
        );
        let page = file(&format!("browser-{width}.html"), &outer);
        let output = Command::new("chromium")
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--virtual-time-budget=4000",
                "--window-size=1400,900",
                "--dump-dom",
            ])
            .arg(format!("file://{page}"))
            .output()
            .expect("chromium runs");
        let dom = text(&output.stdout);
        let measured =
            dom.split("measured ").nth(1).and_then(|it| it.split(" end").next()).unwrap_or_else(|| panic!("{dom}"));
        let numbers: Vec<u32> = measured.split(' ').map(|it| it.parse().expect("a number")).collect();
        assert!(numbers[0] <= numbers[1] && numbers[1] <= width && numbers[2] == 0, "{width}: {measured}");
    }
}

/// Colours are for terminals; a pipe is none, and `NO_COLOR` is heard on a terminal, for which `script` stands.
#[test]
fn colours_are_for_terminals_and_can_be_refused() {
    let path = file("colour.pml", "active proctype P() { assert(false) }");
    assert!(!said(&["check", &path], 1).contains('\x1b'));
    if !Command::new("script").arg("--version").output().is_ok_and(|it| it.status.success()) {
        println!("skipped: there is no script");
        return;
    }
    let command = format!("{} check {path}", env!("CARGO_BIN_EXE_prom"));
    let on_terminal = |no_colour: &str| {
        let mut script = Command::new("script");
        script
            .args(["-qec", &command, "/dev/null"])
            .env("TERM", "xterm")
            .env("NO_COLOR", no_colour)
            .stdin(Stdio::null());
        String::from_utf8_lossy(&script.output().expect("script runs").stdout).into_owned()
    };
    assert!(on_terminal("").contains("\x1b[1;31mVIOLATED"), "{}", on_terminal(""));
    assert!(on_terminal("1").contains("VIOLATED") && !on_terminal("1").contains('\x1b'), "{}", on_terminal("1"));
}
