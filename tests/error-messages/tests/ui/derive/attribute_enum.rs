use shape_core::AttributeEnum;

#[derive(AttributeEnum)]
struct Struct;

#[derive(AttributeEnum)]
union Union {
    int: i64,
}

#[derive(AttributeEnum)]
enum Nothing {}

#[derive(AttributeEnum)]
#[attribute(rename_all = "snakecase", renam = "x")]
enum Variants<T> {
    Holds(T),
    Named { int: i64 },
    Number,
    #[attribute(rename = 7)]
    Renamed,
    #[attribute(rename = "Number")]
    Same,
    #[attribute(name = "other")]
    Key,
}

#[derive(AttributeEnum)]
enum Numbers {
    One = 1,
    Two,
}

fn main() {}
