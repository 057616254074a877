//! Buffers, textures, views and windows.

use crate::format::Format;
use crate::handle::{BufferId, TextureId};
use crate::pod::{pod_enum, pod_flags, pod_struct};

pod_flags! {
    /// How a resource may be bound. A hint for placement on buffers; binding for textures.
    pub Bind: u32 {
        /// Vertex buffer.
        VERTEX = 1 << 0,
        /// Index buffer.
        INDEX = 1 << 1,
        /// Uniform buffer.
        UNIFORM = 1 << 2,
        /// Storage buffer.
        STORAGE = 1 << 3,
        /// Buffer texture.
        TEXTURE_BUFFER = 1 << 4,
        /// Transform feedback target.
        XFB = 1 << 5,
        /// Indirect arguments.
        INDIRECT = 1 << 6,
        /// Query results.
        QUERY_RESULT = 1 << 7,
        /// Pixel transfer source or destination.
        TRANSFER = 1 << 8,
        /// Sampled texture.
        SAMPLED = 1 << 9,
        /// Colour attachment.
        COLOR = 1 << 10,
        /// Depth or stencil attachment.
        DEPTH_STENCIL = 1 << 11,
        /// Storage image.
        STORAGE_IMAGE = 1 << 12,
    }
}

pod_enum! {
    /// How the program says it will use a buffer.
    pub BufferUsage: u32 {
        /// Written once or rarely, used often by the device.
        STATIC = 0,
        /// Written often, used often by the device.
        DYNAMIC = 1,
        /// Written about once per use.
        STREAM = 2,
        /// Written by the device, read by the program.
        READBACK = 3,
    }
}

pod_flags! {
    /// Properties of a buffer that do not change.
    pub BufferFlags: u32 {
        /// May be mapped while in use.
        MAP_PERSISTENT = 1 << 0,
        /// Mapped writes are seen without a flush.
        MAP_COHERENT = 1 << 1,
        /// May be mapped for reading.
        MAP_READ = 1 << 2,
        /// May be mapped for writing.
        MAP_WRITE = 1 << 3,
        /// The program asked for host memory.
        CLIENT_STORAGE = 1 << 4,
        /// Sparse.
        SPARSE = 1 << 5,
    }
}

pod_struct! {
    /// Describes a buffer. Its bytes start undefined, as zeros where the driver can do so for free.
    pub BufferDesc {
        /// Bytes.
        size: u64,
        /// Expected bindings; any binding must still work.
        bind: Bind,
        /// Expected access.
        usage: BufferUsage,
        /// Fixed properties.
        flags: BufferFlags,
        /// Zero.
        reserved: u32,
    }
}

pod_enum! {
    /// Dimensionality of a texture or view.
    pub TextureDim: u8 {
        /// One-dimensional.
        D1 = 0,
        /// Two-dimensional.
        D2 = 1,
        /// Three-dimensional.
        D3 = 2,
        /// Six square faces.
        CUBE = 3,
        /// Array of 1D.
        D1_ARRAY = 4,
        /// Array of 2D.
        D2_ARRAY = 5,
        /// Array of cubes; `layers` counts faces.
        CUBE_ARRAY = 6,
        /// Two-dimensional, addressed in texels by the shader.
        RECT = 7,
        /// Texels of a buffer.
        BUFFER = 8,
    }
}

pod_flags! {
    /// Properties of a texture that do not change.
    pub TextureFlags: u8 {
        /// Rows are stored top first, as a window system wants them. The driver turns everything that
        /// renders to, reads, writes, or copies such a texture, so that callers always speak GL's row order.
        SURFACE_ORIENTED = 1 << 0,
        /// Views may use another format of the same size class.
        MUTABLE_FORMAT = 1 << 1,
        /// Allocate sample positions fixed for all formats.
        FIXED_SAMPLE_LOCATIONS = 1 << 2,
        /// Sparse.
        SPARSE = 1 << 3,
        /// Short-lived: contents need not survive between batches once invalidated.
        TRANSIENT = 1 << 4,
    }
}

pod_struct! {
    /// Describes a texture with all of its levels and layers.
    pub TextureDesc {
        /// Texel format.
        format: Format,
        /// Dimensionality. `BUFFER` is made by `create_buffer_texture` instead.
        dim: TextureDim,
        /// Fixed properties.
        flags: TextureFlags,
        /// Texels of level 0.
        width: u32,
        /// Texels of level 0; 1 for 1D.
        height: u32,
        /// Texels of level 0; 1 unless 3D.
        depth: u32,
        /// Array layers; cube faces count: 6 for a cube.
        layers: u32,
        /// Mip levels, at least 1.
        levels: u32,
        /// Samples, at least 1.
        samples: u32,
        /// Every binding that will be used.
        bind: Bind,
    }
}

pod_struct! {
    /// A texture that shares another's storage (texture view).
    pub TextureAliasDesc {
        /// The texture whose storage is shared.
        source: TextureId,
        /// Format of the alias; same size class as the source's.
        format: Format,
        /// Dimensionality of the alias.
        dim: TextureDim,
        /// Zero.
        reserved: u8,
        /// First level.
        first_level: u32,
        /// Levels.
        level_count: u32,
        /// First layer.
        first_layer: u32,
        /// Layers.
        layer_count: u32,
    }
}

pod_struct! {
    /// A range of a buffer seen as texels.
    pub BufferTextureDesc {
        /// The buffer.
        buffer: BufferId,
        /// Bytes from the buffer's start.
        offset: u64,
        /// Bytes.
        size: u64,
        /// Texel format.
        format: Format,
        /// Zero.
        reserved: [u16; 3],
    }
}

pod_enum! {
    /// Source of one channel of a view.
    pub Swizzle: u8 {
        /// Red.
        R = 0,
        /// Green.
        G = 1,
        /// Blue.
        B = 2,
        /// Alpha.
        A = 3,
        /// Constant zero.
        ZERO = 4,
        /// Constant one.
        ONE = 5,
    }
}

impl Swizzle {
    /// Every channel from itself.
    pub const IDENTITY: [Swizzle; 4] = [Swizzle::R, Swizzle::G, Swizzle::B, Swizzle::A];
}

pod_enum! {
    /// Which aspect of a depth-stencil texture a view samples.
    pub ViewAspect: u8 {
        /// Colour, or depth for depth formats.
        DEFAULT = 0,
        /// Stencil.
        STENCIL = 1,
    }
}

pod_struct! {
    /// How shaders see a texture.
    pub SamplerViewDesc {
        /// The texture, or a buffer texture.
        texture: TextureId,
        /// Format; linear or sRGB, or another of the class when the texture allows it.
        format: Format,
        /// Dimensionality the shader expects.
        dim: TextureDim,
        /// Sampled aspect.
        aspect: ViewAspect,
        /// Channel sources, applied after the format's conversion.
        swizzle: [Swizzle; 4],
        /// First level.
        first_level: u32,
        /// Levels.
        level_count: u32,
        /// First layer.
        first_layer: u32,
        /// Layers.
        layer_count: u32,
    }
}

/// A native window, by the platform's own identity. It stays inside the process and never enters the codec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NativeWindow {
    /// An Xlib display pointer and a window id.
    Xlib {
        /// `Display *`.
        display: usize,
        /// `Window`.
        window: u64,
    },
    /// An XCB connection pointer and a window id.
    Xcb {
        /// `xcb_connection_t *`.
        connection: usize,
        /// `xcb_window_t`.
        window: u32,
    },
    /// Wayland display and surface pointers.
    Wayland {
        /// `wl_display *`.
        display: usize,
        /// `wl_surface *`.
        surface: usize,
    },
    /// An Android window.
    Android {
        /// `ANativeWindow *`.
        window: usize,
    },
    /// No window system: presents go nowhere. For tests.
    Headless,
}

pod_struct! {
    /// Describes a window's image queue.
    pub WindowDesc {
        /// Format of the images.
        format: Format,
        /// Zero.
        reserved: u16,
        /// Pixels, as the window system last said.
        width: u32,
        /// Pixels.
        height: u32,
        /// Images wanted; the driver may make more.
        min_images: u32,
    }
}

pod_enum! {
    /// What a presentation came to.
    pub PresentStatus: u32 {
        /// The image is on its way.
        DONE = 0,
        /// It is, but the window has changed; the extent says how.
        SUBOPTIMAL = 1,
        /// The window is gone.
        WINDOW_LOST = 2,
        /// The device is lost.
        DEVICE_LOST = 3,
    }
}

pod_struct! {
    /// Answer to a presentation or an extent query.
    pub WindowState {
        /// What happened.
        status: PresentStatus,
        /// Present width in pixels.
        width: u32,
        /// Present height in pixels.
        height: u32,
        /// Presentations since the next back image was itself presented; 0 means its content is undefined.
        buffer_age: u32,
    }
}

/// A handle to memory of another API or process. Stays inside the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExternalMemory {
    /// An opaque file descriptor; ownership passes with a successful import.
    OpaqueFd(i32),
    /// A dma-buf with its plane layout; ownership passes with a successful import.
    DmaBuf {
        /// The descriptor.
        fd: i32,
        /// DRM format modifier.
        modifier: u64,
        /// Bytes to the first row.
        offset: u64,
        /// Bytes between rows.
        stride: u32,
    },
}
