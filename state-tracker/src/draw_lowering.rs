//! Draws the driver can't do as they are: modes it lacks, restart indices it lacks, unaligned indices.

use gallite_pipe::{BufferId, DrawInfo, DrawRange, Features, Outcome, PrimitiveMode, PrimitiveTypes, ShaderFlags};

use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::verb;

/// Whether the driver restarts this mode at the highest index of the type. Lists restart only where it says so.
fn restarts_mode(ctx: &Context, info: &DrawInfo) -> bool {
    let features = ctx.device.caps.features;
    let is_list = matches!(
        info.mode,
        PrimitiveMode::POINTS
            | PrimitiveMode::LINES
            | PrimitiveMode::TRIANGLES
            | PrimitiveMode::LINES_ADJACENCY
            | PrimitiveMode::TRIANGLES_ADJACENCY
    );
    features.contains(Features::RESTART_FIXED_INDEX) && (!is_list || features.contains(Features::RESTART_LISTS))
}

/// Whether the driver takes the restart index as it is.
fn restart_is_native(ctx: &Context, info: &DrawInfo) -> bool {
    let fixed = u32::MAX >> (32 - 8 * u32::from(info.index_size));
    restarts_mode(ctx, info)
        && (info.restart_index == fixed || ctx.device.caps.features.contains(Features::RESTART_ANY_INDEX))
}

/// Whether the driver draws these indices as they are.
#[inline]
pub fn can_draw_elements(ctx: &Context, info: &DrawInfo) -> bool {
    let caps = &ctx.device.caps;
    caps.primitive_types.contains(PrimitiveTypes(1 << info.mode.0))
        && (info.index_size != 1 || caps.features.contains(Features::INDEX_U8))
        && (info.restart == 0 || restart_is_native(ctx, info))
}

/// Most indices that a draw is rewritten to. More is not a draw but a mistake, and would take the machine's memory.
const MOST_INDICES: u64 = 1 << 27;

/// OUT_OF_MEMORY when there would be too many rewritten indices.
fn check_size(counts: impl Iterator<Item = u32>) -> GlResult {
    if counts.map(u64::from).sum::<u64>() > MOST_INDICES {
        return Err(GlError::out_of_memory("too many vertices for a draw that is rewritten for the device"));
    }
    Ok(())
}

/// Whether the program asks which of several draws it is in.
fn is_numbered(ctx: &Context, info: &DrawInfo, draws: usize) -> bool {
    let asks = |flags: ShaderFlags| flags.contains(ShaderFlags::READS_DRAW_PARAMETERS);
    info.increment_draw_id != 0 && draws > 1 && ctx.executable().is_some_and(|e| asks(e.desc.flags))
}

/// Draws each range for itself, as the draw that it is: one range may become several.
fn one_by_one<R>(
    ctx: &mut Context,
    info: &DrawInfo,
    ranges: &[R],
    draw: fn(&mut Context, &DrawInfo, &[R]) -> GlResult,
) -> GlResult {
    for (range, number) in ranges.chunks(1).zip(0u32..) {
        if number > 0 {
            verb::prepare_draw(ctx);
        }
        let draw_id = info.draw_id.wrapping_add(number);
        draw(ctx, &DrawInfo { draw_id, increment_draw_id: 0, ..*info }, range)?;
    }
    Ok(())
}

/// Draws arrays in a mode the driver lacks, through indices.
#[cold]
pub fn draw_arrays(ctx: &mut Context, info: &DrawInfo, ranges: &[DrawRange]) -> GlResult {
    if is_numbered(ctx, info, ranges.len()) {
        return one_by_one(ctx, info, ranges, draw_arrays);
    }
    check_size(ranges.iter().map(|range| range.count))?;
    let mut lowered = Lowered::new(ctx);
    for range in ranges {
        let vertices: Vec<u32> = (range.start..range.start.saturating_add(range.count)).collect();
        lowered.add_run(info.mode, &vertices, 0);
    }
    lowered.draw(ctx, info);
    Ok(())
}

/// Draws indices the driver can't take as they are: reads them and gives the driver rewritten ones. The read waits for
/// device writes to the buffer (compute-written indices, for instance).
#[cold]
pub fn draw_elements(ctx: &mut Context, info: &DrawInfo, ranges: &[(u64, DrawRange)]) -> GlResult {
    if is_numbered(ctx, info, ranges.len()) {
        return one_by_one(ctx, info, ranges, draw_elements);
    }
    check_size(ranges.iter().map(|(_, range)| range.count))?;
    let mut lowered = Lowered::new(ctx);
    for (offset, range) in ranges {
        let mut bytes = vec![0; range.count as usize * usize::from(info.index_size)];
        if ctx.pipe.buffer_read(info.index_buffer, *offset, &mut bytes) == Outcome::OUT_OF_MEMORY {
            return Err(GlError::out_of_memory("no memory to read the indices"));
        }
        lowered.add_elements(ctx, info, &decode(&bytes, info.index_size), range.base_vertex);
    }
    lowered.draw(ctx, info);
    Ok(())
}

/// Draws indices that are in our memory.
#[cold]
pub fn draw_indices(ctx: &mut Context, info: &DrawInfo, indices: &[u32], base_vertex: i32) -> GlResult {
    check_size(std::iter::once(indices.len() as u32))?;
    let mut lowered = Lowered::new(ctx);
    lowered.add_elements(ctx, info, indices, base_vertex);
    lowered.draw(ctx, info);
    Ok(())
}

/// Indices of a size as numbers.
pub fn decode(bytes: &[u8], size: u8) -> Vec<u32> {
    match size {
        1 => bytes.iter().map(|b| u32::from(*b)).collect(),
        2 => bytes.chunks_exact(2).map(|b| u32::from(u16::from_le_bytes([b[0], b[1]]))).collect(),
        _ => bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect(),
    }
}

/// Rewritten indices with the ranges to draw.
#[derive(Default)]
struct Lowered {
    indices: Vec<u32>,
    ranges: Vec<DrawRange>,
    mode: Option<PrimitiveMode>,
    restart: bool,
    /// GL_FIRST_VERTEX_CONVENTION.
    provoking_first: bool,
}

impl Lowered {
    fn new(ctx: &Context) -> Self {
        let provoking_first = ctx.state.raster.provoking_vertex == crate::gl::GL_FIRST_VERTEX_CONVENTION;
        Self { provoking_first, ..Self::default() }
    }

    /// Adds indices of a draw with its restart state.
    fn add_elements(&mut self, ctx: &Context, info: &DrawInfo, indices: &[u32], base_vertex: i32) {
        let native_mode = ctx.device.caps.primitive_types.contains(PrimitiveTypes(1 << info.mode.0));
        if native_mode && (info.restart == 0 || restarts_mode(ctx, info)) {
            // The restart index becomes the highest of a wider type, so that primitive ids go on counting across it.
            let widened =
                indices.iter().map(|i| if info.restart != 0 && *i == info.restart_index { u32::MAX } else { *i });
            self.add(widened.collect::<Vec<_>>().as_slice(), base_vertex);
            self.restart |= info.restart != 0;
        } else if info.restart == 0 {
            self.add_run(info.mode, indices, base_vertex);
        } else {
            for run in indices.split(|i| *i == info.restart_index).filter(|run| !run.is_empty()) {
                self.add_run(info.mode, run, base_vertex);
            }
        }
    }

    /// Adds quads, a strip of quads or a polygon as triangles (GL 4.6 compatibility 10.1.8 to 10.1.10), so that the
    /// vertex that gives the flat attributes is the one table 13.2 names.
    fn add_quads(&mut self, mode: PrimitiveMode, run: &[u32], base_vertex: i32) {
        self.mode = Some(PrimitiveMode::TRIANGLES);
        let mut triangles = Vec::with_capacity(run.len() * 2);
        let first = self.provoking_first;
        let mut quad = |[a, b, c, d]: [u32; 4], strip: bool| {
            // Corners in order around it. The last vertex given is d of a quad, c of one in a strip.
            let both = match (first, strip) {
                (true, _) => [[a, b, c], [a, c, d]],
                (false, false) => [[a, b, d], [b, c, d]],
                (false, true) => [[a, b, c], [d, a, c]],
            };
            triangles.extend(both.into_iter().flatten());
        };
        if mode == PrimitiveMode::QUADS {
            run.chunks_exact(4).for_each(|q| quad([q[0], q[1], q[2], q[3]], false));
        } else if mode == PrimitiveMode::QUAD_STRIP {
            (0..(run.len() / 2).saturating_sub(1))
                .map(|i| &run[2 * i..2 * i + 4])
                .for_each(|q| quad([q[0], q[1], q[3], q[2]], true));
        } else {
            // The first vertex of a polygon is its provoking one in both conventions.
            for pair in run.get(1..).unwrap_or_default().windows(2) {
                triangles.extend(if first { [run[0], pair[0], pair[1]] } else { [pair[0], pair[1], run[0]] });
            }
        }
        if !triangles.is_empty() {
            self.add(&triangles, base_vertex);
        }
    }

    fn add(&mut self, indices: &[u32], base_vertex: i32) {
        let start = self.indices.len() as u32;
        self.indices.extend_from_slice(indices);
        self.ranges.push(DrawRange { start, count: indices.len() as u32, base_vertex });
    }

    /// Adds one unbroken run of a mode.
    fn add_run(&mut self, mode: PrimitiveMode, run: &[u32], base_vertex: i32) {
        if matches!(mode, PrimitiveMode::QUADS | PrimitiveMode::QUAD_STRIP | PrimitiveMode::POLYGON) {
            self.add_quads(mode, run, base_vertex);
            return;
        }
        if mode != PrimitiveMode::LINE_LOOP {
            self.add(run, base_vertex);
            return;
        }
        self.mode = Some(PrimitiveMode::LINE_STRIP);
        // GL 4.6 core 10.1.4: a loop of fewer than two vertices draws nothing; the last line returns to the first.
        if run.len() >= 2 {
            let closed: Vec<u32> = run.iter().chain(&run[..1]).copied().collect();
            self.add(&closed, base_vertex);
        }
    }

    fn draw(self, ctx: &mut Context, info: &DrawInfo) {
        if self.ranges.is_empty() {
            return;
        }
        let info = DrawInfo {
            mode: self.mode.unwrap_or(info.mode),
            index_size: 4,
            index_buffer: BufferId::NULL,
            increment_draw_id: 0,
            restart: self.restart.into(),
            restart_index: if self.restart { u32::MAX } else { 0 },
            ..*info
        };
        verb::draw(ctx, info.mode, |pipe| pipe.draw(&info, &self.ranges, bytemuck::cast_slice(&self.indices)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_close_and_short_ones_vanish() {
        let mut lowered = Lowered::default();
        lowered.add_run(PrimitiveMode::LINE_LOOP, &[5], 0);
        lowered.add_run(PrimitiveMode::LINE_LOOP, &[1, 2, 3], 7);
        assert_eq!(lowered.indices, [1, 2, 3, 1]);
        assert_eq!(lowered.ranges, [DrawRange { start: 0, count: 4, base_vertex: 7 }]);
        assert_eq!(lowered.mode, Some(PrimitiveMode::LINE_STRIP));
    }

    #[test]
    fn quads_keep_their_provoking_vertex() {
        let of = |mode, run: &[u32]| {
            let mut lowered = Lowered::default();
            lowered.add_run(mode, run, 0);
            lowered.indices
        };
        assert_eq!(of(PrimitiveMode::QUADS, &[0, 1, 2, 3, 4, 5]), [0, 1, 3, 1, 2, 3]);
        assert_eq!(of(PrimitiveMode::QUAD_STRIP, &[0, 1, 2, 3, 4, 5, 6]), [0, 1, 3, 2, 0, 3, 2, 3, 5, 4, 2, 5]);
        assert_eq!(of(PrimitiveMode::POLYGON, &[7, 8, 9, 10]), [8, 9, 7, 9, 10, 7]);
        assert!(of(PrimitiveMode::POLYGON, &[1, 2]).is_empty() && of(PrimitiveMode::QUAD_STRIP, &[1, 2, 3]).is_empty());
    }

    #[test]
    fn indices_of_each_size() {
        assert_eq!(decode(&[1, 255], 1), [1, 255]);
        assert_eq!(decode(&[1, 2, 0xff, 0xff], 2), [0x201, 0xffff]);
        assert_eq!(decode(&[1, 0, 0, 0x80], 4), [0x8000_0001]);
    }
}
