//! Pipeline state: content-addressed state objects and plain settable state.

use crate::format::Format;
use crate::handle::{BufferId, QueryId, SamplerId, SamplerViewId, TextureId, XfbTargetId};
use crate::pod::{F32, pod_enum, pod_flags, pod_struct};
use crate::resource::TextureDim;

/// Colour attachments of a framebuffer.
pub const MAX_COLOR_ATTACHMENTS: usize = 8;
/// Generic vertex attributes.
pub const MAX_VERTEX_ATTRIBUTES: usize = 32;
/// Vertex buffer bindings.
pub const MAX_VERTEX_BINDINGS: usize = 32;
/// Viewports and scissors.
pub const MAX_VIEWPORTS: usize = 16;
/// Transform feedback targets.
pub const MAX_XFB_TARGETS: usize = 4;
/// User clip planes.
pub const MAX_CLIP_PLANES: usize = 8;
/// Sampled textures of one program, over all stages.
pub const MAX_PROGRAM_SAMPLERS: usize = 192;

pod_enum! {
    /// Comparison of an incoming value with a stored one.
    pub CompareFunc: u8 {
        /// Never passes.
        NEVER = 0,
        /// Incoming is less.
        LESS = 1,
        /// Equal.
        EQUAL = 2,
        /// Less or equal.
        LEQUAL = 3,
        /// Greater.
        GREATER = 4,
        /// Different.
        NOTEQUAL = 5,
        /// Greater or equal.
        GEQUAL = 6,
        /// Always passes.
        ALWAYS = 7,
    }
}

pod_enum! {
    /// Blend factor.
    pub BlendFactor: u8 {
        /// 0.
        ZERO = 0,
        /// 1.
        ONE = 1,
        /// Source colour.
        SRC_COLOR = 2,
        /// 1 - source colour.
        ONE_MINUS_SRC_COLOR = 3,
        /// Source alpha.
        SRC_ALPHA = 4,
        /// 1 - source alpha.
        ONE_MINUS_SRC_ALPHA = 5,
        /// Destination colour.
        DST_COLOR = 6,
        /// 1 - destination colour.
        ONE_MINUS_DST_COLOR = 7,
        /// Destination alpha.
        DST_ALPHA = 8,
        /// 1 - destination alpha.
        ONE_MINUS_DST_ALPHA = 9,
        /// min(source alpha, 1 - destination alpha).
        SRC_ALPHA_SATURATE = 10,
        /// Constant colour.
        CONSTANT_COLOR = 11,
        /// 1 - constant colour.
        ONE_MINUS_CONSTANT_COLOR = 12,
        /// Constant alpha.
        CONSTANT_ALPHA = 13,
        /// 1 - constant alpha.
        ONE_MINUS_CONSTANT_ALPHA = 14,
        /// Second source colour.
        SRC1_COLOR = 15,
        /// 1 - second source colour.
        ONE_MINUS_SRC1_COLOR = 16,
        /// Second source alpha.
        SRC1_ALPHA = 17,
        /// 1 - second source alpha.
        ONE_MINUS_SRC1_ALPHA = 18,
    }
}

pod_enum! {
    /// How weighted source and destination combine.
    pub BlendOp: u8 {
        /// Sum.
        ADD = 0,
        /// Source - destination.
        SUBTRACT = 1,
        /// Destination - source.
        REVERSE_SUBTRACT = 2,
        /// Minimum, factors ignored.
        MIN = 3,
        /// Maximum, factors ignored.
        MAX = 4,
    }
}

pod_enum! {
    /// Bitwise operation between source and destination, in GL's order from 0x1500.
    pub LogicOp: u8 {
        /// 0.
        CLEAR = 0,
        /// s & d.
        AND = 1,
        /// s & !d.
        AND_REVERSE = 2,
        /// s.
        COPY = 3,
        /// !s & d.
        AND_INVERTED = 4,
        /// d.
        NOOP = 5,
        /// s ^ d.
        XOR = 6,
        /// s | d.
        OR = 7,
        /// !(s | d).
        NOR = 8,
        /// !(s ^ d).
        EQUIV = 9,
        /// !d.
        INVERT = 10,
        /// s | !d.
        OR_REVERSE = 11,
        /// !s.
        COPY_INVERTED = 12,
        /// !s | d.
        OR_INVERTED = 13,
        /// !(s & d).
        NAND = 14,
        /// 1.
        SET = 15,
    }
}

pod_struct! {
    /// Blending of one colour attachment.
    pub BlendAttachment {
        /// 1 when blending is on.
        enable: u8,
        /// Colour factor of the source.
        src_color: BlendFactor,
        /// Colour factor of the destination.
        dst_color: BlendFactor,
        /// Colour operation.
        color_op: BlendOp,
        /// Alpha factor of the source.
        src_alpha: BlendFactor,
        /// Alpha factor of the destination.
        dst_alpha: BlendFactor,
        /// Alpha operation.
        alpha_op: BlendOp,
        /// Channels written: bits 0-3 are R, G, B, A.
        write_mask: u8,
    }
}

pod_struct! {
    /// Blend state object. Attachments past the framebuffer's count are zero, so that equal
    /// meaning is equal content; when `independent` is 0 all entries equal the first.
    pub BlendState {
        /// Per attachment.
        attachments: [BlendAttachment; MAX_COLOR_ATTACHMENTS],
        /// 1 when attachments differ.
        independent: u8,
        /// 1 when the logic op replaces blending.
        logic_op_enable: u8,
        /// The logic op.
        logic_op: LogicOp,
        /// 1: coverage from alpha.
        alpha_to_coverage: u8,
        /// 1: alpha set to one.
        alpha_to_one: u8,
        /// Zero.
        reserved: [u8; 3],
    }
}

pod_enum! {
    /// What happens to a stencil value.
    pub StencilOp: u8 {
        /// Kept.
        KEEP = 0,
        /// Zeroed.
        ZERO = 1,
        /// Replaced by the reference.
        REPLACE = 2,
        /// Incremented, clamped.
        INCR = 3,
        /// Decremented, clamped.
        DECR = 4,
        /// Incremented, wrapped.
        INCR_WRAP = 5,
        /// Decremented, wrapped.
        DECR_WRAP = 6,
        /// Inverted.
        INVERT = 7,
    }
}

pod_struct! {
    /// Stencil test of one facing.
    pub StencilFace {
        /// Comparison of (reference & mask) with (stored & mask).
        func: CompareFunc,
        /// When the stencil test fails.
        fail_op: StencilOp,
        /// When the depth test fails.
        depth_fail_op: StencilOp,
        /// When both pass.
        pass_op: StencilOp,
        /// Bits compared.
        compare_mask: u8,
        /// Bits written.
        write_mask: u8,
    }
}

pod_struct! {
    /// Depth-stencil state object.
    pub DepthStencilState {
        /// 1 when the depth test is on.
        depth_test: u8,
        /// 1 when depth is written (only with the test on).
        depth_write: u8,
        /// Depth comparison.
        depth_func: CompareFunc,
        /// 1 when the stencil test is on.
        stencil_test: u8,
        /// Front faces.
        front: StencilFace,
        /// Back faces.
        back: StencilFace,
        /// 1 when the depth bounds test is on.
        depth_bounds_test: u8,
        /// Zero.
        reserved: [u8; 3],
        /// Smallest stored depth that passes.
        depth_bounds_min: F32,
        /// Largest stored depth that passes.
        depth_bounds_max: F32,
    }
}

pod_enum! {
    /// How polygons are filled.
    pub PolygonMode: u8 {
        /// Interior.
        FILL = 0,
        /// Edges.
        LINE = 1,
        /// Vertices.
        POINT = 2,
    }
}

pod_flags! {
    /// Facings that are culled.
    pub CullFace: u8 {
        /// Front faces.
        FRONT = 1,
        /// Back faces.
        BACK = 2,
    }
}

pod_flags! {
    /// Switches of the rasterizer.
    pub RasterFlags: u32 {
        /// Counter-clockwise winding is front, in GL's window coordinates.
        FRONT_CCW = 1 << 0,
        /// Scissor test.
        SCISSOR = 1 << 1,
        /// Primitives are discarded before rasterization.
        DISCARD = 1 << 2,
        /// Depth clamped instead of near and far clipping.
        DEPTH_CLAMP = 1 << 3,
        /// Offset filled polygons.
        OFFSET_FILL = 1 << 4,
        /// Offset polygon edges drawn as lines.
        OFFSET_LINE = 1 << 5,
        /// Offset polygon vertices drawn as points.
        OFFSET_POINT = 1 << 6,
        /// Multisample rasterization.
        MULTISAMPLE = 1 << 7,
        /// Antialiased lines.
        LINE_SMOOTH = 1 << 8,
        /// Line stipple.
        LINE_STIPPLE = 1 << 9,
        /// Polygon stipple.
        POLYGON_STIPPLE = 1 << 10,
        /// The first vertex provokes; otherwise the last.
        PROVOKING_FIRST = 1 << 11,
        /// The shader writes the point size; otherwise `point_size` holds.
        POINT_SIZE_FROM_SHADER = 1 << 12,
        /// Point coordinates start at the lower left.
        POINT_COORD_LOWER_LEFT = 1 << 13,
        /// Clip space depth is [0, 1] instead of [-1, 1].
        CLIP_ZERO_TO_ONE = 1 << 14,
        /// Clip space y points down.
        CLIP_UPPER_LEFT = 1 << 15,
        /// Antialiased points.
        POINT_SMOOTH = 1 << 16,
        /// Antialiased polygons.
        POLYGON_SMOOTH = 1 << 17,
        /// Fragment colours are clamped to [0, 1].
        CLAMP_FRAGMENT_COLOR = 1 << 18,
        /// Flat shading of compatibility colours.
        FLAT_SHADE = 1 << 19,
        /// Bottom edge rule of the window's lower left origin.
        BOTTOM_EDGE_RULE = 1 << 20,
    }
}

pod_struct! {
    /// Rasterizer state object. Fields whose switch is off are zero.
    pub RasterizerState {
        /// Switches.
        flags: RasterFlags,
        /// Fill of front faces.
        front_mode: PolygonMode,
        /// Fill of back faces.
        back_mode: PolygonMode,
        /// Culled facings.
        cull: CullFace,
        /// Clip distances in force, bit per plane.
        clip_enable: u8,
        /// Line width in pixels.
        line_width: F32,
        /// Point size in pixels.
        point_size: F32,
        /// Smallest point size when the shader writes it.
        point_size_min: F32,
        /// Largest point size when the shader writes it.
        point_size_max: F32,
        /// Offset units.
        offset_units: F32,
        /// Offset factor.
        offset_factor: F32,
        /// Offset clamp; zero for none.
        offset_clamp: F32,
        /// Line stipple pattern.
        line_stipple_pattern: u16,
        /// Line stipple repeat, 1-256, minus one.
        line_stipple_repeat: u16,
    }
}

pod_struct! {
    /// One vertex attribute; `format` NONE marks a location that is not fetched.
    pub VertexElement {
        /// Format in memory, with its conversion.
        format: Format,
        /// Vertex buffer binding it is fetched from.
        binding: u8,
        /// Zero.
        reserved: u8,
        /// Bytes from the binding's element start.
        offset: u32,
    }
}

pod_struct! {
    /// Stepping of one vertex buffer binding.
    pub VertexBindingLayout {
        /// Bytes between elements; zero repeats one element.
        stride: u32,
        /// Instances per element; zero steps per vertex.
        divisor: u32,
    }
}

pod_struct! {
    /// Vertex fetch layout object. Indexed by attribute location; entries past `element_count` and
    /// `binding_count` are zero.
    pub VertexElements {
        /// Per location.
        elements: [VertexElement; MAX_VERTEX_ATTRIBUTES],
        /// Per binding.
        bindings: [VertexBindingLayout; MAX_VERTEX_BINDINGS],
        /// Highest used location + 1.
        element_count: u32,
        /// Highest used binding + 1.
        binding_count: u32,
    }
}

pod_struct! {
    /// A vertex buffer binding.
    pub VertexBuffer {
        /// The buffer; null reads zeros.
        buffer: BufferId,
        /// Bytes from the buffer's start.
        offset: u64,
    }
}

pod_enum! {
    /// Texture coordinate treatment outside [0, 1].
    pub Wrap: u8 {
        /// Repeat.
        REPEAT = 0,
        /// Clamp to the edge texel.
        CLAMP_TO_EDGE = 1,
        /// Clamp to the border.
        CLAMP_TO_BORDER = 2,
        /// Repeat, mirrored.
        MIRRORED_REPEAT = 3,
        /// Mirror once, then clamp to the edge.
        MIRROR_CLAMP_TO_EDGE = 4,
        /// Half edge, half border: GL_CLAMP of the compatibility profile.
        CLAMP = 5,
    }
}

pod_enum! {
    /// Filter within a level.
    pub Filter: u8 {
        /// Nearest texel.
        NEAREST = 0,
        /// Weighted texels.
        LINEAR = 1,
    }
}

pod_enum! {
    /// Filter between levels.
    pub MipFilter: u8 {
        /// Base level only.
        NONE = 0,
        /// Nearest level.
        NEAREST = 1,
        /// Weighted levels.
        LINEAR = 2,
    }
}

pod_enum! {
    /// How the border colour's bits are meant.
    pub BorderKind: u8 {
        /// Floats.
        FLOAT = 0,
        /// Signed integers.
        SINT = 1,
        /// Unsigned integers.
        UINT = 2,
    }
}

pod_flags! {
    /// Switches of a sampler.
    pub SamplerFlags: u8 {
        /// Compare with the reference.
        COMPARE = 1 << 0,
        /// Coordinates in texels (rectangle textures).
        UNNORMALIZED = 1 << 1,
        /// Filtering across cube faces.
        SEAMLESS_CUBE = 1 << 2,
    }
}

pod_struct! {
    /// Sampler state object. A border colour no wrap mode uses is zero.
    pub SamplerState {
        /// Wrap of s.
        wrap_s: Wrap,
        /// Wrap of t.
        wrap_t: Wrap,
        /// Wrap of r.
        wrap_r: Wrap,
        /// Minification.
        min_filter: Filter,
        /// Magnification.
        mag_filter: Filter,
        /// Between levels.
        mip_filter: MipFilter,
        /// Comparison.
        compare_func: CompareFunc,
        /// Switches.
        flags: SamplerFlags,
        /// How `border_color` is meant.
        border_kind: BorderKind,
        /// Reduction: 0 weighted average, 1 minimum, 2 maximum.
        reduction: u8,
        /// Zero.
        reserved: [u8; 2],
        /// Level-of-detail bias.
        lod_bias: F32,
        /// Smallest level of detail.
        min_lod: F32,
        /// Largest level of detail.
        max_lod: F32,
        /// Largest anisotropy; 1 or less means isotropic.
        max_anisotropy: F32,
        /// Border colour bits, RGBA, as the shader shall see them before the view's swizzle.
        border_color: [u32; 4],
    }
}

pod_struct! {
    /// A view and a sampler at one dense index of the program's table.
    pub SampledBinding {
        /// The view; never null at a draw whose program reads it.
        view: SamplerViewId,
        /// The sampler; null only for buffer and multisample views.
        sampler: SamplerId,
    }
}

pod_struct! {
    /// A range of a buffer.
    pub BufferRange {
        /// The buffer; null reads zeros and drops writes.
        buffer: BufferId,
        /// Bytes from the buffer's start.
        offset: u64,
        /// Bytes.
        size: u64,
    }
}

pod_flags! {
    /// How a shader may touch a storage image.
    pub Access: u16 {
        /// Reads.
        READ = 1,
        /// Writes.
        WRITE = 2,
    }
}

pod_struct! {
    /// A storage image binding.
    pub ImageBinding {
        /// The texture, or null.
        texture: TextureId,
        /// Format of the view.
        format: Format,
        /// Access.
        access: Access,
        /// Level.
        level: u32,
        /// First layer, or slice of a 3D texture.
        first_layer: u32,
        /// Layers or slices.
        layer_count: u32,
        /// Dimensionality the shader sees: the texture's, or that of one of its layers.
        dim: TextureDim,
        /// Zero.
        reserved: [u8; 3],
    }
}

pod_struct! {
    /// One attachment of a framebuffer.
    pub SurfaceView {
        /// The texture, or null for none.
        texture: TextureId,
        /// Format rendered as: the texture's own or its sRGB/linear twin, or another of its class.
        format: Format,
        /// Zero.
        reserved: u16,
        /// Level.
        level: u32,
        /// First layer, or first slice of a 3D texture.
        first_layer: u32,
        /// Layers; 1 unless layered.
        layer_count: u32,
    }
}

pod_struct! {
    /// A framebuffer. When any attachment's texture is surface oriented, all are.
    pub FramebufferState {
        /// Colour attachments.
        color: [SurfaceView; MAX_COLOR_ATTACHMENTS],
        /// Depth attachment.
        depth: SurfaceView,
        /// Stencil attachment; the same texture as `depth` where both are present on most devices.
        stencil: SurfaceView,
        /// Pixels: the smallest attachment's, or the default size without attachments.
        width: u32,
        /// Pixels.
        height: u32,
        /// Layers; 1 unless layered.
        layers: u32,
        /// Samples, at least 1.
        samples: u32,
        /// Highest used colour attachment + 1.
        color_count: u32,
        /// 1 when layered rendering selects the layer.
        layered: u32,
    }
}

pod_struct! {
    /// A viewport in GL window coordinates (y up), with its depth range.
    pub Viewport {
        /// Left.
        x: F32,
        /// Bottom.
        y: F32,
        /// Width.
        width: F32,
        /// Height.
        height: F32,
        /// Depth of the near plane.
        near: F32,
        /// Depth of the far plane.
        far: F32,
    }
}

pod_struct! {
    /// A rectangle in GL window coordinates (y up).
    pub Rect {
        /// Left.
        x: i32,
        /// Bottom.
        y: i32,
        /// Width, not negative.
        width: i32,
        /// Height, not negative.
        height: i32,
    }
}

pod_struct! {
    /// Tessellation levels used without a control stage.
    pub PatchDefaults {
        /// Vertices per patch.
        vertices: u32,
        /// Outer levels.
        outer: [F32; 4],
        /// Inner levels.
        inner: [F32; 2],
    }
}

pod_enum! {
    /// Which pipeline a binding belongs to.
    pub BindPoint: u32 {
        /// Draws.
        GRAPHICS = 0,
        /// Dispatches.
        COMPUTE = 1,
    }
}

pod_struct! {
    /// A transform feedback target bound for capture.
    pub XfbBinding {
        /// The target, or null.
        target: XfbTargetId,
        /// 1: continue where the target's last capture ended; 0: start at its beginning.
        append: u32,
        /// Zero.
        reserved: u32,
    }
}

pod_enum! {
    /// How a render condition waits.
    pub ConditionMode: u32 {
        /// Wait for the result.
        WAIT = 0,
        /// Draw when the result is not there yet.
        NO_WAIT = 1,
        /// Wait, per region allowed.
        BY_REGION_WAIT = 2,
        /// No wait, per region allowed.
        BY_REGION_NO_WAIT = 3,
    }
}

pod_struct! {
    /// Conditional rendering; a null query turns it off.
    pub RenderCondition {
        /// The query, or null.
        query: QueryId,
        /// Waiting.
        mode: ConditionMode,
        /// 1: draw when the result is zero.
        inverted: u32,
    }
}
