//! Components as bytes.

use half::{bf16, f16};
use mrmr_core::{Error, Result};

use super::super::dtype::Dtype;

/// Appends the bytes of a row, the lowest of each number first.
pub(super) fn append(dtype: Dtype, id: &str, row: &[f32], bytes: &mut Vec<u8>) -> Result<()> {
    match dtype {
        Dtype::F32 => bytes.extend(row.iter().flat_map(|number| number.to_le_bytes())),
        Dtype::F16 => {
            for number in row {
                bytes.extend(to_f16(id, *number)?.to_le_bytes());
            }
        }
        Dtype::Bf16 => {
            for number in row {
                let short = bf16::from_f32(*number);
                if !short.is_finite() {
                    return Err(too_large(dtype, id, *number));
                }
                bytes.extend(short.to_le_bytes());
            }
        }
        Dtype::Int8 => {
            let scale = scale(id, row)?;
            bytes.extend(
                row.iter()
                    .map(|number| code(*number, scale).cast_unsigned()),
            );
        }
    }
    Ok(())
}

/// A number of 16 bits.
pub(super) fn to_f16(id: &str, number: f32) -> Result<f16> {
    let short = f16::from_f32(number);
    match short.is_finite() {
        true => Ok(short),
        false => Err(too_large(Dtype::F16, id, number)),
    }
}

/// What the codes of a row are multiplied by.
pub(super) fn scale(id: &str, row: &[f32]) -> Result<f32> {
    let largest = row.iter().fold(0f32, |most, number| most.max(number.abs()));
    let scale = largest / 127.0;
    if !scale.is_finite() || (largest > 0.0 && !scale.is_normal()) {
        return Err(Error::data(format!(
            "id '{id}': the largest component, {largest}, makes no scale for int8"
        ))
        .hint("--dtype f32 holds it"));
    }
    Ok(scale)
}

fn code(number: f32, scale: f32) -> i8 {
    if scale == 0.0 {
        return 0;
    }
    (number / scale).round_ties_even().clamp(-127.0, 127.0) as i8
}

fn too_large(dtype: Dtype, id: &str, number: f32) -> Error {
    Error::data(format!(
        "id '{id}': the component {number} is too large for {dtype}"
    ))
    .hint("--dtype f32 holds it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_times_its_scale_is_half_a_scale_off_at_most() {
        let row: Vec<f32> = (0..200)
            .map(|at| ((at * 7919) % 401) as f32 / 37.0 - 5.0)
            .collect();
        let scale = scale("d", &row).unwrap();
        for number in row {
            let back = f32::from(code(number, scale)) * scale;
            assert!(
                (back - number).abs() <= scale * 0.500_001,
                "{number} {back}"
            );
        }
        assert_eq!(code(0.0, 0.0), 0);
    }

    #[test]
    fn what_a_type_does_not_hold_is_refused_with_the_id() {
        for (dtype, number) in [
            (Dtype::F16, 70_000.0),
            (Dtype::Bf16, f32::MAX),
            (Dtype::Int8, 1e-44),
        ] {
            let error = append(dtype, "d7", &[0.0, number], &mut Vec::new()).unwrap_err();
            assert!(error.message().contains("'d7'"), "{error}");
        }
    }
}
