/**
 * Parts that several pages of the panel have: tables, sections, prose.
 */

import { el } from "page/dom.js";

/**
 * A table with headings.
 * @param {string} caption
 * @param {string[]} headings
 * @param {(import("page/dom.js").Child | import("page/dom.js").Child[])[][]} rows
 */
export function simpleTable(caption, headings, rows) {
    return el(
        "div",
        { class: "scroll", tabindex: 0, role: "group", "aria-label": caption },
        el(
            "table",
            {},
            el("caption", { class: "hidden" }, caption),
            el(
                "thead",
                {},
                el(
                    "tr",
                    {},
                    headings.map((heading) => el("th", { scope: "col" }, heading)),
                ),
            ),
            el(
                "tbody",
                {},
                rows.map((row) =>
                    el(
                        "tr",
                        {},
                        row.map((cell) => el("td", {}, cell)),
                    ),
                ),
            ),
        ),
    );
}

/**
 * A text with what is between backticks as code, and its lines kept.
 * @param {string} text
 */
export function prose(text) {
    const pieces = text.split(/`([^`\n]+)`/);
    return el(
        "span",
        { class: "prose" },
        pieces.map((piece, at) => (at % 2 === 1 ? el("code", {}, piece) : piece)),
    );
}

/**
 * @param {string} title
 * @param {(import("page/dom.js").Child | import("page/dom.js").Child[])[]} children
 */
export function section(title, ...children) {
    return el("section", {}, el("h3", {}, title), ...children);
}
