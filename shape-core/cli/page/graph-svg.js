/**
 * Draws a picture whose parts have places.
 */

import { colour } from "page/colour.js";
import { parts } from "page/dims.js";
import { svg } from "page/dom.js";
import { boxOf } from "page/layout.js";

/** @typedef {import("page/picture.js").Picture} Picture */
/** @typedef {import("./layout-worker.js").Layout} Layout */
/** @typedef {{ x: number; y: number }} Point */

const LINE = 15;

/**
 * What a drawing can be asked for.
 * @typedef {object} Choices
 * @property {(node: number) => void} openNode
 * @property {(name: string) => void} openValue
 */

/**
 * A smooth line through points.
 * @param {Point[]} points
 */
function path(points) {
    const [first, ...rest] = points;
    if (!first) return "";
    let text = `M${first.x.toFixed(1)},${first.y.toFixed(1)}`;
    rest.forEach((point, at) => {
        const next = rest[at + 1];
        const corner = `${point.x.toFixed(1)},${point.y.toFixed(1)}`;
        // The head of the arrow points along the last piece.
        text += next
            ? ` Q${corner} ${((point.x + next.x) / 2).toFixed(1)},${((point.y + next.y) / 2).toFixed(1)}`
            : ` L${corner}`;
    });
    return text;
}

/**
 * Dimensions with their symbols coloured.
 * @param {string} label
 * @param {ReadonlySet<string>} symbols
 */
function coloured(label, symbols) {
    return parts(label, symbols).map(({ text, symbol }) => {
        const piece = svg("tspan", { class: symbol === null ? "" : "symbol" }, text);
        if (symbol !== null) colour(piece, symbol);
        return piece;
    });
}

/**
 * The parts of the drawing: edges below, boxes above.
 * @param {Picture} picture
 * @param {Layout} layout
 * @param {Choices} choices
 */
export function drawGraph(picture, layout, choices) {
    const edges = svg("g", { class: "edges" });
    const labels = svg("g", { class: "labels" });
    picture.edges.forEach((edge, at) => {
        const place = layout.edges[at];
        if (!place) return;
        edges.append(svg("path", { d: path(place.points), "marker-end": "url(#arrow)" }));
        if (!place.label || !edge.label) return;
        const words = edge.known ? coloured(edge.label, picture.symbols) : edge.label;
        const kind = edge.known ? "edge-label" : "edge-label unknown";
        const text = svg("text", { x: place.label.x, y: place.label.y + 4, class: kind }, words);
        text.append(svg("title", {}, `${edge.value} ${edge.label}`));
        text.addEventListener("click", () => choices.openValue(edge.value));
        labels.append(text);
    });
    const boxes = svg("g", { class: "boxes" });
    picture.nodes.forEach((box, at) => {
        const place = layout.nodes[at];
        if (!place) return;
        const { width, height } = boxOf(box.lines);
        const act = () => (box.node === null ? choices.openValue(box.value) : choices.openNode(box.node));
        const of = picture.edges.filter((edge) => edge.from === box.id).map((edge) => edge.label);
        const group = svg(
            "g",
            {
                class: `box ${box.kind} ${box.marks}`,
                transform: `translate(${place.x - width / 2},${place.y - height / 2})`,
                role: "button",
                tabindex: -1,
                "data-id": box.id,
                "aria-label": [box.lines.join(" "), box.kind === "node" ? "" : box.kind, ...new Set(of)]
                    .filter(Boolean)
                    .join(", "),
                click: act,
                keydown: (event) => {
                    if (event.key !== "Enter" && event.key !== " ") return;
                    event.preventDefault();
                    act();
                },
            },
            svg("rect", { width, height, rx: box.kind === "input" || box.kind === "output" ? height / 2 : 4 }),
            box.lines.flatMap((line, row) => [
                row > 0 && " ",
                svg("text", { x: width / 2, y: 18 + row * LINE, class: row === 0 ? "operator" : "name" }, line),
            ]),
        );
        boxes.append(group);
    });
    return svg("g", {}, edges, labels, boxes);
}

/** The head of an arrow, which all drawings of the page use. */
export function arrow() {
    const head = svg("path", { d: "M0,0 L8,4 L0,8 z" });
    const attributes = {
        id: "arrow",
        viewBox: "0 0 8 8",
        refX: 7,
        refY: 4,
        markerWidth: 7,
        markerHeight: 7,
        orient: "auto",
    };
    return svg(
        "svg",
        { width: 0, height: 0, "aria-hidden": "true", class: "arrow" },
        svg("defs", {}, svg("marker", attributes, head)),
    );
}
