/**
 * A box for each symbol of the inputs, to give it a size, and one for the dimensions of each input.
 */

import { colour } from "page/colour.js";
import { button, el, replace } from "page/dom.js";

/** @typedef {import("./api.d.ts").Sizes} Sizes */

/** So long is waited for the next digit. */
const PAUSE = 150;
const MOST = 2 ** 53 - 1;

/**
 * A size as it was typed: nothing, a number, or a mistake.
 * @param {string} text
 */
function parseSize(text) {
    const trimmed = text.trim();
    if (trimmed === "") return { size: undefined, mistake: null };
    const size = Number(trimmed);
    const whole = /^\d+$/.test(trimmed) && size <= MOST;
    return whole
        ? { size, mistake: null }
        : { size: undefined, mistake: `a whole number from 0 to ${MOST} is expected` };
}

/**
 * Dimensions as they were typed, such as `1,3,224,224`: nothing, numbers, or a mistake.
 * @param {string} text
 * @returns {{ dims: number[] | undefined; mistake: string | null }}
 */
function parseDims(text) {
    const trimmed = text.trim().replace(/^\[|\]$/g, "");
    if (trimmed === "") return { dims: undefined, mistake: null };
    const parsed = trimmed.split(",").map(parseSize);
    const dims = parsed.flatMap(({ size }) => size ?? []);
    const whole = dims.length === parsed.length;
    return whole
        ? { dims, mistake: null }
        : { dims: undefined, mistake: "whole numbers such as 1,3,224,224 are expected" };
}

/**
 * @param {import("page/state.js").Store} store
 * @param {(sizes: Sizes) => Promise<string | null>} apply Computes with the sizes; answers what is wrong with them.
 */
export function symbolBar(store, apply) {
    const bar = el("section", { class: "symbols", "aria-label": "Sizes of symbols" });
    const problem = el("p", { class: "problem", id: "sizes-problem", role: "alert", hidden: true });
    /** @type {Map<string, HTMLInputElement>} */
    let boxes = new Map();
    /** @type {Map<string, HTMLInputElement>} */
    let inputs = new Map();
    let timer = 0;
    /** @type {number | null} */
    let drawnFor = null;

    /** @param {string | null} text */
    const tell = (text) => {
        replace(problem, text);
        problem.hidden = !text;
    };

    async function compute() {
        clearTimeout(timer);
        /** @type {Record<string, number>} */
        const set = {};
        let mistake = null;
        for (const [name, box] of boxes) {
            const parsed = parseSize(box.value);
            box.setAttribute("aria-invalid", String(parsed.mistake !== null));
            if (parsed.mistake !== null) mistake = `${name}: ${parsed.mistake}`;
            if (parsed.size !== undefined) set[name] = parsed.size;
        }
        /** @type {Record<string, number[]>} */
        const input = {};
        for (const [name, box] of inputs) {
            const { dims, mistake: wrong } = parseDims(box.value);
            box.setAttribute("aria-invalid", String(wrong !== null));
            if (wrong !== null) mistake = `${name}: ${wrong}`;
            if (dims) input[name] = dims;
        }
        reset.hidden = Object.keys(set).length + Object.keys(input).length === 0;
        if (mistake !== null) return tell(mistake);
        return tell(await apply({ set, input }));
    }
    const later = () => {
        clearTimeout(timer);
        timer = setTimeout(compute, PAUSE);
    };
    const reset = button(
        {
            class: "quiet",
            hidden: true,
            click: () => {
                for (const box of [...boxes.values(), ...inputs.values()]) box.value = "";
                boxes.values().next().value?.focus();
                void compute();
            },
        },
        "Forget the sizes",
    );

    /** @param {string} name */
    function symbolBox(name) {
        const label = el("span", { class: "symbol" }, name);
        colour(label, name);
        const box = el("input", {
            inputmode: "numeric",
            autocomplete: "off",
            placeholder: "any",
            "aria-describedby": "sizes-problem",
            input: later,
            change: compute,
        });
        boxes.set(name, box);
        return el("label", { class: "size" }, label, " = ", box);
    }

    /** @param {import("./api.d.ts").Value} value */
    function inputBox(value) {
        const box = el("input", {
            autocomplete: "off",
            spellcheck: "false",
            placeholder: (value.dims ?? []).map((dim) => dim ?? "?").join(",") || "as the model says",
            "aria-describedby": "sizes-problem",
            change: compute,
        });
        inputs.set(value.name, box);
        return el("label", { class: "size" }, el("span", { class: "name" }, value.name), " [", box, "]");
    }

    store.watch(["current", "model"], ({ current, model }) => {
        if (!current || !model || drawnFor === current.model) return;
        drawnFor = current.model;
        boxes = new Map();
        inputs = new Map();
        tell(null);
        reset.hidden = true;
        const { settable, values } = model.analysis;
        const given = values.filter((value) => !value.graph && value.node === null && value.dims?.length !== 0);
        bar.hidden = settable.length === 0 && given.length === 0;
        replace(
            bar,
            el("h2", { class: "hidden" }, "Sizes"),
            settable.length > 0 ? el("span", { class: "muted" }, "Sizes:") : null,
            settable.map(symbolBox),
            given.length > 0
                ? el(
                      "details",
                      {},
                      el("summary", {}, "Dimensions of inputs"),
                      el("div", { class: "input-dims" }, given.map(inputBox)),
                  )
                : null,
            reset,
            problem,
        );
        const { set = {}, input = {} } = store.state.sizes;
        for (const [name, box] of boxes) if (set[name] !== undefined) box.value = String(set[name]);
        for (const [name, box] of inputs) box.value = (input[name] ?? []).join(",");
        reset.hidden = Object.keys(set).length + Object.keys(input).length === 0;
    });
    return bar;
}
