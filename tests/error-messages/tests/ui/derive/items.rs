use shape_core::Operator;

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1)]
enum Versions {
    One,
}

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1)]
union Either {
    int: i64,
    float: f32,
}

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1)]
struct Tuple(i64);

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1)]
struct Generic<T> {
    field: Vec<T>,
}

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1)]
struct Const<const SINCE: u32> {
    axis: i64,
}

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1)]
struct Lifetimes<'a, 'b> {
    pads: &'a [i64],
    scales: &'b [f32],
}

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1)]
struct Where
where
    i64: Copy,
{
    axis: i64,
}

fn main() {}
