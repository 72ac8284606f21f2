/**
 * What a drawing shows: some nodes of a graph as boxes, and the values between them as edges with their dimensions.
 */

import { dimsText } from "page/dims.js";
import { shorten } from "page/dom.js";
import { operatorName } from "page/model.js";

/** @typedef {import("page/model.js").Model} Model */
/**
 * A box of a drawing.
 * @typedef {object} Box
 * @property {string} id
 * @property {string[]} lines
 * @property {"node" | "input" | "output" | "centre" | "constant"} kind
 * @property {number | null} node The index of the node; null for an input or output of the graph.
 * @property {string} value The name of that input or output.
 * @property {string} marks Classes for what is wrong with it.
 */
/** @typedef {{ from: string; to: string; label: string; known: boolean; value: string }} Edge */
/** @typedef {{ nodes: Box[]; edges: Edge[]; symbols: ReadonlySet<string> }} Picture */

const LABEL = 34;
const NAME = 24;

/**
 * The picture of some nodes of a graph, and of the inputs and outputs that they have to do with.
 * @param {Model} model
 * @param {number} graph
 * @param {ReadonlySet<number>} chosen
 * @param {number | null} centre The node that it is about.
 * @returns {Picture}
 */
export function pictureOf(model, graph, chosen, centre) {
    const of = model.graphs[graph];
    /** @type {Map<string, Box>} */
    const boxes = new Map();
    /** @type {Edge[]} */
    const edges = [];
    if (!of) return { nodes: [], edges, symbols: new Set() };
    /** @param {number} at */
    const nodeBox = (at) => {
        const id = `node ${at}`;
        const node = of.nodes[at];
        if (!node || boxes.has(id)) return id;
        const findings = model.findingsOf({ graph, node: at });
        const severity = ["error", "warning", "info"].find((each) =>
            findings.some((finding) => finding.severity === each),
        );
        const lost = node.outputs.some((name) => name && model.values[graph]?.get(name)?.reason);
        const lines = [operatorName(node), ...(node.name ? [shorten(node.name, NAME)] : [])];
        const kind = at === centre ? "centre" : node.op_type === "Constant" ? "constant" : "node";
        boxes.set(id, {
            id,
            lines,
            kind,
            node: at,
            value: "",
            marks: [severity, lost ? "not-known" : ""].filter(Boolean).join(" "),
        });
        return id;
    };
    /**
     * @param {"input" | "output"} kind
     * @param {string} name
     */
    const endBox = (kind, name) => {
        const id = `${kind} ${name}`;
        if (!boxes.has(id))
            boxes.set(id, { id, lines: [shorten(name, NAME)], kind, node: null, value: name, marks: "" });
        return id;
    };
    /** @param {string} name */
    const label = (name) => {
        const { value } = model.find(graph, name);
        const text = value.type === null && value.dims === null ? "" : shorten(dimsText(value.dims), LABEL);
        return { label: text, known: value.dims !== null };
    };
    const outputs = new Set(of.outputs);
    for (const at of chosen) {
        const node = of.nodes[at];
        if (!node) continue;
        const id = nodeBox(at);
        // What a subgraph reads of this graph is drawn to the node that has the subgraph.
        for (const name of new Set([...node.inputs, ...captured(model, graph, at)])) {
            if (!name) continue;
            const found = model.find(graph, name);
            if (found.constant) continue;
            if (found.graph === graph && found.node !== null) {
                if (chosen.has(found.node))
                    edges.push({ from: nodeBox(found.node), to: id, ...label(name), value: name });
            } else edges.push({ from: endBox("input", name), to: id, ...label(name), value: name });
        }
        for (const name of node.outputs) {
            if (name && outputs.has(name))
                edges.push({ from: id, to: endBox("output", name), ...label(name), value: name });
        }
    }
    return { nodes: [...boxes.values()], edges, symbols: model.symbols.names };
}

/**
 * The values of a graph that the subgraphs of its node read.
 * @param {Model} model
 * @param {number} graph
 * @param {number} node
 * @returns {string[]}
 */
export function captured(model, graph, node) {
    /** @type {Set<string>} */
    const names = new Set();
    const outside = new Set(model.around(graph));
    const inside = [...(model.graphs[graph]?.nodes[node]?.subgraphs ?? [])];
    for (let at = inside.pop(); at !== undefined; at = inside.pop()) {
        const of = model.graphs[at];
        if (!of) continue;
        const read = [...of.outputs, ...of.nodes.flatMap((each) => each.inputs)];
        for (const name of read) if (name && outside.has(model.find(at, name).graph)) names.add(name);
        for (const each of of.nodes) inside.push(...each.subgraphs);
    }
    return [...names];
}

/**
 * The nodes around one, nearest first, at most so many.
 * @param {Model} model
 * @param {number} graph
 * @param {number} centre
 * @param {number} most
 * @param {number} steps How far they may be away.
 * @returns {Set<number>}
 */
export function around(model, graph, centre, most, steps) {
    const found = new Set([centre]);
    let edge = [centre];
    for (let step = 0; step < steps && edge.length > 0; step += 1) {
        /** @type {number[]} */
        const next = [];
        for (const at of edge) {
            const node = model.graphs[graph]?.nodes[at];
            if (!node) continue;
            const producers = node.inputs.map((name) => {
                const of = name ? model.find(graph, name) : null;
                return of && of.graph === graph ? of.node : null;
            });
            const readers = node.outputs.flatMap((name) => (name ? model.readers(graph, name) : []));
            const own = readers.filter((place) => place.graph === graph).map((place) => place.node);
            for (const other of [...producers, ...own]) {
                if (other === null || found.has(other) || found.size >= most) continue;
                found.add(other);
                next.push(other);
            }
        }
        edge = next;
    }
    return found;
}
