//! The cache gives back what was put in, and survives what happens to files.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Barrier};

use super::{DiskCache, ShaderCache};
use crate::program::{CompiledShader, LinkInput, LinkResult};
use crate::stage::{CompileOptions, Stage};

const VERTEX: &str = "#version 330\nuniform mat4 m[2]; uniform B { vec4 b; } blocks[2]; in vec4 p; out vec2 t;\n\
                      void main() { gl_Position = m[1] * p + blocks[1].b; t = p.xy; }\n";
const FRAGMENT: &str = "#version 330\nuniform sampler2D s; in vec2 t; out vec4 c; void main() { c = texture(s, t); }\n";

fn on(folder: &std::path::Path) -> ShaderCache {
    ShaderCache::new(Some(disk(folder)))
}

fn disk(folder: &std::path::Path) -> DiskCache {
    DiskCache::new(folder.to_owned(), 1 << 20)
}

fn both(cache: &ShaderCache) -> Vec<CompiledShader> {
    let options = CompileOptions::default();
    [(Stage::Vertex, VERTEX), (Stage::Fragment, FRAGMENT)].map(|(s, t)| cache.compile(s, t, &options)).to_vec()
}

fn link(cache: &ShaderCache, shaders: &[CompiledShader]) -> LinkResult {
    cache.link(&LinkInput { shaders, ..LinkInput::default() })
}

fn same(a: &LinkResult, b: &LinkResult) {
    let (p, q) = (a.program.as_ref().unwrap(), b.program.as_ref().unwrap());
    assert_eq!(a.log, b.log);
    assert_eq!(p.stages, q.stages);
    assert_eq!(p.bindings, q.bindings);
    assert_eq!(p.reflection, q.reflection);
}

#[test]
fn a_second_process_links_without_the_front_end() {
    let folder = tempfile::tempdir().unwrap();
    let cold = on(folder.path());
    let made = link(&cold, &both(&cold));
    let warm = on(folder.path());
    let shaders = both(&warm);
    same(&made, &link(&warm, &shaders));
    for shader in &shaders {
        assert!(!shader.unit.as_ref().unwrap().is_translated());
    }
    same(&made, &crate::link(&LinkInput { shaders: &shaders, ..LinkInput::default() }));
    assert!(shaders[0].unit.as_ref().unwrap().is_translated());
}

#[test]
fn other_inputs_are_other_programs() {
    let folder = tempfile::tempdir().unwrap();
    let cache = on(folder.path());
    let shaders = both(&cache);
    let plain = link(&cache, &shaders);
    let bound = [("p".to_owned(), 5)];
    let moved = cache.link(&LinkInput { shaders: &shaders, attribute_bindings: &bound, ..LinkInput::default() });
    let location = |result: &LinkResult| result.program.as_ref().unwrap().reflection.attributes[0].location;
    assert_eq!((location(&plain), location(&moved)), (0, 5));
}

#[test]
fn what_lives_is_shared_and_what_failed_is_not_kept() {
    let cache = ShaderCache::default();
    let (a, b) = (both(&cache), both(&cache));
    assert!(Arc::ptr_eq(a[0].unit.as_ref().unwrap(), b[0].unit.as_ref().unwrap()));
    let (p, q) = (link(&cache, &a).program.unwrap(), link(&cache, &b).program.unwrap());
    assert!(Arc::ptr_eq(&p, &q));
    let bad = cache.compile(Stage::Vertex, "#version 330\nvoid main() { x; }\n", &CompileOptions::default());
    assert!(!bad.ok && !bad.log.is_empty());
    assert!(!link(&cache, &[bad]).ok);
}

/// The names that only the source's own code uses are not in the archive; those of the reflection are.
#[test]
fn archives_have_no_names_but_where_somebody_looks_at_the_code() {
    let source = |name: &str| {
        format!(
            "#version 330\nuniform vec4 scale; in vec4 p; float own{name}; vec4 twice{name}(vec4 value{name}) {{\n\
             vec4 local{name} = value{name}; local{name} += local{name}; return local{name} * own{name}; }}\n\
             void main() {{ own{name} = p.x; gl_Position = twice{name}(p) * scale; }}"
        )
    };
    let size = |name: &str, named: bool| {
        let shaders = [crate::compile(Stage::Vertex, &source(name), &CompileOptions::default())];
        let program = crate::link(&LinkInput { shaders: &shaders, named, ..LinkInput::default() }).program.unwrap();
        assert_eq!(program.reflection.uniforms[0].name, "scale");
        postcard::to_allocvec(&*program).unwrap().len()
    };
    let long = "_with_a_name_that_is_long".repeat(8);
    assert_eq!(size("", false), size(&long, false));
    assert!(size("", false) < size("", true) && size("", true) < size(&long, true));
    // One cache may serve both.
    let cache = ShaderCache::default();
    let shaders = both(&cache);
    let plain = link(&cache, &shaders);
    let named = cache.link(&LinkInput { shaders: &shaders, named: true, ..LinkInput::default() });
    assert_ne!(plain.program.unwrap().stages, named.program.unwrap().stages);
}

/// Programs that share a shader are compiled in a burst.
#[test]
fn what_is_asked_for_at_once_is_made_once() {
    const THREADS: usize = 8;
    // Long enough that all ask before the first is done.
    let body: String = (0..500).map(|i| format!("v = v * {i}.5 + s.yzxw;\n")).collect();
    let vertex =
        format!("#version 330\nuniform vec4 s; in vec4 v0; void main() {{ vec4 v = v0; {body} gl_Position = v; }}");
    let bad = format!("{vertex} nonsense");
    let cache = ShaderCache::default();
    let start = Barrier::new(THREADS);
    let made: Vec<(CompiledShader, CompiledShader, LinkResult)> = std::thread::scope(|scope| {
        let make = || {
            start.wait();
            let good = cache.compile(Stage::Vertex, &vertex, &CompileOptions::default());
            start.wait();
            let linked = link(&cache, std::slice::from_ref(&good));
            start.wait();
            (good, cache.compile(Stage::Vertex, &bad, &CompileOptions::default()), linked)
        };
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(make)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(cache.front_ends.load(Ordering::Relaxed), 2);
    assert_eq!(cache.links.load(Ordering::Relaxed), 1);
    let first = &made[0];
    for (good, failed, linked) in &made {
        assert!(Arc::ptr_eq(good.unit.as_ref().unwrap(), first.0.unit.as_ref().unwrap()));
        assert!(Arc::ptr_eq(linked.program.as_ref().unwrap(), first.2.program.as_ref().unwrap()));
        assert!(!failed.ok && failed.log == first.1.log);
    }
    // Nothing that was under way is held on to.
    let unit = Arc::downgrade(first.0.unit.as_ref().unwrap());
    let program = Arc::downgrade(first.2.program.as_ref().unwrap());
    drop(made);
    assert!(unit.upgrade().is_none() && program.upgrade().is_none());
}

#[test]
fn damaged_entries_are_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let cold = on(folder.path());
    let made = link(&cold, &both(&cold));
    for damage in [
        |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() / 2),
        |bytes: &mut Vec<u8>| bytes.clear(),
        |bytes: &mut Vec<u8>| *bytes.last_mut().unwrap() ^= 1,
        |bytes: &mut Vec<u8>| bytes[3] ^= 0xff,
        |bytes: &mut Vec<u8>| bytes.extend_from_slice(b"more"),
    ] {
        let entries = disk(folder.path()).entries();
        assert_eq!(entries.len(), 3);
        for path in entries {
            let mut bytes = std::fs::read(&path).unwrap();
            damage(&mut bytes);
            std::fs::write(&path, bytes).unwrap();
        }
        let again = on(folder.path());
        let shaders = both(&again);
        assert!(shaders.iter().all(|s| s.unit.as_ref().unwrap().is_translated()));
        same(&made, &link(&again, &shaders));
    }
}

#[test]
fn a_folder_that_cannot_be_made_costs_nothing_but_the_entries() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "in the way").unwrap();
    let cache = on(&file.join("below"));
    assert!(link(&cache, &both(&cache)).ok);
    // A device that is always full stands for a full disk.
    let full = ShaderCache::new(Some(DiskCache::new("/dev/full".into(), 1 << 20)));
    assert!(link(&full, &both(&full)).ok);
}

#[test]
fn the_oldest_go_first_and_a_dead_writers_file_goes_too() {
    let folder = tempfile::tempdir().unwrap();
    let small = DiskCache::new(folder.path().to_owned(), 4000);
    let key = |i: u32| super::Key::of_shader(Stage::Vertex, &i.to_string(), &CompileOptions::default());
    let past = |hours: u64| std::time::SystemTime::now() - std::time::Duration::from_secs(hours * 3600);
    let set_age = |path: &std::path::Path, hours| {
        std::fs::File::options().append(true).open(path).unwrap().set_modified(past(hours)).unwrap();
    };
    for i in 0..10 {
        small.put(key(i), &"x".repeat(500));
        set_age(&small.path_of(key(i)), 100 - u64::from(i));
    }
    // The first is used again, so it is no longer the oldest.
    assert!(small.get::<String>(key(0)).is_some());
    let left_over = folder.path().join("00").join(".1-1.tmp");
    std::fs::create_dir_all(left_over.parent().unwrap()).unwrap();
    std::fs::write(&left_over, "half").unwrap();
    set_age(&left_over, 1);
    small.trim_now();
    let kept: Vec<u32> = (0..10).filter(|i| small.get::<String>(key(*i)).is_some()).collect();
    assert_eq!(kept, [0, 6, 7, 8, 9]);
    assert!(!left_over.exists());
}

#[test]
fn several_writers_of_one_entry_leave_a_whole_one() {
    let folder = tempfile::tempdir().unwrap();
    let key = super::Key::of_shader(Stage::Vertex, "", &CompileOptions::default());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let cache = disk(folder.path());
                for _ in 0..50 {
                    cache.put(key, &"text".repeat(1000));
                    assert!(cache.get::<String>(key).is_none_or(|text| text.len() == 4000));
                }
            });
        }
    });
    assert_eq!(disk(folder.path()).entries().len(), 1);
}
