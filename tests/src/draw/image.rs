//! Pixels read back, and comparisons that print what differs.

use crate::gl;

/// One pixel.
pub type Rgba = [u8; 4];

/// A rectangle of RGBA8 pixels, bottom row first as GL returns them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Columns.
    pub width: i32,
    /// Rows.
    pub height: i32,
    /// Pixels, row by row.
    pub pixels: Vec<Rgba>,
}

impl Image {
    /// Reads the colour of the read framebuffer.
    #[track_caller]
    pub fn read(x: i32, y: i32, width: i32, height: i32) -> Self {
        let count = (width * height) as usize;
        let mut pixels = vec![[0x5a_u8; 4]; count];
        gl::ReadPixels(x, y, width, height, gl::RGBA, gl::UNSIGNED_BYTE, pixels.as_mut_ptr().cast());
        super::expect_no_error("glReadPixels");
        Self { width, height, pixels }
    }

    /// The pixel at this place.
    #[track_caller]
    pub fn at(&self, x: i32, y: i32) -> Rgba {
        assert!((0..self.width).contains(&x) && (0..self.height).contains(&y), "({x}, {y}) is outside");
        self.pixels[(y * self.width + x) as usize]
    }

    /// Fails unless the pixel has this colour.
    #[track_caller]
    pub fn expect(&self, x: i32, y: i32, colour: Rgba) {
        let got = self.at(x, y);
        assert!(got == colour, "pixel ({x}, {y}) is {got:?}, expected {colour:?}\n{}", self.sketch());
    }

    /// Fails unless every pixel has the colour that `f` gives for its place.
    #[track_caller]
    pub fn expect_each(&self, f: impl Fn(i32, i32) -> Rgba) {
        self.expect_each_near(0, f);
    }

    /// As [`Image::expect_each`], each channel at most `tolerance` off.
    #[track_caller]
    pub fn expect_each_near(&self, tolerance: u8, f: impl Fn(i32, i32) -> Rgba) {
        let mut wrong = 0;
        let mut first = None;
        for y in 0..self.height {
            for x in 0..self.width {
                let (got, expected) = (self.at(x, y), f(x, y));
                if !near(got, expected, tolerance) {
                    wrong += 1;
                    first.get_or_insert((x, y, got, expected));
                }
            }
        }
        if let Some((x, y, got, expected)) = first {
            panic!("{wrong} pixels differ; first ({x}, {y}) is {got:?}, expected {expected:?}\n{}", self.sketch());
        }
    }

    /// Fails unless every pixel has this colour.
    #[track_caller]
    pub fn expect_all(&self, colour: Rgba) {
        self.expect_each(|_, _| colour);
    }

    /// Fails unless the pixels of one rectangle have `inside` and all others `outside`.
    #[track_caller]
    pub fn expect_rect(&self, rect: [i32; 4], inside: Rgba, outside: Rgba) {
        let [x0, y0, w, h] = rect;
        self.expect_each(|x, y| if (x0..x0 + w).contains(&x) && (y0..y0 + h).contains(&y) { inside } else { outside });
    }

    /// How many pixels have this colour.
    pub fn count(&self, colour: Rgba) -> usize {
        self.pixels.iter().filter(|pixel| **pixel == colour).count()
    }

    /// A small picture in letters, top row first: one letter per distinct colour.
    fn sketch(&self) -> String {
        if self.width > 96 || self.height > 96 {
            return String::new();
        }
        let mut colours: Vec<Rgba> = Vec::new();
        let mut text = String::new();
        for y in (0..self.height).rev() {
            for x in 0..self.width {
                let pixel = self.at(x, y);
                let at = colours.iter().position(|c| *c == pixel).unwrap_or_else(|| {
                    colours.push(pixel);
                    colours.len() - 1
                });
                text.push(if pixel == [0; 4] { '.' } else { char::from(b'A' + (at % 26) as u8) });
            }
            text.push('\n');
        }
        for (at, colour) in colours.iter().take(26).enumerate() {
            text.push_str(&format!("{} = {colour:?}\n", char::from(b'A' + at as u8)));
        }
        text
    }
}

/// Whether each channel differs by at most `tolerance`.
pub fn near(a: Rgba, b: Rgba, tolerance: u8) -> bool {
    a.iter().zip(b).all(|(x, y)| x.abs_diff(y) <= tolerance)
}
