//! An X server of the test's own, and windows on it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConfigureWindowAux, ConnectionExt, CreateWindowAux, ImageFormat, WindowClass};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use super::Handle;

pub type Connection = RustConnection;

/// A virtual X server; it ends with this value.
pub struct Server {
    process: Child,
    pub name: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    pub fn connect(&self) -> Connection {
        RustConnection::connect(Some(&self.name)).expect("connection").0
    }
}

/// Starts a server; none, with a line that says so, where that isn't possible.
pub fn start_server() -> Option<Server> {
    let spawned = Command::new("Xvfb")
        .args(["-displayfd", "1", "-nolisten", "tcp", "-noreset", "-screen", "0", "640x480x24"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut process) = spawned else {
        super::skip("x11", "no Xvfb");
        return None;
    };
    let output = process.stdout.take().expect("piped");
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line).expect("the server's number");
    Some(Server { process, name: format!(":{}", line.trim()) })
}

/// A mapped window.
pub struct Window<'a> {
    connection: &'a Connection,
    pub id: u32,
}

/// What a window shows, top row first.
pub struct Shown {
    width: u16,
    bytes: Vec<u8>,
}

impl Shown {
    /// Red, green and blue; `y` counts from the top.
    pub fn at(&self, x: u16, y: u16) -> [u8; 3] {
        let at = (usize::from(y) * usize::from(self.width) + usize::from(x)) * 4;
        [self.bytes[at + 2], self.bytes[at + 1], self.bytes[at]]
    }
}

impl<'a> Window<'a> {
    pub fn new(connection: &'a Connection, width: u16, height: u16) -> Self {
        let screen = &connection.setup().roots[0];
        let id = connection.generate_id().expect("id");
        let class = WindowClass::INPUT_OUTPUT;
        let aux = CreateWindowAux::new();
        connection
            .create_window(0, id, screen.root, 0, 0, width, height, 0, class, screen.root_visual, &aux)
            .expect("request")
            .check()
            .expect("window");
        connection.map_window(id).expect("request");
        connection.sync().expect("sync");
        Self { connection, id }
    }

    pub fn resize(&self, width: u32, height: u32) {
        let aux = ConfigureWindowAux::new().width(width).height(height);
        self.connection.configure_window(self.id, &aux).expect("request").check().expect("resize");
    }

    pub fn destroy(&self) {
        self.connection.destroy_window(self.id).expect("request").check().expect("destroy");
    }

    pub fn handle(&self) -> Handle {
        self.id as usize as Handle
    }

    /// Looks at the window until `done`, or for two seconds: presentation is not synchronous.
    pub fn pixels(&self, width: u16, height: u16, done: impl Fn(&Shown) -> bool) -> Shown {
        let mut tries = 0;
        loop {
            let image = self
                .connection
                .get_image(ImageFormat::Z_PIXMAP, self.id, 0, 0, width, height, u32::MAX)
                .expect("request")
                .reply()
                .expect("image");
            let shown = Shown { width, bytes: image.data };
            tries += 1;
            if done(&shown) || tries == 200 {
                return shown;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}
