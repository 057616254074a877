//! Transform feedback objects (GL 4.6 core 13.3). They belong to one context.

use std::sync::Arc;

use gallite_pipe::XfbTargetId;

use crate::device::Device;
use crate::gl::*;
use crate::limits::{MAX_STREAMS, MAX_XFB_BUFFERS};
use crate::objects::buffer::Buffer;
use crate::objects::executable::Capture;
use crate::share::ObjectHeader;
use crate::state::buffers::IndexedBinding;

/// A transform feedback object.
#[derive(Debug)]
pub struct TransformFeedback {
    /// Name and label.
    pub header: ObjectHeader,
    /// GL_TRANSFORM_FEEDBACK_BUFFER by index.
    pub buffers: [IndexedBinding; MAX_XFB_BUFFERS],
    /// GL_TRANSFORM_FEEDBACK_ACTIVE.
    pub active: bool,
    /// GL_TRANSFORM_FEEDBACK_PAUSED.
    pub paused: bool,
    /// The primitive mode of glBeginTransformFeedback.
    pub mode: GLenum,
    /// The executable that captures.
    pub capture: Option<Capture>,
    /// The driver's targets of the capture in progress, or of the last one.
    pub targets: [XfbTargetId; MAX_XFB_BUFFERS],
    /// Whether the targets were pushed since capture began, so that a further push continues.
    pub pushed: bool,
    /// For each vertex stream, the first target that captures it and its bytes for each vertex.
    pub streams: [Option<(usize, u32)>; MAX_STREAMS],
    /// Whether a capture has ended, so that there is something for glDrawTransformFeedback.
    pub has_ended: bool,
}

impl TransformFeedback {
    /// A new object; name 0 is the default one.
    pub fn new(name: GLuint) -> Self {
        Self {
            header: ObjectHeader::new(name),
            buffers: Default::default(),
            active: false,
            paused: false,
            mode: GL_POINTS,
            capture: None,
            targets: [XfbTargetId::NULL; MAX_XFB_BUFFERS],
            pushed: false,
            streams: [None; MAX_STREAMS],
            has_ended: false,
        }
    }

    /// Whether draws are captured now.
    #[inline]
    pub fn is_capturing(&self) -> bool {
        self.active && !self.paused
    }

    /// Forgets a deleted buffer; true when it was bound here.
    pub fn detach_buffer(&mut self, buffer: &Arc<Buffer>) -> bool {
        let mut found = false;
        for binding in self.buffers.iter_mut().filter(|b| b.is(buffer)) {
            *binding = IndexedBinding::default();
            found = true;
        }
        found
    }

    /// Destroys the driver's targets.
    pub fn release_targets(&mut self, device: &Device) {
        for target in std::mem::take(&mut self.targets) {
            if !target.is_null() {
                device.screen.destroy_xfb_target(target);
                device.release(target);
            }
        }
    }
}
