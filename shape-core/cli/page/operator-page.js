/**
 * The page of an operator, version by version, as `shape show` has it; and that of a code of findings.
 */

import { el, replace } from "page/dom.js";
import { prose, section, simpleTable } from "page/parts.js";

/** @typedef {Record<string, any>} Json What `shape show --format json` says. */

/**
 * @param {string} name
 * @param {string} facts
 * @param {Node[]} about
 */
function named(name, facts, ...about) {
    return [[el("strong", {}, name), el("div", { class: "muted" }, facts)], about];
}

/** @param {Json} attribute */
function attributeRow(attribute) {
    const facts = [
        attribute.kind,
        attribute.required
            ? "required"
            : attribute.default === null
              ? "optional"
              : `default ${JSON.stringify(attribute.default)}`,
        attribute.values?.length
            ? `one of ${attribute.values.map((/** @type {unknown} */ value) => JSON.stringify(value)).join(", ")}`
            : "",
        attribute.min === null || attribute.min === undefined ? "" : `at least ${attribute.min}`,
        attribute.max === null || attribute.max === undefined ? "" : `at most ${attribute.max}`,
    ];
    return named(attribute.name, facts.filter(Boolean).join(", "), prose(attribute.doc ?? ""));
}

/** @param {Json} value */
function valueRow(value) {
    const option = value.option === "single" ? "" : `, ${value.option}`;
    return named(value.name, `${value.type}${option}`, prose(value.doc ?? ""));
}

/** @param {Json} type */
function typeRow(type) {
    const allowed = (type.allow ?? []).map((/** @type {string} */ name) => name.replace(/^tensor\((.*)\)$/, "$1"));
    return named(
        type.name,
        "",
        el("div", {}, prose(type.doc ?? "")),
        el("div", { class: "muted" }, allowed.join(", ")),
    );
}

/**
 * @param {string} title
 * @param {Json[]} items
 * @param {(item: Json) => import("page/dom.js").Child[][]} row
 */
function table(title, items, row) {
    return items?.length ? section(title, simpleTable(title, ["name", "what it is"], items.map(row))) : null;
}

/**
 * @param {string} title
 * @param {Json[]} items
 * @param {(item: Json) => (import("page/dom.js").Child)[]} row
 */
function list(title, items, row) {
    return items?.length
        ? section(
              title,
              el(
                  "ul",
                  {},
                  items.map((item) => el("li", {}, row(item))),
              ),
          )
        : null;
}

/** @param {Json} release One that brought a version or changed it in place. */
function releaseRow({ runtime, release, changes }) {
    const texts = changes?.map((/** @type {Json} */ change) => change.text) ?? ["the first one with it"];
    return [el("strong", {}, `${runtime} ${release}`), ": ", prose(texts.join("; "))];
}

/** @param {Json} version */
function versionPart(version) {
    const facts = [
        version.deprecated ? "deprecated" : "",
        version.support_level,
        version.function ? "a function of other operators" : "",
        version.deterministic === false ? "not deterministic" : "",
    ];
    return el(
        "div",
        {},
        el("p", {}, prose(version.summary)),
        version.details ? el("p", {}, prose(version.details)) : null,
        el("p", { class: "muted" }, facts.filter(Boolean).join(", ")),
        list("What changed", version.changes, (change) => [prose(change.text)]),
        list("Releases", version.releases, releaseRow),
        table("Attributes", version.attributes, attributeRow),
        table("Inputs", version.inputs, valueRow),
        table("Outputs", version.outputs, valueRow),
        table("Types", version.types, typeRow),
        list("What must hold", version.requires, (rule) => [
            el("code", {}, rule.that),
            rule.doc ? ": " : "",
            prose(rule.doc ?? ""),
        ]),
        list("Dimensions of the outputs", version.rules, (rule) => [
            el("strong", {}, rule.output),
            " ",
            el("code", {}, rule.dims ?? ""),
        ]),
    );
}

/**
 * @param {Json} operator
 * @param {number | null} since The version to begin with; null for the newest.
 * @returns {HTMLElement}
 */
export function operatorPage(operator, since) {
    /** @type {Json[]} */
    const versions = operator.versions ?? [];
    const part = el("div");
    const choice = el("select", { id: "operator-version" });
    for (const version of versions)
        choice.append(el("option", { value: version.since }, `${operator.name}-${version.since}`));
    const show = () => {
        const version = versions.find((each) => String(each.since) === choice.value) ?? versions[0];
        replace(part, version ? versionPart(version) : null);
    };
    choice.addEventListener("change", show);
    if (since !== null) choice.value = String(since);
    show();
    return el("div", {}, el("p", {}, el("label", { for: "operator-version" }, "Version "), choice), part);
}

/**
 * @param {import("./api.d.ts").Questions["explain"]["answer"]} answer
 * @returns {HTMLElement}
 */
export function codePage({ title, text }) {
    return el("div", {}, el("p", {}, el("strong", {}, title)), el("p", {}, prose(text)));
}
