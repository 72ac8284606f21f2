/**
 * A box to look an operator up, whether the model has it or not.
 */

import { el, replace } from "page/dom.js";

/**
 * @param {import("page/state.js").Store} store
 * @param {(operator: string, since: number | null) => void} openOperator
 */
export function lookup(store, openOperator) {
    const box = el("input", {
        type: "search",
        id: "lookup",
        list: "lookup-operators",
        placeholder: "Operator, such as LSTM",
        autocomplete: "off",
        spellcheck: "false",
        required: true,
    });
    const known = el("datalist", { id: "lookup-operators" });
    store.watch(["model"], ({ model }) => {
        replace(known, [...(model?.operators.keys() ?? [])].sort().map((name) => el("option", { value: name })));
    });
    return el(
        "form",
        {
            class: "lookup",
            role: "search",
            "aria-label": "Operators",
            submit: (event) => {
                event.preventDefault();
                openOperator(box.value.trim(), null);
            },
        },
        el("label", { for: "lookup", class: "hidden" }, "Look an operator up"),
        box,
        known,
        el("button", { type: "submit" }, "Look up"),
    );
}
