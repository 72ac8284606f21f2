shape_core::operators!("yaml/Wrong.yaml", "yaml/Syntax.yaml");

/// The one without a mistake is there all the same.
mod others {
    shape_core::operators!("yaml/Twin.yaml", "yaml/Right.yaml", "yaml/Missing.yaml", "yaml/Right.yaml");
}

fn main() {
    let _ = others::gelu::Gelu1 {};
}
