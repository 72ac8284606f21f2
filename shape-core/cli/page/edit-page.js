/**
 * What an edit did to a model, in the numbers and the changes that the command reports.
 */

import { button, count, el } from "page/dom.js";
import { findingList } from "page/findings.js";
import { operatorName } from "page/model.js";
import { prose, section, simpleTable } from "page/parts.js";

/** @typedef {import("./api.d.ts").Edited} Edited */
/** @typedef {Record<string, any>} Json A part of a report of `shape simplify` or `shape convert`. */

/** So many changes are listed. */
const LISTED = 300;
/** What has a place of its own, or says nothing. */
const APART = new Set(["schema_version"]);

/**
 * @param {Edited} edited
 * @param {{ save: () => void; compare: () => void; openCode: (code: string) => void }} actions
 * @returns {HTMLElement}
 */
export function editPage({ opened, report }, actions) {
    const facts = Object.entries(report).filter(
        ([name, value]) => !APART.has(name) && value !== null && !Array.isArray(value),
    );
    const rows = facts.map(([name, value]) => [name.replaceAll("_", " "), factText(value)]);
    const lists = Object.entries(report).filter(
        ([name, value]) => name !== "findings" && Array.isArray(value) && value.length > 0,
    );
    return el(
        "div",
        {},
        el("p", {}, opened ? `The result is open as ${opened.name}.` : "It was refused; the model is as it was."),
        opened
            ? el(
                  "p",
                  { class: "ways" },
                  button({ click: actions.save }, "Save the result"),
                  button({ click: actions.compare }, "Compare with what it was"),
              )
            : null,
        report.findings.length > 0 ? section("Findings", findingList(report.findings, actions.openCode, null)) : null,
        rows.length > 0 ? section("What it did", simpleTable("what it did", ["what", "result"], rows)) : null,
        lists.map(([name, value]) => changeList(name, /** @type {Json[]} */ (value))),
    );
}

/** @param {unknown} value */
function factText(value) {
    if (typeof value === "number") return count(value);
    if (typeof value !== "object" || value === null) return String(value);
    const { before, after, from, to } = /** @type {Json} */ (value);
    return `${before ?? from} → ${after ?? to}`;
}

/**
 * @param {string} name
 * @param {Json[]} entries
 */
function changeList(name, entries) {
    const items = entries.slice(0, LISTED).map((entry) => el("li", {}, entryParts(entry)));
    const more =
        entries.length > LISTED ? el("p", { class: "muted" }, `and ${count(entries.length - LISTED)} more`) : null;
    return section(
        `${name[0]?.toUpperCase()}${name.slice(1)} (${count(entries.length)})`,
        el("ul", { class: "changes" }, items),
        more,
    );
}

/**
 * A change in a line: of which node or domain, by which pass, from what to what.
 * @param {Json} entry
 */
function entryParts(entry) {
    const { node, graph, pass, what, from, to, domain, name, rewrites } = entry;
    const place = node ? `${operatorName(node)} #${node.index} ${node.name}`.trim() : (domain ?? name ?? "");
    return [
        el("span", { class: "name" }, place),
        graph && graph !== "graph" ? el("span", { class: "muted" }, ` in ${graph}`) : null,
        from === undefined ? null : ` ${from} → ${to}`,
        rewrites === undefined ? null : ` ${count(rewrites)}`,
        what ? [": ", prose(what)] : null,
        pass ? el("span", { class: "muted" }, ` (${pass})`) : null,
    ].flat();
}
