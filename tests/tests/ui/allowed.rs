use shape_core::facts::{Dims, EachElement, Outputs, UnknownCause};
use shape_core::element::Int2;
use shape_core::facts::Typed;
use shape_core::elements::Scalar;
use shape_core::opset25::Shape;

struct Found(Vec<Scalar<u64>>);

impl Outputs<u64> for Found {
    fn dims(&mut self, _: usize, _: Dims<'_, u64>) {}

    fn elements(&mut self, _: usize, elements: Result<EachElement<'_, u64>, UnknownCause>) {
        let (count, each) = elements.unwrap();
        self.0 = (0..count).map(each).collect();
    }

    fn elements_of(&mut self, _: usize, _: usize) {}
}

fn main() {
    let mut found = Found(Vec::new());
    let data: Typed<'_, Int2> = Typed::new(&[2, 3, 4]);
    Shape { start: 1, end: None }.infer_typed(data, &mut found).unwrap();
    assert_eq!(found.0, [Scalar::Int(3), Scalar::Int(4)]);
}
