//! Every attribute format, converted as GL 3.3 core 2.8 and table 2.4 say, seen through transform
//! feedback so that no rasterisation rounds it.

use gallite_tests::draw::{
    buffer, capture, capturing_program, expect_error, expect_near, expect_no_error, gen_vertex_array, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    lesser core(3, 3): bytes, unsigned_bytes, shorts, unsigned_shorts, ints, unsigned_ints, half_floats,
        floats, doubles, packed_signed, packed_unsigned, packed_floats, bgra_order, integer_attributes,
        unsigned_integer_attributes, missing_components_are_zero_zero_one, integer_missing_components,
        unaligned_stride_and_offset, unaligned_components, converted_attributes_follow_their_buffer;
    every core(3, 3): format_errors;
}

const FLOAT_VS: &str = "#version 330 core
layout(location = 0) in vec4 value;
out vec4 seen;
void main() { seen = value; gl_Position = vec4(0.0); }
";

fn seen<T: Copy>(data: &[T], size: i32, kind: u32, normalized: u8) -> Vec<f32> {
    capturing_program(FLOAT_VS, &["seen"], gl::INTERLEAVED_ATTRIBS);
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, data);
    gl::EnableVertexAttribArray(0);
    gl::VertexAttribPointer(0, size, kind, normalized, 0, std::ptr::null());
    capture(gl::POINTS, 4, f32::NAN, || gl::DrawArrays(gl::POINTS, 0, 1))
}

/// GL 3.3 has (2c + 1) / (2^b - 1) for signed attributes, 4.2 has max(c / (2^(b-1) - 1), -1);
/// both are in use, so the end points are exact and the rest within half a step of either.
#[track_caller]
fn expect_signed(got: &[f32], values: [f32; 4], bits: u32) {
    let top = (2.0_f32).powi(bits as i32) - 1.0;
    for (got, c) in got.iter().zip(values) {
        let old = (2.0 * c + 1.0) / top;
        let new = (c / ((top - 1.0) / 2.0)).max(-1.0);
        assert!((got - old).abs() < 1e-6 || (got - new).abs() < 1e-6, "{got} from {c}: {old} or {new}");
    }
}

/// Fixed-point numbers are converted by the library: whatever writes the buffer, the next draw sees it.
fn converted_attributes_follow_their_buffer(_: &Env) {
    const ONE: i32 = 1 << 16;
    capturing_program(FLOAT_VS, &["seen"], gl::INTERLEAVED_ATTRIBS);
    gl::BindVertexArray(gen_vertex_array());
    let source = buffer(gl::ARRAY_BUFFER, &[ONE; 4]);
    gl::EnableVertexAttribArray(0);
    gl::VertexAttribPointer(0, 1, gl::FIXED, gl::FALSE, 0, std::ptr::null());
    let expect = |expected: f32, what: &str| {
        for _ in 0..2 {
            let got = capture(gl::POINTS, 8, f32::NAN, || gl::DrawArrays(gl::POINTS, 1, 2));
            assert_eq!([got[0], got[4]], [expected; 2], "{what}");
        }
    };
    expect(1.0, "as made");
    let write = |value: i32| {
        let values = [value * ONE; 4];
        gl::BufferSubData(gl::ARRAY_BUFFER, 0, 16, values.as_ptr().cast());
    };
    write(2);
    expect(2.0, "glBufferSubData");
    let values = [3 * ONE; 4];
    gl::BufferData(gl::ARRAY_BUFFER, 16, values.as_ptr().cast(), gl::STATIC_DRAW);
    expect(3.0, "glBufferData");
    let mapped = gl::MapBuffer(gl::ARRAY_BUFFER, gl::WRITE_ONLY).cast::<i32>();
    assert!(!mapped.is_null());
    // SAFETY: GL 3.3 core 2.9.3: the mapping holds the buffer's 16 bytes.
    unsafe { mapped.copy_from_nonoverlapping([4 * ONE; 4].as_ptr(), 4) };
    gl::UnmapBuffer(gl::ARRAY_BUFFER);
    expect(4.0, "a mapping");
    let other = buffer(gl::COPY_READ_BUFFER, &[5 * ONE; 4]);
    gl::BindBuffer(gl::COPY_WRITE_BUFFER, source);
    gl::CopyBufferSubData(gl::COPY_READ_BUFFER, gl::COPY_WRITE_BUFFER, 0, 0, 16);
    expect(5.0, "a copy");
    // Captured into: the device writes, and goes on to where commands say nothing.
    let program = capturing_program(
        "#version 330 core\nflat out int seen;\nvoid main() { seen = 6 << 16; gl_Position = vec4(0.0); }",
        &["seen"],
        gl::INTERLEAVED_ATTRIBS,
    );
    gl::BindBufferBase(gl::TRANSFORM_FEEDBACK_BUFFER, 0, source);
    gl::Enable(gl::RASTERIZER_DISCARD);
    gl::DisableVertexAttribArray(0);
    gl::BeginTransformFeedback(gl::POINTS);
    gl::DrawArrays(gl::POINTS, 0, 4);
    gl::EndTransformFeedback();
    gl::Disable(gl::RASTERIZER_DISCARD);
    gl::EnableVertexAttribArray(0);
    program.delete();
    capturing_program(FLOAT_VS, &["seen"], gl::INTERLEAVED_ATTRIBS);
    expect(6.0, "a capture");
    gl::DeleteBuffers(1, &other);
}

fn bytes(_: &Env) {
    let data = [-128_i8, -1, 0, 127];
    expect_near(&seen(&data, 4, gl::BYTE, gl::FALSE), &[-128.0, -1.0, 0.0, 127.0], 0.0);
    expect_signed(&seen(&data, 4, gl::BYTE, gl::TRUE), [-128.0, -1.0, 0.0, 127.0], 8);
}

fn unsigned_bytes(_: &Env) {
    let data = [0_u8, 1, 128, 255];
    expect_near(&seen(&data, 4, gl::UNSIGNED_BYTE, gl::FALSE), &[0.0, 1.0, 128.0, 255.0], 0.0);
    let expected = [0.0, 1.0 / 255.0, 128.0 / 255.0, 1.0];
    expect_near(&seen(&data, 4, gl::UNSIGNED_BYTE, gl::TRUE), &expected, 1e-6);
}

fn shorts(_: &Env) {
    let data = [-32768_i16, -300, 1, 32767];
    expect_near(&seen(&data, 4, gl::SHORT, gl::FALSE), &[-32768.0, -300.0, 1.0, 32767.0], 0.0);
    expect_signed(&seen(&data, 4, gl::SHORT, gl::TRUE), [-32768.0, -300.0, 1.0, 32767.0], 16);
}

fn unsigned_shorts(_: &Env) {
    let data = [0_u16, 7, 40000, 65535];
    expect_near(&seen(&data, 4, gl::UNSIGNED_SHORT, gl::FALSE), &[0.0, 7.0, 40000.0, 65535.0], 0.0);
    let expected = [0.0, 7.0 / 65535.0, 40000.0 / 65535.0, 1.0];
    expect_near(&seen(&data, 4, gl::UNSIGNED_SHORT, gl::TRUE), &expected, 1e-6);
}

fn ints(_: &Env) {
    let data = [i32::MIN, -5, 65536, i32::MAX];
    let expected = [-2147483648.0, -5.0, 65536.0, 2147483648.0];
    expect_near(&seen(&data, 4, gl::INT, gl::FALSE), &expected, 0.0);
    expect_near(&seen(&data, 4, gl::INT, gl::TRUE), &[-1.0, 0.0, 65536.0 / 2147483648.0, 1.0], 1e-6);
}

fn unsigned_ints(_: &Env) {
    let data = [0_u32, 9, 1 << 31, u32::MAX];
    let expected = [0.0, 9.0, 2147483648.0, 4294967296.0];
    expect_near(&seen(&data, 4, gl::UNSIGNED_INT, gl::FALSE), &expected, 0.0);
    expect_near(&seen(&data, 4, gl::UNSIGNED_INT, gl::TRUE), &[0.0, 0.0, 0.5, 1.0], 1e-6);
}

/// 2.1.2: 1, -2, 65504 and the smallest denormal.
fn half_floats(_: &Env) {
    let data = [0x3c00_u16, 0xc000, 0x7bff, 0x0001];
    let expected = [1.0, -2.0, 65504.0, 5.960_464_5e-8];
    expect_near(&seen(&data, 4, gl::HALF_FLOAT, gl::FALSE), &expected, 1e-12);
}

fn floats(_: &Env) {
    let data = [1.5_f32, -0.25, 1e30, 3e-30];
    let got = seen(&data, 4, gl::FLOAT, gl::FALSE);
    assert_eq!(got, data);
}

fn doubles(_: &Env) {
    let data = [1.5_f64, -0.25, 1e10, 0.1];
    expect_near(&seen(&data, 4, gl::DOUBLE, gl::FALSE), &[1.5, -0.25, 1e10, 0.1], 0.0);
}

fn pack(x: i32, y: i32, z: i32, w: i32) -> u32 {
    let field = |value: i32, at: u32, bits: u32| (value as u32 & ((1 << bits) - 1)) << at;
    field(x, 0, 10) | field(y, 10, 10) | field(z, 20, 10) | field(w, 30, 2)
}

/// x sits in the low bits.
fn packed_signed(_: &Env) {
    let data = [pack(-512, 511, 3, -2)];
    let kind = gl::INT_2_10_10_10_REV;
    expect_near(&seen(&data, 4, kind, gl::FALSE), &[-512.0, 511.0, 3.0, -2.0], 0.0);
    let got = seen(&data, 4, kind, gl::TRUE);
    expect_signed(&got[..3], [-512.0, 511.0, 3.0, 0.0], 10);
    expect_signed(&got[3..], [-2.0, 0.0, 0.0, 0.0], 2);
}

fn packed_unsigned(_: &Env) {
    let data = [pack(1023, 512, 0, 1)];
    let kind = gl::UNSIGNED_INT_2_10_10_10_REV;
    expect_near(&seen(&data, 4, kind, gl::FALSE), &[1023.0, 512.0, 0.0, 1.0], 0.0);
    expect_near(&seen(&data, 4, kind, gl::TRUE), &[1.0, 512.0 / 1023.0, 0.0, 1.0 / 3.0], 1e-6);
}

/// ARB_vertex_type_10f_11f_11f_rev: unsigned floats of 11, 11 and 10 bits; three components only.
fn packed_floats(_: &Env) {
    // 1.0 is exponent 15 with no mantissa; 0.5 exponent 14; 2.0 exponent 16.
    let data = [15_u32 << 6 | (14 << 6) << 11 | (16 << 5) << 22];
    let got = seen(&data, 3, gl::UNSIGNED_INT_10F_11F_11F_REV, gl::FALSE);
    expect_near(&got, &[1.0, 0.5, 2.0, 1.0], 0.0);
    gl::VertexAttribPointer(0, 4, gl::UNSIGNED_INT_10F_11F_11F_REV, gl::FALSE, 0, std::ptr::null());
    gallite_tests::draw::expect_error(gl::INVALID_OPERATION, "four components");
}

/// 2.8: size BGRA swaps the first and third component.
fn bgra_order(_: &Env) {
    let data = [10_u8, 20, 30, 40];
    let got = seen(&data, gl::BGRA as i32, gl::UNSIGNED_BYTE, gl::TRUE);
    expect_near(&got, &[30.0 / 255.0, 20.0 / 255.0, 10.0 / 255.0, 40.0 / 255.0], 1e-6);
    let data = [pack(1023, 0, 511, 3)];
    let got = seen(&data, gl::BGRA as i32, gl::UNSIGNED_INT_2_10_10_10_REV, gl::TRUE);
    expect_near(&got, &[511.0 / 1023.0, 0.0, 1.0, 1.0], 1e-6);
}

fn seen_integer<T: Copy, R: Copy>(data: &[T], size: i32, kind: u32, glsl: &str, fill: R) -> Vec<R> {
    let source = format!(
        "#version 330 core
layout(location = 0) in {glsl} value;
flat out {glsl} seen;
void main() {{ seen = value; gl_Position = vec4(0.0); }}
"
    );
    capturing_program(&source, &["seen"], gl::INTERLEAVED_ATTRIBS);
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, data);
    gl::EnableVertexAttribArray(0);
    gl::VertexAttribIPointer(0, size, kind, 0, std::ptr::null());
    capture(gl::POINTS, 4, fill, || gl::DrawArrays(gl::POINTS, 0, 1))
}

fn integer_attributes(_: &Env) {
    let got = seen_integer(&[-128_i8, -1, 0, 127], 4, gl::BYTE, "ivec4", 99);
    assert_eq!(got, [-128, -1, 0, 127]);
    let got = seen_integer(&[-32768_i16, -1, 0, 32767], 4, gl::SHORT, "ivec4", 99);
    assert_eq!(got, [-32768, -1, 0, 32767]);
    let got = seen_integer(&[i32::MIN, -1, 0, i32::MAX], 4, gl::INT, "ivec4", 99);
    assert_eq!(got, [i32::MIN, -1, 0, i32::MAX]);
}

fn unsigned_integer_attributes(_: &Env) {
    let got = seen_integer(&[0_u8, 1, 128, 255], 4, gl::UNSIGNED_BYTE, "uvec4", 99_u32);
    assert_eq!(got, [0, 1, 128, 255]);
    let got = seen_integer(&[0_u16, 1, 40000, 65535], 4, gl::UNSIGNED_SHORT, "uvec4", 99_u32);
    assert_eq!(got, [0, 1, 40000, 65535]);
    let got = seen_integer(&[0_u32, 1, 1 << 31, u32::MAX], 4, gl::UNSIGNED_INT, "uvec4", 99_u32);
    assert_eq!(got, [0, 1, 1 << 31, u32::MAX]);
}

/// 2.8: absent y and z are 0, absent w is 1.
fn missing_components_are_zero_zero_one(_: &Env) {
    for (kind, size) in [(1, 4), (2, 4), (3, 4)] {
        let data = [0.5_f32, 0.25, 0.125, 0.75];
        let got = seen(&data, kind, gl::FLOAT, gl::FALSE);
        let mut expected = [0.0, 0.0, 0.0, 1.0];
        expected[..kind as usize].copy_from_slice(&data[..kind as usize]);
        expect_near(&got[..size], &expected, 0.0);
    }
    let got = seen(&[255_u8, 0, 255, 0], 3, gl::UNSIGNED_BYTE, gl::TRUE);
    expect_near(&got, &[1.0, 0.0, 1.0, 1.0], 0.0);
    let got = seen(&[51_u8, 255, 0, 0], 1, gl::UNSIGNED_BYTE, gl::TRUE);
    expect_near(&got, &[0.2, 0.0, 0.0, 1.0], 1e-6);
    let got = seen(&[0x3c00_u16, 0xc000, 0x4000, 0], 3, gl::HALF_FLOAT, gl::FALSE);
    expect_near(&got, &[1.0, -2.0, 2.0, 1.0], 0.0);
}

fn integer_missing_components(_: &Env) {
    let got = seen_integer(&[-3_i32, 4, 5, 6], 2, gl::INT, "ivec4", 99);
    assert_eq!(got, [-3, 4, 0, 1]);
    let got = seen_integer(&[7_u8, 8, 9, 10], 3, gl::UNSIGNED_BYTE, "uvec4", 99_u32);
    assert_eq!(got, [7, 8, 9, 1]);
}

/// 2.9: any byte stride and offset is allowed.
fn unaligned_stride_and_offset(_: &Env) {
    capturing_program(FLOAT_VS, &["seen"], gl::INTERLEAVED_ATTRIBS);
    gl::BindVertexArray(gen_vertex_array());
    let bytes: Vec<u8> = (0..64).collect();
    buffer(gl::ARRAY_BUFFER, &bytes);
    gl::EnableVertexAttribArray(0);
    gl::VertexAttribPointer(0, 3, gl::UNSIGNED_BYTE, gl::FALSE, 7, 5 as *const _);
    let got = capture(gl::POINTS, 12, f32::NAN, || gl::DrawArrays(gl::POINTS, 0, 3));
    let expected = [5.0, 6.0, 7.0, 1.0, 12.0, 13.0, 14.0, 1.0, 19.0, 20.0, 21.0, 1.0];
    expect_near(&got, &expected, 0.0);
    gl::VertexAttribPointer(0, 1, gl::UNSIGNED_SHORT, gl::FALSE, 3, std::ptr::dangling());
    let got = capture(gl::POINTS, 8, f32::NAN, || gl::DrawArrays(gl::POINTS, 0, 2));
    let expected = [513.0, 0.0, 0.0, 1.0, 1284.0, 0.0, 0.0, 1.0];
    expect_near(&got, &expected, 0.0);
}

/// 2.9: so are places that are no multiple of a component's size; moving to one and back is noticed.
fn unaligned_components(_: &Env) {
    capturing_program(FLOAT_VS, &["seen"], gl::INTERLEAVED_ATTRIBS);
    gl::BindVertexArray(gen_vertex_array());
    let mut bytes = vec![0_u8; 64];
    for (at, value) in [(0, 1.5_f32), (5, -2.0), (12, 0.25), (17, 8.0)] {
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    buffer(gl::ARRAY_BUFFER, &bytes);
    gl::EnableVertexAttribArray(0);
    let two = || capture(gl::POINTS, 8, f32::NAN, || gl::DrawArrays(gl::POINTS, 0, 2));
    for (stride, offset, values) in [
        (12, 0_usize, [1.5_f32, 0.25]),
        (12, 5, [-2.0, 8.0]),
        (12, 0, [1.5, 0.25]),
        (5, 0, [1.5, -2.0]),
        (5, 12, [0.25, 8.0]),
    ] {
        gl::VertexAttribPointer(0, 1, gl::FLOAT, gl::FALSE, stride, offset as *const _);
        expect_near(&two(), &[values[0], 0.0, 0.0, 1.0, values[1], 0.0, 0.0, 1.0], 0.0);
    }
    // Indices choose any element, and instances step through them.
    gl::VertexAttribPointer(0, 1, gl::FLOAT, gl::FALSE, 12, 5 as *const _);
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[1_u16, 0]);
    let draw = || gl::DrawElements(gl::POINTS, 2, gl::UNSIGNED_SHORT, std::ptr::null());
    expect_near(&capture(gl::POINTS, 8, f32::NAN, draw), &[8.0, 0.0, 0.0, 1.0, -2.0, 0.0, 0.0, 1.0], 0.0);
    gl::VertexAttribDivisor(0, 1);
    let draw = || gl::DrawArraysInstanced(gl::POINTS, 0, 1, 2);
    expect_near(&capture(gl::POINTS, 8, f32::NAN, draw), &[-2.0, 0.0, 0.0, 1.0, 8.0, 0.0, 0.0, 1.0], 0.0);
    gl::VertexAttribDivisor(0, 0);
    // A place so far out that adding to it would wrap reads nothing.
    gl::VertexAttribPointer(0, 1, gl::FLOAT, gl::FALSE, 4, usize::MAX as *const _);
    gl::DrawArrays(gl::POINTS, 0, 2);
    expect_no_error("a draw from beyond the buffer");
    let data = [0_u8, 0x00, 0x80, 0xff, 0xff, 0, 0, 0];
    buffer(gl::ARRAY_BUFFER, &data);
    gl::VertexAttribPointer(0, 2, gl::UNSIGNED_SHORT, gl::TRUE, 0, std::ptr::dangling());
    let got = capture(gl::POINTS, 4, f32::NAN, || gl::DrawArrays(gl::POINTS, 0, 1));
    expect_near(&got, &[32768.0 / 65535.0, 1.0, 0.0, 1.0], 1e-6);
}

/// 2.8: the errors of the pointer commands; the old pointer stays.
fn format_errors(_: &Env) {
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[0_u8; 64]);
    vertex_attrib(0, 3, 12, 0);
    let null = std::ptr::null();
    let max = gallite_tests::draw::get_i32(gl::MAX_VERTEX_ATTRIBS) as u32;
    for (code, what, call) in [
        (gl::INVALID_VALUE, "index", (max, 4, gl::FLOAT, 0_u8, 0)),
        (gl::INVALID_VALUE, "size 0", (0, 0, gl::FLOAT, 0, 0)),
        (gl::INVALID_VALUE, "size 5", (0, 5, gl::FLOAT, 0, 0)),
        (gl::INVALID_VALUE, "stride", (0, 4, gl::FLOAT, 0, -1)),
        (gl::INVALID_ENUM, "type", (0, 4, gl::RGBA, 0, 0)),
        (gl::INVALID_OPERATION, "BGRA of floats", (0, gl::BGRA as i32, gl::FLOAT, 1, 0)),
        (gl::INVALID_OPERATION, "BGRA not normalised", (0, gl::BGRA as i32, gl::UNSIGNED_BYTE, 0, 0)),
        (gl::INVALID_OPERATION, "packed of 3", (0, 3, gl::INT_2_10_10_10_REV, 0, 0)),
    ] {
        let (index, size, kind, normalized, stride) = call;
        gl::VertexAttribPointer(index, size, kind, normalized, stride, null);
        expect_error(code, what);
        expect_size_three(what);
    }
    gl::VertexAttribIPointer(0, 4, gl::FLOAT, 0, null);
    expect_error(gl::INVALID_ENUM, "float through the integer command");
    gl::VertexAttribIPointer(0, gl::BGRA as i32, gl::UNSIGNED_BYTE, 0, null);
    expect_error(gl::INVALID_VALUE, "BGRA through the integer command");
    expect_size_three("the integer command");
}

#[track_caller]
fn expect_size_three(what: &str) {
    let mut size = 0;
    gl::GetVertexAttribiv(0, gl::VERTEX_ATTRIB_ARRAY_SIZE, &mut size);
    assert_eq!(size, 3, "after {what}");
}
