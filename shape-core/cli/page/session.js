/**
 * What happens between the page and its engine: opening, computing, editing, saving.
 */

import { announce, plural } from "page/dom.js";
import { download } from "page/files.js";
import { NO_FILTER } from "page/filter.js";
import { Model } from "page/model.js";

/** @typedef {import("./api.d.ts").Engine} Engine */
/** @typedef {import("./api.d.ts").Opened} Opened */
/** @typedef {import("./api.d.ts").Sizes} Sizes */

/** @param {unknown} error */
export function message(error) {
    return error instanceof Error ? error.message : String(error);
}

/** @param {unknown} error */
function cancelled(error) {
    return error instanceof Error && error.name === "AbortError";
}

export class Session {
    /**
     * @param {Engine} engine
     * @param {import("page/state.js").Store} store
     */
    constructor(engine, store) {
        this.engine = engine;
        this.store = store;
        /** The sizes to compute with next, while others are computed with. @type {Sizes | null} */
        this.nextSizes = null;
        this.computing = false;
    }

    /**
     * Does something that may take long, and says so. Null if it failed or was cancelled.
     * @template T
     * @param {string} text
     * @param {() => Promise<T>} task
     * @returns {Promise<T | null>}
     */
    async during(text, task) {
        this.store.set({ busy: text, problem: null });
        try {
            return await task();
        } catch (error) {
            if (cancelled(error)) announce("cancelled");
            else this.store.set({ problem: message(error) });
            return null;
        } finally {
            this.store.set({ busy: null });
        }
    }

    cancel() {
        this.engine.cancel();
    }

    /** Shows what the engine has open from the beginning. */
    async begin() {
        const models = await this.during("Opening", () => this.engine.ask("opened", {}));
        if (!models?.[0]) return;
        this.store.set({ models });
        await this.show(models[0]);
    }

    /**
     * @param {import("page/files.js").Chosen[]} chosen
     * @param {number} files How many files were given.
     */
    async open(chosen, files) {
        if (chosen.length === 0) {
            this.store.set({
                problem: `none of ${plural(files, "file")} is a model: a name that ends in .onnx is expected`,
            });
        }
        for (const { file, beside } of chosen) {
            const opened = await this.during(`Opening ${file.name}`, () => this.openOne(file, beside));
            if (!opened) continue;
            this.store.set({ models: [...this.store.state.models, opened] });
            await this.show(opened);
        }
    }

    /**
     * @param {File} file
     * @param {Map<string, File>} beside
     */
    async openOne(file, beside) {
        try {
            return await this.engine.open(file, beside);
        } catch (error) {
            // Several may be opened at once, so that each problem says whose it is.
            if (cancelled(error) || message(error).includes(file.name)) throw error;
            throw new Error(`${file.name}: ${message(error)}`);
        }
    }

    /** @param {Opened} opened */
    async show(opened) {
        const analysis = await this.during(`Inferring the shapes of ${opened.name}`, () =>
            this.engine.ask("analyse", { model: opened.model }),
        );
        if (!analysis) return;
        const model = new Model(analysis);
        this.store.set({
            current: opened,
            model,
            sizes: {},
            info: null,
            support: null,
            checked: null,
            scope: null,
            filter: NO_FILTER,
        });
        const findings = plural(analysis.findings.length, "finding");
        announce(`${opened.name}: ${plural(model.rows.length, "row")}, ${findings}`);
        await this.learn();
    }

    /** Asks for what is not needed for the table. */
    async learn() {
        const { current, sizes } = this.store.state;
        if (!current) return;
        try {
            const info = await this.engine.ask("info", { model: current.model, ...sizes });
            if (this.store.state.current === current) this.store.set({ info });
            if (this.store.state.support) return;
            const support = await this.engine.ask("support", { model: current.model });
            if (this.store.state.current === current) this.store.set({ support });
        } catch (error) {
            if (!cancelled(error)) this.store.set({ problem: message(error) });
        }
    }

    /**
     * Computes with sizes; what is typed while it does so comes next, and only the last of it.
     * @param {Sizes} sizes
     * @returns {Promise<string | null>} What is wrong with them.
     */
    async compute(sizes) {
        this.nextSizes = sizes;
        if (this.computing) return null;
        this.computing = true;
        let problem = null;
        try {
            while (this.nextSizes) {
                const wanted = this.nextSizes;
                this.nextSizes = null;
                problem = await this.computeOnce(wanted);
            }
        } finally {
            this.computing = false;
        }
        return problem;
    }

    /**
     * @param {Sizes} sizes
     * @returns {Promise<string | null>}
     */
    async computeOnce(sizes) {
        const { current } = this.store.state;
        if (!current) return null;
        try {
            const analysis = await this.engine.ask("analyse", { model: current.model, ...sizes });
            if (this.store.state.current !== current) return null;
            const model = new Model(analysis);
            const { checked } = this.store.state;
            if (checked) {
                model.addFindings(checked);
                model.markFindings();
            }
            this.store.set({ model, sizes });
            announce("computed with the sizes");
            await this.learn();
            return null;
        } catch (error) {
            return cancelled(error) ? null : message(error);
        }
    }

    async check() {
        const { current, model } = this.store.state;
        if (!current || !model) return;
        const answer = await this.during(`Checking ${current.name}`, () =>
            this.engine.ask("check", { model: current.model }),
        );
        if (!answer || this.store.state.current !== current) return;
        const now = this.store.state.model;
        now?.addFindings(answer.findings);
        now?.markFindings();
        this.store.set({ checked: answer.findings });
        announce(plural(answer.findings.length, "finding"));
    }

    /**
     * Makes another model of this one, and shows it.
     * @template {"simplify" | "convert" | "annotate"} Q
     * @param {Q} question
     * @param {string} text
     * @param {Omit<import("./api.d.ts").Questions[Q]["ask"], "model">} ask
     */
    async edit(question, text, ask) {
        const { current } = this.store.state;
        if (!current) return null;
        const request = /** @type {any} */ ({ model: current.model, ...ask });
        const edited = await this.during(text, () => this.engine.ask(question, request));
        if (edited?.opened) {
            this.store.set({ models: [...this.store.state.models, edited.opened] });
            await this.show(edited.opened);
        }
        return edited;
    }

    async save() {
        const { current } = this.store.state;
        if (!current) return;
        const bytes = await this.during(`Saving ${current.name}`, () => this.engine.bytes(current.model));
        if (!bytes) return;
        download(bytes, current.name);
        announce(`${current.name} is saved`);
    }

    async close() {
        const { current, models } = this.store.state;
        if (!current) return;
        await this.during("Closing", () => this.engine.ask("close", { model: current.model }));
        const left = models.filter((each) => each.model !== current.model);
        this.store.set({ models: left, current: null, model: null, info: null, checked: null });
        const last = left.at(-1);
        if (last) await this.show(last);
    }
}
