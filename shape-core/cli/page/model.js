/**
 * An analysis with what is needed to find things in it quickly: names in their graphs, readers, findings, rows.
 */

import { Symbols } from "page/dims.js";

/** @typedef {import("./api.d.ts").Analysis} Analysis */
/** @typedef {import("./api.d.ts").Finding} Finding */
/** @typedef {import("./api.d.ts").Graph} Graph */
/** @typedef {import("./api.d.ts").GraphNode} GraphNode */
/** @typedef {import("./api.d.ts").Value} Value */
/** @typedef {{ graph: number; node: number }} Place The index of a graph, and of a node in it. */
/** @typedef {import("page/dims.js").Known} Known */
/** @typedef {{ name: string; graph: number; constant: boolean; node: number | null; value: Known }} Found */

/**
 * A line of the table: a heading, an input, or an output of a node.
 * @typedef {object} Row
 * @property {"graph" | "input" | "node"} kind
 * @property {number} graph
 * @property {number} node -1 if it is none.
 * @property {number} output Which output of the node.
 * @property {string} operator
 * @property {string} name The name of the value; "" for a node without outputs.
 * @property {Value | null} value
 * @property {boolean} unknown
 * @property {boolean} finding
 * @property {string} search Where the text of the filter is looked for.
 */

const NOTHING = { type: null, dims: null };

/**
 * An operator with its domain, where that is not the default one.
 * @param {{ domain: string; op_type: string }} node
 */
export function operatorName(node) {
    return node.domain === "" || node.domain === "ai.onnx" ? node.op_type : `${node.domain}::${node.op_type}`;
}

export class Model {
    /** @param {Analysis} analysis */
    constructor(analysis) {
        this.analysis = analysis;
        this.graphs = analysis.graphs;
        this.symbols = new Symbols(analysis.settable, analysis.symbols);
        /** @type {Map<string, number>} */
        this.paths = new Map(this.graphs.map((graph, at) => [graph.path, at]));
        /** @type {Map<string, Value>[]} */
        this.values = this.graphs.map(() => new Map());
        for (const value of analysis.values)
            this.values[this.paths.get(value.graph ?? "graph") ?? 0]?.set(value.name, value);
        this.constants = this.graphs.map(
            (graph) => new Map(graph.initializers.map((constant) => [constant.name, constant])),
        );
        /** @type {Map<string, number>[]} */
        this.producers = this.graphs.map((graph) => {
            const producers = new Map();
            graph.nodes.forEach((node, at) => node.outputs.forEach((name) => name && producers.set(name, at)));
            return producers;
        });
        /** @type {Map<string, Place[]>[] | null} */
        this.readersOf = null;
        /** @type {Map<string, Finding[]>} */
        this.findings = new Map();
        this.addFindings(analysis.findings);
        /** @type {Map<string, number>} */
        this.operators = new Map();
        this.rows = this.makeRows();
    }

    /**
     * Takes the findings in place of those that are there, by their nodes.
     * @param {Finding[]} findings
     */
    addFindings(findings) {
        this.findings.clear();
        for (const finding of findings) {
            if (!finding.node) continue;
            const key = `${finding.graph}#${finding.node.index}`;
            const list = this.findings.get(key);
            if (list) list.push(finding);
            else this.findings.set(key, [finding]);
        }
    }

    /** Marks the rows that have a finding. */
    markFindings() {
        for (const row of this.rows) row.finding = row.node >= 0 && this.findingsOf(row).length > 0;
    }

    /**
     * @param {Place} place
     * @returns {Finding[]}
     */
    findingsOf({ graph, node }) {
        return this.findings.get(`${this.graphs[graph]?.path}#${node}`) ?? [];
    }

    /**
     * @param {Place} place
     * @returns {GraphNode | undefined}
     */
    node({ graph, node }) {
        return this.graphs[graph]?.nodes[node];
    }

    /**
     * What a name stands for in a graph: looked up in it, and then in its parents.
     * @param {number} graph
     * @param {string} name
     * @returns {Found}
     */
    find(graph, name) {
        for (let at = graph; ;) {
            const value = this.values[at]?.get(name);
            const node = this.producers[at]?.get(name) ?? null;
            const constant = this.constants[at]?.get(name);
            if (value || constant || node !== null || this.graphs[at]?.inputs.includes(name)) {
                return {
                    name,
                    graph: at,
                    constant: !!constant && node === null,
                    node,
                    value: value ?? constant ?? NOTHING,
                };
            }
            const parent = this.graphs[at]?.parent;
            if (!parent) return { name, graph, constant: false, node: null, value: NOTHING };
            at = parent.graph;
        }
    }

    /**
     * The nodes that read a value, those in subgraphs too.
     * @param {number} graph
     * @param {string} name
     * @returns {Place[]}
     */
    readers(graph, name) {
        if (!this.readersOf) {
            /** @type {Map<string, Place[]>[]} */
            const readersOf = this.graphs.map(() => new Map());
            this.graphs.forEach((of, at) =>
                of.nodes.forEach((node, index) => {
                    for (const input of new Set(node.inputs)) {
                        if (!input) continue;
                        const map = readersOf[this.find(at, input).graph];
                        const list = map?.get(input);
                        if (list) list.push({ graph: at, node: index });
                        else map?.set(input, [{ graph: at, node: index }]);
                    }
                }),
            );
            this.readersOf = readersOf;
        }
        return this.readersOf[graph]?.get(name) ?? [];
    }

    /**
     * The graph and those around it, the outermost first.
     * @param {number} graph
     */
    around(graph) {
        const chain = [graph];
        for (let parent = this.graphs[graph]?.parent; parent; parent = this.graphs[parent.graph]?.parent)
            chain.unshift(parent.graph);
        return chain;
    }

    /**
     * What a graph is called: the model, or the node and the attribute that it belongs to.
     * @param {number} graph
     */
    title(graph) {
        const of = this.graphs[graph];
        if (!of || of.kind === "main") return "main graph";
        if (!of.parent) return of.path;
        const node = this.node({ graph: of.parent.graph, node: of.parent.node });
        return `${node?.op_type ?? "node"} ${node?.name || `#${of.parent.node}`} › ${of.parent.attribute}`;
    }

    /**
     * Whether a graph is the body of a function: its values are inferred at each call, and not told here.
     * @param {number} graph
     */
    isFunction(graph) {
        return this.around(graph).some((at) => this.graphs[at]?.kind === "function");
    }

    /**
     * The function of the model that a node calls.
     * @param {{ domain: string; op_type: string }} node
     */
    functionOf({ domain, op_type: name }) {
        return this.paths.get(`function ${domain || "ai.onnx"}::${name}`) ?? null;
    }

    /** @returns {Row[]} */
    makeRows() {
        /** @type {Row[]} */
        const rows = [];
        this.graphs.forEach((graph, at) => {
            const values = this.values[at] ?? new Map();
            const base = {
                graph: at,
                node: -1,
                output: 0,
                operator: "",
                name: "",
                value: null,
                unknown: false,
                finding: false,
            };
            if (this.graphs.length > 1) rows.push({ ...base, kind: "graph", search: "" });
            for (const name of graph.inputs) {
                if (this.constants[at]?.has(name)) continue;
                const value = values.get(name) ?? null;
                rows.push({
                    ...base,
                    kind: "input",
                    name,
                    value,
                    unknown: !!value?.reason,
                    search: name.toLowerCase(),
                });
            }
            graph.nodes.forEach((node, index) => {
                const operator = operatorName(node);
                this.operators.set(operator, (this.operators.get(operator) ?? 0) + 1);
                const finding = this.findingsOf({ graph: at, node: index }).length > 0;
                const text = `${operator} ${node.name} `.toLowerCase();
                const outputs = node.outputs.some(Boolean) ? node.outputs : [""];
                outputs.forEach((name, output) => {
                    if (!name && outputs.length > 1) return;
                    const value = values.get(name) ?? null;
                    const unknown = !!value?.reason;
                    const search = text + name.toLowerCase();
                    rows.push({
                        kind: "node",
                        graph: at,
                        node: index,
                        output,
                        operator,
                        name,
                        value,
                        unknown,
                        finding,
                        search,
                    });
                });
            });
        });
        return rows;
    }
}
