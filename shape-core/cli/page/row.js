/**
 * A row of the table of nodes. What can be chosen in it has `data-stop`: the arrow keys go from one to the next.
 */

import { add, button, el, shorten } from "page/dom.js";
import { knownText } from "page/dims.js";

/** @typedef {import("page/model.js").Model} Model */
/** @typedef {import("page/model.js").Row} Row */

/**
 * What a row can be asked for.
 * @typedef {object} Actions
 * @property {(place: import("page/model.js").Place) => void} openNode
 * @property {(graph: number, name: string) => void} openValue
 * @property {(graph: number) => void} enter
 */

export const COLUMNS = ["#", "Operator", "Node", "Inputs", "Output", "Type", "Dimensions"];
/** So many inputs are shown in a row; the panel of the node has all. */
const INPUTS = 6;
/** A name is cut by its column; a longer one is cut before, so that no name makes the page slow. */
const NAME = 200;
const INPUT_NAME = 18;

/**
 * @param {number} column
 * @param {(import("page/dom.js").Child | import("page/dom.js").Child[])[]} children
 */
function cell(column, ...children) {
    return el("div", { role: "gridcell", "aria-colindex": column, class: `cell c${column}` }, ...children);
}

/**
 * @param {string} kind
 * @param {Record<string, string>} label Its `title`, or its `aria-label` too.
 * @param {() => void} act
 * @param {import("page/dom.js").Child[]} children
 */
function stop(kind, label, act, ...children) {
    return button({ class: `stop ${kind}`, "data-stop": true, tabindex: -1, ...label, click: act }, ...children);
}

/**
 * A text that is read as another one, which has it in it.
 * @param {string} text
 */
function readAs(text) {
    return { title: text, "aria-label": text };
}

/**
 * A name of which the column shows the end: names of a model begin alike.
 * @param {string} name
 */
function endOf(name) {
    return el("bdi", {}, shorten(name, NAME));
}

/**
 * @param {Model} model
 * @param {Row} row
 * @param {Actions} actions
 */
function inputs(model, row, actions) {
    const names = model.node(row)?.inputs ?? [];
    const told = !model.isFunction(row.graph);
    const list = names.slice(0, INPUTS).map((name) => {
        if (!name) return el("span", { class: "muted" }, "–");
        if (!told) return el("span", { class: "plain" }, shorten(name, INPUT_NAME));
        const found = model.find(row.graph, name);
        const text = found.node !== null && found.graph === row.graph ? `#${found.node}` : shorten(name, INPUT_NAME);
        const { value: elements, dims } = found.value;
        const known = elements ? model.symbols.elements(elements, dims) : model.symbols.dims(dims);
        const kind = found.constant ? "input constant" : "input";
        const title = `${name}: ${knownText(found.value)}`;
        return stop(kind, { title }, () => actions.openValue(row.graph, name), text, " ", known);
    });
    const more = names.length > INPUTS ? el("span", { class: "muted" }, `and ${names.length - INPUTS} more`) : null;
    return cell(4, list, more);
}

/**
 * @param {Model} model
 * @param {Row} row
 */
function findingMark(model, row) {
    const findings = row.finding ? model.findingsOf(row) : [];
    const worst = ["error", "warning", "info"].find((severity) =>
        findings.some((finding) => finding.severity === severity),
    );
    if (!worst) return null;
    const text = findings.map((finding) => `${finding.severity}: ${finding.message}`).join("\n");
    return el(
        "span",
        { class: `mark ${worst}`, role: "img", "aria-label": text, title: text },
        worst === "info" ? "i" : "!",
    );
}

/**
 * @param {Model} model
 * @param {Row} row
 * @param {number} index Its place among the rows that the filter leaves.
 * @param {Actions} actions
 */
export function makeRow(model, row, index, actions) {
    const line = el("div", { role: "row", "aria-rowindex": index + 2, class: `row ${row.kind}` });
    // The row of the headings is the first.
    if (row.kind === "graph") {
        const title = model.title(row.graph);
        const depth = model.around(row.graph).length - 1;
        const name = stop("graph-title", { title: "Show this graph alone" }, () => actions.enter(row.graph), title);
        name.style.setProperty("--depth", String(depth));
        const heading = el(
            "div",
            { role: "gridcell", "aria-colindex": 1, "aria-colspan": COLUMNS.length, class: "cell" },
            name,
        );
        return add(line, heading);
    }
    if (row.unknown) line.classList.add("not-known");
    const node = model.node(row);
    const value = row.value;
    const name = !value
        ? el("span", { class: "cut" }, endOf(row.name))
        : stop(
              "value cut",
              { title: `Why ${row.name} is ${knownText(value)}` },
              () => actions.openValue(row.graph, row.name),
              endOf(row.name),
          );
    const lost = value?.reason ? el("span", { class: "hidden" }, "not fully known") : null;
    const known = value ? el("span", { title: value.reason }, model.symbols.known(value)) : null;
    if (!node) {
        return add(
            line,
            cell(1, lost),
            cell(2, el("span", { class: "muted" }, "(input)")),
            cell(3),
            cell(4),
            cell(5, name),
            cell(6, value?.type),
            cell(7, known),
        );
    }
    const label = `${row.operator}, node ${row.node} ${node.name}`;
    const operator = stop("operator", readAs(label), () => actions.openNode(row), node.op_type);
    const domain = row.operator === node.op_type ? null : el("span", { class: "muted" }, ` ${node.domain}`);
    const subgraphs =
        node.subgraphs.length > 0 && row.output === 0
            ? el(
                  "span",
                  { class: "muted" },
                  ` ${node.subgraphs.length} subgraph${node.subgraphs.length === 1 ? "" : "s"}`,
              )
            : null;
    return add(
        line,
        cell(1, findingMark(model, row), String(row.node), lost),
        cell(
            2,
            operator,
            domain,
            row.output > 0 ? el("span", { class: "muted" }, ` output ${row.output}`) : null,
            subgraphs,
        ),
        cell(3, el("span", { class: "cut", title: node.name }, endOf(node.name))),
        row.output > 0 ? cell(4) : inputs(model, row, actions),
        cell(5, name),
        cell(6, value?.type),
        cell(7, known),
    );
}
