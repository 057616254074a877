//! What the tests share: a screen under validation, handles, and shaders written in WGSL.
#![allow(dead_code)]

use std::sync::Arc;

use gallite_pipe::*;
use gallite_vulkan::{Faults, VulkanOptions};

/// A test that cannot run for lack of `what` is skipped, with a line that says so, unless `GALLITE_TEST_REQUIRE` lists it.
pub fn skip(what: &str, why: &str) {
    let required = std::env::var("GALLITE_TEST_REQUIRE").unwrap_or_default();
    assert!(!required.split(',').any(|name| name == what), "{what} is required: {why}");
    eprintln!("skipped: {why}");
}

/// A screen on the software device under validation. None where there is no device; one that opens and does not when
/// asked for less is a failure.
pub fn screen_without(without: &[&str]) -> Option<Arc<dyn Screen>> {
    let without = without.iter().map(|s| (*s).to_owned()).collect();
    screen_with(VulkanOptions { without, ..VulkanOptions::default() })
}

fn screen_with(options: VulkanOptions) -> Option<Arc<dyn Screen>> {
    let device = std::env::var("GALLITE_DEVICE").ok().filter(|name| !name.is_empty());
    let options = VulkanOptions { device, validation: true, synchronization: true, ..options };
    match gallite_vulkan::create_screen(&options) {
        Ok(screen) => Some(screen),
        Err(error) => {
            let plain = VulkanOptions { device: options.device.clone(), ..VulkanOptions::default() };
            assert!(gallite_vulkan::create_screen(&plain).is_err(), "only this screen does not open: {error}");
            skip("vulkan", &error.to_string());
            None
        }
    }
}

pub fn spirv(source: &str, entry: &str, stage: naga::ShaderStage) -> Vec<u32> {
    let module = naga::front::wgsl::parse_str(source).expect("test shader parses");
    let info = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::all())
        .validate(&module)
        .expect("test shader is valid");
    let options = naga::back::spv::Options { flags: naga::back::spv::WriterFlags::empty(), ..Default::default() };
    let pipeline = naga::back::spv::PipelineOptions { shader_stage: stage, entry_point: entry.to_owned() };
    naga::back::spv::write_vec(&module, &info, &options, Some(&pipeline)).expect("test shader is written")
}

/// Handles, a context, and the state objects most tests want.
pub struct Rig {
    pub screen: Arc<dyn Screen>,
    pub context: Box<dyn Context>,
    next: u32,
}

macro_rules! minter {
    ($name:ident, $ty:ty) => {
        pub fn $name(&mut self) -> $ty {
            self.next += 1;
            <$ty>::from_parts(self.next, 1)
        }
    };
}

impl Rig {
    pub fn new() -> Option<Self> {
        Self::without(&[])
    }

    pub fn without(without: &[&str]) -> Option<Self> {
        Self::on(screen_without(without)?)
    }

    /// With pipelines kept in a folder.
    pub fn cached(folder: Option<std::path::PathBuf>) -> Option<Self> {
        Self::on(screen_with(VulkanOptions { cache_dir: folder, ..VulkanOptions::default() })?)
    }

    /// On a device that fails.
    pub fn faulty(faults: Faults) -> Option<Self> {
        Self::on(screen_with(VulkanOptions { faults, ..VulkanOptions::default() })?)
    }

    fn on(screen: Arc<dyn Screen>) -> Option<Self> {
        let context = screen.create_context(ContextFlags::DEBUG).expect("a context");
        let mut rig = Self { screen, context, next: 0 };
        rig.default_state();
        Some(rig)
    }

    minter!(buffer_id, BufferId);
    minter!(texture_id, TextureId);
    minter!(view_id, SamplerViewId);
    minter!(sampler_id, SamplerId);
    minter!(shader_id, ShaderId);
    minter!(query_id, QueryId);
    minter!(fence_id, FenceId);
    minter!(xfb_id, XfbTargetId);
    minter!(blend_id, BlendId);
    minter!(depth_id, DepthStencilId);
    minter!(raster_id, RasterizerId);
    minter!(elements_id, VertexElementsId);

    fn default_state(&mut self) {
        self.blend(BlendAttachment { write_mask: 15, ..Default::default() });
        self.depth_stencil(DepthStencilState::default());
        self.raster(RasterizerState {
            flags: RasterFlags::FRONT_CCW,
            line_width: F32::new(1.0),
            point_size: F32::new(1.0),
            ..Default::default()
        });
    }

    pub fn blend(&mut self, attachment: BlendAttachment) {
        let id = self.blend_id();
        let state = BlendState { attachments: [attachment; 8], logic_op: LogicOp::COPY, ..Default::default() };
        self.screen.create_blend(id, &state);
        self.context.bind_blend(id);
    }

    pub fn depth_stencil(&mut self, state: DepthStencilState) {
        let id = self.depth_id();
        self.screen.create_depth_stencil(id, &state);
        self.context.bind_depth_stencil(id);
    }

    pub fn raster(&mut self, state: RasterizerState) {
        let id = self.raster_id();
        self.screen.create_rasterizer(id, &state);
        self.context.bind_rasterizer(id);
    }

    /// A 2D texture of one layer, level and sample.
    pub fn plain(format: Format, width: u32, height: u32, bind: Bind) -> TextureDesc {
        TextureDesc {
            format,
            dim: TextureDim::D2,
            width,
            height,
            depth: 1,
            layers: 1,
            levels: 1,
            samples: 1,
            bind,
            ..Default::default()
        }
    }

    /// A 2D texture.
    pub fn texture(&mut self, format: Format, width: u32, height: u32) -> TextureId {
        self.texture_with(Self::plain(format, width, height, Bind::SAMPLED | Bind::COLOR))
    }

    pub fn texture_with(&mut self, desc: TextureDesc) -> TextureId {
        let id = self.texture_id();
        self.screen.create_texture(id, &desc);
        assert_eq!(self.screen.texture_status(id), Outcome::DONE);
        id
    }

    pub fn surface(&self, texture: TextureId, format: Format) -> SurfaceView {
        SurfaceView { texture, format, layer_count: 1, ..Default::default() }
    }

    /// Binds a framebuffer of one colour attachment, with a viewport that covers it.
    pub fn target(&mut self, texture: TextureId, format: Format, width: u32, height: u32) {
        let mut state = FramebufferState { width, height, layers: 1, samples: 1, color_count: 1, ..Default::default() };
        state.color[0] = self.surface(texture, format);
        self.framebuffer(state);
    }

    pub fn framebuffer(&mut self, state: FramebufferState) {
        self.context.set_framebuffer(&state);
        let f = F32::new;
        let viewport = Viewport {
            width: f(state.width as f32),
            height: f(state.height as f32),
            far: f(1.0),
            ..Default::default()
        };
        self.context.set_viewports(0, &[viewport]);
    }

    /// Binds a program of a vertex and a fragment stage, given in one WGSL text as `vs` and `fs`.
    pub fn program(&mut self, source: &str, desc: ShaderDesc, bindings: &[ShaderBinding]) -> ShaderId {
        // Entry points of the interface are all named main.
        let vertex = spirv(&source.replace("fn vs(", "fn main("), "main", naga::ShaderStage::Vertex);
        let fragment = spirv(&source.replace("fn fs(", "fn main("), "main", naga::ShaderStage::Fragment);
        let mut desc = desc;
        desc.stages[0] = StageCode { offset: 0, count: vertex.len() as u32 };
        desc.stages[4] = StageCode { offset: vertex.len() as u32, count: fragment.len() as u32 };
        let words = [vertex, fragment].concat();
        let id = self.shader_id();
        self.screen.create_shader(id, &desc, &words, bindings);
        self.context.bind_shader(BindPoint::GRAPHICS, id);
        id
    }

    pub fn buffer(&mut self, bytes: &[u8]) -> BufferId {
        let id = self.buffer_id();
        self.screen.create_buffer(id, &BufferDesc { size: bytes.len() as u64, ..Default::default() });
        self.context.buffer_write(id, 0, MapFlags::EMPTY, bytes);
        id
    }

    /// Vertices of two floats at location 0.
    pub fn vertices(&mut self, positions: &[[f32; 2]]) {
        let buffer = self.buffer(bytemuck::cast_slice(positions));
        let mut elements = VertexElements { element_count: 1, binding_count: 1, ..Default::default() };
        elements.elements[0].format = Format::R32G32_FLOAT;
        elements.bindings[0].stride = 8;
        let id = self.elements_id();
        self.screen.create_vertex_elements(id, &elements);
        self.context.bind_vertex_elements(id);
        self.context.set_vertex_buffers(&[VertexBuffer { buffer, offset: 0 }]);
    }

    pub fn draw(&mut self, mode: PrimitiveMode, count: u32) {
        let info = DrawInfo { mode, instance_count: 1, max_index: u32::MAX, ..Default::default() };
        self.context.draw(&info, &[DrawRange { start: 0, count, base_vertex: 0 }], &[]);
    }

    pub fn clear(&mut self, color: [f32; 4]) {
        let mut info = ClearInfo { color_attachments: 1, color_write_masks: 15, ..Default::default() };
        info.set_color_f32(color);
        self.context.clear(&info);
    }

    pub fn whole(texture: TextureId, width: u32, height: u32, texel: u32) -> TextureTransfer {
        TextureTransfer {
            texture,
            region: TextureBox { width, height, depth: 1, ..Default::default() },
            row_stride: width * texel,
            layer_stride: u64::from(width * height * texel),
            ..Default::default()
        }
    }

    /// All bytes of a texture's first level, bottom row first.
    pub fn read(&mut self, texture: TextureId, width: u32, height: u32, texel: u32) -> Vec<u8> {
        let mut bytes = vec![0xcd; (width * height * texel) as usize];
        let outcome = self.context.texture_read(&Self::whole(texture, width, height, texel), &mut bytes);
        assert_eq!(outcome, Outcome::DONE);
        bytes
    }

    /// The texel of an RGBA8 picture.
    pub fn pixel(bytes: &[u8], width: u32, x: u32, y: u32) -> [u8; 4] {
        let at = ((y * width + x) * 4) as usize;
        [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]
    }

    /// No validation message may have come.
    pub fn finish(self) {
        let Self { screen, context, .. } = self;
        drop(context);
        assert_eq!(screen.counters().validation_messages, 0, "validation messages were printed");
    }
}

/// Position from location 0, colour from the default block.
pub const FLAT: &str = "
struct Block { color: vec4<f32> }
@group(0) @binding(0) var<uniform> block: Block;
@vertex fn vs(@location(0) p: vec2<f32>) -> @builtin(position) vec4<f32> { return vec4(p, 0.0, 1.0); }
@fragment fn fs() -> @location(0) vec4<f32> { return block.color; }
";

/// Facts of [`FLAT`].
pub fn flat_desc() -> ShaderDesc {
    ShaderDesc {
        vertex_inputs: 1,
        fragment_outputs: 1,
        default_block_size: 16,
        output_primitive: PrimitiveClass::NONE,
        ..Default::default()
    }
}

/// A program in GLSL, through the shader crate as the tracker would.
pub struct Glsl<'a> {
    pub vertex: &'a str,
    pub geometry: Option<&'a str>,
    pub fragment: &'a str,
    pub captured: &'a [&'a str],
}

impl Rig {
    pub fn glsl(&mut self, program: &Glsl<'_>) -> ShaderId {
        use gallite_shader::{CompileOptions, LinkInput, Stage};
        let options = CompileOptions::default();
        let mut shaders = Vec::new();
        let stages = [
            (Stage::Vertex, Some(program.vertex)),
            (Stage::Geometry, program.geometry),
            (Stage::Fragment, Some(program.fragment)),
        ];
        for (stage, source) in stages {
            let Some(source) = source else { continue };
            let compiled = gallite_shader::compile(stage, source, &options);
            assert!(compiled.ok, "{}", compiled.log);
            shaders.push(compiled);
        }
        let captured: Vec<String> = program.captured.iter().map(|s| (*s).to_owned()).collect();
        let linked =
            gallite_shader::link(&LinkInput { shaders: &shaders, xfb_varyings: &captured, ..Default::default() });
        assert!(linked.ok, "{}", linked.log);
        let linked = linked.program.expect("a linked program");
        let (desc, words) = linked.shader_desc();
        let id = self.shader_id();
        self.screen.create_shader(id, &desc, &words, &linked.bindings);
        self.context.bind_shader(BindPoint::GRAPHICS, id);
        id
    }

    /// Binds a texture at a dense index with a nearest or linear sampler.
    pub fn sample(&mut self, index: u32, desc: SamplerViewDesc, state: SamplerState) {
        let (view, sampler) = (self.view_id(), self.sampler_id());
        self.screen.create_sampler_view(view, &desc);
        self.screen.create_sampler(sampler, &state);
        self.context.set_samplers(BindPoint::GRAPHICS, index, &[SampledBinding { view, sampler }]);
    }

    pub fn view(texture: TextureId, format: Format) -> SamplerViewDesc {
        SamplerViewDesc {
            texture,
            format,
            dim: TextureDim::D2,
            swizzle: Swizzle::IDENTITY,
            level_count: 1,
            layer_count: 1,
            ..Default::default()
        }
    }

    /// Two triangles over everything, positions at location 0.
    pub fn full_quad(&mut self) {
        self.vertices(&[[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]);
        self.draw(PrimitiveMode::TRIANGLE_STRIP, 4);
    }
}
