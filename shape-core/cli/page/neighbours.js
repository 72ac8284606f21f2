/**
 * The nodes beside one, drawn small.
 */

import { el, plural, replace, svg } from "page/dom.js";
import { drawGraph } from "page/graph-svg.js";
import { layOut } from "page/layout.js";
import { around, pictureOf } from "page/picture.js";

/** More than this is no picture of a node but of the graph. */
const MOST = 14;

/**
 * @param {import("page/model.js").Model} model
 * @param {import("page/model.js").Place} place
 * @param {import("page/row.js").Actions} actions
 * @returns {HTMLElement}
 */
export function neighbours(model, { graph, node }, actions) {
    const near = around(model, graph, node, MOST, 1);
    const all = around(model, graph, node, Number.POSITIVE_INFINITY, 1);
    const picture = pictureOf(model, graph, near, node);
    // Only what goes in and out of the node itself.
    picture.edges = picture.edges.filter((edge) => edge.from === `node ${node}` || edge.to === `node ${node}`);
    const used = new Set([`node ${node}`, ...picture.edges.flatMap((edge) => [edge.from, edge.to])]);
    picture.nodes = picture.nodes.filter((box) => used.has(box.id));
    const frame = el("div", { class: "neighbours", tabindex: 0, role: "group", "aria-label": "Neighbours, drawn" });
    const figure = el("figure", {}, frame);
    if (all.size > near.size)
        figure.append(
            el("figcaption", { class: "muted" }, `${plural(all.size - near.size, "more neighbour")} not drawn`),
        );
    const choices = {
        openNode: (/** @type {number} */ at) => actions.openNode({ graph, node: at }),
        openValue: (/** @type {string} */ name) => actions.openValue(graph, name),
    };
    layOut(picture, new AbortController().signal).then(
        (layout) => {
            const [width, height] = [layout.width + 16, layout.height + 16];
            const drawing = svg("svg", { viewBox: `-8 -8 ${width} ${height}`, width, height, class: "graph" });
            drawing.append(drawGraph(picture, layout, choices));
            for (const box of drawing.querySelectorAll(".box")) box.setAttribute("tabindex", "0");
            replace(frame, drawing);
            frame.scrollLeft = (drawing.getBoundingClientRect().width - frame.clientWidth) / 2;
        },
        (error) => replace(frame, el("p", { class: "muted" }, `The neighbours cannot be drawn: ${error.message}`)),
    );
    return figure;
}
