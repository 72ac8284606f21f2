struct Mine;

impl shape_core::element::Element for Mine {
    const DATA_TYPE: shape_core::DataType = shape_core::DataType::Float;

    fn from_le_bytes(_: &[u8]) -> Option<Self> {
        None
    }
}

fn main() {}
