/**
 * What is known of a value, as text and with its symbols coloured.
 */

import { assignColours, colour } from "page/colour.js";
import { el, shown } from "page/dom.js";

/** @typedef {import("./api.d.ts").Dim} Dim */
/** @typedef {import("./api.d.ts").Value} Value */
/**
 * What is known of a value.
 * @typedef {object} Known
 * @property {string | null} type
 * @property {Dim[] | null} dims
 * @property {(Dim | boolean)[] | null} [value]
 * @property {string | null} [reason]
 * @property {Value["declared"]} [declared]
 */

/** So many elements are shown in a line. */
const ELEMENTS = 8;
/** The operations of expressions, which are no symbols. */
const OPERATIONS = new Set(["min", "max", "floor", "ceil"]);
const NAME = /[\p{L}_][\p{L}\p{N}_.:-]*/gu;

/**
 * A dimension as parts: those that are symbols have a name.
 * @param {Dim | boolean} dim
 * @param {ReadonlySet<string>} symbols
 * @returns {{ text: string; symbol: string | null }[]}
 */
export function parts(dim, symbols) {
    if (typeof dim !== "string") return [{ text: dim === null ? "?" : String(dim), symbol: null }];
    // A symbol may be called anything; then it is not taken apart.
    if (symbols.has(dim)) return [{ text: dim, symbol: dim }];
    const found = [];
    let from = 0;
    for (const match of dim.matchAll(NAME)) {
        if (OPERATIONS.has(match[0])) continue;
        if (match.index > from) found.push({ text: dim.slice(from, match.index), symbol: null });
        found.push({ text: match[0], symbol: match[0] });
        from = match.index + match[0].length;
    }
    if (from < dim.length) found.push({ text: dim.slice(from), symbol: null });
    return found;
}

/** The symbols of the model, and those that no name of it stands for. */
export class Symbols {
    /**
     * @param {string[]} settable
     * @param {{ name: string; reason?: unknown }[]} fresh
     */
    constructor(settable, fresh) {
        /** @type {Map<string, string>} */
        this.fresh = new Map(fresh.map((symbol) => [symbol.name, String(symbol.reason ?? "")]));
        /** @type {Set<string>} */
        this.names = new Set([...settable, ...this.fresh.keys()]);
        assignColours(this.names);
    }

    /**
     * A dimension or an element.
     * @param {Dim | boolean} dim
     * @returns {Node[]}
     */
    dim(dim) {
        if (dim === null) return [unknown("?")];
        return parts(dim, this.names).map(({ text, symbol }) => {
            if (symbol === null) return document.createTextNode(shown(text));
            const reason = this.fresh.get(symbol);
            const node = el(
                "span",
                {
                    class: reason === undefined ? "symbol" : "symbol fresh",
                    title: reason === undefined ? null : `an unknown size: ${reason}`,
                },
                text,
            );
            colour(node, symbol);
            return node;
        });
    }

    /**
     * Dimensions, such as `[batch, 3, 4*seq]`.
     * @param {Dim[] | null} dims
     * @param {Value["declared"]} [declared]
     * @returns {HTMLElement}
     */
    dims(dims, declared) {
        if (dims === null) return el("span", { class: "dims" }, unknown("unknown rank"));
        return el(
            "span",
            { class: "dims" },
            "[",
            separated(dims, (dim, at) => [...this.dim(dim), ...mark(declared, declared?.dims, at)]),
            "]",
        );
    }

    /**
     * Elements that are known before the model runs.
     * @param {(Dim | boolean)[]} value
     * @param {Dim[] | null} dims
     * @param {Value["declared"]} [declared]
     * @returns {HTMLElement}
     */
    elements(value, dims, declared) {
        const scalar = dims !== null && dims.length === 0;
        const first = value.slice(0, ELEMENTS);
        const more = value.length > ELEMENTS ? `, … ${value.length - ELEMENTS} more` : "";
        const list = separated(first, (element, at) => [...this.dim(element), ...mark(declared, declared?.value, at)]);
        return el("span", { class: "elements" }, " = ", scalar ? "" : "[", list, more, scalar ? "" : "]");
    }

    /**
     * All that is known of a value beside its name.
     * @param {Known} value
     * @returns {HTMLElement}
     */
    known(value) {
        const elements = value.value ? this.elements(value.value, value.dims, value.declared) : null;
        return el("span", { class: "known" }, this.dims(value.dims, value.declared), elements);
    }
}

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T, at: number) => Node[]} render
 * @returns {(Node | string)[]}
 */
function separated(items, render) {
    return items.flatMap((item, at) => (at === 0 ? render(item, at) : [", ", ...render(item, at)]));
}

/**
 * The mark of a size that does not follow from the inputs.
 * @param {Value["declared"]} declared
 * @param {number[] | undefined} marked
 * @param {number} at
 * @returns {Node[]}
 */
function mark(declared, marked, at) {
    if (!marked?.includes(at)) return [];
    const why = declared?.reason ? `: ${declared.reason}` : "";
    return [el("span", { class: "unknown", title: `declared, and else unknown${why}` }, "?")];
}

/** @param {string} text */
function unknown(text) {
    return el("span", { class: "unknown" }, text);
}

/**
 * Dimensions as plain text.
 * @param {Dim[] | null} dims
 */
export function dimsText(dims) {
    return dims === null ? "unknown rank" : `[${dims.map((dim) => dim ?? "?").join(", ")}]`;
}

/**
 * A value in a line of plain text, for those who listen.
 * @param {Known} value
 */
export function knownText(value) {
    const elements = value.value
        ? `, elements ${value.value
              .slice(0, ELEMENTS)
              .map((element) => element ?? "?")
              .join(", ")}`
        : "";
    return `${value.type ?? "unknown type"} ${dimsText(value.dims)}${elements}`;
}
