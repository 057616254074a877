//! Implementation-dependent values (GL 4.6 core, tables 23.53 and following).

use gallite_tests::gl;
use std::ffi::{CStr, c_char};

/// Name, token, and how many numbers it has.
type Limit = (&'static str, u32, usize);

macro_rules! limits {
    ($($name:ident $($count:literal)?,)*) => {
        &[$((stringify!($name), gl::$name, limits!(@count $($count)?))),*]
    };
    (@count) => { 1 };
    (@count $count:literal) => { $count };
}

const LIMITS: &[Limit] = limits![
    MAX_TEXTURE_SIZE,
    MAX_3D_TEXTURE_SIZE,
    MAX_CUBE_MAP_TEXTURE_SIZE,
    MAX_RECTANGLE_TEXTURE_SIZE,
    MAX_ARRAY_TEXTURE_LAYERS,
    MAX_TEXTURE_BUFFER_SIZE,
    TEXTURE_BUFFER_OFFSET_ALIGNMENT,
    MAX_RENDERBUFFER_SIZE,
    MAX_VIEWPORT_DIMS 2,
    MAX_VIEWPORTS,
    MAX_SAMPLES,
    MAX_COLOR_TEXTURE_SAMPLES,
    MAX_DEPTH_TEXTURE_SAMPLES,
    MAX_INTEGER_SAMPLES,
    MAX_SAMPLE_MASK_WORDS,
    MAX_COLOR_ATTACHMENTS,
    MAX_DRAW_BUFFERS,
    MAX_DUAL_SOURCE_DRAW_BUFFERS,
    MAX_CLIP_DISTANCES,
    MAX_ELEMENTS_INDICES,
    MAX_ELEMENTS_VERTICES,
    MAX_VERTEX_ATTRIBS,
    MAX_VERTEX_UNIFORM_COMPONENTS,
    MAX_VERTEX_UNIFORM_BLOCKS,
    MAX_VERTEX_OUTPUT_COMPONENTS,
    MAX_VERTEX_TEXTURE_IMAGE_UNITS,
    MAX_GEOMETRY_UNIFORM_COMPONENTS,
    MAX_GEOMETRY_UNIFORM_BLOCKS,
    MAX_GEOMETRY_INPUT_COMPONENTS,
    MAX_GEOMETRY_OUTPUT_COMPONENTS,
    MAX_GEOMETRY_OUTPUT_VERTICES,
    MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS,
    MAX_GEOMETRY_TEXTURE_IMAGE_UNITS,
    MAX_FRAGMENT_UNIFORM_COMPONENTS,
    MAX_FRAGMENT_UNIFORM_BLOCKS,
    MAX_FRAGMENT_INPUT_COMPONENTS,
    MAX_TEXTURE_IMAGE_UNITS,
    MAX_COMBINED_TEXTURE_IMAGE_UNITS,
    MAX_COMBINED_UNIFORM_BLOCKS,
    MAX_UNIFORM_BUFFER_BINDINGS,
    MAX_UNIFORM_BLOCK_SIZE,
    UNIFORM_BUFFER_OFFSET_ALIGNMENT,
    MIN_PROGRAM_TEXEL_OFFSET,
    MAX_PROGRAM_TEXEL_OFFSET,
    MAX_VARYING_COMPONENTS,
    MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS,
    MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS,
    MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS,
    MAX_TRANSFORM_FEEDBACK_BUFFERS,
    MAX_VERTEX_STREAMS,
    MAX_PATCH_VERTICES,
    MAX_TESS_GEN_LEVEL,
    MAX_COMPUTE_WORK_GROUP_INVOCATIONS,
    MAX_COMPUTE_SHARED_MEMORY_SIZE,
    MAX_SHADER_STORAGE_BUFFER_BINDINGS,
    MAX_SHADER_STORAGE_BLOCK_SIZE,
    MAX_IMAGE_UNITS,
    MAX_ATOMIC_COUNTER_BUFFER_BINDINGS,
    MAX_LABEL_LENGTH,
    MAX_DEBUG_MESSAGE_LENGTH,
    SUBPIXEL_BITS,
    NUM_COMPRESSED_TEXTURE_FORMATS,
    NUM_PROGRAM_BINARY_FORMATS,
];

const FLOAT_LIMITS: &[Limit] = limits![
    ALIASED_LINE_WIDTH_RANGE 2,
    POINT_SIZE_RANGE 2,
    POINT_SIZE_GRANULARITY,
    MAX_TEXTURE_LOD_BIAS,
    MAX_TEXTURE_MAX_ANISOTROPY,
];

/// Prints every limit that the implementation knows.
pub fn print() {
    println!("\nLimits");
    for (name, token, count) in LIMITS {
        let mut values = [0; 4];
        gl::GetIntegerv(*token, values.as_mut_ptr());
        print_one(name, &values[..*count]);
    }
    for (name, token, count) in FLOAT_LIMITS {
        let mut values = [0.0; 4];
        gl::GetFloatv(*token, values.as_mut_ptr());
        print_one(name, &values[..*count]);
    }
}

fn print_one<T: std::fmt::Display>(name: &str, values: &[T]) {
    // GL 4.6 core 2.3.1: an unknown token raises an error and leaves the memory alone.
    if gl::GetError() == gl::NO_ERROR {
        let values: Vec<String> = values.iter().map(T::to_string).collect();
        println!("  {name:<46} {}", values.join(" "));
    }
}

/// The name of one extension.
pub fn extension(index: u32) -> String {
    let text = gl::GetStringi(gl::EXTENSIONS, index);
    if text.is_null() {
        return String::new();
    }
    // SAFETY: GL 4.6 core 22.2: the result is a zero-terminated static string.
    unsafe { CStr::from_ptr(text.cast::<c_char>()) }.to_string_lossy().into_owned()
}
