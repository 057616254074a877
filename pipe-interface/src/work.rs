//! Verbs and transfers: draws, dispatches, clears, copies, reads and writes.

use crate::format::Format;
use crate::handle::{BufferId, QueryId, TextureId, XfbTargetId};
use crate::pod::{F32, F64, pod_enum, pod_flags, pod_struct};
use crate::state::{Filter, Rect};

pod_enum! {
    /// Primitive mode, with GL's numbers.
    pub PrimitiveMode: u8 {
        /// Points.
        POINTS = 0,
        /// Separate lines.
        LINES = 1,
        /// A closed line strip.
        LINE_LOOP = 2,
        /// A line strip.
        LINE_STRIP = 3,
        /// Separate triangles.
        TRIANGLES = 4,
        /// A triangle strip.
        TRIANGLE_STRIP = 5,
        /// A triangle fan.
        TRIANGLE_FAN = 6,
        /// Separate quads.
        QUADS = 7,
        /// A quad strip.
        QUAD_STRIP = 8,
        /// A polygon.
        POLYGON = 9,
        /// Lines with adjacency.
        LINES_ADJACENCY = 10,
        /// A line strip with adjacency.
        LINE_STRIP_ADJACENCY = 11,
        /// Triangles with adjacency.
        TRIANGLES_ADJACENCY = 12,
        /// A triangle strip with adjacency.
        TRIANGLE_STRIP_ADJACENCY = 13,
        /// Patches.
        PATCHES = 14,
    }
}

pod_struct! {
    /// What all ranges of a draw share.
    pub DrawInfo {
        /// Primitive mode.
        mode: PrimitiveMode,
        /// Bytes per index: 0 (not indexed), 1, 2 or 4.
        index_size: u8,
        /// 1 when `restart_index` restarts primitives.
        restart: u8,
        /// 1 when `draw_id` grows by one per range.
        increment_draw_id: u8,
        /// Restart index.
        restart_index: u32,
        /// Index buffer; null when the indices come with the call.
        index_buffer: BufferId,
        /// Bytes from the buffer's start to index 0.
        index_offset: u64,
        /// Instances, at least 1.
        instance_count: u32,
        /// Index of the first instance.
        base_instance: u32,
        /// Draw id of the first range.
        draw_id: u32,
        /// Smallest index, when known, else 0.
        min_index: u32,
        /// Largest index, when known, else `u32::MAX`.
        max_index: u32,
        /// Zero.
        reserved: u32,
    }
}

pod_struct! {
    /// One range of a draw.
    pub DrawRange {
        /// First vertex, or first index.
        start: u32,
        /// Vertices or indices.
        count: u32,
        /// Added to each index; zero when not indexed.
        base_vertex: i32,
    }
}

pod_struct! {
    /// Where an indirect draw finds its arguments. The layout is GL's
    /// `DrawArraysIndirectCommand` or `DrawElementsIndirectCommand`.
    pub IndirectInfo {
        /// Arguments.
        buffer: BufferId,
        /// Bytes from the buffer's start.
        offset: u64,
        /// Bytes between commands.
        stride: u32,
        /// Commands, or the most there can be.
        draw_count: u32,
        /// Buffer holding the count, or null.
        count_buffer: BufferId,
        /// Bytes from that buffer's start.
        count_offset: u64,
    }
}

pod_struct! {
    /// Draw whose vertex count is what a target captured.
    pub XfbDrawInfo {
        /// The capture target.
        target: XfbTargetId,
        /// Primitive mode, widened.
        mode: u32,
        /// Instances.
        instance_count: u32,
        /// Index of the first instance.
        base_instance: u32,
        /// Bytes per vertex captured in the target's buffer.
        stride: u32,
    }
}

pod_struct! {
    /// A dispatch.
    pub DispatchInfo {
        /// Groups along each axis.
        groups: [u32; 3],
        /// Group size along each axis when the shader leaves it open, else 0.
        variable_size: [u32; 3],
    }
}

pod_struct! {
    /// Clears attachments of the bound framebuffer.
    pub ClearInfo {
        /// Colour attachments to clear, a bit each.
        color_attachments: u32,
        /// Channels written, 4 bits per attachment from bit 0: R, G, B, A.
        color_write_masks: u32,
        /// Bits of the colour: floats, or integers for integer attachments.
        color: [u32; 4],
        /// Depth value.
        depth: F64,
        /// 1: clear depth.
        clear_depth: u8,
        /// 1: clear stencil.
        clear_stencil: u8,
        /// Stencil value.
        stencil: u8,
        /// Stencil bits written.
        stencil_write_mask: u8,
        /// 1: limited to `scissor`.
        scissored: u32,
        /// Limits, in GL window coordinates.
        scissor: Rect,
    }
}

pod_struct! {
    /// A box of texels of one level. For array and cube textures z counts layers.
    pub TextureBox {
        /// Left.
        x: u32,
        /// Bottom.
        y: u32,
        /// First slice or layer.
        z: u32,
        /// Texels.
        width: u32,
        /// Texels.
        height: u32,
        /// Slices or layers.
        depth: u32,
    }
}

pod_enum! {
    /// Aspects of a texture taking part in a transfer.
    pub TransferAspect: u32 {
        /// Colour; or depth and stencil packed in the format's own layout
        /// (Z24S8: u32 with stencil in the low byte; Z32FS8: f32 then u32 with stencil in the low byte).
        WHOLE = 0,
        /// Depth: the depth-only twin of the format (Z24X8 as u32 with depth in the high 24 bits, Z32F as f32).
        DEPTH = 1,
        /// Stencil bytes.
        STENCIL = 2,
    }
}

pod_struct! {
    /// A transfer between texels and linear memory. Memory rows run bottom row first, in the texture's own format;
    /// for compressed formats strides count block rows.
    pub TextureTransfer {
        /// The texture.
        texture: TextureId,
        /// Level.
        level: u32,
        /// Aspects.
        aspect: TransferAspect,
        /// Texels.
        region: TextureBox,
        /// Bytes between rows.
        row_stride: u32,
        /// Zero.
        reserved: u32,
        /// Bytes between slices or layers.
        layer_stride: u64,
    }
}

pod_struct! {
    /// Clears a box of a texture, bound or not.
    pub ClearTexture {
        /// The texture.
        texture: TextureId,
        /// Level.
        level: u32,
        /// 1: colour or, by `aspect`, depth and stencil.
        aspect: TransferAspect,
        /// Texels.
        region: TextureBox,
        /// One texel in the texture's format, zero padded.
        value: [u32; 4],
    }
}

pod_struct! {
    /// Fills a range of a buffer with a repeated value.
    pub ClearBuffer {
        /// The buffer.
        buffer: BufferId,
        /// Bytes from the start.
        offset: u64,
        /// Bytes; a multiple of `value_size`.
        size: u64,
        /// Value, `value_size` bytes of it.
        value: [u32; 4],
        /// Bytes: 1, 2, 4, 8, 12 or 16.
        value_size: u32,
        /// Zero.
        reserved: u32,
    }
}

pod_flags! {
    /// What a blit copies.
    pub BlitMask: u32 {
        /// Colour.
        COLOR = 1,
        /// Depth.
        DEPTH = 2,
        /// Stencil.
        STENCIL = 4,
    }
}

pod_struct! {
    /// One end of a blit. `x1 < x0` or `y1 < y0` mirrors. The rectangle may lie partly outside:
    /// pixels outside either image are not touched.
    pub BlitEnd {
        /// The texture.
        texture: TextureId,
        /// Format read or written as.
        format: Format,
        /// Of the read end, 1: alpha reads as one, whatever is stored. Zero at the written end.
        opaque: u16,
        /// Level.
        level: u32,
        /// Layer or slice.
        layer: u32,
        /// First corner.
        x0: i32,
        /// First corner.
        y0: i32,
        /// Opposite corner.
        x1: i32,
        /// Opposite corner.
        y1: i32,
    }
}

pod_struct! {
    /// Copies with scaling, mirroring, format conversion and multisample resolve.
    /// Resolve happens when the source has samples and the destination has not; equal sizes are then required.
    pub BlitInfo {
        /// Read end.
        source: BlitEnd,
        /// Written end.
        destination: BlitEnd,
        /// Aspects.
        mask: BlitMask,
        /// Filter, widened; nearest unless colour alone is copied.
        linear: u32,
        /// 1: the destination is limited to `scissor`.
        scissored: u32,
        /// In GL window coordinates of the destination.
        scissor: Rect,
        /// 1: honour the render condition.
        conditional: u32,
    }
}

impl BlitInfo {
    /// The filter as the sampler type.
    pub const fn filter(&self) -> Filter {
        if self.linear != 0 { Filter::LINEAR } else { Filter::NEAREST }
    }
}

pod_struct! {
    /// Copies texels bit for bit between textures of the same size class.
    pub CopyImage {
        /// Source.
        source: TextureId,
        /// Destination.
        destination: TextureId,
        /// Source level.
        source_level: u32,
        /// Destination level.
        destination_level: u32,
        /// Source texels.
        source_box: TextureBox,
        /// Destination corner x.
        x: u32,
        /// Destination corner y.
        y: u32,
        /// Destination slice or layer.
        z: u32,
        /// Zero.
        reserved: u32,
    }
}

pod_struct! {
    /// Copies bytes between buffers, or within one without overlap.
    pub CopyBuffer {
        /// Source.
        source: BufferId,
        /// Destination.
        destination: BufferId,
        /// Bytes from the source's start.
        source_offset: u64,
        /// Bytes from the destination's start.
        destination_offset: u64,
        /// Bytes.
        size: u64,
    }
}

pod_struct! {
    /// Fills levels below `base_level` from it.
    pub GenerateMipmap {
        /// The texture.
        texture: TextureId,
        /// Format filtered as.
        format: Format,
        /// Zero.
        reserved: u16,
        /// Level read.
        base_level: u32,
        /// Last level written.
        last_level: u32,
        /// First layer.
        first_layer: u32,
        /// Layers.
        layer_count: u32,
    }
}

pod_flags! {
    /// Accesses that a memory barrier orders after earlier shader stores.
    pub BarrierFlags: u32 {
        /// Vertex fetch.
        VERTEX_BUFFER = 1 << 0,
        /// Index fetch.
        INDEX_BUFFER = 1 << 1,
        /// Uniform reads.
        UNIFORM = 1 << 2,
        /// Texture reads.
        TEXTURE = 1 << 3,
        /// Storage images.
        IMAGE = 1 << 4,
        /// Indirect arguments.
        INDIRECT = 1 << 5,
        /// Pixel transfer buffers.
        PIXEL_BUFFER = 1 << 6,
        /// Texture updates.
        TEXTURE_UPDATE = 1 << 7,
        /// Buffer updates.
        BUFFER_UPDATE = 1 << 8,
        /// Framebuffer.
        FRAMEBUFFER = 1 << 9,
        /// Transform feedback.
        XFB = 1 << 10,
        /// Atomic counters and storage buffers.
        STORAGE = 1 << 11,
        /// Persistently mapped buffers.
        MAPPED = 1 << 12,
        /// Query results in buffers.
        QUERY_BUFFER = 1 << 13,
    }
}

pod_struct! {
    /// Declares attachments of the bound framebuffer undefined.
    pub InvalidateInfo {
        /// Colour attachments, a bit each.
        color_attachments: u32,
        /// 1: depth.
        depth: u32,
        /// 1: stencil.
        stencil: u32,
    }
}

pod_flags! {
    /// How a buffer range is mapped or written.
    pub MapFlags: u32 {
        /// Read.
        READ = 1 << 0,
        /// Write.
        WRITE = 1 << 1,
        /// The range's old bytes are not needed.
        INVALIDATE_RANGE = 1 << 2,
        /// None of the buffer's old bytes are needed.
        INVALIDATE_BUFFER = 1 << 3,
        /// The caller orders accesses itself.
        UNSYNCHRONIZED = 1 << 4,
        /// Stays mapped while the device uses the buffer.
        PERSISTENT = 1 << 5,
        /// Writes are seen without a flush.
        COHERENT = 1 << 6,
        /// Only flushed ranges are written.
        FLUSH_EXPLICIT = 1 << 7,
    }
}

pod_enum! {
    /// What a query counts.
    pub QueryKind: u32 {
        /// Samples passed.
        OCCLUSION = 0,
        /// Whether any sample passed.
        ANY_SAMPLES = 1,
        /// As above, possibly too true.
        ANY_SAMPLES_CONSERVATIVE = 2,
        /// Nanoseconds between begin and end.
        TIME_ELAPSED = 3,
        /// Nanoseconds at end.
        TIMESTAMP = 4,
        /// Primitives sent to rasterization from a stream.
        PRIMITIVES_GENERATED = 5,
        /// Primitives captured from a stream.
        XFB_PRIMITIVES_WRITTEN = 6,
        /// Whether a stream overflowed its targets.
        XFB_STREAM_OVERFLOW = 7,
        /// Whether any stream overflowed.
        XFB_OVERFLOW = 8,
        /// One pipeline statistic; `index` says which, in GL's order.
        PIPELINE_STATISTIC = 9,
    }
}

pod_struct! {
    /// Describes a query.
    pub QueryDesc {
        /// What it counts.
        kind: QueryKind,
        /// Stream or statistic.
        index: u32,
    }
}

pod_struct! {
    /// A query's answer.
    pub QueryResult {
        /// 1 when the value is final.
        ready: u32,
        /// Zero.
        reserved: u32,
        /// The value; 0 or 1 for predicates.
        value: u64,
    }
}

pod_struct! {
    /// Writes a query's result to a buffer.
    pub QueryToBuffer {
        /// The query.
        query: QueryId,
        /// The buffer.
        buffer: BufferId,
        /// Bytes from the buffer's start.
        offset: u64,
        /// Bytes written: 4 or 8.
        size: u32,
        /// 0 writes when ready, 1 waits first, 2 writes availability.
        mode: u32,
    }
}

pod_struct! {
    /// Describes a capture target.
    pub XfbTargetDesc {
        /// Buffer written.
        buffer: BufferId,
        /// Bytes from its start.
        offset: u64,
        /// Bytes.
        size: u64,
    }
}

pod_enum! {
    /// Answer of a wait.
    pub WaitStatus: u32 {
        /// Signalled.
        SIGNALED = 0,
        /// Time ran out.
        TIMEOUT = 1,
        /// The device is lost.
        LOST = 2,
    }
}

pod_enum! {
    /// Answer of a call that can decline.
    pub Outcome: u32 {
        /// Done as asked.
        DONE = 0,
        /// The driver does not do this; the tracker falls back. Nothing happened.
        DECLINED = 1,
        /// Out of memory; nothing happened.
        OUT_OF_MEMORY = 2,
        /// The device is lost.
        DEVICE_LOST = 3,
    }
}

pod_enum! {
    /// Whose fault a reset was.
    pub ResetStatus: u32 {
        /// No reset.
        NONE = 0,
        /// This context's.
        GUILTY = 1,
        /// Another's.
        INNOCENT = 2,
        /// Unknown.
        UNKNOWN = 3,
    }
}

pod_struct! {
    /// Device memory, in bytes.
    pub MemoryInfo {
        /// All local memory.
        total: u64,
        /// What is free of it, as far as known.
        available: u64,
        /// Bytes evicted so far.
        evicted: u64,
    }
}

pod_flags! {
    /// What a flush promises.
    pub FlushFlags: u32 {
        /// A frame ends here.
        END_OF_FRAME = 1 << 0,
        /// The work may be submitted later, before anything waits on the fence.
        DEFERRED = 1 << 1,
        /// No thread has the context from here on, perhaps for long: what it keeps for speed alone may go.
        RELEASED = 1 << 2,
    }
}

pod_enum! {
    /// Kind of an event.
    pub EventKind: u32 {
        /// No event waits.
        NONE = 0,
        /// The device is lost.
        DEVICE_LOST = 1,
        /// The device wrote `range` of a buffer whose bytes the tracker keeps.
        GPU_WROTE = 2,
        /// A window's size or state changed.
        WINDOW_CHANGED = 3,
        /// Storage for an earlier creation could not be had; the handle is dead.
        OUT_OF_MEMORY = 4,
        /// A message: UTF-8 in the bytes beside the event.
        LOG = 5,
        /// State pushed and state re-derived differ; the message names the field.
        VERIFY_MISMATCH = 6,
    }
}

pod_enum! {
    /// Weight of a log event.
    pub Severity: u32 {
        /// Of interest to a developer of the driver.
        DEBUG = 0,
        /// Of interest.
        INFO = 1,
        /// Slow or suspicious.
        WARNING = 2,
        /// Wrong.
        ERROR = 3,
    }
}

pod_struct! {
    /// Something a driver tells on its own.
    pub Event {
        /// Kind.
        kind: EventKind,
        /// Weight, for logs.
        severity: Severity,
        /// Slot of the handle it is about.
        slot: u32,
        /// Generation of that handle; zero when it is about none.
        generation: u32,
        /// Start of a range in bytes, or a width.
        range_start: u64,
        /// Length of a range in bytes, or a height.
        range_len: u64,
        /// Bytes of the message, which may be longer than the room it was given.
        message_len: u32,
        /// Zero.
        reserved: u32,
    }
}

pod_enum! {
    /// Kind of object a debug label is for.
    pub LabelKind: u32 {
        /// Buffer.
        BUFFER = 0,
        /// Texture.
        TEXTURE = 1,
        /// Shader.
        SHADER = 2,
        /// Query.
        QUERY = 3,
        /// Sampler.
        SAMPLER = 4,
    }
}

pod_struct! {
    /// Work done so far by a screen, over all of its contexts. All count up from creation.
    pub Counters {
        /// Calls received.
        calls: u64,
        /// Draw ranges recorded.
        draws: u64,
        /// Render passes begun.
        render_passes: u64,
        /// Attachments loaded at the beginning of a pass.
        attachment_loads: u64,
        /// Attachments cleared at the beginning of a pass.
        attachment_clears: u64,
        /// Attachments stored at the end of a pass.
        attachment_stores: u64,
        /// Barriers recorded.
        barriers: u64,
        /// Pipelines created.
        pipelines_created: u64,
        /// Of those, the ones created inside a draw.
        pipelines_created_in_draw: u64,
        /// Bytes staged for uploads.
        bytes_staged: u64,
        /// Batches submitted.
        submits: u64,
        /// Waits of the calling thread for the device.
        waits: u64,
        /// Descriptor sets written.
        descriptor_writes: u64,
        /// Device memory allocations alive.
        live_allocations: u64,
        /// Objects alive.
        live_objects: u64,
        /// Mismatches found by a verifying driver.
        verify_mismatches: u64,
        /// Messages of the API's own validation.
        validation_messages: u64,
        /// Full-surface copies made to present.
        present_copies: u64,
        /// Device memory allocations made.
        allocations_made: u64,
    }
}

impl Counters {
    /// The counter of a field's name; none when there is no such field.
    pub fn get(&self, name: &str) -> Option<u64> {
        let index = Self::FIELDS.iter().position(|field| *field == name)?;
        bytemuck::cast_slice::<Self, u64>(std::slice::from_ref(self)).get(index).copied()
    }
}

impl ClearInfo {
    /// The colour as floats.
    pub fn color_f32(&self) -> [f32; 4] {
        self.color.map(f32::from_bits)
    }
    /// Sets the colour from floats.
    pub fn set_color_f32(&mut self, color: [f32; 4]) {
        self.color = color.map(f32::to_bits);
    }
}

/// A float quadruple used by settable state.
pub type Color = [F32; 4];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_found_by_name() {
        let counters = Counters { calls: 1, live_objects: 7, present_copies: 9, ..Counters::default() };
        assert_eq!(
            ["calls", "live_objects", "present_copies"].map(|name| counters.get(name)),
            [Some(1), Some(7), Some(9)]
        );
        assert_eq!(counters.get("objects"), None);
    }
}
