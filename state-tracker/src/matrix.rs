//! Matrices of four by four, column by column as GL passes them.

/// Sixteen numbers, columns one after another.
pub type Matrix = [f32; 16];

/// The identity.
pub const IDENTITY: Matrix = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// `a * b`.
pub fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|i| {
        let (column, row) = (i / 4, i % 4);
        (0..4).map(|k| a[k * 4 + row] * b[column * 4 + k]).sum()
    })
}

/// `m * v`.
pub fn transform(m: &Matrix, v: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|row| (0..4).map(|k| m[k * 4 + row] * v[k]).sum())
}

/// Rows as columns.
pub fn transpose(m: &Matrix) -> Matrix {
    std::array::from_fn(|i| m[i % 4 * 4 + i / 4])
}

/// The inverse by Gauss-Jordan elimination with pivots; the identity of a singular matrix.
pub fn invert(m: &Matrix) -> Matrix {
    let mut a: [[f64; 8]; 4] = [[0.0; 8]; 4];
    for (row, line) in a.iter_mut().enumerate() {
        for column in 0..4 {
            line[column] = m[column * 4 + row].into();
        }
        line[4 + row] = 1.0;
    }
    for column in 0..4 {
        let Some(pivot) = (column..4).max_by(|x, y| a[*x][column].abs().total_cmp(&a[*y][column].abs())) else {
            return IDENTITY;
        };
        if a[pivot][column] == 0.0 || !a[pivot][column].is_finite() {
            return IDENTITY;
        }
        a.swap(column, pivot);
        let scale = 1.0 / a[column][column];
        a[column].iter_mut().for_each(|v| *v *= scale);
        let line = a[column];
        for (row, other) in a.iter_mut().enumerate().filter(|(row, _)| *row != column) {
            let factor = other[column];
            debug_assert!(row != column);
            for (v, w) in other.iter_mut().zip(line) {
                *v -= factor * w;
            }
        }
    }
    std::array::from_fn(|i| a[i % 4][4 + i / 4] as f32)
}

/// glRotate (GL 4.6 compatibility 12.1.1); a zero axis makes no rotation.
pub fn rotation(angle: f32, axis: [f32; 3]) -> Matrix {
    let length = axis.iter().map(|v| v * v).sum::<f32>().sqrt();
    if length == 0.0 {
        return IDENTITY;
    }
    let [x, y, z] = axis.map(|v| v / length);
    // Multiples of a right angle come out exact, as programs that rotate by them expect.
    let (s, c) = match angle.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        other => other.to_radians().sin_cos(),
    };
    let d = 1.0 - c;
    [
        x * x * d + c,
        y * x * d + z * s,
        x * z * d - y * s,
        0.0,
        x * y * d - z * s,
        y * y * d + c,
        y * z * d + x * s,
        0.0,
        x * z * d + y * s,
        y * z * d - x * s,
        z * z * d + c,
        0.0,
        0.0,
        0.0,
        0.0,
        1.0,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_undoes() {
        let m = [2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 1.0, 3.0, 0.0, 0.0, 5.0, 6.0, 7.0, 1.0];
        let product = multiply(&m, &invert(&m));
        assert!(product.iter().zip(IDENTITY).all(|(a, b)| (a - b).abs() < 1e-6), "{product:?}");
        assert_eq!(invert(&[0.0; 16]), IDENTITY);
    }

    #[test]
    fn right_angles_are_exact() {
        let m = rotation(90.0, [0.0, 0.0, 2.0]);
        assert_eq!(transform(&m, [1.0, 0.0, 0.0, 1.0]), [0.0, 1.0, 0.0, 1.0]);
        assert_eq!(transform(&multiply(&m, &m), [1.0, 2.0, 3.0, 1.0]), [-1.0, -2.0, 3.0, 1.0]);
        assert_eq!(transpose(&transpose(&m)), m);
    }
}
