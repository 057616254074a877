//! Share groups: the objects that several contexts may use (GL 4.6 core chapter 5).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use gallite_shader::Includes;
use hashbrown::HashMap;
use parking_lot::Mutex;

use crate::device::Device;
use crate::gl::{GLsync, GLuint};
use crate::names::Names;
use crate::objects::buffer::Buffer;
use crate::objects::program::{Program, ShaderOrProgram};
use crate::objects::renderbuffer::Renderbuffer;
use crate::objects::sampler::Sampler;
use crate::objects::shader::Shader;
use crate::objects::sync::Sync;
use crate::objects::texture::{DefaultTextures, Texture};

/// What every object with a name has.
#[derive(Debug)]
pub struct ObjectHeader {
    /// Its name.
    pub name: GLuint,
    label: Mutex<Option<Box<[u8]>>>,
    generation: AtomicU64,
    deleted: AtomicBool,
}

impl ObjectHeader {
    /// A header without label.
    pub fn new(name: GLuint) -> Self {
        Self { name, label: Mutex::new(None), generation: AtomicU64::new(1), deleted: AtomicBool::new(false) }
    }

    /// The debug label (GL 4.6 core 20.9), empty when there is none.
    pub fn label(&self) -> Box<[u8]> {
        self.label.lock().clone().unwrap_or_default()
    }

    /// Sets or removes the debug label.
    pub fn set_label(&self, label: Option<Box<[u8]>>) {
        *self.label.lock() = label;
    }

    /// Moves whenever something about the object changes that a draw depends on.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Notes such a change. The caller also bumps the share group's epoch.
    pub fn bump(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
    }

    /// Whether the name was deleted while the object lived on.
    pub fn is_deleted(&self) -> bool {
        self.deleted.load(Ordering::Acquire)
    }

    /// Marks the name deleted.
    pub fn mark_deleted(&self) {
        self.deleted.store(true, Ordering::Release);
    }
}

/// Whether both are the same object, or none.
#[inline]
pub fn same_object<T>(a: Option<&Arc<T>>, b: Option<&Arc<T>>) -> bool {
    a.map(Arc::as_ptr) == b.map(Arc::as_ptr)
}

/// A mapping that keeps draws away, counted in the share group of its buffer.
#[derive(Debug)]
pub struct ExclusiveMapping(Arc<AtomicUsize>);

impl Drop for ExclusiveMapping {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The objects shared by a set of contexts.
pub struct ShareGroup {
    /// Where the objects live.
    pub device: Arc<Device>,
    /// Moves on every change of a shared object's storage or parameters that another context's next draw must
    /// see. A draw compares this one number and looks closer only when another context moved it: a context's own changes
    /// mark what they make stale, see `Context::shared_changed`.
    epoch: AtomicU64,
    contexts: AtomicUsize,
    exclusive_mappings: Arc<AtomicUsize>,
    /// Buffer objects.
    pub buffers: Mutex<Names<Arc<Buffer>>>,
    /// Texture objects.
    pub textures: Mutex<Names<Arc<Texture>>>,
    /// Sampler objects.
    pub samplers: Mutex<Names<Arc<Sampler>>>,
    /// Renderbuffer objects.
    pub renderbuffers: Mutex<Names<Arc<Renderbuffer>>>,
    /// Shaders and programs, which share one name space.
    pub programs: Mutex<Names<ShaderOrProgram>>,
    /// Strings that shaders include. A compile keeps those that were there when it was asked for.
    pub named_strings: Mutex<Arc<Includes>>,
    /// Sync objects by their opaque value.
    pub syncs: Mutex<HashMap<GLsync, Arc<Sync>>>,
    next_sync: AtomicUsize,
    /// Textures bound where the program bound zero, and those that stand in for incomplete ones.
    pub default_textures: DefaultTextures,
}

impl ShareGroup {
    /// An empty group.
    pub fn new(device: &Arc<Device>) -> Arc<Self> {
        Arc::new(Self {
            device: Arc::clone(device),
            epoch: AtomicU64::new(1),
            contexts: AtomicUsize::new(0),
            exclusive_mappings: Arc::default(),
            buffers: Mutex::default(),
            textures: Mutex::default(),
            samplers: Mutex::default(),
            renderbuffers: Mutex::default(),
            programs: Mutex::default(),
            named_strings: Mutex::default(),
            syncs: Mutex::default(),
            next_sync: AtomicUsize::new(1),
            default_textures: DefaultTextures::new(device),
        })
    }

    /// Notes a new context of the group.
    pub(crate) fn enter(&self) {
        self.contexts.fetch_add(1, Ordering::AcqRel);
    }

    /// Notes the end of a context of the group.
    pub(crate) fn leave(&self) {
        self.contexts.fetch_sub(1, Ordering::AcqRel);
    }

    /// Whether anybody but the asking context may look at shared objects.
    #[inline]
    pub fn has_several_contexts(&self) -> bool {
        self.contexts.load(Ordering::Acquire) > 1
    }

    /// Whether some buffer is mapped in a way that keeps draws away.
    #[inline]
    pub fn has_exclusive_mappings(&self) -> bool {
        self.exclusive_mappings.load(Ordering::Acquire) != 0
    }

    /// Counts such a mapping for as long as what is returned lives.
    pub(crate) fn exclusive_mapping(&self) -> ExclusiveMapping {
        self.exclusive_mappings.fetch_add(1, Ordering::AcqRel);
        ExclusiveMapping(Arc::clone(&self.exclusive_mappings))
    }

    /// The epoch, to compare with one read earlier.
    #[inline(always)]
    pub fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    /// Notes that a shared object changed so that draws of any context must look at it again; the epoch from then on.
    pub fn bump_epoch(&self) -> u64 {
        self.epoch.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// A value no sync object of this group has had.
    pub fn new_sync_value(&self) -> GLsync {
        // Multiples of 16 look like the pointers programs expect.
        self.next_sync.fetch_add(1, Ordering::Relaxed) << 4
    }

    /// The buffer of a name.
    pub fn buffer(&self, name: GLuint) -> Option<Arc<Buffer>> {
        let buffer = self.buffers.lock().get(name).cloned();
        // Commands that take a name may write.
        buffer.inspect(|buffer| buffer.touch())
    }

    /// The texture of a name.
    pub fn texture(&self, name: GLuint) -> Option<Arc<Texture>> {
        self.textures.lock().get(name).cloned()
    }

    /// The sampler of a name.
    pub fn sampler(&self, name: GLuint) -> Option<Arc<Sampler>> {
        self.samplers.lock().get(name).cloned()
    }

    /// The renderbuffer of a name.
    pub fn renderbuffer(&self, name: GLuint) -> Option<Arc<Renderbuffer>> {
        self.renderbuffers.lock().get(name).cloned()
    }

    /// The program of a name.
    pub fn program(&self, name: GLuint) -> Option<Arc<Program>> {
        match self.programs.lock().get(name) {
            Some(ShaderOrProgram::Program(program)) => Some(Arc::clone(program)),
            _ => None,
        }
    }

    /// The shader of a name.
    pub fn shader(&self, name: GLuint) -> Option<Arc<Shader>> {
        match self.programs.lock().get(name) {
            Some(ShaderOrProgram::Shader(shader)) => Some(Arc::clone(shader)),
            _ => None,
        }
    }
}
