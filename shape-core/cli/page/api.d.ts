/**
 * What the page asks an engine, and what it answers.
 *
 * An engine has models open, each with a number. There are three: a Web Worker with the WebAssembly of `shape-core/web`,
 * the server of `shape view`, and what `shape infer --html` wrote beside the page. Each answers with the JSON that the
 * command prints, so that both say the same.
 */

/** A number, the text of a symbol or an expression, or null where it is unknown. */
export type Dim = number | string | null;

/** A value as `shape infer --format json` has it. Values in functions are left out. */
export interface Value {
    name: string;
    /** The path of its graph; left out for the main graph. */
    graph?: string;
    /** The node that computes it; null for an input. */
    node: { index: number; name: string; op_type: string; domain: string; output: number } | null;
    type: string | null;
    /** Null where not even the rank is known. */
    dims: Dim[] | null;
    /** The elements, where they are computed. */
    value: (Dim | boolean)[] | null;
    /** Why it is not fully known; null if it is. */
    reason: string | null;
    /** The axes and elements that are known only because the model declares them; left out if there are none. */
    declared?: { dims: number[]; value: number[]; reason: string | null };
}

/** A finding as `shape check --format json` has it. */
export interface Finding {
    model: string;
    code: string;
    severity: "error" | "warning" | "info";
    graph: string;
    node: { index: number; name: string; op_type: string; domain: string } | null;
    message: string;
    expected: string | null;
    found: string | null;
    help: string | null;
    more?: number;
    fix?: { safety: string; message: string };
}

/** A graph of the model: the main one first. */
export interface Graph {
    /** Its path, such as `graph` or `graph/loop/body`. */
    path: string;
    kind: "main" | "subgraph" | "function";
    /** For a subgraph: the index of its parent in the list of graphs, of the node in it, and the attribute's name. */
    parent: { graph: number; node: number; attribute: string } | null;
    inputs: string[];
    outputs: string[];
    /** The constants of the file, by name. Names are looked up in a graph, and then in its parents. */
    initializers: { name: string; type: string | null; dims: Dim[] | null }[];
    nodes: GraphNode[];
}

/** A node. An input or output that is left out is "". */
export interface GraphNode {
    name: string;
    op_type: string;
    /** `ai.onnx` for the default one. */
    domain: string;
    /** The version of its operator; null if it is not known. */
    since: number | null;
    inputs: string[];
    outputs: string[];
    /** The indices of its subgraphs in the list of graphs. */
    subgraphs: number[];
}

/** A size that no name of the model stands for, such as `n0`, and where it begins. */
export interface FreshSymbol {
    name: string;
    [of: string]: unknown;
}

/** What `analyse` answers. */
export interface Analysis {
    schema_version: number;
    /** As `shape infer --format json`. */
    values: Value[];
    symbols: FreshSymbol[];
    summary: { [of: string]: unknown } | null;
    /** As `shape infer --format json`. */
    findings: Finding[];
    graphs: Graph[];
    /** The symbols of the inputs, which can be given sizes. */
    settable: string[];
}

/** A part of an operator beside what a node gives for it. */
export interface NodeInput {
    /** The name of the formal input or output, such as `data`; null if the operator is not known. */
    formal: string | null;
    doc: string | null;
    /** The name of the value; "" if it is left out. */
    value: string;
}

/** What `node` answers. */
export interface NodeDetail {
    graph: string;
    index: number;
    name: string;
    op_type: string;
    domain: string;
    since: number | null;
    /** In one line, what the operator does; null if it is not known. */
    summary: string | null;
    doc: string;
    /** Those of the node first, then those that have their defaults or are left out. */
    attributes: {
        name: string;
        kind: string;
        /** As text; null if it is left out and has no default. */
        value: string | null;
        is_default: boolean;
        doc: string | null;
        /** For an attribute that is a graph: its index in the list of graphs. */
        subgraph?: number;
    }[];
    inputs: NodeInput[];
    outputs: NodeInput[];
    /** What it uses that not every release of a runtime has. */
    needs: string[];
}

/** A step of what `why` answers, as `shape infer --why --format json`. */
export interface Step {
    graph: string;
    node: { index: number; name: string; op_type: string; domain: string };
    since_version: number | null;
    rules: string[];
    inputs: Value[];
    outputs: Value[];
    assumptions: unknown[];
}

export interface Why {
    value: Value;
    steps: Step[];
    findings: Finding[];
}

/** What changed between two models. */
export interface Comparison {
    /** Operators of which the number of nodes differs. */
    operators: { domain: string; name: string; before: number; after: number }[];
    /** Nodes of one model alone, and those that are in both and differ. A node is known by its outputs. */
    nodes: { change: "added" | "removed" | "changed"; graph: string; op_type: string; name: string; what: string }[];
    /** Values of one model alone, and those of which the type, the dimensions or the elements differ. */
    values: { change: "added" | "removed" | "changed"; graph: string; name: string; before: string | null; after: string | null }[];
}

/** What a runtime lacks for a model. */
export interface Lack {
    /** As `shape ops --model M --runtime R --format json`. */
    kind: string;
    domain: string;
    op_type: string;
    since_version: number | null;
    message: string;
    help: string[];
    /** How many nodes of the model come before each of those that it is about. */
    nodes: number[];
}

/** What a runtime supports of a model. */
export interface RuntimeSupport {
    /** The runtime and its newest release: `onnxruntime-cpu 1.31.1`. */
    runtime: string;
    /**
     * The first release from which on each known one supports all of the model; null if the newest one does not, or if the
     * oldest known one already does.
     */
    first: string | null;
    /** What of the model not every known release has. */
    needs: string[];
    lacks: Lack[];
    /** What it may lack: a version or a type is not known. */
    may_lack: Lack[];
}

/** A model that an engine has open. */
export interface Opened {
    model: number;
    name: string;
    /** The size of the file. */
    bytes: number;
}

/** An edited model: it is open too, so that it can be looked at, compared and saved. */
export interface Edited {
    /** Null if the edit was refused; then the report says why. */
    opened: Opened | null;
    /** What the command says of it: the JSON of `shape simplify`, or the findings of `shape convert`. */
    report: { findings: Finding[]; [of: string]: unknown };
}

/** Sizes of symbols, as `--set`, and dimensions of inputs, as `--input`. */
export interface Sizes {
    set?: Record<string, number>;
    input?: Record<string, (number | string)[]>;
}

/** A question and its answer. A question that cannot be answered gives `{ error: string }` in the words of the command. */
export interface Questions {
    /** The models that are open. */
    opened: { ask: object; answer: Opened[] };
    close: { ask: { model: number }; answer: null };
    analyse: { ask: { model: number } & Sizes; answer: Analysis };
    /** As `shape check --format json`. */
    check: { ask: { model: number }; answer: { schema_version: number; findings: Finding[] } };
    /** An entry of `models` of `shape info --format json`. */
    info: { ask: { model: number } & Sizes; answer: { [of: string]: unknown } };
    /** Of each runtime whose releases are known. As `shape ops --runtime`, without what is proposed. */
    support: { ask: { model: number }; answer: RuntimeSupport[] };
    node: { ask: { model: number; graph: number; node: number }; answer: NodeDetail };
    /** `graph` is the index of the value's graph. */
    why: { ask: { model: number; graph: number; value: string } & Sizes; answer: Why };
    /** As `shape show --format json`; with an opset, the version of that opset. */
    operator: { ask: { operator: string; opset?: number }; answer: { operator: { [of: string]: unknown } } };
    /** As `shape explain CODE`: the title of a code of findings, and its page as text. */
    explain: { ask: { code: string }; answer: { code: string; title: string; text: string } };
    simplify: { ask: { model: number }; answer: Edited };
    convert: { ask: { model: number; opset: number }; answer: Edited };
    /** The model with what was inferred, as `shape infer -o`. */
    annotate: { ask: { model: number } & Sizes; answer: Edited };
    compare: { ask: { model: number; other: number } & Sizes; answer: Comparison };
}

/** What the page works with. Every method may fail with an `Error` whose message is for the person. */
export interface Engine {
    /** Whether models can be opened and edited: not where the answers were written in advance. */
    canOpen: boolean;
    /** Opens a file, and the files that its tensors name, by their paths beside it. */
    open(file: File, beside: Map<string, File>): Promise<Opened>;
    ask<Q extends keyof Questions>(question: Q, ask: Questions[Q]["ask"]): Promise<Questions[Q]["answer"]>;
    /** The bytes of a model, to save them. */
    bytes(model: number): Promise<Uint8Array>;
    /** Ends what is under way; the models stay open. */
    cancel(): void;
}
