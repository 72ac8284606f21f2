/**
 * Moves and scales a drawing: by wheel, by dragging, by two fingers, by keys and by buttons.
 */

import { button, el, svg } from "page/dom.js";

/** @typedef {{ x: number; y: number }} Point */

const SMALLEST = 0.005;
const LARGEST = 4;
const STEP = 1.3;
/** Below this scale no text can be read, so none is drawn. */
const READABLE = 0.35;
/** A press that moves less is a click. */
const CLICK = 5;

export class Zoom {
    /** @param {string} label */
    constructor(label) {
        this.scale = 1;
        /** @type {Point} */
        this.at = { x: 0, y: 0 };
        this.size = { width: 1, height: 1 };
        /** The size of the view, which is nothing while another view is shown. */
        this.view = { width: 0, height: 0 };
        /** @type {Map<number, Point>} */
        this.pointers = new Map();
        this.moved = 0;
        this.content = svg("g");
        this.drawing = svg(
            "svg",
            { class: "graph whole", role: "group", "aria-label": label, tabindex: 0 },
            this.content,
        );
        this.buttons = el(
            "div",
            { class: "zoom-buttons", role: "group", "aria-label": "Zoom" },
            button({ "aria-label": "Zoom in", title: "Zoom in (+)", click: () => this.zoom(STEP) }, "+"),
            button({ "aria-label": "Zoom out", title: "Zoom out (−)", click: () => this.zoom(1 / STEP) }, "−"),
            button({ title: "Show the whole drawing (0)", click: () => this.fit() }, "Fit"),
        );
        this.listen();
    }

    listen() {
        const { drawing, pointers } = this;
        drawing.addEventListener(
            "wheel",
            (event) => {
                event.preventDefault();
                if (event.ctrlKey || !event.shiftKey) this.zoom(Math.exp(-event.deltaY / 400), this.local(event));
                else this.move(-event.deltaY, 0);
            },
            { passive: false },
        );
        drawing.addEventListener("pointerdown", (event) => {
            if (event.button !== 0) return;
            pointers.set(event.pointerId, this.local(event));
            if (pointers.size === 1) this.moved = 0;
        });
        drawing.addEventListener("pointermove", (event) => {
            const before = pointers.get(event.pointerId);
            if (!before) return;
            const now = this.local(event);
            const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
            if (other) this.zoom(distance(now, other) / Math.max(1, distance(before, other)), other);
            this.move(now.x - before.x, now.y - before.y);
            this.moved += distance(now, before);
            if (this.moved > CLICK && !drawing.hasPointerCapture(event.pointerId))
                drawing.setPointerCapture(event.pointerId);
            pointers.set(event.pointerId, now);
        });
        for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
            drawing.addEventListener(end, (event) => pointers.delete(event.pointerId));
        }
        // The end of a drag is no click on what is below it.
        drawing.addEventListener("click", (event) => this.moved > CLICK && event.stopPropagation(), { capture: true });
        drawing.addEventListener("keydown", (event) => this.keydown(event));
        new ResizeObserver(() => this.resized()).observe(drawing);
    }

    /** What was in the middle stays there, as where a phone is turned. */
    resized() {
        const { clientWidth: width, clientHeight: height } = this.drawing;
        if (width === 0 || height === 0) return;
        const before = this.view;
        this.view = { width, height };
        if (before.width > 0) this.move((width - before.width) / 2, (height - before.height) / 2);
    }

    /** @param {KeyboardEvent} event */
    keydown(event) {
        /** @type {Record<string, () => void>} */
        const keys = {
            "+": () => this.zoom(STEP),
            "=": () => this.zoom(STEP),
            "-": () => this.zoom(1 / STEP),
            0: () => this.fit(),
        };
        const arrows = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
        const arrow = arrows[/** @type {keyof typeof arrows} */ (event.key)];
        const act =
            event.target === this.drawing && arrow ? () => this.move(arrow[0] ?? 0, arrow[1] ?? 0) : keys[event.key];
        if (!act || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        act();
    }

    /**
     * @param {{ clientX: number; clientY: number }} event
     * @returns {Point}
     */
    local(event) {
        const box = this.drawing.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    /**
     * @param {number} x
     * @param {number} y
     */
    move(x, y) {
        this.at = { x: this.at.x + x, y: this.at.y + y };
        this.apply();
    }

    /**
     * @param {number} factor
     * @param {Point} [fixed] The point that stays where it is.
     */
    zoom(factor, fixed) {
        const point = fixed ?? { x: this.drawing.clientWidth / 2, y: this.drawing.clientHeight / 2 };
        const scale = Math.min(LARGEST, Math.max(SMALLEST, this.scale * factor));
        const ratio = scale / this.scale;
        this.at = { x: point.x - (point.x - this.at.x) * ratio, y: point.y - (point.y - this.at.y) * ratio };
        this.scale = scale;
        this.apply();
    }

    fit() {
        const { clientWidth, clientHeight } = this.drawing;
        const scale = Math.min(clientWidth / (this.size.width + 32), clientHeight / (this.size.height + 32), 1);
        this.scale = Math.max(SMALLEST, scale);
        this.at = {
            x: (clientWidth - this.size.width * this.scale) / 2,
            y: Math.max(16, (clientHeight - this.size.height * this.scale) / 2),
        };
        this.apply();
    }

    /**
     * The whole drawing, or what is around a point if it could not be read then.
     * @param {Point} point
     * @param {boolean} middle Whether it comes into the middle, or to the top.
     */
    begin(point, middle) {
        this.fit();
        if (this.scale > 0.6) return;
        this.scale = 0.8;
        const y = point.y * this.scale;
        const half = this.drawing.clientHeight / 2;
        // A point that is in sight from the top of the drawing needs no more.
        const top = y < half ? 16 : (middle ? half : 60) - y;
        this.at = { x: this.drawing.clientWidth / 2 - point.x * this.scale, y: top };
        this.apply();
    }

    /**
     * Brings a point of the drawing into the middle, unless it is in sight.
     * @param {Point} point
     */
    reveal(point) {
        const { clientWidth, clientHeight } = this.drawing;
        if (this.scale < READABLE) this.scale = 0.8;
        const x = point.x * this.scale + this.at.x;
        const y = point.y * this.scale + this.at.y;
        if (x < 60 || y < 40 || x > clientWidth - 60 || y > clientHeight - 40) {
            this.at = { x: clientWidth / 2 - point.x * this.scale, y: clientHeight / 2 - point.y * this.scale };
        }
        this.apply();
    }

    apply() {
        this.content.setAttribute("transform", `translate(${this.at.x} ${this.at.y}) scale(${this.scale})`);
        this.drawing.classList.toggle("far", this.scale < READABLE);
    }
}

/**
 * @param {Point} a
 * @param {Point} b
 */
function distance(a, b) {
    return Math.hypot(a.x - b.x, a.y - b.y);
}
