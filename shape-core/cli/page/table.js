/**
 * The table of nodes. Only the rows in sight are in the page, so that 20,000 of them scroll as 20 do.
 */

import { add, el } from "page/dom.js";
import { filtered } from "page/filter.js";
import { COLUMNS, makeRow } from "page/row.js";

/** @typedef {import("page/model.js").Row} Row */

/** Rows above and below those in sight. */
const MARGIN = 8;

/**
 * @param {import("page/state.js").Store} store
 * @param {import("page/row.js").Actions} actions
 * @param {(rows: number, all: number) => void} report
 */
export function createTable(store, actions, report) {
    /** @type {Row[]} */
    let rows = [];
    /** @type {Map<number, HTMLElement>} */
    let drawn = new Map();
    /** The row and the stop in it that the Tab key goes to. */
    let active = { row: 0, stop: 0 };
    /** The column that the arrow keys go up and down in. */
    let column = 0;
    let height = 32;
    let waiting = false;

    const head = el("div", { role: "row", "aria-rowindex": 1, class: "row head" });
    COLUMNS.forEach((name, at) => {
        add(head, el("div", { role: "columnheader", "aria-colindex": at + 1, class: `cell c${at + 1}` }, name));
    });
    const body = el("div", { role: "rowgroup", class: "body" });
    const grid = el(
        "div",
        {
            role: "grid",
            "aria-label": "Nodes and their values",
            "aria-colcount": COLUMNS.length,
            class: "grid",
            keydown,
            focusin,
        },
        el("div", { role: "rowgroup", class: "headings" }, head),
        body,
    );
    const empty = el("p", { class: "empty", hidden: true }, "No row is left. “Show all” takes the filter away.");

    const later = () => {
        if (waiting) return;
        waiting = true;
        requestAnimationFrame(() => {
            waiting = false;
            draw();
        });
    };
    grid.addEventListener("scroll", later, { passive: true });
    new ResizeObserver(() => {
        const wanted = Number.parseFloat(getComputedStyle(grid).getPropertyValue("--row")) || 32;
        if (wanted !== height) {
            height = wanted;
            reset();
        }
        later();
    }).observe(grid);

    /** @param {HTMLElement | undefined} line */
    const stops = (line) => {
        const found = /** @type {HTMLElement[]} */ ([...(line?.querySelectorAll("[data-stop]") ?? [])]);
        // Some cells are not shown where the page is narrow.
        const visible = found.filter((stop) => stop.checkVisibility({ visibilityProperty: true }));
        return visible.length > 0 || !line ? visible : [line];
    };

    function reset() {
        for (const line of drawn.values()) line.remove();
        drawn = new Map();
        body.style.height = `${rows.length * height}px`;
        grid.setAttribute("aria-rowcount", String(rows.length + 1));
        empty.hidden = rows.length > 0;
    }

    /** @param {number} index */
    function line(index) {
        const model = store.state.model;
        const row = rows[index];
        const there = drawn.get(index);
        if (there || !model || !row) return there;
        const made = makeRow(model, row, index, actions);
        made.style.transform = `translateY(${index * height}px)`;
        made.addEventListener("click", (event) => {
            const target = /** @type {Element} */ (event.target);
            if (row.node >= 0 && !target.closest("button") && !String(getSelection())) actions.openNode(row);
        });
        // A row in which nothing can be chosen has the focus itself.
        made.setAttribute("data-stop", "");
        made.tabIndex = -1;
        drawn.set(index, made);
        return made;
    }

    function draw() {
        const first = Math.max(0, Math.floor(grid.scrollTop / height) - MARGIN);
        const last = Math.min(rows.length, Math.ceil((grid.scrollTop + grid.clientHeight) / height) + MARGIN);
        for (const [index, row] of drawn) {
            // The row with the focus stays, so that the focus does.
            if ((index >= first && index < last) || index === active.row) continue;
            row.remove();
            drawn.delete(index);
        }
        const fresh = document.createDocumentFragment();
        for (let index = first; index < last; index += 1) {
            if (!drawn.has(index)) fresh.append(line(index) ?? "");
        }
        if (active.row < rows.length && !drawn.has(active.row)) fresh.append(line(active.row) ?? "");
        body.append(fresh);
        mark();
    }

    function mark() {
        for (const stop of body.querySelectorAll('[data-stop][tabindex="0"]')) stop.setAttribute("tabindex", "-1");
        const of = stops(drawn.get(active.row));
        of[Math.min(active.stop, of.length - 1)]?.setAttribute("tabindex", "0");
    }

    /** @param {Element | undefined} stop */
    const columnOf = (stop) => Number(stop?.closest("[aria-colindex]")?.getAttribute("aria-colindex") ?? 0);

    /**
     * @param {number} row
     * @param {number} [stop] Where in the row; without it, in the column of before.
     */
    function focus(row, stop) {
        active = { row: Math.max(0, Math.min(row, rows.length - 1)), stop: Math.max(0, stop ?? 0) };
        const top = active.row * height;
        const room = grid.clientHeight - head.offsetHeight - height;
        if (top < grid.scrollTop) grid.scrollTop = top;
        else if (top > grid.scrollTop + room) grid.scrollTop = top - room;
        draw();
        const of = stops(drawn.get(active.row));
        const same = stop === undefined ? of.findIndex((each) => columnOf(each) >= column) : active.stop;
        active.stop = same < 0 ? of.length - 1 : Math.min(same, of.length - 1);
        const wanted = column;
        of[active.stop]?.focus({ preventScroll: true });
        // A row that lacks the column does not change it.
        if (stop === undefined) column = wanted;
    }

    /** @param {FocusEvent} event */
    function focusin(event) {
        const target = /** @type {HTMLElement} */ (event.target);
        for (const [index, row] of drawn) {
            if (!row.contains(target)) continue;
            active = { row: index, stop: Math.max(0, stops(row).indexOf(target)) };
            column = columnOf(target);
            mark();
        }
    }

    /** @param {KeyboardEvent} event */
    function keydown(event) {
        const page = Math.max(1, Math.floor((grid.clientHeight - head.offsetHeight) / height) - 1);
        const { row, stop } = active;
        /** @type {Record<string, [number, number?]>} */
        const moves = {
            ArrowDown: [row + 1],
            ArrowUp: [row - 1],
            PageDown: [row + page],
            PageUp: [row - page],
            ArrowRight: [row, stop + 1],
            ArrowLeft: [row, stop - 1],
            Home: event.ctrlKey ? [0, 0] : [row, 0],
            End: event.ctrlKey ? [rows.length - 1, Infinity] : [row, Infinity],
        };
        const move = moves[event.key];
        if (!move || event.altKey || event.metaKey) return;
        event.preventDefault();
        focus(...move);
    }

    store.watch(["model", "scope", "filter", "checked"], ({ model, scope, filter }) => {
        const before = rows;
        rows = model ? filtered(model.rows, filter, scope) : [];
        reset();
        if (before.length !== rows.length) {
            active = { row: 0, stop: 0 };
            grid.scrollTop = 0;
        }
        draw();
        if (model) report(rows.length, model.rows.length);
    });

    return {
        element: el("div", { class: "table" }, grid, empty),
        /**
         * Moves the focus to the row of a node, if the filter leaves it.
         * @param {import("page/model.js").Place} place
         */
        goTo(place) {
            const at = rows.findIndex((row) => row.graph === place.graph && row.node === place.node);
            if (at >= 0) focus(at, 0);
        },
        redraw: later,
    };
}
