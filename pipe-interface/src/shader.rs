//! What a driver is told about a linked shader.

use crate::pod::{pod_enum, pod_flags, pod_struct};
use crate::resource::TextureDim;

pod_enum! {
    /// A shader stage; also the index into per-stage arrays.
    pub ShaderStage: u32 {
        /// Vertex.
        VERTEX = 0,
        /// Tessellation control.
        TESS_CONTROL = 1,
        /// Tessellation evaluation.
        TESS_EVALUATION = 2,
        /// Geometry.
        GEOMETRY = 3,
        /// Fragment.
        FRAGMENT = 4,
        /// Compute.
        COMPUTE = 5,
    }
}

/// Number of stages.
pub const STAGE_COUNT: usize = 6;

impl ShaderStage {
    /// The stage's bit in a stage mask.
    pub const fn bit(self) -> u32 {
        1 << self.0
    }
}

pod_enum! {
    /// Kind of a binding, and its descriptor set in the SPIR-V.
    pub BindingKind: u32 {
        /// Uniform buffer. Binding 0 is the default block; binding `1 + i` is uniform block `i`.
        UNIFORM_BUFFER = 0,
        /// Combined texture and sampler. Binding = dense index; an array takes consecutive dense
        /// indices and appears as one descriptor array at its first.
        SAMPLER = 1,
        /// Storage buffer. Binding = dense index; atomic counter buffers are among them.
        STORAGE_BUFFER = 2,
        /// Storage image. Binding = dense index.
        IMAGE = 3,
    }
}

pod_enum! {
    /// What a sampler or image yields.
    pub SampledType: u8 {
        /// Floats, normalised or not.
        FLOAT = 0,
        /// Signed integers.
        SINT = 1,
        /// Unsigned integers.
        UINT = 2,
        /// Comparison results.
        SHADOW = 3,
    }
}

pod_struct! {
    /// One entry of the program's dense binding table. Stages share the table.
    pub ShaderBinding {
        /// Kind, which is the descriptor set.
        kind: BindingKind,
        /// Binding of the first element in the descriptor set.
        binding: u32,
        /// Array elements, at least 1.
        count: u32,
        /// Stages that use it, a bit per stage.
        stages: u32,
        /// Bytes the shader can read, for buffers; zero when unsized.
        size: u32,
        /// Dimensionality, for samplers and images.
        dim: TextureDim,
        /// What it yields, for samplers and images.
        sampled: SampledType,
        /// 1 for multisample textures.
        multisample: u8,
        /// Access, for images and storage buffers: 1 reads, 2 writes.
        access: u8,
    }
}

pod_flags! {
    /// Facts a driver would otherwise have to find in the SPIR-V.
    pub ShaderFlags: u32 {
        /// The last pre-raster stage writes the point size.
        WRITES_POINT_SIZE = 1 << 0,
        /// The fragment stage reads gl_FragCoord.
        READS_FRAG_COORD = 1 << 1,
        /// The fragment stage reads gl_PointCoord.
        READS_POINT_COORD = 1 << 2,
        /// The fragment stage uses y derivatives.
        USES_DERIVATIVES = 1 << 3,
        /// The fragment stage runs per sample.
        SAMPLE_SHADING = 1 << 4,
        /// The fragment stage writes depth.
        WRITES_DEPTH = 1 << 5,
        /// The fragment stage may discard.
        DISCARDS = 1 << 6,
        /// The last pre-raster stage writes the layer.
        WRITES_LAYER = 1 << 7,
        /// The last pre-raster stage writes the viewport index.
        WRITES_VIEWPORT = 1 << 8,
        /// The fragment stage has a second source colour.
        DUAL_SOURCE = 1 << 9,
        /// Transform feedback is declared.
        TRANSFORM_FEEDBACK = 1 << 10,
        /// Some stage stores to buffers or images.
        STORES = 1 << 11,
        /// gl_FragCoord or y derivatives use the upper left origin convention.
        FRAG_COORD_UPPER_LEFT = 1 << 12,
        /// Early fragment tests are forced.
        EARLY_TESTS = 1 << 13,
        /// The fragment stage interpolates at sample or offset, or reads the sample position.
        READS_SAMPLE_POSITION = 1 << 14,
        /// The colour output at location 0 goes to every colour attachment.
        BROADCASTS_COLOR = 1 << 15,
        /// The default block is larger than a uniform buffer may be: at set 0, binding 0 lies a storage buffer.
        LARGE_DEFAULT_BLOCK = 1 << 16,
        /// The vertex stage reads the instance index.
        READS_INSTANCE_INDEX = 1 << 17,
        /// The vertex stage reads the base vertex or the number of the draw. In the SPIR-V these are BaseVertex and
        /// DrawIndex; what they yield is GL's: the base vertex is 0 without indices, the number is that of `DrawInfo` or, of
        /// an indirect draw, of the command.
        READS_DRAW_PARAMETERS = 1 << 18,
    }
}

pod_struct! {
    /// Where a stage's SPIR-V lies in the words that come with `create_shader`.
    pub StageCode {
        /// First word.
        offset: u32,
        /// Words; zero when the program has no such stage.
        count: u32,
    }
}

pod_enum! {
    /// Primitive class at a stage boundary.
    pub PrimitiveClass: u32 {
        /// Points.
        POINTS = 0,
        /// Lines.
        LINES = 1,
        /// Triangles.
        TRIANGLES = 2,
        /// Not fixed by the shader.
        NONE = 3,
    }
}

pod_struct! {
    /// Describes a shader object: all graphics stages of a program, or its compute stage.
    pub ShaderDesc {
        /// Code by stage. Entry points are named `main`.
        stages: [StageCode; STAGE_COUNT],
        /// Facts.
        flags: ShaderFlags,
        /// Attribute locations the vertex stage reads, a bit each.
        vertex_inputs: u32,
        /// Of those, the ones read as signed integers.
        vertex_inputs_sint: u32,
        /// Of those, the ones read as unsigned integers.
        vertex_inputs_uint: u32,
        /// Colour numbers the fragment stage writes, a bit each.
        fragment_outputs: u32,
        /// Of those, the ones written as signed integers.
        fragment_outputs_sint: u32,
        /// Of those, the ones written as unsigned integers.
        fragment_outputs_uint: u32,
        /// Bytes of the default block; zero when there is none.
        default_block_size: u32,
        /// Clip distances written.
        clip_distances: u32,
        /// Cull distances written.
        cull_distances: u32,
        /// Output primitive class of the geometry or evaluation stage, else NONE.
        output_primitive: PrimitiveClass,
        /// Bytes captured per vertex, by transform feedback buffer.
        xfb_strides: [u32; 4],
        /// Vertices per patch written by the control stage; zero without one.
        patch_vertices: u32,
        /// Size of a compute group; zeros where it comes with each dispatch, through specialization constants 0, 1 and 2.
        group_size: [u32; 3],
        /// Words of the debug label that follow the bindings; zero.
        reserved: u32,
    }
}
