/**
 * What can be made of a model: a simpler one, one of another opset, one with what was inferred; and how it is saved
 * and closed.
 */

import { button, el } from "page/dom.js";

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
