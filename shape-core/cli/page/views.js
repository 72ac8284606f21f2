/**
 * The views of a model as tabs, and the way from the main graph to the subgraph that is shown.
 */

import { button, el, replace } from "page/dom.js";

/** @typedef {{ id: string; title: string; element: HTMLElement }} View */

/**
 * @param {import("page/state.js").Store} store
 * @param {View[]} views
 */
export function tabs(store, views) {
    const heads = views.map(({ id, title }) =>
        button(
            {
                role: "tab",
                id: `tab-${id}`,
                "aria-controls": `view-${id}`,
                class: "tab",
                click: () => store.set({ view: id }),
            },
            title,
        ),
    );
    const panels = views.map(({ id, element }) =>
        el(
            "div",
            { role: "tabpanel", id: `view-${id}`, "aria-labelledby": `tab-${id}`, class: "tabpanel", tabindex: 0 },
            element,
        ),
    );
    /** @param {KeyboardEvent} event */
    const keydown = (event) => {
        const at = views.findIndex(({ id }) => id === store.state.view);
        /** @type {Record<string, number>} */
        const moves = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: views.length - 1 };
        const move = moves[event.key];
        if (move === undefined) return;
        event.preventDefault();
        const next = (move + views.length) % views.length;
        store.set({ view: views[next]?.id ?? "nodes" });
        heads[next]?.focus();
    };
    store.watch(["view"], ({ view }) => {
        views.forEach(({ id }, at) => {
            heads[at]?.setAttribute("aria-selected", String(id === view));
            heads[at]?.setAttribute("tabindex", id === view ? "0" : "-1");
            const panel = panels[at];
            if (panel) panel.hidden = id !== view;
        });
    });
    return {
        list: el("div", { role: "tablist", "aria-label": "Views of the model", class: "tabs", keydown }, heads),
        panels,
        /**
         * @param {string} id
         * @param {string} title
         */
        rename(id, title) {
            const head = heads[views.findIndex((view) => view.id === id)];
            if (head) replace(head, title);
        },
    };
}

/**
 * @param {import("page/state.js").Store} store
 */
export function breadcrumb(store) {
    const list = el("ol");
    const nav = el("nav", { "aria-label": "Graphs", class: "breadcrumb", hidden: true }, list);
    store.watch(["scope", "model"], ({ scope, model }) => {
        nav.hidden = scope === null || !model;
        if (scope === null || !model) return;
        const chain = model.around(scope);
        const crumbs = chain.map((graph, at) =>
            el(
                "li",
                {},
                at === chain.length - 1
                    ? el("span", { "aria-current": "location", tabindex: -1 }, model.title(graph))
                    : button({ class: "link", click: () => store.set({ scope: graph }) }, model.title(graph)),
            ),
        );
        const all = el("li", {}, button({ class: "link", click: () => store.set({ scope: null }) }, "all graphs"));
        replace(list, all, crumbs);
    });
    return nav;
}
