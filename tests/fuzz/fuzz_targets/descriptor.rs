//! Any bytes as a descriptor: no panic, no hang, and each mistake at a place within the file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shape_specs::Tables;

fuzz_target!(|bytes: &[u8]| {
    let Ok(tables) = Tables::builtin() else { unreachable!("the tables of the crate are right") };
    if let Err(errors) = shape_specs::resolve("ai.onnx/Shape.yaml", bytes, tables) {
        let lines = bytes.split(|&byte| byte == b'\n').count();
        assert!(!errors.0.is_empty());
        assert!(errors.0.iter().all(|error| (1..=lines).contains(&error.position.line) && error.position.column > 0));
        assert!(errors.to_string().contains("error["));
    }
});
