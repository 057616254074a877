//! All state a context can be pushed, and where two of them differ.

use gallite_pipe::*;

/// What was pushed; `None` and absent elements were never pushed.
#[derive(Clone, Default)]
pub struct State {
    pub framebuffer: Option<FramebufferState>,
    pub blend: Option<BlendId>,
    pub depth_stencil: Option<DepthStencilId>,
    pub rasterizer: Option<RasterizerId>,
    pub vertex_elements: Option<VertexElementsId>,
    pub viewports: [Option<Viewport>; MAX_VIEWPORTS],
    pub scissors: [Option<Rect>; MAX_VIEWPORTS],
    pub stencil_reference: Option<[u32; 2]>,
    pub blend_color: Option<Color>,
    pub sample_mask: Option<u32>,
    pub min_samples: Option<u32>,
    pub patch_defaults: Option<PatchDefaults>,
    pub clip_planes: Option<Vec<Color>>,
    pub polygon_stipple: Option<[u32; 32]>,
    pub vertex_buffers: Option<Vec<VertexBuffer>>,
    pub xfb_targets: Option<Vec<XfbBinding>>,
    pub render_condition: Option<RenderCondition>,
    /// By bind point.
    pub programs: [ProgramState; 2],
}

/// State that graphics and compute each have.
#[derive(Clone, Default)]
pub struct ProgramState {
    pub shader: Option<ShaderId>,
    pub default_block: Option<Vec<u8>>,
    pub uniform_buffers: Option<Vec<BufferRange>>,
    pub storage_buffers: Option<(u64, Vec<BufferRange>)>,
    pub images: Option<Vec<ImageBinding>>,
    pub samplers: Vec<Option<SampledBinding>>,
}

/// Keeps elements from `first` on.
pub fn replace_window<T: Copy>(into: &mut [Option<T>], first: u32, elements: &[T]) {
    for (slot, element) in into.iter_mut().skip(first as usize).zip(elements) {
        *slot = Some(*element);
    }
}

impl ProgramState {
    pub fn replace_samplers(&mut self, first: u32, samplers: &[SampledBinding]) {
        let end = (first as usize + samplers.len()).min(MAX_PROGRAM_SAMPLERS);
        if self.samplers.len() < end {
            self.samplers.resize(end, None);
        }
        replace_window(&mut self.samplers, first, samplers);
    }
}

/// The name of a payload's first field that differs.
trait Difference: Copy + PartialEq {
    fn field(&self, other: &Self) -> Option<&'static str>;
}

macro_rules! payloads {
    ($($type:ty),*) => { $(impl Difference for $type {
        fn field(&self, other: &Self) -> Option<&'static str> {
            self.first_difference(other)
        }
    })* };
}
payloads!(
    FramebufferState,
    Viewport,
    Rect,
    PatchDefaults,
    VertexBuffer,
    RenderCondition,
    BufferRange,
    ImageBinding,
    SampledBinding
);

/// Collects the first difference.
#[derive(Default)]
struct Finder(Option<String>);

impl Finder {
    fn found(&mut self, what: impl FnOnce() -> String) {
        if self.0.is_none() {
            self.0 = Some(what());
        }
    }

    /// A value that is compared as a whole.
    fn value<T: PartialEq + std::fmt::Debug>(&mut self, name: &str, pushed: &Option<T>, derived: &Option<T>) {
        match (pushed, derived) {
            (_, None) => {}
            (Some(pushed), Some(derived)) if pushed == derived => {}
            (Some(pushed), Some(derived)) => self.found(|| format!("{name}: pushed {pushed:?}, should be {derived:?}")),
            (None, Some(derived)) => self.found(|| format!("{name}: never pushed, should be {derived:?}")),
        }
    }

    /// A payload, whose field is named.
    fn payload<T: Difference + std::fmt::Debug>(&mut self, name: &str, pushed: &Option<T>, derived: &Option<T>) {
        match (pushed, derived) {
            (Some(pushed), Some(derived)) => {
                if let Some(field) = pushed.field(derived) {
                    self.found(|| format!("{name}: {field} differs: pushed {pushed:?}, should be {derived:?}"));
                }
            }
            _ => self.value(name, pushed, derived),
        }
    }

    fn window<T: Difference + std::fmt::Debug>(&mut self, name: &str, pushed: &[Option<T>], derived: &[Option<T>]) {
        for (index, derived) in derived.iter().enumerate() {
            let pushed = pushed.get(index).copied().flatten();
            if derived.is_some() && pushed != *derived {
                self.payload(&format!("{name}[{index}]"), &pushed, derived);
            }
        }
    }

    /// A whole set. Elements past a set's end are null, so sets of unlike length may be equal.
    fn set<T>(&mut self, name: &str, pushed: &Option<Vec<T>>, derived: &Option<Vec<T>>)
    where
        T: Difference + std::fmt::Debug + bytemuck::Zeroable,
    {
        let Some(derived) = derived else { return };
        let Some(pushed) = pushed else {
            return self.found(|| format!("{name}: never pushed, should be {derived:?}"));
        };
        for index in 0..pushed.len().max(derived.len()) {
            let at = |set: &[T]| Some(set.get(index).copied().unwrap_or_else(T::zeroed));
            self.payload(&format!("{name}[{index}]"), &at(pushed), &at(derived));
        }
    }
}

impl State {
    /// The first part of `derived` that `self`, what was pushed, does not agree with. Parts that `derived` lacks are not
    /// compared.
    pub fn first_difference(&self, derived: &Self) -> Option<String> {
        let mut find = Finder::default();
        find.payload("set_framebuffer", &self.framebuffer, &derived.framebuffer);
        find.value("bind_blend", &self.blend, &derived.blend);
        find.value("bind_depth_stencil", &self.depth_stencil, &derived.depth_stencil);
        find.value("bind_rasterizer", &self.rasterizer, &derived.rasterizer);
        find.value("bind_vertex_elements", &self.vertex_elements, &derived.vertex_elements);
        find.window("set_viewports", &self.viewports, &derived.viewports);
        find.window("set_scissors", &self.scissors, &derived.scissors);
        find.value("set_stencil_reference", &self.stencil_reference, &derived.stencil_reference);
        find.value("set_blend_color", &self.blend_color, &derived.blend_color);
        find.value("set_sample_mask", &self.sample_mask, &derived.sample_mask);
        find.value("set_min_samples", &self.min_samples, &derived.min_samples);
        find.payload("set_patch_defaults", &self.patch_defaults, &derived.patch_defaults);
        find.value("set_clip_planes", &self.clip_planes, &derived.clip_planes);
        find.value("set_polygon_stipple", &self.polygon_stipple, &derived.polygon_stipple);
        find.set("set_vertex_buffers", &self.vertex_buffers, &derived.vertex_buffers);
        // Whether a capture appends depends on when the targets were set, not on what they are.
        let targets = |set: &Option<Vec<XfbBinding>>| -> Option<Vec<XfbTargetId>> {
            set.as_ref().map(|set| set.iter().map(|binding| binding.target).collect())
        };
        find.value("set_xfb_targets", &targets(&self.xfb_targets), &targets(&derived.xfb_targets));
        find.payload("set_render_condition", &self.render_condition, &derived.render_condition);
        for (point, (pushed, derived)) in self.programs.iter().zip(&derived.programs).enumerate() {
            let point = BindPoint(point as u32);
            find.value(&format!("bind_shader({point:?})"), &pushed.shader, &derived.shader);
            find.bytes(&format!("set_default_block({point:?})"), &pushed.default_block, &derived.default_block);
            let name = format!("set_uniform_buffers({point:?})");
            find.set(&name, &pushed.uniform_buffers, &derived.uniform_buffers);
            let name = format!("set_storage_buffers({point:?})");
            let writable = |set: &Option<(u64, Vec<BufferRange>)>| set.as_ref().map(|set| set.0);
            let ranges = |set: &Option<(u64, Vec<BufferRange>)>| set.as_ref().map(|set| set.1.clone());
            find.value(
                &format!("{name}.writable"),
                &writable(&pushed.storage_buffers),
                &writable(&derived.storage_buffers),
            );
            find.set(&name, &ranges(&pushed.storage_buffers), &ranges(&derived.storage_buffers));
            find.set(&format!("set_images({point:?})"), &pushed.images, &derived.images);
            find.window(&format!("set_samplers({point:?})"), &pushed.samplers, &derived.samplers);
        }
        find.0
    }
}

impl Finder {
    /// Bytes, whose first offset that differs is named.
    fn bytes(&mut self, name: &str, pushed: &Option<Vec<u8>>, derived: &Option<Vec<u8>>) {
        let Some(derived) = derived else { return };
        let Some(pushed) = pushed else { return self.found(|| format!("{name}: never pushed")) };
        if pushed == derived {
            return;
        }
        let first = pushed.iter().zip(derived).position(|(a, b)| a != b);
        match first {
            Some(offset) => self.found(|| format!("{name}: byte {offset} differs")),
            None => self.found(|| format!("{name}: pushed {} bytes, should be {}", pushed.len(), derived.len())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_and_partial_states_do_not_differ() {
        let pushed = State { sample_mask: Some(1), min_samples: Some(1), ..State::default() };
        assert_eq!(pushed.first_difference(&pushed), None);
        assert_eq!(pushed.first_difference(&State { sample_mask: Some(1), ..State::default() }), None);
        let shorter = State { vertex_buffers: Some(vec![VertexBuffer::default(); 2]), ..State::default() };
        assert_eq!(shorter.first_difference(&State { vertex_buffers: Some(vec![]), ..State::default() }), None);
    }

    #[test]
    fn the_first_difference_is_named() {
        let name = |pushed: State, derived: State| pushed.first_difference(&derived).unwrap();
        let buffer = |offset| State {
            vertex_buffers: Some(vec![VertexBuffer { offset, ..Default::default() }]),
            ..State::default()
        };
        assert!(name(buffer(1), buffer(2)).starts_with("set_vertex_buffers[0]: VertexBuffer.offset differs"));
        let mut derived = State::default();
        replace_window(&mut derived.viewports, 3, &[Viewport::default()]);
        assert!(name(State::default(), derived).starts_with("set_viewports[3]: never pushed"));
        let block = |bytes: &[u8]| {
            let mut state = State::default();
            state.programs[0].default_block = Some(bytes.to_vec());
            state
        };
        assert_eq!(name(block(&[1, 2, 3]), block(&[1, 2, 4])), "set_default_block(GRAPHICS): byte 2 differs");
        let mut samplers = State::default();
        samplers.programs[1].replace_samplers(1, &[SampledBinding::default()]);
        assert!(name(State::default(), samplers).starts_with("set_samplers(COMPUTE)[1]: never pushed"));
    }
}
