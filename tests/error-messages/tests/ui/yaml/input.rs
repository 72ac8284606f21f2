mod nothing {
    shape_core::operators!();
}

mod no_text {
    shape_core::operators!(Gelu);
}

mod no_comma {
    shape_core::operators!("yaml/Right.yaml" "yaml/Right.yaml");
}

fn main() {}
