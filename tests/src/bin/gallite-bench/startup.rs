//! `startup`: from loading the library to the first finished triangle, and the memory that took.

use std::time::Instant;

use gallite_tests::client::Display;
use gallite_tests::draw::{buffer, gen_framebuffer, gen_texture, gen_vertex_array, get_string, tex_parameter};
use gallite_tests::{client, gl};

use crate::Options;
use crate::draw::peak_memory;
use crate::peers::{GALLITE_VULKAN, Peer, ZINK, field};
use crate::report::{Table, machine, median, publish};

const VERTEX: &str = "#version 330 core
layout(location = 0) in vec2 p;
void main() { gl_Position = vec4(p, 0.0, 1.0); }
";
const FRAGMENT: &str = "#version 330 core
layout(location = 0) out vec4 color;
void main() { color = vec4(0.2, 0.4, 0.6, 1.0); }
";

const STEPS: [&str; 3] = ["library", "context", "triangle"];

/// Measures the steps once; prints `step<TAB>milliseconds since the start`.
pub fn child() -> Result<(), String> {
    let began = Instant::now();
    let egl = Display::open()?;
    let library = began.elapsed();
    let _context = egl.core_context([3, 3])?;
    let current = began.elapsed();

    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, texture);
    let (format, kind) = (gl::RGBA, gl::UNSIGNED_BYTE);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 64, 64, 0, format, kind, std::ptr::null());
    tex_parameter(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST);
    let framebuffer = gen_framebuffer();
    gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::TEXTURE_2D, texture, 0);
    gl::Viewport(0, 0, 64, 64);
    let program = client::program(VERTEX, FRAGMENT)?;
    let array = gen_vertex_array();
    gl::BindVertexArray(array);
    buffer(gl::ARRAY_BUFFER, &[-1.0_f32, -1.0, 3.0, -1.0, -1.0, 3.0]);
    gl::VertexAttribPointer(0, 2, gl::FLOAT, 0, 8, std::ptr::null());
    gl::EnableVertexAttribArray(0);
    gl::UseProgram(program);
    gl::DrawArrays(gl::TRIANGLES, 0, 3);
    gl::Finish();
    let triangle = began.elapsed();

    let mut pixel = [0_u8; 4];
    gl::ReadPixels(32, 32, 1, 1, format, kind, pixel.as_mut_ptr().cast());
    if pixel != [51, 102, 153, 255] {
        return Err(format!("the triangle is {pixel:?}"));
    }
    println!("renderer\t{}", get_string(gl::RENDERER));
    for (step, time) in STEPS.iter().zip([library, current, triangle]) {
        println!("{step}\t{:.3}", time.as_secs_f64() * 1e3);
    }
    let status = std::fs::read_to_string("/proc/self/status").map_err(|e| e.to_string())?;
    println!("memory\t{}", peak_memory(&status).unwrap_or(0));
    Ok(())
}

/// Runs the rounds and prints the table.
pub fn parent(options: &Options) -> Result<(), String> {
    let peers: [&Peer; 2] = [&GALLITE_VULKAN, &ZINK];
    let rows = ["library", "context", "triangle", "memory"];
    let mut samples = [(); 2].map(|()| rows.map(|_| Vec::new()));
    // One round more than asked: the first fills page and shader caches and is not counted.
    for round in 0..=options.rounds {
        for (peer, samples) in peers.iter().zip(&mut samples) {
            let mut command = peer.command(false)?;
            command.args(["child", "startup"]);
            let lines = peer.measure(command)?;
            for (row, samples) in rows.iter().zip(samples.iter_mut()) {
                let value = field(&lines, row).and_then(|text| text.parse::<f64>().ok());
                let value = value.ok_or_else(|| format!("{}: no {row}", peer.name))?;
                if round > 0 {
                    samples.push(value);
                }
            }
        }
    }
    let mut table = Table::new(["from the start of the program", peers[0].name, peers[1].name, "ratio"]);
    let names = ["EGL ready, ms", "context current, ms", "first triangle finished, ms", "peak resident memory, MiB"];
    let [ours, theirs] = &mut samples;
    for (index, name) in names.iter().enumerate() {
        let scale = if rows[index] == "memory" { 1.0 / 1024.0 } else { 1.0 };
        let (a, b) = (median(&mut ours[index]) * scale, median(&mut theirs[index]) * scale);
        table.row([(*name).to_owned(), format!("{a:.1}"), format!("{b:.1}"), format!("{:.2}", b / a)]);
    }
    let body = format!(
        "Medians of {} interleaved rounds with warm caches; ratio above 1: Gallite needs less. {}.\n\n{}",
        options.rounds,
        machine(),
        table.markdown()
    );
    publish("startup", &body, options.update)
}
