//! Checks of the files that pin versions, and of the change log.

use super::Report;

/// The one place that a `Cargo.lock` may name; Cargo writes it for its default registry, whatever mirror is used.
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// `Cargo.lock`, `package-lock.json` or `requirements.txt`: only names, versions and hashes, no download addresses.
pub(super) fn check(path: &str, text: &str, report: &mut Report) {
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        let bad = if path.ends_with("Cargo.lock") {
            let source = line.strip_prefix("source = ");
            source.is_some_and(|source| source.trim_matches('"') != CRATES_IO)
        } else if path.ends_with("package-lock.json") {
            line.starts_with("\"resolved\":")
        } else {
            let requirement = line.split('#').next().unwrap_or_default();
            requirement.contains("://") || requirement.starts_with("--") || requirement.starts_with("-i")
        };
        if bad {
            report.error(path, index + 1, "a download address; pin by name and version only");
        } else if path.ends_with("requirements.txt")
            && !line.is_empty()
            && !line.starts_with('#')
            && !line.contains("==")
        {
            report.error(path, index + 1, "not pinned: write `name==version`");
        }
    }
}

pub(super) fn check_changelog(path: &str, text: &str, report: &mut Report) {
    if !text.lines().any(|line| line.trim() == "## [Unreleased]") {
        report.error(path, 1, "no `## [Unreleased]` section");
    }
}
