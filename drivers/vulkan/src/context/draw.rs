//! Draws: bringing the command buffer's state in line with what is bound, and the draw commands themselves.

use std::sync::Arc;

use ash::vk;
use gallite_pipe::*;
use smallvec::SmallVec;

use super::{Dirty, VulkanContext};
use crate::barrier::Access;
use crate::conv;
use crate::ffi::Cmd;
use crate::gpu::Stamp;
use crate::pipeline::{self, KeyInputs, Pipeline, PipelineContents, PipelineKey};
use crate::shader::{DRAW_CONSTANTS, DrawConstants, OutOfMemory, Shader};
use crate::state_object::{VertexAttribute, VertexBinding, VertexInput};

/// The vertex input of the bound program and vertex elements.
#[derive(Default)]
pub(crate) struct CurrentVertexInput {
    /// The program's inputs and the vertex elements it was made for.
    made_for: Option<([u32; 3], u32)>,
    pub input: VertexInput,
    /// Number of its content, where it is part of pipelines.
    id: u32,
    emitted: bool,
    /// What the command buffer has bound.
    buffers: BufferRun,
}

/// What a vertex buffer binding has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct BoundVertices {
    buffer: vk::Buffer,
    offset: u64,
    /// Bytes from there to the end: what follows in the native buffer is another buffer's.
    size: u64,
    /// Where it goes with the buffer, else 0.
    stride: u64,
}

/// Consecutive vertex buffer bindings.
type BufferRun = SmallVec<[BoundVertices; 16]>;

impl CurrentVertexInput {
    /// The command buffer does not have it any more.
    pub fn forget(&mut self) {
        self.emitted = false;
        self.buffers.clear();
    }
}

/// The index buffer of the last draw, with its storage.
#[derive(Default)]
pub(crate) struct CurrentIndexBuffer {
    id: BufferId,
    epoch: u64,
    storage: Option<Arc<crate::buffer::BufferStorage>>,
    /// Batch in which its use and its hazards are noted.
    marked: Stamp,
}

/// Where a draw's indices lie.
#[derive(Clone, Copy)]
struct Indices {
    buffer: vk::Buffer,
    /// Where the buffer is bound from.
    base: u64,
    /// The first index from there.
    first: u32,
    ty: vk::IndexType,
}

impl VulkanContext {
    /// Brings the command buffer in line for a draw in `mode`; false when nothing can be drawn.
    pub(super) fn prepare_draw(&mut self, mode: PrimitiveMode, restart: bool) -> bool {
        let Some(topology) = conv::topology(mode) else { return false };
        self.follow_renames();
        // Nothing has changed since the last draw: the usual case, and the one that must cost nothing.
        if self.dirty == 0
            && self.pass.open
            && self.tracker.pending.is_empty()
            && self.dynamic.topology == topology.as_raw()
            && self.dynamic.restart == Some(self.effective_restart(topology, restart))
        {
            return true;
        }
        let stage = &self.bound.stages[0];
        let Some(shader) = stage.shader.clone() else { return false };
        if shader.compute || self.bound.rasterizer.is_none() || !self.ensure_batch() || !self.ensure_target() {
            return false;
        }
        self.set_topology(topology, restart);
        if self.dirty & Dirty::VERTEX_INPUT != 0 {
            self.update_vertex_input(&shader);
        }
        if !self.pass.open || self.dirty & (Dirty::RESOURCES | Dirty::BINDINGS) != 0 || !self.tracker.pending.is_empty()
        {
            self.prepare_resources(&shader);
            if !self.begin_pass() {
                return false;
            }
        }
        if self.dirty == 0 {
            return true;
        }
        if self.dirty & Dirty::PIPELINE != 0 && !self.select_pipeline(&shader, topology) {
            return false;
        }
        self.emit_dynamic(&shader);
        if !self.emit_descriptors(0, &shader) {
            return false;
        }
        if self.dirty & Dirty::VERTEX_BUFFERS != 0 {
            self.emit_vertex_buffers();
        }
        self.dirty = 0;
        true
    }

    /// Hazards of what was bound since the last draw, or of everything; ends the pass when one of them needs a barrier.
    fn prepare_resources(&mut self, shader: &Arc<Shader>) {
        let mut changed = self.dirty & Dirty::BINDINGS;
        loop {
            if self.dirty & Dirty::RESOURCES != 0 {
                changed = Dirty::BINDINGS;
                self.mark_xfb();
                // The index buffer is looked at by the next draw that has one.
                self.index_buffer.marked = Stamp::default();
                self.dirty &= !Dirty::RESOURCES;
            }
            self.mark_resources(0, shader, std::mem::take(&mut changed));
            if self.pass.open && !self.tracker.pending.is_empty() {
                self.end_pass();
                continue;
            }
            return;
        }
    }

    #[inline]
    fn effective_restart(&self, topology: vk::PrimitiveTopology, restart: bool) -> bool {
        restart && (self.gpu.features().list_restart || !conv::is_list(topology))
    }

    fn set_topology(&mut self, topology: vk::PrimitiveTopology, restart: bool) {
        let restart = self.effective_restart(topology, restart);
        let f = self.gpu.features();
        let changed = self.dynamic.topology != topology.as_raw() || self.dirty & Dirty::TOPOLOGY != 0;
        let class_changed = conv::topology_class(topology)
            != conv::topology_class(vk::PrimitiveTopology::from_raw(self.dynamic.topology));
        if changed {
            if !f.extended_dynamic_state || class_changed {
                self.dirty |= Dirty::PIPELINE;
            }
            if f.extended_dynamic_state
                && let Some(cmd) = self.batches.main()
            {
                cmd.cmd_set_primitive_topology(topology);
            }
            self.dynamic.topology = topology.as_raw();
        }
        if self.dynamic.restart != Some(restart) {
            self.dynamic.restart = Some(restart);
            if f.extended_dynamic_state2 {
                if let Some(cmd) = self.batches.main() {
                    cmd.cmd_set_primitive_restart_enable(restart);
                }
            } else {
                self.dirty |= Dirty::PIPELINE;
            }
        }
    }

    /// Whether coverage or alpha come from elsewhere than plain samples.
    pub(super) fn has_coverage(&self) -> bool {
        self.bound.blend.as_ref().is_some_and(|b| b.state.alpha_to_coverage | b.state.alpha_to_one != 0)
    }

    /// Everything a pipeline for the bound state depends on.
    fn pipeline_key(&self, shader: &Shader, topology: vk::PrimitiveTopology) -> Option<PipelineKey> {
        let (target, raster) = (self.target.as_ref()?, self.rasterizer()?);
        let inputs = KeyInputs {
            targets: &target.layout,
            layout_id: target.layout_id,
            flipped: target.flipped,
            raster: &raster,
            coverage: self.has_coverage(),
            blend: self.bound.blend.as_ref().map_or(0, |b| b.id),
            depth_stencil: self.bound.depth_stencil.as_ref().map_or(0, |d| d.id),
            vertex_input: self.vertex_input.id,
            sample_mask: self.bound.sample_mask,
            min_samples: self.bound.min_samples,
            patch_vertices: self.bound.patch.vertices,
            topology,
            restart: self.dynamic.restart == Some(true),
            texel_swizzles: self.bound.stages[0].texels.0,
        };
        Some(pipeline::graphics_key(&self.gpu, shader, &inputs))
    }

    fn select_pipeline(&mut self, shader: &Arc<Shader>, topology: vk::PrimitiveTopology) -> bool {
        self.find_texel_swizzles(0, shader);
        let Some(key) = self.pipeline_key(shader, topology) else { return false };
        if self.pipeline.is_some() && key == self.pipeline_key {
            return true;
        }
        let recent = shader.identity as usize % self.recent_pipelines.len();
        let pipeline = match &self.recent_pipelines[recent] {
            Some((known, pipeline)) if *known == key => pipeline.clone(),
            _ => {
                let Some(pipeline) = self.find_pipeline(shader, &key) else { return false };
                self.recent_pipelines[recent] = Some((key, pipeline.clone()));
                pipeline
            }
        };
        // VUID-vkCmdBindPipeline-None-02323: not while capture is active; it continues in the next pass.
        if self.xfb.active {
            self.end_pass();
            self.prepare_resources(shader);
            if !self.begin_pass() {
                return false;
            }
        }
        pipeline.bind(self.batches.stamp());
        shader.uses.mark(self.batches.stamp(), &self.gpu);
        if let Some(cmd) = self.batches.main() {
            cmd.bind_pipeline(vk::PipelineBindPoint::GRAPHICS, pipeline.raw);
        }
        self.pipeline_key = key;
        self.pipeline = Some(pipeline);
        true
    }

    fn find_pipeline(&mut self, shader: &Arc<Shader>, key: &PipelineKey) -> Option<Arc<Pipeline>> {
        if let Some(pipeline) = self.pipelines.get(key) {
            return Some(pipeline.clone());
        }
        let pipeline = self.make_pipeline(shader, key)?;
        pipeline::make_room(&mut self.pipelines, pipeline::MAX_OF_CONTEXT, |pipeline| pipeline.bound_at());
        self.pipelines.insert(*key, pipeline.clone());
        Some(pipeline)
    }

    /// The program's pipeline for a key, made when no context had it.
    fn make_pipeline(&self, shader: &Arc<Shader>, key: &PipelineKey) -> Option<Arc<Pipeline>> {
        let targets = &self.target.as_ref()?.layout;
        self.made(shader.pipeline(key, || {
            let (blend, depth_stencil) = (BlendState::default(), DepthStencilState::default());
            let contents = PipelineContents {
                targets,
                blend: self.bound.blend.as_ref().map_or(&blend, |b| &b.state),
                depth_stencil: self.bound.depth_stencil.as_ref().map_or(&depth_stencil, |d| &d.state),
                vertex_input: &self.vertex_input.input,
                texel_swizzles: &self.bound.stages[0].texels.1,
            };
            let cache = self.objects.pipeline_cache.current();
            let raw = pipeline::create_graphics(&self.gpu, cache.raw, shader, key, &contents)?;
            self.gpu.counters.pipelines_created_in_draw.add(1);
            self.objects.precompiler.made(&self.gpu, &self.objects.pipeline_cache);
            Ok(raw)
        }))
    }

    /// A pipeline, if there is one; that there was no memory for it is told to the program.
    pub(super) fn made(&self, made: Result<Option<Arc<Pipeline>>, OutOfMemory>) -> Option<Arc<Pipeline>> {
        made.unwrap_or_else(|OutOfMemory| {
            self.gpu.out_of_memory(0, 0, "a pipeline");
            None
        })
    }

    /// Matches the program's inputs with the bound vertex elements.
    fn update_vertex_input(&mut self, shader: &Shader) {
        let elements = self.bound.vertex_elements.as_ref();
        let desc = &shader.desc;
        let wanted = [desc.vertex_inputs, desc.vertex_inputs_sint, desc.vertex_inputs_uint];
        let made_for = Some((wanted, elements.map_or(0, |e| e.id)));
        if self.vertex_input.made_for == made_for {
            return;
        }
        let empty = VertexElements::default();
        let elements = elements.map_or(&empty, |e| &e.state);
        let mut input = VertexInput::default();
        let mut used_bindings = 0u32;
        let mut unfed = 0u32;
        for location in (0..MAX_VERTEX_ATTRIBUTES as u32).filter(|l| shader.desc.vertex_inputs & (1 << l) != 0) {
            let element = &elements.elements[location as usize];
            let format = self.gpu.formats.get(element.format).exact;
            if format != vk::Format::UNDEFINED && input_matches(shader, location, element.format) {
                used_bindings |= 1 << element.binding;
                input.attributes.push(VertexAttribute {
                    location,
                    binding: u32::from(element.binding),
                    format,
                    offset: element.offset,
                });
            } else {
                unfed |= 1 << location;
            }
        }
        if unfed != 0 {
            // One that no element reads from: there are at least as many as there are inputs.
            let binding = used_bindings.trailing_ones();
            input.zero_binding = Some(binding);
            input.attributes.extend((0..MAX_VERTEX_ATTRIBUTES as u32).filter(|l| unfed & (1 << l) != 0).map(
                |location| VertexAttribute { location, binding, format: zero_format(shader, location), offset: 0 },
            ));
        }
        let f = self.gpu.features();
        for binding in (0..MAX_VERTEX_BINDINGS as u32).filter(|b| used_bindings & (1 << b) != 0) {
            let layout = &elements.bindings[binding as usize];
            input.bindings.push(VertexBinding {
                binding,
                stride: layout.stride,
                divisor: layout.divisor.max(1),
                per_instance: layout.divisor != 0,
            });
        }
        if let Some(binding) = input.zero_binding {
            input.bindings.push(VertexBinding { binding, stride: 0, divisor: 1, per_instance: false });
        }
        if input != self.vertex_input.input || self.vertex_input.made_for.is_none() {
            self.vertex_input.emitted = false;
            self.dirty |= Dirty::VERTEX_BUFFERS;
            if !f.vertex_input_dynamic {
                self.vertex_input.id = self.objects.interners.vertex_input.id(&input);
                self.dirty |= Dirty::PIPELINE;
            }
            self.vertex_input.input = input;
        }
        self.vertex_input.made_for = made_for;
    }

    fn emit_vertex_buffers(&mut self) {
        let f = self.gpu.features();
        let Some(cmd) = self.batches.main() else { return };
        let input = &self.vertex_input.input;
        if f.vertex_input_dynamic && !self.vertex_input.emitted {
            let bindings: SmallVec<[vk::VertexInputBindingDescription2EXT<'_>; 16]> = input
                .bindings
                .iter()
                .map(|b| {
                    vk::VertexInputBindingDescription2EXT::default()
                        .binding(b.binding)
                        .stride(b.stride)
                        .divisor(b.divisor)
                        .input_rate(if b.per_instance {
                            vk::VertexInputRate::INSTANCE
                        } else {
                            vk::VertexInputRate::VERTEX
                        })
                })
                .collect();
            let attributes: SmallVec<[vk::VertexInputAttributeDescription2EXT<'_>; 16]> = input
                .attributes
                .iter()
                .map(|a| {
                    vk::VertexInputAttributeDescription2EXT::default()
                        .location(a.location)
                        .binding(a.binding)
                        .format(a.format)
                        .offset(a.offset)
                })
                .collect();
            cmd.cmd_set_vertex_input(&bindings, &attributes);
            self.vertex_input.emitted = true;
        }
        let zeros = self.objects.internal.zeros.as_ref();
        let zero = zeros.map_or((vk::Buffer::null(), 0, 0), |z| (z.raw, z.offset, z.size));
        let how = match (f.extended_dynamic_state, f.vertex_input_dynamic) {
            (false, _) => Bind::Plain,
            (true, true) => Bind::Sizes,
            (true, false) => Bind::SizesAndStrides,
        };
        let known = &mut self.vertex_input.buffers;
        let mut run: BufferRun = SmallVec::new();
        let mut first = 0;
        for b in &input.bindings {
            let slot =
                self.bound.vertex_buffers.get(b.binding as usize).filter(|_| input.zero_binding != Some(b.binding));
            let (buffer, offset, size) = match slot.and_then(|s| s.storage.as_ref().map(|st| (s, st))) {
                Some((slot, storage)) if slot.binding.offset < storage.size => {
                    let offset = slot.binding.offset;
                    (storage.raw, storage.offset + offset, storage.size - offset)
                }
                _ => zero,
            };
            let stride = if how == Bind::SizesAndStrides { u64::from(b.stride) } else { 0 };
            let wanted = BoundVertices { buffer, offset, size, stride };
            let index = b.binding as usize;
            if known.len() <= index {
                known.resize(index + 1, Default::default());
            }
            if known[index] == wanted {
                continue;
            }
            known[index] = wanted;
            if b.binding != first + run.len() as u32 {
                bind_run(cmd, first, &run, how);
                run.clear();
                first = b.binding;
            }
            run.push(wanted);
        }
        bind_run(cmd, first, &run, how);
    }

    fn index_type(size: u8) -> vk::IndexType {
        match size {
            1 => vk::IndexType::UINT8_EXT,
            2 => vk::IndexType::UINT16,
            _ => vk::IndexType::UINT32,
        }
    }

    /// Finds a draw's indices, before the pass is prepared.
    fn indices(&mut self, info: &DrawInfo, user: &[u8]) -> Option<Indices> {
        let ty = Self::index_type(info.index_size);
        if info.index_buffer.is_null() {
            let piece = self.stage(user.len() as u64, 4)?;
            piece.host.write(0, user);
            self.counters.bytes_staged += user.len() as u64;
            return Some(Indices { buffer: piece.raw, base: piece.offset, first: 0, ty });
        }
        // First: a batch that opens hears of destroyed buffers, and forgets what is known here.
        if !self.ensure_batch() {
            return None;
        }
        let epoch = self.gpu.storage_epoch.load(std::sync::atomic::Ordering::Acquire);
        let known = &self.index_buffer;
        let hit = known.id == info.index_buffer && known.epoch == epoch;
        if !hit {
            let buffer = self.mirrors.buffers.get(info.index_buffer, &self.objects.buffers)?;
            let storage = buffer.storage()?;
            self.index_buffer =
                CurrentIndexBuffer { id: info.index_buffer, epoch, storage: Some(storage), marked: Stamp::default() };
        }
        let storage = self.index_buffer.storage.as_ref()?;
        if info.index_offset >= storage.size {
            return None;
        }
        // Nothing written since it was marked: neither the batch nor the hazards are new.
        if self.index_buffer.marked != self.batches.stamp() || self.dirty & Dirty::RESOURCES != 0 {
            storage.uses.mark(self.batches.stamp(), &self.gpu);
            self.tracker.access(storage.track, Access::INDEX);
            self.index_buffer.marked = self.batches.stamp();
        }
        // Bound once from its start, draws at other offsets need no other binding.
        let shift = info.index_size.trailing_zeros();
        let first = info.index_offset >> shift;
        if first << shift == info.index_offset && first <= u64::from(u32::MAX) {
            return Some(Indices { buffer: storage.raw, base: storage.offset, first: first as u32, ty });
        }
        Some(Indices { buffer: storage.raw, base: storage.offset + info.index_offset, first: 0, ty })
    }

    pub(crate) fn draw(&mut self, info: &DrawInfo, ranges: &[DrawRange], user_indices: &[u8]) {
        if ranges.is_empty() || info.instance_count == 0 || !self.draw_condition_passes() {
            return;
        }
        let indices = if info.index_size != 0 {
            match self.indices(info, user_indices) {
                Some(indices) => Some(indices),
                None => return,
            }
        } else {
            None
        };
        let restart = info.restart != 0 && info.index_size != 0;
        if !self.condition_is_made() || !self.prepare_draw(info.mode, restart) {
            return;
        }
        if !self.begin_draw() {
            return;
        }
        self.counters.draws += ranges.len() as u64;
        if self.reads_draw_parameters() {
            self.draw_numbered(info, ranges, indices.as_ref());
            self.limit_batch();
            return;
        }
        let instances = (info.instance_count, info.base_instance);
        match indices {
            None => {
                for range in ranges.iter().filter(|r| r.count != 0) {
                    self.batches.draw(range.start, range.count, instances);
                }
            }
            Some(indices) => {
                self.bind_indices(&indices);
                for range in ranges.iter().filter(|r| r.count != 0) {
                    let first = indices.first.saturating_add(range.start);
                    self.batches.draw_indexed(first, range.count, range.base_vertex, instances);
                }
            }
        }
        self.limit_batch();
    }

    /// Whether the program asks which draw it is.
    #[inline]
    pub(super) fn reads_draw_parameters(&self) -> bool {
        let shader = self.bound.stages[0].shader.as_ref();
        shader.is_some_and(|s| s.desc.flags.contains(ShaderFlags::READS_DRAW_PARAMETERS))
    }

    /// Draws ranges one by one, each told its number.
    fn draw_numbered(&mut self, info: &DrawInfo, ranges: &[DrawRange], indices: Option<&Indices>) {
        let instances = (info.instance_count, info.base_instance);
        for (range, number) in ranges.iter().zip(0u32..).filter(|(range, _)| range.count != 0) {
            let number = if info.increment_draw_id != 0 { number } else { 0 };
            self.emit_draw_constants(indices.is_some(), info.draw_id.wrapping_add(number));
            match indices {
                None => self.batches.draw(range.start, range.count, instances),
                Some(indices) => {
                    self.bind_indices(indices);
                    let first = indices.first.saturating_add(range.start);
                    self.batches.draw_indexed(first, range.count, range.base_vertex, instances);
                }
            }
        }
        // What is drawn next must not be gathered with these.
        self.batches.main();
    }

    #[inline]
    fn bind_indices(&mut self, indices: &Indices) {
        let wanted = (indices.buffer, indices.base, indices.ty.as_raw());
        if self.dynamic.index_buffer != Some(wanted) {
            if let Some(cmd) = self.batches.main() {
                cmd.bind_index_buffer(indices.buffer, indices.base, indices.ty);
            }
            self.dynamic.index_buffer = Some(wanted);
        }
    }

    pub(crate) fn draw_indirect(&mut self, info: &DrawInfo, indirect: &IndirectInfo) {
        let arguments = self.buffer(indirect.buffer).and_then(|b| b.storage());
        let Some(arguments) = arguments else { return };
        if !self.draw_condition_passes() {
            return;
        }
        let count = if indirect.count_buffer.is_null() {
            None
        } else {
            match self.buffer(indirect.count_buffer).and_then(|b| b.storage()) {
                Some(storage) => Some(storage),
                None => return,
            }
        };
        if !self.ensure_batch() {
            return;
        }
        let indices = if info.index_size != 0 {
            match self.indices(info, &[]) {
                Some(indices) => Some(indices),
                None => return,
            }
        } else {
            None
        };
        self.use_buffer(&arguments, Access::INDIRECT);
        if let Some(count) = &count {
            self.use_buffer(count, Access::INDIRECT);
        }
        let restart = info.restart != 0 && info.index_size != 0;
        if !self.condition_is_made() || !self.prepare_draw(info.mode, restart) {
            return;
        }
        if !self.begin_draw() {
            return;
        }
        self.counters.draws += u64::from(indirect.draw_count);
        let most = self.gpu.features().max_indirect_draws;
        let numbered = self.reads_draw_parameters().then(|| self.bound.stages[0].shader.clone()).flatten();
        if numbered.is_some() {
            self.emit_draw_constants(indices.is_some(), info.draw_id);
        }
        let Some(cmd) = self.batches.main() else { return };
        if let Some(indices) = &indices {
            // An indirect draw's first index counts from where the buffer is bound.
            let at = indices.base + u64::from(indices.first) * u64::from(info.index_size);
            cmd.bind_index_buffer(indices.buffer, at, indices.ty);
            self.dynamic.index_buffer = None;
        }
        let offset = arguments.offset + indirect.offset;
        let one = |at: u64, n: u32| {
            if indices.is_some() {
                cmd.draw_indexed_indirect(arguments.raw, at, n, indirect.stride);
            } else {
                cmd.draw_indirect(arguments.raw, at, n, indirect.stride);
            }
        };
        if let Some(count) = &count {
            cmd.draw_indirect_count(
                indices.is_some(),
                arguments.raw,
                offset,
                (count.raw, count.offset + indirect.count_offset),
                indirect.draw_count,
                indirect.stride,
            );
            return;
        }
        // VUID-vkCmdDrawIndirect-drawCount-02718 and -02719: as many at a time as the device takes.
        let mut done = 0;
        while done < indirect.draw_count {
            if let (Some(shader), true) = (&numbered, done > 0) {
                let indexed = if indices.is_some() { u32::MAX } else { 0 };
                let constants = DrawConstants { indexed, draw_id: info.draw_id.wrapping_add(done) };
                cmd.push_constants(shader.layout, shader.push_stages, DRAW_CONSTANTS, &constants);
                self.dynamic.draw_constants = Some(constants);
            }
            let n = most.min(indirect.draw_count - done);
            one(offset + u64::from(done) * u64::from(indirect.stride), n);
            done += n;
        }
    }

    /// What every draw command needs right before it.
    #[inline]
    pub(super) fn begin_draw(&mut self) -> bool {
        self.begin_xfb();
        self.begin_conditional();
        self.batches.is_open()
    }
}

/// What is bound along with vertex buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bind {
    Plain,
    Sizes,
    SizesAndStrides,
}

/// Binds vertex buffers from a binding on.
fn bind_run(cmd: Cmd<'_>, first: u32, run: &BufferRun, how: Bind) {
    if run.is_empty() {
        return;
    }
    let buffers: SmallVec<[vk::Buffer; 16]> = run.iter().map(|r| r.buffer).collect();
    let offsets: SmallVec<[u64; 16]> = run.iter().map(|r| r.offset).collect();
    if how == Bind::Plain {
        cmd.bind_vertex_buffers(first, &buffers, &offsets);
        return;
    }
    let sizes: SmallVec<[u64; 16]> = run.iter().map(|r| r.size).collect();
    let strides: SmallVec<[u64; 16]> = run.iter().map(|r| r.stride).collect();
    let strides = (how == Bind::SizesAndStrides).then_some(&strides[..]);
    cmd.cmd_bind_vertex_buffers2(first, &buffers, &offsets, Some(&sizes), strides);
}

/// Whether a format's numbers are of the kind the program reads at a location.
fn input_matches(shader: &Shader, location: u32, format: Format) -> bool {
    let bit = 1 << location;
    let sint = shader.desc.vertex_inputs_sint & bit != 0;
    let uint = shader.desc.vertex_inputs_uint & bit != 0;
    match format.kind() {
        ChannelKind::Sint => sint,
        ChannelKind::Uint => uint,
        _ => !sint && !uint,
    }
}

fn zero_format(shader: &Shader, location: u32) -> vk::Format {
    let bit = 1 << location;
    if shader.desc.vertex_inputs_sint & bit != 0 {
        vk::Format::R32G32B32A32_SINT
    } else if shader.desc.vertex_inputs_uint & bit != 0 {
        vk::Format::R32G32B32A32_UINT
    } else {
        vk::Format::R32G32B32A32_SFLOAT
    }
}
