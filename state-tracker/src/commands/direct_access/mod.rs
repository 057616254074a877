//! Commands that name the object they work on (GL 4.5, ARB_direct_state_access).
//!
//! Each is the command on a binding point, run with the named object at that point for its duration. Nothing derived
//! from the binding is pushed meanwhile: setters only mark what is dirty, and bindings are back before the next verb.

pub mod buffers;
pub mod creation;
pub mod framebuffers;
pub mod textures;
pub mod transform_feedback;
pub mod vertex_arrays;

/// Declares commands that run another one on a named object.
///
/// `on FUNCTION; Name(names) => command(arguments) -> Type;`: FUNCTION takes the context, this command's name, the
/// object's name, and what to run with the target it is at.
macro_rules! direct {
    ($on:ident; $($name:ident($($arg:ident: $ty:ty),*) => $command:path $(=> $out:ty)?;)+) => {
        $(pub fn $name(ctx: &mut Context, object: GLuint, $($arg: $ty),*) -> GlResult$(<$out>)? {
            $on(ctx, concat!("gl", stringify!($name)), object, |ctx, target| $command(ctx, target, $($arg),*))
        })+
    };
}
pub(super) use direct;
