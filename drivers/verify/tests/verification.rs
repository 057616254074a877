//! A push that was left out is named at the verb; a right one is silent.

use std::sync::Arc;

use gallite_noop::NoopScreen;
use gallite_pipe::*;
use gallite_verify::VerifyScreen;

fn draw(context: &mut dyn Context) {
    context.draw(&DrawInfo { instance_count: 1, ..DrawInfo::default() }, &[DrawRange::default()], &[]);
}

fn verified(context: &mut dyn Context, push: impl FnOnce(&mut dyn Context)) {
    context.verify_begin();
    push(context);
    context.verify_end();
}

fn message(screen: &VerifyScreen) -> Option<String> {
    let mut bytes = [0; 256];
    let event = screen.poll_event(&mut bytes);
    (event.kind == EventKind::VERIFY_MISMATCH).then(|| text(&bytes).to_owned())
}

#[test]
fn a_left_out_push_is_named_and_the_inner_driver_sees_only_pushes() {
    let inner = Arc::new(NoopScreen::new());
    let screen = VerifyScreen::new(inner.clone());
    assert!(screen.caps().features.contains(Features::VERIFY));
    assert_eq!(text(&screen.caps().driver_name), "verify:noop");
    let mut context = screen.create_context(ContextFlags::EMPTY).unwrap();
    let context = &mut *context;
    let viewport = |width: f32| Viewport { width: width.into(), ..Viewport::default() };

    context.set_viewports(0, &[viewport(4.0)]);
    let calls = inner.counters().calls;
    verified(context, |context| context.set_viewports(0, &[viewport(4.0)]));
    assert_eq!(inner.counters().calls, calls, "the re-derivation stays here");
    draw(context);
    assert_eq!(message(&screen), None);
    assert_eq!(screen.counters().verify_mismatches, 0);

    // The tracker's viewport changed, and nothing was pushed.
    verified(context, |context| context.set_viewports(0, &[viewport(5.0)]));
    draw(context);
    let text = message(&screen).unwrap();
    assert!(text.starts_with("set_viewports[0]: Viewport.width differs"), "{text}");
    assert_eq!(screen.counters().verify_mismatches, 1);

    // A fault in a loop counts each time and is told once.
    verified(context, |context| context.set_viewports(0, &[viewport(6.0)]));
    draw(context);
    assert_eq!(message(&screen), None);
    assert_eq!(screen.counters().verify_mismatches, 2);
}

#[test]
fn a_draw_without_re_derivation_is_a_mismatch() {
    let screen = VerifyScreen::new(Arc::new(NoopScreen::new()));
    let mut context = screen.create_context(ContextFlags::EMPTY).unwrap();
    draw(&mut *context);
    assert_eq!(message(&screen).as_deref(), Some("draw: no re-derivation came before it"));
    verified(&mut *context, |_| {});
    context.dispatch(&DispatchInfo::default());
    assert_eq!(message(&screen), None);
    context.dispatch(&DispatchInfo::default());
    assert_eq!(message(&screen).as_deref(), Some("dispatch: no re-derivation came before it"));
}

#[test]
fn the_re_derivation_of_a_clear_is_not_that_of_the_draw_after_it() {
    let screen = VerifyScreen::new(Arc::new(NoopScreen::new()));
    let mut context = screen.create_context(ContextFlags::EMPTY).unwrap();
    verified(&mut *context, |_| {});
    context.clear(&ClearInfo::default());
    draw(&mut *context);
    assert_eq!(message(&screen).as_deref(), Some("draw: no re-derivation came before it"));
}

#[test]
fn clears_and_blits_that_ask_for_the_condition_are_expected_to_be_verified() {
    let screen = VerifyScreen::new(Arc::new(NoopScreen::new()));
    let mut context = screen.create_context(ContextFlags::EMPTY).unwrap();
    let context = &mut *context;
    verified(context, |_| {});
    (0..2).for_each(|_| context.clear(&ClearInfo::default()));
    assert_eq!(message(&screen), None);
    draw(context);
    assert_eq!(message(&screen).as_deref(), Some("draw: no re-derivation came before it"));
    context.clear(&ClearInfo::default());
    assert_eq!(message(&screen).as_deref(), Some("clear: no re-derivation came before it"));
    // Nothing of what was pushed is read.
    context.blit(&BlitInfo::default());
    assert_eq!(message(&screen), None);
    let conditional = BlitInfo { conditional: 1, ..BlitInfo::default() };
    verified(context, |_| {});
    (0..3).for_each(|_| context.blit(&conditional));
    assert_eq!(message(&screen), None);
    context.dispatch(&DispatchInfo::default());
    assert_eq!(message(&screen).as_deref(), Some("dispatch: no re-derivation came before it"));
    context.blit(&conditional);
    assert_eq!(message(&screen).as_deref(), Some("blit: no re-derivation came before it"));
}

#[test]
fn graphics_and_compute_are_kept_apart() {
    let screen = VerifyScreen::new(Arc::new(NoopScreen::new()));
    let mut context = screen.create_context(ContextFlags::EMPTY).unwrap();
    let context = &mut *context;
    context.bind_shader(BindPoint::GRAPHICS, ShaderId::from_parts(1, 1));
    context.bind_shader(BindPoint::COMPUTE, ShaderId::from_parts(2, 1));
    verified(context, |context| {
        context.bind_shader(BindPoint::GRAPHICS, ShaderId::from_parts(1, 1));
        context.bind_shader(BindPoint::COMPUTE, ShaderId::from_parts(1, 1));
    });
    let text = message(&screen).unwrap();
    assert_eq!(text, "bind_shader(COMPUTE): pushed ShaderId(2v1), should be ShaderId(1v1)");
}

#[test]
fn a_clear_with_other_state_is_verified_anew() {
    let screen = VerifyScreen::new(Arc::new(NoopScreen::new()));
    let mut context = screen.create_context(ContextFlags::EMPTY).unwrap();
    verified(&mut *context, |_| {});
    context.clear(&ClearInfo::default());
    context.set_framebuffer(&FramebufferState::default());
    context.clear(&ClearInfo::default());
    assert_eq!(message(&screen).as_deref(), Some("clear: no re-derivation came before it"));
}
