/**
 * Puts the page together: the engine, the state, and what shows it.
 */

import { actionBar } from "page/actions.js";
import { compareView } from "page/compare.js";
import { add, button, el, plural, replace } from "page/dom.js";
import { drawingView } from "page/drawing.js";
import { chooseEngine } from "page/engine.js";
import { fileOpener } from "page/files.js";
import { NO_FILTER, filterForm } from "page/filter.js";
import { findingsView } from "page/findings.js";
import { arrow } from "page/graph-svg.js";
import { lookup } from "page/lookup.js";
import { pages } from "page/pages.js";
import { Panel } from "page/panel.js";
import { Session, message } from "page/session.js";
import { Store } from "page/state.js";
import { summaryLine, summaryView } from "page/summary.js";
import { symbolBar } from "page/symbols.js";
import { createTable } from "page/table.js";
import { breadcrumb, tabs } from "page/views.js";

/** @typedef {import("page/model.js").Place} Place */

/** What takes less is done before anybody reads that it is under way. */
const SOON = 250;

/** @param {HTMLElement} root */
function start(root) {
    const config = JSON.parse(document.getElementById("page-config")?.textContent ?? "{}");
    const store = new Store();
    const engine = chooseEngine(config, { restarted: (problem) => store.set({ problem, busy: null }) });
    const session = new Session(engine, store);
    const panel = new Panel();
    const opener = engine.canOpen ? fileOpener((chosen, files) => void session.open(chosen, files)) : null;

    const around = {
        /** @param {number} graph */
        enter(graph) {
            store.set({ scope: graph, view: store.state.view === "drawing" ? "drawing" : "nodes", filter: NO_FILTER });
            /** @type {HTMLElement | null} */ (crumbs.querySelector("[aria-current]"))?.focus();
        },
        /** @param {Place} place */
        showNode(place) {
            const { scope } = store.state;
            store.set({
                view: "nodes",
                filter: NO_FILTER,
                scope: scope === null || scope === place.graph ? scope : null,
            });
            table.goTo(place);
        },
        /** @param {Place} place */
        drawAround({ graph, node }) {
            store.set({ view: "drawing", scope: graph === 0 ? null : graph });
            drawing.drawAround(node);
        },
        save: () => void session.save(),
        /** @param {number} other */
        compare(other) {
            store.set({ view: "compare" });
            comparison.compareWith(other);
        },
    };
    const open = pages(session, panel, around);

    /**
     * @param {"simplify" | "convert" | "annotate"} question
     * @param {string} title
     * @param {object} [ask]
     */
    async function edit(question, title, ask = {}) {
        const before = store.state.current;
        const edited = await session.edit(question, title, /** @type {any} */ (ask));
        if (edited && before) open.openEdit(title, edited, before.model);
    }
    const actions = actionBar(store, engine.canOpen, {
        check: () => void session.check().then(() => store.set({ view: "findings" })),
        simplify: () => void edit("simplify", "Simplify"),
        convert: (opset) => void edit("convert", `Convert to opset ${opset}`, { opset }),
        annotate: () => void edit("annotate", "Annotate", store.state.sizes),
        save: around.save,
        close: () => {
            panel.close();
            void session.close();
        },
    });

    const filter = filterForm(store);
    const table = createTable(store, open, filter.report);
    const drawing = drawingView(store, open);
    /** @param {Place} place */
    const jump = (place) => {
        around.showNode(place);
        open.openNode(place);
    };
    const findings = findingsView(store, {
        openCode: open.openCode,
        showNode: jump,
        openValue: open.openValue,
        check: () => void session.check(),
    });
    const summary = summaryView(store, (operator) =>
        store.set({ view: "nodes", scope: null, filter: { ...NO_FILTER, operator } }),
    );
    const comparison = compareView(store, (other) => {
        const { current, sizes } = store.state;
        return engine.ask("compare", { model: other, other: current?.model ?? 0, ...sizes });
    });
    const nodes = el("div", { class: "nodes" }, filter.form, table.element);
    const views = tabs(store, [
        { id: "nodes", title: "Nodes", element: nodes },
        { id: "drawing", title: "Drawing", element: drawing.element },
        { id: "findings", title: "Findings", element: findings },
        { id: "summary", title: "Summary", element: summary },
        ...(engine.canOpen ? [{ id: "compare", title: "Compare", element: comparison.element }] : []),
    ]);
    const crumbs = breadcrumb(store);

    const choice = el("select", {
        "aria-label": "Model",
        change: () => {
            const chosen = store.state.models.find((each) => String(each.model) === choice.value);
            panel.close();
            if (chosen) void session.show(chosen);
        },
    });
    store.watch(["models", "current"], ({ models, current }) => {
        replace(
            choice,
            models.map((each) => el("option", { value: each.model }, each.name)),
        );
        choice.value = String(current?.model ?? "");
        choice.hidden = models.length === 0;
        document.title = current ? `${current.name} – shape` : "shape";
    });

    const busy = el("div", { class: "busy", hidden: true });
    let timer = 0;
    store.watch(["busy"], ({ busy: text }) => {
        clearTimeout(timer);
        busy.hidden = true;
        document.body.setAttribute("aria-busy", String(text !== null));
        if (text === null) return;
        timer = setTimeout(() => {
            replace(
                busy,
                el("span", { role: "status" }, `${text}…`),
                button({ click: () => session.cancel() }, "Cancel"),
            );
            busy.hidden = false;
        }, SOON);
    });
    const problem = el("div", { class: "problem-bar", role: "alert", hidden: true });
    store.watch(["problem"], ({ problem: text }) => {
        problem.hidden = text === null;
        replace(
            problem,
            text,
            text === null
                ? null
                : button(
                      { class: "quiet", "aria-label": "Close the message", click: () => store.set({ problem: null }) },
                      "✕",
                  ),
        );
    });

    const welcome = el(
        "section",
        { class: "welcome" },
        el("h2", {}, "Drop an ONNX model here"),
        el(
            "p",
            {},
            "A .onnx file, with its external data, or a folder. It stays on this machine: this page sends nothing.",
        ),
        opener ? el("p", { class: "ways" }, opener.openFile(), opener.openFolder()) : null,
    );
    const line = summaryLine(store, () =>
        store.set({ view: "nodes", scope: null, filter: { ...NO_FILTER, unknown: true } }),
    );
    const symbols = symbolBar(store, (sizes) => session.compute(sizes));
    const model = el("div", { class: "model" }, actions, line, symbols, views.list, crumbs, views.panels);
    if (!engine.canOpen) symbols.remove();
    store.watch(["model"], ({ model: of }) => {
        model.hidden = of === null;
        welcome.hidden = of !== null || !engine.canOpen;
        panel.refresh();
    });
    store.watch(["model", "checked"], ({ model: of, checked }) => {
        const number = (checked ?? of?.analysis.findings ?? []).length;
        views.rename("findings", number > 0 ? `Findings (${number})` : "Findings");
        if (of) document.body.setAttribute("data-rows", plural(of.rows.length, "row"));
    });
    store.watch(["current"], () => panel.close());
    document.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && !event.defaultPrevented) panel.close();
    });

    replace(
        root,
        el(
            "header",
            {},
            el("h1", {}, "shape"),
            choice,
            opener ? [opener.openFile(), opener.openFolder(), ...opener.inputs] : null,
            lookup(open.openOperator),
        ),
        problem,
        busy,
        el("main", { id: "main", tabindex: -1 }, welcome, model),
        panel.element,
    );
    add(document.body, arrow());
    void session.begin();
}

const root = document.getElementById("page");
if (root) {
    try {
        start(root);
    } catch (error) {
        replace(root, el("p", { class: "problem", role: "alert" }, `The page does not start: ${message(error)}`));
    }
}
