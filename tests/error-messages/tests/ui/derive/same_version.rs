use shape_core::Operator;

#[derive(Operator)]
#[operator(domain = "com.acme", name = "Gelu", since_version = 1)]
struct Gelu1;

#[derive(Operator)]
#[operator(domain = "com.acme", name = "Gelu", since_version = 1)]
struct Gelu2 {
    #[attribute(default = 0)]
    approximate: i64,
}

#[derive(Operator)]
#[operator(domain = "com.acme", name = "Gelu", since_version = 3)]
struct Gelu3;

fn main() {}
