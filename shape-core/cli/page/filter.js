/**
 * Which rows are shown: by text, by operator, what is not known, what has a finding.
 */

import { announce, button, count, el, plural, replace } from "page/dom.js";

/** @typedef {{ text: string; operator: string; unknown: boolean; finding: boolean }} Filter */
/** @typedef {import("page/model.js").Row} Row */

/** @type {Filter} */
export const NO_FILTER = { text: "", operator: "", unknown: false, finding: false };

/**
 * The rows that the filter and the graph leave. A heading of a graph stays where one of its rows does.
 * @param {Row[]} rows
 * @param {Filter} filter
 * @param {number | null} scope
 */
export function filtered(rows, filter, scope) {
    const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
    /** @type {Row[]} */
    const found = [];
    /** @type {Row | null} */
    let heading = null;
    for (const row of rows) {
        if (scope !== null && row.graph !== scope) continue;
        if (row.kind === "graph") {
            heading = row;
            continue;
        }
        if (filter.operator && row.operator !== filter.operator) continue;
        if (filter.unknown && !row.unknown) continue;
        if (filter.finding && !row.finding) continue;
        if (!words.every((word) => row.search.includes(word))) continue;
        if (heading && scope === null) found.push(heading);
        heading = null;
        found.push(row);
    }
    return found;
}

/**
 * The form of the filter.
 * @param {import("page/state.js").Store} store
 */
export function filterForm(store) {
    /** @param {Partial<Filter>} change */
    const change = (change) => store.set({ filter: { ...store.state.filter, ...change } });
    const text = el("input", {
        type: "search",
        id: "filter-text",
        placeholder: "node, value or operator",
        autocomplete: "off",
        spellcheck: "false",
        input: () => change({ text: text.value }),
    });
    const operator = el("select", { id: "filter-operator", change: () => change({ operator: operator.value }) });
    const unknown = el("input", {
        type: "checkbox",
        id: "filter-unknown",
        change: () => change({ unknown: unknown.checked }),
    });
    const finding = el("input", {
        type: "checkbox",
        id: "filter-finding",
        change: () => change({ finding: finding.checked }),
    });
    const shown = el("span", { class: "muted filter-count" });
    const clear = button({ class: "quiet", click: () => store.set({ filter: NO_FILTER }) }, "Show all");

    store.watch(["model"], ({ model }) => {
        const entries = [...(model?.operators ?? [])].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
        const options = entries.map(([name, nodes]) => el("option", { value: name }, `${name} (${count(nodes)})`));
        replace(operator, el("option", { value: "" }, "all operators"), options);
        operator.value = store.state.filter.operator;
    });
    store.watch(["filter"], ({ filter }) => {
        if (text.value !== filter.text) text.value = filter.text;
        operator.value = filter.operator;
        unknown.checked = filter.unknown;
        finding.checked = filter.finding;
        clear.hidden = filter === NO_FILTER;
    });
    const form = el(
        "search",
        { class: "filter", "aria-label": "Filter the nodes" },
        el("label", { for: "filter-text" }, "Search"),
        text,
        el("label", { for: "filter-operator", class: "hidden" }, "Operator"),
        operator,
        el("label", { class: "check" }, unknown, "not fully known"),
        el("label", { class: "check" }, finding, "with findings"),
        clear,
        shown,
    );
    return {
        form,
        /**
         * @param {number} rows
         * @param {number} all
         */
        report(rows, all) {
            const words = rows === all ? plural(all, "row") : `${count(rows)} of ${plural(all, "row")}`;
            shown.textContent = words;
            announce(words);
        },
    };
}
