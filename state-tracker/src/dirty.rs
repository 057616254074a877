//! Which parts of a context's state may differ from what its driver was last told.
//!
//! A setter sets bits; a verb runs the atoms they wake and clears them. A bit may be set too often, never too
//! rarely: the verify driver finds the latter.

/// A set of dirty bits. Opaque, so that it can grow past one word without touching its users.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct DirtySet(u64);

macro_rules! bits {
    ($($(#[$doc:meta])* $name:ident,)+) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u8)]
        enum Index { $($name),+ }

        impl DirtySet {
            $($(#[$doc])* pub const $name: Self = Self(1 << Index::$name as u8);)+

            /// Every bit.
            pub const ALL: Self = Self(0 $(| (1 << Index::$name as u8))+);
            /// Number of bits.
            pub const COUNT: usize = [$(Index::$name as u8),+].len();
            const NAMES: [&'static str; Self::COUNT] = [$(stringify!($name)),+];
        }
    };
}

bits! {
    /// Attachments of the draw framebuffer, its draw buffers, or the window behind it.
    FRAMEBUFFER,
    /// Viewport rectangles and depth ranges.
    VIEWPORT,
    /// Scissor rectangles.
    SCISSOR,
    /// Culling, polygon modes, offsets, widths, scissor and multisample enables, clip control and distances.
    RASTERIZER,
    /// Blend enables, equations, functions, colour masks, logic op, alpha to coverage.
    BLEND,
    /// Blend colour.
    BLEND_COLOR,
    /// Depth and stencil tests and masks.
    DEPTH_STENCIL,
    /// Stencil reference values.
    STENCIL_REF,
    /// Sample coverage and sample mask.
    SAMPLE_MASK,
    /// Sample shading.
    MIN_SAMPLES,
    /// Program in use, or a new link of it.
    PROGRAM,
    /// Bytes of the program's default block.
    UNIFORMS,
    /// Vertex array in use: its formats, enables, bindings, divisors.
    VERTEX_ARRAY,
    /// Buffers, offsets or strides of vertex buffer bindings.
    VERTEX_BUFFERS,
    /// Current values of generic attributes.
    CURRENT_ATTRIBUTES,
    /// Element array buffer.
    INDEX_BUFFER,
    /// Indexed uniform buffer bindings, or a block's binding number.
    UNIFORM_BUFFERS,
    /// Indexed shader storage bindings.
    STORAGE_BUFFERS,
    /// Indexed atomic counter bindings.
    ATOMIC_BUFFERS,
    /// Texture bindings, parameters, storage, or a sampler uniform's unit.
    TEXTURES,
    /// Textures bound to the units that the texture state notes as changed, and nothing else about textures.
    TEXTURE_UNITS,
    /// Sampler objects or a texture's own sampler state.
    SAMPLERS,
    /// Image unit bindings.
    IMAGES,
    /// Transform feedback state and targets.
    XFB,
    /// Conditional rendering.
    RENDER_CONDITION,
    /// Patch size and default levels.
    PATCH,
    /// Polygon stipple pattern.
    POLYGON_STIPPLE,
    /// Clip planes of the compatibility profile.
    CLIP_PLANES,
    /// Enables, modes and environments of the compatibility profile that the code of programs depends on.
    FIXED_FUNCTION,
    /// Matrices, lights, materials and what else of the compatibility profile built-in uniforms show.
    STATE_VALUES,
}

impl DirtySet {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Both sets' bits.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Bits in both.
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Bits of this set that are not in the other.
    pub const fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether no bit is set.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether any bit is in both.
    #[inline(always)]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Adds bits.
    #[inline(always)]
    pub fn insert(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Removes bits.
    #[inline(always)]
    pub fn remove(&mut self, other: Self) {
        self.0 &= !other.0;
    }

    /// Indices of the bits set, lowest first.
    pub fn indices(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let index = left.trailing_zeros() as usize;
            left &= left - 1;
            Some(index)
        })
    }

    /// The set with only bit `index`.
    pub const fn from_index(index: usize) -> Self {
        Self(1 << index)
    }
}

impl std::ops::BitOr for DirtySet {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl std::fmt::Debug for DirtySet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.indices().map(|i| Self::NAMES.get(i).copied().unwrap_or("?"))).finish()
    }
}
