//! Sizes, times and definitions as people type them.
use std::time::Duration;

/// `4G`, `512M`, `1.5GB`, `100k`, `1000000`: bytes, in powers of 1024.
pub fn memory(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let shift = match unit.to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err("expected a size like 512M or 4G".into()),
    };
    let bytes = positive(number).ok_or("expected a size like 512M or 4G")? * (1u64 << shift) as f64;
    if bytes < 1.0 || bytes >= u64::MAX as f64 { Err("this is not a possible size".into()) } else { Ok(bytes as u64) }
}

/// `60s`, `5m`, `2h`, `500ms`, `90`: seconds if nothing else is said.
pub fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let factor = match unit.to_ascii_lowercase().as_str() {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return Err("expected a time like 60s or 5m".into()),
    };
    let seconds = positive(number).ok_or("expected a time like 60s or 5m")? * factor;
    Duration::try_from_secs_f64(seconds).map_err(|_| "this is not a possible time".into())
}

/// `NAME=VALUE`, or `NAME`, which means `NAME=1` as it does to C compilers.
pub fn definition(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let starts = name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
    if starts && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_') {
        Ok((name.into(), value.into()))
    } else {
        Err("expected NAME or NAME=VALUE".into())
    }
}

/// The number at the front, and what follows it.
fn split(text: &str) -> (&str, &str) {
    let end = text.find(|it: char| !it.is_ascii_digit() && it != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    (number, unit.trim())
}

fn positive(number: &str) -> Option<f64> {
    number.parse().ok().filter(|&it| it > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_binary_units() {
        assert_eq!(memory("4G"), Ok(4 << 30));
        assert_eq!(memory("1.5 KiB"), Ok(1536));
        assert_eq!(memory("512mb"), Ok(512 << 20));
        assert_eq!(memory("1000"), Ok(1000));
        for wrong in ["", "G", "4X", "-1G", "0", "1e3", "99999999T", "4G4", "."] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_are_in_seconds_unless_said_otherwise() {
        assert_eq!(time("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(time("90"), Ok(Duration::from_secs(90)));
        assert_eq!(time("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        for wrong in ["", "s", "0s", "-1s", "5 weeks", "99999999999999999999h"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_definition_without_a_value_is_one() {
        assert_eq!(definition("N"), Ok(("N".into(), "1".into())));
        assert_eq!(definition("N=a=b"), Ok(("N".into(), "a=b".into())));
        assert_eq!(definition("N="), Ok(("N".into(), String::new())));
        assert!(definition("1N").is_err() && definition("=3").is_err() && definition("").is_err());
    }
}
