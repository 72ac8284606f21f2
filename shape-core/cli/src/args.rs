//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use crate::described::opset;

/// The exit codes, at the end of every page of help.
macro_rules! exit_codes {
    () => {
        "\n\nExit code: 0 where nothing is wrong, 1 where an error was found, 2 where the command line is\n\
         wrong or a file cannot be read or written."
    };
}

/// Check ONNX models against the exact operator versions that they import, and infer their shapes.
#[derive(Debug, Parser)]
#[command(name = "shape", version, arg_required_else_help = true, after_help = concat!(
    "Examples:\n",
    "  shape check model.onnx\n",
    "  shape infer model.onnx --set batch=4\n",
    "  shape show Shape@14",
    exit_codes!(),
))]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours: auto, always or never; auto honours `NO_COLOR`
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub(crate) color: clap::ColorChoice,

    /// Know the operators of these descriptors too: a file, or a folder with `*.yaml` in it; may be repeated
    ///
    /// A node of such an operator is checked as any other. Its shapes are inferred where its rules are those of
    /// this program, and unknown where a rule is in a crate. `shape specs lint` validates descriptors.
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) specs: Vec<PathBuf>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(CheckArgs),
    Infer(InferArgs),
    Fold(FoldArgs),
    Convert(ConvertArgs),
    Test(TestArgs),
    Show(ShowArgs),
    Diff(DiffArgs),
    Ops(OpsArgs),
    Explain(ExplainArgs),
    Profile(ProfileArgs),
    Expand(ExpandArgs),
    New(NewArgs),
    NewVersion(NewVersionArgs),
    Specs(SpecsArgs),
}

impl Command {
    /// The form of the output.
    pub(crate) fn format(&self) -> Format {
        match self {
            Self::Check(args) => match args.format {
                CheckFormat::Text => Format::Text,
                CheckFormat::Json | CheckFormat::Github | CheckFormat::Sarif => Format::Json,
            },
            Self::Infer(args) => args.format,
            Self::Fold(args) => args.format,
            Self::Convert(args) => args.format,
            Self::Test(args) => args.format,
            Self::Show(args) => args.format,
            Self::Diff(args) => args.format,
            Self::Ops(args) => args.format,
            Self::Explain(args) => args.format,
            // What goes into a file has no colours, and loses none.
            Self::Profile(_) => Format::Json,
            Self::Expand(_) | Self::New(_) | Self::NewVersion(_) => Format::Text,
            Self::Specs(SpecsArgs { command: SpecsCommand::Lint(args) }) => match args.format {
                LintFormat::Text => Format::Text,
                LintFormat::Json | LintFormat::Github => Format::Json,
            },
            Self::Specs(SpecsArgs { command: SpecsCommand::Schema }) => Format::Json,
            Self::Specs(SpecsArgs { command: SpecsCommand::Import(_) }) => Format::Text,
        }
    }
}

/// The forms of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs: one JSON object
    Json,
}

/// The forms of output of `shape check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people
    Text,
    /// For programs: one JSON object
    Json,
    /// For GitHub Actions: a workflow command a finding
    Github,
    /// For code scanning: a SARIF 2.1.0 log
    Sarif,
}

/// The profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProfileName {
    /// The safety-related profile
    Sonnx,
}

impl ProfileName {
    /// The name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sonnx => "sonnx",
        }
    }
}

/// What counts as an error beside errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    /// Findings that are warnings
    Warnings,
    /// Rules of a profile that are undetermined
    Undetermined,
}

/// Tell everything that is wrong with models, or worth knowing of them
///
/// Each node is checked against the operator version that the model's opset imports select, in the graph, in the
/// subgraphs of its nodes and in model-local functions. All findings are told, not only the first. Many models are
/// checked side by side, and their findings told in the order of the arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape check model.onnx\n",
    "  shape check models --deny warnings          every *.onnx below the folder\n",
    "  shape check model.onnx --format json | jq -r '.findings[].code'\n",
    "  shape check models --format github           annotations of a pull request\n",
    "  shape check models --format sarif > shape.sarif\n",
    "  shape check model.onnx --profile sonnx --report model.html\n",
    "  shape check model.onnx --profile sonnx --option no-defaults --deny undetermined\n\n",
    "`shape explain CODE` tells what the code of a finding means, or a rule of a profile.",
    exit_codes!(),
))]
pub(crate) struct CheckArgs {
    /// The models, or folders: of a folder, every `*.onnx` below it, in the order of their paths
    ///
    /// One that cannot be read does not keep the others from being checked.
    #[arg(required = true, value_name = "MODEL")]
    pub(crate) models: Vec<PathBuf>,

    /// Exit with 1 for these too; may be repeated
    #[arg(long, value_name = "WHAT")]
    pub(crate) deny: Vec<Deny>,

    /// Judge the models by the rules of a profile too
    ///
    /// What is wrong with a model as ONNX is told first. Of each rule it is said that it holds, that it does not, or that
    /// it is undetermined, with the reason. A rule that does not hold counts as an error.
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<ProfileName>,

    /// Judge by the rules of an option of the profile too; may be repeated
    #[arg(id = "profile_option", long = "option", value_name = "NAME", requires = "profile")]
    pub(crate) options: Vec<String>,

    /// Write what is said by the profile as one HTML page that needs nothing else
    #[arg(long, value_name = "FILE.html", requires = "profile")]
    pub(crate) report: Option<PathBuf>,

    /// The form of the output
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: CheckFormat,
}

/// Infer the type and the dimensions of every value of a model
///
/// A dimension is a number, a symbol such as `batch`, or unknown for a reason that is told. The elements of tensors that
/// hold sizes are followed too. In the table, what a node reads from another one stands as `#` and that one's number, and
/// elements stand behind an equals sign; `…` stands for the beginning of a name, be it long or that of the node.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape infer model.onnx\n",
    "  shape infer model.onnx --input x:1,3,224,224\n",
    "  shape infer model.onnx --set batch=4 --set seq=128 --strict\n",
    "  shape infer model.onnx -o model.onnx\n",
    "  shape infer model.onnx --changed              what the model does not declare\n",
    "  shape infer model.onnx --why logits           how a value came to be what it is\n",
    "  shape infer model.onnx --dot | dot -Tsvg > model.svg\n\n",
    "A model with errors is inferred, and written, as far as it is known; the exit code tells that there are errors.",
    exit_codes!(),
))]
pub(crate) struct InferArgs {
    /// The model
    pub(crate) model: PathBuf,

    /// Write the model here, with what is inferred in its `value_info`; may be MODEL itself
    ///
    /// Nothing but `value_info` differs from MODEL, to the byte. What --input and --set say counts as inferred. The
    /// file is replaced when all is written, so that a failure leaves the old one whole.
    #[arg(short, long, value_name = "OUT.onnx")]
    pub(crate) output: Option<PathBuf>,

    /// Give an input its dimensions, `x:1,3,224,224`, or none, `x:`, for a scalar; may be repeated
    ///
    /// The last colon counts, since names may have colons too. Symbols that the model declares for the input take the
    /// numbers at their places.
    #[arg(long = "input", value_name = "NAME:DIMS", value_parser = input)]
    pub(crate) inputs: Vec<(String, Vec<u64>)>,

    /// Give a symbol its number, `batch=4`; may be repeated
    #[arg(long = "set", value_name = "SYMBOL=SIZE", value_parser = symbol)]
    pub(crate) symbols: Vec<(String, u64)>,

    /// Make every value that is not fully known an error
    #[arg(long)]
    pub(crate) strict: bool,

    /// Show only the values of which more is known than the model declares
    #[arg(long)]
    pub(crate) changed: bool,

    /// Show how a value came to be what it is
    ///
    /// It is a chain of nodes, each with the rule that its descriptor calls, what is known of the inputs that the rule
    /// reads, and what comes out. It begins at inputs and initializers, or at the first node to blame for what is unknown.
    /// Where graphs share a name, the graph's path and a slash before it say which is meant.
    #[arg(long, value_name = "VALUE", conflicts_with_all = ["changed", "dot"])]
    pub(crate) why: Option<String>,

    /// Write the graph for Graphviz: dimensions on its edges, red where they are not fully known
    #[arg(long, conflicts_with_all = ["changed", "format"])]
    pub(crate) dot: bool,

    /// The form of the output
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

/// Write a model with constants for what it computes and is known before it runs
///
/// That is what exporters write around shapes: a chain of nodes whose value is known as numbers becomes a constant, and
/// what nothing reads any more by that goes, initializers too. Nothing else changes: the model gives the same.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape fold model.onnx -o folded.onnx\n",
    "  shape fold model.onnx -o folded.onnx --set batch=1 --set seq=128\n\n",
    "A constant is an initializer; in a subgraph, before IR 4 and for an output of the graph, it is a node.\n",
    "What is folded with numbers that are given holds for these alone: they are written into the declarations\n",
    "of the inputs and outputs. A model with errors is not folded.",
    exit_codes!(),
))]
pub(crate) struct FoldArgs {
    /// The model
    pub(crate) model: PathBuf,

    /// Write the model here; may be MODEL itself
    ///
    /// What is not folded stays as it is, to the byte. The file is replaced when all is written, so that a failure leaves
    /// the old one whole.
    #[arg(short, long, value_name = "OUT.onnx")]
    pub(crate) output: PathBuf,

    /// Give an input its dimensions, `x:1,3,224,224`, or none, `x:`, for a scalar; may be repeated
    ///
    /// The last colon counts, since names may have colons too. Symbols that the model declares for the input take the
    /// numbers at their places.
    #[arg(long = "input", value_name = "NAME:DIMS", value_parser = input)]
    pub(crate) inputs: Vec<(String, Vec<u64>)>,

    /// Give a symbol its number, `batch=4`; may be repeated
    ///
    /// An input must have it among its dimensions, so that the folded model says what it holds for.
    #[arg(long = "set", value_name = "SYMBOL=SIZE", value_parser = symbol)]
    pub(crate) symbols: Vec<(String, u64)>,

    /// The form of the output
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

/// Write a model for another opset of ai.onnx, newer or older
///
/// Each node is taken from its operator's version to the one that the opset selects, and nothing is lost on the way: an
/// attribute that the version lacks is dropped only at its default, and where an attribute became an input, it becomes
/// an initializer, or comes back from one. All that stands against it is told, and nothing is written then.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape convert model.onnx --opset 21 -o newer.onnx\n",
    "  shape convert model.onnx --opset 13 -o older.onnx --format json | jq '.findings'\n\n",
    "Nodes of other domains and the bodies of model-local functions stay as they are.",
    exit_codes!(),
))]
pub(crate) struct ConvertArgs {
    /// The model
    pub(crate) model: PathBuf,

    /// The opset of ai.onnx to write the model for
    #[arg(long, value_name = "N", value_parser = opset)]
    pub(crate) opset: u32,

    /// Write the model here; may be MODEL itself
    ///
    /// What the opset does not change stays as it is, to the byte. The file is replaced when all is written, so that a
    /// failure leaves the old one whole.
    #[arg(short, long, value_name = "OUT.onnx")]
    pub(crate) output: PathBuf,

    /// The form of the output
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

/// Run ONNX test-case folders
///
/// A folder with `model.onnx` in it is a case; of any other folder, the cases below it are run. Each
/// `test_data_set_*` beside the model holds `input_*.pb`, and `output_*.pb` with what must come out.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape test test_shape_end_1\n",
    "  shape test onnx/backend/test/data/node --format json\n\n",
    "A case is skipped where its model needs an operator that has no rule yet.",
    exit_codes!(),
))]
pub(crate) struct TestArgs {
    /// The folders
    #[arg(required = true, value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,

    /// The form of the output
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

/// Show what is known of an operator: its versions, attributes, types, examples and rulings
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape show Shape              all versions\n",
    "  shape show Shape@14           the version that is in force at opset 14\n",
    "  shape show com.acme::Gelu     an operator of another domain\n",
    "  shape show Shape --format json | jq '.operator.versions[].since'",
    exit_codes!(),
))]
pub(crate) struct ShowArgs {
    /// The operator, after its domain and `::` where that is not ai.onnx, and before `@` and an opset
    #[arg(value_name = "OPERATOR[@OPSET]")]
    pub(crate) operator: String,

    /// The form of the output
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

/// Tell what changed from one opset to another: of an operator, or of all
///
/// Of one operator, each version between the two opsets is compared with the next, and in the end the two with each
/// other. With --opset, those of all operators are compared: operators with the same changes stand together, then come
/// the new and the deprecated ones, and last those of which no fact changed. FROM may be newer than TO; an opset stands
/// for the version that is in force there.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "shape diff [OPTIONS] OPERATOR FROM TO\n       shape diff [OPTIONS] --opset FROM TO",
    after_help = concat!(
        "Examples:\n",
        "  shape diff Shape 13 25\n",
        "  shape diff Shape 25 13                what is lost on the way back\n",
        "  shape diff Shape 1 28 --format json | jq -r '.changes[].kind'\n",
        "  shape diff --opset 24 25              what a new opset changes\n",
        "  shape diff --opset 13 28 --operator 'Reduce*'\n",
        "  shape diff --opset 3 5 --domain ai.onnx.ml",
        exit_codes!(),
    )
)]
pub(crate) struct DiffArgs {
    /// The operator, after its domain and `::` where that is not ai.onnx
    #[arg(required_unless_present = "opset", conflicts_with = "opset")]
    pub(crate) operator: Option<String>,

    /// The opset to compare from
    #[arg(value_parser = opset, required_unless_present = "opset", conflicts_with = "opset")]
    pub(crate) from: Option<u32>,

    /// The opset to compare to
    #[arg(value_parser = opset, required_unless_present = "opset", conflicts_with = "opset")]
    pub(crate) to: Option<u32>,

    /// Compare all operators at two opsets, in place of one operator
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"], value_parser = opset)]
    pub(crate) opset: Option<Vec<u32>>,

    /// With --opset: compare the operators of this domain in place of ai.onnx
    #[arg(long, value_name = "DOMAIN", requires = "opset", conflicts_with = "operator")]
    pub(crate) domain: Option<String>,

    /// With --opset: compare the operators whose names match, with `*` for any letters, `?` for one, `[ab]` for one of
    /// these
    #[arg(id = "glob", long = "operator", value_name = "GLOB", requires = "opset", conflicts_with = "operator")]
    pub(crate) glob: Option<glob::Pattern>,

    /// The form of the output
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

/// List the operators that are known, or those that a model uses
///
/// Of what is known it is the newest version of each operator; as JSON with all facts that the onnx package has of it,
/// in its words. Of a model it is the versions that its imports select, in the graph, in the subgraphs of its nodes and
/// in model-local functions, each with the number of its nodes and the types that its type variables have there. A
/// manifest says what a runtime supports; what that lacks for the model is told then, with the nodes that need it.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "shape ops [OPTIONS]\n       shape ops [OPTIONS] --model <MODEL> [--manifest <FILE>]",
    after_help = concat!(
        "Examples:\n",
        "  shape ops\n",
        "  shape ops --opset 17\n",
        "  shape ops --opset 3 --domain ai.onnx.ml\n",
        "  shape ops --all-versions --format json | jq '.operators | length'\n",
        "  shape ops --coverage                         what is known of each version beside its facts\n",
        "  shape ops --model model.onnx\n",
        "  shape ops --model model.onnx --manifest runtime.yaml\n\n",
        "A manifest lists operators. What an entry leaves out it does not limit, and several entries of one operator\n",
        "add up:\n",
        "  operators:\n",
        "    - { operator: Shape }\n",
        "    - { operator: Add, versions: [7, 13, 14], types: [float, int64] }\n",
        "    - { operator: Gather, types: [float], variables: [{ name: Tind, types: [int64] }] }\n",
        "    - { operator: Gelu, domain: com.acme }\n\n",
        "Exit code: 0 where nothing is wrong, 1 where the runtime lacks something, 2 where the command line is\n\
         wrong or a file cannot be read.",
    )
)]
pub(crate) struct OpsArgs {
    /// List every version
    #[arg(long, conflicts_with = "opset")]
    pub(crate) all_versions: bool,

    /// Tell of each version how much is known: where types come from, for which outputs there is a rule that gives their
    /// dimensions, whether one gives the elements of an output (values), and whether all outputs have one (data)
    #[arg(long, conflicts_with_all = ["models", "all_versions"])]
    pub(crate) coverage: bool,

    /// List the versions that are in force at an opset of ai.onnx, or of the domain
    #[arg(long, value_name = "N", value_parser = opset)]
    pub(crate) opset: Option<u32>,

    /// List the operators of one domain
    #[arg(long, value_name = "DOMAIN")]
    pub(crate) domain: Option<String>,

    /// List what a model uses; may be repeated
    #[arg(long = "model", value_name = "MODEL", conflicts_with_all = ["all_versions", "opset", "domain"])]
    pub(crate) models: Vec<PathBuf>,

    /// Tell what a runtime lacks for the model: a YAML file that says what it supports
    #[arg(long, value_name = "FILE", requires = "models", conflicts_with_all = ["all_versions", "opset", "domain"])]
    pub(crate) manifest: Option<PathBuf>,

    /// The form of the output
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

/// Tell what a word of this project means: the code of a finding, a rule of a profile, what gives dimensions
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape explain                        all codes\n",
    "  shape explain attribute-unknown\n",
    "  shape explain SONNX-SHAPE-010        a rule of a profile\n",
    "  shape explain reduce                 a rule that descriptors call; `rules` lists all of them\n",
    "  shape explain terms                  what a descriptor may write for dimensions",
    exit_codes!(),
))]
pub(crate) struct ExplainArgs {
    /// The code, the id or name of a rule, `rules` or `terms`; all codes where it is left out
    pub(crate) code: Option<String>,

    /// The form of the output
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: Format,
}

/// Show what a profile rests on
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape profile matrix sonnx                   as Markdown\n",
    "  shape profile matrix sonnx --format csv\n",
    "  shape profile errata sonnx                   what its documents contradict or leave open",
    exit_codes!(),
))]
pub(crate) struct ProfileArgs {
    #[command(subcommand)]
    pub(crate) command: ProfileCommand,
}

/// What to show of a profile.
#[derive(Debug, Subcommand)]
pub(crate) enum ProfileCommand {
    /// Show from each rule where it stands, what judges it, what proves it and what tests it
    Matrix {
        /// The profile
        profile: ProfileName,

        /// The form of the table
        #[arg(long, value_enum, default_value = "markdown", value_name = "FORMAT")]
        format: MatrixFormat,
    },
    /// Show what the documents behind the profile contradict or leave open, as Markdown
    Errata {
        /// The profile
        profile: ProfileName,
    },
}

/// The forms of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MatrixFormat {
    /// For people
    Markdown,
    /// For programs and spreadsheets: RFC 4180
    Csv,
}

/// Show the Rust that is generated for an operator
///
/// Without an opset it is the whole module; with one, what that has for the version in force there: the struct that it
/// shares with its neighbours, its tables, and its conversions from and to the version before it.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape expand Shape                        the module of all versions\n",
    "  shape expand Shape@14                     the version that is in force at opset 14\n",
    "  shape expand specs/com.acme/Gelu.yaml     what `operators!` makes of a descriptor",
    exit_codes!(),
))]
pub(crate) struct ExpandArgs {
    /// The operator, after its domain and `::` where that is not ai.onnx, or a descriptor (`*.yaml`); before `@` and an
    /// opset
    #[arg(value_name = "OPERATOR[@OPSET]")]
    pub(crate) operator: String,
}

/// Write a descriptor to begin with, for an operator of your own or of ONNX
///
/// It has no mistake, and shows in comments what may stand there. The file is called as the operator is, in a folder
/// called as its domain is, below that of --specs, or below `specs`; nothing that is there is overwritten. Where that
/// folder has no `descriptor.schema.json`, by which editors complete and underline, it is written too.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape new com.acme::Gelu                 writes specs/com.acme/Gelu.yaml\n",
    "  shape new Gelu --since 20                writes specs/ai.onnx/Gelu.yaml, from opset 20 on",
    exit_codes!(),
))]
pub(crate) struct NewArgs {
    /// The operator, after its domain and `::` where that is not ai.onnx
    pub(crate) operator: String,

    /// The opset that its first version comes with
    #[arg(long, value_name = "N", default_value = "1", value_parser = opset)]
    pub(crate) since: u32,
}

/// Add a version to the descriptor of an operator
///
/// It stands behind the others, changes nothing yet, and shows in comments what it may. Everything else in the file
/// stays as it is; a descriptor with mistakes is not touched. It is looked for in the folder of --specs, or in `specs`.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape new-version Shape 26\n",
    "  shape new-version com.acme::Gelu 2 --specs vendor/specs\n",
    "  shape new-version specs/com.acme/Gelu.yaml 2",
    exit_codes!(),
))]
pub(crate) struct NewVersionArgs {
    /// The operator, after its domain and `::` where that is not ai.onnx, or its descriptor (`*.yaml`)
    pub(crate) operator: String,

    /// The opset that the version comes with
    #[arg(value_name = "N", value_parser = opset)]
    pub(crate) since: u32,
}

/// Work on operator descriptors: validate them, or set up an editor for them
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape specs lint specs\n",
    "  shape specs schema > specs/descriptor.schema.json",
    exit_codes!(),
))]
pub(crate) struct SpecsArgs {
    #[command(subcommand)]
    pub(crate) command: SpecsCommand,
}

/// What to do with descriptors.
#[derive(Debug, Subcommand)]
pub(crate) enum SpecsCommand {
    Lint(LintArgs),
    Import(ImportArgs),
    /// Print the JSON Schema of a descriptor
    ///
    /// With `# yaml-language-server: $schema=descriptor.schema.json` in the first line of a descriptor, the path going
    /// from its folder, an editor completes fields and words and underlines what cannot stand there.
    #[command(after_help = concat!(
        "Examples:\n",
        "  shape specs schema > specs/descriptor.schema.json",
        exit_codes!(),
    ))]
    Schema,
}

/// Write or extend descriptors by the facts of a release of the onnx package
///
/// Versions that are described already are compared with the facts and stay as they are, with all that people wrote; what
/// differs is told, and nothing is written then. New versions come behind them, as what they change. The folder is that of
/// --specs, or `specs`.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  python3 specs/facts/dump.py > specs/facts/onnx.json     the facts of the onnx package that Python has\n",
    "  shape specs import specs/facts/onnx.json",
    exit_codes!(),
))]
pub(crate) struct ImportArgs {
    /// What `dump.py` wrote
    #[arg(value_name = "FACTS.json")]
    pub(crate) facts: PathBuf,
}

/// Tell everything that is wrong with descriptors, as the compiler would
///
/// All mistakes of all files are told at once, two files for one operator among them.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(
    "Examples:\n",
    "  shape specs lint specs\n",
    "  shape specs lint specs/com.acme/Gelu.yaml\n",
    "  shape specs lint specs --format json | jq -r '.findings[] | \"\\(.file):\\(.line) \\(.code)\"'\n",
    "  shape specs lint specs --format github       annotations of a pull request",
    exit_codes!(),
))]
pub(crate) struct LintArgs {
    /// The descriptors, or folders: of a folder, each `*.yaml` in it and in the folders in it
    #[arg(required = true, value_name = "DIR")]
    pub(crate) paths: Vec<PathBuf>,

    /// The form of the output
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) format: LintFormat,
}

/// The forms of output of `shape specs lint`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LintFormat {
    /// For people
    Text,
    /// For programs: one JSON object
    Json,
    /// For GitHub Actions: a workflow command a mistake
    Github,
}

/// `x:1,3,224,224`
fn input(text: &str) -> Result<(String, Vec<u64>), String> {
    let (name, dims) =
        text.rsplit_once(':').ok_or("a name, a colon and sizes are needed: `x:1,3,224,224`, or `x:` for a scalar")?;
    if name.is_empty() {
        return Err("the name before the colon is empty".to_owned());
    }
    let dims = if dims.trim().is_empty() { Ok(Vec::new()) } else { dims.split(',').map(size).collect() };
    Ok((name.to_owned(), dims?))
}

/// `batch=4`
fn symbol(text: &str) -> Result<(String, u64), String> {
    let (name, number) = text.rsplit_once('=').ok_or("a symbol, an equals sign and a size are needed: `batch=4`")?;
    if name.is_empty() {
        return Err("the symbol before the equals sign is empty".to_owned());
    }
    Ok((name.to_owned(), size(number)?))
}

/// A size, as far as a file can hold it.
fn size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let size = text.parse::<i64>().ok().and_then(|size| u64::try_from(size).ok());
    size.ok_or_else(|| format!("`{text}` is not a size, which is a whole number of at least 0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs() {
        let cases = [
            ("x:1,3", Ok(("x", vec![1, 3]))),
            ("x: 1, 3 ", Ok(("x", vec![1, 3]))),
            ("x:", Ok(("x", vec![]))),
            ("x:0", Ok(("x", vec![0]))),
            ("scope/x:0:2", Ok(("scope/x:0", vec![2]))),
            ("x,y:2", Ok(("x,y", vec![2]))),
            ("x", Err("a name, a colon")),
            (":1", Err("is empty")),
            ("x:1,", Err("`` is not a size")),
            ("x:-1", Err("`-1` is not a size")),
            ("x:batch", Err("`batch` is not a size")),
            ("x:9223372036854775808", Err("is not a size")),
        ];
        for (text, expected) in cases {
            match (input(text), expected) {
                (Ok((name, dims)), Ok(expected)) => assert_eq!((&*name, dims), expected, "{text}"),
                (Err(message), Err(part)) => assert!(message.contains(part), "{text}: {message}"),
                (found, _) => panic!("{text}: {found:?}"),
            }
        }
    }

    #[test]
    fn symbols() {
        let cases = [
            ("N=4", Ok(("N", 4))),
            ("a=b=4", Ok(("a=b", 4))),
            ("batch + 1=4", Ok(("batch + 1", 4))),
            ("N", Err("an equals sign")),
            ("=4", Err("is empty")),
            ("N=", Err("`` is not a size")),
            ("N=-1", Err("`-1` is not a size")),
        ];
        for (text, expected) in cases {
            match (symbol(text), expected) {
                (Ok((name, size)), Ok(expected)) => assert_eq!((&*name, size), expected, "{text}"),
                (Err(message), Err(part)) => assert!(message.contains(part), "{text}: {message}"),
                (found, _) => panic!("{text}: {found:?}"),
            }
        }
    }

    #[test]
    fn the_command_line_is_sound() {
        use clap::CommandFactory as _;
        Args::command().debug_assert();
    }
}
