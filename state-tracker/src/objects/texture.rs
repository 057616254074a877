//! Texture objects: their images, parameters and completeness (GL 4.6 core 8.1, 8.10, 8.17).
//!
//! A texture's images are specified one by one and may disagree with each other; the driver's textures
//! ([`Storage`]) are whole. Each [`Image`] says where its texels are. [`TextureState::finalize`] brings the images that
//! sampling needs together in one storage.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gallite_pipe::{BufferId, BufferTextureDesc, Format, SamplerViewDesc, SamplerViewId, TextureDim, TextureId};
use parking_lot::Mutex;
use smallvec::SmallVec;

use crate::device::Device;
use crate::gl::*;
use crate::objects::buffer::Buffer;
use crate::objects::sampler::SamplerParams;
use crate::objects::texture_storage::{Place, Storage};
use crate::pixels::internal::InternalFormat;
use crate::share::ObjectHeader;

/// Levels a texture can have at most (2^15 texels).
pub const MAX_LEVELS: usize = 16;

/// A texture target without the distinction of cube faces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum TextureKind {
    /// GL_TEXTURE_1D.
    D1,
    /// GL_TEXTURE_2D.
    D2,
    /// GL_TEXTURE_3D.
    D3,
    /// GL_TEXTURE_CUBE_MAP.
    Cube,
    /// GL_TEXTURE_1D_ARRAY.
    D1Array,
    /// GL_TEXTURE_2D_ARRAY.
    D2Array,
    /// GL_TEXTURE_CUBE_MAP_ARRAY.
    CubeArray,
    /// GL_TEXTURE_RECTANGLE.
    Rect,
    /// GL_TEXTURE_BUFFER.
    Buffer,
    /// GL_TEXTURE_2D_MULTISAMPLE.
    Multisample,
    /// GL_TEXTURE_2D_MULTISAMPLE_ARRAY.
    MultisampleArray,
}

impl TextureKind {
    /// Every kind, by its number.
    pub const ALL: [Self; 11] = [
        Self::D1,
        Self::D2,
        Self::D3,
        Self::Cube,
        Self::D1Array,
        Self::D2Array,
        Self::CubeArray,
        Self::Rect,
        Self::Buffer,
        Self::Multisample,
        Self::MultisampleArray,
    ];
    /// Number of kinds.
    pub const COUNT: usize = Self::ALL.len();

    /// The kind of a target that textures can be bound to.
    pub fn from_target(target: GLenum) -> Option<Self> {
        Some(match target {
            GL_TEXTURE_1D => Self::D1,
            GL_TEXTURE_2D => Self::D2,
            GL_TEXTURE_3D => Self::D3,
            GL_TEXTURE_CUBE_MAP => Self::Cube,
            GL_TEXTURE_1D_ARRAY => Self::D1Array,
            GL_TEXTURE_2D_ARRAY => Self::D2Array,
            GL_TEXTURE_CUBE_MAP_ARRAY => Self::CubeArray,
            GL_TEXTURE_RECTANGLE => Self::Rect,
            GL_TEXTURE_BUFFER => Self::Buffer,
            GL_TEXTURE_2D_MULTISAMPLE => Self::Multisample,
            GL_TEXTURE_2D_MULTISAMPLE_ARRAY => Self::MultisampleArray,
            _ => return None,
        })
    }

    /// The target textures of this kind are bound to.
    pub fn target(self) -> GLenum {
        match self {
            Self::D1 => GL_TEXTURE_1D,
            Self::D2 => GL_TEXTURE_2D,
            Self::D3 => GL_TEXTURE_3D,
            Self::Cube => GL_TEXTURE_CUBE_MAP,
            Self::D1Array => GL_TEXTURE_1D_ARRAY,
            Self::D2Array => GL_TEXTURE_2D_ARRAY,
            Self::CubeArray => GL_TEXTURE_CUBE_MAP_ARRAY,
            Self::Rect => GL_TEXTURE_RECTANGLE,
            Self::Buffer => GL_TEXTURE_BUFFER,
            Self::Multisample => GL_TEXTURE_2D_MULTISAMPLE,
            Self::MultisampleArray => GL_TEXTURE_2D_MULTISAMPLE_ARRAY,
        }
    }

    /// Dimensionality in the driver's terms.
    pub fn dim(self) -> TextureDim {
        match self {
            Self::D1 => TextureDim::D1,
            Self::D2 | Self::Multisample => TextureDim::D2,
            Self::D3 => TextureDim::D3,
            Self::Cube => TextureDim::CUBE,
            Self::D1Array => TextureDim::D1_ARRAY,
            Self::D2Array | Self::MultisampleArray => TextureDim::D2_ARRAY,
            Self::CubeArray => TextureDim::CUBE_ARRAY,
            Self::Rect => TextureDim::RECT,
            Self::Buffer => TextureDim::BUFFER,
        }
    }

    /// The kind a shader's sampler reads.
    pub fn from_dim(dim: TextureDim, multisample: bool) -> Option<Self> {
        Some(match dim {
            TextureDim::D1 => Self::D1,
            TextureDim::D2 if multisample => Self::Multisample,
            TextureDim::D2 => Self::D2,
            TextureDim::D3 => Self::D3,
            TextureDim::CUBE => Self::Cube,
            TextureDim::D1_ARRAY => Self::D1Array,
            TextureDim::D2_ARRAY if multisample => Self::MultisampleArray,
            TextureDim::D2_ARRAY => Self::D2Array,
            TextureDim::CUBE_ARRAY => Self::CubeArray,
            TextureDim::RECT => Self::Rect,
            TextureDim::BUFFER => Self::Buffer,
            _ => return None,
        })
    }

    /// True for multisample kinds.
    pub fn is_multisample(self) -> bool {
        matches!(self, Self::Multisample | Self::MultisampleArray)
    }

    /// True when textures of this kind can have more than one level.
    pub fn has_levels(self) -> bool {
        !matches!(self, Self::Rect | Self::Buffer | Self::Multisample | Self::MultisampleArray)
    }

    /// Images of one level: six faces of a cube map, else one.
    pub fn faces(self) -> usize {
        if self == Self::Cube { 6 } else { 1 }
    }

    /// Coordinates that wrap.
    pub fn axes(self) -> usize {
        match self {
            Self::D1 | Self::D1Array | Self::Buffer => 1,
            Self::D3 => 3,
            _ => 2,
        }
    }

    /// Size of level `level` when level 0 is `size` (width, height, depth as GL counts them: layers stay).
    pub fn level_size(self, size: [u32; 3], level: u32) -> [u32; 3] {
        let half = |v: u32| (v >> level.min(31)).max(1);
        match self {
            Self::D1 => [half(size[0]), size[1], size[2]],
            Self::D1Array => [half(size[0]), size[1], size[2]],
            Self::D3 => size.map(half),
            _ => [half(size[0]), half(size[1]), size[2]],
        }
    }

    /// Size of level 0 when level `level` is `size`; exact only for powers of two, but always such that `level` comes out right.
    pub fn base_size(self, size: [u32; 3], level: u32) -> [u32; 3] {
        let double = |v: u32| v.checked_shl(level).unwrap_or(0);
        match self {
            Self::D1 | Self::D1Array => [double(size[0]), size[1], size[2]],
            Self::D3 => size.map(double),
            _ => [double(size[0]), double(size[1]), size[2]],
        }
    }

    /// Levels of a full chain from `size` down.
    pub fn level_count(self, size: [u32; 3]) -> u32 {
        if !self.has_levels() {
            return 1;
        }
        let largest = match self {
            Self::D1 | Self::D1Array => size[0],
            Self::D3 => size[0].max(size[1]).max(size[2]),
            _ => size[0].max(size[1]),
        };
        32 - largest.max(1).leading_zeros()
    }

    /// Width, height, depth and layers in the driver's terms.
    pub fn pipe_size(self, size: [u32; 3]) -> ([u32; 3], u32) {
        match self {
            Self::D1 => ([size[0], 1, 1], 1),
            Self::D1Array => ([size[0], 1, 1], size[1]),
            Self::D3 => (size, 1),
            Self::Cube => ([size[0], size[1], 1], 6),
            Self::D2Array | Self::CubeArray | Self::MultisampleArray => ([size[0], size[1], 1], size[2]),
            Self::D2 | Self::Rect | Self::Multisample | Self::Buffer => ([size[0], size[1], 1], 1),
        }
    }
}

/// Face of a cube map face target, 0 for other targets.
pub fn face_of(target: GLenum) -> usize {
    match target {
        GL_TEXTURE_CUBE_MAP_POSITIVE_X..=GL_TEXTURE_CUBE_MAP_NEGATIVE_Z => {
            (target - GL_TEXTURE_CUBE_MAP_POSITIVE_X) as usize
        }
        _ => 0,
    }
}

/// One image: a level of a texture, or of a face of a cube map.
#[derive(Clone)]
pub struct Image {
    /// What the program asked for.
    pub internal: &'static InternalFormat,
    /// What it is stored in.
    pub format: Format,
    /// Width, height and depth as GL counts them (layers of an array are its last size).
    pub size: [u32; 3],
    /// Samples; 0 for images that are not multisampled.
    pub samples: u32,
    /// GL_TEXTURE_FIXED_SAMPLE_LOCATIONS.
    pub fixed_samples: bool,
    /// Where the texels are; `None` when there are none.
    pub place: Option<Place>,
    /// The program's blocks, when the device cannot store them and they were decoded.
    pub blocks: Option<Arc<[u8]>>,
}

impl Image {
    /// True when both can be levels or faces of one texture, sizes aside.
    pub fn same_format(&self, other: &Self) -> bool {
        std::ptr::eq(self.internal, other.internal)
            && self.format == other.format
            && self.samples == other.samples
            && self.fixed_samples == other.fixed_samples
    }

    /// True when there is no texel.
    pub fn is_empty(&self) -> bool {
        self.size.contains(&0)
    }
}

/// Parameters of GL 4.6 core table 23.16 that a sampler object doesn't have.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TextureParams {
    /// GL_TEXTURE_BASE_LEVEL.
    pub base_level: u32,
    /// GL_TEXTURE_MAX_LEVEL.
    pub max_level: u32,
    /// GL_TEXTURE_SWIZZLE_R, _G, _B, _A.
    pub swizzle: [GLenum; 4],
    /// GL_DEPTH_STENCIL_TEXTURE_MODE.
    pub depth_stencil_mode: GLenum,
    /// GL_DEPTH_TEXTURE_MODE (compatibility profile; GL_RED in the core profile).
    pub depth_mode: GLenum,
    /// GL_GENERATE_MIPMAP (compatibility profile).
    pub generate_mipmap: bool,
    /// GL_TEXTURE_PRIORITY (compatibility profile).
    pub priority: f32,
}

/// A buffer attached by glTexBuffer.
#[derive(Clone)]
pub struct BufferAttachment {
    /// The buffer.
    pub buffer: Arc<Buffer>,
    /// What the program asked for.
    pub internal: &'static InternalFormat,
    /// How texels lie.
    pub format: Format,
    /// Bytes from the buffer's start.
    pub offset: u64,
    /// Bytes; `None` means to the buffer's end, wherever that is.
    pub size: Option<u64>,
}

impl BufferAttachment {
    /// The driver's texture of the buffer's texels in a format, as the buffer is now: `storage`. `None` without texels.
    // GL 4.6 core 8.9: the texels are those of the buffer as it is now, up to the limit.
    pub(crate) fn texels(&self, storage: (BufferId, u64), format: Format, most: u64) -> Option<BufferTextureDesc> {
        let (buffer, bytes) = storage;
        let texel = u64::from(format.block_bytes());
        let available = bytes.saturating_sub(self.offset);
        let size = self.size.unwrap_or(available).min(available).min(most * texel) / texel * texel;
        let desc = BufferTextureDesc { buffer, offset: self.offset, size, format, reserved: [0; 3] };
        (size != 0 && !buffer.is_null()).then_some(desc)
    }
}

/// A sampler view of a texture, with the generation it was last used in.
pub(crate) struct View {
    pub(crate) desc: SamplerViewDesc,
    pub(crate) id: SamplerViewId,
    pub(crate) used: u64,
}

/// Range of a texture view in its origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ViewRange {
    /// GL_TEXTURE_VIEW_MIN_LEVEL.
    pub min_level: u32,
    /// GL_TEXTURE_VIEW_NUM_LEVELS.
    pub num_levels: u32,
    /// GL_TEXTURE_VIEW_MIN_LAYER.
    pub min_layer: u32,
    /// GL_TEXTURE_VIEW_NUM_LAYERS.
    pub num_layers: u32,
}

/// Everything about a texture that changes.
pub struct TextureState {
    /// Sampling parameters of its own.
    pub sampler: SamplerParams,
    /// Other parameters.
    pub params: TextureParams,
    /// Images by face, then level.
    pub faces: SmallVec<[Vec<Option<Image>>; 1]>,
    /// The storage most images are in, and the level its first level stands for.
    pub storage: Option<Arc<Storage>>,
    /// Level of the texture that is level 0 of `storage`.
    pub first_level: u32,
    /// GL_TEXTURE_IMMUTABLE_FORMAT.
    pub immutable: bool,
    /// GL_TEXTURE_IMMUTABLE_LEVELS.
    pub immutable_levels: u32,
    /// Range in the texture it is a view of.
    pub view_range: ViewRange,
    /// Buffer of a buffer texture.
    pub buffer: Option<BufferAttachment>,
    /// Internal format last given for a buffer, which outlives the buffer.
    pub buffer_internal: u32,
    /// The driver's buffer texture, with what it was made of.
    pub(crate) buffer_texture: Option<(BufferTextureDesc, TextureId)>,
    /// The same for image units, whose format may be another.
    pub(crate) image_texture: Option<(BufferTextureDesc, TextureId)>,
    pub(crate) views: SmallVec<[View; 2]>,
}

/// A texture object.
pub struct Texture {
    /// Name, label, generation.
    pub header: ObjectHeader,
    /// Target it was first bound to or created for.
    pub target: GLenum,
    /// The same, closed.
    pub kind: TextureKind,
    /// Number never given to another texture of the process.
    pub serial: u64,
    /// What changes.
    pub state: Mutex<TextureState>,
    device: Arc<Device>,
}

impl std::fmt::Debug for Texture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Texture").field("name", &self.header.name).field("kind", &self.kind).finish_non_exhaustive()
    }
}

static NEXT_SERIAL: AtomicU64 = AtomicU64::new(1);

impl Texture {
    /// A texture without images.
    pub fn new(device: &Arc<Device>, name: GLuint, kind: TextureKind, compatibility: bool) -> Self {
        let mut sampler = SamplerParams::default();
        // GL 4.6 core 8.10: rectangle textures start with clamped, linear sampling.
        if kind == TextureKind::Rect {
            sampler.wrap = [GL_CLAMP_TO_EDGE; 3];
            sampler.min_filter = GL_LINEAR;
        }
        let params = TextureParams {
            base_level: 0,
            max_level: 1000,
            swizzle: [GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA],
            depth_stencil_mode: GL_DEPTH_COMPONENT,
            depth_mode: if compatibility { GL_LUMINANCE } else { GL_RED },
            generate_mipmap: false,
            priority: 1.0,
        };
        let state = TextureState {
            sampler,
            params,
            faces: (0..kind.faces()).map(|_| Vec::new()).collect(),
            storage: None,
            first_level: 0,
            immutable: false,
            immutable_levels: 0,
            view_range: ViewRange::default(),
            buffer: None,
            buffer_internal: crate::gl::GL_R8,
            buffer_texture: None,
            image_texture: None,
            views: SmallVec::new(),
        };
        Self {
            header: ObjectHeader::new(name),
            target: kind.target(),
            kind,
            serial: NEXT_SERIAL.fetch_add(1, Ordering::Relaxed),
            state: Mutex::new(state),
            device: Arc::clone(device),
        }
    }

    /// The screen it lives on.
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }
}

impl Drop for Texture {
    fn drop(&mut self) {
        let state = self.state.get_mut();
        for view in state.views.drain(..) {
            self.device.destroy_view(view.id);
        }
        state.drop_buffer_texture(&self.device);
        state.drop_image_texture(&self.device);
    }
}

/// How far a texture is complete (GL 4.6 core 8.17).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Completeness {
    /// Its base level exists in all faces; enough without mipmap filters.
    pub base: bool,
    /// All levels that mipmap filters use exist.
    pub mipmap: bool,
    /// First level used.
    pub first: u32,
    /// Last level used by mipmap filters.
    pub last: u32,
}

impl TextureState {
    /// Gives up the driver's buffer texture and the views of it.
    pub(crate) fn drop_buffer_texture(&mut self, device: &Device) {
        let Some((_, id)) = self.buffer_texture.take() else { return };
        self.views.retain(|view| {
            if view.desc.texture != id {
                return true;
            }
            device.destroy_view(view.id);
            false
        });
        device.screen.destroy_texture(id);
        device.release(id);
    }

    /// Gives up the driver's buffer texture of image units.
    pub(crate) fn drop_image_texture(&mut self, device: &Device) {
        if let Some((_, id)) = self.image_texture.take() {
            device.screen.destroy_texture(id);
            device.release(id);
        }
    }

    /// The image of a face and level.
    pub fn image(&self, face: usize, level: u32) -> Option<&Image> {
        self.faces.get(face)?.get(level as usize)?.as_ref()
    }

    /// The image of a face and level.
    pub fn image_mut(&mut self, face: usize, level: u32) -> Option<&mut Image> {
        self.faces.get_mut(face)?.get_mut(level as usize)?.as_mut()
    }

    /// Replaces the image of a face and level.
    pub fn set_image(&mut self, face: usize, level: u32, image: Option<Image>) {
        let Some(levels) = self.faces.get_mut(face) else { return };
        if levels.len() <= level as usize {
            levels.resize_with(level as usize + 1, || None);
        }
        levels[level as usize] = image;
    }

    /// Base level in force. GL 4.6 core 8.17: immutable textures clamp it to their levels.
    pub fn effective_base(&self) -> u32 {
        if self.immutable {
            self.params.base_level.min(self.view_range.num_levels.saturating_sub(1))
        } else {
            self.params.base_level
        }
    }

    /// Maximum level in force.
    pub fn effective_max(&self) -> u32 {
        if self.immutable {
            self.params
                .max_level
                .clamp(self.effective_base(), self.view_range.num_levels.saturating_sub(1).max(self.effective_base()))
        } else {
            self.params.max_level
        }
    }

    /// The image of the base level that decides format queries and sampling.
    pub fn base_image(&self) -> Option<&Image> {
        self.image(0, self.effective_base())
    }

    /// Whether the texture can be sampled, and from which levels.
    pub fn completeness(&self, kind: TextureKind) -> Completeness {
        let first = self.effective_base();
        let mut result = Completeness { base: false, mipmap: false, first, last: first };
        let Some(base) = self.image(0, first) else { return result };
        if base.is_empty() {
            return result;
        }
        let cube_ok = |level: u32, like: &Image| {
            (0..kind.faces())
                .all(|face| self.image(face, level).is_some_and(|i| i.size == like.size && i.same_format(like)))
        };
        // GL 4.6 core 8.17: a cube map needs equal square faces.
        if kind == TextureKind::Cube && (base.size[0] != base.size[1] || !cube_ok(first, base)) {
            return result;
        }
        result.base = true;
        let max = self.effective_max();
        if max < first {
            return result;
        }
        let last = (first + kind.level_count(base.size) - 1).min(max);
        result.mipmap = (first + 1..=last).all(|level| {
            let size = kind.level_size(base.size, level - first);
            let same = |face: usize| self.image(face, level).is_some_and(|i| i.size == size && i.same_format(base));
            (0..kind.faces()).all(same)
        });
        result.last = last;
        result
    }
}

/// Textures that stand in where the program has none: the texture of name 0 of each target.
pub struct DefaultTextures {
    textures: [Arc<Texture>; TextureKind::COUNT],
}

impl DefaultTextures {
    /// One empty texture for each target.
    pub fn new(device: &Arc<Device>) -> Self {
        Self { textures: TextureKind::ALL.map(|kind| Arc::new(Texture::new(device, 0, kind, false))) }
    }

    /// Texture 0 of a target.
    pub fn get(&self, kind: TextureKind) -> &Arc<Texture> {
        &self.textures[kind as usize]
    }
}
