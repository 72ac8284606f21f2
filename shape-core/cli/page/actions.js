/**
 * What can be made of a model: a simpler one, one of another opset, one with what was inferred; and saving it.
 */

import { button, el } from "page/dom.js";
import { findingList } from "page/findings.js";
import { simpleTable } from "page/parts.js";

/** @typedef {import("./api.d.ts").Edited} Edited */

/**
 * @typedef {object} Edits
 * @property {() => void} check
 * @property {() => void} simplify
 * @property {(opset: number) => void} convert
 * @property {() => void} annotate
 * @property {() => void} save
 * @property {() => void} close
 */

/**
 * @param {import("page/state.js").Store} store
 * @param {boolean} canEdit
 * @param {Edits} edits
 */
export function actionBar(store, canEdit, edits) {
    if (!canEdit) return el("div", { class: "actions", role: "group", "aria-label": "Model" });
    const opset = el("input", { type: "number", id: "opset", min: 1, max: 999, required: true, class: "opset" });
    const convert = el(
        "form",
        {
            class: "convert",
            submit: (event) => {
                event.preventDefault();
                edits.convert(Number(opset.value));
            },
        },
        el("button", { type: "submit" }, "Convert"),
        el("label", { for: "opset" }, " to opset "),
        opset,
    );
    store.watch(["current"], () => {
        opset.value = "";
    });
    store.watch(["info"], ({ info }) => {
        const imports = /** @type {{ domain: string; opset: number }[]} */ (info?.["imports"] ?? []);
        const own = imports.find((each) => each.domain === "ai.onnx");
        if (own && opset.value === "") opset.value = String(own.opset);
    });
    return el(
        "div",
        { class: "actions", role: "group", "aria-label": "Model" },
        button({ click: edits.check, title: "All findings, as `shape check`" }, "Check"),
        button({ click: edits.simplify, title: "Remove what the model computes and need not" }, "Simplify"),
        convert,
        button({ click: edits.annotate, title: "Write what was inferred into a copy of the model" }, "Annotate"),
        button({ click: edits.save, title: "Save this model as a file" }, "Save"),
        button({ class: "quiet", click: edits.close, title: "Close this model" }, "Close"),
    );
}

/**
 * What an edit did.
 * @param {Edited} edited
 * @param {{ save: () => void; compare: () => void; openCode: (code: string) => void }} actions
 * @returns {HTMLElement}
 */
export function editPage(edited, actions) {
    const { opened, report } = edited;
    const rows = Object.entries(report).flatMap(([name, value]) => {
        if (name === "findings" || name === "schema_version" || name === "passes") return [];
        return [[name.replaceAll("_", " "), beforeAfter(value)]];
    });
    const passes = /** @type {{ name: string; rewrites: number }[]} */ (Array.isArray(report["passes"]) ? report["passes"] : []);
    return el(
        "div",
        {},
        el("p", {}, opened ? `The result is open as ${opened.name}.` : "It was refused; the model is as it was."),
        opened ? el("p", {}, button({ click: actions.save }, "Save the result"), " ", button({ click: actions.compare }, "Compare with what it was")) : null,
        rows.length > 0 ? simpleTable("what it did", ["what", "before → after"], rows) : null,
        passes.length > 0 ? simpleTable("passes", ["pass", "rewrites"], passes.map((pass) => [pass.name, pass.rewrites])) : null,
        report.findings.length > 0 ? [el("h3", {}, "Findings"), findingList(report.findings, actions.openCode, null)] : [],
    );
}

/** @param {unknown} value */
function beforeAfter(value) {
    if (value && typeof value === "object" && "before" in value && "after" in value) return `${value.before} → ${value.after}`;
    return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * Lets the person save bytes as a file.
 * @param {Uint8Array} bytes
 * @param {string} name
 */
export function download(bytes, name) {
    const url = URL.createObjectURL(new Blob([/** @type {BlobPart} */ (bytes)], { type: "application/octet-stream" }));
    const link = el("a", { href: url, download: name.replace(/[^\p{L}\p{N}._ ()+-]/gu, "_") });
    link.click();
    // The browser reads it after the click; a minute is ample.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
