/**
 * What the page shows, in one place. Whoever draws a part of it is told when that part changes.
 */

import { NO_FILTER } from "page/filter.js";

/** @typedef {import("./api.d.ts").Finding} Finding */
/** @typedef {import("./api.d.ts").Opened} Opened */
/** @typedef {import("./api.d.ts").Sizes} Sizes */

/**
 * @typedef {object} State
 * @property {Opened[]} models The models that are open.
 * @property {Opened | null} current The one that is shown.
 * @property {import("page/model.js").Model | null} model What is known of it.
 * @property {Sizes} sizes The sizes that were typed in.
 * @property {Record<string, unknown> | null} info What `shape info` says; null until it is known.
 * @property {import("./api.d.ts").RuntimeSupport[] | null} support What runtimes support of it; null until it is known.
 * @property {Finding[] | null} checked What `shape check` says; null until it is known.
 * @property {number | null} scope The graph that is shown; null for all.
 * @property {import("page/filter.js").Filter} filter
 * @property {string} view
 * @property {string | null} busy What is under way, for a person.
 * @property {string | null} problem What went wrong, for a person.
 */

/** @returns {State} */
export function initial() {
    return {
        models: [],
        current: null,
        model: null,
        sizes: {},
        info: null,
        support: null,
        checked: null,
        scope: null,
        filter: NO_FILTER,
        view: "nodes",
        busy: null,
        problem: null,
    };
}

export class Store {
    constructor() {
        /** @type {State} */
        this.state = initial();
        /** @type {{ keys: (keyof State)[]; draw: (state: State) => void }[]} */
        this.listeners = [];
    }

    /**
     * Calls `draw` now, and whenever one of the keys changes.
     * @param {(keyof State)[]} keys
     * @param {(state: State) => void} draw
     */
    watch(keys, draw) {
        this.listeners.push({ keys, draw });
        draw(this.state);
    }

    /** @param {Partial<State>} change */
    set(change) {
        const before = this.state;
        this.state = { ...before, ...change };
        for (const { keys, draw } of this.listeners) {
            if (keys.some((key) => before[key] !== this.state[key])) draw(this.state);
        }
    }
}
