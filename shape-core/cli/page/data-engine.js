/**
 * The engine of a page that `shape infer --html` wrote: the answers stand in the page.
 */

/** @typedef {import("./api.d.ts").Engine} Engine */
/** @typedef {import("./api.d.ts").Step} Step */
/** @typedef {import("./api.d.ts").Why} Why */

/**
 * @typedef {object} Data
 * @property {import("./api.d.ts").Opened[]} opened
 * @property {object} answers
 * @property {import("./api.d.ts").Analysis} answers.analyse
 * @property {import("./api.d.ts").Questions["check"]["answer"]} answers.check
 * @property {Record<string, unknown>} answers.info
 * @property {import("./api.d.ts").RuntimeSupport[]} answers.support
 * @property {Record<string, import("./api.d.ts").NodeDetail>} answers.nodes By `graph:node`.
 * @property {Record<string, Step>} answers.steps By `graph:node`.
 * @property {Record<string, import("./api.d.ts").Questions["operator"]["answer"]>} answers.operators By `domain::name`.
 * @property {Record<string, import("./api.d.ts").Questions["explain"]["answer"]>} answers.explain By code.
 */

/** A chain longer than this says nothing that its end does not. */
const STEPS = 200;

/** @implements {Engine} */
export class DataEngine {
    /** @param {Data} data */
    constructor(data) {
        this.data = data;
        this.canOpen = false;
        /** @type {Record<string, (ask: any) => unknown>} */
        this.answers = {
            opened: () => data.opened,
            analyse: () => data.answers.analyse,
            check: () => data.answers.check,
            info: () => data.answers.info,
            support: () => data.answers.support,
            node: ({ graph, node }) => data.answers.nodes[`${graph}:${node}`],
            operator: ({ operator }) =>
                data.answers.operators[operator] ?? data.answers.operators[`ai.onnx::${operator}`],
            explain: ({ code }) => data.answers.explain[code],
            why: ({ graph, value }) => this.why(graph, value),
        };
    }

    /** @returns {Promise<never>} */
    async open() {
        throw new Error("this page shows one model; `shape view` opens others");
    }

    /** @type {Engine["ask"]} */
    async ask(question, ask) {
        const { set = {}, input = {} } = /** @type {import("./api.d.ts").Sizes} */ (ask);
        const sized = Object.keys(set).length + Object.keys(input).length > 0;
        const answer = sized ? undefined : this.answers[question]?.(ask);
        if (answer === undefined) {
            throw new Error(
                "this page has no answer to that: it was written in advance; `shape view` computes all of them",
            );
        }
        return /** @type {any} */ (answer);
    }

    /** @returns {Promise<never>} */
    async bytes() {
        throw new Error("this page does not have the model, only what was inferred of it");
    }

    cancel() {}

    /**
     * The steps that lead to a value, the first one first.
     * @param {number} graph
     * @param {string} name
     * @returns {Why | undefined}
     */
    why(graph, name) {
        const { analyse, steps } = this.data.answers;
        /** @type {Map<string, { step: Step; key: string }>} */
        const found = new Map();
        /** @type {(graph: number, name: string) => { at: number; node: number } | null} */
        const producer = (from, wanted) => {
            for (let at = from; ;) {
                const node = analyse.graphs[at]?.nodes.findIndex((each) => each.outputs.includes(wanted)) ?? -1;
                if (node >= 0) return { at, node };
                const parent = analyse.graphs[at]?.parent;
                if (!parent) return null;
                at = parent.graph;
            }
        };
        const queue = [{ graph, name }];
        for (let next = queue.shift(); next && found.size < STEPS; next = queue.shift()) {
            const place = producer(next.graph, next.name);
            const key = place ? `${place.at}:${place.node}` : "";
            const step = steps[key];
            if (!place || !step || found.has(key)) continue;
            found.set(key, { step, key });
            for (const input of step.inputs) queue.push({ graph: place.at, name: input.name });
        }
        const path = analyse.graphs[graph]?.path ?? "graph";
        const value = analyse.values.find((each) => each.name === name && (each.graph ?? "graph") === path);
        if (!value) return undefined;
        const ordered = [...found.values()].reverse().map(({ step }) => step);
        const findings = analyse.findings.filter((each) =>
            ordered.some((step) => step.graph === each.graph && step.node.index === each.node?.index),
        );
        return { value, steps: ordered, findings };
    }
}
