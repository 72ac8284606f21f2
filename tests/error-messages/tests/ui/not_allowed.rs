use shape_core::facts::Outputs;
use shape_core::element::Bfloat16;
use shape_core::facts::Typed;

fn infer(data: Typed<'_, Bfloat16>, found: &mut dyn Outputs<u64>) {
    let _ = shape_core::opset13::Shape {}.infer_typed(data, found);
    let _ = shape_core::opset12::Shape {}.infer_typed(data, found);
}

fn main() {}
