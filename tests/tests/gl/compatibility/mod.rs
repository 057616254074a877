//! The compatibility profile, by GL 4.6 compatibility.

pub mod arrays;
pub mod fixed;
pub mod immediate;
pub mod objects;
pub mod shaders;
pub mod state;

use gallite_tests::draw::Image;
use gallite_tests::gl::legacy as old;

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const WHITE: [u8; 4] = [255; 4];
const NOTHING: [u8; 4] = [0; 4];

/// The whole pbuffer.
fn image() -> Image {
    Image::read(0, 0, 8, 8)
}

/// The left half of the window as vertices of a quad.
const LEFT: [[f32; 2]; 4] = [[-1.0, -1.0], [0.0, -1.0], [0.0, 1.0], [-1.0, 1.0]];

/// Covers the window.
fn cover() {
    old::Rectf(-1.0, -1.0, 1.0, 1.0);
}
