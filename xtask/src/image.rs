//! Pictures: reading the PPM that ImageMagick writes, and SSIM between two of them.

use crate::Result;

/// An 8-bit RGB picture, rows from the top.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Image {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Three bytes a pixel.
    pub rgb: Vec<u8>,
}

impl Image {
    /// Reads a binary PPM ("P6") of depth 8.
    pub fn from_ppm(bytes: &[u8]) -> Result<Self> {
        let mut at = 0;
        let magic = token(bytes, &mut at);
        let mut number = || token(bytes, &mut at).and_then(|t| t.parse::<usize>().ok());
        let (width, height, depth) = (number(), number(), number());
        let (Some("P6"), Some(width), Some(height), Some(255)) = (magic, width, height, depth) else {
            return Err("not a binary PPM of depth 8".into());
        };
        // One white-space byte ends the header.
        let size = width.checked_mul(height).and_then(|n| n.checked_mul(3)).ok_or("PPM too large")?;
        let rgb = bytes.get(at + 1..).and_then(|b| b.get(..size)).ok_or("PPM ends early")?;
        Ok(Self { width, height, rgb: rgb.to_vec() })
    }

    fn luma(&self) -> Vec<f64> {
        // BT.601 weights, the ones SSIM is usually quoted with.
        self.rgb
            .chunks_exact(3)
            .map(|p| 0.299 * f64::from(p[0]) + 0.587 * f64::from(p[1]) + 0.114 * f64::from(p[2]))
            .collect()
    }

    /// Whether all pixels have one colour: a picture with nothing in it.
    pub fn is_blank(&self) -> bool {
        self.rgb.chunks_exact(3).all(|p| p == &self.rgb[..3])
    }
}

fn token<'a>(bytes: &'a [u8], at: &mut usize) -> Option<&'a str> {
    loop {
        while bytes.get(*at)?.is_ascii_whitespace() {
            *at += 1;
        }
        if bytes[*at] != b'#' {
            break;
        }
        while *bytes.get(*at)? != b'\n' {
            *at += 1;
        }
    }
    let start = *at;
    while bytes.get(*at).is_some_and(|b| !b.is_ascii_whitespace()) {
        *at += 1;
    }
    std::str::from_utf8(&bytes[start..*at]).ok()
}

/// Side of SSIM's square window in pixels.
const WINDOW: usize = 8;

/// Structural similarity of two pictures.
#[derive(Clone, Copy, Debug)]
pub struct Similarity {
    /// The mean over the whole picture; 1.0 means equal.
    pub mean: f64,
    /// The mean over windows in which at least one of the two shows more than one flat colour: large empty
    /// areas do not lift it.
    pub drawn: f64,
}

/// Structural similarity of two pictures' luma (Wang, Bovik, Sheikh, Simoncelli 2004) over 8x8 windows at every
/// fourth pixel.
pub fn ssim(a: &Image, b: &Image) -> Result<Similarity> {
    if (a.width, a.height) != (b.width, b.height) {
        return Err(format!("sizes differ: {}x{} and {}x{}", a.width, a.height, b.width, b.height));
    }
    if a.width < WINDOW || a.height < WINDOW {
        return Err("pictures are smaller than one window".into());
    }
    let (la, lb) = (a.luma(), b.luma());
    let mut all = Mean::default();
    let mut drawn = Mean::default();
    for y in (0..=a.height - WINDOW).step_by(WINDOW / 2) {
        for x in (0..=a.width - WINDOW).step_by(WINDOW / 2) {
            let (score, flat) = window_ssim(&la, &lb, a.width, x, y);
            all.add(score);
            if !flat {
                drawn.add(score);
            }
        }
    }
    Ok(Similarity { mean: all.value(), drawn: drawn.value() })
}

#[derive(Default)]
struct Mean {
    sum: f64,
    count: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1.0;
    }

    /// The mean; 1.0 of nothing.
    fn value(&self) -> f64 {
        if self.count > 0.0 { self.sum / self.count } else { 1.0 }
    }
}

/// The similarity of one window, and whether both pictures are flat there.
fn window_ssim(a: &[f64], b: &[f64], stride: usize, x: usize, y: usize) -> (f64, bool) {
    const C1: f64 = (0.01 * 255.0) * (0.01 * 255.0);
    const C2: f64 = (0.03 * 255.0) * (0.03 * 255.0);
    let count = (WINDOW * WINDOW) as f64;
    let (mut sa, mut sb, mut saa, mut sbb, mut sab) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for row in y..y + WINDOW {
        let at = row * stride + x;
        for (pa, pb) in a[at..at + WINDOW].iter().zip(&b[at..at + WINDOW]) {
            sa += pa;
            sb += pb;
            saa += pa * pa;
            sbb += pb * pb;
            sab += pa * pb;
        }
    }
    let (ma, mb) = (sa / count, sb / count);
    let (va, vb, cov) = (saa / count - ma * ma, sbb / count - mb * mb, sab / count - ma * mb);
    let score = ((2.0 * ma * mb + C1) * (2.0 * cov + C2)) / ((ma * ma + mb * mb + C1) * (va + vb + C2));
    (score, va < 1e-6 && vb < 1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(f: impl Fn(usize, usize) -> u8) -> Image {
        let (width, height) = (32, 24);
        let rgb = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| [f(x, y); 3]).collect();
        Image { width, height, rgb }
    }

    fn mean(a: &Image, b: &Image) -> f64 {
        ssim(a, b).map_or(f64::NAN, |s| s.mean)
    }

    #[test]
    fn equal_pictures_score_one_and_different_ones_do_not() {
        let a = picture(|x, y| (x * 7 + y * 3) as u8);
        assert!((mean(&a, &a) - 1.0).abs() < 1e-9);
        let off_by_one = picture(|x, y| ((x * 7 + y * 3) as u8).saturating_add(1));
        assert!(mean(&a, &off_by_one) > 0.99);
        let flipped = picture(|x, y| (x * 7 + (23 - y) * 3) as u8);
        assert!(mean(&a, &flipped) < 0.99);
        let black = picture(|_, _| 0);
        assert!(mean(&a, &black) < 0.2);
    }

    #[test]
    fn empty_areas_do_not_lift_the_score_of_what_is_drawn() {
        let a = picture(|x, y| if x < 8 && y < 8 { (x * 30) as u8 } else { 0 });
        let b = picture(|x, y| if x < 8 && y < 8 { (y * 30) as u8 } else { 0 });
        let Ok(score) = ssim(&a, &b) else { panic!("sizes are equal") };
        assert!(score.drawn < 0.6 && score.mean > score.drawn, "{score:?}");
    }

    #[test]
    fn reads_ppm_with_a_comment() {
        let mut bytes = b"P6 # made by hand\n2 1\n255\n".to_vec();
        bytes.extend([1, 2, 3, 4, 5, 6]);
        let image = Image::from_ppm(&bytes);
        assert_eq!(image, Ok(Image { width: 2, height: 1, rgb: vec![1, 2, 3, 4, 5, 6] }));
        assert!(Image::from_ppm(&bytes[..bytes.len() - 1]).is_err());
        assert!(Image::from_ppm(b"P5 1 1 255 x").is_err());
    }
}
