//! Uniform values and block bindings (GL 4.6 core 7.6).

use std::sync::Arc;

use gallite_shader::gl_type::{Scalar, Shape};

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::executable::{Executable, UniformSlot, ValueSlot};

use super::programs::{linked, program};

/// What a glUniform* command brings.
#[derive(Clone, Copy)]
struct Given<'a> {
    command: &'static str,
    shape: Shape,
    /// Rows follow each other instead of columns.
    transpose: bool,
    count: GLsizei,
    words: &'a [u32],
}

const fn vector(scalar: Scalar, rows: u8) -> Shape {
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
        ctx.dirty.insert(changed);
        note_shared_change(ctx);
    }
    Ok(())
}

/// Values of a program are seen by every context of the group that uses it.
#[inline]
fn note_shared_change(ctx: &mut Context) {
    if ctx.share.has_several_contexts() {
        ctx.share.bump_epoch();
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

/// Elements a vector command reads, none when it will be refused anyway.
fn elements(count: GLsizei, per_element: usize) -> usize {
    usize::try_from(count).unwrap_or(0) * per_element
}

macro_rules! uniform_scalars {
    ($($name:ident: $scalar:ident, $rows:literal, $ty:ty, ($($value:ident),+);)+) => {
        $(pub fn $name(ctx: &mut Context, location: GLint, $($value: $ty),+) -> GlResult {
            let words = bytemuck::cast::<[$ty; $rows], [u32; $rows]>([$($value),+]);
            let shape = vector(Scalar::$scalar, $rows);
            let command = concat!("gl", stringify!($name));
            set_current(ctx, location, Given { command, shape, transpose: false, count: 1, words: &words })
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
    ($($name:ident: $columns:literal, $rows:literal;)+) => {
        $(pub fn $name(
            ctx: &mut Context,
            location: GLint,
            count: GLsizei,
            transpose: GLboolean,
            value: ClientPtr<GLfloat>,
        ) -> GlResult {
            let values = value.read(elements(count, $columns * $rows));
            let shape = Shape { scalar: Scalar::Float, columns: $columns, rows: $rows };
            let command = concat!("gl", stringify!($name));
            let words = bytemuck::cast_slice(&values);
            set_current(ctx, location, Given { command, shape, transpose: transpose != 0, count, words })
        })+
    };
}

// gl-commands: Uniform1f Uniform2f Uniform3f Uniform4f Uniform1i Uniform2i Uniform3i Uniform4i
// gl-commands: Uniform1ui Uniform2ui Uniform3ui Uniform4ui
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
}

// gl-commands: Uniform1fv Uniform2fv Uniform3fv Uniform4fv Uniform1iv Uniform2iv Uniform3iv Uniform4iv
// gl-commands: Uniform1uiv Uniform2uiv Uniform3uiv Uniform4uiv
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
}

// gl-commands: UniformMatrix2fv UniformMatrix3fv UniformMatrix4fv UniformMatrix2x3fv UniformMatrix3x2fv
// gl-commands: UniformMatrix2x4fv UniformMatrix4x2fv UniformMatrix3x4fv UniformMatrix4x3fv
uniform_matrices! {
    UniformMatrix2fv: 2, 2;
    UniformMatrix3fv: 3, 3;
    UniformMatrix4fv: 4, 4;
    UniformMatrix2x3fv: 2, 3;
    UniformMatrix3x2fv: 3, 2;
    UniformMatrix2x4fv: 2, 4;
    UniformMatrix4x2fv: 4, 2;
    UniformMatrix3x4fv: 3, 4;
    UniformMatrix4x3fv: 4, 3;
}

/// A type that glGetUniform* returns.
trait Returned: Copy + bytemuck::Pod {
    fn convert(scalar: Scalar, bits: u32) -> Self;
}

impl Returned for GLfloat {
    fn convert(scalar: Scalar, bits: u32) -> Self {
        match scalar {
            Scalar::Int => bits as i32 as f32,
            Scalar::Uint | Scalar::Bool => bits as f32,
            Scalar::Float | Scalar::Double => f32::from_bits(bits),
        }
    }
}

impl Returned for GLint {
    fn convert(scalar: Scalar, bits: u32) -> Self {
        match scalar {
            // GL 4.6 core 2.2.2: floats are rounded to the nearest integer.
            Scalar::Float | Scalar::Double => f32::from_bits(bits).round() as i32,
            Scalar::Int | Scalar::Uint | Scalar::Bool => bits as i32,
        }
    }
}

impl Returned for GLuint {
    fn convert(scalar: Scalar, bits: u32) -> Self {
        match scalar {
            Scalar::Float | Scalar::Double => f32::from_bits(bits).round() as u32,
            Scalar::Int | Scalar::Uint | Scalar::Bool => bits,
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
        Some(UniformSlot::Sampler { dense, .. }) => vec![T::convert(Scalar::Uint, executable.unit(*dense))],
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
            let bits = executable.word(slot.word + column * slot.column_stride + row);
            values.push(T::convert(shape.scalar, bits));
        }
    }
    values
}

pub fn GetUniformfv(ctx: &mut Context, name: GLuint, location: GLint, params: ClientPtrMut<GLfloat>) -> GlResult {
    get_uniform(ctx, "glGetUniformfv", name, location, params, None)
}

pub fn GetUniformiv(ctx: &mut Context, name: GLuint, location: GLint, params: ClientPtrMut<GLint>) -> GlResult {
    get_uniform(ctx, "glGetUniformiv", name, location, params, None)
}

pub fn GetUniformuiv(ctx: &mut Context, name: GLuint, location: GLint, params: ClientPtrMut<GLuint>) -> GlResult {
    get_uniform(ctx, "glGetUniformuiv", name, location, params, None)
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
    executable.set_block_binding(block as usize, binding);
    ctx.dirty.insert(DirtySet::UNIFORM_BUFFERS);
    note_shared_change(ctx);
    Ok(())
}
