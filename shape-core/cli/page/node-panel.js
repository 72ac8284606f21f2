/**
 * The page of a node: what its operator does, its values, its attributes with their defaults, its neighbours.
 */

import { button, el, plural } from "page/dom.js";
import { findingList } from "page/findings.js";
import { operatorName } from "page/model.js";
import { neighbours } from "page/neighbours.js";
import { prose, section, simpleTable } from "page/parts.js";

/** @typedef {import("./api.d.ts").NodeDetail} NodeDetail */
/** @typedef {import("page/model.js").Model} Model */
/** @typedef {import("page/model.js").Place} Place */
/** @typedef {(operator: string, since: number | null) => void} OpenOperator */
/**
 * What a page of the panel can be asked for.
 * @typedef {import("page/row.js").Actions & { openOperator: OpenOperator; openCode: (code: string) => void }} Actions
 */

/**
 * The inputs or outputs of a node, each with what is known of it.
 * @param {Model} model
 * @param {NodeDetail} detail
 * @param {"inputs" | "outputs"} side
 * @param {Place} place
 * @param {Actions} actions
 */
function values(model, detail, side, { graph }, actions) {
    const told = !model.isFunction(graph);
    const rows = detail[side].map(({ formal, doc, value }) => {
        const link =
            value && told ? button({ class: "link value", click: () => actions.openValue(graph, value) }, value) : null;
        const name = link ?? el("span", { class: value ? "name" : "muted" }, value || "left out");
        const found = value ? model.find(graph, value) : null;
        const origin =
            !found || side === "outputs" || found.node === null ? null : from(model, found.graph, found.node, actions);
        const known =
            found && told
                ? el("div", {}, `${found.value.type ?? "unknown type"} `, model.symbols.known(found.value))
                : null;
        const reason = found?.value.reason ? el("div", { class: "reason" }, prose(found.value.reason)) : null;
        const about = formal ? el("div", {}, el("strong", {}, formal), doc ? [" ", prose(doc)] : null) : null;
        return [[name, known, reason, origin], about];
    });
    if (rows.length === 0) return null;
    return section(side === "inputs" ? "Inputs" : "Outputs", simpleTable(side, ["value", "what it is"], rows));
}

/**
 * @param {Model} model
 * @param {number} graph
 * @param {number} node
 * @param {Actions} actions
 */
function from(model, graph, node, actions) {
    const of = model.node({ graph, node });
    const text = `${of?.op_type ?? ""} #${node}`;
    return el(
        "div",
        { class: "muted" },
        "from ",
        button({ class: "link", click: () => actions.openNode({ graph, node }) }, text),
    );
}

/**
 * The nodes that read the outputs.
 * @param {Model} model
 * @param {Place} place
 * @param {Actions} actions
 */
function readers(model, { graph, node }, actions) {
    const outputs = model.node({ graph, node })?.outputs ?? [];
    const places = outputs.flatMap((name) => (name ? model.readers(graph, name) : []));
    if (places.length === 0) return null;
    const shown = places.slice(0, 20).map((place) => {
        const of = model.node(place);
        const where = place.graph === graph ? "" : ` in ${model.title(place.graph)}`;
        const label = `${of?.op_type ?? ""} #${place.node}${where}`;
        return el("li", {}, button({ class: "link", click: () => actions.openNode(place) }, label));
    });
    return section(
        "Read by",
        el("ul", { class: "inline" }, shown),
        places.length > 20 ? `and ${places.length - 20} more` : null,
    );
}

/**
 * @param {Model} model
 * @param {NodeDetail} detail
 * @param {Actions} actions
 */
function attributes(model, detail, actions) {
    if (detail.attributes.length === 0) return null;
    const rows = detail.attributes.map(({ name, kind, value, is_default: isDefault, doc, subgraph }) => {
        const given = !isDefault && value !== null;
        const text =
            subgraph === undefined
                ? value !== null && el("code", { class: given ? "given" : "" }, value)
                : button({ class: "link", click: () => actions.enter(subgraph) }, `step into ${model.title(subgraph)}`);
        const note = isDefault ? " by default" : value === null ? "left out" : null;
        return [
            [el("strong", { class: given ? "given" : "" }, name), el("div", { class: "muted" }, kind)],
            [el("div", {}, text, note ? el("span", { class: "muted" }, note) : null), doc ? prose(doc) : null],
        ];
    });
    return section("Attributes", simpleTable("attributes", ["name", "value, and what it is"], rows));
}

/**
 * @param {Model} model
 * @param {NodeDetail} detail
 * @param {Place} place
 * @param {Actions} actions
 * @returns {HTMLElement}
 */
export function nodePage(model, detail, place, actions) {
    const findings = model.findingsOf(place);
    const called = model.functionOf(detail);
    const about =
        called !== null
            ? [
                  "A function of this model: ",
                  button({ class: "link", click: () => actions.enter(called) }, "step into it"),
              ]
            : detail.since === null
              ? el("span", { class: "muted" }, "No operator of this name and version is known.")
              : [
                    button(
                        { click: () => actions.openOperator(operatorName(detail), detail.since) },
                        `All about ${operatorName(detail)}`,
                    ),
                    el("span", { class: "muted" }, ` version ${detail.since}`),
                ];
    const subgraphs = model.node(place)?.subgraphs ?? [];
    return el(
        "div",
        {},
        detail.name ? el("p", { class: "name" }, detail.name) : null,
        el("p", {}, detail.summary ? [prose(detail.summary), " "] : null),
        el("p", {}, about),
        detail.doc
            ? el("details", {}, el("summary", {}, "What it does, in detail"), el("p", {}, prose(detail.doc)))
            : null,
        findings.length > 0
            ? section(plural(findings.length, "finding"), findingList(findings, actions.openCode, null))
            : null,
        subgraphs.length > 0
            ? section(
                  "Subgraphs",
                  el(
                      "ul",
                      {},
                      subgraphs.map((at) =>
                          el("li", {}, button({ class: "link", click: () => actions.enter(at) }, model.title(at))),
                      ),
                  ),
              )
            : null,
        detail.needs.length > 0
            ? section(
                  "Releases",
                  el(
                      "ul",
                      {},
                      detail.needs.map((need) => el("li", {}, prose(need))),
                  ),
              )
            : null,
        section("Neighbours", neighbours(model, place, actions)),
        values(model, detail, "inputs", place, actions),
        values(model, detail, "outputs", place, actions),
        readers(model, place, actions),
        attributes(model, detail, actions),
    );
}
