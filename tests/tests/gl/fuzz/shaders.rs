//! Sources that are right, cut off, mutated, or made of words at random.

use super::random::Random;
use gallite_tests::draw::{compile_log, shader_status, try_program};
use gallite_tests::gl;

/// Vertex shaders that link with any of [`FRAGMENTS`].
pub const VERTICES: &[&str] = &[
    "#version 330 core
layout(location = 0) in vec4 position;
out vec4 v;
void main() { v = position; gl_Position = position; }
",
    "#version 330 core
layout(location = 0) in vec4 position;
layout(location = 1) in ivec2 more;
out vec4 v;
uniform mat4 m;
uniform float weights[4];
void main() { v = m * position * weights[1] + vec4(more, 0, 1); gl_Position = position; gl_PointSize = 3.0; }
",
    "#version 150
in vec4 position;
out vec4 v;
layout(std140) uniform Block { mat4 m; vec4 lights[8]; } block;
void main() { v = block.lights[gl_VertexID & 7]; gl_Position = block.m * position; gl_ClipDistance[0] = v.x; }
",
    "#version 130
in vec4 position;
out vec4 v;
void main() { v = position + float(gl_VertexID); gl_Position = position; }
",
];

/// Fragment shaders.
pub const FRAGMENTS: &[&str] = &[
    "#version 330 core
in vec4 v;
uniform vec4 colour;
layout(location = 0) out vec4 result;
void main() { result = v + colour; }
",
    "#version 330 core
in vec4 v;
uniform sampler2D image;
uniform samplerCube sky;
uniform sampler2DShadow shadow;
layout(location = 0) out vec4 result;
void main() { result = texture(image, v.xy) + texture(sky, v.xyz) + texture(shadow, v.xyz); }
",
    "#version 330 core
in vec4 v;
struct S { vec3 a; float b[2]; };
uniform S s[2];
uniform isampler2DArray numbers;
layout(location = 0) out vec4 result;
layout(location = 1) out ivec4 other;
void main() {
    other = texelFetch(numbers, ivec3(v.xyz), 0);
    for (int i = 0; i < 4; ++i) { if (v.x > float(i)) { other += ivec4(s[i & 1].a, s[1].b[0]); } }
    if (v.w < 0.0) { discard; }
    result = dFdx(v);
}
",
    "#version 130
in vec4 v;
void main() { gl_FragColor = v.wzyx * gl_FragCoord; }
",
];

/// A geometry shader between them.
pub const GEOMETRY: &str = "#version 330 core
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
void main() {
    for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position.yxzw; gl_Layer = i; EmitVertex(); }
    EndPrimitive();
}
";

const WORDS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "<",
    ">",
    "!",
    "?",
    ":",
    "&&",
    "^",
    "~",
    "#",
    "#version 330\n",
    "#define x x x\n",
    "#if 1\n",
    "#endif\n",
    "#extension all : enable\n",
    "layout",
    "(location = -1)",
    "(std140)",
    "uniform",
    "in",
    "out",
    "flat",
    "const",
    "struct",
    "void",
    "main()",
    "float",
    "int",
    "uint",
    "vec4",
    "mat3x4",
    "sampler2D",
    "isamplerCube",
    "x",
    "y",
    "gl_Position",
    "gl_in",
    "[99999999]",
    "0",
    "1.0",
    "1e999",
    "0xffffffffff",
    "return",
    "discard",
    "for",
    "while",
    "if",
    "else",
    "switch",
    "case",
    "texture",
    "dFdx",
    "\n",
    "\\\n",
    "/*",
    "*/",
    "//",
    "\"",
    "precision",
    "highp",
    "subroutine",
    "patch",
    "buffer",
    "readonly",
    "\u{e9}",
    "\0",
];

/// A source of any kind.
pub fn source(random: &mut Random) -> (u32, Vec<u8>) {
    let (stage, text) = match random.below(5) {
        0 | 1 => (gl::VERTEX_SHADER, random.pick(VERTICES)),
        2 | 3 => (gl::FRAGMENT_SHADER, random.pick(FRAGMENTS)),
        _ => (gl::GEOMETRY_SHADER, GEOMETRY),
    };
    let mut bytes = text.as_bytes().to_vec();
    match random.below(6) {
        0 => bytes.truncate(random.below(bytes.len())),
        1 => {
            for _ in 0..=random.below(4) {
                let at = random.below(bytes.len());
                bytes[at] = random.next() as u8;
            }
        }
        2 => {
            let (from, to) = (random.below(bytes.len()), random.below(bytes.len()));
            let part = bytes[from.min(to)..from.max(to)].to_vec();
            let at = random.below(bytes.len());
            bytes.splice(at..at, part);
        }
        3 => {
            bytes.clear();
            for _ in 0..random.below(200) {
                bytes.extend_from_slice(random.pick(WORDS).as_bytes());
                bytes.push(b' ');
            }
        }
        4 => {
            let word = random.pick(WORDS).as_bytes();
            let at = random.below(bytes.len());
            bytes.splice(at..at, word.iter().copied());
        }
        _ => {}
    }
    (stage, bytes)
}

/// Compiles `count` sources, and links what compiles with something that does.
pub fn run(seed: u64, count: usize) {
    let mut random = Random::new(seed);
    let mut compiled = 0;
    for _ in 0..count {
        let (stage, bytes) = source(&mut random);
        let shader = gl::CreateShader(stage);
        let (text, length) = (bytes.as_ptr().cast(), bytes.len() as i32);
        gl::ShaderSource(shader, 1, &text, &length);
        gl::CompileShader(shader);
        let mut status = 0;
        gl::GetShaderiv(shader, gl::COMPILE_STATUS, &mut status);
        if status == 0 {
            let log = compile_log(shader);
            assert!(!log.is_empty(), "no log for {:?}", String::from_utf8_lossy(&bytes));
            gl::DeleteShader(shader);
            continue;
        }
        compiled += 1;
        let other = if stage == gl::FRAGMENT_SHADER { gl::VERTEX_SHADER } else { gl::FRAGMENT_SHADER };
        let text = random.pick(if stage == gl::FRAGMENT_SHADER { VERTICES } else { FRAGMENTS });
        let (partner, ok) = shader_status(other, text);
        assert!(ok, "{}", compile_log(partner));
        let program = gl::CreateProgram();
        gl::AttachShader(program, shader);
        gl::AttachShader(program, partner);
        gl::LinkProgram(program);
        for name in [shader, partner] {
            gl::DeleteShader(name);
        }
        gl::DeleteProgram(program);
    }
    assert!(compiled > count / 10, "{compiled} of {count} compiled");
    let known = [(gl::VERTEX_SHADER, VERTICES[0]), (gl::FRAGMENT_SHADER, FRAGMENTS[0])];
    try_program(&known, |_| {}).expect("a right program after wrong ones").delete();
}

/// Sources that are short and mean more than any stack holds: macros that multiply, conditions that nest.
pub fn expansions() -> Vec<(&'static str, String)> {
    let body = "out vec4 result;\nvoid main() { result = vec4(";
    let doubling = |first: &str, joint: &str, count: usize| -> String {
        (1..count)
            .fold(format!("#define M0 {first}\n"), |text, i| format!("{text}#define M{i} M{0} {joint} M{0}\n", i - 1))
    };
    let version = "#version 330 core\nuniform float u;\n";
    vec![
        ("sums", format!("{version}{}{body}M13); }}\n", doubling("u", "+", 14))),
        ("more sums than there is memory for", format!("{version}{}{body}M40); }}\n", doubling("u", "+", 41))),
        ("arguments", format!("{version}#define F(x) x + x\n{body}{}u{}); }}\n", "F(".repeat(40), ")".repeat(40))),
        ("signs in a condition", format!("{version}#if {}1\n#endif\n{body}1.0); }}\n", "! ".repeat(150_000))),
        ("parentheses", format!("{version}#if {}1{}\n#endif\n", "(".repeat(90_000), ")".repeat(90_000))),
        ("signs by macros", format!("{version}{}#if M17 1\n#endif\n{body}1.0); }}\n", doubling("!", "", 18))),
    ]
}
