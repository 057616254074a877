//! `setup`: the system packages. Looks before it touches apt, so it costs milliseconds when all is there.

use crate::args::Args;
use crate::packages::{self, Group};
use crate::{Result, shell};
use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};

pub const USAGE: &str = "[build] [run] [test] [conform]";
pub const HELP: &str = "Installs the system packages that are missing (as root; otherwise prints the one command).
Without words: all groups. Every other command calls it for the groups that it needs.";

/// Runs the command.
pub fn run(mut args: Args) -> Result {
    let mut groups = Vec::new();
    while let Some(word) = args.word() {
        groups.push(match word.as_str() {
            "build" => Group::Build,
            "run" => Group::Run,
            "test" => Group::Test,
            "conform" => Group::Conform,
            _ => return Err(format!("no package group is called '{word}'")),
        });
    }
    args.finish()?;
    ensure(if groups.is_empty() { packages::ALL } else { &groups })?;
    println!("all system packages are installed");
    Ok(())
}

/// Installs what the groups lack. Not root: an error that carries the one command to run.
/// Not a Debian system: says what is needed and goes on.
pub fn ensure(groups: &[Group]) -> Result {
    if !shell::on_path("dpkg-query") {
        eprintln!(
            "note: no dpkg here; make sure that a C++ compiler, CMake, a Vulkan loader and driver, libglvnd and Xvfb are installed"
        );
        return Ok(());
    }
    let missing = Missing::find(groups, &installed()?);
    if missing.is_empty() {
        return Ok(());
    }
    let script = missing.script(&Backports::of_this_system());
    if !is_root() {
        return Err(format!("packages are missing; install them with\n\n  sudo sh -c \"{script}\"\n"));
    }
    println!("installing system packages: {}", missing.names().join(" "));
    let mut command = Command::new("sh");
    command.args(["-c", &script]).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
    shell::must_run(&mut command)?;
    let still = Missing::find(groups, &installed()?);
    if still.is_empty() {
        Ok(())
    } else {
        Err(format!("apt-get ended well, but these are still missing: {}", still.names().join(" ")))
    }
}

/// Installed packages and their versions.
fn installed() -> Result<HashMap<String, String>> {
    let mut command = Command::new("dpkg-query");
    command.args(["-W", "-f", "${binary:Package} ${db:Status-Status} ${Version}\n"]);
    Ok(parse_installed(&shell::output_of(&mut command)?))
}

fn parse_installed(listing: &str) -> HashMap<String, String> {
    let mut found = HashMap::new();
    for line in listing.lines() {
        let mut words = line.split(' ');
        if let (Some(name), Some("installed"), Some(version)) = (words.next(), words.next(), words.next()) {
            let name = name.split(':').next().unwrap_or(name);
            found.insert(name.to_owned(), version.to_owned());
        }
    }
    found
}

fn is_root() -> bool {
    let mut command = Command::new("id");
    command.arg("-u");
    shell::output_of(&mut command).is_ok_and(|id| id.trim() == "0")
}

/// What has to be installed: Mesa apart, since it may come from backports.
#[derive(Debug, PartialEq, Eq)]
struct Missing {
    plain: Vec<&'static str>,
    mesa: bool,
}

impl Missing {
    fn find(groups: &[Group], installed: &HashMap<String, String>) -> Self {
        let mut plain: Vec<&'static str> = groups.iter().flat_map(|g| packages::of(*g)).copied().collect();
        plain.retain(|name| !installed.contains_key(*name));
        plain.dedup();
        let recent = |name: &&str| installed.get(*name).is_some_and(|version| major(version) >= packages::MESA_MAJOR);
        let mesa = groups.contains(&Group::Run) && !packages::MESA.iter().all(recent);
        Self { plain, mesa }
    }

    fn is_empty(&self) -> bool {
        self.plain.is_empty() && !self.mesa
    }

    fn names(&self) -> Vec<&'static str> {
        let mesa: &[&str] = if self.mesa { packages::MESA } else { &[] };
        self.plain.iter().chain(mesa).copied().collect()
    }

    /// A shell script without double quotes, so that it can be shown inside `sudo sh -c "…"`.
    fn script(&self, backports: &Backports) -> String {
        let install = "apt-get -o DPkg::Lock::Timeout=600 -q -y install --no-install-recommends";
        let mut steps = Vec::new();
        if self.mesa
            && let Backports::Add(source) = backports
        {
            let lines: Vec<String> = source.lines().map(|line| format!("'{line}'")).collect();
            steps.push(format!(
                "printf '%s\\n' {} > /etc/apt/sources.list.d/{}-backports.sources",
                lines.join(" "),
                packages::BACKPORTED_RELEASE
            ));
        }
        steps.push("apt-get -o DPkg::Lock::Timeout=600 -q update".into());
        if self.mesa {
            let from = match backports {
                Backports::NotNeeded => String::new(),
                _ => format!(" -t {}-backports", packages::BACKPORTED_RELEASE),
            };
            steps.push(format!("{install}{from} {}", packages::MESA.join(" ")));
        }
        if !self.plain.is_empty() {
            steps.push(format!("{install} {}", self.plain.join(" ")));
        }
        steps.join(" && ")
    }
}

/// The number before the first dot of a Debian version, its epoch left out.
fn major(version: &str) -> u32 {
    let version = version.rsplit(':').next().unwrap_or(version);
    version.split(|c: char| !c.is_ascii_digit()).next().and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// How this system gets a recent Mesa.
#[derive(Debug, PartialEq, Eq)]
enum Backports {
    /// The release's own is recent enough, as far as we know.
    NotNeeded,
    /// The backports are already a source.
    Present,
    /// This stanza has to be added; it is the release's own with another suite, so it names the mirror
    /// that this machine already uses.
    Add(String),
}

impl Backports {
    fn of_this_system() -> Self {
        let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
        let mut sources = std::fs::read_to_string("/etc/apt/sources.list").unwrap_or_default();
        if let Ok(dir) = std::fs::read_dir("/etc/apt/sources.list.d") {
            for entry in dir.flatten() {
                let wanted = |p: &Path| p.extension().is_some_and(|e| e == "list" || e == "sources");
                if wanted(&entry.path()) {
                    sources.push_str("\n\n");
                    sources.push_str(&std::fs::read_to_string(entry.path()).unwrap_or_default());
                }
            }
        }
        Self::from_text(&release, &sources)
    }

    fn from_text(os_release: &str, sources: &str) -> Self {
        let release = packages::BACKPORTED_RELEASE;
        if !os_release.lines().any(|l| l == format!("VERSION_CODENAME={release}")) {
            return Self::NotNeeded;
        }
        let suite = format!("{release}-backports");
        let lines = || sources.lines().filter(|line| !line.trim_start().starts_with('#'));
        if lines().any(|line| line.split_whitespace().any(|word| word == suite)) {
            return Self::Present;
        }
        for stanza in sources.split("\n\n") {
            if let Some(stanza) = deb822_stanza(stanza, release, &suite) {
                return Self::Add(stanza);
            }
        }
        lines().find_map(|line| one_line_source(line, release, &suite)).map_or(Self::Present, Self::Add)
    }
}

/// A deb822 stanza whose suites include the release, with the backports' suite in their place.
fn deb822_stanza(stanza: &str, release: &str, suite: &str) -> Option<String> {
    let lines: Vec<&str> = stanza.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()).collect();
    let suites = lines.iter().find_map(|line| line.strip_prefix("Suites:"))?;
    suites.split_whitespace().find(|word| *word == release)?;
    let changed = lines
        .iter()
        .map(|line| if line.starts_with("Suites:") { format!("Suites: {suite}") } else { (*line).to_owned() });
    Some(changed.collect::<Vec<_>>().join("\n"))
}

/// A `deb [options] URI release components` line as a deb822 stanza for the backports.
fn one_line_source(line: &str, release: &str, suite: &str) -> Option<String> {
    let mut rest = line.trim().strip_prefix("deb ")?.trim_start();
    let mut signed = None;
    if let Some(options) = rest.strip_prefix('[') {
        let (options, after) = options.split_once(']')?;
        signed = options.split_whitespace().find_map(|option| option.strip_prefix("signed-by="));
        rest = after.trim_start();
    }
    let mut words = rest.split_whitespace();
    let (uri, of) = (words.next()?, words.next()?);
    if of != release {
        return None;
    }
    let mut stanza = format!("Types: deb\nURIs: {uri}\nSuites: {suite}\nComponents: main");
    if let Some(key) = signed {
        stanza.push_str(&format!("\nSigned-By: {key}"));
    }
    Some(stanza)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOOKWORM: &str = "ID=debian\nVERSION_CODENAME=bookworm\n";

    #[test]
    fn derives_the_stanza_from_the_configured_one() {
        let sources = "# a comment\nTypes: deb\n# old\nURIs: proto:mirror\nSuites: bookworm bookworm-updates\nComponents: main\n\nTypes: deb\nURIs: proto:sec\nSuites: bookworm-security\nComponents: main\n";
        let expected = "Types: deb\nURIs: proto:mirror\nSuites: bookworm-backports\nComponents: main";
        assert_eq!(Backports::from_text(BOOKWORM, sources), Backports::Add(expected.into()));
    }

    #[test]
    fn derives_it_from_one_line_sources() {
        let sources = "#deb x bookworm main\ndeb-src proto:m bookworm main\ndeb [arch=amd64 signed-by=/k.gpg] proto:m bookworm main contrib\n";
        let expected = "Types: deb\nURIs: proto:m\nSuites: bookworm-backports\nComponents: main\nSigned-By: /k.gpg";
        assert_eq!(Backports::from_text(BOOKWORM, sources), Backports::Add(expected.into()));
    }

    #[test]
    fn leaves_configured_backports_and_other_releases_alone() {
        let sources = "deb proto:m bookworm main\ndeb proto:m bookworm-backports main\n";
        assert_eq!(Backports::from_text(BOOKWORM, sources), Backports::Present);
        assert_eq!(Backports::from_text("VERSION_CODENAME=trixie\n", sources), Backports::NotNeeded);
    }

    #[test]
    fn an_old_mesa_counts_as_missing() {
        let listing = "mesa-vulkan-drivers:amd64 installed 22.3.6-1\ncmake installed 3.25\ng++ config-files 4:12\n";
        let installed = parse_installed(listing);
        let missing = Missing::find(&[Group::Build, Group::Run], &installed);
        assert!(missing.mesa);
        assert!(missing.plain.contains(&"g++") && !missing.plain.contains(&"cmake"));
        let script = missing.script(&Backports::Add("Types: deb".into()));
        assert!(script.contains("-t bookworm-backports mesa-vulkan-drivers") && !script.contains('"'));
    }

    #[test]
    fn versions_with_epochs() {
        assert_eq!((major("25.0.7-2~bpo12+1"), major("4:12.2"), major("x")), (25, 12, 0));
    }
}
