/**
 * Which pages the panel can show, and what they are filled with.
 */

import { add, button, el } from "page/dom.js";
import { editPage } from "page/edit-page.js";
import { operatorName } from "page/model.js";
import { nodePage } from "page/node-panel.js";
import { codePage, operatorPage } from "page/operator-page.js";
import { whyPage } from "page/why.js";

/** @typedef {import("page/model.js").Place} Place */

/**
 * @typedef {object} Around What the pages lead to beside other pages.
 * @property {(graph: number) => void} enter
 * @property {(place: Place) => void} showNode
 * @property {(place: Place) => void} drawAround
 * @property {() => void} save
 * @property {(other: number) => void} compare
 */

/**
 * @param {import("page/session.js").Session} session
 * @param {import("page/panel.js").Panel} panel
 * @param {Around} around
 */
export function pages({ engine, store }, panel, around) {
    const shown = () => {
        const { model, current, sizes } = store.state;
        if (!model || !current) throw new Error("no model is open");
        return { model, number: current.model, sizes };
    };

    /** @param {Place} place */
    const openNode = (place) => {
        const { graph, node } = place;
        const of = store.state.model?.node(place);
        if (!of) return;
        panel.open({
            kind: `Node ${node}`,
            title: operatorName(of),
            key: `node ${graph} ${node}`,
            fill: async () => {
                const { model, number } = shown();
                const detail = await engine.ask("node", { model: number, graph, node });
                const ways = el(
                    "p",
                    { class: "ways" },
                    button({ class: "quiet", click: () => around.showNode({ graph, node }) }, "Show in the table"),
                    button({ class: "quiet", click: () => around.drawAround({ graph, node }) }, "Draw around it"),
                );
                return add(el("div", {}), ways, nodePage(model, detail, { graph, node }, actions));
            },
        });
    };
    /**
     * @param {number} graph
     * @param {string} value
     */
    const openValue = (graph, value) => {
        panel.open({
            kind: "Value",
            title: value,
            key: `value ${graph} ${value}`,
            fill: async () => {
                const { model, number, sizes } = shown();
                const found = model.find(graph, value);
                if (found.constant) return constantPage(model, found);
                const why = await engine.ask("why", { model: number, graph: found.graph, value, ...sizes });
                return whyPage(model, why, actions);
            },
        });
    };
    /**
     * @param {string} operator Its name, with its domain before `::` if that is not the default one.
     * @param {number | null} since The version to begin with.
     */
    const openOperator = (operator, since) => {
        panel.open({
            kind: "Operator",
            title: operator,
            key: `operator ${operator} ${since}`,
            fill: async () => operatorPage((await engine.ask("operator", { operator })).operator, since),
        });
    };
    /** @param {string} code */
    const openCode = (code) => {
        panel.open({
            kind: "Code",
            title: code,
            key: `code ${code}`,
            fill: async () => codePage(await engine.ask("explain", { code })),
        });
    };
    const actions = { openNode, openValue, openOperator, openCode, enter: around.enter };
    return {
        ...actions,
        /**
         * @param {string} title
         * @param {import("./api.d.ts").Edited} edited
         * @param {number} before The model that was edited.
         */
        openEdit(title, edited, before) {
            const ways = { save: around.save, compare: () => around.compare(before), openCode };
            panel.open({ kind: "Edit", title, key: `edit ${title}`, fill: async () => editPage(edited, ways) });
        },
    };
}

/**
 * @param {import("page/model.js").Model} model
 * @param {import("page/model.js").Found} found
 */
function constantPage(model, { value, graph }) {
    const place = model.graphs.length > 1 ? ` of ${model.title(graph)}` : "";
    return el(
        "div",
        {},
        el("p", {}, `${value.type ?? "unknown type"} `, model.symbols.known(value)),
        el("p", {}, `A constant of the file${place}.`),
    );
}
