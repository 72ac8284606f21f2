/**
 * Lays a graph out, in a worker of its own: some thousand nodes take seconds.
 */

/** @typedef {{ id: string; width: number; height: number }} Box */
/** @typedef {{ from: string; to: string; width: number; height: number }} Line */
/** @typedef {{ x: number; y: number }} Point */
/** @typedef {{ width: number; height: number; nodes: Point[]; edges: { points: Point[]; label: Point | null }[] }} Layout */

self.addEventListener("message", async ({ data }) => {
    try {
        // A worker has no import map, so the page says where the library is.
        const dagre = await import(data.dagre);
        self.postMessage({ layout: layout(dagre, data.nodes, data.edges, data.quick) });
    } catch (error) {
        self.postMessage({ error: error instanceof Error ? error.message : String(error) });
    }
});

/**
 * @param {any} dagre
 * @param {Box[]} nodes
 * @param {Line[]} edges
 * @param {boolean} quick Whether a ranking that is less tight will do.
 * @returns {Layout}
 */
function layout(dagre, nodes, edges, quick) {
    const graph = new dagre.Graph({ multigraph: true });
    graph.setGraph({ rankdir: "TB", nodesep: 24, ranksep: 28, edgesep: 12, ranker: quick ? "longest-path" : "network-simplex" });
    for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
    edges.forEach(({ from, to, width, height }, at) => {
        graph.setEdge(from, to, { width, height, labelpos: "c" }, String(at));
    });
    dagre.layout(graph);
    const { width, height } = graph.graph();
    return {
        width,
        height,
        nodes: nodes.map(({ id }) => {
            const { x, y } = graph.node(id);
            return { x, y };
        }),
        edges: edges.map(({ from, to }, at) => {
            const { points, x, y } = graph.edge(from, to, String(at));
            return { points, label: x === undefined ? null : { x, y } };
        }),
    };
}

export {};
