//! The one list of calls.
//!
//! Everything that must know all calls is made from this list: the [`Screen`](crate::Screen) and
//! [`Context`](crate::Context) traits, the [`Opcode`](crate::codec::Opcode)s, the codec, and whatever a
//! driver generates for itself with [`for_each_call!`](crate::for_each_call). Opcodes are append-only: a
//! number is never reused or given another meaning.
//!
//! One entry reads
//! `NUMBER class fn name(values) &(payloads) [slices] out(buffers) -> Reply;`
//! where values are small payloads passed by value, payloads are passed by reference, slices are
//! passed as `&[T]`, and out buffers as `&mut [u8]` that the callee fills.
//!
//! Classes: `screen` asks about the screen; `create` makes the object named by its first value and never
//! waits; `destroy` gives it up (the driver keeps it until the last batch that uses it has completed);
//! `state` replaces a set; `verb` does work with the state; `transfer` moves bytes; `query` and `sync` are
//! what their names say.

/// Hands the whole catalogue to a macro: `for_each_call!(my_macro)`, or with a leading argument
/// `for_each_call!(my_macro, argument)`.
#[macro_export]
macro_rules! for_each_call {
    ($callback:ident $(, $arg:tt)?) => { $callback! { $($arg)?
    screen {
        /// Everything the screen can do. Constant.
        1 screen fn caps() &() [] out() -> Caps;
        /// What the screen can do with a format. Constant.
        2 screen fn format_caps(format: Format) &() [] out() -> FormatCaps;
        /// Device memory now.
        3 screen fn memory_info() &() [] out() -> MemoryInfo;
        /// Whether the device was reset, and by whom. Sticky.
        4 screen fn reset_status() &() [] out() -> ResetStatus;
        /// Identity of everything a cached pipeline depends on: device, driver, build.
        5 screen fn disk_cache_id() &() [] out() -> [u8; 32];
        /// Takes the oldest waiting event; its message, if any, is copied as far as it fits.
        6 screen fn poll_event() &() [] out(message) -> Event;
        /// Work done so far.
        7 screen fn counters() &() [] out() -> Counters;
        /// Device time in nanoseconds.
        8 screen fn timestamp() &() [] out() -> u64;

        /// Makes a buffer.
        20 create fn create_buffer(id: BufferId) &(desc: BufferDesc) [] out() -> ();
        /// Destroys a buffer.
        21 destroy fn destroy_buffer(id: BufferId) &() [] out() -> ();
        /// Makes a texture; its texels start undefined.
        22 create fn create_texture(id: TextureId) &(desc: TextureDesc) [] out() -> ();
        /// Makes a texture that shares another's storage.
        23 create fn create_texture_alias(id: TextureId) &(desc: TextureAliasDesc) [] out() -> ();
        /// Makes a buffer texture. It follows the buffer's bytes, not its replacement.
        24 create fn create_buffer_texture(id: TextureId) &(desc: BufferTextureDesc) [] out() -> ();
        /// Makes a texture that stands for a window's back image: after each presentation it is the next image.
        /// Always surface oriented, one level, layer and sample. Its size is the window's when made.
        25 create fn create_window_texture(id: TextureId, window: WindowId) &(desc: TextureDesc) [] out() -> ();
        /// Destroys a texture of any of these kinds.
        26 destroy fn destroy_texture(id: TextureId) &() [] out() -> ();
        /// Makes a sampler view.
        27 create fn create_sampler_view(id: SamplerViewId) &(desc: SamplerViewDesc) [] out() -> ();
        /// Destroys a sampler view.
        28 destroy fn destroy_sampler_view(id: SamplerViewId) &() [] out() -> ();
        /// Makes a blend state object.
        29 create fn create_blend(id: BlendId) &(state: BlendState) [] out() -> ();
        /// Destroys a blend state object.
        30 destroy fn destroy_blend(id: BlendId) &() [] out() -> ();
        /// Makes a depth-stencil state object.
        31 create fn create_depth_stencil(id: DepthStencilId) &(state: DepthStencilState) [] out() -> ();
        /// Destroys a depth-stencil state object.
        32 destroy fn destroy_depth_stencil(id: DepthStencilId) &() [] out() -> ();
        /// Makes a rasterizer state object.
        33 create fn create_rasterizer(id: RasterizerId) &(state: RasterizerState) [] out() -> ();
        /// Destroys a rasterizer state object.
        34 destroy fn destroy_rasterizer(id: RasterizerId) &() [] out() -> ();
        /// Makes a vertex fetch layout.
        35 create fn create_vertex_elements(id: VertexElementsId) &(state: VertexElements) [] out() -> ();
        /// Destroys a vertex fetch layout.
        36 destroy fn destroy_vertex_elements(id: VertexElementsId) &() [] out() -> ();
        /// Makes a sampler.
        37 create fn create_sampler(id: SamplerId) &(state: SamplerState) [] out() -> ();
        /// Destroys a sampler.
        38 destroy fn destroy_sampler(id: SamplerId) &() [] out() -> ();
        /// Makes a shader from linked SPIR-V. The words of all stages follow each other as `desc` says. The
        /// driver may compile on other threads; it must not wait here.
        39 create fn create_shader(id: ShaderId) &(desc: ShaderDesc) [words: u32, bindings: ShaderBinding] out() -> ();
        /// Destroys a shader.
        40 destroy fn destroy_shader(id: ShaderId) &() [] out() -> ();
        /// Makes a query.
        41 create fn create_query(id: QueryId) &(desc: QueryDesc) [] out() -> ();
        /// Destroys a query, in progress or not.
        42 destroy fn destroy_query(id: QueryId) &() [] out() -> ();
        /// Makes a capture target with its own write position.
        43 create fn create_xfb_target(id: XfbTargetId) &(desc: XfbTargetDesc) [] out() -> ();
        /// Destroys a capture target.
        44 destroy fn destroy_xfb_target(id: XfbTargetId) &() [] out() -> ();
        /// Destroys a fence.
        45 destroy fn destroy_fence(id: FenceId) &() [] out() -> ();
        /// Destroys a window's image queue. The native window stays. After it returns, the driver touches neither the
        /// window nor its connection again: the program may close both at once.
        46 destroy fn destroy_window(id: WindowId) &() [] out() -> ();
        /// Names an object for debuggers.
        47 screen fn set_label(kind: LabelKind, slot: u32, generation: u32) &() [label: u8] out() -> ();
        /// Waits until a buffer's storage exists, and says whether it does. For immutable storage.
        48 sync fn buffer_status(id: BufferId) &() [] out() -> Outcome;
        /// Waits until a texture's storage exists, and says whether it does. For immutable storage.
        49 sync fn texture_status(id: TextureId) &() [] out() -> Outcome;
        /// Waits for a fence for at most `timeout` nanoseconds; 0 polls.
        50 sync fn fence_wait(id: FenceId, timeout: u64) &() [] out() -> WaitStatus;
        /// The window's state without presenting.
        51 sync fn window_state(id: WindowId) &() [] out() -> WindowState;
    }
    context {
        /// Attachments that draws and clears write. Does not read or write anything by itself.
        100 state fn set_framebuffer() &(state: FramebufferState) [] out() -> ();
        /// Binds a blend state object; null is not allowed at a draw.
        101 state fn bind_blend(id: BlendId) &() [] out() -> ();
        /// Binds a depth-stencil state object.
        102 state fn bind_depth_stencil(id: DepthStencilId) &() [] out() -> ();
        /// Binds a rasterizer state object.
        103 state fn bind_rasterizer(id: RasterizerId) &() [] out() -> ();
        /// Binds a vertex fetch layout.
        104 state fn bind_vertex_elements(id: VertexElementsId) &() [] out() -> ();
        /// Binds a shader for draws or for dispatches.
        105 state fn bind_shader(point: BindPoint, id: ShaderId) &() [] out() -> ();
        /// Replaces viewports from `first` on.
        106 state fn set_viewports(first: u32) &() [viewports: Viewport] out() -> ();
        /// Replaces scissors from `first` on. Used while the rasterizer's scissor switch is on.
        107 state fn set_scissors(first: u32) &() [scissors: Rect] out() -> ();
        /// Stencil references of front and back faces.
        108 state fn set_stencil_reference(front: u32, back: u32) &() [] out() -> ();
        /// Constant blend colour.
        109 state fn set_blend_color() &(color: Color) [] out() -> ();
        /// Samples written. All ones unless the program says otherwise.
        110 state fn set_sample_mask(mask: u32) &() [] out() -> ();
        /// Least number of samples shaded separately; 1 turns sample shading off.
        111 state fn set_min_samples(samples: u32) &() [] out() -> ();
        /// Tessellation without a control stage.
        112 state fn set_patch_defaults() &(defaults: PatchDefaults) [] out() -> ();
        /// User clip planes in the space the shader computes them.
        113 state fn set_clip_planes() &() [planes: Color] out() -> ();
        /// Polygon stipple, 32 rows from the bottom.
        114 state fn set_polygon_stipple() &(rows: [u32; 32]) [] out() -> ();
        /// Replaces all vertex buffers. Bindings past the slice are null.
        115 state fn set_vertex_buffers() &() [buffers: VertexBuffer] out() -> ();
        /// Replaces the default block's bytes (std140). Copied before the call returns.
        116 state fn set_default_block(point: BindPoint) &() [bytes: u8] out() -> ();
        /// Replaces the uniform buffers of the program's table; index 0 is uniform block 0.
        117 state fn set_uniform_buffers(point: BindPoint) &() [ranges: BufferRange] out() -> ();
        /// Replaces the storage buffers of the program's table. Bits of `writable` mark the ones the shader may write.
        118 state fn set_storage_buffers(point: BindPoint, writable: u64) &() [ranges: BufferRange] out() -> ();
        /// Replaces the storage images of the program's table.
        119 state fn set_images(point: BindPoint) &() [images: ImageBinding] out() -> ();
        /// Replaces the sampled textures of the program's table from `first` on.
        120 state fn set_samplers(point: BindPoint, first: u32) &() [samplers: SampledBinding] out() -> ();
        /// Replaces the capture targets and starts capturing; an empty slice stops.
        121 state fn set_xfb_targets() &() [targets: XfbBinding] out() -> ();
        /// Replaces the render condition. It holds for draws, clears, and blits that ask for it.
        122 state fn set_render_condition() &(condition: RenderCondition) [] out() -> ();
        /// What follows until `verify_end` re-derives all state for the verb to come. Only to screens with
        /// the VERIFY feature.
        123 state fn verify_begin() &() [] out() -> ();
        /// Ends the re-derivation.
        124 state fn verify_end() &() [] out() -> ();

        /// Draws ranges in order. `user_indices` holds the indices when `info.index_buffer` is null and
        /// `info.index_size` is not zero; range starts then count from its beginning.
        140 verb fn draw() &(info: DrawInfo) [ranges: DrawRange, user_indices: u8] out() -> ();
        /// Draws with arguments read by the device.
        141 verb fn draw_indirect() &(info: DrawInfo, indirect: IndirectInfo) [] out() -> ();
        /// Draws as many vertices as a target captured.
        142 verb fn draw_xfb() &(info: XfbDrawInfo) [] out() -> ();
        /// Runs the compute shader.
        143 verb fn dispatch() &(info: DispatchInfo) [] out() -> ();
        /// Runs the compute shader over as many groups as three u32 in a buffer say.
        144 verb fn dispatch_indirect(buffer: BufferId, offset: u64) &() [] out() -> ();
        /// Clears attachments of the bound framebuffer, all layers.
        145 verb fn clear() &(info: ClearInfo) [] out() -> ();
        /// Clears texels.
        146 verb fn clear_texture() &(info: ClearTexture) [] out() -> ();
        /// Fills a buffer range.
        147 verb fn clear_buffer() &(info: ClearBuffer) [] out() -> ();
        /// Copies with conversion, or resolves.
        148 verb fn blit() &(info: BlitInfo) [] out() -> ();
        /// Copies texels bit for bit.
        149 verb fn copy_image() &(info: CopyImage) [] out() -> ();
        /// Copies bytes.
        150 verb fn copy_buffer() &(info: CopyBuffer) [] out() -> ();
        /// Fills the lower levels. DECLINED when the format cannot be filtered.
        151 verb fn generate_mipmap() &(info: GenerateMipmap) [] out() -> Outcome;
        /// Orders accesses after earlier shader stores.
        152 verb fn memory_barrier(accesses: BarrierFlags) &() [] out() -> ();
        /// Makes rendered texels visible to later texture reads in the same framebuffer.
        153 verb fn texture_barrier() &() [] out() -> ();
        /// Declares attachments undefined.
        154 verb fn invalidate() &(info: InvalidateInfo) [] out() -> ();
        /// Declares a texture level undefined.
        155 verb fn invalidate_texture(texture: TextureId, level: u32) &() [] out() -> ();
        /// A point of interest for debuggers.
        156 verb fn marker() &() [text: u8] out() -> ();
        /// Opens a named group for debuggers.
        157 verb fn push_group() &() [text: u8] out() -> ();
        /// Closes it.
        158 verb fn pop_group() &() [] out() -> ();

        /// Writes bytes, ordered as if in the command stream unless the flags say UNSYNCHRONIZED.
        170 transfer fn buffer_write(buffer: BufferId, offset: u64, flags: MapFlags) &() [bytes: u8] out() -> ();
        /// Reads bytes, after all earlier work that writes them.
        171 transfer fn buffer_read(buffer: BufferId, offset: u64) &() [] out(bytes) -> Outcome;
        /// The buffer's bytes become undefined; the driver may give it fresh storage.
        172 transfer fn buffer_invalidate(buffer: BufferId) &() [] out() -> ();
        /// Writes texels from memory.
        173 transfer fn texture_write() &(transfer: TextureTransfer) [bytes: u8] out() -> ();
        /// Writes texels from a buffer.
        174 transfer fn texture_write_from_buffer(buffer: BufferId, offset: u64) &(transfer: TextureTransfer) [] out() -> Outcome;
        /// Reads texels to memory, after all earlier work that writes them. Bytes between rows are left alone.
        175 transfer fn texture_read() &(transfer: TextureTransfer) [] out(bytes) -> Outcome;
        /// Reads texels to a buffer, in stream order, without waiting.
        176 transfer fn texture_read_to_buffer(buffer: BufferId, offset: u64) &(transfer: TextureTransfer) [] out() -> Outcome;

        /// Begins counting. Earlier results are dropped.
        190 query fn begin_query(id: QueryId) &() [] out() -> ();
        /// Ends counting, or takes the timestamp.
        191 query fn end_query(id: QueryId) &() [] out() -> ();
        /// The result; waits for it when `wait` is 1.
        192 query fn query_result(id: QueryId, wait: u32) &() [] out() -> QueryResult;
        /// Writes the result to a buffer, in stream order.
        193 query fn query_result_to_buffer() &(info: QueryToBuffer) [] out() -> Outcome;

        /// Hands recorded work to the device and mints a fence for its completion, unless `fence` is null.
        210 sync fn flush(fence: FenceId, flags: FlushFlags) &() [] out() -> ();
        /// Later work of this context starts after the fence. The caller does not wait.
        211 sync fn fence_server_wait(fence: FenceId) &() [] out() -> ();
        /// Flushes and shows the window's back image. `source` is a multisampled texture to resolve into it, or null.
        /// Damage rectangles are in GL window coordinates; none means everything. Interval 0 does not wait for
        /// the display.
        212 sync fn present(window: WindowId, source: TextureId, interval: i32) &() [damage: Rect] out() -> WindowState;
    }
    } };
}
