//! An execution as one page for a browser: chart, story, how values change, and the text of the model side by side. Nothing is loaded from
//! anywhere, and no script is needed; on a narrow screen the parts stand one below the other.
use std::fmt::Write;

use super::chart::{chart, escape};
use crate::{Half, Scene, Story, What};

const STYLE: &str = "\
*{box-sizing:border-box}body{margin:0;font:14px/1.45 system-ui,sans-serif;color:#222;background:#f6f6f4}\
header{padding:12px 16px;background:#20303c;color:#fff;overflow-wrap:anywhere}h1{font-size:17px;margin:0}\
main{display:grid;gap:12px;padding:12px;grid-template-columns:minmax(0,1fr)}\
@media(min-width:1000px){main{grid-template-columns:minmax(0,5fr) minmax(0,4fr)}}\
section{background:#fff;border:1px solid #ddd;border-radius:6px;padding:10px;min-width:0}h2{font-size:14px;margin:0 0 8px;overflow-wrap:anywhere}\
.chart{grid-column:1/-1}.wide{overflow-x:auto;background:linear-gradient(90deg,#fff 30%,transparent) 0 0/40px 100% no-repeat local,\
linear-gradient(270deg,#fff 30%,transparent) 100% 0/40px 100% no-repeat local,linear-gradient(90deg,#0004,transparent) 0 0/14px 100% no-repeat,\
linear-gradient(270deg,#0004,transparent) 100% 0/14px 100% no-repeat}\
ol{margin:0;padding-left:34px}li{overflow-wrap:anywhere;margin-bottom:3px}\
.who{font-weight:600}.at{color:#777}.to{color:#06603a}.said{color:#555;font-style:italic}.last{color:#b00020}\
.cycle{background:#fff4d6}code{font-family:ui-monospace,monospace;font-size:12.5px}\
dl{margin:0}dt{font-family:ui-monospace,monospace;font-weight:600;overflow-wrap:anywhere}dd{margin:0 0 6px 14px;overflow-wrap:anywhere}\
dd span{display:inline-block;padding:0 5px;margin:1px 2px;border:1px solid #ccc;border-radius:4px;max-width:100%;overflow-wrap:anywhere}\
dd small{color:#888}table{border-collapse:collapse;width:100%}td{vertical-align:top;padding:0 6px 0 0;font-family:ui-monospace,monospace;\
font-size:12.5px;white-space:pre-wrap;overflow-wrap:anywhere}td:first-child{color:#999;text-align:right;width:1%;white-space:nowrap;overflow-wrap:normal}\
tr.used{background:#eef6ff}td.by{color:#06603a;width:18%;font-size:11px}";

/// The page.
pub fn page_html(story: &Story) -> String {
    let says = escape(&story.says);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{says}</title>\
         <style>{STYLE}</style></head>\n<body><header><h1>{says}</h1></header>\n<main>\n"
    );
    let _ = writeln!(
        page,
        "<section class=\"chart\"><h2>Chart</h2><div class=\"wide\">{}</div></section>",
        chart(story, "")
    );
    page += &steps(story);
    page += &values(story);
    story.sources.iter().for_each(|(name, text)| page += &source(story, name, text));
    page + "</main></body></html>\n"
}

fn steps(story: &Story) -> String {
    let mut html = "<section><h2>Steps</h2><ol>\n".to_string();
    let count = story.scenes.len();
    let halves = story.scenes.iter().flat_map(|it| std::iter::once(&it.shown.mover).chain(&it.shown.partner));
    let files: std::collections::BTreeSet<&str> = halves.map(|it| &*it.place.file).collect();
    let several = files.len() > 1;
    for scene in &story.scenes {
        let number = scene.shown.number;
        if story.cycle_start == Some(number) {
            html += "</ol><p class=\"cycle\">↻ From here on, these steps are repeated for ever:</p><ol>\n";
        }
        let class = if number == count && story.cycle_start.is_none() { " class=\"last\"" } else { "" };
        let _ = writeln!(html, "<li{class} value=\"{number}\">{}</li>", step(scene, several));
    }
    html += "</ol>";
    if story.cycle_start == Some(count + 1) {
        html += "<p class=\"cycle\">↻ From here on, nothing moves any more.</p>";
    }
    let _ = writeln!(html, "<p class=\"last\">{}</p></section>", escape(&story.says));
    html
}

/// A step; its file is named if there are several.
fn step(scene: &Scene, several: bool) -> String {
    let half = |it: &Half| {
        let place = if several { it.place.short() } else { format!("line {}", it.place.line) };
        let (who, at, what) = (escape(&it.process), escape(&place), escape(&it.statement));
        format!("<span class=\"who\">{who}</span> <span class=\"at\">{at}</span> <code>{what}</code>")
    };
    let mut html = half(&scene.shown.mover);
    scene.shown.partner.iter().for_each(|it| html += &format!(" with {}", half(it)));
    if !scene.shown.changes.is_empty() {
        let _ = write!(html, " <span class=\"to\">→ {}</span>", escape(&scene.shown.changes.join(", ")));
    }
    for it in &scene.happenings {
        if let What::Text(text) = &it.what {
            let _ = write!(html, " <span class=\"said\">“{}”</span>", escape(text.trim_end()));
        }
    }
    html
}

fn values(story: &Story) -> String {
    let mut html = "<section><h2>Variables and channels</h2><dl>\n".to_string();
    for track in &story.tracks {
        let value = |(after, value): &(usize, String)| format!("<span>{} <small>{after}</small></span>", escape(value));
        let values: String = track.values.iter().map(value).collect();
        let _ = writeln!(html, "<dt>{}</dt><dd>{values}</dd>", escape(&track.name));
    }
    html + "</dl><p class=\"at\">Small numbers: after which step.</p></section>\n"
}

fn source(story: &Story, name: &str, text: &str) -> String {
    let mut html = format!("<section><h2>{}</h2><table>\n", escape(name));
    for (row, line) in text.lines().enumerate() {
        let halves = |it: &Scene| [Some(it.shown.mover.clone()), it.shown.partner.clone()];
        let is_here = |it: &Half| it.place.file == name && it.place.line as usize == row + 1;
        let here = story.scenes.iter().filter(|it| halves(it).iter().flatten().any(is_here));
        let numbers: Vec<String> = here.map(|it| it.shown.number.to_string()).collect();
        let class = if numbers.is_empty() { "" } else { " class=\"used\"" };
        let _ = writeln!(
            html,
            "<tr{class}><td>{}</td><td>{}</td><td class=\"by\">{}</td></tr>",
            row + 1,
            escape(line),
            numbers.join(" ")
        );
    }
    html + "</table></section>\n"
}
