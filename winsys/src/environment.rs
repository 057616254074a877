//! Every environment variable Gallite reads, with its meaning. Nothing else in the library asks the environment.

use std::fmt::Write as _;
use std::sync::LazyLock;

/// A variable: how it is documented.
#[derive(Debug, Clone, Copy)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// Accepted values.
    pub values: &'static str,
    /// What happens without it.
    pub default: &'static str,
    /// What it does, one sentence.
    pub meaning: &'static str,
}

const DRIVER: Variable = Variable {
    name: "GALLITE_DRIVER",
    values: "`vulkan`, `noop`, or wrappers in front of one, separated by colons: `verify:vulkan`, `stream:vulkan`, `verify:stream:vulkan`",
    default: "`vulkan`",
    meaning: "Chooses the driver. An unknown name makes eglInitialize fail.",
};

const DEVICE: Variable = Variable {
    name: "GALLITE_DEVICE",
    values: "a part of the device's name (case does not matter), or its number in the order the driver lists devices, from 0",
    default: "the first discrete, else integrated, else virtual, else software device",
    meaning: "Chooses the device of displays that don't name one (EGL_EXT_platform_device names one).",
};

const PLATFORM: Variable = Variable {
    name: "EGL_PLATFORM",
    values: "`x11`, `surfaceless`, `device`",
    default: "X11 when `DISPLAY` is set and the server answers, else surfaceless",
    meaning: "Platform of eglGetDisplay(EGL_DEFAULT_DISPLAY).",
};

const DISPLAY: Variable = Variable {
    name: "DISPLAY",
    values: "an X display name",
    default: "no X server",
    meaning: "X server of the default display.",
};

const LOG: Variable = Variable {
    name: "GALLITE_LOG",
    values: "`error`, `warn`, `info`, `debug`, `trace`",
    default: "`warn`",
    meaning: "Least weight of the log lines written to standard error.",
};

const VALIDATION: Variable = Variable {
    name: "GALLITE_VALIDATION",
    values: "`1`, `sync`, `0`",
    default: "`0`",
    meaning: "Turns the Vulkan validation layer on, where it is installed; its messages go to the log, and shaders keep \
              their names for it. With `sync` it also looks for missing barriers.",
};

const CACHE: Variable = Variable {
    name: "GALLITE_CACHE_DIR",
    values: "a folder, or empty for no cache on disk",
    default: "`gallite` in `XDG_CACHE_HOME`, else in `~/.cache`",
    meaning: "Where compiled shaders and pipelines are kept between runs.",
};

const CACHE_SIZE: Variable = Variable {
    name: "GALLITE_CACHE_SIZE",
    values: "a number of MiB",
    default: "`256`",
    meaning: "How much is kept of compiled shaders; the oldest go first. Pipelines are a file of their own, of at most 64 MiB.",
};

const VULKAN_WITHOUT: Variable = Variable {
    name: "GALLITE_VULKAN_WITHOUT",
    values: "names of device features, separated by commas, of the table below",
    default: "every feature the device has",
    meaning: "Makes the Vulkan driver do without features, to reach the code paths of lesser devices. GL_RENDERER says how \
              many. An unknown name makes eglInitialize fail.",
};

const VULKAN_LOSE_AT: Variable = Variable {
    name: "GALLITE_VULKAN_LOSE_AT",
    values: "a number, counted from 1",
    default: "`0`, never",
    meaning: "Makes the Vulkan driver take the device for lost at that submission, so that tests see what comes of it.",
};

const VULKAN_MEMORY: Variable = Variable {
    name: "GALLITE_VULKAN_MEMORY",
    values: "a number of MiB",
    default: "`0`, all that the device has",
    meaning: "Makes the Vulkan driver run out of device memory there, so that tests see what comes of it.",
};

const VULKAN_FAULTS: Variable = Variable {
    name: "GALLITE_VULKAN_FAULTS",
    values: "`invalid_call`, `no_barriers`, separated by commas",
    default: "none",
    meaning: "Makes the Vulkan driver break rules of Vulkan, so that tests see that the validation layer is heard.",
};

const VERIFY_DROP: Variable = Variable {
    name: "GALLITE_VERIFY_DROP",
    values: "the name of an atom in `state-tracker/src/atoms/mod.rs`, such as `Viewport`",
    default: "every atom is pushed",
    meaning: "Under `verify:`, leaves that atom's pushes out, so that a test sees the verifier name the first field that \
              differs. An unknown name makes eglInitialize fail.",
};

const COMPATIBILITY: Variable = Variable {
    name: "GALLITE_COMPATIBILITY",
    values: "`1`, `0`",
    default: "`0`, as long as commands of the profile are missing (docs/missing.md)",
    meaning: "Lets programs have contexts of the compatibility profile, which are those of versions before 3.1, too.",
};

const XDG_CACHE_HOME: Variable =
    Variable { name: "XDG_CACHE_HOME", values: "a folder", default: "`~/.cache`", meaning: "See `GALLITE_CACHE_DIR`." };

const HOME: Variable =
    Variable { name: "HOME", values: "a folder", default: "no cache on disk", meaning: "See `GALLITE_CACHE_DIR`." };

/// The driver's list, for the documentation alone.
const LESSER_FEATURES: &str = include_str!("../../drivers/vulkan/lesser.txt");

/// Every variable, in the order of the documentation.
pub const VARIABLES: &[Variable] = &[
    DRIVER,
    DEVICE,
    PLATFORM,
    DISPLAY,
    LOG,
    VALIDATION,
    CACHE,
    CACHE_SIZE,
    XDG_CACHE_HOME,
    HOME,
    VULKAN_WITHOUT,
    VULKAN_LOSE_AT,
    VULKAN_MEMORY,
    VULKAN_FAULTS,
    VERIFY_DROP,
    COMPATIBILITY,
];

/// What the environment says, read once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// `GALLITE_DRIVER`.
    pub driver: Option<String>,
    /// `GALLITE_DEVICE`.
    pub device: Option<String>,
    /// `EGL_PLATFORM`.
    pub platform: Option<String>,
    /// Whether `DISPLAY` is set.
    pub has_x_display: bool,
    /// `GALLITE_LOG`.
    pub log: Option<String>,
    /// `GALLITE_VALIDATION`.
    pub validate: bool,
    /// It is `sync`.
    pub validate_synchronization: bool,
    /// `GALLITE_VULKAN_WITHOUT`.
    pub vulkan_without: Vec<String>,
    /// `GALLITE_VULKAN_LOSE_AT`.
    pub vulkan_lose_at: u64,
    /// `GALLITE_VULKAN_MEMORY`.
    pub vulkan_megabytes: u64,
    /// `GALLITE_VULKAN_FAULTS`.
    pub vulkan_faults: Vec<String>,
    /// `GALLITE_VERIFY_DROP`.
    pub verify_drop: Option<String>,
    /// `GALLITE_COMPATIBILITY`.
    pub compatibility: bool,
    /// Where the disk caches are; none for no cache on disk.
    pub cache_dir: Option<std::path::PathBuf>,
    /// `GALLITE_CACHE_SIZE`.
    pub cache_megabytes: u32,
}

impl Environment {
    fn from_lookup(lookup: impl Fn(&str) -> Option<String>) -> Self {
        let get = |variable: Variable| lookup(variable.name);
        let filled = |variable: Variable| get(variable).filter(|value| !value.is_empty());
        let list = |variable: Variable| -> Vec<String> {
            let names = filled(variable);
            names.map(|names| names.split(',').map(|name| name.trim().to_owned()).collect()).unwrap_or_default()
        };
        let cache_dir = match get(CACHE) {
            Some(folder) => (!folder.is_empty()).then(|| folder.into()),
            None => filled(XDG_CACHE_HOME)
                .map(std::path::PathBuf::from)
                .or_else(|| filled(HOME).map(|home| std::path::PathBuf::from(home).join(".cache")))
                .map(|folder| folder.join("gallite")),
        };
        Self {
            driver: filled(DRIVER),
            device: filled(DEVICE),
            platform: filled(PLATFORM),
            has_x_display: filled(DISPLAY).is_some(),
            log: filled(LOG),
            validate: filled(VALIDATION).is_some_and(|value| value != "0"),
            validate_synchronization: filled(VALIDATION).is_some_and(|value| value == "sync"),
            vulkan_without: list(VULKAN_WITHOUT),
            vulkan_faults: list(VULKAN_FAULTS),
            vulkan_lose_at: filled(VULKAN_LOSE_AT).and_then(|at| at.parse().ok()).unwrap_or(0),
            vulkan_megabytes: filled(VULKAN_MEMORY).and_then(|size| size.parse().ok()).unwrap_or(0),
            verify_drop: filled(VERIFY_DROP),
            compatibility: filled(COMPATIBILITY).is_some_and(|value| value != "0"),
            cache_dir,
            cache_megabytes: filled(CACHE_SIZE).and_then(|size| size.parse().ok()).unwrap_or(256),
        }
    }
}

/// The environment as it was when first asked for.
pub fn get() -> &'static Environment {
    static ENVIRONMENT: LazyLock<Environment> =
        LazyLock::new(|| Environment::from_lookup(|name| std::env::var(name).ok()));
    &ENVIRONMENT
}

/// The text of docs/environment.md.
pub fn documentation() -> String {
    let mut text = String::from(
        "# Environment variables\n\n\
         Written by `cargo xtask gen` from `winsys/src/environment.rs`, the only module that reads the environment.\n\n\
         | variable | values | without it | what it does |\n|---|---|---|---|\n",
    );
    for variable in VARIABLES {
        let Variable { name, values, default, meaning } = variable;
        let _ = writeln!(text, "| `{name}` | {values} | {default} | {meaning} |");
    }
    text.push_str(
        "\n## What the Vulkan driver can do without\n\n\
         From `drivers/vulkan/lesser.txt`.\n\n| `GALLITE_VULKAN_WITHOUT` | what the driver does then |\n|---|---|\n",
    );
    let lines = LESSER_FEATURES.lines().filter(|line| !line.starts_with('#'));
    for (name, meaning) in lines.filter_map(|line| line.split_once(": ")) {
        let _ = writeln!(text, "| `{name}` | {meaning} |");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documentation_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/environment.md");
        let committed = std::fs::read_to_string(path).expect("docs/environment.md");
        assert!(committed == documentation(), "run `cargo xtask gen`");
    }

    #[test]
    fn empty_means_unset_except_for_the_cache() {
        let environment = Environment::from_lookup(|_| Some(String::new()));
        assert_eq!(environment, Environment { cache_megabytes: 256, ..Environment::default() });
        let environment = Environment::from_lookup(|name| (name == "HOME").then(|| "/home/a".to_owned()));
        assert_eq!(environment.cache_dir.as_deref(), Some(std::path::Path::new("/home/a/.cache/gallite")));
    }

    #[test]
    fn validation_is_off_at_zero() {
        let at = |value: &str| {
            Environment::from_lookup(|name| (name == "GALLITE_VALIDATION").then(|| value.to_owned())).validate
        };
        assert!(!at("0"));
        assert!(at("1"));
    }
}
