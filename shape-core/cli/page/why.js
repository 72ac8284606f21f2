/**
 * The chain of reasons of a value: each node that it depends on, with its rule, what it read and what it gave.
 */

import { button, el } from "page/dom.js";
import { findingList } from "page/findings.js";
import { operatorName } from "page/model.js";
import { prose, section } from "page/parts.js";

/** @typedef {import("./api.d.ts").Why} Why */
/** @typedef {import("./api.d.ts").Step} Step */
/** @typedef {import("./api.d.ts").Value} Value */
/** @typedef {import("page/model.js").Model} Model */

/**
 * @param {Model} model
 * @param {number} graph
 * @param {Value[]} values
 * @param {string} word
 * @param {(value: Value) => boolean} reasonHere Whether the reason of a value belongs beside it.
 * @param {import("page/row.js").Actions} actions
 */
function lines(model, graph, values, word, reasonHere, actions) {
    return values.map((value) =>
        el(
            "div",
            { class: "step-value" },
            el("span", { class: "muted" }, `${word} `),
            button({ class: "link value", click: () => actions.openValue(graph, value.name) }, value.name),
            ` ${value.type ?? "unknown type"} `,
            model.symbols.known(value),
            value.node === null && word === "from" ? el("span", { class: "muted" }, " given, not computed") : null,
            reasonHere(value) ? el("div", { class: "reason" }, prose(value.reason ?? "")) : null,
        ),
    );
}

/**
 * @param {Model} model
 * @param {Step} step
 * @param {import("page/row.js").Actions} actions
 */
function item(model, step, actions) {
    const graph = model.paths.get(step.graph) ?? 0;
    const version = step.since_version === null ? "" : `-${step.since_version}`;
    const title = `${operatorName(step.node)}${version} #${step.node.index}`;
    // What was lost before is told at the step that lost it.
    const earlier = new Set(step.inputs.map((value) => value.reason));
    const begins = (/** @type {Value} */ value) => value.reason !== null && !earlier.has(value.reason);
    const lost = step.outputs.some((value) => value.reason);
    return el(
        "li",
        { class: lost ? "step not-known" : "step" },
        el(
            "div",
            {},
            button({ class: "link operator", click: () => actions.openNode({ graph, node: step.node.index }) }, title),
            el("span", { class: "name" }, ` ${step.node.name}`),
            step.graph === "graph" ? null : el("span", { class: "muted" }, ` in ${model.title(graph)}`),
        ),
        step.rules.map((rule) => el("div", {}, el("span", { class: "muted" }, "rule "), el("code", {}, rule))),
        lines(model, graph, step.inputs, "from", () => false, actions),
        step.assumptions.map((assumption) =>
            el("div", {}, el("span", { class: "muted" }, "if it runs "), el("code", {}, String(assumption))),
        ),
        lines(model, graph, step.outputs, "gives", begins, actions),
    );
}

/**
 * @param {Model} model
 * @param {Why} why
 * @param {import("page/row.js").Actions & { openCode: (code: string) => void }} actions
 * @returns {HTMLElement}
 */
export function whyPage(model, why, actions) {
    const { value, steps, findings } = why;
    return el(
        "div",
        {},
        el("p", {}, `${value.type ?? "unknown type"} `, model.symbols.known(value)),
        value.reason ? el("p", { class: "reason" }, "Not fully known: ", prose(value.reason)) : null,
        findings.length > 0 ? section("Findings", findingList(findings, actions.openCode, null)) : null,
        steps.length > 0
            ? section(
                  "How it was inferred",
                  el(
                      "ol",
                      { class: "steps" },
                      steps.map((step) => item(model, step, actions)),
                  ),
              )
            : el(
                  "p",
                  {},
                  value.node === null ? "It is given: an input or a constant of the model." : "No step says more.",
              ),
    );
}
