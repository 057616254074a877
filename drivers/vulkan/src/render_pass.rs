//! Render passes: one description of a pass, begun by dynamic rendering where the device has it (Vulkan 1.3 or
//! VK_KHR_dynamic_rendering), and by render pass and framebuffer objects of Vulkan 1.0 where not.

use ash::vk;
use gallite_pipe::MAX_COLOR_ATTACHMENTS;
use hashbrown::HashMap;
use parking_lot::Mutex;
use smallvec::SmallVec;

use crate::conv;
use crate::ffi::Cmd;
use crate::gpu::{Garbage, Gpu, Stamp, Uses};
use crate::state_object::TargetLayout;

/// An attachment of a pass that begins.
#[derive(Clone, Copy)]
pub(crate) struct PassAttachment {
    pub view: vk::ImageView,
    /// Identity of the image behind the view: view handles are used again.
    pub image: u64,
    pub load: vk::AttachmentLoadOp,
    pub clear: vk::ClearValue,
}

/// A pass that begins. Formats and samples are those of `layout`; depth and stencil are one image's.
pub(crate) struct PassDesc<'a> {
    pub layout: &'a TargetLayout,
    pub area: vk::Rect2D,
    /// Size of the framebuffer, which the area lies in.
    pub width: u32,
    pub height: u32,
    pub layers: u32,
    pub color: SmallVec<[Option<PassAttachment>; MAX_COLOR_ATTACHMENTS]>,
    pub depth: Option<PassAttachment>,
    pub stencil: Option<PassAttachment>,
}

/// What a render pass object depends on. The load operations do not count for compatibility (Vulkan 1.3, 8.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct PassKey {
    color: [vk::Format; MAX_COLOR_ATTACHMENTS],
    color_loads: [i32; MAX_COLOR_ATTACHMENTS],
    color_count: u32,
    depth: vk::Format,
    stencil: vk::Format,
    depth_load: i32,
    stencil_load: i32,
    samples: u32,
}

/// The render pass objects of a device that needs them.
#[derive(Default)]
pub(crate) struct RenderPasses {
    known: Mutex<HashMap<PassKey, vk::RenderPass>>,
}

const LOAD: i32 = vk::AttachmentLoadOp::LOAD.as_raw();

impl PassKey {
    fn new(layout: &TargetLayout) -> Self {
        Self {
            color: layout.color,
            color_loads: [LOAD; MAX_COLOR_ATTACHMENTS],
            color_count: layout.color_count,
            depth: layout.depth,
            stencil: layout.stencil,
            depth_load: LOAD,
            stencil_load: LOAD,
            samples: layout.samples.max(1),
        }
    }
}

impl RenderPasses {
    /// A render pass that pipelines for a framebuffer are made for.
    pub fn compatible(&self, gpu: &Gpu, layout: &TargetLayout) -> Option<vk::RenderPass> {
        self.get(gpu, PassKey::new(layout))
    }

    fn get(&self, gpu: &Gpu, key: PassKey) -> Option<vk::RenderPass> {
        let mut known = self.known.lock();
        if let Some(&pass) = known.get(&key) {
            return Some(pass);
        }
        let pass = create(gpu, &key)?;
        known.insert(key, pass);
        Some(pass)
    }

    /// Destroys all; the device is idle.
    pub fn close(&self, gpu: &Gpu) {
        for (_, pass) in self.known.lock().drain() {
            gpu.device.destroy_render_pass(pass);
        }
    }
}

fn create(gpu: &Gpu, key: &PassKey) -> Option<vk::RenderPass> {
    let general = vk::ImageLayout::GENERAL;
    let base = vk::AttachmentDescription::default()
        .samples(conv::samples(key.samples))
        .store_op(vk::AttachmentStoreOp::STORE)
        .stencil_load_op(vk::AttachmentLoadOp::DONT_CARE)
        .stencil_store_op(vk::AttachmentStoreOp::DONT_CARE)
        .initial_layout(general)
        .final_layout(general);
    let mut attachments: SmallVec<[vk::AttachmentDescription; 9]> = SmallVec::new();
    let unused = vk::AttachmentReference { attachment: vk::ATTACHMENT_UNUSED, layout: general };
    let mut colors: SmallVec<[vk::AttachmentReference; MAX_COLOR_ATTACHMENTS]> = SmallVec::new();
    for i in 0..key.color_count as usize {
        if key.color[i] == vk::Format::UNDEFINED {
            colors.push(unused);
            continue;
        }
        colors.push(vk::AttachmentReference { attachment: attachments.len() as u32, layout: general });
        attachments.push(base.format(key.color[i]).load_op(vk::AttachmentLoadOp::from_raw(key.color_loads[i])));
    }
    let native = if key.depth != vk::Format::UNDEFINED { key.depth } else { key.stencil };
    let depth_stencil = vk::AttachmentReference { attachment: attachments.len() as u32, layout: general };
    let mut subpass = vk::SubpassDescription::default()
        .pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)
        .color_attachments(&colors);
    if native != vk::Format::UNDEFINED {
        // The half of the image that is not attached keeps what it has.
        attachments.push(
            base.format(native)
                .load_op(vk::AttachmentLoadOp::from_raw(key.depth_load))
                .stencil_load_op(vk::AttachmentLoadOp::from_raw(key.stencil_load))
                .stencil_store_op(vk::AttachmentStoreOp::STORE),
        );
        subpass = subpass.depth_stencil_attachment(&depth_stencil);
    }
    let subpasses = [subpass];
    let info = vk::RenderPassCreateInfo::default().attachments(&attachments).subpasses(&subpasses);
    match gpu.device.create_render_pass(&info) {
        Ok(pass) => Some(pass),
        Err(e) => {
            gpu.note_failure(e, "vkCreateRenderPass");
            None
        }
    }
}

/// What a framebuffer object depends on, by identity.
#[derive(Clone, PartialEq, Eq, Hash)]
struct FramebufferKey {
    pass: vk::RenderPass,
    attachments: SmallVec<[(u64, vk::ImageView); 9]>,
    size: [u32; 3],
}

/// Framebuffer objects kept; past that all are given up, so that those of dead images do not stay.
const FRAMEBUFFERS: usize = 128;

/// The framebuffer objects of one context, where the device needs them.
#[derive(Default)]
pub(crate) struct Framebuffers {
    known: HashMap<FramebufferKey, vk::Framebuffer>,
}

impl Framebuffers {
    fn get(&mut self, gpu: &Gpu, key: FramebufferKey, stamp: Stamp) -> Option<vk::Framebuffer> {
        if let Some(&framebuffer) = self.known.get(&key) {
            return Some(framebuffer);
        }
        if self.known.len() >= FRAMEBUFFERS {
            self.clear(gpu, stamp);
        }
        let views: SmallVec<[vk::ImageView; 9]> = key.attachments.iter().map(|a| a.1).collect();
        let info = vk::FramebufferCreateInfo::default()
            .render_pass(key.pass)
            .attachments(&views)
            .width(key.size[0])
            .height(key.size[1])
            .layers(key.size[2]);
        match gpu.device.create_framebuffer(&info) {
            Ok(framebuffer) => {
                self.known.insert(key, framebuffer);
                Some(framebuffer)
            }
            Err(e) => {
                gpu.note_failure(e, "vkCreateFramebuffer");
                None
            }
        }
    }

    /// Gives up all of them; `stamp` is the last batch that may use one.
    pub fn clear(&mut self, gpu: &Gpu, stamp: Stamp) {
        for (_, framebuffer) in self.known.drain() {
            let uses = Uses::default();
            uses.mark(stamp, gpu);
            gpu.retire(&uses, Garbage::Framebuffer(framebuffer));
        }
    }
}

/// Begins a pass; false when the device refuses.
pub(crate) fn begin(
    gpu: &Gpu,
    framebuffers: &mut Framebuffers,
    stamp: Stamp,
    cmd: Cmd<'_>,
    desc: &PassDesc<'_>,
) -> bool {
    if gpu.features().dynamic_rendering {
        begin_rendering(cmd, desc);
        return true;
    }
    let mut key = PassKey::new(desc.layout);
    let mut attachments = SmallVec::new();
    let mut clears: SmallVec<[vk::ClearValue; 9]> = SmallVec::new();
    for (i, attachment) in desc.color.iter().enumerate() {
        if let Some(a) = attachment {
            key.color_loads[i] = a.load.as_raw();
            attachments.push((a.image, a.view));
            clears.push(a.clear);
        }
    }
    if let Some(a) = desc.depth.or(desc.stencil) {
        let load = |a: &Option<PassAttachment>| a.map_or(LOAD, |a| a.load.as_raw());
        (key.depth_load, key.stencil_load) = (load(&desc.depth), load(&desc.stencil));
        attachments.push((a.image, a.view));
        clears.push(a.clear);
    }
    let Some(pass) = gpu.render_passes.get(gpu, key) else { return false };
    let key = FramebufferKey { pass, attachments, size: [desc.width, desc.height, desc.layers] };
    let Some(framebuffer) = framebuffers.get(gpu, key, stamp) else { return false };
    let info = vk::RenderPassBeginInfo::default()
        .render_pass(pass)
        .framebuffer(framebuffer)
        .render_area(desc.area)
        .clear_values(&clears);
    cmd.begin_render_pass(&info, vk::SubpassContents::INLINE);
    true
}

/// Ends a pass begun by [`begin`].
pub(crate) fn end(gpu: &Gpu, cmd: Cmd<'_>) {
    if gpu.features().dynamic_rendering {
        cmd.cmd_end_rendering();
    } else {
        cmd.end_render_pass();
    }
}

fn begin_rendering(cmd: Cmd<'_>, desc: &PassDesc<'_>) {
    let info = |a: &Option<PassAttachment>| {
        let info = vk::RenderingAttachmentInfo::default().image_layout(vk::ImageLayout::GENERAL);
        match a {
            Some(a) => {
                info.image_view(a.view).load_op(a.load).store_op(vk::AttachmentStoreOp::STORE).clear_value(a.clear)
            }
            None => info,
        }
    };
    let color: SmallVec<[_; MAX_COLOR_ATTACHMENTS]> = desc.color.iter().map(info).collect();
    let (depth, stencil) = (info(&desc.depth), info(&desc.stencil));
    let mut rendering =
        vk::RenderingInfo::default().render_area(desc.area).layer_count(desc.layers).color_attachments(&color);
    if desc.depth.is_some() {
        rendering = rendering.depth_attachment(&depth);
    }
    if desc.stencil.is_some() {
        rendering = rendering.stencil_attachment(&stencil);
    }
    cmd.cmd_begin_rendering(&rendering);
}
