use shape_core::dims::{Dims, Outputs};
use shape_core::element::{Int2, Typed};
use shape_core::opset25::Shape;

struct Found(Vec<u64>);

impl Outputs<u64> for Found {
    fn dims(&mut self, _: usize, _: Dims<'_, u64>) {}

    fn sizes(&mut self, _: usize, sizes: &[u64]) {
        self.0 = sizes.to_vec();
    }

    fn elements_of(&mut self, _: usize, _: usize) {}
}

fn main() {
    let mut found = Found(Vec::new());
    let data: Typed<'_, Int2> = Typed::new(&[2, 3, 4]);
    Shape { start: 1, end: None }.infer_typed(data, &mut found).unwrap();
    assert_eq!(found.0, [3, 4]);
}
