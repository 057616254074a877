//! `link`: time to compile and link programs and to draw with each once, with empty caches and with filled ones.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use gallite_tests::client::Display;
use gallite_tests::draw::{buffer, gen_framebuffer, gen_texture, gen_vertex_array, get_string};
use gallite_tests::{client, gl};

use crate::Options;
use crate::peers::{GALLITE_VULKAN, Peer, ZINK, field};
use crate::report::{Table, machine, median, publish};

const PROGRAMS: u32 = 24;

/// Variables that say where an implementation keeps its shader cache.
const CACHE_VARIABLES: [&str; 3] = ["GALLITE_CACHE_DIR", "MESA_SHADER_CACHE_DIR", "XDG_CACHE_HOME"];

fn vertex(number: u32) -> String {
    format!(
        "#version 330 core
layout(location = 0) in vec4 position;
uniform mat4 transform;
uniform vec4 wave[{count}];
out vec3 normal;
out vec2 uv;
void main() {{
    vec4 p = position;
    for (int i = 0; i < {count}; i++)
        p.xyz += wave[i].xyz * sin(dot(p.xyz, wave[i].wzx) + {number}.0);
    normal = normalize(p.xyz + {number}.5);
    uv = p.xy * 0.5 + 0.5;
    gl_Position = transform * p;
}}
",
        count = 2 + number % 5
    )
}

fn fragment(number: u32) -> String {
    let mut text = String::from(
        "#version 330 core
in vec3 normal;
in vec2 uv;
uniform sampler2D albedo;
uniform sampler2D detail;
layout(std140) uniform Lights { vec4 direction[4]; vec4 color[4]; };
layout(location = 0) out vec4 result;
float curve(float x, float k) { return x * x * (3.0 - 2.0 * x) + k * x; }
void main() {
    vec3 n = normalize(normal + texture(detail, uv * 4.0).xyz);
    vec3 sum = vec3(0.0);
",
    );
    for light in 0..1 + number % 4 {
        let _ = writeln!(
            text,
            "    {{ float d = max(dot(n, direction[{light}].xyz), 0.0);
      sum += color[{light}].rgb * curve(d, {number}.25) + pow(d, {}.0) * texture(detail, uv + d).rgb; }}",
            8 + light * 3 + number
        );
    }
    text.push_str("    result = vec4(texture(albedo, uv).rgb * sum, 1.0);\n}\n");
    text
}

/// Measures once; prints `link<TAB>ms` and `draw<TAB>ms`, per program.
pub fn child() -> Result<(), String> {
    let egl = Display::open()?;
    let _context = egl.core_context([3, 3])?;
    println!("renderer\t{}", get_string(gl::RENDERER));
    let texture = gen_texture();
    gl::BindTexture(gl::TEXTURE_2D, texture);
    let (format, kind) = (gl::RGBA, gl::UNSIGNED_BYTE);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 64, 64, 0, format, kind, std::ptr::null());
    let framebuffer = gen_framebuffer();
    gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::TEXTURE_2D, texture, 0);
    gl::Viewport(0, 0, 64, 64);
    let array = gen_vertex_array();
    gl::BindVertexArray(array);
    buffer(gl::ARRAY_BUFFER, &[0_u8; 256]);
    gl::VertexAttribPointer(0, 4, gl::FLOAT, 0, 16, std::ptr::null());
    gl::EnableVertexAttribArray(0);
    let block = buffer(gl::UNIFORM_BUFFER, &[0_u8; 256]);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 0, block);
    // A sampled image may not be the one drawn to, so sampling uses an incomplete texture's black.
    gl::BindTexture(gl::TEXTURE_2D, 0);

    let (mut link, mut draw) = (Duration::ZERO, Duration::ZERO);
    for number in 0..PROGRAMS {
        let began = Instant::now();
        let program = client::program(&vertex(number), &fragment(number))?;
        link += began.elapsed();
        let began = Instant::now();
        gl::UseProgram(program);
        gl::DrawArrays(gl::TRIANGLES, 0, 3);
        gl::Flush();
        draw += began.elapsed();
    }
    let began = Instant::now();
    gl::Finish();
    draw += began.elapsed();
    println!("link\t{:.4}", link.as_secs_f64() * 1e3 / f64::from(PROGRAMS));
    println!("draw\t{:.4}", draw.as_secs_f64() * 1e3 / f64::from(PROGRAMS));
    match gl::GetError() {
        0 => Ok(()),
        error => Err(format!("GL error {error:#06x}")),
    }
}

fn sample(peer: &Peer, cache: &Path) -> Result<[f64; 2], String> {
    let mut command = peer.command(false)?;
    command.args(["child", "link"]);
    for variable in CACHE_VARIABLES {
        command.env(variable, cache);
    }
    let lines = peer.measure(command)?;
    let number = |key| field(&lines, key).and_then(|text| text.parse().ok()).ok_or(format!("{}: no {key}", peer.name));
    Ok([number("link")?, number("draw")?])
}

/// Runs the rounds and prints the table.
pub fn parent(options: &Options) -> Result<(), String> {
    let peers: [&Peer; 2] = [&GALLITE_VULKAN, &ZINK];
    // [peer][cold, warm][link, draw]
    let mut samples: [[[Vec<f64>; 2]; 2]; 2] = Default::default();
    for round in 0..options.rounds {
        for (peer, samples) in peers.iter().zip(&mut samples) {
            let cache = std::env::temp_dir().join(format!("gallite-bench-{}-{round}", std::process::id()));
            std::fs::create_dir_all(&cache).map_err(|e| e.to_string())?;
            for samples in samples.iter_mut() {
                let values = sample(peer, &cache)?;
                samples.iter_mut().zip(values).for_each(|(into, value)| into.push(value));
            }
            std::fs::remove_dir_all(&cache).map_err(|e| e.to_string())?;
        }
    }
    let mut table = Table::new(["milliseconds per program", peers[0].name, peers[1].name, "ratio"]);
    for (temperature, cache) in ["cold caches", "warm caches"].iter().enumerate() {
        for (index, what) in ["compile and link", "first draw", "both"].iter().enumerate() {
            let mut value = |peer: usize| -> f64 {
                let [link, draw] = &mut samples[peer][temperature];
                match index {
                    0 => median(link),
                    1 => median(draw),
                    _ => median(link) + median(draw),
                }
            };
            let (a, b) = (value(0), value(1));
            table.row([format!("{what}, {cache}"), format!("{a:.2}"), format!("{b:.2}"), format!("{:.2}", b / a)]);
        }
    }
    let body = format!(
        "Medians of {} interleaved rounds of {PROGRAMS} programs; ratio above 1: Gallite needs less. {}.\n\n{}",
        options.rounds,
        machine(),
        table.markdown()
    );
    publish("link", &body, options.update)
}
