//! Compile and link with a memory: in the process, and on disk between processes.
//!
//! A shader object whose compile is remembered keeps its source only; the front end runs for it when a link needs it
//! that is not remembered. So a program that was linked before, in this process or another, costs the hash of its
//! inputs and the read of two or three small files.
//!
//! [`key`] says what stands for what, [`disk`] how entries are kept, [`file`] how files are written, here and by drivers.

pub mod disk;
mod file;
pub(crate) mod frame;
mod key;
pub(crate) mod pod;
mod under_way;

use std::collections::HashMap;
#[cfg(test)]
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

pub use disk::DiskCache;
pub use file::replace as replace_file;
pub(crate) use key::Key;

use crate::front::{self, ShaderUnit, Source};
use crate::program::{CompiledShader, LinkInput, LinkResult, LinkedProgram};
use crate::spirv_binary::SpirvModule;
use crate::stage::{CompileOptions, Stage};
use under_way::UnderWay;

/// Compiles and links; remembers both. One per driver instance, shared by all threads.
#[derive(Debug, Default)]
pub struct ShaderCache {
    disk: Option<DiskCache>,
    shaders: Mutex<Living<ShaderUnit>>,
    programs: Mutex<Living<LinkedProgram>>,
    compiles: UnderWay<CompiledShader>,
    linking: UnderWay<LinkResult>,
    /// Times that the front end ran.
    #[cfg(test)]
    front_ends: AtomicU32,
    /// Times that a program was linked.
    #[cfg(test)]
    links: AtomicU32,
}

impl ShaderCache {
    /// A cache that remembers what lives in the process, and everything on `disk` if there is one.
    pub fn new(disk: Option<DiskCache>) -> Self {
        Self { disk, ..Self::default() }
    }

    /// As [`crate::compile`].
    pub fn compile(&self, stage: Stage, source: &str, options: &CompileOptions) -> CompiledShader {
        self.compiled(Key::of_shader(stage, source, options), stage, source, options)
    }

    /// As [`crate::specialize`].
    pub fn specialize(
        &self,
        stage: Stage,
        module: &SpirvModule,
        entry: &str,
        constants: &[(u32, u32)],
        options: &CompileOptions,
    ) -> CompiledShader {
        let source = module.specialization(entry, constants);
        self.compiled(Key::of_module(stage, &source, options), stage, source, options)
    }

    /// The source is copied where it is not known yet.
    fn compiled(&self, key: Key, stage: Stage, source: impl Into<Source>, options: &CompileOptions) -> CompiledShader {
        // The look-up too: who finds nothing under way must find what was just done.
        self.compiles.once(key, || {
            if let Some((unit, log)) = lock(&self.shaders).get(key) {
                return CompiledShader { stage, ok: true, log, unit: Some(unit) };
            }
            let shader = self.compiled_now(key, stage, source.into(), options);
            if let Some(unit) = &shader.unit {
                lock(&self.shaders).insert(key, unit, &shader.log);
            }
            shader
        })
    }

    fn compiled_now(&self, key: Key, stage: Stage, source: Source, options: &CompileOptions) -> CompiledShader {
        if let Some(log) = self.disk.as_ref().and_then(|disk| disk.get::<String>(key)) {
            let unit = ShaderUnit::known(key, stage, source, options);
            return CompiledShader { stage, ok: true, log, unit: Some(Arc::new(unit)) };
        }
        #[cfg(test)]
        self.front_ends.fetch_add(1, Ordering::Relaxed);
        let shader = front::compile_as(key, stage, source, options);
        if let Some(disk) = self.disk.as_ref().filter(|_| shader.ok) {
            disk.put(key, &shader.log);
        }
        shader
    }

    /// As [`crate::link()`].
    pub fn link(&self, input: &LinkInput<'_>) -> LinkResult {
        let Some(key) = Key::of_program(input) else { return crate::link(input) };
        self.linking.once(key, || {
            if let Some((program, log)) = lock(&self.programs).get(key) {
                return LinkResult { ok: true, log, program: Some(program) };
            }
            let result = self.linked_now(key, input);
            if let Some(program) = &result.program {
                lock(&self.programs).insert(key, program, &result.log);
            }
            result
        })
    }

    fn linked_now(&self, key: Key, input: &LinkInput<'_>) -> LinkResult {
        if let Some((log, program)) = self.disk.as_ref().and_then(|disk| disk.get::<(String, LinkedProgram)>(key)) {
            return LinkResult { ok: true, log, program: Some(Arc::new(program)) };
        }
        #[cfg(test)]
        self.links.fetch_add(1, Ordering::Relaxed);
        let result = crate::link(input);
        if let (Some(disk), Some(program)) = (&self.disk, &result.program) {
            disk.put(key, &(&result.log, &**program));
        }
        result
    }
}

/// A table that another thread left in the middle of nothing worse than an insertion is still a table.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What somebody still holds, by key, each with its info log.
#[derive(Debug)]
struct Living<T> {
    entries: HashMap<Key, (Weak<T>, String)>,
    /// Entries at which the dead are looked for next.
    sweep_at: usize,
}

impl<T> Default for Living<T> {
    fn default() -> Self {
        Self { entries: HashMap::new(), sweep_at: 64 }
    }
}

impl<T> Living<T> {
    fn get(&self, key: Key) -> Option<(Arc<T>, String)> {
        let (value, log) = self.entries.get(&key)?;
        Some((value.upgrade()?, log.clone()))
    }

    fn insert(&mut self, key: Key, value: &Arc<T>, log: &str) {
        if self.entries.len() >= self.sweep_at {
            self.entries.retain(|_, (value, _)| value.strong_count() != 0);
            self.sweep_at = 2 * self.entries.len().max(32);
        }
        self.entries.insert(key, (Arc::downgrade(value), log.to_owned()));
    }
}

#[cfg(test)]
mod tests;
