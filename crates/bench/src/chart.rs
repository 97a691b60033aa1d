//! Ratios of search times as horizontal bars on a logarithmic scale: to the right of 1 prom is quicker.
use crate::row::Row;
use crate::statistics::geometric_mean;

const LEFT: f64 = 260.0;
const WIDTH: f64 = 560.0;
const TOP: f64 = 62.0;
const LINE: f64 = 20.0;

/// A bar: what it is about, and how long it is.
pub type Bar = (String, f64);

/// The bars of all rows that can be compared, best first.
pub fn bars(rows: &[Row]) -> Vec<Bar> {
    let several = rows.iter().any(|row| row.configuration != rows[0].configuration);
    let label = |row: &Row| if several { format!("{} {}", row.model.name, short(row)) } else { row.model.name.clone() };
    let good = rows.iter().filter(|row| row.disagreement().is_none());
    let mut bars: Vec<Bar> = good.filter_map(|row| Some((label(row), row.ratio(|it| it.search)?))).collect();
    bars.sort_by(|one, other| other.1.total_cmp(&one.1));
    bars
}

/// A configuration without the names of its options.
fn short(row: &Row) -> String {
    row.configuration.split(' ').skip(1).step_by(2).collect::<Vec<_>>().join("/")
}

/// The chart.
pub fn draw(bars: &[Bar]) -> String {
    let scale = Scale::around(bars);
    let bottom = TOP + LINE * bars.len() as f64;
    let (width, height) = (LEFT + WIDTH + 80.0, bottom + 30.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    svg.push_str(&text(20.0, 24.0, "start", "Search time: pan / prom. To the right of 1, prom is quicker."));
    scale.ticks().for_each(|value| svg.push_str(&tick(&scale, value, bottom)));
    bars.iter().enumerate().for_each(|(at, bar)| svg.push_str(&draw_bar(&scale, at, bar)));
    if let Some(mean) = geometric_mean(&bars.iter().map(|bar| bar.1).collect::<Vec<_>>()) {
        svg.push_str(&mean_line(&scale, mean, bottom));
    }
    svg + "</svg>\n"
}

/// A line at a value, with the value above it.
fn tick(scale: &Scale, value: f64, bottom: f64) -> String {
    let (x, colour) = (scale.x(value), if value == 1.0 { "black" } else { "#ddd" });
    vertical(x, bottom, &format!("stroke=\"{colour}\"")) + &text(x, TOP - 8.0, "middle", &format!("{value}"))
}

fn mean_line(scale: &Scale, mean: f64, bottom: f64) -> String {
    let x = scale.x(mean);
    let label = text(x, bottom + 18.0, "middle", &format!("geometric mean {mean:.2}"));
    vertical(x, bottom + 4.0, "stroke=\"#333\" stroke-dasharray=\"4 3\"") + &label
}

fn vertical(x: f64, bottom: f64, style: &str) -> String {
    format!("<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\" {style}/>\n")
}

/// One bar from 1 to its value, its name on the left and the value on the right.
fn draw_bar(scale: &Scale, at: usize, (label, value): &Bar) -> String {
    let y = TOP + LINE * at as f64;
    let (one, end) = (scale.x(1.0), scale.x(*value));
    let (x, length) = (one.min(end), (one - end).abs().max(1.0));
    let colour = if *value < 1.0 { "#d1733c" } else { "#3c78a8" };
    let bar = format!(
        "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{length:.1}\" height=\"{}\" fill=\"{colour}\"/>\n",
        y + 3.0,
        LINE - 6.0
    );
    bar + &text(LEFT - 10.0, y + 14.0, "end", label)
        + &text(LEFT + WIDTH + 12.0, y + 14.0, "start", &format!("{value:.2}"))
}

/// Text at a place.
pub fn text(x: f64, y: f64, anchor: &str, content: &str) -> String {
    let content = content.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{content}</text>\n")
}

/// A logarithmic scale.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// The smallest scale between ticks that has room for all bars and for 1.
    fn around(bars: &[Bar]) -> Scale {
        let values = || bars.iter().map(|bar| bar.1).filter(|value| value.is_finite() && *value > 0.0);
        let (low, high) = (values().fold(0.5, f64::min), values().fold(2.0, f64::max));
        let below = steps().filter(|step| *step <= low).fold(f64::NAN, f64::max);
        let above = steps().filter(|step| *step >= high).fold(f64::NAN, f64::min);
        Scale { low: if below.is_nan() { low } else { below }, high: if above.is_nan() { high } else { above } }
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        steps().filter(|step| (self.low..=self.high).contains(step))
    }

    fn x(&self, value: f64) -> f64 {
        let share = (value / self.low).ln() / (self.high / self.low).ln();
        LEFT + WIDTH * share.clamp(0.0, 1.0)
    }
}

/// 0.001, 0.002, 0.005, 0.01 … 5000: values that read well.
fn steps() -> impl Iterator<Item = f64> {
    const SMALL: [f64; 3] = [1000.0, 100.0, 10.0];
    const LARGE: [f64; 4] = [1.0, 10.0, 100.0, 1000.0];
    let digits = [1.0, 2.0, 5.0];
    let small = SMALL.into_iter().flat_map(move |part| digits.into_iter().map(move |digit| digit / part));
    small.chain(LARGE.into_iter().flat_map(move |factor| digits.into_iter().map(move |digit| digit * factor)))
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::row::tests::row;

    /// Are all elements closed in order, and all attributes quoted?
    pub fn well_formed(svg: &str) -> bool {
        let mut open: Vec<&str> = Vec::new();
        for part in svg.split('<').skip(1) {
            let Some((tag, _)) = part.split_once('>') else { return false };
            if tag.matches('"').count() % 2 != 0 {
                return false;
            }
            match tag.strip_prefix('/') {
                Some(name) if open.pop() != Some(name) => return false,
                Some(_) => {}
                None if tag.ends_with('/') => {}
                None => open.push(tag.split(' ').next().unwrap_or(tag)),
            }
        }
        open.is_empty() && !svg.contains("NaN") && !svg.contains("inf")
    }

    #[test]
    fn charts_are_well_formed() {
        let many: Vec<Bar> = [0.004, 0.3, 1.0, 7.0, 20_000.0].iter().map(|v| (format!("a<b&{v}"), *v)).collect();
        for bars in [Vec::new(), many] {
            let svg = draw(&bars);
            assert!(well_formed(&svg), "{svg}");
        }
        assert!(!well_formed("<svg><g></svg>") && !well_formed("<svg a=\"></svg>"));
    }

    #[test]
    fn the_scale_is_logarithmic_and_ends_at_ticks() {
        let scale = Scale::around(&[("a".into(), 0.15), ("b".into(), 7.0)]);
        assert_eq!((scale.low, scale.high), (0.1, 10.0));
        assert!((scale.x(1.0) - (LEFT + WIDTH / 2.0)).abs() < 1e-9);
        assert_eq!(scale.ticks().count(), 7);
    }

    #[test]
    fn bars_are_sorted_and_wrong_rows_left_out() {
        let mut wrong = row(&[(1.0, 50.0)]);
        wrong.pairs[0].prom.as_mut().unwrap().states = 3;
        let bars = bars(&[row(&[(2.0, 1.0)]), wrong, row(&[(1.0, 4.0)])]);
        assert_eq!(bars.iter().map(|bar| bar.1).collect::<Vec<_>>(), [4.0, 0.5]);
    }
}
