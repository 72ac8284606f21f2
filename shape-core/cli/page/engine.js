/**
 * Chooses the engine that the page was put together with.
 */

import { DataEngine } from "page/data-engine.js";
import { ServerEngine } from "page/server-engine.js";
import { WorkerEngine } from "page/worker-engine.js";

/** @typedef {import("./api.d.ts").Engine} Engine */

/**
 * What can be known of an engine beside what it answers.
 * @typedef {object} Hooks
 * @property {(text: string) => void} restarted Called when it failed and runs again.
 */

/**
 * @param {any} config What is in the element `page-config`.
 * @param {Hooks} hooks
 * @returns {Engine}
 */
export function chooseEngine(config, hooks) {
    const engines = {
        worker: () => new WorkerEngine(config.wasm, hooks),
        server: () => new ServerEngine(config.url),
        data: () => new DataEngine(config.data),
    };
    const make = engines[/** @type {keyof typeof engines} */ (config.engine)];
    if (!make) throw new Error(`this page was put together with an engine that it does not have: ${config.engine}`);
    return make();
}
