use shape_core::{Operator, OperatorVersions};

#[derive(Operator)]
#[operator(domain = "com.acme", name = "Blur", since_version = 1, inputs(x: tensor(float)), outputs(y: tensor(float)))]
struct Blur1 {
    radius: i64,
}

#[derive(Operator)]
#[operator(domain = "com.acme", name = "Blur", since_version = 3, inputs(x: tensor(float)), outputs(y: tensor(float)))]
#[operator(adapter(rename = "radius", to = "size"))]
struct Blur3 {
    sizes: i64,
}

#[derive(Operator)]
#[operator(domain = "com.acme", name = "Blurr", since_version = 4, inputs(x: tensor(float)), outputs(y: tensor(float)))]
struct Blur4;

#[derive(OperatorVersions)]
enum Adapted {
    V1(Blur1),
    V3(Blur3),
}

#[derive(OperatorVersions)]
enum Order {
    V3(Blur3),
    V1(Blur1),
}

#[derive(OperatorVersions)]
enum Others {
    V1(Blur1),
    V4(Blur4),
}

#[derive(OperatorVersions)]
#[operator(crat = ::renamed)]
enum Forms<'a, T> {
    V1 { version: Blur1 },
    V2,
    V3(Blur3, &'a T),
}

#[derive(OperatorVersions)]
struct One(Blur1);

#[derive(OperatorVersions)]
enum Nothing {}

fn main() {}
