//! Presentation on a real X server, through the pipe interface alone, under validation. Skipped, with a line that says so,
//! where there is no X server to start or no libxcb.

mod support;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use gallite_pipe::*;
use support::{FLAT, Rig, flat_desc, skip};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConfigureWindowAux, ConnectionExt, CreateWindowAux, ImageFormat, WindowClass};
use x11rb::wrapper::ConnectionExt as _;
use x11rb::xcb_ffi::XCBConnection;

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An X server with a window of our own on it.
struct Desk {
    connection: XCBConnection,
    window: u32,
    // Last: the connection goes first.
    _server: Server,
}

impl Desk {
    fn open(width: u16, height: u16) -> Option<Self> {
        let spawned = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-noreset", "-screen", "0", "640x480x24"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut child) = spawned else {
            skip("x11", "no Xvfb");
            return None;
        };
        let output = child.stdout.take().expect("piped");
        let server = Server(child);
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).expect("the server's number");
        if x11rb::xcb_ffi::load_libxcb().is_err() {
            skip("x11", "no libxcb");
            return None;
        }
        let name = std::ffi::CString::new(format!(":{}", line.trim())).expect("a name");
        let (connection, _) = XCBConnection::connect(Some(&name)).expect("connection");
        let window = connection.generate_id().expect("id");
        let screen = &connection.setup().roots[0];
        let class = WindowClass::INPUT_OUTPUT;
        let aux = CreateWindowAux::new();
        connection
            .create_window(0, window, screen.root, 0, 0, width, height, 0, class, screen.root_visual, &aux)
            .expect("request")
            .check()
            .expect("window");
        connection.map_window(window).expect("request");
        connection.sync().expect("sync");
        Some(Self { connection, window, _server: server })
    }

    fn native(&self) -> NativeWindow {
        NativeWindow::Xcb { connection: self.connection.get_raw_xcb_connection() as usize, window: self.window }
    }

    fn resize(&self, width: u32, height: u32) {
        let aux = ConfigureWindowAux::new().width(width).height(height);
        self.connection.configure_window(self.window, &aux).expect("request").check().expect("resize");
    }

    /// The window's pixels as blue, green, red, top row first; waits until `done` says that the frame has arrived.
    fn pixels(&self, width: u16, height: u16, done: impl Fn(&[u8]) -> bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        for _ in 0..200 {
            let format = ImageFormat::Z_PIXMAP;
            bytes = self
                .connection
                .get_image(format, self.window, 0, 0, width, height, u32::MAX)
                .expect("request")
                .reply()
                .expect("image")
                .data;
            if done(&bytes) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        bytes
    }
}

/// A pixel as red, green, blue; `y` counts from the top, as X does.
fn x_pixel(bytes: &[u8], width: u32, x: u32, y: u32) -> [u8; 3] {
    let at = ((y * width + x) * 4) as usize;
    [bytes[at + 2], bytes[at + 1], bytes[at]]
}

fn window_id(number: u32) -> WindowId {
    WindowId::from_parts(number, 1)
}

/// A window queue and its back texture.
fn attach(rig: &mut Rig, desk: &Desk, id: WindowId, width: u32, height: u32) -> (TextureId, Format) {
    let formats = rig.screen.window_formats(&desk.native());
    let format = *formats.first().expect("a format");
    assert_eq!(format, Format::B8G8R8A8_UNORM, "{formats:?}");
    let desc = WindowDesc { format, reserved: 0, width, height, min_images: 3 };
    assert_eq!(rig.screen.create_window(id, &desk.native(), &desc), Outcome::DONE);
    (back_texture(rig, id, format, width, height), format)
}

fn back_desc(format: Format, width: u32, height: u32, samples: u32) -> TextureDesc {
    TextureDesc {
        format,
        dim: TextureDim::D2,
        flags: TextureFlags::SURFACE_ORIENTED,
        width,
        height,
        depth: 1,
        layers: 1,
        levels: 1,
        samples,
        bind: Bind::COLOR | Bind::SAMPLED | Bind::TRANSFER,
    }
}

fn back_texture(rig: &mut Rig, id: WindowId, format: Format, width: u32, height: u32) -> TextureId {
    let texture = rig.texture_id();
    rig.screen.create_window_texture(texture, id, &back_desc(format, width, height, 1));
    texture
}

fn clear_box(rig: &mut Rig, color: [f32; 4], scissor: Rect) {
    let mut info =
        ClearInfo { color_attachments: 1, color_write_masks: 15, scissored: 1, scissor, ..Default::default() };
    info.set_color_f32(color);
    rig.context.clear(&info);
}

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];
const BLUE: [f32; 4] = [0.0, 0.0, 1.0, 1.0];

/// GL's bottom row is the window's lowest one, for clears, scissored clears and draws, and reading back turns them again.
#[test]
fn the_bottom_row_is_at_the_bottom() {
    let Some(mut rig) = Rig::new() else { return };
    let Some(desk) = Desk::open(64, 48) else { return };
    let id = window_id(1);
    let (texture, format) = attach(&mut rig, &desk, id, 64, 48);
    rig.target(texture, format, 64, 48);
    rig.program(FLAT, flat_desc(), &[]);
    rig.context.set_default_block(BindPoint::GRAPHICS, bytemuck::cast_slice(&GREEN));
    // The upper left quarter in GL coordinates.
    rig.vertices(&[[-1.0, 0.0], [0.0, 0.0], [-1.0, 1.0], [0.0, 1.0]]);
    for _ in 0..4 {
        rig.clear(BLUE);
        // Eight pixels from the lower left corner.
        clear_box(&mut rig, RED, Rect { x: 0, y: 0, width: 8, height: 8 });
        rig.draw(PrimitiveMode::TRIANGLE_STRIP, 4);
        let bytes = rig.read(texture, 64, 48, 4);
        assert_eq!(bytes[..4], [0, 0, 255, 255], "the first row read is the bottom one");
        let state = rig.context.present(id, TextureId::NULL, 1, &[]);
        assert_eq!((state.status, state.width, state.height), (PresentStatus::DONE, 64, 48));
    }
    let shown = desk.pixels(64, 48, |bytes| x_pixel(bytes, 64, 2, 45) == [255, 0, 0]);
    assert_eq!(x_pixel(&shown, 64, 2, 45), [255, 0, 0], "lower left");
    assert_eq!(x_pixel(&shown, 64, 7, 40), [255, 0, 0]);
    assert_eq!(x_pixel(&shown, 64, 8, 40), [0, 0, 255]);
    assert_eq!(x_pixel(&shown, 64, 2, 2), [0, 255, 0], "upper left");
    assert_eq!(x_pixel(&shown, 64, 31, 23), [0, 255, 0]);
    assert_eq!(x_pixel(&shown, 64, 32, 23), [0, 0, 255]);
    assert_eq!(x_pixel(&shown, 64, 31, 24), [0, 0, 255]);
    assert_eq!(rig.screen.counters().present_copies, 0);
    rig.screen.destroy_texture(texture);
    rig.screen.destroy_window(id);
    rig.finish();
}

/// The first image's age is 0, later ones come round with the age of the queue; a resize starts over.
#[test]
fn buffer_age_and_resize() {
    let Some(mut rig) = Rig::new() else { return };
    let Some(desk) = Desk::open(32, 32) else { return };
    let id = window_id(1);
    let (texture, format) = attach(&mut rig, &desk, id, 32, 32);
    assert_eq!(rig.screen.window_state(id).buffer_age, 0);
    rig.target(texture, format, 32, 32);
    let mut ages = Vec::new();
    for frame in 0..8 {
        ages.push(rig.screen.window_state(id).buffer_age);
        rig.clear([frame as f32 / 8.0, 0.0, 0.0, 1.0]);
        assert_eq!(rig.context.present(id, TextureId::NULL, frame & 1, &[]).status, PresentStatus::DONE);
    }
    assert_eq!(ages[0], 0);
    desk.resize(80, 20);
    rig.screen.destroy_texture(texture);
    let larger = back_texture(&mut rig, id, format, 80, 20);
    assert_eq!(rig.screen.window_state(id).buffer_age, 0, "fresh images");
    rig.target(larger, format, 80, 20);
    for _ in 0..3 {
        rig.clear(GREEN);
        assert_eq!(rig.context.present(id, TextureId::NULL, 0, &[]).status, PresentStatus::DONE);
    }
    let shown = desk.pixels(80, 20, |bytes| x_pixel(bytes, 80, 79, 19) == [0, 255, 0]);
    assert_eq!(x_pixel(&shown, 80, 79, 19), [0, 255, 0]);
    assert_eq!(x_pixel(&shown, 80, 0, 0), [0, 255, 0]);
    rig.screen.destroy_window(id);
    rig.finish();
}

/// What an image held comes back with it, as its age says (EGL_EXT_buffer_age).
#[test]
fn old_content_survives() {
    let Some(mut rig) = Rig::new() else { return };
    let Some(desk) = Desk::open(16, 16) else { return };
    let id = window_id(1);
    let (texture, format) = attach(&mut rig, &desk, id, 16, 16);
    rig.target(texture, format, 16, 16);
    let mut drawn: Vec<u8> = Vec::new();
    let mut checked = 0;
    for frame in 0u8..10 {
        let age = rig.screen.window_state(id).buffer_age as usize;
        if age > 0 {
            let bytes = rig.read(texture, 16, 16, 4);
            assert_eq!(bytes[2], drawn[drawn.len() - age], "frame {frame}, age {age}");
            checked += 1;
        }
        let red = 10 + 20 * frame;
        rig.clear([f32::from(red) / 255.0, 0.0, 0.0, 1.0]);
        drawn.push(red);
        // Told that all of it changed, in words and without.
        let all = [Rect { x: 0, y: 0, width: 16, height: 16 }];
        rig.context.present(id, TextureId::NULL, 0, if frame & 1 == 1 { &all } else { &[] });
    }
    assert!(checked > 0, "no image ever came back");
    rig.screen.destroy_window(id);
    rig.finish();
}

/// A multisampled back buffer is resolved into the image on its way out.
#[test]
fn multisampled_windows() {
    let Some(mut rig) = Rig::new() else { return };
    let Some(desk) = Desk::open(20, 20) else { return };
    let id = window_id(1);
    let (_, format) = attach(&mut rig, &desk, id, 20, 20);
    let source = rig.texture_with(back_desc(format, 20, 20, 4));
    let mut state =
        FramebufferState { width: 20, height: 20, layers: 1, samples: 4, color_count: 1, ..Default::default() };
    state.color[0] = rig.surface(source, format);
    rig.framebuffer(state);
    rig.clear(BLUE);
    clear_box(&mut rig, RED, Rect { x: 0, y: 0, width: 20, height: 5 });
    assert_eq!(rig.context.present(id, source, 1, &[]).status, PresentStatus::DONE);
    let shown = desk.pixels(20, 20, |bytes| x_pixel(bytes, 20, 10, 19) == [255, 0, 0]);
    assert_eq!(x_pixel(&shown, 20, 10, 19), [255, 0, 0]);
    assert_eq!(x_pixel(&shown, 20, 10, 15), [255, 0, 0]);
    assert_eq!(x_pixel(&shown, 20, 10, 14), [0, 0, 255]);
    assert_eq!(rig.screen.counters().present_copies, 1, "what a plain window does without");
    rig.screen.destroy_window(id);
    rig.finish();
}

/// Presenting to a window that is gone says so, and nothing else breaks.
#[test]
fn a_lost_window_is_reported() {
    let Some(mut rig) = Rig::new() else { return };
    let Some(desk) = Desk::open(20, 20) else { return };
    let id = window_id(1);
    let (texture, format) = attach(&mut rig, &desk, id, 20, 20);
    rig.target(texture, format, 20, 20);
    rig.clear(RED);
    assert_eq!(rig.context.present(id, TextureId::NULL, 1, &[]).status, PresentStatus::DONE);
    desk.connection.destroy_window(desk.window).expect("request").check().expect("destroy");
    let mut last = PresentStatus::DONE;
    for _ in 0..8 {
        rig.clear(RED);
        last = rig.context.present(id, TextureId::NULL, 1, &[]).status;
    }
    assert_eq!(last, PresentStatus::WINDOW_LOST);
    // Rendering elsewhere goes on.
    let other = rig.texture(Format::R8G8B8A8_UNORM, 4, 4);
    rig.target(other, Format::R8G8B8A8_UNORM, 4, 4);
    rig.clear(GREEN);
    assert_eq!(rig.read(other, 4, 4, 4)[..4], [0, 255, 0, 255]);
    rig.screen.destroy_window(id);
    let Rig { screen, context, .. } = rig;
    drop(context);
    drop(screen);
}

/// Two windows drawn alternately keep their own images; a platform we don't know is declined.
#[test]
fn several_windows() {
    let Some(mut rig) = Rig::new() else { return };
    let (Some(first), Some(second)) = (Desk::open(8, 8), Desk::open(12, 12)) else { return };
    let ids = [window_id(1), window_id(2)];
    let (one, format) = attach(&mut rig, &first, ids[0], 8, 8);
    let (two, _) = attach(&mut rig, &second, ids[1], 12, 12);
    for _ in 0..3 {
        rig.target(one, format, 8, 8);
        rig.clear(RED);
        rig.target(two, format, 12, 12);
        rig.clear(GREEN);
        for id in ids {
            assert_eq!(rig.context.present(id, TextureId::NULL, 0, &[]).status, PresentStatus::DONE);
        }
    }
    let shown = first.pixels(8, 8, |bytes| x_pixel(bytes, 8, 4, 4) == [255, 0, 0]);
    assert_eq!(x_pixel(&shown, 8, 4, 4), [255, 0, 0]);
    let shown = second.pixels(12, 12, |bytes| x_pixel(bytes, 12, 4, 4) == [0, 255, 0]);
    assert_eq!(x_pixel(&shown, 12, 4, 4), [0, 255, 0]);
    let desc = WindowDesc { format, reserved: 0, width: 1, height: 1, min_images: 3 };
    let unknown = NativeWindow::Android { window: 0 };
    assert_eq!(rig.screen.create_window(window_id(3), &unknown, &desc), Outcome::DECLINED);
    for id in ids {
        rig.screen.destroy_window(id);
    }
    rig.finish();
}

/// A window that goes while a clear of it still waits for its pass takes nothing of that pass with it; with the flush that
/// a window system makes before, not even its queue is kept.
#[test]
fn a_window_may_go_before_its_work() {
    for flush in [true, false] {
        let Some(mut rig) = Rig::new() else { return };
        let (Some(first), Some(second)) = (Desk::open(8, 8), Desk::open(12, 12)) else { return };
        let ids = [window_id(1), window_id(2)];
        let (one, format) = attach(&mut rig, &first, ids[0], 8, 8);
        let (two, _) = attach(&mut rig, &second, ids[1], 12, 12);
        rig.target(one, format, 8, 8);
        rig.clear(RED);
        if flush {
            rig.context.flush(FenceId::NULL, FlushFlags::EMPTY);
        }
        rig.screen.destroy_texture(one);
        rig.screen.destroy_window(ids[0]);
        rig.target(two, format, 12, 12);
        rig.clear(GREEN);
        assert_eq!(rig.context.present(ids[1], TextureId::NULL, 0, &[]).status, PresentStatus::DONE);
        let shown = second.pixels(12, 12, |bytes| x_pixel(bytes, 12, 4, 4) == [0, 255, 0]);
        assert_eq!(x_pixel(&shown, 12, 4, 4), [0, 255, 0]);
        let mut text = [0; 256];
        let event = rig.screen.poll_event(&mut text);
        assert_eq!(event.kind == EventKind::LOG, !flush, "{}", String::from_utf8_lossy(&text));
        rig.screen.destroy_window(ids[1]);
        rig.finish();
    }
}
