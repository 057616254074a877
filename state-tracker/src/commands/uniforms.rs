//! Uniform values and block bindings (GL 4.6 core 7.6).

use std::sync::Arc;

use gallite_shader::gl_type::{Scalar, Shape};

use crate::client_memory::ClientPtrMut;
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::limits::MAX_IMAGE_UNITS;
use crate::objects::executable::{Executable, UniformSlot, ValueSlot};
use crate::objects::uniform_values::Values;

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
pub(super) fn set_current(ctx: &mut Context, location: GLint, given: Given) -> GlResult {
    let executable = if ctx.state.programs.current.is_some() {
        ctx.refresh_executable_if_moved();
        ctx.state.programs.own.as_ref()
    } else {
        ctx.refresh_active();
        ctx.state.programs.active.as_ref().map(|active| &active.1)
    };
    let Some(executable) = executable else {
        return Err(refuse(&given, location, "no program is in use"));
    };
    let (units, alone) = (ctx.limits.combined_texture_units as u32, !ctx.share.has_several_contexts());
    let changed = store(executable, location, &given, units, alone)?;
    if !changed.is_empty() {
        note_change(ctx, changed);
    }
    Ok(())
}

/// Sets uniforms of a named program.
pub(super) fn set_of_program(ctx: &mut Context, name: GLuint, location: GLint, given: Given) -> GlResult {
    let executable = linked(ctx, given.command, name)?;
    let (units, alone) = (ctx.limits.combined_texture_units as u32, !ctx.share.has_several_contexts());
    let changed = store(&executable, location, &given, units, alone)?;
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

/// Stores values; returns what that made stale. `alone`: no other context of the group is there to set any meanwhile.
#[inline]
fn store(executable: &Executable, location: GLint, given: &Given, units: u32, alone: bool) -> GlResult<DirtySet> {
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
                store_vectors(executable.values(), slot, given.words, count, alone)
            } else {
                store_general(executable.values(), slot, given, count, alone)
            };
            Ok(if changed { DirtySet::UNIFORMS } else { DirtySet::NONE })
        }
        Some(UniformSlot::Sampler { dense, remaining, is_array }) => {
            let wanted = wanted_units(location, given, (*remaining, *is_array), units, "texture")?;
            let mut changed = false;
            for (element, unit) in wanted.iter().enumerate() {
                changed |= executable.set_unit(dense + element as u32, *unit);
            }
            if changed {
                executable.units_changed();
            }
            Ok(if changed { DirtySet::TEXTURES } else { DirtySet::NONE })
        }
        Some(UniformSlot::Image { dense, remaining, is_array }) => {
            let wanted = wanted_units(location, given, (*remaining, *is_array), MAX_IMAGE_UNITS as u32, "image")?;
            let mut changed = false;
            for (element, unit) in wanted.iter().enumerate() {
                changed |= executable.set_image_unit(dense + element as u32, *unit);
            }
            Ok(if changed { DirtySet::IMAGES } else { DirtySet::NONE })
        }
        Some(UniformSlot::Unused) => Ok(DirtySet::NONE),
        Some(UniformSlot::None) | None => Err(refuse(given, location, "the program has no such location")),
    }
}

/// GL 4.6 core 7.6.1: the command must match the type and size of the uniform; booleans take any of 32 bits
/// (ARB_gpu_shader_int64, issue 10).
#[inline]
fn check_value(slot: &ValueSlot, location: GLint, given: &Given) -> GlResult {
    let (have, want) = (given.shape, slot.shape);
    let scalar_fits = have.scalar == want.scalar || want.scalar == Scalar::Bool && !have.scalar.is_long();
    if !scalar_fits || have.columns != want.columns || have.rows != want.rows {
        return Err(refuse(given, location, "the uniform has another type"));
    }
    if given.count > 1 && !slot.is_array {
        return Err(refuse(given, location, "count is more than 1 and the uniform is not an array"));
    }
    Ok(())
}

#[inline]
fn store_vectors(values: &Values, slot: &ValueSlot, words: &[u32], count: u32, alone: bool) -> bool {
    let rows = slot.shape.words() as usize;
    if count > 1 && slot.array_stride as usize == rows {
        let words = &words[..words.len().min(count as usize * rows)];
        return values.set_all(slot.word, words, alone);
    }
    let mut changed = false;
    let mut word = slot.word;
    for element in words.chunks_exact(rows).take(count as usize) {
        changed |= values.set_all(word, element, alone);
        word += slot.array_stride;
    }
    changed
}

fn store_general(values: &Values, slot: &ValueSlot, given: &Given, count: u32, alone: bool) -> bool {
    let scalar_words = slot.shape.scalar.words();
    let (columns, rows) = (u32::from(slot.shape.columns), u32::from(slot.shape.rows));
    let per_element = (columns * rows * scalar_words) as usize;
    let dense =
        slot.column_stride == rows * scalar_words && (count <= 1 || slot.array_stride == columns * rows * scalar_words);
    if dense && !given.transpose && slot.shape.scalar != Scalar::Bool {
        let words = &given.words[..given.words.len().min(count as usize * per_element)];
        return values.set_all(slot.word, words, alone);
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
                    changed |= values.set(word, value, alone);
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

/// The units that a command gives to samplers or images from an element on.
// GL 4.6 core 7.6.1, 7.10: those are set by Uniform1i{v} alone, to units that exist.
fn wanted_units<'a>(
    location: GLint,
    given: &Given<'a>,
    (remaining, is_array): (u32, bool),
    units: u32,
    kind: &str,
) -> GlResult<&'a [u32]> {
    if given.shape != vector(Scalar::Int, 1) {
        return Err(refuse(given, location, &format!("a uniform of {kind} units takes glUniform1i")));
    }
    if given.count > 1 && !is_array {
        return Err(refuse(given, location, "count is more than 1 and the uniform is not an array"));
    }
    let wanted = &given.words[..given.words.len().min(given.count as usize).min(remaining as usize)];
    if let Some(unit) = wanted.iter().find(|unit| **unit >= units) {
        return Err(GlError::invalid_value(format!("{}: {kind} unit {} does not exist", given.command, *unit as i32)));
    }
    Ok(wanted)
}

/// No uniform array has more elements, because no program has more components of uniforms.
const MOST_ELEMENTS: usize = 16384;

/// Elements a vector command reads: none when it will be refused anyway, and none beyond what any array holds, because
/// GL 4.6 core 7.6.1 ignores those.
pub(super) fn elements(count: GLsizei, per_element: usize) -> usize {
    usize::try_from(count).unwrap_or(0).min(MOST_ELEMENTS) * per_element
}

/// One component of a uniform's value.
#[derive(Clone, Copy)]
enum Component {
    Float(f32),
    Double(f64),
    /// Of 32 or 64 bits, with a sign or without: all fit, and are cut to what is asked for.
    Integer(i128),
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
            Component::Integer(v) => v as f32,
        }
    }
}

impl Returned for GLdouble {
    fn convert(component: Component) -> Self {
        match component {
            Component::Float(v) => v.into(),
            Component::Double(v) => v,
            Component::Integer(v) => v as f64,
        }
    }
}

macro_rules! returned_integers {
    ($($ty:ty),+) => {
        $(impl Returned for $ty {
            fn convert(component: Component) -> Self {
                match component {
                    // GL 4.6 core 2.2.2: floats are rounded to the nearest integer.
                    Component::Float(v) => v.round() as $ty,
                    Component::Double(v) => v.round() as $ty,
                    Component::Integer(v) => v as $ty,
                }
            }
        })+
    };
}
returned_integers!(GLint, GLuint, GLint64, GLuint64);

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
        Some(UniformSlot::Sampler { dense, .. }) => {
            vec![T::convert(Component::Integer(executable.unit(*dense).into()))]
        }
        Some(UniformSlot::Image { dense, .. }) => {
            vec![T::convert(Component::Integer(executable.image_unit(*dense).into()))]
        }
        Some(UniformSlot::Unused | UniformSlot::None) | None => {
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
            let word = |index: u32| executable.values().word(slot.word + column * slot.column_stride + index);
            let long = || u64::from(word(row * 2 + 1)) << 32 | u64::from(word(row * 2));
            values.push(T::convert(match shape.scalar {
                Scalar::Float => Component::Float(f32::from_bits(word(row))),
                Scalar::Double => Component::Double(f64::from_bits(long())),
                Scalar::Int64 => Component::Integer((long() as i64).into()),
                Scalar::Uint64 => Component::Integer(long().into()),
                Scalar::Int => Component::Integer((word(row) as i32).into()),
                Scalar::Uint | Scalar::Bool => Component::Integer(word(row).into()),
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
                let command = concat!("gl", stringify!($sized));
                // GL 4.6 core 2.3.1: a size is never negative.
                let room = usize::try_from(buf_size)
                    .map_err(|_| GlError::invalid_value(format!("{command}: bufSize is {buf_size}")))?;
                get_uniform(ctx, command, name, location, params, Some(room))
            }
        )+
    };
}

// gl-commands: GetUniformfv GetUniformdv GetUniformiv GetUniformuiv
// gl-commands: GetnUniformfv GetnUniformdv GetnUniformiv GetnUniformuiv
// gl-commands: GetUniformi64vARB GetnUniformi64vARB GetUniformui64vARB GetnUniformui64vARB
get_uniforms! {
    GetUniformfv, GetnUniformfv: GLfloat;
    GetUniformdv, GetnUniformdv: GLdouble;
    GetUniformiv, GetnUniformiv: GLint;
    GetUniformuiv, GetnUniformuiv: GLuint;
    GetUniformi64vARB, GetnUniformi64vARB: GLint64;
    GetUniformui64vARB, GetnUniformui64vARB: GLuint64;
}

/// Gives a block of a program its binding point. `set` says whether that changed it; `None` when there is no such block.
fn bind_block(
    ctx: &mut Context,
    command: &'static str,
    name: GLuint,
    [block, binding]: [GLuint; 2],
    limit: GLint,
    set: impl FnOnce(&Executable, usize) -> Option<bool>,
    stale: DirtySet,
) -> GlResult {
    let program = program(ctx, command, name)?;
    let executable = program.state.lock().linked().map(Arc::clone);
    if binding >= limit as GLuint {
        return Err(GlError::invalid_value(format!("{command}: binding is {binding}")));
    }
    match executable.and_then(|executable| set(&executable, block as usize)) {
        None => Err(GlError::invalid_value(format!("{command}: block index is {block}"))),
        Some(true) => {
            note_change(ctx, stale);
            Ok(())
        }
        Some(false) => Ok(()),
    }
}

pub fn UniformBlockBinding(ctx: &mut Context, name: GLuint, block: GLuint, binding: GLuint) -> GlResult {
    let limit = ctx.limits.uniform_buffer_bindings;
    let set = |executable: &Executable, block| executable.set_block_binding(block, binding);
    bind_block(ctx, "glUniformBlockBinding", name, [block, binding], limit, set, DirtySet::UNIFORM_BUFFERS)
}

pub fn ShaderStorageBlockBinding(ctx: &mut Context, name: GLuint, block: GLuint, binding: GLuint) -> GlResult {
    let limit = ctx.limits.storage_buffer_bindings;
    let set = |executable: &Executable, block| executable.set_storage_binding(block, binding);
    bind_block(ctx, "glShaderStorageBlockBinding", name, [block, binding], limit, set, DirtySet::STORAGE_BUFFERS)
}
