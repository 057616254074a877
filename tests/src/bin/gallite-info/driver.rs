//! Gallite's driver: what it can do, the code paths it chose, and the workarounds in force.

use gallite_tests::harness::caps;

/// Kinds of lines that are printed as words, with their titles.
const WORDS: [(&str, &str); 4] = [
    ("feature", "features"),
    ("shader-feature", "shader features"),
    ("primitive", "primitives drawn natively"),
    ("path", "code paths"),
];

pub fn print() {
    let Some(text) = caps() else { return };
    let of = |kind: &str| -> Vec<&str> {
        text.lines().filter_map(|line| line.strip_prefix(kind)?.strip_prefix(' ')).collect()
    };
    println!("\nDriver");
    println!("  driver         {}", of("driver").concat());
    println!("  device         {}", of("device").concat());
    println!("  device's API   {}", of("api").concat());
    for (kind, title) in WORDS {
        crate::print_words(title, &of(kind).join(" "));
    }
    println!("  limits");
    for line in of("limit") {
        let (name, value) = line.split_once(' ').unwrap_or((line, ""));
        println!("    {name:44} {value}");
    }
    let workarounds = of("workaround");
    println!("  workarounds ({})", workarounds.len());
    for workaround in &workarounds {
        println!("    {workaround}");
    }
    if workarounds.is_empty() {
        println!("    none");
    }
}
