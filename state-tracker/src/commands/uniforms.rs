//! Uniform values and block bindings (GL 4.6 core 7.6).

use std::sync::Arc;

use gallite_shader::gl_type::{Scalar, Shape};

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::limits::MAX_IMAGE_UNITS;
use crate::objects::executable::{Executable, UniformSlot, ValueSlot};

use super::programs::{linked, program};

/// What a glUniform* or glProgramUniform* command brings.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub command: &'static str,
    pub shape: Shape,
    /// Rows follow each other instead of columns.
    pub transpose: bool,
    pub count: GLsizei,
    pub words: &'a [u32],
}

pub(super) const fn vector(scalar: Scalar, rows: u8) -> Shape {
    Shape { scalar, columns: 1, rows }
}

#[cold]
#[inline(never)]
fn refuse(given: &Given, location: GLint, what: &str) -> GlError {
    GlError::invalid_operation(format!("{} at location {location}: {what}", given.command))
}

/// Sets uniforms of the program in use.
#[inline]
fn set_current(ctx: &mut Context, location: GLint, given: Given) -> GlResult {
    ctx.refresh_executable_if_moved();
    let Some(executable) = &ctx.state.programs.executable else {
        return Err(refuse(&given, location, "no program is in use"));
    };
    let changed = store(executable, location, &given, ctx.limits.combined_texture_units as u32)?;
    if !changed.is_empty() {
        note_change(ctx, changed);
    }
    Ok(())
}

/// Sets uniforms of a named program.
pub(super) fn set_of_program(ctx: &mut Context, name: GLuint, location: GLint, given: Given) -> GlResult {
    let executable = linked(ctx, given.command, name)?;
    let changed = store(&executable, location, &given, ctx.limits.combined_texture_units as u32)?;
    if !changed.is_empty() {
        // It may be the program in use.
        note_change(ctx, changed);
    }
    Ok(())
}

/// Values of a program are seen by every context of the group that uses it.
#[inline]
fn note_change(ctx: &mut Context, changed: DirtySet) {
    if ctx.share.has_several_contexts() {
        ctx.shared_changed(changed);
    } else {
        ctx.dirty.insert(changed);
    }
}

/// Stores values; returns what that made stale.
#[inline]
fn store(executable: &Executable, location: GLint, given: &Given, units: u32) -> GlResult<DirtySet> {
    if given.count < 0 {
        return Err(GlError::invalid_value(format!("{}: count is negative", given.command)));
    }
    // GL 4.6 core 7.6: location -1 is silently ignored.
    if location == -1 {
        return Ok(DirtySet::NONE);
    }
    match executable.slot(location) {
        Some(UniformSlot::Value(slot)) => {
            check_value(slot, location, given)?;
            let count = (given.count as u32).min(slot.remaining);
            let changed = if given.shape.columns == 1 && slot.shape.scalar != Scalar::Bool {
                store_vectors(executable, slot, given.words, count)
            } else {
                store_general(executable, slot, given, count)
            };
            Ok(if changed { DirtySet::UNIFORMS } else { DirtySet::NONE })
        }
        Some(UniformSlot::Sampler { dense, remaining, is_array }) => {
            store_units(executable, location, given, (*dense, *remaining, *is_array), units)
        }
        Some(UniformSlot::Image { dense, remaining, is_array }) => {
            store_image_units(executable, location, given, (*dense, *remaining, *is_array))
        }
        Some(UniformSlot::Unused) => Ok(DirtySet::NONE),
        None => Err(refuse(given, location, "the program has no such location")),
    }
}

/// GL 4.6 core 7.6.1: the command must match the type and size of the uniform; booleans take any but doubles.
#[inline]
fn check_value(slot: &ValueSlot, location: GLint, given: &Given) -> GlResult {
    let (have, want) = (given.shape, slot.shape);
    let scalar_fits = have.scalar == want.scalar || want.scalar == Scalar::Bool && have.scalar != Scalar::Double;
    if !scalar_fits || have.columns != want.columns || have.rows != want.rows {
        return Err(refuse(given, location, "the uniform has another type"));
    }
    if given.count > 1 && !slot.is_array {
        return Err(refuse(given, location, "count is more than 1 and the uniform is not an array"));
    }
    Ok(())
}

#[inline]
fn store_vectors(executable: &Executable, slot: &ValueSlot, words: &[u32], count: u32) -> bool {
    let rows = slot.shape.rows as usize * if slot.shape.scalar == Scalar::Double { 2 } else { 1 };
    if count > 1 && slot.array_stride as usize == rows {
        let words = &words[..words.len().min(count as usize * rows)];
        return executable.set_words(slot.word, words);
    }
    let mut changed = false;
    let mut word = slot.word;
    for element in words.chunks_exact(rows).take(count as usize) {
        for (row, value) in element.iter().enumerate() {
            changed |= executable.set_word(word + row as u32, *value);
        }
        word += slot.array_stride;
    }
    changed
}

fn store_general(executable: &Executable, slot: &ValueSlot, given: &Given, count: u32) -> bool {
    let scalar_words = if slot.shape.scalar == Scalar::Double { 2 } else { 1 };
    let (columns, rows) = (u32::from(slot.shape.columns), u32::from(slot.shape.rows));
    let per_element = (columns * rows * scalar_words) as usize;
    let dense =
        slot.column_stride == rows * scalar_words && (count <= 1 || slot.array_stride == columns * rows * scalar_words);
    if dense && !given.transpose && slot.shape.scalar != Scalar::Bool {
        let words = &given.words[..given.words.len().min(count as usize * per_element)];
        return executable.set_words(slot.word, words);
    }
    let mut changed = false;
    for (index, element) in given.words.chunks_exact(per_element).take(count as usize).enumerate() {
        let base = slot.word + index as u32 * slot.array_stride;
        for column in 0..columns {
            for row in 0..rows {
                let from = if given.transpose { row * columns + column } else { column * rows + row } * scalar_words;
                for part in 0..scalar_words {
                    let mut value = element[(from + part) as usize];
                    if slot.shape.scalar == Scalar::Bool {
                        value = as_bool(given.shape.scalar, value).into();
                    }
                    let word = base + column * slot.column_stride + row * scalar_words + part;
                    changed |= executable.set_word(word, value);
                }
            }
        }
    }
    changed
}

/// Zero is false; so is minus zero.
fn as_bool(scalar: Scalar, bits: u32) -> bool {
    if scalar == Scalar::Float { f32::from_bits(bits) != 0.0 } else { bits != 0 }
}

fn store_units(
    executable: &Executable,
    location: GLint,
    given: &Given,
    (dense, remaining, is_array): (u32, u32, bool),
    units: u32,
) -> GlResult<DirtySet> {
    // GL 4.6 core 7.10: samplers are set by Uniform1i{v} alone, to a unit that exists.
    if given.shape != vector(Scalar::Int, 1) {
        return Err(refuse(given, location, "a sampler takes glUniform1i"));
    }
    if given.count > 1 && !is_array {
        return Err(refuse(given, location, "count is more than 1 and the uniform is not an array"));
    }
    let wanted = &given.words[..given.words.len().min(given.count as usize).min(remaining as usize)];
    if let Some(unit) = wanted.iter().find(|unit| **unit >= units) {
        return Err(GlError::invalid_value(format!("{}: texture unit {} does not exist", given.command, *unit as i32)));
    }
    let mut changed = false;
    for (element, unit) in wanted.iter().enumerate() {
        changed |= executable.set_unit(dense + element as u32, *unit);
    }
    if !changed {
        return Ok(DirtySet::NONE);
    }
    executable.units_changed();
    Ok(DirtySet::TEXTURES)
}

/// GL 4.6 core 7.6.1: images are set by Uniform1i{v} alone, to a unit that exists.
fn store_image_units(
    executable: &Executable,
    location: GLint,
    given: &Given,
    (dense, remaining, is_array): (u32, u32, bool),
) -> GlResult<DirtySet> {
    if given.shape != vector(Scalar::Int, 1) {
        return Err(refuse(given, location, "an image takes glUniform1i"));
    }
    if given.count > 1 && !is_array {
        return Err(refuse(given, location, "count is more than 1 and the uniform is not an array"));
    }
    let wanted = &given.words[..given.words.len().min(given.count as usize).min(remaining as usize)];
    if let Some(unit) = wanted.iter().find(|unit| **unit as usize >= MAX_IMAGE_UNITS) {
        return Err(GlError::invalid_value(format!("{}: image unit {} does not exist", given.command, *unit as i32)));
    }
    let mut changed = false;
    for (element, unit) in wanted.iter().enumerate() {
        changed |= executable.set_image_unit(dense + element as u32, *unit);
    }
    Ok(if changed { DirtySet::IMAGES } else { DirtySet::NONE })
}

/// No uniform array has more elements, because no program has more components of uniforms.
const MOST_ELEMENTS: usize = 16384;

/// Elements a vector command reads: none when it will be refused anyway, and none beyond what any array holds, because
/// GL 4.6 core 7.6.1 ignores those.
pub(super) fn elements(count: GLsizei, per_element: usize) -> usize {
    usize::try_from(count).unwrap_or(0).min(MOST_ELEMENTS) * per_element
}

macro_rules! uniform_scalars {
    ($($name:ident: $scalar:ident, $rows:literal, $ty:ty, ($($value:ident),+);)+) => {
        $(pub fn $name(ctx: &mut Context, location: GLint, $($value: $ty),+) -> GlResult {
            let values: [$ty; $rows] = [$($value),+];
            let shape = vector(Scalar::$scalar, $rows);
            let command = concat!("gl", stringify!($name));
            let words = bytemuck::cast_slice(&values);
            set_current(ctx, location, Given { command, shape, transpose: false, count: 1, words })
        })+
    };
}

macro_rules! uniform_vectors {
    ($($name:ident: $scalar:ident, $rows:literal, $ty:ty;)+) => {
        $(pub fn $name(ctx: &mut Context, location: GLint, count: GLsizei, value: ClientPtr<$ty>) -> GlResult {
            let values = value.read(elements(count, $rows));
            let shape = vector(Scalar::$scalar, $rows);
            let command = concat!("gl", stringify!($name));
            let words = bytemuck::cast_slice(&values);
            set_current(ctx, location, Given { command, shape, transpose: false, count, words })
        })+
    };
}

macro_rules! uniform_matrices {
    ($($name:ident: $scalar:ident, $columns:literal, $rows:literal, $ty:ty;)+) => {
        $(pub fn $name(
            ctx: &mut Context,
            location: GLint,
            count: GLsizei,
            transpose: GLboolean,
            value: ClientPtr<$ty>,
        ) -> GlResult {
            let values = value.read(elements(count, $columns * $rows));
            let shape = Shape { scalar: Scalar::$scalar, columns: $columns, rows: $rows };
            let command = concat!("gl", stringify!($name));
            let words = bytemuck::cast_slice(&values);
            set_current(ctx, location, Given { command, shape, transpose: transpose != 0, count, words })
        })+
    };
}

// gl-commands: Uniform1f Uniform2f Uniform3f Uniform4f Uniform1i Uniform2i Uniform3i Uniform4i
// gl-commands: Uniform1ui Uniform2ui Uniform3ui Uniform4ui Uniform1d Uniform2d Uniform3d Uniform4d
uniform_scalars! {
    Uniform1f: Float, 1, GLfloat, (v0);
    Uniform2f: Float, 2, GLfloat, (v0, v1);
    Uniform3f: Float, 3, GLfloat, (v0, v1, v2);
    Uniform4f: Float, 4, GLfloat, (v0, v1, v2, v3);
    Uniform1i: Int, 1, GLint, (v0);
    Uniform2i: Int, 2, GLint, (v0, v1);
    Uniform3i: Int, 3, GLint, (v0, v1, v2);
    Uniform4i: Int, 4, GLint, (v0, v1, v2, v3);
    Uniform1ui: Uint, 1, GLuint, (v0);
    Uniform2ui: Uint, 2, GLuint, (v0, v1);
    Uniform3ui: Uint, 3, GLuint, (v0, v1, v2);
    Uniform4ui: Uint, 4, GLuint, (v0, v1, v2, v3);
    Uniform1d: Double, 1, GLdouble, (v0);
    Uniform2d: Double, 2, GLdouble, (v0, v1);
    Uniform3d: Double, 3, GLdouble, (v0, v1, v2);
    Uniform4d: Double, 4, GLdouble, (v0, v1, v2, v3);
}

// gl-commands: Uniform1fv Uniform2fv Uniform3fv Uniform4fv Uniform1iv Uniform2iv Uniform3iv Uniform4iv
// gl-commands: Uniform1uiv Uniform2uiv Uniform3uiv Uniform4uiv Uniform1dv Uniform2dv Uniform3dv Uniform4dv
uniform_vectors! {
    Uniform1fv: Float, 1, GLfloat;
    Uniform2fv: Float, 2, GLfloat;
    Uniform3fv: Float, 3, GLfloat;
    Uniform4fv: Float, 4, GLfloat;
    Uniform1iv: Int, 1, GLint;
    Uniform2iv: Int, 2, GLint;
    Uniform3iv: Int, 3, GLint;
    Uniform4iv: Int, 4, GLint;
    Uniform1uiv: Uint, 1, GLuint;
    Uniform2uiv: Uint, 2, GLuint;
    Uniform3uiv: Uint, 3, GLuint;
    Uniform4uiv: Uint, 4, GLuint;
    Uniform1dv: Double, 1, GLdouble;
    Uniform2dv: Double, 2, GLdouble;
    Uniform3dv: Double, 3, GLdouble;
    Uniform4dv: Double, 4, GLdouble;
}

// gl-commands: UniformMatrix2fv UniformMatrix3fv UniformMatrix4fv UniformMatrix2x3fv UniformMatrix3x2fv
// gl-commands: UniformMatrix2x4fv UniformMatrix4x2fv UniformMatrix3x4fv UniformMatrix4x3fv UniformMatrix2dv
// gl-commands: UniformMatrix3dv UniformMatrix4dv UniformMatrix2x3dv UniformMatrix3x2dv UniformMatrix2x4dv
// gl-commands: UniformMatrix4x2dv UniformMatrix3x4dv UniformMatrix4x3dv
uniform_matrices! {
    UniformMatrix2fv: Float, 2, 2, GLfloat;
    UniformMatrix3fv: Float, 3, 3, GLfloat;
    UniformMatrix4fv: Float, 4, 4, GLfloat;
    UniformMatrix2x3fv: Float, 2, 3, GLfloat;
    UniformMatrix3x2fv: Float, 3, 2, GLfloat;
    UniformMatrix2x4fv: Float, 2, 4, GLfloat;
    UniformMatrix4x2fv: Float, 4, 2, GLfloat;
    UniformMatrix3x4fv: Float, 3, 4, GLfloat;
    UniformMatrix4x3fv: Float, 4, 3, GLfloat;
    UniformMatrix2dv: Double, 2, 2, GLdouble;
    UniformMatrix3dv: Double, 3, 3, GLdouble;
    UniformMatrix4dv: Double, 4, 4, GLdouble;
    UniformMatrix2x3dv: Double, 2, 3, GLdouble;
    UniformMatrix3x2dv: Double, 3, 2, GLdouble;
    UniformMatrix2x4dv: Double, 2, 4, GLdouble;
    UniformMatrix4x2dv: Double, 4, 2, GLdouble;
    UniformMatrix3x4dv: Double, 3, 4, GLdouble;
    UniformMatrix4x3dv: Double, 4, 3, GLdouble;
}

/// One component of a uniform's value.
#[derive(Clone, Copy)]
enum Component {
    Float(f32),
    Double(f64),
    Int(i32),
    Uint(u32),
}

/// A type that glGetUniform* returns.
trait Returned: Copy + bytemuck::Pod {
    fn convert(component: Component) -> Self;
}

impl Returned for GLfloat {
    fn convert(component: Component) -> Self {
        match component {
            Component::Float(v) => v,
            Component::Double(v) => v as f32,
            Component::Int(v) => v as f32,
            Component::Uint(v) => v as f32,
        }
    }
}

impl Returned for GLdouble {
    fn convert(component: Component) -> Self {
        match component {
            Component::Float(v) => v.into(),
            Component::Double(v) => v,
            Component::Int(v) => v.into(),
            Component::Uint(v) => v.into(),
        }
    }
}

impl Returned for GLint {
    fn convert(component: Component) -> Self {
        match component {
            // GL 4.6 core 2.2.2: floats are rounded to the nearest integer.
            Component::Float(v) => v.round() as i32,
            Component::Double(v) => v.round() as i32,
            Component::Int(v) => v,
            Component::Uint(v) => v as i32,
        }
    }
}

impl Returned for GLuint {
    fn convert(component: Component) -> Self {
        match component {
            Component::Float(v) => v.round() as u32,
            Component::Double(v) => v.round() as u32,
            Component::Int(v) => v as u32,
            Component::Uint(v) => v,
        }
    }
}

fn get_uniform<T: Returned>(
    ctx: &Context,
    command: &'static str,
    name: GLuint,
    location: GLint,
    params: ClientPtrMut<T>,
    room: Option<usize>,
) -> GlResult {
    let executable = linked(ctx, command, name)?;
    let values: Vec<T> = match executable.slot(location) {
        Some(UniformSlot::Value(slot)) => read_value(&executable, slot),
        Some(UniformSlot::Sampler { dense, .. }) => vec![T::convert(Component::Uint(executable.unit(*dense)))],
        Some(UniformSlot::Image { dense, .. }) => vec![T::convert(Component::Uint(executable.image_unit(*dense)))],
        Some(UniformSlot::Unused) | None => {
            return Err(GlError::invalid_operation(format!("{command}: no uniform at location {location}")));
        }
    };
    // GL 4.6 core 7.13, GetnUniform*: INVALID_OPERATION when the values don't fit.
    if room.is_some_and(|room| room < size_of_val(values.as_slice())) {
        return Err(GlError::invalid_operation(format!("{command}: bufSize is too small")));
    }
    params.write(&values);
    Ok(())
}

fn read_value<T: Returned>(executable: &Executable, slot: &ValueSlot) -> Vec<T> {
    let shape = slot.shape;
    let mut values = Vec::with_capacity(shape.components() as usize);
    for column in 0..u32::from(shape.columns) {
        for row in 0..u32::from(shape.rows) {
            let word = |index: u32| executable.word(slot.word + column * slot.column_stride + index);
            values.push(T::convert(match shape.scalar {
                Scalar::Float => Component::Float(f32::from_bits(word(row))),
                Scalar::Double => {
                    let (low, high) = (word(row * 2), word(row * 2 + 1));
                    Component::Double(f64::from_bits(u64::from(high) << 32 | u64::from(low)))
                }
                Scalar::Int => Component::Int(word(row) as i32),
                Scalar::Uint | Scalar::Bool => Component::Uint(word(row)),
            }));
        }
    }
    values
}

macro_rules! get_uniforms {
    ($($name:ident, $sized:ident: $ty:ty;)+) => {
        $(
            pub fn $name(ctx: &mut Context, name: GLuint, location: GLint, params: ClientPtrMut<$ty>) -> GlResult {
                get_uniform(ctx, concat!("gl", stringify!($name)), name, location, params, None)
            }
            pub fn $sized(
                ctx: &mut Context,
                name: GLuint,
                location: GLint,
                buf_size: GLsizei,
                params: ClientPtrMut<$ty>,
            ) -> GlResult {
                let room = usize::try_from(buf_size).unwrap_or(0);
                get_uniform(ctx, concat!("gl", stringify!($sized)), name, location, params, Some(room))
            }
        )+
    };
}

// gl-commands: GetUniformfv GetUniformdv GetUniformiv GetUniformuiv
// gl-commands: GetnUniformfv GetnUniformdv GetnUniformiv GetnUniformuiv
get_uniforms! {
    GetUniformfv, GetnUniformfv: GLfloat;
    GetUniformdv, GetnUniformdv: GLdouble;
    GetUniformiv, GetnUniformiv: GLint;
    GetUniformuiv, GetnUniformuiv: GLuint;
}

pub fn UniformBlockBinding(ctx: &mut Context, name: GLuint, block: GLuint, binding: GLuint) -> GlResult {
    let command = "glUniformBlockBinding";
    let program = program(ctx, command, name)?;
    let executable = program.state.lock().linked().map(Arc::clone);
    let executable = executable.filter(|e| (block as usize) < e.reflection().blocks.len());
    let Some(executable) = executable else {
        return Err(GlError::invalid_value(format!("{command}: block index is {block}")));
    };
    if binding >= ctx.limits.uniform_buffer_bindings as GLuint {
        return Err(GlError::invalid_value(format!("{command}: binding is {binding}")));
    }
    if executable.set_block_binding(block as usize, binding) {
        note_change(ctx, DirtySet::UNIFORM_BUFFERS);
    }
    Ok(())
}

pub fn ShaderStorageBlockBinding(ctx: &mut Context, name: GLuint, block: GLuint, binding: GLuint) -> GlResult {
    let command = "glShaderStorageBlockBinding";
    let program = program(ctx, command, name)?;
    let executable = program.state.lock().linked().map(Arc::clone);
    let executable = executable.filter(|e| (block as usize) < e.reflection().storage_blocks.len());
    let Some(executable) = executable else {
        return Err(GlError::invalid_value(format!("{command}: block index is {block}")));
    };
    if binding >= ctx.limits.storage_buffer_bindings as GLuint {
        return Err(GlError::invalid_value(format!("{command}: binding is {binding}")));
    }
    executable.set_storage_binding(block as usize, binding);
    note_change(ctx, DirtySet::STORAGE_BUFFERS);
    Ok(())
}
