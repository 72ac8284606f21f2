//! Images in a stream of bytes.

use super::parameters::ImageDecoder;
use super::refuse::has_rank;
use crate::dimension::Dimension;
use crate::facts::UnknownCause;
use crate::rule::{Done, Output};

pub(super) fn image_decoder<D: Dimension>(
    ImageDecoder { encoded_stream, pixel_format }: ImageDecoder<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    has_rank(&encoded_stream, 1, "the encoded stream must have 1 dimension")?;
    let channels = D::from(if pixel_format == b"Grayscale" { 1 } else { 3 });
    output.each_dim(&[Err(UnknownCause::Data), Err(UnknownCause::Data), Ok(channels)]);
    Ok(())
}
