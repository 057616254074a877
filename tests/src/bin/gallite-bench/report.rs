//! Medians, ratios, tables, and the sections of docs/performance.md.

use std::fmt::Write as _;
use std::path::PathBuf;

/// Middle of the values; 0 for none.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[n / 2],
        n => f64::midpoint(values[n / 2 - 1], values[n / 2]),
    }
}

/// Geometric mean; 0 for none.
pub fn geometric_mean(values: &[f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    (values.iter().map(|x| x.ln()).sum::<f64>() / values.len() as f64).exp()
}

/// A table whose first column is text and whose others are right-aligned.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new<S: Into<String>>(head: impl IntoIterator<Item = S>) -> Self {
        Self { rows: vec![head.into_iter().map(Into::into).collect()] }
    }

    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The table in Markdown, padded so that it also reads well in a terminal.
    pub fn markdown(&self) -> String {
        let columns = self.rows[0].len();
        let width = |column: usize| self.rows.iter().map(|row| row[column].len()).max().unwrap_or(0).max(3);
        let mut text = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            for (column, cell) in row.iter().enumerate() {
                let width = width(column);
                let _ = if column == 0 { write!(text, "| {cell:<width$} ") } else { write!(text, "| {cell:>width$} ") };
            }
            text.push_str("|\n");
            if index == 0 {
                for column in 0..columns {
                    let dashes = "-".repeat(width(column));
                    let _ = if column == 0 { write!(text, "| {dashes} ") } else { write!(text, "| {dashes}:") };
                }
                text.push_str("|\n");
            }
        }
        text
    }
}

/// A sentence that names what of `ratios` is below 1, worst first.
pub fn behind<S: AsRef<str>>(peer: &str, ratios: &[(S, f64)]) -> String {
    // What the table shows as 1.00 is not behind.
    let mut worse: Vec<_> = ratios.iter().filter(|(_, ratio)| *ratio < 0.995).collect();
    worse.sort_by(|a, b| a.1.total_cmp(&b.1));
    if worse.is_empty() {
        return format!("Nothing is behind {peer}.");
    }
    let worse: Vec<String> = worse.iter().map(|(name, ratio)| format!("{} ({ratio:.2})", name.as_ref())).collect();
    format!("Behind {peer}: {}.", worse.join(", "))
}

/// Prints `body` and, when asked, puts it into the section `name` of docs/performance.md.
pub fn publish(name: &str, body: &str, update: bool) -> Result<(), String> {
    println!("{body}");
    if !update {
        return Ok(());
    }
    let path = PathBuf::from("docs/performance.md");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{} (start from the root): {e}", path.display()))?;
    let text = replace_section(&text, name, body).ok_or_else(|| format!("no section {name} in {}", path.display()))?;
    std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
}

fn replace_section(text: &str, name: &str, body: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- bench:{name} -->\n"), format!("<!-- /bench:{name} -->"));
    let start = text.find(&begin)? + begin.len();
    let stop = start + text[start..].find(&end)?;
    Some(format!("{}{}\n{}", &text[..start], body.trim_end(), &text[stop..]))
}

/// One line that names the machine, the system and the time of a measurement.
pub fn machine() -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let cpuinfo = read("/proc/cpuinfo");
    let model = cpuinfo
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, model)| model.to_owned()))
        .unwrap_or_else(|| "unknown CPU".to_owned());
    let cores = cpuinfo.matches("processor\t").count();
    let load = read("/proc/loadavg");
    let load = load.split(' ').next().unwrap_or("?");
    let system = read("/etc/os-release");
    let system =
        system.lines().find_map(|l| l.strip_prefix("PRETTY_NAME=")).unwrap_or("unknown system").trim_matches('"');
    format!("{cores} x {model}; {system}; load at the end {load}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_means() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0]), 2.5);
        assert!((geometric_mean(&[0.5, 2.0]) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_behind_is_named() {
        assert_eq!(
            behind("zink", &[("a", 1.5), ("b", 0.9), ("c", 0.996), ("d", 0.5)]),
            "Behind zink: d (0.50), b (0.90)."
        );
        assert_eq!(behind("zink", &[("a", 1.5)]), "Nothing is behind zink.");
    }

    #[test]
    fn a_section_is_replaced_and_others_stay() {
        let text = "a\n<!-- bench:x -->\nold\n<!-- /bench:x -->\nb\n";
        assert_eq!(
            replace_section(text, "x", "new\n").as_deref(),
            Some("a\n<!-- bench:x -->\nnew\n<!-- /bench:x -->\nb\n")
        );
        assert_eq!(replace_section(text, "y", "new"), None);
    }
}
