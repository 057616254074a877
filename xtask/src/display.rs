//! A private virtual X server, ended when dropped.

use crate::Result;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A running Xvfb on a display that was free.
pub struct Display {
    server: Child,
    name: String,
}

impl Display {
    /// Starts a server with one 24-bit screen and waits until it accepts clients.
    pub fn start(width: u32, height: u32) -> Result<Self> {
        // The server chooses the display itself and says so once it is ready (-displayfd).
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-noreset", "-screen", "0"])
            .arg(format!("{width}x{height}x24"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("cannot start Xvfb: {e}"))?;
        let mut line = String::new();
        if let Some(out) = server.stdout.take() {
            // The pipe stays readable until the server ends, so a server that dies gives an empty line.
            let _ = BufReader::new(out).read_line(&mut line);
        }
        match line.trim().parse::<u32>() {
            Ok(number) => Ok(Self { server, name: format!(":{number}") }),
            Err(_) => {
                let _ = server.kill();
                let _ = server.wait();
                Err("Xvfb ended before it was ready".into())
            }
        }
    }

    /// The DISPLAY of its clients.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
