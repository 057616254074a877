//! Scripts of shader_runner's share a process, as piglit runs them where isolation is not asked for: most of such a
//! test's time is the start of the process and of the window system.

use super::exec::Status;
use super::profile::{Context, Kind, Test};
use std::ops::Range;

/// Cuts the tests into runs of neighbours that may share a process, of at most `size` tests each.
pub fn plan(tests: &[&Test], size: usize) -> Vec<Range<usize>> {
    let mut batches: Vec<Range<usize>> = Vec::new();
    for (index, test) in tests.iter().enumerate() {
        match batches.last_mut() {
            Some(last) if last.len() < size && share(tests[last.start], test) => last.end += 1,
            _ => batches.push(index..index + 1),
        }
    }
    batches
}

/// Between two scripts shader_runner disables vertex attributes while no vertex array is bound, and takes the error that
/// the core profile has for that (GL 4.6 core 10.3.1) for the next script's: those scripts stay alone.
fn share(first: &Test, test: &Test) -> bool {
    let fits = |test: &Test| {
        let anywhere = test.only_on.is_empty() && test.not_on.is_empty();
        test.kind == Kind::Shader && test.context != Context::Core && test.command.len() == 2 && anywhere
    };
    fits(first) && fits(test) && first.command[0] == test.command[0]
}

/// What one process said of its tests.
pub struct Said<'a> {
    /// The tests that it finished, from the first on, and what each printed.
    pub finished: Vec<(Status, &'a str)>,
    /// What it printed behind the last of them: the words of the test that ended the process.
    pub rest: &'a str,
}

/// Reads the output of a process with several tests: each ends with its subtest's result.
pub fn read(output: &str) -> Said<'_> {
    let mut said = Said { finished: Vec::new(), rest: output };
    let mut end = 0;
    for line in output.split_inclusive('\n') {
        end += line.len();
        let Some(word) = line.strip_prefix("PIGLIT: {\"subtest\"").and_then(|rest| rest.rsplit_once(':')) else {
            continue;
        };
        let word = word.1.trim_matches(|c: char| !c.is_ascii_alphabetic());
        let start = output.len() - said.rest.len();
        said.finished.push((Status::parse(word).unwrap_or(Status::Fail), &output[start..end]));
        said.rest = &output[end..];
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(kind: Kind, program: &str) -> Test {
        Test {
            name: "a".into(),
            command: vec![program.into(), "x".into()],
            kind,
            context: Context::Compat,
            concurrent: true,
            only_on: vec![],
            not_on: vec![],
        }
    }

    #[test]
    fn only_scripts_of_one_program_share_a_process() {
        let (script, native, es) = (test(Kind::Shader, "r"), test(Kind::Native, "r"), test(Kind::Shader, "r_gles2"));
        let tests = [&script, &script, &script, &native, &native, &script, &es];
        assert_eq!(plan(&tests, 2), [0..2, 2..3, 3..4, 4..5, 5..6, 6..7]);
        assert_eq!(plan(&tests, 1).len(), 7);
        let core = Test { context: Context::Core, ..script.clone() };
        assert_eq!(plan(&[&core, &core, &script, &script], 4), [0..1, 1..2, 2..4]);
    }

    #[test]
    fn the_test_that_ends_a_process_is_the_one_behind_the_finished() {
        let output = "PIGLIT TEST: 1 - a\nPIGLIT: {\"subtest\": {\"a: b\" : \"pass\"}}\nPIGLIT TEST: 2 - c\nno\nPIGLIT: {\"subtest\": {\"c\" : \"fail\"}}\nPIGLIT TEST: 3 - d\nPIGLIT: {\"result\": \"skip\" }\n";
        let said = read(output);
        let words: Vec<Status> = said.finished.iter().map(|(status, _)| *status).collect();
        assert_eq!(words, [Status::Pass, Status::Fail]);
        assert!(said.finished[1].1.contains("no\n") && !said.finished[1].1.contains("- a"));
        assert!(said.rest.starts_with("PIGLIT TEST: 3") && said.rest.contains("skip"));
    }
}
