//! Pipelines made before the first draw that needs them: when a program is linked, a thread makes the pipeline that its
//! first draw will likely ask for, so that the draw does not stop for it.
//!
//! What a pipeline depends on besides its program is guessed: the framebuffer is one like the last that was drawn to,
//! everything else is GL's initial state. Where most state is dynamic that guess is usually right; where it is not,
//! too much would have to be guessed and nothing is made ahead. Programs that are linked before anything was drawn to wait for
//! the first framebuffer with colours.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use ash::vk;
use gallite_pipe::*;
use parking_lot::Mutex;

use crate::gpu::Gpu;
use crate::pipeline::{self, KeyInputs, PipelineContents};
use crate::pipeline_cache::PipelineCache;
use crate::shader::Shader;
use crate::state_object::{TargetLayout, VertexInput};
use crate::variant::TexelSwizzles;

/// How long nothing was linked before the pipelines go to disk: many programs end without a word.
const SETTLED: Duration = Duration::from_secs(3);

/// Most programs that wait for a framebuffer; those after them are left to their first draw.
const MOST_WAITING: usize = 1024;

/// A framebuffer like the one that a program will likely draw to.
#[derive(Clone, Copy)]
pub(crate) struct LikelyTarget {
    pub layout: TargetLayout,
    pub layout_id: u32,
    pub flipped: bool,
    /// Colour attachments of signed and of unsigned integers, a bit each.
    pub integers: [u32; 2],
}

impl LikelyTarget {
    /// Whether a program may draw there: it writes the kinds of numbers that the attachments have. One that doesn't will
    /// draw to another framebuffer.
    fn takes(&self, desc: &ShaderDesc) -> bool {
        let written = desc.fragment_outputs & self.layout.colors();
        let [sint, uint] = self.integers;
        ((desc.fragment_outputs_sint ^ sint) | (desc.fragment_outputs_uint ^ uint)) & written == 0
    }
}

enum Job {
    /// A program to make the pipeline for that its first draw will likely ask for.
    Guess(Weak<Shader>, Box<LikelyTarget>),
    /// A pipeline that was made elsewhere, and is to be kept.
    Keep,
}

#[derive(Default)]
struct Worker {
    sender: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

/// What programs are likely drawn to.
#[derive(Default)]
struct Likely {
    target: Option<LikelyTarget>,
    /// Programs that were linked before there was one.
    waiting: Vec<Weak<Shader>>,
}

/// The thread that makes pipelines ahead, started by the first program.
#[derive(Default)]
pub(crate) struct Precompiler {
    likely: Mutex<Likely>,
    worker: Mutex<Worker>,
}

/// Whether a pipeline depends on little enough to be guessed.
fn can_guess(gpu: &Gpu) -> bool {
    let f = gpu.features();
    f.precompile && f.vertex_input_dynamic && f.extended_dynamic_state2 && f.dynamic_blend
}

impl Precompiler {
    /// Notes a framebuffer that is drawn to.
    pub fn note_target(&self, gpu: &Arc<Gpu>, cache: &Arc<PipelineCache>, target: LikelyTarget) {
        let mut likely = self.likely.lock();
        likely.target = Some(target);
        // Depth alone is drawn by a program or two, and before what most are for.
        let waiting = if target.layout.colors() == 0 { Vec::new() } else { std::mem::take(&mut likely.waiting) };
        drop(likely);
        for shader in waiting.iter().filter_map(Weak::upgrade).filter(|shader| target.takes(&shader.desc)) {
            self.send(gpu, cache, Job::Guess(Arc::downgrade(&shader), Box::new(target)));
        }
    }

    /// Hands a program that was just linked to the thread.
    pub fn linked(&self, gpu: &Arc<Gpu>, cache: &Arc<PipelineCache>, shader: &Arc<Shader>) {
        // GL 4.6 core 7.3: programs without a vertex stage link, and draw nothing.
        if !shader.has_stage(ShaderStage::VERTEX) || !can_guess(gpu) {
            return;
        }
        let mut likely = self.likely.lock();
        let Some(target) = likely.target else {
            if likely.waiting.len() < MOST_WAITING {
                likely.waiting.push(Arc::downgrade(shader));
            }
            return;
        };
        drop(likely);
        if target.takes(&shader.desc) {
            self.send(gpu, cache, Job::Guess(Arc::downgrade(shader), Box::new(target)));
        }
    }

    /// A draw or a dispatch had to make a pipeline: it goes to disk with the others, once no more are made.
    pub fn made(&self, gpu: &Arc<Gpu>, cache: &Arc<PipelineCache>) {
        if cache.is_kept() {
            self.send(gpu, cache, Job::Keep);
        }
    }

    fn send(&self, gpu: &Arc<Gpu>, cache: &Arc<PipelineCache>, job: Job) {
        let mut worker = self.worker.lock();
        if worker.thread.is_none() {
            let (sender, receiver) = channel();
            let (gpu, cache) = (gpu.clone(), cache.clone());
            let thread = std::thread::Builder::new().name("gallite-link".into());
            worker.thread = thread.spawn(move || work(&gpu, &cache, &receiver)).ok();
            worker.sender = Some(sender);
        }
        if let Some(sender) = &worker.sender {
            // Without a thread nothing is made ahead, and the draw makes it.
            let _ = sender.send(job);
        }
    }

    /// Stops the thread, which drops what it has not begun. When the process is ending it may be held up for ever, and is
    /// left to the end.
    pub fn close(&self, gpu: &Gpu) {
        let mut worker = std::mem::take(&mut *self.worker.lock());
        drop(worker.sender.take());
        if let Some(thread) = worker.thread.take().filter(|_| !gpu.is_ending()) {
            let _ = thread.join();
        }
    }
}

fn work(gpu: &Arc<Gpu>, cache: &PipelineCache, jobs: &Receiver<Job>) {
    let mut settled = true;
    loop {
        let job = if settled { jobs.recv().map_err(RecvTimeoutError::from) } else { jobs.recv_timeout(SETTLED) };
        let _running = gpu.work_aside();
        match job {
            Ok(Job::Guess(shader, target)) => {
                if let Some(shader) = shader.upgrade().filter(|_| !gpu.is_lost()) {
                    compile(gpu, cache.current().raw, &shader, &target);
                    settled = false;
                }
            }
            Ok(Job::Keep) => settled = false,
            Err(RecvTimeoutError::Timeout) => {
                cache.save();
                settled = true;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn compile(gpu: &Arc<Gpu>, cache: vk::PipelineCache, shader: &Arc<Shader>, target: &LikelyTarget) {
    let raster = RasterizerState { flags: RasterFlags::FRONT_CCW, ..Default::default() };
    let key = pipeline::graphics_key(
        gpu,
        shader,
        &KeyInputs {
            targets: &target.layout,
            layout_id: target.layout_id,
            flipped: target.flipped,
            raster: &raster,
            coverage: false,
            blend: 0,
            depth_stencil: 0,
            vertex_input: 0,
            sample_mask: u32::MAX,
            min_samples: 1,
            // GL 4.6 core 10.1.15: patches have three vertices initially.
            patch_vertices: 3,
            topology: if shader.has_stage(ShaderStage::TESS_EVALUATION) {
                vk::PrimitiveTopology::PATCH_LIST
            } else {
                vk::PrimitiveTopology::TRIANGLE_LIST
            },
            restart: false,
            texel_swizzles: 0,
        },
    );
    let contents = PipelineContents {
        targets: &target.layout,
        blend: &BlendState::default(),
        depth_stencil: &DepthStencilState::default(),
        vertex_input: &VertexInput::default(),
        texel_swizzles: &TexelSwizzles::default(),
    };
    // Without memory the draw tries it again.
    let _ = shader.pipeline(&key, || pipeline::create_graphics(gpu, cache, shader, &key, &contents));
}
