/**
 * What changed between two models: operators, nodes and values.
 */

import { button, count, el, plural, replace } from "page/dom.js";
import { section, simpleTable } from "page/parts.js";

/** @typedef {import("./api.d.ts").Comparison} Comparison */

/** So many lines are shown at first. */
const SHOWN = 200;

/**
 * A table that shows more on demand.
 * @param {string} title
 * @param {string[]} headings
 * @param {import("page/dom.js").Child[][]} rows
 */
function longTable(title, headings, rows) {
    const place = el("div");
    /** @param {number} most */
    const show = (most) => {
        const left = rows.length - most;
        const more = left > 0 ? button({ click: () => show(most + 10 * SHOWN) }, `Show more of ${count(left)}`) : null;
        replace(place, simpleTable(title, headings, rows.slice(0, most)), more);
    };
    show(SHOWN);
    return section(
        `${title} (${count(rows.length)})`,
        rows.length > 0 ? place : el("p", { class: "muted" }, "no difference"),
    );
}

/** @param {string} change */
function mark(change) {
    return el("span", { class: `change ${change}` }, change);
}

/** @param {Comparison} comparison */
function result({ operators, nodes, values }) {
    const places = new Set([...nodes, ...values].map((each) => each.graph));
    /** @param {string} graph */
    const where = (graph) => (places.size > 1 ? [graph] : []);
    const heading = places.size > 1 ? ["graph"] : [];
    return el(
        "div",
        {},
        longTable(
            "Operators",
            ["operator", "before", "after"],
            operators.map((each) => [
                each.domain === "ai.onnx" ? each.name : `${each.domain}::${each.name}`,
                count(each.before),
                count(each.after),
            ]),
        ),
        longTable(
            "Nodes",
            ["change", ...heading, "operator", "node", "what"],
            nodes.map((each) => [mark(each.change), ...where(each.graph), each.op_type, each.name, each.what]),
        ),
        longTable(
            "Values",
            ["change", ...heading, "value", "before", "after"],
            values.map((each) => [
                mark(each.change),
                ...where(each.graph),
                each.name,
                each.before ?? "–",
                each.after ?? "–",
            ]),
        ),
    );
}

/**
 * @param {import("page/state.js").Store} store
 * @param {(other: number) => Promise<Comparison>} compare
 */
export function compareView(store, compare) {
    const choice = el("select", { id: "compare-with" });
    const place = el("div");
    const run = button({ click: () => void start() }, "Compare");
    const form = el("p", {}, el("label", { for: "compare-with" }, "This model, after "), choice, " ", run);
    const view = el("div", { class: "view" }, el("h2", { tabindex: -1 }, "Compare two models"), form, place);

    async function start() {
        replace(place, el("p", { class: "muted" }, "…"));
        try {
            const comparison = await compare(Number(choice.value));
            const { operators, nodes, values } = comparison;
            const same = operators.length + nodes.length + values.length === 0;
            replace(
                place,
                same
                    ? el("p", {}, "Nothing differs in nodes, types, dimensions and known elements.")
                    : result(comparison),
            );
        } catch (error) {
            replace(
                place,
                el("p", { class: "problem", role: "alert" }, error instanceof Error ? error.message : String(error)),
            );
        }
    }

    store.watch(["models", "current"], ({ models, current }) => {
        const others = models.filter((each) => each.model !== current?.model);
        replace(
            choice,
            others.map((each) => el("option", { value: each.model }, each.name)),
        );
        run.disabled = others.length === 0;
        const words = "Open another model, or simplify or convert this one, to compare the two.";
        replace(
            place,
            others.length === 0
                ? el("p", { class: "muted" }, words)
                : el("p", { class: "muted" }, `${plural(others.length, "other model")} open.`),
        );
    });
    return {
        element: view,
        /**
         * Compares with a model at once.
         * @param {number} other
         */
        compareWith(other) {
            choice.value = String(other);
            if (choice.value !== "") void start();
        },
    };
}
