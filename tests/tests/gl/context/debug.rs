//! Debug output: KHR_debug (GL 4.3 core 20).

use gallite_tests::draw::{compile, expect_error, expect_no_error, gen_buffer, get_i32, require_extension};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;
use std::cell::RefCell;
use std::ffi::{c_char, c_void};

gl_tests! {
    every core(3, 3): messages_reach_the_callback, errors_are_reported, the_log_keeps_messages, a_full_log_drops_new_ones,
        filters_by_source_type_and_id, filters_by_severity, groups_nest_and_restore_filters, group_limits,
        labels, labels_of_shaders_and_syncs, label_errors, insert_errors, the_callback_is_queried;
}

thread_local! {
    static SEEN: RefCell<Vec<(u32, u32, u32, u32, String)>> = const { RefCell::new(Vec::new()) };
}

extern "C" fn note(
    source: u32,
    kind: u32,
    id: u32,
    severity: u32,
    length: i32,
    text: *const c_char,
    user: *mut c_void,
) {
    assert_eq!(user as usize, 0x77);
    // SAFETY: KHR_debug: `length` bytes of the message, without its final zero.
    let text = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length as usize) };
    let entry = (source, kind, id, severity, String::from_utf8_lossy(text).into_owned());
    SEEN.with(|seen| seen.borrow_mut().push(entry));
}

fn seen() -> Vec<(u32, u32, u32, u32, String)> {
    SEEN.with(|seen| std::mem::take(&mut *seen.borrow_mut()))
}

/// Output on, everything let through, nothing in the log.
fn prepare(callback: bool) {
    require_extension("GL_KHR_debug");
    gl::Enable(gl::DEBUG_OUTPUT);
    gl::Enable(gl::DEBUG_OUTPUT_SYNCHRONOUS);
    control(gl::DONT_CARE, gl::DONT_CARE, gl::DONT_CARE, true);
    gl::DebugMessageCallback(if callback { Some(note) } else { None }, 0x77 as *const c_void);
    while log().is_some() {}
    seen();
}

fn control(source: u32, kind: u32, severity: u32, on: bool) {
    gl::DebugMessageControl(source, kind, severity, 0, std::ptr::null(), on.into());
}

const APPLICATION: u32 = gl::DEBUG_SOURCE_APPLICATION;
const MARKER: u32 = gl::DEBUG_TYPE_MARKER;
const OTHER: u32 = gl::DEBUG_TYPE_OTHER;
const LOW: u32 = gl::DEBUG_SEVERITY_LOW;
const HIGH: u32 = gl::DEBUG_SEVERITY_HIGH;

fn insert(kind: u32, id: u32, severity: u32, text: &str) {
    gl::DebugMessageInsert(APPLICATION, kind, id, severity, text.len() as i32, text.as_ptr().cast());
}

/// Takes the oldest message of the log.
fn log() -> Option<(u32, u32, u32, u32, String)> {
    let (mut source, mut kind, mut id, mut severity, mut length) = (0, 0, 0, 0, 0);
    let mut text = vec![0_u8; 4096];
    let buffer = text.as_mut_ptr().cast();
    let count = gl::GetDebugMessageLog(1, 4096, &mut source, &mut kind, &mut id, &mut severity, &mut length, buffer);
    // The length counts the final zero.
    (count == 1).then(|| {
        let text = String::from_utf8_lossy(&text[..length as usize - 1]).into_owned();
        (source, kind, id, severity, text)
    })
}

fn messages_reach_the_callback(_: &Env) {
    prepare(true);
    insert(MARKER, 5, LOW, "five");
    gl::DebugMessageInsert(APPLICATION, OTHER, 6, HIGH, -1, c"six".as_ptr());
    let expected = [(APPLICATION, MARKER, 5, LOW, "five".to_owned()), (APPLICATION, OTHER, 6, HIGH, "six".to_owned())];
    assert_eq!(seen(), expected);
    assert!(log().is_none(), "what the callback gets is not logged");
    gl::Disable(gl::DEBUG_OUTPUT);
    insert(MARKER, 7, LOW, "seven");
    assert!(seen().is_empty());
}

/// Every error comes with a message that names the command.
fn errors_are_reported(env: &Env) {
    prepare(true);
    gl::BindBuffer(gl::TEXTURE_2D, 0);
    expect_error(gl::INVALID_ENUM, "target");
    let messages = seen();
    assert_eq!(messages.len(), 1, "{messages:?}");
    let (source, kind, _, severity, text) = &messages[0];
    assert_eq!((*source, *kind, *severity), (gl::DEBUG_SOURCE_API, gl::DEBUG_TYPE_ERROR, HIGH));
    assert!(env.lane.is_system() || text.contains("glBindBuffer"), "{text}");
    // KHR_debug: a second error before glGetError is told as well.
    gl::BindBuffer(gl::TEXTURE_2D, 0);
    gl::BindBuffer(gl::TEXTURE_2D, 0);
    assert_eq!(seen().len(), 2);
    expect_error(gl::INVALID_ENUM, "one flag");
}

fn the_log_keeps_messages(_: &Env) {
    prepare(false);
    insert(MARKER, 1, LOW, "one");
    insert(OTHER, 2, HIGH, "three");
    assert_eq!(get_i32(gl::DEBUG_LOGGED_MESSAGES), 2);
    assert_eq!(get_i32(gl::DEBUG_NEXT_LOGGED_MESSAGE_LENGTH), 4);
    // What does not fit the buffer stays.
    let mut small = [0_u8; 3];
    let null = std::ptr::null_mut();
    let fetched = gl::GetDebugMessageLog(1, 3, null, null, null, null, std::ptr::null_mut(), small.as_mut_ptr().cast());
    assert_eq!((fetched, get_i32(gl::DEBUG_LOGGED_MESSAGES)), (0, 2));
    assert_eq!(log(), Some((APPLICATION, MARKER, 1, LOW, "one".to_owned())));
    assert_eq!(log(), Some((APPLICATION, OTHER, 2, HIGH, "three".to_owned())));
    assert_eq!(log(), None);
    // Several at once, one after another in the buffer.
    insert(MARKER, 1, LOW, "a");
    insert(MARKER, 2, LOW, "bc");
    let (mut ids, mut lengths, mut text) = ([0; 4], [0; 4], [0_u8; 16]);
    let (ids_at, lengths_at) = (ids.as_mut_ptr(), lengths.as_mut_ptr());
    let count = gl::GetDebugMessageLog(4, 16, null, null, ids_at, null, lengths_at, text.as_mut_ptr().cast());
    assert_eq!((count, ids, lengths), (2, [1, 2, 0, 0], [2, 3, 0, 0]));
    assert_eq!(&text[..5], b"a\0bc\0");
}

fn a_full_log_drops_new_ones(_: &Env) {
    prepare(false);
    let most = get_i32(gl::MAX_DEBUG_LOGGED_MESSAGES);
    assert!(most >= 1);
    for at in 0..most + 3 {
        insert(MARKER, at as u32, LOW, "m");
    }
    assert_eq!(get_i32(gl::DEBUG_LOGGED_MESSAGES), most);
    assert_eq!(log().map(|message| message.2), Some(0), "the oldest is there");
}

fn filters_by_source_type_and_id(_: &Env) {
    prepare(true);
    let ids = [3_u32, 4];
    gl::DebugMessageControl(APPLICATION, OTHER, gl::DONT_CARE, 2, ids.as_ptr(), gl::FALSE);
    for id in 2..6 {
        insert(OTHER, id, LOW, "o");
        insert(MARKER, id, LOW, "m");
    }
    let got: Vec<(u32, u32)> = seen().iter().map(|message| (message.1, message.2)).collect();
    assert_eq!(got, [(OTHER, 2), (MARKER, 2), (MARKER, 3), (MARKER, 4), (OTHER, 5), (MARKER, 5)]);
    control(APPLICATION, MARKER, gl::DONT_CARE, false);
    insert(MARKER, 9, LOW, "m");
    insert(OTHER, 9, LOW, "o");
    assert_eq!(seen().len(), 1);
    gl::DebugMessageControl(APPLICATION, OTHER, LOW, 2, ids.as_ptr(), gl::FALSE);
    expect_error(gl::INVALID_OPERATION, "ids with a severity");
    gl::DebugMessageControl(gl::DONT_CARE, OTHER, gl::DONT_CARE, 2, ids.as_ptr(), gl::FALSE);
    expect_error(gl::INVALID_OPERATION, "ids without a source");
    gl::DebugMessageControl(APPLICATION, OTHER, gl::DONT_CARE, -1, ids.as_ptr(), gl::FALSE);
    expect_error(gl::INVALID_VALUE, "negative count");
    control(gl::TEXTURE_2D, OTHER, gl::DONT_CARE, true);
    expect_error(gl::INVALID_ENUM, "source");
}

fn filters_by_severity(_: &Env) {
    prepare(true);
    control(gl::DONT_CARE, gl::DONT_CARE, LOW, false);
    insert(MARKER, 1, LOW, "low");
    insert(MARKER, 2, HIGH, "high");
    assert_eq!(seen().iter().map(|message| message.2).collect::<Vec<_>>(), [2]);
}

/// 20.6: pushing tells, popping tells and restores what was let through.
fn groups_nest_and_restore_filters(_: &Env) {
    prepare(true);
    assert_eq!(get_i32(gl::DEBUG_GROUP_STACK_DEPTH), 1);
    gl::PushDebugGroup(APPLICATION, 8, -1, c"outer".as_ptr());
    assert_eq!(get_i32(gl::DEBUG_GROUP_STACK_DEPTH), 2);
    control(gl::DONT_CARE, gl::DONT_CARE, gl::DONT_CARE, false);
    insert(MARKER, 1, LOW, "hidden");
    control(gl::DONT_CARE, gl::DONT_CARE, gl::DONT_CARE, true);
    control(APPLICATION, MARKER, gl::DONT_CARE, false);
    gl::PopDebugGroup();
    insert(MARKER, 2, LOW, "shown");
    let got: Vec<(u32, u32, String)> = seen().into_iter().map(|m| (m.1, m.2, m.4)).collect();
    let expected = [
        (gl::DEBUG_TYPE_PUSH_GROUP, 8, "outer".to_owned()),
        (gl::DEBUG_TYPE_POP_GROUP, 8, "outer".to_owned()),
        (MARKER, 2, "shown".to_owned()),
    ];
    assert_eq!(got, expected);
}

fn group_limits(_: &Env) {
    prepare(false);
    gl::PopDebugGroup();
    expect_error(gl::STACK_UNDERFLOW, "nothing was pushed");
    let most = get_i32(gl::MAX_DEBUG_GROUP_STACK_DEPTH);
    assert!(most >= 64);
    for _ in 1..most {
        gl::PushDebugGroup(APPLICATION, 1, 1, c"g".as_ptr());
    }
    expect_no_error("as deep as it goes");
    gl::PushDebugGroup(APPLICATION, 1, 1, c"g".as_ptr());
    expect_error(gl::STACK_OVERFLOW, "one more");
    for _ in 1..most {
        gl::PopDebugGroup();
    }
    gl::PushDebugGroup(gl::DEBUG_SOURCE_API, 1, 1, c"g".as_ptr());
    expect_error(gl::INVALID_ENUM, "only of the program");
}

fn label(kind: u32, name: u32) -> String {
    let (mut length, mut text) = (-1, [0_u8; 64]);
    gl::GetObjectLabel(kind, name, 64, &mut length, text.as_mut_ptr().cast());
    String::from_utf8_lossy(&text[..length.max(0) as usize]).into_owned()
}

fn labels(_: &Env) {
    require_extension("GL_KHR_debug");
    let name = gen_buffer();
    gl::BindBuffer(gl::ARRAY_BUFFER, name);
    assert_eq!(label(gl::BUFFER, name), "");
    gl::ObjectLabel(gl::BUFFER, name, -1, c"my buffer".as_ptr());
    assert_eq!(label(gl::BUFFER, name), "my buffer");
    gl::ObjectLabel(gl::BUFFER, name, 2, c"my buffer".as_ptr());
    assert_eq!(label(gl::BUFFER, name), "my");
    // Cut to the buffer, always with a final zero.
    let (mut length, mut text) = (0, [b'x'; 4]);
    gl::ObjectLabel(gl::BUFFER, name, -1, c"long name".as_ptr());
    gl::GetObjectLabel(gl::BUFFER, name, 4, &mut length, text.as_mut_ptr().cast());
    assert_eq!((length, &text), (3, b"lon\0"));
    gl::GetObjectLabel(gl::BUFFER, name, 0, &mut length, std::ptr::null_mut());
    gl::ObjectLabel(gl::BUFFER, name, 0, std::ptr::null());
    assert_eq!(label(gl::BUFFER, name), "", "null removes it");
    expect_no_error("labels");
}

fn labels_of_shaders_and_syncs(_: &Env) {
    require_extension("GL_KHR_debug");
    let shader = compile(gl::VERTEX_SHADER, "#version 330 core\nvoid main() { gl_Position = vec4(0.0); }\n");
    gl::ObjectLabel(gl::SHADER, shader, -1, c"vs".as_ptr());
    assert_eq!(label(gl::SHADER, shader), "vs");
    gl::ObjectLabel(gl::PROGRAM, shader, -1, c"vs".as_ptr());
    expect_error(gl::INVALID_VALUE, "a shader is no program");
    let sync = gl::FenceSync(gl::SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl::ObjectPtrLabel(sync, -1, c"fence".as_ptr());
    let (mut length, mut text) = (0, [0_u8; 16]);
    gl::GetObjectPtrLabel(sync, 16, &mut length, text.as_mut_ptr().cast());
    assert_eq!(&text[..length as usize], b"fence");
    gl::DeleteSync(sync);
    gl::ObjectPtrLabel(0x123 as *const c_void, -1, c"x".as_ptr());
    expect_error(gl::INVALID_VALUE, "no sync object");
}

fn label_errors(_: &Env) {
    require_extension("GL_KHR_debug");
    gl::ObjectLabel(gl::BUFFER, 77_777, -1, c"x".as_ptr());
    expect_error(gl::INVALID_VALUE, "no such object");
    gl::ObjectLabel(gl::TEXTURE_2D, 1, -1, c"x".as_ptr());
    expect_error(gl::INVALID_ENUM, "no kind of object");
    let name = gen_buffer();
    gl::BindBuffer(gl::ARRAY_BUFFER, name);
    let long = vec![b'l'; get_i32(gl::MAX_LABEL_LENGTH) as usize];
    gl::ObjectLabel(gl::BUFFER, name, long.len() as i32, long.as_ptr().cast());
    expect_error(gl::INVALID_VALUE, "too long");
    gl::GetObjectLabel(gl::BUFFER, name, -1, std::ptr::null_mut(), std::ptr::null_mut());
    expect_error(gl::INVALID_VALUE, "negative size");
    // GL 4.6 core 20.7: refused for the number, whatever lies behind the pointer.
    gl::ObjectLabel(gl::BUFFER, name, i32::MAX, c"x".as_ptr());
    expect_error(gl::INVALID_VALUE, "far too long");
    let sync = gl::FenceSync(gl::SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl::ObjectPtrLabel(sync, i32::MAX, c"x".as_ptr());
    expect_error(gl::INVALID_VALUE, "far too long");
    gl::DeleteSync(sync);
}

fn insert_errors(_: &Env) {
    prepare(true);
    let text = c"x".as_ptr();
    gl::DebugMessageInsert(gl::DEBUG_SOURCE_API, OTHER, 1, LOW, 1, text);
    expect_error(gl::INVALID_ENUM, "only of the program");
    gl::DebugMessageInsert(APPLICATION, OTHER, 1, gl::DONT_CARE, 1, text);
    expect_error(gl::INVALID_ENUM, "severity");
    let long = vec![b'l'; get_i32(gl::MAX_DEBUG_MESSAGE_LENGTH) as usize];
    gl::DebugMessageInsert(APPLICATION, OTHER, 1, LOW, long.len() as i32, long.as_ptr().cast());
    expect_error(gl::INVALID_VALUE, "too long");
    gl::DebugMessageInsert(APPLICATION, OTHER, 1, LOW, i32::MAX, text);
    expect_error(gl::INVALID_VALUE, "far too long");
    gl::PushDebugGroup(APPLICATION, 1, i32::MAX, text);
    expect_error(gl::INVALID_VALUE, "far too long");
}

fn the_callback_is_queried(_: &Env) {
    prepare(true);
    let address = gallite_tests::egl::get_proc_address("glGetPointerv");
    assert!(!address.is_null());
    // SAFETY: the prototype of glGetPointerv.
    let get: extern "C" fn(u32, *mut *mut c_void) = unsafe { std::mem::transmute(address) };
    let mut pointer = std::ptr::null_mut();
    get(gl::DEBUG_CALLBACK_USER_PARAM, &mut pointer);
    assert_eq!(pointer as usize, 0x77);
    get(gl::DEBUG_CALLBACK_FUNCTION, &mut pointer);
    assert_eq!(pointer as usize, note as *const () as usize);
    get(gl::TEXTURE_2D, &mut pointer);
    expect_error(gl::INVALID_ENUM, "name");
}
