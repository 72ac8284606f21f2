/**
 * The panel at the side: a node, the reasons of a value, an operator, a code. It goes back the way it came.
 */

import { announce, button, el, replace } from "page/dom.js";

/**
 * @typedef {object} Page
 * @property {string} title
 * @property {string} kind What it is about, in a word.
 * @property {string} key The same for the same subject.
 * @property {() => Promise<Node>} fill
 */

export class Panel {
    constructor() {
        /** @type {Page[]} */
        this.pages = [];
        /** @type {HTMLElement | null} */
        this.opener = null;
        this.title = el("h2", { tabindex: -1, id: "panel-title" });
        this.kind = el("p", { class: "muted kind" });
        this.content = el("div", { class: "panel-content" });
        this.back = button({ class: "quiet", click: () => this.goBack() }, "Back");
        this.element = el(
            "aside",
            { class: "panel", "aria-labelledby": "panel-title", hidden: true, keydown: (event) => this.keydown(event) },
            el(
                "div",
                { class: "panel-head" },
                this.back,
                el("div", { class: "panel-heading" }, this.kind, this.title),
                button(
                    {
                        class: "quiet",
                        "aria-label": "Close the panel",
                        title: "Close (Escape)",
                        click: () => this.close(),
                    },
                    "✕",
                ),
            ),
            this.content,
        );
    }

    /** @param {KeyboardEvent} event */
    keydown(event) {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        this.close();
    }

    /**
     * Shows a page, and moves the focus to its title.
     * @param {Page} page
     */
    open(page) {
        const focused = document.activeElement;
        if (!this.element.contains(focused) && focused instanceof HTMLElement) this.opener = focused;
        if (this.pages.at(-1)?.key === page.key) this.pages.pop();
        this.pages.push(page);
        void this.show(true);
    }

    goBack() {
        this.pages.pop();
        void this.show(true);
    }

    /** Fills the page again, after what is known has changed. */
    refresh() {
        if (!this.element.hidden) void this.show(false);
    }

    /** @param {boolean} moved Whether this is another page than before. */
    async show(moved) {
        const page = this.pages.at(-1);
        if (!page) return;
        this.element.hidden = false;
        document.body.classList.add("with-panel");
        this.back.hidden = this.pages.length < 2;
        replace(this.kind, page.kind);
        replace(this.title, page.title);
        if (moved) {
            replace(this.content, el("p", { class: "muted" }, "…"));
            this.title.focus();
        }
        /** @type {Node} */
        let content;
        try {
            content = await page.fill();
        } catch (error) {
            content = el("p", { class: "problem" }, error instanceof Error ? error.message : String(error));
        }
        if (this.pages.at(-1) !== page) return;
        const top = moved ? 0 : this.content.scrollTop;
        replace(this.content, content);
        this.content.scrollTop = top;
        if (moved) announce(`${page.kind} ${page.title}`);
    }

    close() {
        if (this.element.hidden) return;
        this.element.hidden = true;
        document.body.classList.remove("with-panel");
        this.pages = [];
        // What opened it may have been scrolled away; then the table has the focus.
        const target = this.opener?.isConnected ? this.opener : document.querySelector('.grid [tabindex="0"]');
        if (target instanceof HTMLElement) target.focus();
    }
}
