//! Damages shaders, the same way for the same seed.

/// A small generator of pseudo-random numbers (xorshift).
pub struct Random(u64);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// What takes the place of tokens.
const WORDS: &[&str] = &[
    "0",
    "1",
    "-1",
    "4294967295u",
    "1e38",
    "0.0",
    "vec4",
    "vec2",
    "mat3",
    "ivec2",
    "uvec3",
    "bool",
    "float",
    "int",
    "uint",
    "void",
    "struct",
    "in",
    "out",
    "inout",
    "uniform",
    "const",
    "flat",
    "centroid",
    "invariant",
    "varying",
    "attribute",
    "layout(location = 0)",
    "layout(std140)",
    "layout(triangles) in;",
    "sampler2D",
    "sampler2DRect",
    "samplerBuffer",
    "sampler2DArrayShadow",
    "sampler2DMS",
    "texture",
    "texture2D",
    "shadow2D",
    "texelFetch",
    "textureSize",
    "gl_Position",
    "gl_FragColor",
    "gl_FragData[0]",
    "gl_in",
    "gl_PerVertex",
    "gl_Vertex",
    "gl_ClipDistance[1]",
    "gl_FragCoord",
    "main",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case 1:",
    "default:",
    "break;",
    "continue;",
    "return",
    "discard;",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    ".",
    "+",
    "-",
    "*",
    "/",
    "%",
    "<<",
    "==",
    "!=",
    "&&",
    "?",
    ":",
    "=",
    "++",
    ".xyzw",
    ".length()",
    "[0]",
    "[99999999]",
    "\n#define A(x) x x\n",
    "\n#if 1\n",
    "\n#endif\n",
    "\n#else\n",
    "\n#define A A(A) A\n",
    "\n#undef A\n",
    "A(",
    "##",
    "defined(A)",
    "\n#line 9\n",
    "shared",
    "buffer",
    "layout(std430, binding = 0)",
    "layout(local_size_x = 1) in;",
    "image2D",
    "atomic_uint",
    "imageStore",
    "atomicAdd",
    "barrier()",
    "double",
    "dvec3",
    "\n#extension all : warn\n",
    "\n#version 330\n",
    "\\\n",
    "/*",
    "//",
    "inverse",
    "determinant(mat2(1.0, 2.0, 3.0, 4.0))",
    "transpose",
    "abs",
    "dFdx",
    "EmitVertex()",
    "\u{e9}",
    "\0",
];

/// A damaged copy of `source`.
pub fn mutate(source: &str, random: &mut Random) -> String {
    let mut tokens: Vec<String> = split(source);
    for _ in 0..=random.below(4) {
        if tokens.is_empty() {
            break;
        }
        let at = random.below(tokens.len());
        let other = random.below(tokens.len());
        match random.below(8) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[other].clone()),
            2 => tokens.swap(at, other),
            3 | 4 => tokens[at] = WORDS[random.below(WORDS.len())].to_owned(),
            5 => tokens.insert(at, format!(" {} ", WORDS[random.below(WORDS.len())])),
            6 => {
                let (from, to) = (at.min(other), at.max(other).min(at.min(other) + 12));
                let part: Vec<String> = tokens[from..to].to_vec();
                tokens.splice(at..at, part);
            }
            _ if random.below(10) == 0 => tokens.truncate(at),
            _ => drop(tokens.drain(at..(at + 1 + random.below(6)).min(tokens.len()))),
        }
    }
    tokens.concat()
}

/// Words, runs of white space and single other characters.
fn split(source: &str) -> Vec<String> {
    let class = |c: char| {
        if c.is_alphanumeric() || c == '_' {
            1
        } else if c.is_whitespace() {
            2
        } else {
            0
        }
    };
    let mut out: Vec<String> = Vec::new();
    let mut last = 0;
    for c in source.chars() {
        match out.last_mut() {
            Some(word) if class(c) == last && last != 0 => word.push(c),
            _ => out.push(c.into()),
        }
        last = class(c);
    }
    out
}
