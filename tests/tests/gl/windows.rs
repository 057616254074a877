//! The default framebuffer of a window: orientation, resize, swaps. GL 3.3 core 2.13, 4.1, 4.3; EGL 1.5 3.5, 3.10.

use gallite_tests::draw::{
    Image, SOLID_VS, Target, buffer, expect_error, expect_no_error, gen_texture, gen_vertex_array, get_i32, get_i32s,
    program, quad, rect, solid, vertex_attrib,
};
use gallite_tests::egl::{self, Handle};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::{Connection, Env, Window};

gl_tests! {
    render x11(): lesson_24_a_window_is_drawn_as_a_framebuffer_is, lesson_24_pixels_move_the_right_way_up,
        lesson_24_the_server_shows_the_top_row_first, lesson_24_resized_windows, two_windows_and_two_contexts,
        one_context_and_several_windows, windows_of_two_threads, buffer_age_and_damage, xcb_display, intervals,
        sample_positions, buffers_by_name, buffers_given_up;
    lesser x11(): srgb_windows;
}

const GREEN: [u8; 4] = [0, 255, 0, 255];
const NONE: Handle = egl::NONE_HANDLE;

/// A display on the test's X connection, and what goes with it.
pub struct Session {
    display: Handle,
    config: Handle,
}

impl Session {
    pub fn new(platform: u32, native: *mut std::ffi::c_void, samples: i32) -> Self {
        let display = egl::GetPlatformDisplay(platform, native, std::ptr::null());
        assert!(!display.is_null(), "eglGetPlatformDisplay: {:#x}", egl::GetError());
        assert_eq!(egl::Initialize(display, &mut 0, &mut 0), egl::TRUE, "{:#x}", egl::GetError());
        let attributes = [
            egl::SURFACE_TYPE,
            egl::WINDOW_BIT,
            egl::RENDERABLE_TYPE,
            egl::OPENGL_BIT,
            egl::RED_SIZE,
            8,
            egl::ALPHA_SIZE,
            0,
            egl::DEPTH_SIZE,
            24,
            egl::STENCIL_SIZE,
            8,
            egl::SAMPLES,
            samples,
            egl::NONE,
        ];
        let (mut config, mut count) = (NONE, 0);
        assert_eq!(egl::ChooseConfig(display, attributes.as_ptr(), &mut config, 1, &mut count), egl::TRUE);
        assert_eq!(count, 1, "a config for windows");
        assert_eq!(egl::BindAPI(egl::OPENGL_API), egl::TRUE);
        Self { display, config }
    }

    fn xlib(connection: &Connection) -> Self {
        Self::new(egl::PLATFORM_X11_KHR, connection.native(), 0)
    }

    fn context(&self, share: Handle) -> Handle {
        let attributes = [
            egl::CONTEXT_MAJOR_VERSION,
            3,
            egl::CONTEXT_MINOR_VERSION,
            3,
            egl::CONTEXT_OPENGL_PROFILE_MASK,
            egl::CONTEXT_OPENGL_CORE_PROFILE_BIT,
            egl::NONE,
        ];
        let context = egl::CreateContext(self.display, self.config, share, attributes.as_ptr());
        assert!(!context.is_null(), "{:#x}", egl::GetError());
        context
    }

    fn surface(&self, window: &Window<'_>) -> Handle {
        let surface = egl::CreateWindowSurface(self.display, self.config, window.id(), std::ptr::null());
        assert!(!surface.is_null(), "{:#x}", egl::GetError());
        surface
    }

    fn make_current(&self, surface: Handle, context: Handle) {
        let made = egl::MakeCurrent(self.display, surface, surface, context);
        assert_eq!(made, egl::TRUE, "{:#x}", egl::GetError());
    }

    pub fn swap(&self, surface: Handle) {
        assert_eq!(egl::SwapBuffers(self.display, surface), egl::TRUE, "{:#x}", egl::GetError());
    }
}

impl Drop for Session {
    /// Also after a failure, so that the display is gone before the connection under it.
    fn drop(&mut self) {
        egl::MakeCurrent(self.display, NONE, NONE, NONE);
        egl::Terminate(self.display);
    }
}

/// Fails unless the server comes to show `expected`, top row first. Presentation may take a moment.
#[track_caller]
fn expect_shown_each(window: &Window<'_>, width: i32, height: i32, expected: impl Fn(i32, i32) -> u32) {
    let wanted: Vec<u32> = (0..width * height).map(|at| expected(at % width, at / width)).collect();
    let begin = std::time::Instant::now();
    loop {
        let shown = window.shown(width as u32, height as u32);
        let wrong = shown.iter().zip(&wanted).position(|(a, b)| a != b);
        let Some(at) = wrong else { return };
        if begin.elapsed().as_secs() >= 3 {
            panic!("pixel {at} of {width}x{height} shows {:#x}, expected {:#x}", shown[at], wanted[at]);
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// Runs `work` with a window of this size that is current to a context.
pub fn in_window(width: u32, height: u32, work: impl FnOnce(&Session, &Window<'_>, Handle)) {
    in_multisampled_window(0, width, height, work);
}

/// The same with so many samples.
pub fn in_multisampled_window(samples: i32, width: u32, height: u32, work: impl FnOnce(&Session, &Window<'_>, Handle)) {
    let connection = Connection::open();
    let session = Session::new(egl::PLATFORM_X11_KHR, connection.native(), samples);
    let window = Window::new(&connection, width, height);
    let surface = session.surface(&window);
    let context = session.context(NONE);
    session.make_current(surface, context);
    work(&session, &window, surface);
    expect_no_error("at the end");
}

/// Columns of the windows that scenes are drawn to.
pub const W: i32 = 24;
/// Rows of them.
pub const H: i32 = 16;

/// Draws with all that depends on which way is up, into whatever is bound.
fn scene(pattern: u32) {
    gl::Viewport(0, 0, W, H);
    gl::ClearColor(0.0, 0.0, 0.2, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    // A clear with scissor at the lower left.
    gl::Enable(gl::SCISSOR_TEST);
    gl::Scissor(1, 2, 5, 3);
    gl::ClearColor(1.0, 0.0, 0.0, 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gl::Disable(gl::SCISSOR_TEST);
    // Window coordinates, at the upper right.
    let coordinates = "#version 330 core
out vec4 result;
void main() { result = vec4(floor(gl_FragCoord.xy) / 255.0, 0.0, 1.0); }
";
    program(SOLID_VS, coordinates);
    gl::Viewport(12, 8, 10, 6);
    quad();
    // Facing and culling in the middle below.
    let facing = "#version 330 core
out vec4 result;
void main() { result = gl_FrontFacing ? vec4(0, 1, 0, 1) : vec4(1, 0, 1, 1); }
";
    program(SOLID_VS, facing);
    gl::Enable(gl::CULL_FACE);
    gl::Viewport(8, 1, 4, 3);
    quad();
    gl::Disable(gl::CULL_FACE);
    // A point sprite, whose t runs down, and derivatives.
    let sprite = "#version 330 core
out vec4 result;
void main() { result = vec4(gl_PointCoord, dFdy(gl_FragCoord.y) * 0.5 + 0.5, 1.0); }
";
    program(SOLID_VS, sprite);
    gl::Viewport(0, 0, W, H);
    gl::PointSize(4.0);
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[16.0 / W as f32 * 2.0 - 1.0, 4.0 / H as f32 * 2.0 - 1.0]);
    vertex_attrib(0, 2, 0, 0);
    gl::DrawArrays(gl::POINTS, 0, 1);
    // A line from the lower left upwards, and a textured strip at the upper left.
    solid([1.0; 4]);
    buffer(gl::ARRAY_BUFFER, &[-0.95_f32, -0.95, -0.95, 0.5]);
    vertex_attrib(0, 2, 0, 0);
    gl::DrawArrays(gl::LINES, 0, 2);
    let textured = "#version 330 core
uniform sampler2D image;
out vec4 result;
void main() { result = texelFetch(image, ivec2(gl_FragCoord.xy) & 3, 0); }
";
    program(SOLID_VS, textured);
    gl::BindTexture(gl::TEXTURE_2D, pattern);
    gl::Viewport(2, 9, 6, 5);
    quad();
    expect_no_error("scene");
}

/// A 4x4 texture with a colour for each texel.
fn pattern() -> u32 {
    let texels: Vec<[u8; 4]> = (0..16).map(|i| [i % 4 * 60, i / 4 * 60, 99, 255]).collect();
    gallite_tests::draw::texture_2d(gl::RGBA8, 4, 4, gl::RGBA, gl::UNSIGNED_BYTE, Some(&texels))
}

/// The same calls, in a framebuffer object and in the window, give the same pixels.
fn lesson_24_a_window_is_drawn_as_a_framebuffer_is(_: &Env) {
    in_window(W as u32, H as u32, |session, _, surface| {
        let pattern = pattern();
        let target = Target::new(W, H);
        scene(pattern);
        let expected = target.image();
        expected.expect(3, 3, [255, 0, 0, 255]);
        expected.expect(20, 12, [20, 12, 0, 255]);
        expected.expect(9, 2, GREEN);
        for frame in 0..3 {
            gl::BindFramebuffer(gl::FRAMEBUFFER, 0);
            scene(pattern);
            let got = Image::read(0, 0, W, H);
            got.expect_each_near(1, |x, y| expected.at(x, y));
            // Parts are read from where they are.
            let part = Image::read(11, 7, 9, 6);
            part.expect_each_near(1, |x, y| expected.at(x + 11, y + 7));
            println!("frame {frame}");
            session.swap(surface);
        }
    });
}

/// Blits, copies to textures and reads with every pack parameter, from and to the window.
fn lesson_24_pixels_move_the_right_way_up(_: &Env) {
    in_window(W as u32, H as u32, |_, _, _| {
        let pattern = pattern();
        let target = Target::new(W, H);
        scene(pattern);
        let expected = target.image();
        let mask = gl::COLOR_BUFFER_BIT;
        // Framebuffer to window, whole.
        gl::BindFramebuffer(gl::DRAW_FRAMEBUFFER, 0);
        gl::BlitFramebuffer(0, 0, W, H, 0, 0, W, H, mask, gl::NEAREST);
        gl::BindFramebuffer(gl::READ_FRAMEBUFFER, 0);
        Image::read(0, 0, W, H).expect_each(|x, y| expected.at(x, y));
        // Window to framebuffer, a part, turned upside down by the blit itself.
        gl::BindFramebuffer(gl::DRAW_FRAMEBUFFER, target.framebuffer);
        gl::ClearColor(0.0, 0.0, 0.0, 0.0);
        gl::Clear(mask);
        gl::BlitFramebuffer(2, 1, 12, 9, 4, 13, 14, 5, mask, gl::NEAREST);
        gl::BindFramebuffer(gl::READ_FRAMEBUFFER, target.framebuffer);
        target.image().expect_each(|x, y| {
            let inside = (4..14).contains(&x) && (5..13).contains(&y);
            if inside { expected.at(x - 4 + 2, 12 - y + 1) } else { [0; 4] }
        });
        // Window to texture.
        gl::BindFramebuffer(gl::FRAMEBUFFER, 0);
        gl::BindTexture(gl::TEXTURE_2D, gen_texture());
        gl::CopyTexImage2D(gl::TEXTURE_2D, 0, gl::RGB8, 3, 2, 10, 7, 0);
        gl::CopyTexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 12, 8, 4, 3);
        let mut texels = vec![[0_u8; 4]; 70];
        gl::GetTexImage(gl::TEXTURE_2D, 0, gl::RGBA, gl::UNSIGNED_BYTE, texels.as_mut_ptr().cast());
        for (at, texel) in texels.iter().enumerate() {
            let (x, y) = ((at % 10) as i32, (at / 10) as i32);
            let from = if x < 4 && y < 3 { (x + 12, y + 8) } else { (x + 3, y + 2) };
            assert_eq!(*texel, expected.at(from.0, from.1), "texel ({x}, {y})");
        }
        // Rows and pixels are skipped in memory, whichever way the window's rows run.
        gl::PixelStorei(gl::PACK_ROW_LENGTH, 7);
        gl::PixelStorei(gl::PACK_SKIP_ROWS, 1);
        gl::PixelStorei(gl::PACK_SKIP_PIXELS, 2);
        let mut memory = vec![[9_u8; 4]; 7 * 5];
        gl::ReadPixels(5, 4, 3, 3, gl::RGBA, gl::UNSIGNED_BYTE, memory.as_mut_ptr().cast());
        for (at, pixel) in memory.iter().enumerate() {
            let (x, y) = ((at % 7) as i32 - 2, (at / 7) as i32 - 1);
            let inside = (0..3).contains(&x) && (0..3).contains(&y);
            let wanted = if inside { expected.at(x + 5, y + 4) } else { [9; 4] };
            assert_eq!(*pixel, wanted, "pixel {at}");
        }
    });
}

/// The last row of GL is the first that the server shows.
fn lesson_24_the_server_shows_the_top_row_first(_: &Env) {
    in_window(W as u32, H as u32, |session, window, surface| {
        solid([0.0, 1.0, 0.0, 1.0]);
        gl::ClearColor(0.0, 0.0, 1.0, 1.0);
        gl::Clear(gl::COLOR_BUFFER_BIT);
        rect(-1.0, 0.0, 0.0, 1.0);
        session.swap(surface);
        expect_shown_each(window, W, H, |x, y| if x < W / 2 && y < H / 2 { 0x00_ff00 } else { 0x00_00ff });
    });
}

fn size(session: &Session, surface: Handle) -> (i32, i32) {
    let (mut width, mut height) = (0, 0);
    egl::QuerySurface(session.display, surface, egl::WIDTH, &mut width);
    egl::QuerySurface(session.display, surface, egl::HEIGHT, &mut height);
    (width, height)
}

/// EGL 1.5 3.10.1.1: a swap takes on the window's size; the viewport stays the program's own.
fn lesson_24_resized_windows(_: &Env) {
    in_window(W as u32, H as u32, |session, window, surface| {
        solid([0.0, 1.0, 0.0, 1.0]);
        for (width, height) in [(40, 10), (8, 50), (24, 16), (1, 1), (64, 64)] {
            window.resize(width as u32, height as u32);
            gl::Clear(gl::COLOR_BUFFER_BIT);
            session.swap(surface);
            assert_eq!(size(session, surface), (width, height));
            gl::Viewport(0, 0, width, height);
            gl::ClearColor(1.0, 0.0, 0.0, 1.0);
            gl::Clear(gl::COLOR_BUFFER_BIT);
            gl::Scissor(0, 0, width, (height + 1) / 2);
            gl::Enable(gl::SCISSOR_TEST);
            quad();
            gl::Disable(gl::SCISSOR_TEST);
            let lower = (height + 1) / 2;
            Image::read(0, 0, width, height).expect_each(|_, y| if y < lower { GREEN } else { [255, 0, 0, 255] });
            session.swap(surface);
            expect_shown_each(window, width, height, |_, y| if height - 1 - y < lower { 0x00_ff00 } else { 0xff_0000 });
        }
        assert_eq!(get_i32s(gl::VIEWPORT), [0, 0, 64, 64]);
    });
}

/// A buffer that the queue has yet to get, of a size that the window has no more.
fn buffers_given_up(_: &Env) {
    in_window(W as u32, H as u32, |session, window, surface| {
        let context = egl::GetCurrentContext();
        let age = || egl::QuerySurface(session.display, surface, egl::BUFFER_AGE_EXT, &mut 0);
        for (width, height) in [(40, 10), (24, 16), (8, 50)] {
            let _target = Target::new(512, 512);
            solid([0.0, 1.0, 0.0, 1.0]);
            (0..64).for_each(|_| quad());
            gl::Flush();
            assert_eq!(age(), egl::TRUE);
            window.resize(width as u32, height as u32);
            session.make_current(surface, context);
            assert_eq!(age(), egl::TRUE);
            gl::BindFramebuffer(gl::FRAMEBUFFER, 0);
            fill([1.0, 0.0, 0.0, 1.0]);
            session.swap(surface);
            assert_eq!(size(session, surface), (width, height));
            expect_shown_each(window, width, height, |_, _| 0xff_0000);
        }
    });
}

#[track_caller]
fn expect_shown(window: &Window<'_>, colour: u32) {
    expect_shown_each(window, 8, 8, |_, _| colour);
}

fn fill(colour: [f32; 4]) {
    gl::ClearColor(colour[0], colour[1], colour[2], 1.0);
    gl::Clear(gl::COLOR_BUFFER_BIT);
}

fn two_windows_and_two_contexts(_: &Env) {
    let connection = Connection::open();
    let session = Session::xlib(&connection);
    let windows = [Window::new(&connection, 8, 8), Window::new(&connection, 8, 8)];
    let surfaces = [session.surface(&windows[0]), session.surface(&windows[1])];
    let first = session.context(NONE);
    let contexts = [first, session.context(first)];
    for frame in 0..6 {
        let which = frame % 2;
        session.make_current(surfaces[which], contexts[which]);
        fill(if which == 0 { [1.0, 0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0, 1.0] });
        session.swap(surfaces[which]);
        gl::Finish();
    }
    expect_shown(&windows[0], 0xff_0000);
    expect_shown(&windows[1], 0x00_ff00);
    // Drawing to one, reading from the other.
    fill([0.0, 0.0, 1.0, 1.0]);
    let made = egl::MakeCurrent(session.display, surfaces[0], surfaces[1], contexts[1]);
    assert_eq!(made, egl::TRUE, "{:#x}", egl::GetError());
    fill([1.0, 1.0, 0.0, 1.0]);
    Image::read(0, 0, 8, 8).expect_all([0, 0, 255, 255]);
    gl::BlitFramebuffer(0, 0, 8, 4, 0, 0, 8, 4, gl::COLOR_BUFFER_BIT, gl::NEAREST);
    session.make_current(surfaces[0], contexts[1]);
    Image::read(0, 0, 8, 8).expect_each(|_, y| if y < 4 { [0, 0, 255, 255] } else { [255, 255, 0, 255] });
}

fn one_context_and_several_windows(_: &Env) {
    let connection = Connection::open();
    let session = Session::xlib(&connection);
    let windows: Vec<_> = (0..3).map(|_| Window::new(&connection, 8, 8)).collect();
    let surfaces: Vec<_> = windows.iter().map(|window| session.surface(window)).collect();
    let context = session.context(NONE);
    for _ in 0..3 {
        for (at, surface) in surfaces.iter().enumerate() {
            session.make_current(*surface, context);
            fill([f32::from(at == 0), f32::from(at == 1), f32::from(at == 2), 1.0]);
            session.swap(*surface);
        }
    }
    gl::Finish();
    for (window, colour) in windows.iter().zip([0xff_0000, 0x00_ff00, 0x00_00ff]) {
        expect_shown(window, colour);
    }
    // A surface that is destroyed while current goes when it is released.
    egl::DestroySurface(session.display, surfaces[2]);
    fill([1.0; 4]);
    Image::read(0, 0, 8, 8).expect_all([255; 4]);
    session.make_current(surfaces[0], context);
    assert_eq!(egl::SwapBuffers(session.display, surfaces[2]), egl::FALSE);
    assert_eq!(egl::GetError(), egl::BAD_SURFACE);
}

fn windows_of_two_threads(_: &Env) {
    let workers: Vec<_> = (0..2)
        .map(|number| {
            std::thread::spawn(move || {
                let connection = Connection::open();
                let session = Session::xlib(&connection);
                let window = Window::new(&connection, 8, 8);
                let surface = session.surface(&window);
                session.make_current(surface, session.context(NONE));
                for _ in 0..20 {
                    fill([f32::from(number == 0), 0.0, 1.0, 1.0]);
                    session.swap(surface);
                }
                gl::Finish();
                expect_shown(&window, if number == 0 { 0xff_00ff } else { 0x00_00ff });
            })
        })
        .collect();
    for worker in workers {
        worker.join().expect("thread");
    }
}

/// EGL_EXT_buffer_age and EGL_KHR_swap_buffers_with_damage.
fn buffer_age_and_damage(_: &Env) {
    in_window(8, 8, |session, window, surface| {
        let list = egl::query_string(session.display, egl::EXTENSIONS);
        let damaging = egl::has_extension(&list, "EGL_KHR_swap_buffers_with_damage");
        let aging = egl::has_extension(&list, "EGL_EXT_buffer_age");
        let age = || {
            let mut age = -1;
            assert_eq!(egl::QuerySurface(session.display, surface, egl::BUFFER_AGE_EXT, &mut age), egl::TRUE);
            age
        };
        if aging {
            assert_eq!(age(), 0, "nothing is in a new buffer");
        }
        for frame in 0..6_u8 {
            fill([f32::from(frame) / 255.0, 0.0, 0.0, 1.0]);
            let rectangle = [0, 0, 8, 8];
            let swapped = if damaging {
                egl::SwapBuffersWithDamageKHR(session.display, surface, rectangle.as_ptr(), 1)
            } else {
                egl::SwapBuffers(session.display, surface)
            };
            assert_eq!(swapped, egl::TRUE, "{:#x}", egl::GetError());
            if !aging {
                continue;
            }
            let age = age();
            assert!((0..=8).contains(&age), "{age}");
            if age > 0 {
                // What is in it now is the frame of that many swaps ago.
                let expected = frame as i32 + 1 - age;
                Image::read(0, 0, 8, 8).expect_all([expected as u8, 0, 0, 255]);
            }
        }
        gl::Finish();
        expect_shown(window, 0x05_0000);
    });
}

fn xcb_display(_: &Env) {
    let connection = Connection::open();
    let native = connection.xcb();
    let list = egl::query_string(NONE, egl::EXTENSIONS);
    if !egl::has_extension(&list, "EGL_EXT_platform_xcb") {
        gallite_tests::harness::skip("no EGL_EXT_platform_xcb");
    }
    let session = Session::new(egl::PLATFORM_XCB_EXT, native, 0);
    let window = Window::new(&connection, 8, 8);
    let mut id = window.id() as u32;
    let native_window = (&raw mut id).cast();
    let surface = egl::CreatePlatformWindowSurface(session.display, session.config, native_window, std::ptr::null());
    assert!(!surface.is_null(), "{:#x}", egl::GetError());
    session.make_current(surface, session.context(NONE));
    fill([0.0, 1.0, 1.0, 1.0]);
    session.swap(surface);
    gl::Finish();
    expect_shown(&window, 0x00_ffff);
}

/// EGL 1.5 3.10.3: an interval is clamped to what the config allows.
fn intervals(_: &Env) {
    in_window(8, 8, |session, window, surface| {
        for interval in [0, 1, -1, 1000, 0] {
            assert_eq!(egl::SwapInterval(session.display, interval), egl::TRUE, "{interval}");
            for _ in 0..3 {
                fill([0.0, 0.0, 1.0, 1.0]);
                session.swap(surface);
            }
        }
        gl::Finish();
        expect_shown(window, 0x00_00ff);
    });
}

/// 3.3.1: a sample is covered exactly when its position is, with y up, here in the sixteenths of a window's pixel.
fn sample_positions(_: &Env) {
    in_multisampled_window(4, 4, 4, |_, _, _| {
        let samples = get_i32(gl::SAMPLES);
        assert!(samples >= 4);
        let positions: Vec<[f32; 2]> = (0..samples)
            .map(|sample| {
                let mut position = [-1.0_f32; 2];
                gl::GetMultisamplefv(gl::SAMPLE_POSITION, sample as u32, position.as_mut_ptr());
                position
            })
            .collect();
        gl::Viewport(0, 0, 4, 4);
        solid([1.0; 4]);
        for (cell_x, cell_y) in (0..16).map(|cell| (cell % 4, cell / 4)) {
            gl::ClearColor(0.0, 0.0, 0.0, 0.0);
            gl::Clear(gl::COLOR_BUFFER_BIT);
            // A quarter of a pixel, in the pixel at (1, 2).
            let edge = |pixel: i32, cell: i32| (pixel as f32 + cell as f32 / 4.0) / 2.0 - 1.0;
            rect(edge(1, cell_x), edge(2, cell_y), edge(1, cell_x + 1), edge(2, cell_y + 1));
            let inside = |[x, y]: &&[f32; 2]| (x * 4.0) as i32 == cell_x && (y * 4.0) as i32 == cell_y;
            let covered = positions.iter().filter(inside).count() as i32;
            let got = i32::from(Image::read(1, 2, 1, 1).at(0, 0)[0]);
            let wanted = 255 * covered / samples;
            assert!((got - wanted).abs() <= 1, "cell {cell_x}, {cell_y}: {got}, not {wanted}: {positions:?}");
        }
    });
}

/// GL 4.6 core 17.4.1 and 18.2.1: names of several buffers, which draw to those that exist and read the first.
fn buffers_by_name(_: &Env) {
    in_window(4, 4, |session, _, surface| {
        let shown = |colour: [f32; 4]| {
            let bytes = colour.map(|c| (c * 255.0) as u8);
            gl::ReadBuffer(gl::BACK);
            Image::read(0, 0, 4, 4).expect_all(bytes);
        };
        fill([0.0, 0.0, 0.0, 1.0]);
        for (name, colour) in [
            (gl::FRONT_AND_BACK, [1.0, 0.0, 0.0, 1.0]),
            (gl::LEFT, [0.0, 1.0, 0.0, 1.0]),
            (gl::BACK_LEFT, [0.0, 0.0, 1.0, 1.0]),
            (gl::BACK, [1.0, 1.0, 0.0, 1.0]),
        ] {
            gl::DrawBuffer(name);
            expect_no_error("glDrawBuffer");
            assert_eq!(get_i32(gl::DRAW_BUFFER) as u32, name);
            fill(colour);
            shown(colour);
        }
        for name in [gl::RIGHT, gl::FRONT_RIGHT, gl::BACK_RIGHT, gl::COLOR_ATTACHMENT0] {
            gl::DrawBuffer(name);
            expect_error(gl::INVALID_OPERATION, "a buffer that does not exist");
            gl::ReadBuffer(name);
            expect_error(gl::INVALID_OPERATION, "a buffer that does not exist");
        }
        gl::DrawBuffer(gl::TEXTURE_2D);
        expect_error(gl::INVALID_ENUM, "no buffer at all");
        assert_eq!(get_i32(gl::DRAW_BUFFER) as u32, gl::BACK);
        for name in [gl::FRONT, gl::LEFT, gl::RIGHT, gl::FRONT_AND_BACK] {
            gl::DrawBuffers(1, &name);
            expect_error(gl::INVALID_ENUM, "a name of several buffers in a list");
        }
        for name in [gl::FRONT, gl::FRONT_LEFT, gl::LEFT, gl::FRONT_AND_BACK, gl::BACK_LEFT, gl::BACK] {
            gl::ReadBuffer(name);
            expect_no_error("glReadBuffer");
            assert_eq!(get_i32(gl::READ_BUFFER) as u32, name);
        }
        // What a buffer is does not depend on whether it is drawn to.
        gl::DrawBuffer(gl::NONE);
        let mut bits = 0;
        let query = gl::FRAMEBUFFER_ATTACHMENT_RED_SIZE;
        gl::GetFramebufferAttachmentParameteriv(gl::DRAW_FRAMEBUFFER, gl::BACK_LEFT, query, &mut bits);
        expect_no_error("glGetFramebufferAttachmentParameteriv");
        assert_eq!(bits, 8);
        // Names of window buffers are not for objects, and those of several are never for lists.
        let target = Target::new(2, 2);
        gl::DrawBuffers(1, &gl::FRONT_AND_BACK);
        expect_error(gl::INVALID_ENUM, "a name of several buffers in a list");
        gl::DrawBuffers(1, &gl::BACK);
        expect_error(gl::INVALID_OPERATION, "a window's buffer in an object");
        target.delete();
        gl::BindFramebuffer(gl::FRAMEBUFFER, 0);
        gl::DrawBuffer(gl::BACK);
        session.swap(surface);
    });
}

/// EGL_KHR_gl_colorspace and GL 3.3 core 4.1.8: encoded only while FRAMEBUFFER_SRGB is on. A device may have no windows
/// that are drawn to both ways.
fn srgb_windows(env: &Env) {
    in_window(8, 8, |session, window, old| {
        let list = egl::query_string(session.display, egl::EXTENSIONS);
        if !egl::has_extension(&list, "EGL_KHR_gl_colorspace") {
            gallite_tests::harness::skip("no EGL_KHR_gl_colorspace");
        }
        let context = egl::GetCurrentContext();
        egl::MakeCurrent(session.display, NONE, NONE, NONE);
        egl::DestroySurface(session.display, old);
        let attributes = [egl::GL_COLORSPACE_KHR, egl::GL_COLORSPACE_SRGB_KHR, egl::NONE];
        let surface = egl::CreateWindowSurface(session.display, session.config, window.id(), attributes.as_ptr());
        if env.lane.without().contains("swapchain_mutable_format") {
            assert_eq!((surface.is_null(), egl::GetError()), (true, egl::BAD_MATCH));
            session.make_current(session.surface(window), context);
            return;
        }
        assert!(!surface.is_null(), "{:#x}", egl::GetError());
        session.make_current(surface, context);
        fill([0.5, 0.5, 0.5, 1.0]);
        Image::read(0, 0, 8, 8).expect_each_near(1, |_, _| [128, 128, 128, 255]);
        gl::Enable(gl::FRAMEBUFFER_SRGB);
        fill([0.5, 0.5, 0.5, 1.0]);
        Image::read(0, 0, 8, 8).expect_each_near(1, |_, _| [188, 188, 188, 255]);
        session.swap(surface);
        expect_shown_each(window, 8, 8, |_, _| 0xbc_bcbc);
    });
}
