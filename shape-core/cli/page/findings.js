/**
 * The findings of a model: each with what was expected and found, what to do, and the way to its node.
 */

import { button, el, plural, replace } from "page/dom.js";
import { lostList } from "page/lost.js";
import { operatorName } from "page/model.js";
import { prose } from "page/parts.js";

/** @typedef {import("./api.d.ts").Finding} Finding */
/** @typedef {import("page/model.js").Place} Place */

/** So many are listed at first. */
const LISTED = 200;
const ORDER = ["error", "warning", "info"];

/**
 * @param {Finding[]} findings
 * @param {(code: string) => void} openCode
 * @param {((finding: Finding) => void) | null} goTo
 */
export function findingList(findings, openCode, goTo) {
    const sorted = [...findings].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
    const list = el("ul", { class: "findings" });
    /** @param {number} from */
    const extend = (from) => {
        for (const finding of sorted.slice(from, from + LISTED)) list.append(item(finding, openCode, goTo));
        const left = sorted.length - from - LISTED;
        if (left <= 0) return;
        const more = el("li", {});
        more.append(
            button(
                {
                    click: () => {
                        more.remove();
                        extend(from + LISTED);
                        /** @type {HTMLElement | null} */ (
                            list.children[from + LISTED]?.querySelector("button") ?? null
                        )?.focus();
                    },
                },
                `Show ${Math.min(left, LISTED)} more of ${left}`,
            ),
        );
        list.append(more);
    };
    extend(0);
    return list;
}

/**
 * @param {Finding} finding
 * @param {(code: string) => void} openCode
 * @param {((finding: Finding) => void) | null} goTo
 */
function item(finding, openCode, goTo) {
    const { node } = finding;
    const place = node ? `${operatorName(node)} #${node.index}${node.name ? ` ${node.name}` : ""}` : finding.graph;
    const inGraph = node && finding.graph !== "graph" ? ` in ${finding.graph}` : "";
    const at = node && goTo ? button({ class: "link", click: () => goTo(finding) }, place) : el("span", {}, place);
    const expected = finding.expected !== null || finding.found !== null;
    return el(
        "li",
        { class: `finding ${finding.severity}` },
        el(
            "div",
            { class: "finding-head" },
            el("span", { class: `severity ${finding.severity}` }, finding.severity),
            " ",
            button(
                { class: "link code", title: "What this code means", click: () => openCode(finding.code) },
                finding.code,
            ),
            " ",
            at,
            inGraph ? el("span", { class: "muted" }, inGraph) : null,
        ),
        el("div", {}, prose(finding.message), finding.more ? ` (and ${finding.more} more like this)` : null),
        expected
            ? el(
                  "div",
                  { class: "muted" },
                  finding.expected === null ? null : `expected ${finding.expected}; `,
                  finding.found === null ? null : `found ${finding.found}`,
              )
            : null,
        finding.help ? el("div", { class: "help" }, prose(finding.help)) : null,
        finding.fix
            ? el(
                  "div",
                  { class: "help" },
                  prose(`\`shape check --fix\` mends it (${finding.fix.safety}): ${finding.fix.message}`),
              )
            : null,
    );
}

/**
 * The view of all findings.
 * @param {import("page/state.js").Store} store
 * @param {object} actions
 * @param {(code: string) => void} actions.openCode
 * @param {(place: Place) => void} actions.showNode
 * @param {(graph: number, name: string) => void} actions.openValue
 * @param {() => void} actions.check
 */
export function findingsView(store, actions) {
    const view = el("div", { class: "view" });
    store.watch(["model", "checked"], ({ model, checked }) => {
        if (!model) return replace(view);
        const findings = checked ?? model.analysis.findings;
        /** @param {Finding} finding */
        const goTo = (finding) => {
            const graph = model.paths.get(finding.graph);
            if (graph !== undefined && finding.node) actions.showNode({ graph, node: finding.node.index });
        };
        const counts = ORDER.map((severity) => [
            severity,
            findings.filter((finding) => finding.severity === severity).length,
        ]);
        const words = counts
            .filter(([, number]) => number !== 0)
            .map(([severity, number]) => plural(Number(number), String(severity)));
        return replace(
            view,
            el("h2", { tabindex: -1 }, findings.length === 0 ? "No findings" : words.join(", ")),
            checked
                ? el("p", { class: "muted" }, "As `shape check` reports them.")
                : el(
                      "p",
                      {},
                      "What the inference of shapes found. ",
                      button({ click: actions.check }, "Check the whole file"),
                  ),
            findingList(findings, actions.openCode, goTo),
            lostList(model, actions.openValue),
        );
    });
    return view;
}
