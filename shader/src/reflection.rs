//! What a linked program tells the state tracker and the drivers: every number a GL query of
//! versions 3.x can ask for, and every fact a draw needs.

use serde::{Deserialize, Serialize};

use crate::gl_type;
use crate::stage::{Stage, StageMask};
pub use crate::state_uniform::{StateUniform, StateUniformSlot};

/// Dimension of the image behind a sampler, which is the kind of view a driver must bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum ViewDim {
    /// 1D texture.
    D1 = 0,
    /// 2D texture, and rectangle textures (their lookups are rewritten, see `passes::rect`).
    D2 = 1,
    /// 3D texture.
    D3 = 2,
    /// Cube map.
    Cube = 3,
    /// Array of 1D textures.
    D1Array = 4,
    /// Array of 2D textures.
    D2Array = 5,
    /// Array of cube maps.
    CubeArray = 6,
    /// Buffer texture (a uniform texel buffer).
    Buffer = 7,
    /// Multisampled 2D texture.
    D2Ms = 8,
    /// Array of multisampled 2D textures.
    D2MsArray = 9,
}

/// What a lookup through a sampler returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum SampledType {
    /// Float or normalised.
    Float = 0,
    /// Signed integer.
    Int = 1,
    /// Unsigned integer.
    Uint = 2,
}

/// The sampler half of a [`Uniform`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SamplerUniform {
    /// Dense sampler index of element 0; element `i` has `dense + i`.
    pub dense: u32,
    /// Kind of view.
    pub dim: ViewDim,
    /// True for `sampler2DRect` kinds (`dim` is then `D2`).
    pub rect: bool,
    /// True for depth-comparison samplers.
    pub shadow: bool,
    /// Type of the texels.
    pub sampled: SampledType,
}

/// The image half of a [`Uniform`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ImageUniform {
    /// Dense image index of element 0; element `i` has `dense + i`.
    pub dense: u32,
    /// Kind of view.
    pub dim: ViewDim,
    /// True for `image2DRect` kinds (`dim` is then `D2`).
    pub rect: bool,
    /// Type of the texels.
    pub sampled: SampledType,
    /// GL internal format of the layout qualifier; 0 without one.
    pub format: u32,
    /// What the program does with it: 1 reads, 2 writes.
    pub access: u8,
}

/// One active uniform: a basic type or an array of one, after struct members and outer array
/// dimensions have been taken apart (GL 4.6 core section 7.3.1.1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Uniform {
    /// Name as GL reports it; arrays end in `[0]`.
    pub name: String,
    /// GL type code, see [`crate::gl_type`].
    pub ty: u32,
    /// Number of active elements, 1 when not an array.
    pub array_size: u32,
    /// True when declared as an array, even of one element.
    pub is_array: bool,
    /// Location of element 0, element `i` has `location + i`; -1 for members of a uniform block.
    pub location: i32,
    /// Index into [`Reflection::blocks`], -1 for the default block.
    pub block: i32,
    /// Byte offset within the block as GL reports it; -1 for the default block.
    pub offset: i32,
    /// Bytes between array elements; 0 when not an array, -1 for the default block.
    pub array_stride: i32,
    /// Bytes between columns (rows when `row_major`); 0 when not a matrix, -1 for the default block.
    pub matrix_stride: i32,
    /// Matrix is stored row by row.
    pub row_major: bool,
    /// Stages in which the uniform is active.
    pub stages: StageMask,
    /// Byte offset of element 0 in the default block's buffer; `u32::MAX` when the uniform has no
    /// bytes there (samplers and block members).
    pub default_offset: u32,
    /// Bytes between array elements in the default block's buffer.
    pub default_array_stride: u32,
    /// Bytes between columns in the default block's buffer (always column-major there).
    pub default_matrix_stride: u32,
    /// Initialiser from the source, tightly packed words (booleans 0/1, columns in order, doubles
    /// as low word then high word); empty when the source gives none, which means zero.
    pub initial: Vec<u32>,
    /// Present for samplers.
    pub sampler: Option<SamplerUniform>,
    /// Present for images.
    pub image: Option<ImageUniform>,
    /// Explicit `layout(binding=)` of a sampler or image: its initial texture or image unit.
    pub explicit_binding: Option<u32>,
    /// Index into [`Reflection::atomic_buffers`] of an atomic counter; -1 for anything else.
    pub atomic_buffer: i32,
}

impl Uniform {
    /// A uniform with nothing but a name: no type, location, block or storage.
    pub(crate) fn default_for(name: String) -> Uniform {
        Uniform {
            name,
            ty: crate::gl_type::NONE,
            array_size: 1,
            is_array: false,
            location: -1,
            block: -1,
            offset: -1,
            array_stride: -1,
            matrix_stride: -1,
            row_major: false,
            stages: StageMask(0),
            default_offset: u32::MAX,
            default_array_stride: 0,
            default_matrix_stride: 0,
            initial: Vec::new(),
            sampler: None,
            image: None,
            explicit_binding: None,
            atomic_buffer: -1,
        }
    }
}

/// One element that `glUniform*` can address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UniformLocation {
    /// Index into [`Reflection::uniforms`].
    pub uniform: u32,
    /// Array element.
    pub element: u32,
}

impl UniformLocation {
    /// A location that belongs to a uniform which the program declares and no stage uses.
    pub const RESERVED: Self = Self { uniform: u32::MAX, element: 0 };
    /// A location between others that belongs to none.
    pub const NONE: Self = Self { uniform: u32::MAX, element: 1 };
}

/// One active uniform block (GL 4.6 core section 7.6). An array of blocks has one entry per element.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UniformBlock {
    /// Block name, with `[i]` for the elements of an array of blocks.
    pub name: String,
    /// Initial binding point: `layout(binding=)` plus the element, or 0.
    pub binding: u32,
    /// UNIFORM_BLOCK_DATA_SIZE in bytes.
    pub data_size: u32,
    /// Indices of the active members in [`Reflection::uniforms`].
    pub members: Vec<u32>,
    /// Stages in which the block is active.
    pub stages: StageMask,
    /// Binding in descriptor set 0.
    pub descriptor_binding: u32,
}

/// One active shader storage block (GL 4.6 core section 7.8). An array of blocks has one entry per element.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StorageBlock {
    /// Block name, with `[i]` for the elements of an array of blocks.
    pub name: String,
    /// Initial binding point: `layout(binding=)` plus the element, or 0.
    pub binding: u32,
    /// BUFFER_DATA_SIZE in bytes; an array without size counts as one element.
    pub data_size: u32,
    /// Indices of the active members in [`Reflection::buffer_variables`].
    pub members: Vec<u32>,
    /// Stages in which the block is active.
    pub stages: StageMask,
    /// Binding in descriptor set 2.
    pub dense: u32,
    /// What the program does with it: 1 reads, 2 writes.
    pub access: u8,
}

/// One active member of a shader storage block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BufferVariable {
    /// Name as GL reports it; arrays end in `[0]`.
    pub name: String,
    /// GL type code.
    pub ty: u32,
    /// Array elements: 1 when not an array, 0 without a declared size.
    pub array_size: u32,
    /// Declared as an array.
    pub is_array: bool,
    /// Index into [`Reflection::storage_blocks`] of the (first) block.
    pub block: u32,
    /// Bytes from the block's start.
    pub offset: u32,
    /// Bytes between array elements; 0 when not an array.
    pub array_stride: u32,
    /// Bytes between columns (rows when `row_major`); 0 when not a matrix.
    pub matrix_stride: u32,
    /// Matrix is stored row by row.
    pub row_major: bool,
    /// TOP_LEVEL_ARRAY_SIZE.
    pub top_level_array_size: u32,
    /// TOP_LEVEL_ARRAY_STRIDE.
    pub top_level_array_stride: u32,
    /// Stages in which its block is active.
    pub stages: StageMask,
}

/// One active atomic counter buffer (GL 4.6 core section 7.7).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AtomicBuffer {
    /// Binding point of GL_ATOMIC_COUNTER_BUFFER.
    pub binding: u32,
    /// Least bytes a buffer must have.
    pub data_size: u32,
    /// Indices of its counters in [`Reflection::uniforms`].
    pub members: Vec<u32>,
    /// Stages in which it is active.
    pub stages: StageMask,
    /// Binding in descriptor set 2.
    pub dense: u32,
}

/// Facts of a compute stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComputeInfo {
    /// Work group size; zeros when it comes with each dispatch.
    pub group_size: [u32; 3],
}

/// A location at which the vertex stage reads two doubles of an attribute: four words, or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoubleHalf {
    /// The location in the code.
    pub location: u8,
    /// The generic attribute.
    pub attribute: u8,
    /// The third and fourth double, not the first two.
    pub high: bool,
}

/// One active vertex attribute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attribute {
    /// Name; arrays end in `[0]`.
    pub name: String,
    /// GL type code.
    pub ty: u32,
    /// Array elements, 1 when not an array.
    pub array_size: u32,
    /// First generic attribute index, -1 for built-ins such as `gl_VertexID`.
    pub location: i32,
    /// Consecutive generic attributes taken.
    pub slots: u32,
}

/// One user-defined fragment output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FragmentOutput {
    /// Name; arrays end in `[0]`.
    pub name: String,
    /// GL type code.
    pub ty: u32,
    /// Array elements, 1 when not an array.
    pub array_size: u32,
    /// Colour number of element 0, -1 for built-ins.
    pub location: i32,
    /// 1 for the second source of dual-source blending.
    pub index: u32,
}

/// One captured varying, in the order the program gave them (skips and next-buffer included with
/// type [`crate::gl_type::NONE`]).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct XfbVarying {
    /// Name as given to `glTransformFeedbackVaryings`.
    pub name: String,
    /// GL type code, `NONE` for skips.
    pub ty: u32,
    /// Array elements captured; for skips the number of components (0 for `gl_NextBuffer`).
    pub array_size: u32,
    /// Buffer the varying goes to.
    pub buffer: u32,
    /// Byte offset within one vertex of that buffer.
    pub offset: u32,
}

/// An input of a program's first stage or an output of its last, taken apart as uniforms are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InterfaceVariable {
    /// Name; arrays end in `[0]`.
    pub name: String,
    /// GL type code.
    pub ty: u32,
    /// Array elements, 1 when not an array.
    pub array_size: u32,
    /// Location of element 0; -1 for built-ins.
    pub location: i32,
    /// Locations that each element takes.
    pub slots: u32,
    /// First component within its location.
    pub component: u32,
    /// 1 for the second source of dual-source blending.
    pub index: u32,
    /// One value a patch.
    pub patch: bool,
    /// The stage it belongs to.
    pub stages: StageMask,
}

impl InterfaceVariable {
    /// Its location by the name a program passes (`v`, `a`, `a[0]`, `a[3]`), none where the name is another's.
    fn location_of(&self, name: &str) -> Option<i32> {
        let array = self.name.strip_suffix("[0]");
        // An array of an array may be named without the last subscript as well.
        if self.name == name || array == Some(name) {
            return Some(self.location);
        }
        let (base, element) = split_subscript(name);
        let element = element.unwrap_or(0);
        let own = array == Some(base) && element < self.array_size;
        own.then(|| if self.location < 0 { -1 } else { self.location + (element * self.slots) as i32 })
    }
}

/// The variable of a name and the location of the element that the name is for.
pub fn find_variable<'a>(list: &'a [InterfaceVariable], name: &str) -> Option<(&'a InterfaceVariable, i32)> {
    list.iter().find_map(|v| Some((v, v.location_of(name)?)))
}

/// Primitive a geometry shader takes or emits, as GL primitive modes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeometryInfo {
    /// GL_POINTS, GL_LINES, GL_LINES_ADJACENCY, GL_TRIANGLES or GL_TRIANGLES_ADJACENCY.
    pub input: u32,
    /// GL_POINTS, GL_LINE_STRIP or GL_TRIANGLE_STRIP.
    pub output: u32,
    /// `max_vertices`.
    pub vertices_out: u32,
    /// `invocations`, 1 when not given.
    pub invocations: u32,
}

/// The tessellation stages of a program, in GL's numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TessellationInfo {
    /// Vertices of an output patch; 0 without a control stage.
    pub vertices_out: u32,
    /// GL_TRIANGLES, GL_QUADS or GL_ISOLINES.
    pub mode: u32,
    /// GL_EQUAL, GL_FRACTIONAL_EVEN or GL_FRACTIONAL_ODD.
    pub spacing: u32,
    /// GL_CW or GL_CCW.
    pub order: u32,
    /// Points instead of lines or triangles.
    pub point_mode: bool,
}

impl TessellationInfo {
    /// The primitives that come out: GL_POINTS, GL_LINES or GL_TRIANGLES.
    pub fn output(&self) -> u32 {
        match (self.point_mode, self.mode) {
            (true, _) => 0,
            (false, gl_type::ISOLINES) => 1,
            _ => 4,
        }
    }
}

/// A subroutine uniform (GL 4.6 core section 7.10).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SubroutineUniform {
    /// Name; arrays end in `[0]`.
    pub name: String,
    /// Indices of the functions it can select.
    pub compatible: Vec<u32>,
    /// Array elements, 1 when not an array.
    pub array_size: u32,
    /// Location of element 0, others follow.
    pub location: u32,
    /// Byte offset of element 0 in the default block's buffer, where the index selected is an integer.
    pub offset: u32,
    /// Bytes between elements there.
    pub stride: u32,
}

/// The subroutines of one stage.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StageSubroutines {
    /// Position of the stage.
    pub stage: u8,
    /// Functions with their indices.
    pub functions: Vec<(String, u32)>,
    /// Active subroutine uniforms.
    pub uniforms: Vec<SubroutineUniform>,
}

impl StageSubroutines {
    /// Locations in use, those between explicit ones included.
    pub fn locations(&self) -> u32 {
        self.uniforms.iter().map(|u| u.location + u.array_size).max().unwrap_or(0)
    }

    /// Location of a uniform by the name a program passes.
    pub fn location(&self, name: &str) -> Option<u32> {
        let (base, element) = split_subscript(name);
        let element = element.unwrap_or(0);
        self.uniforms.iter().find_map(|u| {
            let array = u.name.strip_suffix("[0]");
            if u.name == name || array == Some(name) {
                return Some(u.location);
            }
            let own = array == Some(base) && element < u.array_size;
            own.then_some(u.location + element)
        })
    }

    /// The uniform at a location, and the element.
    pub fn at(&self, location: u32) -> Option<(&SubroutineUniform, u32)> {
        let here = |u: &&SubroutineUniform| (u.location..u.location + u.array_size).contains(&location);
        self.uniforms.iter().find(here).map(|u| (u, location - u.location))
    }
}

/// Facts of the whole program that drivers and the tracker branch on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramFlags {
    /// The default block is larger than a uniform buffer may be, and a storage buffer.
    pub large_default_block: bool,
    /// The last pre-rasterisation stage writes `gl_PointSize`.
    pub writes_point_size: bool,
    /// Elements of `gl_ClipDistance` written by the last pre-rasterisation stage.
    pub clip_distances: u32,
    /// That stage writes `gl_Layer`.
    pub writes_layer: bool,
    /// That stage writes `gl_ViewportIndex`.
    pub writes_viewport: bool,
    /// That stage writes `gl_ClipVertex`.
    pub writes_clip_vertex: bool,
    /// Vertex stage reads `gl_VertexID`.
    pub uses_vertex_id: bool,
    /// Vertex stage reads `gl_InstanceID`.
    pub uses_instance_id: bool,
    /// Vertex stage reads `gl_BaseVertex` or `gl_DrawID`.
    pub uses_draw_parameters: bool,
    /// Fragment stage reads `gl_FragCoord`.
    pub uses_frag_coord: bool,
    /// Fragment stage reads `gl_PointCoord`.
    pub uses_point_coord: bool,
    /// Fragment stage takes derivatives.
    pub uses_derivatives: bool,
    /// Fragment stage redeclares `gl_FragCoord` with `origin_upper_left`.
    pub origin_upper_left: bool,
    /// Fragment stage redeclares `gl_FragCoord` with `pixel_center_integer`.
    pub pixel_center_integer: bool,
    /// Fragment stage may discard.
    pub uses_discard: bool,
    /// Fragment stage reads `gl_SampleID` or `gl_SamplePosition` or has a `sample` input, so runs
    /// once per sample.
    pub sample_shading: bool,
    /// Fragment stage reads `gl_SamplePosition` or interpolates at a sample or offset.
    pub reads_sample_position: bool,
    /// Fragment stage writes `gl_FragDepth`.
    pub writes_depth: bool,
    /// `layout(early_fragment_tests) in`.
    pub early_fragment_tests: bool,
    /// Fragment stage writes `gl_FragColor`, which goes to every colour buffer; use
    /// `passes::broadcast_frag_color` when more than one is bound.
    pub frag_color_broadcast: bool,
    /// Colour numbers written, one bit each.
    pub color_outputs: u32,
    /// A fragment output has index 1.
    pub dual_source: bool,
    /// Fragment stage has no colour output at all.
    pub no_color_outputs: bool,
    /// Some stage writes to buffers or images.
    pub stores: bool,
}

/// What a program has of the compatibility profile, as far as state changes its code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LegacyUse {
    /// The last pre-rasterisation stage writes a front or back colour.
    pub writes_colors: bool,
    /// It writes a back colour.
    pub writes_back_colors: bool,
    /// It writes `gl_ClipDistance`.
    pub writes_clip_distance: bool,
    /// The fragment stage reads `gl_Color` or `gl_SecondaryColor`.
    pub reads_colors: bool,
    /// The fragment stage reads `gl_TexCoord`.
    pub reads_tex_coords: bool,
    /// Some stage takes four components of a depth comparison.
    pub compares_to_vectors: bool,
}

/// Everything known about a linked program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reflection {
    /// Active uniforms in index order: default block first, then block members.
    pub uniforms: Vec<Uniform>,
    /// Location table: `locations[l]` for each uniform location.
    pub locations: Vec<UniformLocation>,
    /// Active uniform blocks in index order.
    pub blocks: Vec<UniformBlock>,
    /// Bytes of the default block's buffer; 0 when no stage needs one.
    pub default_block_size: u32,
    /// Stages that read the default block.
    pub default_block_stages: StageMask,
    /// Built-in state the tracker writes into the default block.
    pub state_uniforms: Vec<StateUniformSlot>,
    /// Number of dense sampler indices.
    pub sampler_count: u32,
    /// Those that no code reads: elements of arrays of which others are read.
    pub unread_samplers: Vec<u32>,
    /// Number of dense image indices.
    pub image_count: u32,
    /// Active shader storage blocks in index order.
    pub storage_blocks: Vec<StorageBlock>,
    /// Their active members in index order.
    pub buffer_variables: Vec<BufferVariable>,
    /// Active atomic counter buffers in index order.
    pub atomic_buffers: Vec<AtomicBuffer>,
    /// Active vertex attributes.
    pub attributes: Vec<Attribute>,
    /// Locations at which the vertex stage reads doubles, as pairs of words.
    pub double_halves: Vec<DoubleHalf>,
    /// Locations of vertex inputs, one bit each.
    pub attribute_mask: u32,
    /// Locations that read conventional arrays: the location and the number of the array, see
    /// [`crate::state_uniform::Conventional`]. All others read the generic attribute of the same number.
    pub conventional: Vec<(u8, u8)>,
    /// What it has of the compatibility profile.
    pub legacy: LegacyUse,
    /// Active fragment outputs.
    pub outputs: Vec<FragmentOutput>,
    /// Inputs of the first stage.
    pub program_inputs: Vec<InterfaceVariable>,
    /// Outputs of the last stage.
    pub program_outputs: Vec<InterfaceVariable>,
    /// Captured varyings.
    pub xfb: Vec<XfbVarying>,
    /// Stride in bytes of each transform feedback buffer, 0 when unused.
    pub xfb_strides: [u32; 4],
    /// Vertex stream that each transform feedback buffer captures.
    pub xfb_streams: [u8; 4],
    /// True when captured with `GL_SEPARATE_ATTRIBS`.
    pub xfb_separate: bool,
    /// Stages with subroutines.
    pub subroutines: Vec<StageSubroutines>,
    /// Present with a geometry stage.
    pub geometry: Option<GeometryInfo>,
    /// Present with a compute stage.
    pub compute: Option<ComputeInfo>,
    /// Present with an evaluation stage.
    pub tessellation: Option<TessellationInfo>,
    /// Stages present.
    pub stages: StageMask,
    /// Facts of the whole program.
    pub flags: ProgramFlags,
}

impl Reflection {
    /// The stage whose outputs are rasterised, if any.
    pub fn last_pre_raster_stage(&self) -> Option<Stage> {
        [Stage::Geometry, Stage::TessEvaluation, Stage::Vertex].into_iter().find(|s| self.stages.has(*s))
    }

    /// Location of a uniform by the name a program passes (`a`, `a[0]`, `a[3]`, `s[1].m`), or -1
    /// (GL 4.6 core section 7.3.1.1).
    pub fn uniform_location(&self, name: &str) -> i32 {
        match self.find_uniform(name) {
            Some((i, element)) if self.uniforms[i].location >= 0 => self.uniforms[i].location + element as i32,
            _ => -1,
        }
    }

    /// Index of an active uniform by name; `a` and `a[0]` both find an array.
    pub fn uniform_index(&self, name: &str) -> Option<u32> {
        match self.find_uniform(name) {
            Some((i, 0)) => Some(i as u32),
            _ => None,
        }
    }

    /// Buffers that transform feedback captures to.
    pub fn xfb_buffers(&self) -> Vec<u32> {
        (0..self.xfb_strides.len() as u32).filter(|b| self.xfb_strides[*b as usize] > 0).collect()
    }

    fn find_uniform(&self, name: &str) -> Option<(usize, u32)> {
        if let Some(i) = self.uniforms.iter().position(|u| u.name == name) {
            return Some((i, 0));
        }
        // An array may be named without the last subscript.
        let array = |base: &str, element: u32| {
            let own = |u: &Uniform| u.is_array && u.name.strip_suffix("[0]") == Some(base) && element < u.array_size;
            Some((self.uniforms.iter().position(own)?, element))
        };
        let (base, element) = split_subscript(name);
        array(name, 0).or_else(|| array(base, element?))
    }
}

/// What a name that is made up has in it: modules of SPIR-V have no names that count, and no source has this.
pub const MADE_UP: char = '#';

/// A name as programs are told it: none where it is made up (GL 4.6 core 7.3.1.1).
pub fn told_name(name: &str) -> &str {
    if name.contains(MADE_UP) { "" } else { name }
}

/// Splits a trailing `[n]` off a name. A subscript with leading zeros, signs or blanks is not one
/// (GL 4.6 core section 7.3.1).
pub fn split_subscript(name: &str) -> (&str, Option<u32>) {
    let Some(inner) = name.strip_suffix(']') else { return (name, None) };
    let Some(open) = inner.rfind('[') else { return (name, None) };
    let digits = &inner[open + 1..];
    let plain =
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    match (plain, digits.parse()) {
        (true, Ok(n)) => (&name[..open], Some(n)),
        _ => (name, None),
    }
}
