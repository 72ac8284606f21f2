/**
 * Where shapes get lost: the reasons, each with the number of values that are not fully known because of it.
 */

import { button, el, plural } from "page/dom.js";
import { prose, section } from "page/parts.js";

/** So many reasons are listed; the filter of the table has all values. */
const LISTED = 100;

/**
 * @param {import("page/model.js").Model} model
 * @param {(graph: number, name: string) => void} openValue
 */
export function lostList(model, openValue) {
    /** @type {Map<string, import("./api.d.ts").Value[]>} */
    const reasons = new Map();
    for (const value of model.analysis.values) {
        if (value.reason === null) continue;
        const list = reasons.get(value.reason);
        if (list) list.push(value);
        else reasons.set(value.reason, [value]);
    }
    if (reasons.size === 0) return null;
    const sorted = [...reasons].sort((a, b) => b[1].length - a[1].length);
    const items = sorted.slice(0, LISTED).map(([reason, values]) => {
        // The first value with a reason is the one where it begins.
        const first = values[0];
        const graph = model.paths.get(first?.graph ?? "graph") ?? 0;
        const name = first?.name ?? "";
        return el(
            "li",
            { class: "finding lost" },
            el("div", {}, prose(reason)),
            el(
                "div",
                {},
                plural(values.length, "value"),
                ", the first is ",
                button({ class: "link", click: () => openValue(graph, name) }, name),
            ),
        );
    });
    const more =
        sorted.length > LISTED
            ? el("p", { class: "muted" }, `and ${plural(sorted.length - LISTED, "reason")} more`)
            : null;
    return section("Where shapes get lost", el("ul", { class: "findings" }, items), more);
}
