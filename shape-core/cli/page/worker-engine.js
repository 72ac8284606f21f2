/**
 * The engine in a Web Worker. If it fails, or what it does is cancelled, a new one takes its place and opens the same
 * files again; the page goes on.
 */

import { size } from "page/dom.js";

/** @typedef {import("./api.d.ts").Engine} Engine */
/** @typedef {import("./api.d.ts").Opened} Opened */

/** A larger model does not fit into the memory of WebAssembly beside what is known of it. */
const MOST = 1024 * 1024 * 1024;

/** How an open model came to be, so that it can be opened again.
 * @typedef {{ file: File; beside: Map<string, File> } | { question: EditQuestion; ask: any }} Origin */
/** @typedef {"simplify" | "convert" | "annotate"} EditQuestion */

/** @typedef {{ resolve: (result: any) => void; reject: (error: Error) => void }} Waiting */

/** What was cancelled: nobody needs to be told. */
export class Cancelled extends Error {
    constructor() {
        super("cancelled");
        this.name = "AbortError";
    }
}

/** @implements {Engine} */
export class WorkerEngine {
    /**
     * @param {string} wasm The WebAssembly, gzipped, as base64.
     * @param {import("page/engine.js").Hooks} hooks
     */
    constructor(wasm, hooks) {
        this.canOpen = true;
        this.hooks = hooks;
        this.wasm = Uint8Array.from(atob(wasm), (character) => character.charCodeAt(0));
        /** By the numbers that the page knows. @type {Map<number, Origin>} */
        this.origins = new Map();
        /** The number that the worker gave, by that which the page knows. @type {Map<number, number>} */
        this.numbers = new Map();
        this.next = 0;
        this.lastId = 0;
        this.restarts = 0;
        this.started = false;
        /** @type {Map<number, Waiting>} */
        this.waiting = new Map();
        this.worker = this.startWorker();
        /** @type {Promise<unknown>} */
        this.ready = this.reopen();
        this.ready.catch(() => {});
    }

    startWorker() {
        const worker = new Worker(import.meta.resolve("page/worker.js"), { type: "module" });
        worker.addEventListener("message", ({ data }) => this.receive(data));
        worker.addEventListener("error", (event) => this.fail(event.message || "the worker did not start"));
        return worker;
    }

    /** @param {any} data */
    receive({ id, result, message, trap }) {
        const waiting = this.waiting.get(id);
        this.waiting.delete(id);
        if (trap) {
            waiting?.reject(
                new Error(`the engine failed (${message}). It was started again; please report this model`),
            );
            this.fail(message);
        } else if (message !== undefined) waiting?.reject(new Error(message));
        else waiting?.resolve(result);
    }

    /** @param {string} message */
    fail(message) {
        if (!this.started) {
            // A new worker would start no better.
            for (const { reject } of this.waiting.values())
                reject(new Error(`the engine does not start here: ${message}`));
            this.waiting.clear();
            return;
        }
        this.restart(new Error(`the engine failed (${message}) and was started again; ask once more`));
        this.hooks.restarted(`The engine failed: ${message}. It was started again, and the models are open as before.`);
    }

    /**
     * @param {object} message
     * @returns {Promise<any>}
     */
    send(message) {
        this.lastId += 1;
        const id = this.lastId;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, { resolve, reject });
            this.worker.postMessage({ id, ...message });
        });
    }

    /** @param {Error} reason */
    restart(reason) {
        this.worker.terminate();
        this.restarts += 1;
        const given = [...this.waiting.values()];
        this.waiting.clear();
        for (const { reject } of given) reject(reason);
        this.worker = this.startWorker();
        this.numbers.clear();
        this.ready = this.reopen();
        this.ready.catch(() => {});
    }

    async reopen() {
        const { restarts } = this;
        await this.send({ task: "start", wasm: this.wasm });
        this.started = true;
        for (const [model, origin] of this.origins) {
            try {
                await this.create(model, origin);
            } catch (error) {
                // It would fail each time; what is asked of this model says that it is not open any more.
                if (!(error instanceof Cancelled)) this.origins.delete(model);
            }
            if (restarts !== this.restarts) return;
        }
    }

    /**
     * Opens a model in the worker under a number that the page knows.
     * @param {number} model
     * @param {Origin} origin
     */
    async create(model, origin) {
        if ("file" in origin) {
            const opened = answered(await this.send({ task: "open", name: origin.file.name, ...origin }));
            this.numbers.set(model, opened.model);
            return opened;
        }
        const request = this.translated({ question: origin.question, ...origin.ask });
        const edited = answered(await this.send({ task: "ask", request }));
        if (edited.opened) this.numbers.set(model, edited.opened.model);
        return edited;
    }

    /**
     * A request with the numbers of the worker.
     * @param {any} request
     */
    translated(request) {
        const own = { ...request };
        for (const key of ["model", "other"]) {
            if (own[key] === undefined) continue;
            const number = this.numbers.get(own[key]);
            if (number === undefined) throw new Error("this model is not open any more: the engine failed with it");
            own[key] = number;
        }
        return own;
    }

    /** @type {Engine["open"]} */
    async open(file, beside) {
        if (file.size > MOST) {
            throw new Error(
                `${file.name} has ${size(file.size)}, and a browser has memory for ${size(MOST)}. ` +
                    "Nothing of it was read. Save the model with its weights in external data, which are not read, " +
                    "or use `shape view`",
            );
        }
        await this.ready;
        this.next += 1;
        const model = this.next;
        const opened = await this.create(model, { file, beside });
        this.origins.set(model, { file, beside });
        return { ...opened, model };
    }

    /** @type {Engine["ask"]} */
    async ask(question, ask) {
        await this.ready;
        const given = /** @type {any} */ (ask);
        if (question === "opened") return /** @type {any} */ ([]);
        if (question === "simplify" || question === "convert" || question === "annotate") {
            this.next += 1;
            const model = this.next;
            const edited = await this.create(model, { question, ask: given });
            if (!edited.opened) return edited;
            this.origins.set(model, { question, ask: given });
            return { ...edited, opened: { ...edited.opened, model } };
        }
        const answer = answered(await this.send({ task: "ask", request: this.translated({ question, ...given }) }));
        if (question === "close") {
            // What was made of it needs it if the engine has to start again.
            const needed = [...this.origins.values()].some(
                (origin) => !("file" in origin) && origin.ask.model === given.model,
            );
            if (!needed) this.origins.delete(given.model);
            this.numbers.delete(given.model);
        }
        return answer;
    }

    /** @type {Engine["bytes"]} */
    async bytes(model) {
        await this.ready;
        return answered(await this.send({ task: "bytes", ...this.translated({ model }) }));
    }

    cancel() {
        this.restart(new Cancelled());
    }
}

/**
 * @param {string | { answer?: any; error?: string }} given
 */
function answered(given) {
    const result = typeof given === "string" ? JSON.parse(given) : given;
    if (result.error !== undefined) throw new Error(result.error);
    return result.answer;
}
