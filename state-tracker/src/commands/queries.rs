//! Query objects and conditional rendering (GL 4.6 core 4.2, 4.3, 10.9).

use gallite_pipe::{ConditionMode, Features, QueryDesc, QueryId, QueryKind};

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::context::Context;
use crate::device::Device;
use crate::dirty::DirtySet;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::names::checked_count;
use crate::objects::query::Query;
use crate::state::queries::{Condition, OCCLUSION, QUERY_TARGETS, STATISTICS};

/// What the driver counts for a target and index.
fn desc_of(target: GLenum, index: GLuint) -> QueryDesc {
    if let Some(at) = STATISTICS.iter().position(|statistic| *statistic == target) {
        return QueryDesc { kind: QueryKind::PIPELINE_STATISTIC, index: at as u32 };
    }
    let kind = match target {
        GL_SAMPLES_PASSED => QueryKind::OCCLUSION,
        GL_ANY_SAMPLES_PASSED => QueryKind::ANY_SAMPLES,
        GL_ANY_SAMPLES_PASSED_CONSERVATIVE => QueryKind::ANY_SAMPLES_CONSERVATIVE,
        GL_PRIMITIVES_GENERATED => QueryKind::PRIMITIVES_GENERATED,
        GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN => QueryKind::XFB_PRIMITIVES_WRITTEN,
        GL_TIME_ELAPSED => QueryKind::TIME_ELAPSED,
        GL_TRANSFORM_FEEDBACK_OVERFLOW => QueryKind::XFB_OVERFLOW,
        GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW => QueryKind::XFB_STREAM_OVERFLOW,
        _ => QueryKind::TIMESTAMP,
    };
    QueryDesc { kind, index }
}

/// Place of a target among those a query can be active on.
fn target_slot(ctx: &Context, command: &'static str, target: GLenum) -> GlResult<usize> {
    let features = ctx.device.caps.features;
    let slot = QUERY_TARGETS.iter().position(|t| *t == target);
    let slot = slot.filter(|_| match target {
        GL_TRANSFORM_FEEDBACK_OVERFLOW | GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW => {
            features.contains(Features::TRANSFORM_FEEDBACK)
        }
        _ => !STATISTICS.contains(&target) || features.contains(Features::PIPELINE_STATISTICS),
    });
    slot.ok_or_else(|| GlError::invalid_enum(format!("{command}: target 0x{target:04X}")))
}

/// Checks a target that a query can have.
pub(super) fn check_target(ctx: &Context, command: &'static str, target: GLenum) -> GlResult {
    if target == GL_TIMESTAMP { Ok(()) } else { target_slot(ctx, command, target).map(|_| ()) }
}

/// A query of a target with the driver's object for it.
pub(super) fn make(device: &Device, name: GLuint, target: GLenum, index: GLuint) -> Box<Query> {
    Box::new(Query::new(name, target, index, create(device, target, index)))
}

fn create(device: &Device, target: GLenum, index: GLuint) -> QueryId {
    let id: QueryId = device.mint();
    device.screen.create_query(id, &desc_of(target, index));
    id
}

pub fn GenQueries(ctx: &mut Context, n: GLsizei, ids: ClientPtrMut<GLuint>) -> GlResult {
    ctx.queries.generate_into("glGenQueries", n, ids)
}

fn destroy(ctx: &Context, id: QueryId) {
    ctx.device.screen.destroy_query(id);
    ctx.device.release(id);
}

pub fn DeleteQueries(ctx: &mut Context, n: GLsizei, ids: ClientPtr<GLuint>) -> GlResult {
    let count = checked_count("glDeleteQueries", n)?;
    for name in ids.read(count).iter() {
        let Some(query) = ctx.queries.remove(*name) else { continue };
        if query.active {
            // GL 4.6 core 4.2.3: an active query is ended; its name is free at once.
            ctx.pipe.end_query(query.id);
            if let Some(slot) = ctx.state.queries.active.as_flattened_mut().iter_mut().find(|active| *active == name) {
                *slot = 0;
            }
        }
        if ctx.state.queries.condition.is_some_and(|c| c.query == query.id) {
            ctx.state.queries.condition = None;
            ctx.dirty.insert(DirtySet::RENDER_CONDITION);
        }
        destroy(ctx, query.id);
    }
    Ok(())
}

pub fn IsQuery(ctx: &mut Context, id: GLuint) -> GLboolean {
    ctx.queries.get(id).is_some().into()
}

/// INVALID_VALUE for an index that a target doesn't have (GL 4.6 core 4.2.1).
fn check_index(ctx: &Context, command: &'static str, target: GLenum, index: GLuint) -> GlResult<usize> {
    let indexed = matches!(
        target,
        GL_PRIMITIVES_GENERATED | GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN | GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW
    );
    let most = if indexed { ctx.limits.vertex_streams as GLuint } else { 1 };
    if index >= most {
        return Err(GlError::invalid_value(format!("{command}: index {index} of {most}")));
    }
    Ok(index as usize)
}

/// Readies a query for counting with a target: made on first use, INVALID_OPERATION for another target than before.
fn start(ctx: &mut Context, command: &'static str, target: GLenum, index: GLuint, name: GLuint) -> GlResult<QueryId> {
    if name == 0 || !ctx.queries.is_generated(name) {
        return Err(GlError::invalid_operation(format!("{command}: {name} was not made by glGenQueries")));
    }
    if let Some(query) = ctx.queries.get_mut(name) {
        if query.active {
            return Err(GlError::invalid_operation(format!("{command}: query {name} is active")));
        }
        if query.target != target {
            return Err(GlError::invalid_operation(format!("{command}: query {name} has another target")));
        }
        query.result = None;
        if query.index != index {
            // The driver's query is of one stream.
            query.index = index;
            let new = create(&ctx.device, target, index);
            let old = std::mem::replace(&mut query.id, new);
            destroy(ctx, old);
            return Ok(new);
        }
        return Ok(query.id);
    }
    let query = make(&ctx.device, name, target, index);
    let id = query.id;
    ctx.queries.insert(name, query);
    Ok(id)
}

fn begin(ctx: &mut Context, command: &'static str, target: GLenum, index: GLuint, name: GLuint) -> GlResult {
    let slot = target_slot(ctx, command, target)?;
    let at = check_index(ctx, command, target, index)?;
    // GL 3.3 core 2.14: those that count samples exclude each other.
    let is_taken = |slot: usize, at: usize| ctx.state.queries.active[slot][at] != 0;
    if is_taken(slot, at) || OCCLUSION.contains(&slot) && OCCLUSION.into_iter().any(|slot| is_taken(slot, 0)) {
        return Err(GlError::invalid_operation(format!("{command}: a query is active on 0x{target:04X}, {index}")));
    }
    // GL 4.6 core 10.9: the query of conditional rendering can't be begun.
    if ctx.state.queries.condition.is_some_and(|c| c.name == name) {
        return Err(GlError::invalid_operation(format!("{command}: query {name} decides conditional rendering")));
    }
    let id = start(ctx, command, target, index, name)?;
    if let Some(query) = ctx.queries.get_mut(name) {
        query.active = true;
    }
    ctx.state.queries.active[slot][at] = name;
    ctx.pipe.begin_query(id);
    Ok(())
}

pub fn BeginQuery(ctx: &mut Context, target: GLenum, name: GLuint) -> GlResult {
    begin(ctx, "glBeginQuery", target, 0, name)
}

pub fn BeginQueryIndexed(ctx: &mut Context, target: GLenum, index: GLuint, name: GLuint) -> GlResult {
    begin(ctx, "glBeginQueryIndexed", target, index, name)
}

pub fn EndQuery(ctx: &mut Context, target: GLenum) -> GlResult {
    end(ctx, "glEndQuery", target, 0)
}

pub fn EndQueryIndexed(ctx: &mut Context, target: GLenum, index: GLuint) -> GlResult {
    end(ctx, "glEndQueryIndexed", target, index)
}

fn end(ctx: &mut Context, command: &'static str, target: GLenum, index: GLuint) -> GlResult {
    let slot = target_slot(ctx, command, target)?;
    let at = check_index(ctx, command, target, index)?;
    let name = std::mem::take(&mut ctx.state.queries.active[slot][at]);
    let Some(query) = ctx.queries.get_mut(name) else {
        return Err(GlError::invalid_operation(format!("{command}: no query is active on 0x{target:04X}, {index}")));
    };
    query.active = false;
    let id = query.id;
    ctx.pipe.end_query(id);
    Ok(())
}

pub fn QueryCounter(ctx: &mut Context, name: GLuint, target: GLenum) -> GlResult {
    if target != GL_TIMESTAMP {
        return Err(GlError::invalid_enum(format!("glQueryCounter: target 0x{target:04X}")));
    }
    let id = start(ctx, "glQueryCounter", target, 0, name)?;
    ctx.pipe.end_query(id);
    Ok(())
}

pub fn GetQueryiv(ctx: &mut Context, target: GLenum, pname: GLenum, params: ClientPtrMut<GLint>) -> GlResult {
    get_query(ctx, "glGetQueryiv", target, 0, pname, params)
}

pub fn GetQueryIndexediv(
    ctx: &mut Context,
    target: GLenum,
    index: GLuint,
    pname: GLenum,
    params: ClientPtrMut<GLint>,
) -> GlResult {
    get_query(ctx, "glGetQueryIndexediv", target, index, pname, params)
}

fn get_query(
    ctx: &mut Context,
    command: &'static str,
    target: GLenum,
    index: GLuint,
    pname: GLenum,
    params: ClientPtrMut<GLint>,
) -> GlResult {
    let slot = if target == GL_TIMESTAMP { None } else { Some(target_slot(ctx, command, target)?) };
    let at = check_index(ctx, command, target, index)?;
    let active = slot.map_or(0, |slot| ctx.state.queries.active[slot][at]);
    let value = match pname {
        GL_CURRENT_QUERY => active as GLint,
        GL_QUERY_COUNTER_BITS => match target {
            GL_ANY_SAMPLES_PASSED
            | GL_ANY_SAMPLES_PASSED_CONSERVATIVE
            | GL_TRANSFORM_FEEDBACK_OVERFLOW
            | GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW => 1,
            GL_TIME_ELAPSED | GL_TIMESTAMP => ctx.limits.timestamp_bits,
            // One bit holds whether there were any, which is what such a device says.
            GL_SAMPLES_PASSED if !ctx.device.caps.features.contains(Features::OCCLUSION_QUERY_PRECISE) => 1,
            GL_PRIMITIVES_GENERATED | GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN
                if !ctx.device.caps.features.contains(Features::TRANSFORM_FEEDBACK) =>
            {
                0
            }
            _ => 64,
        },
        _ => return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))),
    };
    params.write(&[value]);
    Ok(())
}

pub fn BeginConditionalRender(ctx: &mut Context, name: GLuint, mode: GLenum) -> GlResult {
    let command = "glBeginConditionalRender";
    let (pipe_mode, inverted) = match mode {
        GL_QUERY_WAIT => (ConditionMode::WAIT, false),
        GL_QUERY_NO_WAIT => (ConditionMode::NO_WAIT, false),
        GL_QUERY_BY_REGION_WAIT => (ConditionMode::BY_REGION_WAIT, false),
        GL_QUERY_BY_REGION_NO_WAIT => (ConditionMode::BY_REGION_NO_WAIT, false),
        GL_QUERY_WAIT_INVERTED => (ConditionMode::WAIT, true),
        GL_QUERY_NO_WAIT_INVERTED => (ConditionMode::NO_WAIT, true),
        GL_QUERY_BY_REGION_WAIT_INVERTED => (ConditionMode::BY_REGION_WAIT, true),
        GL_QUERY_BY_REGION_NO_WAIT_INVERTED => (ConditionMode::BY_REGION_NO_WAIT, true),
        _ => return Err(GlError::invalid_enum(format!("{command}: mode 0x{mode:04X}"))),
    };
    if ctx.state.queries.condition.is_some() {
        return Err(GlError::invalid_operation(format!("{command}: conditional rendering is in progress")));
    }
    let Some(query) = ctx.queries.get(name) else {
        return Err(GlError::invalid_value(format!("{command}: {name} is not a query")));
    };
    // GL 4.6 core 10.9: those that count samples and those that tell of overflow.
    let decides = matches!(
        query.target,
        GL_SAMPLES_PASSED
            | GL_ANY_SAMPLES_PASSED
            | GL_ANY_SAMPLES_PASSED_CONSERVATIVE
            | GL_TRANSFORM_FEEDBACK_OVERFLOW
            | GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW
    );
    if query.active || !decides {
        return Err(GlError::invalid_operation(format!("{command}: query {name} is active or decides nothing")));
    }
    ctx.state.queries.condition = Some(Condition { name, query: query.id, mode: pipe_mode, inverted });
    ctx.dirty.insert(DirtySet::RENDER_CONDITION);
    Ok(())
}

pub fn EndConditionalRender(ctx: &mut Context) -> GlResult {
    if ctx.state.queries.condition.take().is_none() {
        return Err(GlError::invalid_operation("glEndConditionalRender: conditional rendering is not in progress"));
    }
    ctx.dirty.insert(DirtySet::RENDER_CONDITION);
    Ok(())
}
