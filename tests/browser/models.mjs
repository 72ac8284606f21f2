/**
 * Models that the tests write themselves: a few fields of onnx.proto, in the encoding of protocol buffers.
 */

/** Element types, by their numbers in onnx.proto. */
const [FLOAT, INT64, BOOL] = [1, 7, 9];

/** @param {number} value */
function varint(value) {
    const bytes = [];
    for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
    return Buffer.from([...bytes, value]);
}

/**
 * @param {number} field
 * @param {number} value
 */
const integer = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);

/**
 * @param {number} field
 * @param {string | Buffer} content A text, or a message.
 */
function part(field, content) {
    const bytes = Buffer.from(content);
    return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

/** @typedef {number | string} Dim */

/**
 * An input or an output of a graph.
 * @param {string} name
 * @param {Dim[]} dims
 * @param {number} [type]
 */
function value(name, dims, type = FLOAT) {
    const shape = dims.map((dim) => part(1, typeof dim === "number" ? integer(1, dim) : part(2, dim)));
    const tensor = Buffer.concat([integer(1, type), part(2, Buffer.concat(shape))]);
    return Buffer.concat([part(1, name), part(2, part(1, tensor))]);
}

/** @typedef {[name: string, dims: Dim[], type?: number]} Value */
/** @typedef {{ nodes: Node[], inputs: Value[], outputs: Value[] }} Graph */
/** @typedef {{ name?: string, op: string, inputs: string[], outputs: string[], graphs?: Record<string, Graph> }} Node */

/**
 * @param {Graph} graph
 * @returns {Buffer}
 */
function graph({ nodes, inputs, outputs }) {
    return Buffer.concat([
        ...nodes.map((each) => part(1, node(each))),
        part(2, "main"),
        ...inputs.map((input) => part(11, value(...input))),
        ...outputs.map((output) => part(12, value(...output))),
    ]);
}

/**
 * @param {Node} node
 * @returns {Buffer}
 */
function node({ name = "", op, inputs, outputs, graphs = {} }) {
    const GRAPH = 5;
    const attributes = Object.entries(graphs).map(([name, of]) =>
        part(5, Buffer.concat([part(1, name), part(6, graph(of)), integer(20, GRAPH)])),
    );
    const values = [...inputs.map((input) => part(1, input)), ...outputs.map((output) => part(2, output))];
    return Buffer.concat([...values, part(3, name), part(4, op), ...attributes]);
}

/**
 * A model of an opset.
 * @param {Graph} main
 */
export function model(main, opset = 17) {
    return Buffer.concat([integer(1, 8), part(7, graph(main)), part(8, integer(2, opset))]);
}

/**
 * A chain of so many nodes: a sum, its signs, a transposition, and again.
 * @param {number} count
 */
export function chain(count) {
    const last = (/** @type {number} */ at) => (at === 0 ? "x" : `value_${at - 1}`);
    const nodes = Array.from({ length: count }, (_, at) => ({
        name: `/layer.${Math.floor(at / 10)}/node_${at}`,
        op: ["Relu", "Add", "Transpose"][at % 3] ?? "",
        inputs: at % 3 === 1 ? [last(at), last(at)] : [last(at)],
        outputs: [`value_${at}`],
    }));
    return model({ nodes, inputs: [["x", ["batch", 16, "length", 64]]], outputs: [[last(count), ["a", "b", "c", "d"]]] });
}

/** A text that would be markup if anything took it for that. */
export const MARKUP = '<img src=x onerror="document.title=1"><b id=markup>&lt;"\'</b>\u202etxet';

/** A model in which every name is markup. */
export function markup() {
    const [x, y, z] = ["x", "y", "z"].map((name) => `${name}${MARKUP}`);
    return model({
        nodes: [
            { name: `n${MARKUP}`, op: "Relu", inputs: [x], outputs: [y] },
            { name: `m${MARKUP}`, op: `Op${MARKUP}`, inputs: [y], outputs: [z] },
        ],
        inputs: [[x, [`d${MARKUP}`, 3]]],
        outputs: [[z, [`e${MARKUP}`]]],
    });
}

/** A model that is wrong: operators that do not exist, and dimensions that do not fit. */
export function wrong() {
    return model({
        nodes: [
            { name: "first", op: "MatMul", inputs: ["x", "x"], outputs: ["y"] },
            { name: "second", op: "NoSuchOperator", inputs: ["y"], outputs: ["z"] },
        ],
        inputs: [["x", [2, 3]]],
        outputs: [["z", [2, 2]]],
    });
}

/** A model of an opset that not every release of a runtime takes. */
export function recent() {
    const nodes = [{ name: "only", op: "Relu", inputs: ["x"], outputs: ["y"] }];
    return model({ nodes, inputs: [["x", [2, 3]]], outputs: [["y", [2, 3]]] }, 23);
}

/** A model with a Loop, and an If in its body. */
export function loop() {
    /** @type {(op: string) => Graph} */
    const branch = (op) => ({ nodes: [{ name: op, op, inputs: ["before"], outputs: [`${op}_out`] }], inputs: [], outputs: [[`${op}_out`, ["n", 4]]] });
    /** @type {Graph} */
    const body = {
        nodes: [
            { name: "choice", op: "If", inputs: ["go_on"], outputs: ["after"], graphs: { then_branch: branch("Relu"), else_branch: branch("Tanh") } },
            { name: "still", op: "Identity", inputs: ["go_on"], outputs: ["go_on_out"] },
        ],
        inputs: [["iteration", [], INT64], ["go_on", [], BOOL], ["before", ["n", 4]]],
        outputs: [["go_on_out", [], BOOL], ["after", ["n", 4]]],
    };
    return model({
        nodes: [{ name: "loop", op: "Loop", inputs: ["times", "start", "x"], outputs: ["y"], graphs: { body } }],
        inputs: [["times", [], INT64], ["start", [], BOOL], ["x", ["n", 4]]],
        outputs: [["y", ["n", 4]]],
    });
}
