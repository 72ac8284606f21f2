//! One mistake is one finding, which says what to do.

use crate::run::check;
use crate::text::text;

#[test]
fn more_scan_inputs_than_inputs() {
    let body = "body={ a: float[3]; b: float[3]; c = Identity(a); d = Identity(b); => c, d }";
    let model = |count: u8| {
        text(&format!("s: float[3]; x: float[5, 3]; z, y = Scan(s, x) num_scan_inputs={count}, {body}; => z, y"))
    };
    assert_eq!(
        check(&model(3)).findings().iter().filter(|told| !told.starts_with("decl")).collect::<Vec<_>>(),
        ["input-count graph#0"]
    );
    assert!(check(&model(1)).findings().iter().all(|told| told.starts_with("decl")));
}

/// Where the scale fits another axis than the one that is named, the help says which.
#[test]
fn the_axis_that_fits() {
    let node = |dims: &str, scale: usize, attributes: &str| {
        let scale = format!("s: float[{scale}]");
        let dequantized = format!("x: int8[{dims}]; {scale}; y = DequantizeLinear(x, s) {attributes}");
        let quantized = format!("x: float[{dims}]; {scale}; y = QuantizeLinear(x, s) {attributes}");
        let [one, other] = [dequantized, quantized].map(|model| {
            let json = check(&text(&model)).json();
            let findings = json["findings"].as_array().unwrap();
            let told: Vec<_> = findings.iter().filter(|finding| finding["code"] == "dims-mismatch").collect();
            assert_eq!(told.len(), 1, "{model}: {json}");
            told[0]["help"].as_str().unwrap_or_default().to_owned()
        });
        assert_eq!(one, other);
        one
    };
    assert_eq!(node("8, 3", 8, ""), "8 is the size of axis 0; `axis` is 1, its default");
    assert_eq!(node("N, 3, 8", 8, "axis=-2"), "8 is the size of axis 2; `axis` is -2");
    // None fits, or two do.
    assert!(node("8, 3", 7, "").starts_with("`x` has the dimensions"));
    assert!(node("8, 3, 8", 8, "").starts_with("`x` has the dimensions"));
}
