/**
 * A box to look an operator up, whether the model has it or not.
 */

import { el } from "page/dom.js";

/** @param {(operator: string, since: number | null) => void} openOperator */
export function lookup(openOperator) {
    const box = el("input", {
        type: "search",
        id: "lookup",
        placeholder: "Operator, such as LSTM",
        autocomplete: "off",
        spellcheck: "false",
        required: true,
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
        el("button", { type: "submit" }, "Look up"),
    );
}
