//! What it costs to compile a hundred operators: derived, described in YAML behind `operators!`, and written by hand.
//! Goal: at most twice the time of what is written by hand.
//!
//! By hand is what stands there if a user writes the same: the struct, its schema as a static table, and its `Operator`
//! by the helpers that the generated code calls too; beside `operators!`, which gives more, also the `Default`, the enum
//! over the versions and their table. Each form is a crate of its own, whose dependencies are built before; an empty one
//! shows what cargo and the start of the compiler take of each time.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const OPERATORS: usize = 100;
const RUNS: usize = 9;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const DERIVED: &str = r#"
/// Does what the name says.
#[derive(Clone, Debug, PartialEq, shape_core::Operator)]
#[operator(
    domain = "com.acme",
    since_version = 1,
    types(T: [float16, float, double]),
    inputs(x: T, weights: Option<tensor(float)>),
    outputs(y: T)
)]
pub struct NAME<'a> {
    /// The axis.
    #[attribute(default = 0)]
    pub axis: i64,
    /// The ratio.
    pub ratio: Option<f32>,
    /// The sizes.
    #[attribute(default = [1, 1])]
    pub sizes: &'a [i64],
}
"#;

const BY_HAND: &str = r#"
/// Does what the name says.
#[derive(Clone, Debug, PartialEq)]
pub struct NAME<'a> {
    /// The axis.
    pub axis: i64,
    /// The ratio.
    pub ratio: Option<f32>,
    /// The sizes.
    pub sizes: &'a [i64],
}

static SCHEMA_NAME: Schema = Schema {
    domain: "com.acme",
    name: "NAME",
    since_version: 1,
    summary: "Does what the name says.",
    attributes: &[
        Attribute {
            name: "axis",
            kind: AttributeKind::Int,
            required: false,
            default: Some(AttributeValue::Int(0)),
            values: &[],
            legacy: false,
            doc: "The axis.",
        },
        Attribute {
            name: "ratio",
            kind: AttributeKind::Float,
            required: false,
            default: None,
            values: &[],
            legacy: false,
            doc: "The ratio.",
        },
        Attribute {
            name: "sizes",
            kind: AttributeKind::Ints,
            required: false,
            default: Some(AttributeValue::Ints(&[1, 1])),
            values: &[],
            legacy: false,
            doc: "The sizes.",
        },
    ],
    inputs: &[
        FormalParameter {
            name: "x",
            ty: ParameterType::Variable(0),
            option: ParameterOption::Single,
            homogeneous: true,
            min_arity: 1,
            doc: "",
        },
        FormalParameter {
            name: "weights",
            ty: ParameterType::Fixed(Type::tensor(DataType::Float)),
            option: ParameterOption::Optional,
            homogeneous: true,
            min_arity: 1,
            doc: "",
        },
    ],
    outputs: &[FormalParameter {
        name: "y",
        ty: ParameterType::Variable(0),
        option: ParameterOption::Single,
        homogeneous: true,
        min_arity: 1,
        doc: "",
    }],
    types: &[TypeConstraint::new(
        "T",
        TypeSet::new(&[DataType::Float16, DataType::Float, DataType::Double]),
        "",
    )],
    deprecated: false,
    support_level: SupportLevel::Common,
    has_function: false,
    has_shape_inference: false,
    deterministic: true,
    other_attributes: false,
    semantics: None,
    adapter: None,
    rule: None,
};

impl Operator for NAME<'_> {
    const SCHEMA: &'static Schema = &SCHEMA_NAME;
    type Of<'of> = NAME<'of>;

    fn read<'of>(attributes: &[NodeAttribute<'of>]) -> Result<NAME<'of>, Problem<'of>> {
        Ok(NAME {
            axis: required(&SCHEMA_NAME.attributes[0], attributes)?,
            ratio: optional(&SCHEMA_NAME.attributes[1], attributes)?,
            sizes: required(&SCHEMA_NAME.attributes[2], attributes)?,
        })
    }

    fn attributes<'s>(&'s self, report: &mut dyn FnMut(NodeAttribute<'s>)) {
        tell(&SCHEMA_NAME.attributes[0], [&self.axis], report);
        tell(&SCHEMA_NAME.attributes[1], &self.ratio, report);
        tell(&SCHEMA_NAME.attributes[2], [&self.sizes], report);
    }
}
"#;

/// What `operators!` gives beside it.
const VERSIONS_BY_HAND: &str = r#"
impl Default for NAME<'_> {
    fn default() -> Self {
        Self { axis: 0, ratio: None, sizes: &[1, 1] }
    }
}

/// In any of its versions.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyNAME<'a> {
    /// Since opset 1.
    V1(NAME<'a>),
}

impl<'a> AnyNAME<'a> {
    /// Reads a node as the version that is in force at an opset.
    pub fn read(opset: u32, attributes: &[NodeAttribute<'a>]) -> Option<Result<Self, Problem<'a>>> {
        Some(match opset {
            1.. => NAME::read(attributes).map(Self::V1),
            _ => return None,
        })
    }

    /// The facts of the version.
    pub fn schema(&self) -> &'static Schema {
        match self {
            Self::V1(_) => &SCHEMA_NAME,
        }
    }
}

/// The schemas of all versions.
pub static VERSIONS_NAME: &[&Schema] = &[&SCHEMA_NAME];
"#;

const IMPORTS: &str = "
use shape_core::problem::Problem;
use shape_core::node::{AttributeKind, AttributeValue, NodeAttribute};
use shape_core::operator::{Operator, optional, required, tell};
use shape_core::schema::{
    Attribute, FormalParameter, ParameterOption, ParameterType, Schema, SupportLevel, TypeConstraint,
};
use shape_core::types::{Type, TypeSet};
use shape_core::DataType;
";

const DESCRIPTOR: &str = "\
operator: NAME
domain: com.acme
summary: Does what the name says.
versions:
  - since: 1
    attributes:
      - { name: axis, type: INT, default: 0, doc: The axis. }
      - { name: ratio, type: FLOAT, optional: true, doc: The ratio. }
      - { name: sizes, type: INTS, default: [1, 1], doc: The sizes. }
    inputs: [{ name: x, type: T }, { name: weights, type: tensor(float), option: optional }]
    outputs: [{ name: y, type: T }]
    types: [{ name: T, allow: [float16, float, double] }]
";

/// The crates, each of which has the operators in another form.
const FORMS: [&str; 5] = ["empty", "by_hand", "derived", "versions_by_hand", "operators"];

fn write(root: &Path) -> Result<()> {
    let names: Vec<String> = (0..OPERATORS).map(|number| format!("Operator{number}")).collect();
    let each = |template: &str| {
        let one = |name: &String| {
            let upper = format!("_{}", name.to_uppercase());
            template.replace("_NAME", &upper).replace("NAME", name)
        };
        names.iter().map(one).collect::<String>()
    };
    let mut files = String::new();
    for name in &names {
        fs::create_dir_all(root.join("operators/specs"))?;
        fs::write(root.join(format!("operators/specs/{name}.yaml")), DESCRIPTOR.replace("NAME", name))?;
        write!(files, "\"specs/{name}.yaml\", ")?;
    }
    let table = format!("pub static OPERATORS: &[&shape_core::Schema] = &[{}];", each("\n    &SCHEMA_NAME,"));
    let derived = each("\n    <NAME<'_> as shape_core::Operator>::SCHEMA,");
    let by_hand = |template: &str| format!("{IMPORTS}{}\n/// All of them.\n{table}\n", each(template));
    let texts = [
        String::new(),
        by_hand(BY_HAND),
        format!("{}\n/// All of them.\npub static OPERATORS: &[&shape_core::Schema] = &[{derived}];\n", each(DERIVED)),
        by_hand(&format!("{BY_HAND}{VERSIONS_BY_HAND}")),
        format!("shape_core::operators!({files});\n"),
    ];
    for (form, text) in FORMS.iter().zip(texts) {
        fs::create_dir_all(root.join(form).join("src"))?;
        fs::write(root.join(form).join("src/lib.rs"), format!("//! {form}\n{text}"))?;
        let core = env!("CARGO_MANIFEST_DIR");
        let manifest = format!(
            "[package]\nname = \"{form}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nonnxspec-core = {{ path = {core:?}, default-features = false }}\n"
        );
        fs::write(root.join(form).join("Cargo.toml"), manifest)?;
    }
    fs::write(root.join("Cargo.toml"), format!("[workspace]\nresolver = \"3\"\nmembers = {FORMS:?}\n"))?;
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock"), root.join("Cargo.lock"))?;
    Ok(())
}

/// Compiles one of the crates anew.
fn compile(root: &Path, command: &str, form: &str) -> Result<Duration> {
    let source = root.join(form).join("src/lib.rs");
    fs::File::options().append(true).open(source)?.set_modified(std::time::SystemTime::now())?;
    let begin = Instant::now();
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args([command, "--quiet", "--offline", "--package", form])
        .current_dir(root)
        .env("CARGO_TARGET_DIR", root.join("target"))
        .env("CARGO_INCREMENTAL", "0")
        .status()?;
    let time = begin.elapsed();
    if status.success() { Ok(time) } else { Err(format!("cargo {command} of `{form}` fails").into()) }
}

fn main() -> Result<()> {
    let root = tempfile::tempdir()?;
    write(root.path())?;
    println!("| {OPERATORS} operators | command | by hand | generated | ratio |");
    println!("|---|---|---|---|---|");
    for command in ["check", "build"] {
        let mut times = FORMS.map(|_| Vec::new());
        for run in 0..=RUNS {
            for (form, times) in FORMS.iter().zip(&mut times) {
                let time = compile(root.path(), command, form)?;
                // The first one builds what they depend on.
                if run > 0 {
                    times.push(time.as_secs_f64() * 1e3);
                }
            }
        }
        let medians = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        });
        let [empty, by_hand, derived, versions_by_hand, operators] = medians;
        for (form, by_hand, generated) in
            [("`#[derive(Operator)]`", by_hand, derived), ("`operators!`", versions_by_hand, operators)]
        {
            let ratio = generated / by_hand;
            println!("| {form} | `cargo {command}` | {by_hand:.0} ms | {generated:.0} ms | {ratio:.2} |");
        }
        println!("| none | `cargo {command}` | {empty:.0} ms | | |");
    }
    Ok(())
}
