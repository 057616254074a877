//! Which lessons and cases have a test in this suite, and why the others don't.

use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    noop bare(): every_lesson_and_case_is_tested_or_explained;
}

/// Lessons without a test of their own here.
const OTHER_LESSONS: &[(usize, &str)] = &[
    (15, "one record path: measured by the bench"),
    (19, "no creation call of the interface has a reply: its catalogue says so, and the stream driver's tests"),
    (
        26,
        "the validation layer looks at every module that the Vulkan lanes hand over, so every test of this suite is one",
    ),
    (28, "about how changes are read, not about code"),
];

/// Cases without a test here.
const OTHER_CASES: &[(usize, &str)] = &[
    (17, "edge flags are taken and not drawn by: polygon modes show the edges inside a polygon too"),
    (31, "display lists are not implemented: docs/missing.md"),
];

fn every_lesson_and_case_is_tested_or_explained(_: &Env) {
    let has = |prefix: &str, number: usize| {
        let name = format!("::{prefix}_{number:02}_");
        crate::ALL.iter().flat_map(|list| list.iter()).any(|test| test.name.contains(&name))
    };
    let mut missing = Vec::new();
    for (prefix, last, others) in [("lesson", 29, OTHER_LESSONS), ("case", 35, OTHER_CASES)] {
        for number in 1..=last {
            let reason = others.iter().find(|(other, _)| *other == number);
            match (has(prefix, number), reason) {
                (false, None) => missing.push(format!("{prefix} {number} has neither test nor reason")),
                (true, Some((_, reason))) => {
                    missing.push(format!("{prefix} {number} has a test, and a reason: {reason}"))
                }
                _ => {}
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
