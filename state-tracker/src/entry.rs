//! The C boundary: the thread's current context, and what happens around each command.
//!
//! A context is owned by the winsys while it is current nowhere and by its thread's slot here while it is current.
//! A command takes it out of the slot and puts it back, so a callback that calls GL finds no context instead of a
//! second mutable reference. A panic stops at [`call`]: the context is lost from then on (GL 4.6 core 2.3.2).

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use crate::context::Context;
use crate::ending;
use crate::error::GlError;
use crate::gl::GL_CONTEXT_LOST;

thread_local! {
    /// The current context once it is lost, so that the way through [`call`] needs no test for it.
    static LOST: Cell<*mut Context> = const { Cell::new(ptr::null_mut()) };
    /// The current context between glBegin and glEnd: commands that are not allowed there find none in the other slot,
    /// and so pay for no test either.
    static BEGUN: Cell<*mut Context> = const { Cell::new(ptr::null_mut()) };
}

/// The slot of the context that commands run on. Null while a command runs, while none is current, and when it is
/// lost.
///
/// On x86-64 with glibc it is an initial-exec thread-local, which a command reaches in two instructions; a shared
/// library's ordinary thread-locals cost a call into the loader. The loader keeps room for a few words of these in
/// libraries loaded later. Elsewhere, and where such calls are cheap, it is an ordinary one.
#[cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]
mod current {
    use std::arch::{asm, global_asm};
    use std::cell::Cell;

    use crate::context::Context;

    global_asm!(
        ".pushsection .tbss.gallite_current_context,\"awT\",@nobits",
        ".balign 8",
        ".hidden gallite_current_context",
        ".globl gallite_current_context",
        ".type gallite_current_context,@object",
        ".size gallite_current_context,8",
        "gallite_current_context:",
        ".zero 8",
        ".popsection",
    );

    /// Runs work with this thread's slot.
    #[inline(always)]
    pub fn with<R>(work: impl FnOnce(&Cell<*mut Context>) -> R) -> R {
        let address: *const Cell<*mut Context>;
        // SAFETY: the x86-64 ELF TLS ABI's initial-exec sequence: the variable's offset from the thread pointer, which
        // the loader fixed, plus the thread pointer, which the first word at %fs holds.
        unsafe {
            asm!(
                "mov {0}, qword ptr [rip + gallite_current_context@GOTTPOFF]",
                "add {0}, qword ptr fs:[0]",
                out(reg) address,
                options(pure, readonly, nostack),
            );
        }
        // SAFETY: the address of this thread's eight bytes above, zero (a null pointer) at first, aligned, alive as long
        // as the thread, and used by nothing else. The reference can't leave the closure's call, nor the thread.
        work(unsafe { &*address })
    }
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")))]
mod current {
    use std::cell::Cell;
    use std::ptr;

    use crate::context::Context;

    thread_local! {
        static CURRENT: Cell<*mut Context> = const { Cell::new(ptr::null_mut()) };
    }

    /// Runs work with this thread's slot.
    #[inline(always)]
    pub fn with<R>(work: impl FnOnce(&Cell<*mut Context>) -> R) -> R {
        CURRENT.with(work)
    }
}

/// A function by which a program reaches a command.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Proc(*const ());

// SAFETY: the address of a function of this library; nothing is read or written through it here.
unsafe impl Sync for Proc {}
// SAFETY: as above.
unsafe impl Send for Proc {}

impl Proc {
    /// Wraps the address of a generated entry point.
    pub const fn new(address: *const ()) -> Self {
        Self(address)
    }

    /// The address, for eglGetProcAddress.
    pub fn address(self) -> *const () {
        self.0
    }
}

/// Turns what a command returns into what its C function returns.
pub trait Finish<R> {
    /// Records an error, if any, and gives the value to return.
    fn finish(self, ctx: &mut Context) -> R;
}

impl<R> Finish<R> for R {
    #[inline(always)]
    fn finish(self, _: &mut Context) -> R {
        self
    }
}

impl<R: Default> Finish<R> for Result<R, GlError> {
    #[inline(always)]
    fn finish(self, ctx: &mut Context) -> R {
        match self {
            Ok(value) => value,
            Err(error) => {
                ctx.error(error);
                R::default()
            }
        }
    }
}

/// Runs a command on the current context. Without one, or with a lost one, nothing happens and zero is returned.
#[inline(always)]
pub fn call<R: Default, C: Finish<R>>(command: impl FnOnce(&mut Context) -> C) -> R {
    ending::pass();
    current::with(|slot| {
        let context = slot.replace(ptr::null_mut());
        if context.is_null() {
            return absent();
        }
        // SAFETY: not null, so it came from `Box::into_raw` in `make_current` on this thread and has not been taken
        // back; having been replaced by null above, no other reference to it can be made until it is put back below.
        let ctx = unsafe { &mut *context };
        match catch_unwind(AssertUnwindSafe(|| command(ctx).finish(ctx))) {
            Ok(value) => {
                slot.set(context);
                value
            }
            Err(payload) => {
                panicked(context, payload.as_ref());
                R::default()
            }
        }
    })
}

/// Like [`call`], for commands that core contexts don't have.
#[inline(always)]
pub fn call_legacy<R: Default, C: Finish<R>>(name: &'static str, command: impl FnOnce(&mut Context) -> C) -> R {
    call(|ctx| if ctx.is_core() { Err(absent_in_core(name)) } else { Ok(command(ctx).finish(ctx)) })
}

#[cold]
fn absent_in_core(name: &'static str) -> GlError {
    GlError::invalid_operation(format!("{name} is not in the core profile"))
}

/// Like [`call`], for the commands that are allowed between glBegin and glEnd, those two included.
#[inline(always)]
pub fn call_in_primitive<R: Default, C: Finish<R>>(command: impl FnOnce(&mut Context) -> C) -> R {
    ending::pass();
    current::with(|slot| {
        let mut context = slot.replace(ptr::null_mut());
        if context.is_null() {
            context = BEGUN.replace(ptr::null_mut());
        }
        if context.is_null() {
            return absent();
        }
        // SAFETY: as in `call`; both slots were emptied above or were empty.
        let ctx = unsafe { &mut *context };
        match catch_unwind(AssertUnwindSafe(|| command(ctx).finish(ctx))) {
            Ok(value) => {
                if ctx.is_in_primitive() {
                    BEGUN.set(context)
                } else {
                    slot.set(context)
                }
                value
            }
            Err(payload) => {
                panicked(context, payload.as_ref());
                R::default()
            }
        }
    })
}

/// Like both of the above.
#[inline(always)]
pub fn call_legacy_in_primitive<R: Default, C: Finish<R>>(
    name: &'static str,
    command: impl FnOnce(&mut Context) -> C,
) -> R {
    call_in_primitive(|ctx| if ctx.is_core() { Err(absent_in_core(name)) } else { Ok(command(ctx).finish(ctx)) })
}

/// Like [`call`], for the commands that still answer when the context is lost.
#[inline(never)]
pub fn call_always<R: Default, C: Finish<R>>(command: impl FnOnce(&mut Context) -> C) -> R {
    let lost = LOST.replace(ptr::null_mut());
    if lost.is_null() {
        let answer = call(command);
        current::with(lose_after_reset);
        return answer;
    }
    // SAFETY: as in `call`; a lost context is kept in this slot under the same rules.
    let ctx = unsafe { &mut *lost };
    let outcome = catch_unwind(AssertUnwindSafe(|| command(ctx).finish(ctx)));
    LOST.set(lost);
    outcome.unwrap_or_default()
}

/// Takes a context that noticed a reset out of the slot of live ones (GL 4.6 core 2.3.2). The commands that notice
/// resets are those that answer when the context is lost, so no other command pays for the test.
fn lose_after_reset(slot: &Cell<*mut Context>) {
    let context = slot.get();
    if context.is_null() {
        return;
    }
    // SAFETY: as in `call`; no command runs between the one that just returned and here.
    let ctx = unsafe { &*context };
    if ctx.is_lost() {
        LOST.set(slot.replace(ptr::null_mut()));
    }
}

/// What a command does when there is no live current context.
#[cold]
#[inline(never)]
fn absent<R: Default>() -> R {
    let lost = LOST.get();
    if !lost.is_null() {
        // SAFETY: as in `call`; the slot's value is not referenced elsewhere while no command runs.
        let ctx = unsafe { &mut *lost };
        // GL 4.6 core 2.3.2: every command but the reset and error queries raises CONTEXT_LOST.
        ctx.set_error_flag(GL_CONTEXT_LOST);
    }
    let begun = BEGUN.replace(ptr::null_mut());
    if !begun.is_null() {
        // SAFETY: as in `call`; taken out of its slot for as long as the reference lives.
        let ctx = unsafe { &mut *begun };
        // GL 4.6 compatibility 10.7.1: commands that make no vertices are errors before glEnd.
        ctx.error(GlError::invalid_operation("the command is not allowed between glBegin and glEnd"));
        BEGUN.set(begun);
    }
    R::default()
}

#[cold]
#[inline(never)]
fn panicked(context: *mut Context, payload: &(dyn Any + Send)) {
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic without a message");
    // SAFETY: as in `call`; the command that held the reference has unwound.
    let ctx = unsafe { &mut *context };
    tracing::error!("context lost by an internal error: {text}");
    ctx.lose_by_internal_error();
    LOST.set(context);
}

/// What the entry point of a command that is not implemented does.
#[cold]
#[inline(never)]
pub fn missing(name: &'static str) {
    call(|ctx| ctx.error(GlError::invalid_operation(format!("{name} is not implemented"))));
}

/// Puts a context into the slot it belongs to.
fn put_back(context: *mut Context, is_lost: bool, is_in_primitive: bool) {
    if is_lost {
        LOST.set(context);
    } else if is_in_primitive {
        BEGUN.set(context);
    } else {
        current::with(|slot| slot.set(context));
    }
}

/// Takes this thread's context out of whichever slot has it; null for none.
fn take() -> *mut Context {
    let none = ptr::null_mut();
    let slots = [current::with(|slot| slot.replace(none)), LOST.replace(none), BEGUN.replace(none)];
    slots.into_iter().find(|context| !context.is_null()).unwrap_or(none)
}

/// Makes `next` this thread's current context and gives back the one that was. The caller keeps a context that is
/// current nowhere and sees to it that one is current on one thread only.
pub fn make_current(next: Option<Box<Context>>) -> Option<Box<Context>> {
    let previous = take();
    if let Some(context) = next {
        let (is_lost, is_in_primitive) = (context.is_lost(), context.is_in_primitive());
        let raw = Box::into_raw(context);
        put_back(raw, is_lost, is_in_primitive);
    }
    if previous.is_null() {
        return None;
    }
    // SAFETY: only `make_current` puts values into the slots, each from `Box::into_raw`, and it is taken out once.
    Some(unsafe { Box::from_raw(previous) })
}

/// Runs `work` on the current context, lost or not. None when there is none or a command is running.
pub fn with_current<R>(work: impl FnOnce(&mut Context) -> R) -> Option<R> {
    let context = take();
    if context.is_null() {
        return None;
    }
    // SAFETY: as in `call`.
    let ctx = unsafe { &mut *context };
    let outcome = catch_unwind(AssertUnwindSafe(|| work(ctx)));
    match outcome {
        Ok(value) => {
            put_back(context, ctx.is_lost(), ctx.is_in_primitive());
            Some(value)
        }
        Err(payload) => {
            panicked(context, payload.as_ref());
            None
        }
    }
}

/// The entry point of a command by its full name, `glBindBuffer`. None when the registry doesn't have it.
pub fn proc_address(name: &[u8]) -> Option<Proc> {
    use crate::generated::names::{NAMES, PROCS, STARTS};
    let wanted = name.strip_prefix(b"gl")?;
    let text = NAMES.as_bytes();
    let at = |index: usize| {
        let start = STARTS[index] as usize;
        let end = STARTS.get(index + 1).map_or(text.len(), |e| *e as usize) - 1;
        &text[start..end]
    };
    let mut range = 0..STARTS.len();
    while !range.is_empty() {
        let middle = range.start + range.len() / 2;
        match at(middle).cmp(wanted) {
            std::cmp::Ordering::Equal => return PROCS.get(middle).copied(),
            std::cmp::Ordering::Less => range.start = middle + 1,
            std::cmp::Ordering::Greater => range.end = middle,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_registry_name_is_found_and_no_other() {
        use crate::generated::names::{NAMES, PROCS};
        for (index, name) in NAMES.lines().enumerate() {
            let full = format!("gl{name}");
            let found = proc_address(full.as_bytes()).map(Proc::address);
            assert_eq!(found, Some(PROCS[index].address()), "{full}");
        }
        for name in ["", "gl", "glNoSuchCommand", "eglGetDisplay", "glBindBuffe", "glBindBufferX"] {
            assert!(proc_address(name.as_bytes()).is_none(), "{name}");
        }
    }
}
