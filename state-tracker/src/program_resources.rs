//! The resources of a linked program by interface (GL 4.6 core 7.3.1.1, tables 7.1 and 7.2): how many there are, their
//! names and their properties.

use std::borrow::Cow;

use gallite_shader::Stage;
use gallite_shader::reflection::{InterfaceVariable, Reflection, StageSubroutines, find_variable, told_name};

use crate::gl::*;
use crate::objects::executable::Executable;

/// A program interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interface {
    /// GL_UNIFORM.
    Uniform,
    /// GL_UNIFORM_BLOCK.
    UniformBlock,
    /// GL_ATOMIC_COUNTER_BUFFER.
    AtomicBuffer,
    /// GL_BUFFER_VARIABLE.
    BufferVariable,
    /// GL_SHADER_STORAGE_BLOCK.
    StorageBlock,
    /// GL_PROGRAM_INPUT.
    Input,
    /// GL_PROGRAM_OUTPUT.
    Output,
    /// GL_TRANSFORM_FEEDBACK_VARYING.
    XfbVarying,
    /// GL_TRANSFORM_FEEDBACK_BUFFER.
    XfbBuffer,
    /// GL_VERTEX_SUBROUTINE and its like.
    Subroutine(Stage),
    /// GL_VERTEX_SUBROUTINE_UNIFORM and its like.
    SubroutineUniform(Stage),
}

/// A set of interfaces, a bit each; those of subroutines count as one.
type Interfaces = u16;

const UNIFORM: Interfaces = 1;
const UNIFORM_BLOCK: Interfaces = 1 << 1;
const ATOMIC_BUFFER: Interfaces = 1 << 2;
const BUFFER_VARIABLE: Interfaces = 1 << 3;
const STORAGE_BLOCK: Interfaces = 1 << 4;
const INPUT: Interfaces = 1 << 5;
const OUTPUT: Interfaces = 1 << 6;
const XFB_VARYING: Interfaces = 1 << 7;
const XFB_BUFFER: Interfaces = 1 << 8;
const SUBROUTINE: Interfaces = 1 << 9;
const SUBROUTINE_UNIFORM: Interfaces = 1 << 10;

/// Those whose resources have members.
const WITH_MEMBERS: Interfaces = UNIFORM_BLOCK | ATOMIC_BUFFER | STORAGE_BLOCK | XFB_BUFFER;
/// Those whose resources have no names.
const NAMELESS: Interfaces = ATOMIC_BUFFER | XFB_BUFFER;
const MEMBERS_OF_BLOCKS: Interfaces = UNIFORM | BUFFER_VARIABLE;
const VARIABLES: Interfaces = MEMBERS_OF_BLOCKS | INPUT | OUTPUT | XFB_VARYING;

/// The interfaces that have a property (GL 4.6 core table 7.2); none when it is no property.
fn having(property: GLenum) -> Option<Interfaces> {
    Some(match property {
        GL_NAME_LENGTH => !NAMELESS,
        GL_TYPE => VARIABLES,
        GL_ARRAY_SIZE => VARIABLES | SUBROUTINE_UNIFORM,
        GL_OFFSET => MEMBERS_OF_BLOCKS | XFB_VARYING,
        GL_BLOCK_INDEX | GL_ARRAY_STRIDE | GL_MATRIX_STRIDE | GL_IS_ROW_MAJOR => MEMBERS_OF_BLOCKS,
        GL_ATOMIC_COUNTER_BUFFER_INDEX => UNIFORM,
        GL_BUFFER_BINDING | GL_NUM_ACTIVE_VARIABLES | GL_ACTIVE_VARIABLES => WITH_MEMBERS,
        GL_BUFFER_DATA_SIZE => WITH_MEMBERS & !XFB_BUFFER,
        GL_NUM_COMPATIBLE_SUBROUTINES | GL_COMPATIBLE_SUBROUTINES => SUBROUTINE_UNIFORM,
        GL_TOP_LEVEL_ARRAY_SIZE | GL_TOP_LEVEL_ARRAY_STRIDE => BUFFER_VARIABLE,
        GL_LOCATION => UNIFORM | INPUT | OUTPUT | SUBROUTINE_UNIFORM,
        GL_LOCATION_INDEX => OUTPUT,
        GL_LOCATION_COMPONENT | GL_IS_PER_PATCH => INPUT | OUTPUT,
        GL_TRANSFORM_FEEDBACK_BUFFER_INDEX => XFB_VARYING,
        GL_TRANSFORM_FEEDBACK_BUFFER_STRIDE => XFB_BUFFER,
        _ if REFERENCED.contains(&property) => !(XFB_VARYING | XFB_BUFFER | SUBROUTINE | SUBROUTINE_UNIFORM),
        _ => return None,
    })
}

const REFERENCED: [GLenum; Stage::COUNT] = [
    GL_REFERENCED_BY_VERTEX_SHADER,
    GL_REFERENCED_BY_TESS_CONTROL_SHADER,
    GL_REFERENCED_BY_TESS_EVALUATION_SHADER,
    GL_REFERENCED_BY_GEOMETRY_SHADER,
    GL_REFERENCED_BY_FRAGMENT_SHADER,
    GL_REFERENCED_BY_COMPUTE_SHADER,
];

/// Whether a property exists, and whether an interface has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Property {
    /// There is no such property.
    Unknown,
    /// Other interfaces have it.
    Elsewhere,
    /// The interface has it.
    Here,
}

impl Interface {
    /// The interface of a GL code.
    pub fn of(code: GLenum) -> Option<Self> {
        Some(match code {
            GL_UNIFORM => Self::Uniform,
            GL_UNIFORM_BLOCK => Self::UniformBlock,
            GL_ATOMIC_COUNTER_BUFFER => Self::AtomicBuffer,
            GL_BUFFER_VARIABLE => Self::BufferVariable,
            GL_SHADER_STORAGE_BLOCK => Self::StorageBlock,
            GL_PROGRAM_INPUT => Self::Input,
            GL_PROGRAM_OUTPUT => Self::Output,
            GL_TRANSFORM_FEEDBACK_VARYING => Self::XfbVarying,
            GL_TRANSFORM_FEEDBACK_BUFFER => Self::XfbBuffer,
            GL_VERTEX_SUBROUTINE => Self::Subroutine(Stage::Vertex),
            GL_TESS_CONTROL_SUBROUTINE => Self::Subroutine(Stage::TessControl),
            GL_TESS_EVALUATION_SUBROUTINE => Self::Subroutine(Stage::TessEvaluation),
            GL_GEOMETRY_SUBROUTINE => Self::Subroutine(Stage::Geometry),
            GL_FRAGMENT_SUBROUTINE => Self::Subroutine(Stage::Fragment),
            GL_COMPUTE_SUBROUTINE => Self::Subroutine(Stage::Compute),
            GL_VERTEX_SUBROUTINE_UNIFORM => Self::SubroutineUniform(Stage::Vertex),
            GL_TESS_CONTROL_SUBROUTINE_UNIFORM => Self::SubroutineUniform(Stage::TessControl),
            GL_TESS_EVALUATION_SUBROUTINE_UNIFORM => Self::SubroutineUniform(Stage::TessEvaluation),
            GL_GEOMETRY_SUBROUTINE_UNIFORM => Self::SubroutineUniform(Stage::Geometry),
            GL_FRAGMENT_SUBROUTINE_UNIFORM => Self::SubroutineUniform(Stage::Fragment),
            GL_COMPUTE_SUBROUTINE_UNIFORM => Self::SubroutineUniform(Stage::Compute),
            _ => return None,
        })
    }

    const fn bit(self) -> Interfaces {
        match self {
            Self::Uniform => UNIFORM,
            Self::UniformBlock => UNIFORM_BLOCK,
            Self::AtomicBuffer => ATOMIC_BUFFER,
            Self::BufferVariable => BUFFER_VARIABLE,
            Self::StorageBlock => STORAGE_BLOCK,
            Self::Input => INPUT,
            Self::Output => OUTPUT,
            Self::XfbVarying => XFB_VARYING,
            Self::XfbBuffer => XFB_BUFFER,
            Self::Subroutine(_) => SUBROUTINE,
            Self::SubroutineUniform(_) => SUBROUTINE_UNIFORM,
        }
    }

    /// Whether its resources have names.
    pub const fn has_names(self) -> bool {
        self.bit() & NAMELESS == 0
    }

    /// Whether its resources have members.
    pub const fn has_members(self) -> bool {
        self.bit() & WITH_MEMBERS != 0
    }

    /// Whether it has a property.
    pub fn property(self, property: GLenum) -> Property {
        match having(property) {
            None => Property::Unknown,
            Some(interfaces) if interfaces & self.bit() == 0 => Property::Elsewhere,
            Some(_) => Property::Here,
        }
    }

    /// Number of active resources.
    pub fn count(self, r: &Reflection) -> usize {
        match self {
            Self::Uniform => r.uniforms.len(),
            Self::UniformBlock => r.blocks.len(),
            Self::AtomicBuffer => r.atomic_buffers.len(),
            Self::BufferVariable => r.buffer_variables.len(),
            Self::StorageBlock => r.storage_blocks.len(),
            Self::Input => r.program_inputs.len(),
            Self::Output => r.program_outputs.len(),
            Self::XfbVarying => r.xfb.len(),
            Self::XfbBuffer => r.xfb_buffers().len(),
            Self::Subroutine(stage) => subroutines(r, stage).map_or(0, |s| s.functions.len()),
            Self::SubroutineUniform(stage) => subroutines(r, stage).map_or(0, |s| s.uniforms.len()),
        }
    }

    /// Name of a resource; `None` when it has none or does not exist.
    pub fn name(self, r: &Reflection, index: usize) -> Option<&str> {
        Some(told_name(match self {
            Self::Uniform => &r.uniforms.get(index)?.name,
            Self::UniformBlock => &r.blocks.get(index)?.name,
            Self::BufferVariable => &r.buffer_variables.get(index)?.name,
            Self::StorageBlock => &r.storage_blocks.get(index)?.name,
            Self::Input => &r.program_inputs.get(index)?.name,
            Self::Output => &r.program_outputs.get(index)?.name,
            Self::XfbVarying => &r.xfb.get(index)?.name,
            // Functions have the indices that the source gives.
            Self::Subroutine(stage) => &subroutines(r, stage)?.functions.iter().find(|f| f.1 as usize == index)?.0,
            Self::SubroutineUniform(stage) => &subroutines(r, stage)?.uniforms.get(index)?.name,
            Self::AtomicBuffer | Self::XfbBuffer => return None,
        }))
    }

    /// The names of all resources, with their indices.
    pub fn names(self, r: &Reflection) -> impl Iterator<Item = (usize, &str)> {
        let indices: Vec<usize> = match self {
            Self::Subroutine(stage) => {
                subroutines(r, stage).map_or(Vec::new(), |s| s.functions.iter().map(|f| f.1 as usize).collect())
            }
            _ => (0..self.count(r)).collect(),
        };
        indices.into_iter().filter_map(move |i| Some((i, self.name(r, i)?)))
    }

    /// Indices of a resource's members.
    pub fn members(self, r: &Reflection, index: usize) -> Option<Cow<'_, [u32]>> {
        Some(match self {
            Self::UniformBlock => Cow::Borrowed(&r.blocks.get(index)?.members),
            Self::StorageBlock => Cow::Borrowed(&r.storage_blocks.get(index)?.members),
            Self::AtomicBuffer => Cow::Borrowed(&r.atomic_buffers.get(index)?.members),
            Self::XfbBuffer => {
                let buffer = *r.xfb_buffers().get(index)?;
                let own = |v: &usize| r.xfb[*v].buffer == buffer && r.xfb[*v].ty != GL_NONE;
                Cow::Owned((0..r.xfb.len()).filter(own).map(|v| v as u32).collect())
            }
            _ => return None,
        })
    }

    /// Functions that a subroutine uniform can select.
    pub fn compatible(self, r: &Reflection, index: usize) -> Option<&[u32]> {
        let Self::SubroutineUniform(stage) = self else { return None };
        Some(&subroutines(r, stage)?.uniforms.get(index)?.compatible)
    }

    /// The location a name has (GL 4.6 core 7.3.1.1): outer none where the interface has no locations, inner none where
    /// the name has none.
    pub fn location(self, r: &Reflection, name: &str) -> Option<Option<GLint>> {
        let found = match self {
            Self::Uniform => Some(r.uniform_location(name)),
            Self::Input => find_variable(&r.program_inputs, name).map(|(_, location)| location),
            Self::Output => find_variable(&r.program_outputs, name).map(|(_, location)| location),
            Self::SubroutineUniform(stage) => {
                subroutines(r, stage).and_then(|s| s.location(name)).map(|location| location as GLint)
            }
            _ => return None,
        };
        Some(found.filter(|location| *location >= 0))
    }

    /// A property that is one number, of a resource that exists and an interface that has it.
    pub fn value(self, executable: &Executable, index: usize, property: GLenum) -> Option<GLint> {
        let r = executable.reflection();
        match property {
            GL_NAME_LENGTH => return Some(self.name(r, index)?.len() as GLint + 1),
            GL_NUM_ACTIVE_VARIABLES => return Some(self.members(r, index)?.len() as GLint),
            GL_NUM_COMPATIBLE_SUBROUTINES => return Some(self.compatible(r, index)?.len() as GLint),
            _ => {}
        }
        if let Some(stage) = REFERENCED.iter().position(|name| *name == property) {
            let stages = match self {
                Self::Uniform => r.uniforms.get(index)?.stages,
                Self::UniformBlock => r.blocks.get(index)?.stages,
                Self::AtomicBuffer => r.atomic_buffers.get(index)?.stages,
                Self::BufferVariable => r.buffer_variables.get(index)?.stages,
                Self::StorageBlock => r.storage_blocks.get(index)?.stages,
                Self::Input => r.program_inputs.get(index)?.stages,
                Self::Output => r.program_outputs.get(index)?.stages,
                _ => return None,
            };
            return Some(stages.has(Stage::ALL[stage]).into());
        }
        match self {
            Self::Uniform => uniform(r, index, property),
            Self::BufferVariable => buffer_variable(r, index, property),
            Self::UniformBlock => buffer(executable.block_binding(index)?, r.blocks.get(index)?.data_size, property),
            Self::StorageBlock => {
                buffer(executable.storage_binding(index)?, r.storage_blocks.get(index)?.data_size, property)
            }
            Self::AtomicBuffer => {
                let b = r.atomic_buffers.get(index)?;
                buffer(b.binding, b.data_size, property)
            }
            Self::Input => variable(r.program_inputs.get(index)?, property),
            Self::Output => variable(r.program_outputs.get(index)?, property),
            Self::XfbVarying => xfb_varying(r, index, property),
            Self::XfbBuffer => {
                let buffer = *r.xfb_buffers().get(index)?;
                match property {
                    GL_BUFFER_BINDING => Some(buffer as GLint),
                    GL_TRANSFORM_FEEDBACK_BUFFER_STRIDE => Some(r.xfb_strides[buffer as usize] as GLint),
                    _ => None,
                }
            }
            Self::SubroutineUniform(stage) => {
                let uniform = subroutines(r, stage)?.uniforms.get(index)?;
                match property {
                    GL_ARRAY_SIZE => Some(uniform.array_size as GLint),
                    GL_LOCATION => Some(uniform.location as GLint),
                    _ => None,
                }
            }
            Self::Subroutine(_) => None,
        }
    }
}

fn subroutines(r: &Reflection, stage: Stage) -> Option<&StageSubroutines> {
    r.subroutines.iter().find(|s| usize::from(s.stage) == stage.index())
}

fn uniform(r: &Reflection, index: usize, property: GLenum) -> Option<GLint> {
    let u = r.uniforms.get(index)?;
    Some(match property {
        GL_TYPE => u.ty as GLint,
        GL_ARRAY_SIZE => u.array_size as GLint,
        GL_OFFSET => u.offset,
        GL_BLOCK_INDEX => u.block,
        GL_ARRAY_STRIDE => u.array_stride,
        GL_MATRIX_STRIDE => u.matrix_stride,
        GL_IS_ROW_MAJOR => u.row_major.into(),
        GL_ATOMIC_COUNTER_BUFFER_INDEX => u.atomic_buffer,
        GL_LOCATION => u.location,
        _ => return None,
    })
}

fn buffer_variable(r: &Reflection, index: usize, property: GLenum) -> Option<GLint> {
    let v = r.buffer_variables.get(index)?;
    let value = match property {
        GL_TYPE => v.ty,
        GL_ARRAY_SIZE => v.array_size,
        GL_OFFSET => v.offset,
        GL_BLOCK_INDEX => v.block,
        GL_ARRAY_STRIDE => v.array_stride,
        GL_MATRIX_STRIDE => v.matrix_stride,
        GL_IS_ROW_MAJOR => v.row_major.into(),
        GL_TOP_LEVEL_ARRAY_SIZE => v.top_level_array_size,
        GL_TOP_LEVEL_ARRAY_STRIDE => v.top_level_array_stride,
        _ => return None,
    };
    Some(value as GLint)
}

fn buffer(binding: u32, size: u32, property: GLenum) -> Option<GLint> {
    match property {
        GL_BUFFER_BINDING => Some(binding as GLint),
        GL_BUFFER_DATA_SIZE => Some(size as GLint),
        _ => None,
    }
}

fn variable(v: &InterfaceVariable, property: GLenum) -> Option<GLint> {
    Some(match property {
        GL_TYPE => v.ty as GLint,
        GL_ARRAY_SIZE => v.array_size as GLint,
        GL_LOCATION => v.location,
        // GL 4.6 core 7.3.1.1: -1 for what is no fragment output with a location.
        GL_LOCATION_INDEX if v.location < 0 || !v.stages.has(Stage::Fragment) => -1,
        GL_LOCATION_INDEX => v.index as GLint,
        GL_LOCATION_COMPONENT => v.component as GLint,
        GL_IS_PER_PATCH => v.patch.into(),
        _ => return None,
    })
}

fn xfb_varying(r: &Reflection, index: usize, property: GLenum) -> Option<GLint> {
    let v = r.xfb.get(index)?;
    Some(match property {
        GL_TYPE => v.ty as GLint,
        GL_ARRAY_SIZE => v.array_size as GLint,
        GL_OFFSET => v.offset as GLint,
        GL_TRANSFORM_FEEDBACK_BUFFER_INDEX => {
            r.xfb_buffers().iter().position(|b| *b == v.buffer).map_or(-1, |i| i as GLint)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of table 7.2 that tell interfaces apart.
    #[test]
    fn properties_belong_to_interfaces() {
        for (interface, property, expected) in [
            (Interface::Uniform, GL_LOCATION, Property::Here),
            (Interface::UniformBlock, GL_LOCATION, Property::Elsewhere),
            (Interface::XfbBuffer, GL_NAME_LENGTH, Property::Elsewhere),
            (Interface::XfbBuffer, GL_BUFFER_DATA_SIZE, Property::Elsewhere),
            (Interface::Subroutine(Stage::Vertex), GL_NAME_LENGTH, Property::Here),
            (Interface::Subroutine(Stage::Vertex), GL_ARRAY_SIZE, Property::Elsewhere),
            (Interface::Input, GL_LOCATION_INDEX, Property::Elsewhere),
            (Interface::Output, GL_REFERENCED_BY_COMPUTE_SHADER, Property::Here),
            (Interface::XfbVarying, GL_REFERENCED_BY_VERTEX_SHADER, Property::Elsewhere),
            (Interface::Output, GL_ACTIVE_RESOURCES, Property::Unknown),
        ] {
            assert_eq!(interface.property(property), expected, "{interface:?} 0x{property:04X}");
        }
    }
}
