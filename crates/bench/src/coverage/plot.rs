//! Coverage against memory as lines, memory on a logarithmic scale.
use super::method::Method;
use super::row::Row;
use crate::chart::text;

const LEFT: f64 = 60.0;
const TOP: f64 = 80.0;
const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 340.0;
const LEGEND: f64 = LEFT + WIDTH + 24.0;

/// The plot of all methods, of a model with so many states.
pub fn draw(rows: &[Row], states: u64) -> String {
    let scale = Scale::around(rows);
    let (width, height) = (LEGEND + 240.0, TOP + HEIGHT + 60.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    svg.push_str(&text(20.0, 24.0, "start", &format!("States found of {states}, against memory")));
    svg.push_str(&coverages());
    svg.push_str(&memories(&scale));
    svg.push_str(&bits(&scale, states));
    for (at, method) in Method::ALL.into_iter().enumerate() {
        svg.push_str(&curve(&scale, rows, method));
        svg.push_str(&legend(at, method));
    }
    svg + "</svg>\n"
}

/// Horizontal lines, and what they stand for.
fn coverages() -> String {
    let line = |share: u32| {
        let y = height(f64::from(share) / 100.0);
        let label = text(LEFT - 8.0, y + 4.0, "end", &format!("{share} %"));
        stroke((LEFT, y), (LEFT + WIDTH, y), "#ddd") + &label
    };
    (0..=100).step_by(20).map(line).collect()
}

/// Vertical lines at powers of two of bytes, and their names below.
fn memories(scale: &Scale) -> String {
    let line = |bytes: u64| {
        let x = scale.x(bytes as f64);
        let label = text(x, TOP + HEIGHT + 18.0, "middle", &size(bytes));
        stroke((x, TOP), (x, TOP + HEIGHT), "#ddd") + &label
    };
    let powers = (0..60).step_by(2).map(|power| 1u64 << power);
    let lines: String = powers.filter(|bytes| scale.has(*bytes as f64)).map(line).collect();
    lines + &text(LEFT + WIDTH / 2.0, TOP + HEIGHT + 42.0, "middle", "memory")
}

/// Short marks above at powers of ten of bits for each state.
fn bits(scale: &Scale, states: u64) -> String {
    let mark = |bits: u64| {
        let x = scale.x(states as f64 * bits as f64 / 8.0);
        stroke((x, TOP - 6.0), (x, TOP), "#333") + &text(x, TOP - 10.0, "middle", &bits.to_string())
    };
    let powers = [1, 10, 100, 1000, 10_000].into_iter();
    let marks: String = powers.filter(|bits| scale.has(states as f64 * *bits as f64 / 8.0)).map(mark).collect();
    marks + &text(LEFT + WIDTH / 2.0, TOP - 30.0, "middle", "bits per state")
}

/// The line of one method.
fn curve(scale: &Scale, rows: &[Row], method: Method) -> String {
    let own = rows.iter().filter(|row| row.method == method);
    let point = |row: &Row| format!("{:.1},{:.1}", scale.x(row.memory as f64), height(row.coverage()));
    let points = own.map(point).collect::<Vec<_>>().join(" ");
    format!("<polyline points=\"{points}\" fill=\"none\" {}/>\n", style(method))
}

/// The name of a method beside a piece of its line.
fn legend(at: usize, method: Method) -> String {
    let y = TOP + 12.0 + 22.0 * at as f64;
    let sample = format!("<line x1=\"{LEGEND}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" {}/>\n", LEGEND + 30.0, style(method));
    sample + &text(LEGEND + 38.0, y + 4.0, "start", &method.name())
}

fn style(method: Method) -> String {
    let (colour, dashes) = match method {
        Method::Exact => ("#333333", ""),
        Method::Tree => ("#8a5fb0", ""),
        Method::HashCompact => ("#3c78a8", ""),
        Method::Array(1) => ("#e0b040", ""),
        Method::Array(2) => ("#d1733c", ""),
        Method::Array(_) => ("#3f8f4f", ""),
        Method::Shared(_) => ("#3f8f4f", " stroke-dasharray=\"6 4\""),
    };
    format!("stroke=\"{colour}\" stroke-width=\"2\"{dashes}")
}

fn stroke(from: (f64, f64), to: (f64, f64), colour: &str) -> String {
    let ((x1, y1), (x2, y2)) = (from, to);
    format!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>\n")
}

/// Where a coverage is.
fn height(coverage: f64) -> f64 {
    TOP + HEIGHT * (1.0 - coverage)
}

/// Bytes in the largest unit that leaves a whole number.
fn size(bytes: u64) -> String {
    let units = ["B", "KB", "MB", "GB", "TB"];
    let unit = units.len().min(1 + bytes.trailing_zeros() as usize / 10) - 1;
    format!("{} {}", bytes >> (10 * unit), units[unit])
}

/// A logarithmic scale of memory.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// From the least to the most memory, or something if there is none.
    fn around(rows: &[Row]) -> Scale {
        let low = rows.iter().map(|row| row.memory).min().unwrap_or(1).max(1);
        let high = rows.iter().map(|row| row.memory).max().unwrap_or(2).max(low + 1);
        Scale { low: low as f64, high: high as f64 }
    }

    fn has(&self, bytes: f64) -> bool {
        (self.low..=self.high).contains(&bytes)
    }

    fn x(&self, bytes: f64) -> f64 {
        LEFT + WIDTH * (bytes / self.low).ln() / (self.high / self.low).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::tests::row;
    use super::*;
    use crate::chart::tests::well_formed;

    #[test]
    fn plots_are_well_formed() {
        let one = vec![row(Method::Exact, 4096, 1000)];
        let many = Method::ALL.into_iter().flat_map(|it| [10, 20, 30].map(|power| row(it, 1 << power, power * 30)));
        for rows in [Vec::new(), one, many.collect()] {
            let svg = draw(&rows, 1000);
            assert!(well_formed(&svg), "{svg}");
            assert_eq!(svg.matches("<polyline").count(), Method::ALL.len());
        }
    }

    #[test]
    fn memory_is_logarithmic_and_coverage_is_not() {
        let scale = Scale { low: 1024.0, high: 1_048_576.0 };
        assert!((scale.x(32_768.0) - (LEFT + WIDTH / 2.0)).abs() < 1e-9);
        assert_eq!((height(1.0), height(0.5)), (TOP, TOP + HEIGHT / 2.0));
    }

    #[test]
    fn sizes_read_well() {
        assert_eq!([512, 1 << 14, 1 << 20].map(size), ["512 B", "16 KB", "1 MB"]);
    }
}
