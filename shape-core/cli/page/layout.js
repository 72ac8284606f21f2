/**
 * Asks the worker for the places of nodes and edges.
 */

/** @typedef {import("./layout-worker.js").Layout} Layout */
/** @typedef {import("page/picture.js").Picture} Picture */

/** The width of a character of the drawing's font, and the height of a line. */
const CHARACTER = 6.7;
const LINE = 15;

/**
 * The places of all parts of a picture. Ends with an error if it is aborted.
 * @param {Picture} picture
 * @param {AbortSignal} signal
 * @returns {Promise<Layout>}
 */
export function layOut(picture, signal) {
    const worker = new Worker(import.meta.resolve("page/layout-worker.js"), { type: "module" });
    return new Promise((resolve, reject) => {
        /** @param {() => void} act */
        const end = (act) => {
            worker.terminate();
            act();
        };
        signal.addEventListener("abort", () => end(() => reject(signal.reason)));
        worker.addEventListener("error", (event) =>
            end(() => reject(new Error(event.message || "the worker did not start"))),
        );
        worker.addEventListener("message", ({ data }) => {
            end(() => (data.error === undefined ? resolve(data.layout) : reject(new Error(data.error))));
        });
        worker.postMessage({
            dagre: import.meta.resolve("page/vendor/dagre.js"),
            nodes: picture.nodes.map(({ id, lines }) => ({ id, ...boxOf(lines) })),
            edges: picture.edges.map(({ from, to, label }) => ({
                from,
                to,
                width: label ? label.length * CHARACTER + 4 : 0,
                height: label ? LINE : 0,
            })),
        });
    });
}

/**
 * The size of a box with these lines of text.
 * @param {string[]} lines
 */
export function boxOf(lines) {
    const longest = Math.max(4, ...lines.map((line) => [...line].length));
    return { width: longest * CHARACTER + 20, height: lines.length * LINE + 12 };
}
