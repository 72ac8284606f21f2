/**
 * What a model holds and what a run of it takes, as `shape info` says it.
 */

import { count, el, plural, replace, size } from "page/dom.js";
import { section, simpleTable } from "page/parts.js";

/** @typedef {Record<string, any>} Json What `shape info --format json` says. */
/** @typedef {import("page/model.js").Model} Model */

/**
 * A line about the model.
 * @param {Json} info
 * @param {Model} model
 */
function headline(info, model) {
    const imports = (info.imports ?? []).map((/** @type {Json} */ each) => `${each.domain} ${each.opset}`);
    const producer = info.producer?.name ? `made by ${info.producer.name} ${info.producer.version ?? ""}`.trim() : "";
    const known = model.analysis.summary;
    const lost = known && Number(known.values) - Number(known.known);
    const values = known ? `${count(Number(known.known))} of ${plural(Number(known.values), "value")} known` : "";
    return {
        text: [imports.join(", "), `IR version ${info.ir_version}`, producer, plural(info.nodes, "node")],
        values,
        lost,
    };
}

/**
 * The line of the model, above all views.
 * @param {import("page/state.js").Store} store
 * @param {() => void} showUnknown
 */
export function summaryLine(store, showUnknown) {
    const line = el("p", { class: "summary-line" });
    store.watch(["info", "model"], ({ info, model }) => {
        if (!model) return replace(line);
        if (!info) return replace(line, plural(model.rows.length, "row"));
        const { text, values, lost } = headline(info, model);
        const link = lost
            ? el(
                  "button",
                  { type: "button", class: "link", click: showUnknown },
                  `${values}: show the ${plural(Number(lost), "other")}`,
              )
            : values;
        return replace(line, text.filter(Boolean).join(" · "), " · ", link);
    });
    return line;
}

/**
 * An amount that may be a number, an expression or unknown.
 * @param {unknown} amount
 * @param {Model} model
 * @param {(number: number) => string} [render]
 */
function amount(amount, model, render = count) {
    if (amount === null || amount === undefined) return el("span", { class: "muted" }, "depends on symbols");
    if (typeof amount === "number") return render(amount);
    return el("span", { class: "expression" }, model.symbols.dim(String(amount)));
}

/**
 * @param {Json[]} list
 */
function operators(list) {
    return (list ?? [])
        .map((each) => `${each.domain === "ai.onnx" ? "" : `${each.domain}::`}${each.name} ${count(each.nodes)}`)
        .join(", ");
}

/**
 * The memory and the multiply-adds, in symbols or with sizes.
 * @param {Json} costs
 * @param {Model} model
 * @returns {[string, import("page/dom.js").Child | import("page/dom.js").Child[]][]}
 */
function costRows(costs, model) {
    const { activations, multiply_adds: adds } = costs;
    const unit = typeof activations.bytes === "number" ? "" : " bytes";
    return [
        ["Activations", [amount(activations.bytes, model, size), unit, ` in ${plural(activations.values, "value")}`]],
        ["Peak", amount(activations.peak_bytes, model, size)],
        ["Multiply-adds", [amount(adds.sum, model), ` in ${plural(adds.nodes, "node")}`]],
        ["Not counted", operators(adds.not_counted) || "nothing"],
    ];
}

/** No more are told of what a runtime lacks: it may be each node of a model. */
const LACKS = 20;

/**
 * What a runtime supports of the model.
 * @param {import("./api.d.ts").RuntimeSupport} support
 * @returns {[string, import("page/dom.js").Child[]]}
 */
function runtimeRow({ runtime, first, needs, lacks, may_lack: open }) {
    const [name = runtime] = runtime.split(" ");
    const since = first ? `${name} ${first} and later support all of it` : "each known release supports all of it";
    const lines =
        lacks.length > 0
            ? lacks.map((each) => each.message)
            : [...needs, ...open.map((each) => `it is not known whether it lacks ${each.message}`)];
    const shown = lines.slice(0, LACKS).map((line) => el("li", {}, line));
    const more = lines.length > LACKS ? [el("li", {}, `${count(lines.length - LACKS)} more`)] : [];
    return [
        name,
        [
            lacks.length > 0 ? `${runtime} lacks` : since,
            shown.length > 0 ? el("ul", {}, [...shown, ...more]) : null,
        ],
    ];
}

/**
 * @param {Json[]} values
 * @param {Model} model
 */
function ends(values, model) {
    return simpleTable(
        "values",
        ["name", "type", "dimensions"],
        values.map((value) => [value.name, value.type, model.symbols.dims(value.dims)]),
    );
}

/**
 * @param {import("page/state.js").Store} store
 * @param {(operator: string) => void} filterBy
 */
export function summaryView(store, filterBy) {
    const view = el("div", { class: "view" });
    store.watch(["info", "model", "support"], ({ info, model, support }) => {
        if (!info || !model) return replace(view, el("p", { class: "muted" }, "…"));
        const { parameters } = /** @type {Json} */ (info);
        const { text, values } = headline(info, model);
        const rows = [
            ["Values", values],
            ["Subgraphs", count(Number(info.subgraphs))],
            ["Functions", count(Number(info.functions))],
            [
                "Parameters",
                `${count(parameters.elements)} (${size(parameters.bytes)}) in ${plural(parameters.tensors, "tensor")}`,
            ],
            ...parameters.types.map((/** @type {Json} */ each) => [
                `of ${each.type}`,
                `${count(each.elements)} (${size(each.bytes)}) in ${plural(each.tensors, "tensor")}`,
            ]),
            ...costRows(/** @type {Json} */ (info).costs, model),
        ];
        const sized = /** @type {Json | null} */ (info.with_sizes);
        const sizedRows = sized ? costRows(sized, model) : [];
        const fresh = model.analysis.symbols.map((symbol) => [
            model.symbols.dim(symbol.name),
            String(symbol.reason ?? ""),
        ]);
        return replace(
            view,
            el("h2", { tabindex: -1 }, text.filter(Boolean).join(" · ")),
            facts(rows),
            sizedRows.length > 0 ? section("With the sizes that are set", facts(sizedRows)) : null,
            support && support.length > 0 ? section("Runtimes", facts(support.map(runtimeRow))) : null,
            section("Inputs", ends(/** @type {Json} */ (info).inputs, model)),
            section("Outputs", ends(/** @type {Json} */ (info).outputs, model)),
            section("Operators", operatorList(/** @type {Json} */ (info).operators, filterBy)),
            fresh.length > 0
                ? section(
                      "Sizes that nothing names, and where they begin",
                      simpleTable("sizes", ["size", "where"], fresh),
                  )
                : null,
        );
    });
    return view;
}

/** @param {(import("page/dom.js").Child | import("page/dom.js").Child[])[][]} rows */
function facts(rows) {
    return el(
        "dl",
        { class: "facts" },
        rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
    );
}

/**
 * @param {Json[]} list
 * @param {(operator: string) => void} filterBy
 */
function operatorList(list, filterBy) {
    const items = list.map((each) => {
        const name = each.domain === "ai.onnx" ? each.name : `${each.domain}::${each.name}`;
        const link = el(
            "button",
            { type: "button", class: "link", title: "Show its nodes", click: () => filterBy(name) },
            name,
        );
        return el("li", {}, link, ` ${count(each.nodes)}`);
    });
    return el("ul", { class: "inline" }, items);
}
