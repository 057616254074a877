//! The gate: a test whose output holds a message of the validation layer or of the verify driver fails.

/// Messages that are tolerated, each with its reason.
const ALLOWED: &str = include_str!("../../validation-allow.txt");

/// Lines of `output` that are validation messages and not in the list of tolerated ones.
pub fn faults(output: &str) -> Vec<String> {
    faults_with(output, ALLOWED)
}

fn faults_with(output: &str, allowed: &str) -> Vec<String> {
    let allowed: Vec<&str> = allowed
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim())
        .filter(|id| !id.is_empty())
        .collect();
    output
        .lines()
        .filter(|line| is_message(line) && !allowed.iter().any(|id| line.contains(id)))
        .map(str::to_owned)
        .collect()
}

/// A message of a checker, or a panic that the library caught: those of the suite itself begin in its own folder.
fn is_message(line: &str) -> bool {
    if line.contains("' panicked at ") || line.contains(") panicked at ") {
        return !line.contains(" panicked at tests/");
    }
    ["VUID-", "VUID_", "UNASSIGNED-", "SYNC-HAZARD", "Validation Error", "verify mismatch: "]
        .iter()
        .any(|mark| line.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_a_fault_unless_listed() {
        let output = "fine\nError: VUID-vkCmdDraw-None-02699 descriptor\nfine";
        assert_eq!(faults_with(output, "").len(), 1);
        assert_eq!(faults_with(output, "VUID-vkCmdDraw-None-02699 # reason").len(), 0);
        assert_eq!(faults_with(output, "# VUID-vkCmdDraw-None-02699").len(), 1);
        assert_eq!(faults_with("all fine", "").len(), 0);
        assert_eq!(faults_with("gallite ERROR: verify mismatch: set_viewports[0]", "").len(), 1);
        assert_eq!(faults_with("thread 'main' (7) panicked at state-tracker/src/entry.rs:1:2:", "").len(), 1);
        assert_eq!(faults_with("thread 'main' (7) panicked at tests/tests/gl/harness.rs:1:2:", "").len(), 0);
    }

    #[test]
    fn every_tolerated_message_has_a_reason() {
        for line in ALLOWED.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#')) {
            let reason = line.split_once('#').map(|(_, reason)| reason.trim()).unwrap_or_default();
            assert!(reason.len() > 10, "no reason in: {line}");
        }
    }
}
