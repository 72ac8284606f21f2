/**
 * The drawing of a graph: all of it up to some thousand nodes, and otherwise what is around a node.
 */

import { announce, button, count, el, plural, replace } from "page/dom.js";
import { drawGraph } from "page/graph-svg.js";
import { layOut } from "page/layout.js";
import { around, pictureOf } from "page/picture.js";
import { Zoom } from "page/zoom.js";

/** @typedef {import("page/model.js").Model} Model */

/** A larger drawing takes long, and nobody can read it. */
const WHOLE = 3000;
/** What is drawn around a node: so many nodes, so many edges away. */
const NEAR = { nodes: 50, steps: 6 };
/** What is drawn of a graph that is too large, from its first node on. */
const BEGINNING = { nodes: 150, steps: 40 };

/**
 * @param {import("page/state.js").Store} store
 * @param {import("page/row.js").Actions} actions
 */
export function drawingView(store, actions) {
    const zoom = new Zoom("Drawing of the graph. Arrow keys move it, plus and minus scale it, Tab goes to its nodes");
    const note = el("p", { class: "muted", role: "status" });
    const cancel = button(
        { hidden: true, click: () => abort?.abort(new DOMException("cancelled", "AbortError")) },
        "Cancel",
    );
    const whole = button({ hidden: true, click: () => show(null) }, "Draw the whole graph");
    const constants = el("input", { type: "checkbox", change: () => void draw() });
    const view = el(
        "div",
        { class: "drawing" },
        el(
            "div",
            { class: "drawing-bar" },
            zoom.buttons,
            el("label", { class: "check" }, constants, "Constant nodes"),
            note,
            whole,
            cancel,
        ),
        zoom.drawing,
    );
    /** @type {AbortController | null} */
    let abort = null;
    /** @type {number | null} */
    let centre = null;
    /** What is drawn, so that it is not drawn again. */
    let drawn = "";
    /** @type {Model | null} */
    let drawnModel = null;
    /** @type {Map<string, { x: number; y: number }>} */
    let places = new Map();

    /**
     * Draws what is around a node, or all.
     * @param {number | null} node
     */
    function show(node) {
        centre = node;
        void draw();
    }

    async function draw() {
        const { model, scope, current } = store.state;
        const graph = scope ?? 0;
        const of = model?.graphs[graph];
        if (!model || !of || store.state.view !== "drawing") return;
        if (centre !== null && !of.nodes[centre]) centre = null;
        const what = `${current?.model} ${graph} ${centre} ${constants.checked}`;
        if (drawnModel === model && drawn === what) return;
        const same = drawn === what;
        drawnModel = model;
        drawn = what;
        abort?.abort(new DOMException("replaced", "AbortError"));
        const own = new AbortController();
        abort = own;
        const all = of.nodes.flatMap((node, at) => (node.op_type === "Constant" && !constants.checked ? [] : [at]));
        const large = all.length > WHOLE;
        const from = centre ?? (large ? (all[0] ?? 0) : null);
        const most = centre === null ? BEGINNING : NEAR;
        const chosen = from === null ? new Set(all) : around(model, graph, from, most.nodes, most.steps);
        const picture = pictureOf(model, graph, chosen, centre);
        whole.hidden = centre === null || large;
        cancel.hidden = false;
        replace(note, `Laying out ${plural(chosen.size, "node")}…`);
        try {
            const layout = await layOut(picture, own.signal);
            const choices = {
                openNode: (/** @type {number} */ node) => actions.openNode({ graph, node }),
                openValue: (/** @type {string} */ name) => actions.openValue(graph, name),
            };
            const content = drawGraph(picture, layout, choices);
            content.querySelector(".box")?.setAttribute("tabindex", "0");
            zoom.content.replaceChildren(content);
            zoom.size = layout;
            places = new Map(picture.nodes.map((box, at) => [box.id, layout.nodes[at] ?? { x: 0, y: 0 }]));
            // Nodes are in the order in which they run, so that a drawing begins with the first one.
            const first = places.get(`node ${from ?? all[0]}`) ?? { x: 0, y: 0 };
            if (!same) zoom.begin(first, centre !== null);
            const words = large
                ? `A graph of ${count(all.length)} nodes is too large to draw: here are ${chosen.size} around ` +
                  `node ${from}. ` +
                  "Choose a node in the table, and “Draw around it” in its panel."
                : from === null
                  ? `${plural(chosen.size, "node")}; constants are left out`
                  : `${plural(chosen.size, "node")} around node ${from}`;
            replace(note, words);
            announce(words);
        } catch (error) {
            if (own !== abort) return;
            drawn = "";
            const aborted = own.signal.aborted;
            replace(
                note,
                aborted
                    ? "Cancelled. "
                    : `The graph cannot be drawn: ${error instanceof Error ? error.message : String(error)}`,
            );
        } finally {
            if (own === abort) cancel.hidden = true;
        }
    }

    // Arrow keys go from a node to the nearest one in their direction.
    zoom.drawing.addEventListener("keydown", (event) => {
        const box = /** @type {Element} */ (event.target).closest(".box");
        const here = box && places.get(box.getAttribute("data-id") ?? "");
        const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
        const direction = directions[/** @type {keyof typeof directions} */ (event.key)];
        if (!here || !direction) return;
        event.preventDefault();
        const [right = 0, down = 0] = direction;
        let best = { id: "", distance: Number.POSITIVE_INFINITY };
        for (const [id, place] of places) {
            const along = (place.x - here.x) * right + (place.y - here.y) * down;
            const aside = Math.abs((place.x - here.x) * down) + Math.abs((place.y - here.y) * right);
            if (along > 1 && along + 2 * aside < best.distance) best = { id, distance: along + 2 * aside };
        }
        const next = [...zoom.content.querySelectorAll(".box")].find(
            (each) => each.getAttribute("data-id") === best.id,
        );
        const place = places.get(best.id);
        if (!(next instanceof SVGElement) || !place) return;
        box.setAttribute("tabindex", "-1");
        next.setAttribute("tabindex", "0");
        zoom.reveal(place);
        next.focus({ preventScroll: true });
    });

    store.watch(["model", "scope", "view"], () => void draw());
    store.watch(["current", "scope"], () => {
        centre = null;
    });
    return {
        element: view,
        /** @param {number} node */
        drawAround(node) {
            show(node);
        },
    };
}
