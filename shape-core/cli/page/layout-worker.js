/**
 * Lays a graph out, in a worker of its own: some thousand nodes take seconds.
 */

/** @typedef {{ id: string; width: number; height: number }} Box */
/** @typedef {{ from: string; to: string; width: number; height: number }} Line */
/** @typedef {{ x: number; y: number }} Point */
/** @typedef {{ points: Point[]; label: Point | null }} Route */
/** @typedef {{ width: number; height: number; nodes: Point[]; edges: Route[] }} Layout */

/** The library calls itself once for each rank: a deeper graph is laid out in pieces, one below the other. */
const RANKS = 400;
/** From so many nodes on, a tighter ranking takes too long. */
const QUICK = 400;
const GAP = 60;

self.addEventListener("message", async ({ data }) => {
    try {
        // A worker has no import map, so the page says where the library is.
        const dagre = await import(data.dagre);
        self.postMessage({ layout: inPieces(dagre, data.nodes, data.edges) });
    } catch (error) {
        self.postMessage({ error: error instanceof Error ? error.message : String(error) });
    }
});

/**
 * The longest way to each node, from the nodes that nothing leads to.
 * @param {Box[]} nodes
 * @param {Line[]} edges
 * @returns {Map<string, number>}
 */
function ranks(nodes, edges) {
    const ranks = new Map(nodes.map(({ id }) => [id, 0]));
    const missing = new Map(nodes.map(({ id }) => [id, 0]));
    /** @type {Map<string, string[]>} */
    const next = new Map(nodes.map(({ id }) => [id, []]));
    for (const { from, to } of edges) {
        missing.set(to, (missing.get(to) ?? 0) + 1);
        next.get(from)?.push(to);
    }
    const ready = nodes.map(({ id }) => id).filter((id) => missing.get(id) === 0);
    for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
        for (const to of next.get(id) ?? []) {
            ranks.set(to, Math.max(ranks.get(to) ?? 0, (ranks.get(id) ?? 0) + 1));
            const left = (missing.get(to) ?? 1) - 1;
            missing.set(to, left);
            if (left === 0) ready.push(to);
        }
    }
    return ranks;
}

/**
 * @param {any} dagre
 * @param {Box[]} nodes
 * @param {Line[]} edges
 * @returns {Layout}
 */
function inPieces(dagre, nodes, edges) {
    const rank = ranks(nodes, edges);
    /** @param {string} id */
    const pieceOf = (id) => Math.floor((rank.get(id) ?? 0) / RANKS);
    /** @type {Map<string, Point>} */
    const places = new Map();
    /** @type {Map<Line, Route>} */
    const routes = new Map();
    const boxes = new Map(nodes.map((box) => [box.id, box]));
    let [left, right, bottom] = [0, 0, 0];
    const pieces = Math.max(0, ...nodes.map(({ id }) => pieceOf(id))) + 1;
    for (let piece = 0; piece < pieces; piece += 1) {
        const own = nodes.filter(({ id }) => pieceOf(id) === piece);
        const inner = edges.filter(({ from, to }) => pieceOf(from) === piece && pieceOf(to) === piece);
        const { graph, width, height } = layOut(dagre, own, inner);
        // A piece stands below the nodes that it continues.
        const shifts = edges
            .filter(({ from, to }) => pieceOf(to) === piece && pieceOf(from) < piece)
            .map(({ from, to }) => (places.get(from)?.x ?? 0) - graph.node(to).x);
        const x = shifts.length > 0 ? shifts.reduce((a, b) => a + b) / shifts.length : 0;
        const y = piece === 0 ? 0 : bottom + GAP;
        /** @param {Point} point */
        const moved = (point) => ({ x: point.x + x, y: point.y + y });
        for (const { id } of own) places.set(id, moved(graph.node(id)));
        inner.forEach((line, at) => {
            const edge = graph.edge(line.from, line.to, String(at));
            routes.set(line, { points: edge.points.map(moved), label: edge.x === undefined ? null : moved(edge) });
        });
        [left, right, bottom] = [Math.min(left, x), Math.max(right, x + width), y + height];
    }
    /** @param {Line} line */
    const between = ({ from, to }) => {
        const start = places.get(from) ?? { x: 0, y: 0 };
        const end = places.get(to) ?? { x: 0, y: 0 };
        const first = { x: start.x, y: start.y + (boxes.get(from)?.height ?? 0) / 2 };
        const last = { x: end.x, y: end.y - (boxes.get(to)?.height ?? 0) / 2 };
        const middle = { x: (first.x + last.x) / 2, y: last.y - GAP / 2 };
        return { points: [first, { x: first.x, y: middle.y }, { x: last.x, y: middle.y }, last], label: middle };
    };
    /** @param {Point} point */
    const home = ({ x, y }) => ({ x: x - left, y });
    return {
        width: right - left,
        height: bottom,
        nodes: nodes.map(({ id }) => home(places.get(id) ?? { x: 0, y: 0 })),
        edges: edges.map((line) => {
            const { points, label } = routes.get(line) ?? between(line);
            return { points: points.map(home), label: label && home(label) };
        }),
    };
}

/**
 * @param {any} dagre
 * @param {Box[]} nodes
 * @param {Line[]} edges
 */
function layOut(dagre, nodes, edges) {
    const graph = new dagre.Graph({ multigraph: true });
    const ranker = nodes.length > QUICK ? "tight-tree" : "network-simplex";
    graph.setGraph({ rankdir: "TB", nodesep: 24, ranksep: 28, edgesep: 12, ranker });
    for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
    edges.forEach(({ from, to, width, height }, at) => {
        graph.setEdge(from, to, { width, height, labelpos: "c" }, String(at));
    });
    dagre.layout(graph);
    const { width, height } = graph.graph();
    return { graph, width, height };
}

export {};
