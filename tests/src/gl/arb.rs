//! Commands of extensions that no version took up.

use super::loader::gl_functions;

gl_functions! {
    fn DispatchComputeGroupSizeARB(groups_x: u32, groups_y: u32, groups_z: u32, size_x: u32, size_y: u32, size_z: u32);
    fn GetUniformi64vARB(program: u32, location: i32, params: *mut i64);
    fn GetUniformui64vARB(program: u32, location: i32, params: *mut u64);
    fn GetnUniformi64vARB(program: u32, location: i32, buf_size: i32, params: *mut i64);
    fn GetnUniformui64vARB(program: u32, location: i32, buf_size: i32, params: *mut u64);
    fn ProgramUniform1i64ARB(program: u32, location: i32, v0: i64);
    fn ProgramUniform1i64vARB(program: u32, location: i32, count: i32, value: *const i64);
    fn ProgramUniform1ui64ARB(program: u32, location: i32, v0: u64);
    fn ProgramUniform1ui64vARB(program: u32, location: i32, count: i32, value: *const u64);
    fn ProgramUniform2i64ARB(program: u32, location: i32, v0: i64, v1: i64);
    fn ProgramUniform2i64vARB(program: u32, location: i32, count: i32, value: *const i64);
    fn ProgramUniform2ui64ARB(program: u32, location: i32, v0: u64, v1: u64);
    fn ProgramUniform2ui64vARB(program: u32, location: i32, count: i32, value: *const u64);
    fn ProgramUniform3i64ARB(program: u32, location: i32, v0: i64, v1: i64, v2: i64);
    fn ProgramUniform3i64vARB(program: u32, location: i32, count: i32, value: *const i64);
    fn ProgramUniform3ui64ARB(program: u32, location: i32, v0: u64, v1: u64, v2: u64);
    fn ProgramUniform3ui64vARB(program: u32, location: i32, count: i32, value: *const u64);
    fn ProgramUniform4i64ARB(program: u32, location: i32, v0: i64, v1: i64, v2: i64, v3: i64);
    fn ProgramUniform4i64vARB(program: u32, location: i32, count: i32, value: *const i64);
    fn ProgramUniform4ui64ARB(program: u32, location: i32, v0: u64, v1: u64, v2: u64, v3: u64);
    fn ProgramUniform4ui64vARB(program: u32, location: i32, count: i32, value: *const u64);
    fn Uniform1i64ARB(location: i32, v0: i64);
    fn Uniform1i64vARB(location: i32, count: i32, value: *const i64);
    fn Uniform1ui64ARB(location: i32, v0: u64);
    fn Uniform1ui64vARB(location: i32, count: i32, value: *const u64);
    fn Uniform2i64ARB(location: i32, v0: i64, v1: i64);
    fn Uniform2i64vARB(location: i32, count: i32, value: *const i64);
    fn Uniform2ui64ARB(location: i32, v0: u64, v1: u64);
    fn Uniform2ui64vARB(location: i32, count: i32, value: *const u64);
    fn Uniform3i64ARB(location: i32, v0: i64, v1: i64, v2: i64);
    fn Uniform3i64vARB(location: i32, count: i32, value: *const i64);
    fn Uniform3ui64ARB(location: i32, v0: u64, v1: u64, v2: u64);
    fn Uniform3ui64vARB(location: i32, count: i32, value: *const u64);
    fn Uniform4i64ARB(location: i32, v0: i64, v1: i64, v2: i64, v3: i64);
    fn Uniform4i64vARB(location: i32, count: i32, value: *const i64);
    fn Uniform4ui64ARB(location: i32, v0: u64, v1: u64, v2: u64, v3: u64);
    fn Uniform4ui64vARB(location: i32, count: i32, value: *const u64);
}
