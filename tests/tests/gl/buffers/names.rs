//! Names and bindings of buffers: GL 3.3 core 2.9.1, 2.9.6 and 6.1.9.

use gallite_tests::draw::{buffer, expect_error, gen_buffer, gen_vertex_array, get_i32};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    every core(3, 3): generated_names_are_free, binding_makes_an_object, deleting_unbinds,
        indexed_bindings, indexed_errors, delete_ignores_zero_and_unknown;
}

const TARGETS: [(u32, u32); 9] = [
    (gl::ARRAY_BUFFER, gl::ARRAY_BUFFER_BINDING),
    (gl::ELEMENT_ARRAY_BUFFER, gl::ELEMENT_ARRAY_BUFFER_BINDING),
    (gl::COPY_READ_BUFFER, gl::COPY_READ_BUFFER_BINDING),
    (gl::COPY_WRITE_BUFFER, gl::COPY_WRITE_BUFFER_BINDING),
    (gl::PIXEL_PACK_BUFFER, gl::PIXEL_PACK_BUFFER_BINDING),
    (gl::PIXEL_UNPACK_BUFFER, gl::PIXEL_UNPACK_BUFFER_BINDING),
    (gl::TEXTURE_BUFFER, gl::TEXTURE_BUFFER_BINDING),
    (gl::TRANSFORM_FEEDBACK_BUFFER, gl::TRANSFORM_FEEDBACK_BUFFER_BINDING),
    (gl::UNIFORM_BUFFER, gl::UNIFORM_BUFFER_BINDING),
];

fn generated_names_are_free(_: &Env) {
    let mut names = [0; 100];
    gl::GenBuffers(100, names.as_mut_ptr());
    let mut sorted = names;
    sorted.sort_unstable();
    assert!(sorted[0] != 0 && sorted.windows(2).all(|pair| pair[0] != pair[1]));
    gl::GenBuffers(-1, names.as_mut_ptr());
    expect_error(gl::INVALID_VALUE, "negative count");
}

fn binding_makes_an_object(_: &Env) {
    gl::BindVertexArray(gen_vertex_array());
    for (target, query) in TARGETS {
        let name = gen_buffer();
        assert_eq!(gl::IsBuffer(name), gl::FALSE);
        gl::BindBuffer(target, name);
        assert_eq!(gl::IsBuffer(name), gl::TRUE);
        assert_eq!(get_i32(query), name as i32, "{target:#x}");
        gl::BindBuffer(target, 0);
        assert_eq!(get_i32(query), 0);
        assert_eq!(gl::IsBuffer(name), gl::TRUE);
    }
    gl::BindBuffer(gl::RGBA, 0);
    expect_error(gl::INVALID_ENUM, "target");
    gl::BindBuffer(gl::ARRAY_BUFFER, 54321);
    expect_error(gl::INVALID_OPERATION, "a name that was never generated");
}

fn deleting_unbinds(_: &Env) {
    gl::BindVertexArray(gen_vertex_array());
    let name = gen_buffer();
    for (target, _) in TARGETS {
        gl::BindBuffer(target, name);
    }
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 2, name);
    gl::DeleteBuffers(1, &name);
    for (target, query) in TARGETS {
        assert_eq!(get_i32(query), 0, "{target:#x}");
    }
    let mut bound = -1;
    gl::GetIntegeri_v(gl::UNIFORM_BUFFER_BINDING, 2, &mut bound);
    assert_eq!(bound, 0);
    gl::BindBuffer(gl::ARRAY_BUFFER, name);
    expect_error(gl::INVALID_OPERATION, "deleted name");
}

/// 2.9.6: an indexed bind also binds the general point; base reports start and size 0.
fn indexed_bindings(_: &Env) {
    let name = buffer(gl::ARRAY_BUFFER, &[0_u8; 1024]);
    for (target, binding, start, size) in [
        (gl::UNIFORM_BUFFER, gl::UNIFORM_BUFFER_BINDING, gl::UNIFORM_BUFFER_START, gl::UNIFORM_BUFFER_SIZE),
        (
            gl::TRANSFORM_FEEDBACK_BUFFER,
            gl::TRANSFORM_FEEDBACK_BUFFER_BINDING,
            gl::TRANSFORM_FEEDBACK_BUFFER_START,
            gl::TRANSFORM_FEEDBACK_BUFFER_SIZE,
        ),
    ] {
        let get = |query| {
            let (mut value, mut wide) = (-1, -1);
            gl::GetIntegeri_v(query, 1, &mut value);
            gl::GetInteger64i_v(query, 1, &mut wide);
            assert_eq!(i64::from(value), wide);
            value
        };
        gl::BindBufferRange(target, 1, name, 256, 128);
        assert_eq!((get(binding), get(start), get(size)), (name as i32, 256, 128));
        assert_eq!(get_i32(binding), name as i32);
        gl::BindBufferBase(target, 1, name);
        assert_eq!((get(binding), get(start), get(size)), (name as i32, 0, 0));
        gl::BindBufferBase(target, 1, 0);
        assert_eq!(get(binding), 0);
        assert_eq!(get_i32(binding), 0);
    }
}

fn indexed_errors(_: &Env) {
    let name = buffer(gl::UNIFORM_BUFFER, &[0_u8; 1024]);
    let points = get_i32(gl::MAX_UNIFORM_BUFFER_BINDINGS) as u32;
    let align = get_i32(gl::UNIFORM_BUFFER_OFFSET_ALIGNMENT) as isize;
    gl::BindBufferBase(gl::UNIFORM_BUFFER, points, name);
    expect_error(gl::INVALID_VALUE, "index");
    gl::BindBufferBase(gl::ARRAY_BUFFER, 0, name);
    expect_error(gl::INVALID_ENUM, "target");
    gl::BindBufferRange(gl::UNIFORM_BUFFER, 0, name, 0, 0);
    expect_error(gl::INVALID_VALUE, "size 0");
    gl::BindBufferRange(gl::UNIFORM_BUFFER, 0, name, -align, 16);
    expect_error(gl::INVALID_VALUE, "negative offset");
    if align > 1 {
        gl::BindBufferRange(gl::UNIFORM_BUFFER, 0, name, align / 2 + 1, 16);
        expect_error(gl::INVALID_VALUE, "alignment");
    }
    gl::BindBufferRange(gl::TRANSFORM_FEEDBACK_BUFFER, 0, name, 2, 16);
    expect_error(gl::INVALID_VALUE, "feedback offset");
    gl::BindBufferRange(gl::TRANSFORM_FEEDBACK_BUFFER, 0, name, 4, 14);
    expect_error(gl::INVALID_VALUE, "feedback size");
    gl::GetIntegeri_v(gl::UNIFORM_BUFFER_BINDING, points, &mut 0);
    expect_error(gl::INVALID_VALUE, "query index");
}

fn delete_ignores_zero_and_unknown(_: &Env) {
    let name = gen_buffer();
    gl::DeleteBuffers(3, [0, 77777, name].as_ptr());
    gl::DeleteBuffers(-1, [name].as_ptr());
    expect_error(gl::INVALID_VALUE, "negative count");
}
