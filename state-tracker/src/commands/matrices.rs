//! Matrix stacks (GL 4.6 compatibility 12.1.1).

use crate::client_memory::ClientPtr;
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::matrix::{self, IDENTITY, Matrix};
use crate::state::fixed::MatrixStack;

pub fn MatrixMode(ctx: &mut Context, mode: GLenum) -> GlResult {
    if !matches!(mode, GL_MODELVIEW | GL_PROJECTION | GL_TEXTURE) {
        return Err(GlError::invalid_enum(format!("glMatrixMode: mode 0x{mode:04X}")));
    }
    ctx.state.fixed.matrix_mode = mode;
    Ok(())
}

/// The stack in use. The texture unit must be one that has matrices.
fn stack<'a>(ctx: &'a mut Context, command: &str) -> GlResult<&'a mut MatrixStack> {
    let active = ctx.state.textures.active;
    let fixed = &mut ctx.state.fixed;
    fixed
        .stack(fixed.matrix_mode, active)
        .ok_or_else(|| GlError::invalid_operation(format!("{command}: texture unit {active} has no matrices")))
}

fn changed(ctx: &mut Context) {
    ctx.dirty.insert(DirtySet::STATE_VALUES);
    if ctx.state.fixed.matrix_mode == GL_TEXTURE {
        ctx.dirty.insert(DirtySet::FIXED_FUNCTION);
    }
}

fn load(ctx: &mut Context, command: &str, value: Matrix) -> GlResult {
    let stack = stack(ctx, command)?;
    if let Some(top) = stack.all.last_mut() {
        *top = value;
    }
    changed(ctx);
    Ok(())
}

fn multiply(ctx: &mut Context, command: &str, by: &Matrix) -> GlResult {
    let top = matrix::multiply(stack(ctx, command)?.top(), by);
    load(ctx, command, top)
}

fn floats(m: ClientPtr<GLfloat>) -> Matrix {
    std::array::from_fn(|i| m.read_at(i))
}

fn doubles(m: ClientPtr<GLdouble>) -> Matrix {
    std::array::from_fn(|i| m.read_at(i) as f32)
}

pub fn LoadMatrixf(ctx: &mut Context, m: ClientPtr<GLfloat>) -> GlResult {
    load(ctx, "glLoadMatrixf", floats(m))
}

pub fn LoadMatrixd(ctx: &mut Context, m: ClientPtr<GLdouble>) -> GlResult {
    load(ctx, "glLoadMatrixd", doubles(m))
}

pub fn MultMatrixf(ctx: &mut Context, m: ClientPtr<GLfloat>) -> GlResult {
    multiply(ctx, "glMultMatrixf", &floats(m))
}

pub fn MultMatrixd(ctx: &mut Context, m: ClientPtr<GLdouble>) -> GlResult {
    multiply(ctx, "glMultMatrixd", &doubles(m))
}

pub fn LoadTransposeMatrixf(ctx: &mut Context, m: ClientPtr<GLfloat>) -> GlResult {
    load(ctx, "glLoadTransposeMatrixf", matrix::transpose(&floats(m)))
}

pub fn LoadTransposeMatrixd(ctx: &mut Context, m: ClientPtr<GLdouble>) -> GlResult {
    load(ctx, "glLoadTransposeMatrixd", matrix::transpose(&doubles(m)))
}

pub fn MultTransposeMatrixf(ctx: &mut Context, m: ClientPtr<GLfloat>) -> GlResult {
    multiply(ctx, "glMultTransposeMatrixf", &matrix::transpose(&floats(m)))
}

pub fn MultTransposeMatrixd(ctx: &mut Context, m: ClientPtr<GLdouble>) -> GlResult {
    multiply(ctx, "glMultTransposeMatrixd", &matrix::transpose(&doubles(m)))
}

pub fn LoadIdentity(ctx: &mut Context) -> GlResult {
    load(ctx, "glLoadIdentity", IDENTITY)
}

pub fn Rotatef(ctx: &mut Context, angle: GLfloat, x: GLfloat, y: GLfloat, z: GLfloat) -> GlResult {
    multiply(ctx, "glRotatef", &matrix::rotation(angle, [x, y, z]))
}

pub fn Rotated(ctx: &mut Context, angle: GLdouble, x: GLdouble, y: GLdouble, z: GLdouble) -> GlResult {
    Rotatef(ctx, angle as f32, x as f32, y as f32, z as f32)
}

pub fn Translatef(ctx: &mut Context, x: GLfloat, y: GLfloat, z: GLfloat) -> GlResult {
    let mut m = IDENTITY;
    m[12..15].copy_from_slice(&[x, y, z]);
    multiply(ctx, "glTranslatef", &m)
}

pub fn Translated(ctx: &mut Context, x: GLdouble, y: GLdouble, z: GLdouble) -> GlResult {
    Translatef(ctx, x as f32, y as f32, z as f32)
}

pub fn Scalef(ctx: &mut Context, x: GLfloat, y: GLfloat, z: GLfloat) -> GlResult {
    let mut m = IDENTITY;
    (m[0], m[5], m[10]) = (x, y, z);
    multiply(ctx, "glScalef", &m)
}

pub fn Scaled(ctx: &mut Context, x: GLdouble, y: GLdouble, z: GLdouble) -> GlResult {
    Scalef(ctx, x as f32, y as f32, z as f32)
}

pub fn Frustum(
    ctx: &mut Context,
    l: GLdouble,
    r: GLdouble,
    b: GLdouble,
    t: GLdouble,
    n: GLdouble,
    f: GLdouble,
) -> GlResult {
    if n <= 0.0 || f <= 0.0 || l == r || b == t || n == f {
        return Err(GlError::invalid_value("glFrustum: the volume is empty"));
    }
    let mut m = [0.0; 16];
    m[0] = 2.0 * n / (r - l);
    m[5] = 2.0 * n / (t - b);
    m[8] = (r + l) / (r - l);
    m[9] = (t + b) / (t - b);
    m[10] = -(f + n) / (f - n);
    m[11] = -1.0;
    m[14] = -2.0 * f * n / (f - n);
    multiply(ctx, "glFrustum", &m.map(|v| v as f32))
}

pub fn Ortho(
    ctx: &mut Context,
    l: GLdouble,
    r: GLdouble,
    b: GLdouble,
    t: GLdouble,
    n: GLdouble,
    f: GLdouble,
) -> GlResult {
    if l == r || b == t || n == f {
        return Err(GlError::invalid_value("glOrtho: the volume is empty"));
    }
    let mut m = [0.0; 16];
    m[0] = 2.0 / (r - l);
    m[5] = 2.0 / (t - b);
    m[10] = -2.0 / (f - n);
    m[12] = -(r + l) / (r - l);
    m[13] = -(t + b) / (t - b);
    m[14] = -(f + n) / (f - n);
    m[15] = 1.0;
    multiply(ctx, "glOrtho", &m.map(|v| v as f32))
}

pub fn PushMatrix(ctx: &mut Context) -> GlResult {
    let stack = stack(ctx, "glPushMatrix")?;
    if stack.all.len() >= stack.limit {
        return Err(GlError::new(GL_STACK_OVERFLOW, "glPushMatrix: the stack is full"));
    }
    let top = *stack.top();
    stack.all.push(top);
    Ok(())
}

pub fn PopMatrix(ctx: &mut Context) -> GlResult {
    let stack = stack(ctx, "glPopMatrix")?;
    if stack.all.len() <= 1 {
        return Err(GlError::new(GL_STACK_UNDERFLOW, "glPopMatrix: the stack has one matrix"));
    }
    stack.all.pop();
    changed(ctx);
    Ok(())
}
