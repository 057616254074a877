//! A draw in steady state allocates nothing in the state tracker: every kind of draw, with and without the changes that
//! programs make between two of them, counted by an allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_void};
use std::sync::Arc;

use gallite_gl::context::{Context, ContextConfig};
use gallite_gl::device::Device;
use gallite_gl::entry;
use gallite_gl::gl::*;
use gallite_noop::NoopScreen;

thread_local! {
    /// Allocations of this thread.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: GlobalAlloc: every call goes to the system's allocator as it came; the counter neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: as above.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Calls a GL command by name.
macro_rules! gl {
    ($name:literal ($($ty:ty),*) $(-> $ret:ty)? ; $($value:expr),*) => {{
        let found = entry::proc_address($name.as_bytes()).expect($name);
        // SAFETY: the registry's prototype of the command, spelled at each use; pointers are of live objects.
        unsafe {
            std::mem::transmute::<*const (), unsafe extern "C" fn($($ty),*) $(-> $ret)?>(found.address())($($value),*)
        }
    }};
}

fn shader(kind: GLenum, source: &CStr) -> GLuint {
    let shader = gl!("glCreateShader"(GLenum) -> GLuint; kind);
    let text = source.as_ptr();
    gl!("glShaderSource"(GLuint, GLsizei, *const *const c_char, *const GLint); shader, 1, &raw const text, std::ptr::null());
    gl!("glCompileShader"(GLuint); shader);
    shader
}

/// A program, a vertex array with indices, two textures and a framebuffer, all bound.
fn scene() -> GLint {
    let program = gl!("glCreateProgram"() -> GLuint;);
    let vertex = c"#version 330 core\nlayout(location = 0) in vec4 p; void main() { gl_Position = p; }\n";
    let fragment = c"#version 330 core\nuniform vec4 tint; uniform sampler2D t; out vec4 c; void main() { c = tint * texture(t, tint.xy); }\n";
    for (kind, source) in [(GL_VERTEX_SHADER, vertex), (GL_FRAGMENT_SHADER, fragment)] {
        gl!("glAttachShader"(GLuint, GLuint); program, shader(kind, source));
    }
    gl!("glLinkProgram"(GLuint); program);
    gl!("glUseProgram"(GLuint); program);
    let mut name = 0;
    gl!("glGenVertexArrays"(GLsizei, *mut GLuint); 1, &raw mut name);
    gl!("glBindVertexArray"(GLuint); name);
    for target in [GL_ARRAY_BUFFER, GL_ELEMENT_ARRAY_BUFFER] {
        gl!("glGenBuffers"(GLsizei, *mut GLuint); 1, &raw mut name);
        gl!("glBindBuffer"(GLenum, GLuint); target, name);
        gl!("glBufferData"(GLenum, GLsizeiptr, *const c_void, GLenum); target, 4096, std::ptr::null(), GL_STATIC_DRAW);
    }
    gl!("glVertexAttribPointer"(GLuint, GLint, GLenum, GLboolean, GLsizei, *const c_void); 0, 4, GL_FLOAT, 0, 0, std::ptr::null());
    gl!("glEnableVertexAttribArray"(GLuint); 0);
    gl!("glGenRenderbuffers"(GLsizei, *mut GLuint); 1, &raw mut name);
    gl!("glBindRenderbuffer"(GLenum, GLuint); GL_RENDERBUFFER, name);
    gl!("glRenderbufferStorage"(GLenum, GLenum, GLsizei, GLsizei); GL_RENDERBUFFER, GL_RGBA8, 16, 16);
    let color = name;
    gl!("glGenFramebuffers"(GLsizei, *mut GLuint); 1, &raw mut name);
    gl!("glBindFramebuffer"(GLenum, GLuint); GL_FRAMEBUFFER, name);
    gl!("glFramebufferRenderbuffer"(GLenum, GLenum, GLenum, GLuint); GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    for _ in 0..2 {
        gl!("glGenTextures"(GLsizei, *mut GLuint); 1, &raw mut name);
        gl!("glBindTexture"(GLenum, GLuint); GL_TEXTURE_2D, name);
        gl!("glTexImage2D"(GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, *const c_void);
            GL_TEXTURE_2D, 0, GL_RGBA8 as GLint, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, std::ptr::null());
    }
    gl!("glGetUniformLocation"(GLuint, *const c_char) -> GLint; program, c"tint".as_ptr())
}

fn error() -> GLenum {
    gl!("glGetError"() -> GLenum;)
}

/// Allocations of a hundred rounds after some that fill what is kept.
fn counted(mut round: impl FnMut(u32)) -> u64 {
    (0..8).for_each(&mut round);
    assert_eq!(error(), GL_NO_ERROR);
    let before = ALLOCATIONS.get();
    (0..100).for_each(&mut round);
    let made = ALLOCATIONS.get() - before;
    assert_eq!(error(), GL_NO_ERROR);
    made
}

fn arrays() {
    gl!("glDrawArrays"(GLenum, GLint, GLsizei); GL_TRIANGLES, 0, 3);
}

#[test]
fn draws_allocate_nothing() {
    let device = Arc::new(Device::new(Arc::new(NoopScreen::new()), None));
    let context = Context::new(&device, &ContextConfig::default(), None).expect("a context");
    drop(entry::make_current(Some(context)));
    // On this thread alone: what others compile would not be counted, and might be under way when the process ends.
    gl!("glMaxShaderCompilerThreadsKHR"(GLuint); 0);
    let tint = scene();
    let (firsts, counts, offsets) = ([0 as GLint; 8], [3 as GLsizei; 8], [std::ptr::null::<c_void>(); 8]);
    let kinds: [(&str, &dyn Fn(u32)); 9] = [
        ("arrays", &|_| arrays()),
        ("elements", &|_| {
            gl!("glDrawElements"(GLenum, GLsizei, GLenum, *const c_void); GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, std::ptr::null());
        }),
        ("several arrays", &|_| {
            gl!("glMultiDrawArrays"(GLenum, *const GLint, *const GLsizei, GLsizei); GL_TRIANGLES, firsts.as_ptr(), counts.as_ptr(), 8);
        }),
        ("several elements", &|_| {
            gl!("glMultiDrawElements"(GLenum, *const GLsizei, GLenum, *const *const c_void, GLsizei);
                GL_TRIANGLES, counts.as_ptr(), GL_UNSIGNED_SHORT, offsets.as_ptr(), 8);
        }),
        ("a uniform", &|i| {
            gl!("glUniform4f"(GLint, GLfloat, GLfloat, GLfloat, GLfloat); tint, i as GLfloat, 0.0, 0.0, 1.0);
            arrays();
        }),
        ("blending", &|i| {
            if i % 2 == 0 {
                gl!("glEnable"(GLenum); GL_BLEND)
            } else {
                gl!("glDisable"(GLenum); GL_BLEND)
            }
            arrays();
        }),
        ("the viewport", &|i| {
            gl!("glViewport"(GLint, GLint, GLsizei, GLsizei); (i % 4) as GLint, 0, 16, 16);
            arrays();
        }),
        ("a texture", &|i| {
            gl!("glBindTexture"(GLenum, GLuint); GL_TEXTURE_2D, 1 + i % 2);
            arrays();
        }),
        ("an attribute's offset", &|i| {
            gl!("glVertexAttribPointer"(GLuint, GLint, GLenum, GLboolean, GLsizei, *const c_void);
                0, 4, GL_FLOAT, 0, 0, ((i % 2) as usize * 16) as *const c_void);
            arrays();
        }),
    ];
    for (what, round) in kinds {
        assert_eq!(counted(round), 0, "{what}");
    }
    // Negative control: the allocator does count what a command allocates.
    let made = counted(|_| {
        let _ = shader(GL_VERTEX_SHADER, c"void main() {}");
    });
    assert!(made >= 100, "{made}");
    drop(entry::make_current(None));
}
