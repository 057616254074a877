//! Transform feedback targets.

use gallite_pipe::XfbBinding;

use crate::context::Context;
use crate::limits::MAX_XFB_BUFFERS;

/// Starts, continues or stops capture.
pub fn push(ctx: &mut Context) {
    let object = ctx.transform_feedback_mut();
    if !object.is_capturing() {
        ctx.pipe.set_xfb_targets(&[]);
        return;
    }
    let mut bindings = [XfbBinding::default(); MAX_XFB_BUFFERS];
    for (binding, target) in bindings.iter_mut().zip(&object.targets) {
        *binding = XfbBinding { target: *target, append: object.pushed.into(), reserved: 0 };
    }
    let count = object.targets.iter().rposition(|t| !t.is_null()).map_or(0, |last| last + 1);
    object.pushed = true;
    ctx.pipe.set_xfb_targets(&bindings[..count]);
}
