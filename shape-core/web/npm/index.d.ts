/**
 * ONNX models, checked and inferred, as the command `shape` does it.
 *
 * The answers are the JSON that the command prints: `api.d.ts` has their types.
 */

import type { Analysis, Finding, NodeDetail, RuntimeSupport, Sizes, Why } from "./api.d.ts";

export type {
    Analysis,
    Dim,
    Finding,
    Graph,
    GraphNode,
    Lack,
    NodeDetail,
    RuntimeSupport,
    Sizes,
    Step,
    Value,
    Why,
} from "./api.d.ts";

/** The bytes of a file. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/**
 * Why a call failed:
 * - `refused`: the command would refuse it too, in the same words; the file is no model, say.
 * - `memory`: the model is larger than WebAssembly has room for.
 * - `closed`: the model was closed before.
 * - `load`: the WebAssembly was not found, or does not run here.
 * - `trap`: a fault of this package. What comes next works again.
 */
export type ErrorCode = "refused" | "memory" | "closed" | "load" | "trap";

/** What the functions of the package throw, but for a `TypeError` where an argument is no bytes. */
export class OnnxspecError extends Error {
    constructor(code: ErrorCode, message: string, cause?: unknown);
    code: ErrorCode;
}

/** What is known of a model beside its bytes. */
export interface OpenOptions {
    /** The name in findings and errors: `model.onnx` if there is none. */
    name?: string;
    /** The files that its tensors name as external data, by their paths. Those that are missing are not needed for dimensions. */
    beside?: Record<string, Bytes>;
}

/** An edited model: its bytes, or null if the edit was refused, for the reason in the report. */
export interface Edit {
    bytes: Uint8Array | null;
    report: { findings: Finding[]; [of: string]: unknown };
}

/** A model that is open. Its bytes are not copied: do not change them before it is closed. */
export interface Model {
    readonly name: string;
    /** The type, the dimensions and the known elements of every value. As `shape infer`. */
    infer(sizes?: Sizes): Analysis;
    /** What is wrong with the model. As `shape check`. */
    check(): { schema_version: number; findings: Finding[] };
    /** Parameters, memory and multiply-adds. As `shape info`. */
    info(sizes?: Sizes): { [of: string]: unknown };
    /** What runtimes support of the model, and their first releases that support all of it. As `shape ops --runtime`. */
    support(): RuntimeSupport[];
    /** A node with its attributes, their defaults and what they mean; the graph is an index of `Analysis.graphs`. */
    node(graph: number, node: number): NodeDetail;
    /** How a value was inferred, or where it got lost. As `shape infer --why`. */
    why(value: string, options?: Sizes & { graph?: number }): Why;
    /** Removes what the model computes and need not. As `shape simplify`. */
    simplify(): Edit;
    /** Converts the model to another opset. As `shape convert`. */
    convert(opset: number): Edit;
    /** Writes what was inferred into the model. As `shape infer -o`. */
    annotate(sizes?: Sizes): Edit;
    /** Frees its memory. What is asked later fails with the code `closed`. */
    close(): void;
}

/**
 * Loads the WebAssembly. The other functions do it when they are called first; call this to pass it where they do not find it.
 */
export function load(wasm?: BufferSource | WebAssembly.Module | Promise<BufferSource | WebAssembly.Module>): Promise<void>;

/** Opens a model, to ask more than one question about it. */
export function open(bytes: Bytes, options?: OpenOptions): Promise<Model>;

/** Infers the type, the dimensions and the known elements of every value, with sizes for some of the symbols. */
export function infer(bytes: Bytes, options?: Sizes & OpenOptions): Promise<Analysis>;

/** Reports what is wrong with a model. */
export function check(bytes: Bytes, options?: OpenOptions): Promise<{ schema_version: number; findings: Finding[] }>;

/** An operator, such as `Conv` or `com.microsoft::Gelu`: all versions, or that of an opset. As `shape show`. */
export function operator(name: string, opset?: number): Promise<{ [of: string]: unknown }>;

/** What a code of findings means, and what to do about it. As `shape explain`. */
export function explain(code: string): Promise<{ code: string; title: string; text: string }>;
