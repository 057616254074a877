//! The disk cache under processes that die while they write, under a disk that fills up, and under several writers.
//!
//! A test starts this same binary again as a writer: `writer` below does nothing unless it is told a folder.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use gallite_shader::cache::DiskCache;
use gallite_shader::{CompileOptions, LinkInput, LinkResult, ShaderCache, Stage};

/// Tells a child its folder.
const FOLDER: &str = "GALLITE_TEST_CACHE_FOLDER";
/// Programs that writers make in turn.
const PROGRAMS: usize = 16;

fn sources(i: usize) -> [(Stage, String); 2] {
    // Large enough for an entry to take several writes of the kernel.
    let many: String = (0..200).map(|n| format!("x = x * {i}.5 + vec4(a[{}]);\n", n % 8)).collect();
    [
        (
            Stage::Vertex,
            format!(
                "#version 330\nuniform float a[8]; out vec4 v; void main() {{ vec4 x = vec4({i}.0);\n{many} gl_Position = v = x; }}\n"
            ),
        ),
        (Stage::Fragment, "#version 330\nin vec4 v; out vec4 c; void main() { c = v; }\n".into()),
    ]
}

fn make(cache: &ShaderCache, i: usize) -> LinkResult {
    let options = CompileOptions::default();
    let shaders = sources(i).map(|(stage, source)| cache.compile(stage, &source, &options));
    cache.link(&LinkInput { shaders: &shaders, ..LinkInput::default() })
}

fn on(folder: &Path) -> ShaderCache {
    ShaderCache::new(Some(DiskCache::new(folder.to_owned(), 64 << 20)))
}

/// Everything that comes out of the folder is what comes out without it.
fn check(folder: &Path) {
    let (cache, none) = (on(folder), ShaderCache::default());
    for i in 0..PROGRAMS {
        let (a, b) = (make(&cache, i), make(&none, i));
        let (a, b) = (a.program.expect(&a.log), b.program.expect(&b.log));
        assert_eq!(a.stages, b.stages, "program {i}");
        assert_eq!(a.bindings, b.bindings);
        assert_eq!(a.reflection, b.reflection);
    }
}

/// What a child does: it writes until it is killed, taking each entry away again so that there is always one to write.
#[test]
fn writer() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let folder = Path::new(&folder);
    // The front end runs once; after that there is nothing but writing.
    for round in 0.. {
        for i in 0..PROGRAMS {
            let cache = on(folder);
            assert!(make(&cache, i).ok);
            if round % 2 == 1 {
                remove_some(folder, i);
            }
        }
    }
}

/// Removes the entries of one subfolder.
fn remove_some(folder: &Path, i: usize) {
    let Ok(all) = std::fs::read_dir(folder) else { return };
    if let Some(sub) = all.flatten().nth(i) {
        let entries = std::fs::read_dir(sub.path()).map(|all| all.flatten().collect::<Vec<_>>()).unwrap_or_default();
        entries.iter().for_each(|e| drop(std::fs::remove_file(e.path())));
    }
}

/// A writer, started through `shell` when given.
fn start(folder: &Path, shell: Option<&str>) -> Child {
    let own = std::env::current_exe().unwrap();
    let mut command = match shell {
        Some(script) => {
            let mut command = Command::new("sh");
            command.args(["-c", script]).arg(own);
            command
        }
        None => Command::new(own),
    };
    let command = command.args(["--exact", "writer", "--nocapture"]).env(FOLDER, folder);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn entries(folder: &Path) -> usize {
    let files = |path: &Path| {
        std::fs::read_dir(path).map(|all| all.flatten().map(|e| e.path()).collect::<Vec<_>>()).unwrap_or_default()
    };
    files(folder).iter().map(|sub| files(sub).iter().filter(|f| f.extension().is_none()).count()).sum()
}

/// Waits until a writer has written something, so that a kill meets it at work.
fn wait_for_entries(folder: &Path, count: usize) {
    let began = Instant::now();
    while entries(folder) < count {
        assert!(began.elapsed() < Duration::from_secs(60), "nothing is written");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Children die at moments spread over their work, two at a time; whatever they leave is right or as good as nothing.
#[test]
fn killed_while_writing() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = 12_345u64;
    for _ in 0..10 {
        let mut children = [(); 2].map(|()| start(folder.path(), None));
        wait_for_entries(folder.path(), 1);
        for child in &mut children {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            std::thread::sleep(Duration::from_micros(random >> 40 & 0x1_ffff));
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
    check(folder.path());
}

/// Two processes write the same entries while a third reads them.
#[test]
fn two_writers_and_a_reader() {
    let folder = tempfile::tempdir().unwrap();
    let mut children = [(); 2].map(|()| start(folder.path(), None));
    wait_for_entries(folder.path(), 3);
    check(folder.path());
    check(folder.path());
    for child in &mut children {
        assert!(child.try_wait().unwrap().is_none(), "a writer ended");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    check(folder.path());
}

/// A file can't grow past a size, as on a disk that fills up in the middle of a write: entries larger than that are not
/// kept, and nobody reads the part that was.
#[test]
fn full_in_the_middle_of_a_write() {
    let folder = tempfile::tempdir().unwrap();
    // 4 KiB: info logs fit, programs don't. The signal that comes with the limit is ignored, so that the write fails.
    let mut child = start(folder.path(), Some("trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""));
    wait_for_entries(folder.path(), 4);
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "the writer ended");
    child.kill().unwrap();
    child.wait().unwrap();
    let largest = std::fs::read_dir(folder.path()).unwrap().flatten();
    let largest = largest.flat_map(|sub| std::fs::read_dir(sub.path()).unwrap().flatten());
    let largest = largest.map(|e| e.metadata().map_or(0, |m| m.len())).max().unwrap();
    assert!(largest <= 4096, "{largest}");
    check(folder.path());
}
