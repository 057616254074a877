//! Damaged shaders end in a log, never in a crash or a hang.

mod mutate;

use std::time::{Duration, Instant};

use gallite_shader::{CompileOptions, LinkInput, Stage, compile, link};
use mutate::{Random, mutate};

/// Whole programs of several versions and stages, between them most of the language.
const PROGRAMS: &[&[(Stage, &str)]] = &[
    &[(Stage::Vertex, include_str!("shaders/lit.vert")), (Stage::Fragment, include_str!("shaders/lit.frag"))],
    &[(Stage::Vertex, include_str!("shaders/legacy.vert")), (Stage::Fragment, include_str!("shaders/legacy.frag"))],
    &[
        (Stage::Vertex, include_str!("shaders/blocks.vert")),
        (Stage::Geometry, include_str!("shaders/blocks.geom")),
        (Stage::Fragment, include_str!("shaders/blocks.frag")),
    ],
    &[(Stage::Vertex, include_str!("shaders/integers.vert")), (Stage::Fragment, include_str!("shaders/integers.frag"))],
];

fn run(program: &[(Stage, String)]) -> bool {
    let options = CompileOptions::default();
    let shaders: Vec<_> = program.iter().map(|(stage, source)| compile(*stage, source, &options)).collect();
    let xfb = ["gl_Position".to_owned(), "Varyings.normal".to_owned()];
    link(&LinkInput {
        shaders: &shaders,
        xfb_varyings: if program.len() == 3 { &[] } else { &xfb[..1] },
        ..LinkInput::default()
    })
    .ok
}

/// Undamaged, all of them link: the damage below is done to what otherwise works.
#[test]
fn originals_link() {
    for program in PROGRAMS {
        let whole: Vec<(Stage, String)> = program.iter().map(|(stage, s)| (*stage, (*s).to_owned())).collect();
        assert!(run(&whole));
    }
}

#[test]
fn two_thousand_damaged_shaders() {
    let mut random = Random::new(20);
    let mut slowest = Duration::ZERO;
    let mut linked = 0;
    const ROUNDS: usize = 900;
    for round in 0..ROUNDS {
        let program = PROGRAMS[round % PROGRAMS.len()];
        let damaged: Vec<(Stage, String)> = program.iter().map(|(stage, s)| (*stage, mutate(s, &mut random))).collect();
        let start = Instant::now();
        linked += usize::from(run(&damaged));
        slowest = slowest.max(start.elapsed());
        assert!(start.elapsed() < Duration::from_secs(4), "slow: {damaged:#?}");
    }
    // Some damage does no harm, most does.
    assert!(linked > 0 && linked < ROUNDS / 2, "{linked} of {ROUNDS} link, slowest {slowest:?}");
}

/// Bytes of every kind.
#[test]
fn noise() {
    let mut random = Random::new(7);
    for _ in 0..300 {
        let length = random.below(400);
        let text: String = (0..length).filter_map(|_| char::from_u32(random.below(0x180) as u32)).collect();
        run(&[(Stage::Vertex, text.clone()), (Stage::Fragment, format!("#version 330\n{text}"))]);
    }
}
