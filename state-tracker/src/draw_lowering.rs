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
    let mut lowered = Lowered::default();
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
    let native_mode = ctx.device.caps.primitive_types.contains(PrimitiveTypes(1 << info.mode.0));
    let mut lowered = Lowered::default();
    for (offset, range) in ranges {
        let mut bytes = vec![0; range.count as usize * usize::from(info.index_size)];
        if ctx.pipe.buffer_read(info.index_buffer, *offset, &mut bytes) == Outcome::OUT_OF_MEMORY {
            return Err(GlError::out_of_memory("no memory to read the indices"));
        }
        let indices = decode(&bytes, info.index_size);
        if native_mode && (info.restart == 0 || restarts_mode(ctx, info)) {
            // The restart index becomes the highest of a wider type, so that primitive ids go on counting across it.
            let widened =
                indices.iter().map(|i| if info.restart != 0 && *i == info.restart_index { u32::MAX } else { *i });
            lowered.add(widened.collect::<Vec<_>>().as_slice(), range.base_vertex);
            lowered.restart |= info.restart != 0;
            continue;
        }
        if info.restart == 0 {
            lowered.add_run(info.mode, &indices, range.base_vertex);
            continue;
        }
        for run in indices.split(|i| *i == info.restart_index).filter(|run| !run.is_empty()) {
            lowered.add_run(info.mode, run, range.base_vertex);
        }
    }
    lowered.draw(ctx, info);
    Ok(())
}

fn decode(bytes: &[u8], size: u8) -> Vec<u32> {
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
}

impl Lowered {
    fn add(&mut self, indices: &[u32], base_vertex: i32) {
        let start = self.indices.len() as u32;
        self.indices.extend_from_slice(indices);
        self.ranges.push(DrawRange { start, count: indices.len() as u32, base_vertex });
    }

    /// Adds one unbroken run of a mode.
    fn add_run(&mut self, mode: PrimitiveMode, run: &[u32], base_vertex: i32) {
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
        ctx.pipe.draw(&info, &self.ranges, bytemuck::cast_slice(&self.indices));
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
    fn indices_of_each_size() {
        assert_eq!(decode(&[1, 255], 1), [1, 255]);
        assert_eq!(decode(&[1, 2, 0xff, 0xff], 2), [0x201, 0xffff]);
        assert_eq!(decode(&[1, 0, 0, 0x80], 4), [0x8000_0001]);
    }
}
