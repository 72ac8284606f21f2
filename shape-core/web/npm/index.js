/** ONNX models, checked and inferred: what `index.d.ts` declares. */

import { wasm } from "#wasm";
import { OnnxspecError } from "./error.js";
import { Instance } from "./instance.js";

/** @typedef {import("./index.d.ts")} Package */
/** @typedef {import("./api.d.ts").Questions} Questions */

export { OnnxspecError };

/** Where models are that need less than 4 GiB with all that is known of them. */
const MOST_BYTES = 1024 ** 3;

/** @type {Promise<WebAssembly.Module> | null} */
let module = null;

/** @type {Package["load"]} */
export async function load(source) {
    module ??= (async () => {
        const given = await (source ?? wasm());
        return given instanceof WebAssembly.Module ? given : WebAssembly.compile(given);
    })();
    try {
        await module;
    } catch (error) {
        // So that the next call may pass other bytes.
        module = null;
        throw new OnnxspecError("load", `the WebAssembly of onnxspec cannot be loaded: ${message(error)}`, error);
    }
}

async function compiled() {
    await load();
    return /** @type {Promise<WebAssembly.Module>} */ (module);
}

/** @implements {Model} */
class OpenModel {
    /** @type {Instance | null} */
    #instance = null;
    #number = 0;
    #closed = false;

    /**
     * @param {WebAssembly.Module} module
     * @param {string} name
     * @param {Uint8Array} bytes
     * @param {Record<string, Uint8Array>} beside
     */
    constructor(module, name, bytes, beside) {
        this.module = module;
        this.name = name;
        this.given = bytes;
        this.beside = beside;
        this.#live();
    }

    /** The instance; a new one if the last one trapped. */
    #live() {
        if (this.#closed) throw new OnnxspecError("closed", `${this.name} is closed`);
        if (this.#instance === null || this.#instance.dead) {
            this.#instance = new Instance(this.module);
            this.#number = this.#instance.open(this.name, this.given, this.beside);
        }
        return this.#instance;
    }

    /**
     * @template {keyof Questions} Q
     * @param {Q} question
     * @param {object} [ask]
     * @returns {Questions[Q]["answer"]}
     */
    #ask(question, ask = {}) {
        const instance = this.#live();
        return instance.ask(question, { ...ask, model: this.#number });
    }

    /**
     * @param {"simplify" | "convert" | "annotate"} question
     * @param {object} [ask]
     */
    #edit(question, ask) {
        const { opened, report } = this.#ask(question, ask);
        if (opened === null) return { bytes: null, report };
        const instance = this.#live();
        const bytes = instance.bytes(opened.model);
        instance.ask("close", { model: opened.model });
        return { bytes, report };
    }

    infer(sizes = {}) {
        return this.#ask("analyse", sizesOf(sizes));
    }

    check() {
        return this.#ask("check");
    }

    info(sizes = {}) {
        return this.#ask("info", sizesOf(sizes));
    }

    support() {
        return this.#ask("support");
    }

    /** @type {Model["node"]} */
    node(graph, node) {
        return this.#ask("node", { graph, node });
    }

    /** @type {Model["why"]} */
    why(value, { graph = 0, ...sizes } = {}) {
        return this.#ask("why", { graph, value, ...sizesOf(sizes) });
    }

    simplify() {
        return this.#edit("simplify");
    }

    /** @type {Model["convert"]} */
    convert(opset) {
        return this.#edit("convert", { opset });
    }

    annotate(sizes = {}) {
        return this.#edit("annotate", sizesOf(sizes));
    }

    close() {
        this.#closed = true;
        this.#instance = null;
        this.given = new Uint8Array();
        this.beside = {};
    }
}

/** @typedef {import("./index.d.ts").Model} Model */

/** @type {Package["open"]} */
export async function open(bytes, { name = "model.onnx", beside = {} } = {}) {
    const given = viewOf(bytes, "the model");
    if (given.length > MOST_BYTES) {
        throw new OnnxspecError(
            "memory",
            `${name} has ${given.length} bytes, and ${MOST_BYTES} are the most; save it with external data, without which its ` +
                "dimensions are the same, or use the command `shape`",
        );
    }
    const others = Object.entries(beside).map(([path, data]) => [path, viewOf(data, path)]);
    return new OpenModel(await compiled(), name, given, Object.fromEntries(others));
}

/** @type {Package["infer"]} */
export async function infer(bytes, { set, input, ...options } = {}) {
    return once(bytes, options, (model) => model.infer(sizesOf({ set, input })));
}

/** @type {Package["check"]} */
export async function check(bytes, options) {
    return once(bytes, options, (model) => model.check());
}

/** @type {Package["operator"]} */
export async function operator(name, opset) {
    return new Instance(await compiled()).ask("operator", { operator: name, opset }).operator;
}

/** @type {Package["explain"]} */
export async function explain(code) {
    return new Instance(await compiled()).ask("explain", { code });
}

/**
 * @template T
 * @param {Parameters<Package["open"]>[0]} bytes
 * @param {import("./index.d.ts").OpenOptions | undefined} options
 * @param {(model: Model) => T} work
 */
async function once(bytes, options, work) {
    const model = await open(bytes, options);
    try {
        return work(model);
    } finally {
        model.close();
    }
}

/**
 * What is not given is left out of the question.
 * @param {import("./api.d.ts").Sizes} sizes
 */
function sizesOf({ set, input }) {
    return { ...(set && { set }), ...(input && { input }) };
}

/**
 * @param {unknown} data
 * @param {string} what
 */
function viewOf(data, what) {
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    if (data instanceof ArrayBuffer) return new Uint8Array(data);
    throw new TypeError(`${what} is given as ${typeof data}; pass an ArrayBuffer or a Uint8Array, such as a Buffer of Node`);
}

/** @param {unknown} error */
function message(error) {
    return error instanceof Error ? error.message : String(error);
}
