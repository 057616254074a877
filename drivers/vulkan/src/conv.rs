//! Enums of the interface as Vulkan's.

use ash::vk;
use gallite_pipe::*;

pub(crate) fn compare_op(func: CompareFunc) -> vk::CompareOp {
    // Both number NEVER to ALWAYS alike.
    vk::CompareOp::from_raw(i32::from(func.0.min(7)))
}

pub(crate) fn stencil_op(op: StencilOp) -> vk::StencilOp {
    match op {
        StencilOp::ZERO => vk::StencilOp::ZERO,
        StencilOp::REPLACE => vk::StencilOp::REPLACE,
        StencilOp::INCR => vk::StencilOp::INCREMENT_AND_CLAMP,
        StencilOp::DECR => vk::StencilOp::DECREMENT_AND_CLAMP,
        StencilOp::INCR_WRAP => vk::StencilOp::INCREMENT_AND_WRAP,
        StencilOp::DECR_WRAP => vk::StencilOp::DECREMENT_AND_WRAP,
        StencilOp::INVERT => vk::StencilOp::INVERT,
        _ => vk::StencilOp::KEEP,
    }
}

pub(crate) fn blend_factor(factor: BlendFactor) -> vk::BlendFactor {
    match factor {
        BlendFactor::ONE => vk::BlendFactor::ONE,
        BlendFactor::SRC_COLOR => vk::BlendFactor::SRC_COLOR,
        BlendFactor::ONE_MINUS_SRC_COLOR => vk::BlendFactor::ONE_MINUS_SRC_COLOR,
        BlendFactor::SRC_ALPHA => vk::BlendFactor::SRC_ALPHA,
        BlendFactor::ONE_MINUS_SRC_ALPHA => vk::BlendFactor::ONE_MINUS_SRC_ALPHA,
        BlendFactor::DST_COLOR => vk::BlendFactor::DST_COLOR,
        BlendFactor::ONE_MINUS_DST_COLOR => vk::BlendFactor::ONE_MINUS_DST_COLOR,
        BlendFactor::DST_ALPHA => vk::BlendFactor::DST_ALPHA,
        BlendFactor::ONE_MINUS_DST_ALPHA => vk::BlendFactor::ONE_MINUS_DST_ALPHA,
        BlendFactor::SRC_ALPHA_SATURATE => vk::BlendFactor::SRC_ALPHA_SATURATE,
        BlendFactor::CONSTANT_COLOR => vk::BlendFactor::CONSTANT_COLOR,
        BlendFactor::ONE_MINUS_CONSTANT_COLOR => vk::BlendFactor::ONE_MINUS_CONSTANT_COLOR,
        BlendFactor::CONSTANT_ALPHA => vk::BlendFactor::CONSTANT_ALPHA,
        BlendFactor::ONE_MINUS_CONSTANT_ALPHA => vk::BlendFactor::ONE_MINUS_CONSTANT_ALPHA,
        BlendFactor::SRC1_COLOR => vk::BlendFactor::SRC1_COLOR,
        BlendFactor::ONE_MINUS_SRC1_COLOR => vk::BlendFactor::ONE_MINUS_SRC1_COLOR,
        BlendFactor::SRC1_ALPHA => vk::BlendFactor::SRC1_ALPHA,
        BlendFactor::ONE_MINUS_SRC1_ALPHA => vk::BlendFactor::ONE_MINUS_SRC1_ALPHA,
        _ => vk::BlendFactor::ZERO,
    }
}

/// Whether a factor reads the second source colour.
pub(crate) fn is_dual_source(factor: BlendFactor) -> bool {
    factor.0 >= BlendFactor::SRC1_COLOR.0
}

pub(crate) fn blend_op(op: BlendOp) -> vk::BlendOp {
    match op {
        BlendOp::SUBTRACT => vk::BlendOp::SUBTRACT,
        BlendOp::REVERSE_SUBTRACT => vk::BlendOp::REVERSE_SUBTRACT,
        BlendOp::MIN => vk::BlendOp::MIN,
        BlendOp::MAX => vk::BlendOp::MAX,
        _ => vk::BlendOp::ADD,
    }
}

pub(crate) fn logic_op(op: LogicOp) -> vk::LogicOp {
    match op {
        LogicOp::CLEAR => vk::LogicOp::CLEAR,
        LogicOp::AND => vk::LogicOp::AND,
        LogicOp::AND_REVERSE => vk::LogicOp::AND_REVERSE,
        LogicOp::AND_INVERTED => vk::LogicOp::AND_INVERTED,
        LogicOp::NOOP => vk::LogicOp::NO_OP,
        LogicOp::XOR => vk::LogicOp::XOR,
        LogicOp::OR => vk::LogicOp::OR,
        LogicOp::NOR => vk::LogicOp::NOR,
        LogicOp::EQUIV => vk::LogicOp::EQUIVALENT,
        LogicOp::INVERT => vk::LogicOp::INVERT,
        LogicOp::OR_REVERSE => vk::LogicOp::OR_REVERSE,
        LogicOp::COPY_INVERTED => vk::LogicOp::COPY_INVERTED,
        LogicOp::OR_INVERTED => vk::LogicOp::OR_INVERTED,
        LogicOp::NAND => vk::LogicOp::NAND,
        LogicOp::SET => vk::LogicOp::SET,
        _ => vk::LogicOp::COPY,
    }
}

/// Topology of a primitive mode; `None` for modes Vulkan lacks.
pub(crate) fn topology(mode: PrimitiveMode) -> Option<vk::PrimitiveTopology> {
    Some(match mode {
        PrimitiveMode::POINTS => vk::PrimitiveTopology::POINT_LIST,
        PrimitiveMode::LINES => vk::PrimitiveTopology::LINE_LIST,
        PrimitiveMode::LINE_STRIP => vk::PrimitiveTopology::LINE_STRIP,
        PrimitiveMode::TRIANGLES => vk::PrimitiveTopology::TRIANGLE_LIST,
        PrimitiveMode::TRIANGLE_STRIP => vk::PrimitiveTopology::TRIANGLE_STRIP,
        PrimitiveMode::TRIANGLE_FAN => vk::PrimitiveTopology::TRIANGLE_FAN,
        PrimitiveMode::LINES_ADJACENCY => vk::PrimitiveTopology::LINE_LIST_WITH_ADJACENCY,
        PrimitiveMode::LINE_STRIP_ADJACENCY => vk::PrimitiveTopology::LINE_STRIP_WITH_ADJACENCY,
        PrimitiveMode::TRIANGLES_ADJACENCY => vk::PrimitiveTopology::TRIANGLE_LIST_WITH_ADJACENCY,
        PrimitiveMode::TRIANGLE_STRIP_ADJACENCY => vk::PrimitiveTopology::TRIANGLE_STRIP_WITH_ADJACENCY,
        PrimitiveMode::PATCHES => vk::PrimitiveTopology::PATCH_LIST,
        _ => return None,
    })
}

/// Whether a topology is a list, which restarts only with an extension.
pub(crate) fn is_list(topology: vk::PrimitiveTopology) -> bool {
    matches!(
        topology,
        vk::PrimitiveTopology::POINT_LIST
            | vk::PrimitiveTopology::LINE_LIST
            | vk::PrimitiveTopology::TRIANGLE_LIST
            | vk::PrimitiveTopology::LINE_LIST_WITH_ADJACENCY
            | vk::PrimitiveTopology::TRIANGLE_LIST_WITH_ADJACENCY
            | vk::PrimitiveTopology::PATCH_LIST
    )
}

/// A topology of the same class, which is what a pipeline with dynamic topology is made for.
pub(crate) fn topology_class(topology: vk::PrimitiveTopology) -> vk::PrimitiveTopology {
    match topology {
        vk::PrimitiveTopology::POINT_LIST | vk::PrimitiveTopology::PATCH_LIST => topology,
        vk::PrimitiveTopology::LINE_LIST
        | vk::PrimitiveTopology::LINE_STRIP
        | vk::PrimitiveTopology::LINE_LIST_WITH_ADJACENCY
        | vk::PrimitiveTopology::LINE_STRIP_WITH_ADJACENCY => vk::PrimitiveTopology::LINE_LIST,
        _ => vk::PrimitiveTopology::TRIANGLE_LIST,
    }
}

pub(crate) fn samples(count: u32) -> vk::SampleCountFlags {
    vk::SampleCountFlags::from_raw(count.max(1).next_power_of_two())
}

pub(crate) fn polygon_mode(mode: PolygonMode) -> vk::PolygonMode {
    match mode {
        PolygonMode::LINE => vk::PolygonMode::LINE,
        PolygonMode::POINT => vk::PolygonMode::POINT,
        _ => vk::PolygonMode::FILL,
    }
}

pub(crate) fn cull_mode(cull: CullFace) -> vk::CullModeFlags {
    vk::CullModeFlags::from_raw(u32::from(cull.0 & 3))
}

pub(crate) fn write_mask(mask: u8) -> vk::ColorComponentFlags {
    vk::ColorComponentFlags::from_raw(u32::from(mask & 15))
}

pub(crate) fn shader_stage(stage: usize) -> vk::ShaderStageFlags {
    match stage {
        0 => vk::ShaderStageFlags::VERTEX,
        1 => vk::ShaderStageFlags::TESSELLATION_CONTROL,
        2 => vk::ShaderStageFlags::TESSELLATION_EVALUATION,
        3 => vk::ShaderStageFlags::GEOMETRY,
        4 => vk::ShaderStageFlags::FRAGMENT,
        _ => vk::ShaderStageFlags::COMPUTE,
    }
}

/// Stage flags of a stage mask.
pub(crate) fn shader_stages(mask: u32) -> vk::ShaderStageFlags {
    (0..STAGE_COUNT).filter(|s| mask & (1 << s) != 0).fold(vk::ShaderStageFlags::empty(), |f, s| f | shader_stage(s))
}

/// Aspects of a native format, which a substitute may have more of.
pub(crate) fn native_aspects(format: vk::Format) -> vk::ImageAspectFlags {
    match format {
        vk::Format::D16_UNORM | vk::Format::X8_D24_UNORM_PACK32 | vk::Format::D32_SFLOAT => vk::ImageAspectFlags::DEPTH,
        vk::Format::S8_UINT => vk::ImageAspectFlags::STENCIL,
        vk::Format::D16_UNORM_S8_UINT | vk::Format::D24_UNORM_S8_UINT | vk::Format::D32_SFLOAT_S8_UINT => {
            vk::ImageAspectFlags::DEPTH | vk::ImageAspectFlags::STENCIL
        }
        _ => vk::ImageAspectFlags::COLOR,
    }
}

pub(crate) fn swizzle(swizzle: [Swizzle; 4]) -> vk::ComponentMapping {
    let one = |s: Swizzle| match s {
        Swizzle::R => vk::ComponentSwizzle::R,
        Swizzle::G => vk::ComponentSwizzle::G,
        Swizzle::B => vk::ComponentSwizzle::B,
        Swizzle::A => vk::ComponentSwizzle::A,
        Swizzle::ZERO => vk::ComponentSwizzle::ZERO,
        _ => vk::ComponentSwizzle::ONE,
    };
    vk::ComponentMapping { r: one(swizzle[0]), g: one(swizzle[1]), b: one(swizzle[2]), a: one(swizzle[3]) }
}

pub(crate) fn view_type(dim: TextureDim) -> vk::ImageViewType {
    match dim {
        TextureDim::D1 => vk::ImageViewType::TYPE_1D,
        TextureDim::D3 => vk::ImageViewType::TYPE_3D,
        TextureDim::CUBE => vk::ImageViewType::CUBE,
        TextureDim::D1_ARRAY => vk::ImageViewType::TYPE_1D_ARRAY,
        TextureDim::D2_ARRAY => vk::ImageViewType::TYPE_2D_ARRAY,
        TextureDim::CUBE_ARRAY => vk::ImageViewType::CUBE_ARRAY,
        _ => vk::ImageViewType::TYPE_2D,
    }
}

pub(crate) fn image_type(dim: TextureDim) -> vk::ImageType {
    match dim {
        TextureDim::D1 | TextureDim::D1_ARRAY => vk::ImageType::TYPE_1D,
        TextureDim::D3 => vk::ImageType::TYPE_3D,
        _ => vk::ImageType::TYPE_2D,
    }
}

/// A colour's bits as Vulkan's union.
pub(crate) fn clear_color(bits: [u32; 4]) -> vk::ClearColorValue {
    // Floats, signed and unsigned integers share their bits in the union.
    vk::ClearColorValue { uint32: bits }
}
