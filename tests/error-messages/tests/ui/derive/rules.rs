use shape_core::Operator;

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1, types(T: [float]), inputs(x: T, n: tensor(int64)), outputs(y: T))]
#[operator(rules(y = same(x), y, y("same(x)"), y = 7))]
struct Forms;

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1, types(T: [float]), inputs(x: T), outputs(y: T))]
#[operator(rules(y = "same(x)", y = "[...x]", z = "same(x)"))]
struct Outputs;

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1, types(T: [float]), inputs(x: T), outputs(y: T))]
#[operator(rules(y = "smae(x)"))]
struct Name;

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1, types(T: [float]), inputs(x: T), outputs(y: T))]
#[operator(rules(y = "reduce(x, scale)"))]
struct Kind {
    scale: f32,
}

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1, types(T: [float]), inputs(x: T), outputs(y: T))]
#[operator(rules(y = "[x[0], scale"))]
struct Terms {
    scale: f32,
}

fn main() {}
