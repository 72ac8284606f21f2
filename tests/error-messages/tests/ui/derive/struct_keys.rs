use shape_core::Operator;

#[derive(Operator)]
struct Nothing;

#[derive(Operator)]
#[operator(domian = "com.acme", sinceversion = 1)]
struct Slips;

#[derive(Operator)]
#[operator]
#[operator(domain = 7, since_version = "1", name = Gelu)]
struct Kinds;

#[derive(Operator)]
#[operator(domain, since_version(1), deprecated = true, inputs = T, rules = 7)]
struct Forms;

#[derive(Operator)]
#[operator(domain = "com.acme", domain = "com.acme", since_version = 0, name = "Ge lu")]
struct Twice;

#[derive(Operator)]
#[operator(domain = "", since_version = 99999999999)]
struct Default;

#[derive(Operator)]
#[operator(domain = "com.acme" name = "Gelu", "since", since_version = )]
struct Commas;

fn main() {}
