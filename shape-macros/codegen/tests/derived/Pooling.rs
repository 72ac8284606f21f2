/// Takes the largest of each window.
#[operator(
    domain = "com.acme",
    name = "MaxPool",
    since_version = 2,
    types(T: [float16, float, double]),
    inputs(
        /// The windows' tensor.
        x: T,
        weights: Option<tensor(float)>
    ),
    outputs(y: T)
)]
pub struct Pooling<'a> {
    /// How large a window is.
    sizes: &'a [i64],
    #[attribute(default = AutoPad::NotSet)]
    auto_pad: AutoPad,
    #[attribute(rename = "type", default = 0, values = [0, 1])]
    kind: i64,
    scale: Option<f32>,
}

#[attribute(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AutoPad {
    #[attribute(rename = "NOTSET")]
    NotSet,
    SameUpper,
}
