/**
 * Elements, made without markup: a text is always a text, whatever a model calls its nodes.
 */

const SVG = "http://www.w3.org/2000/svg";
/** Characters that do not show, or that change the order of others; line ends and tabs are left. */
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

/**
 * A text with escapes in place of the characters that do not show, as the command writes them.
 * @param {string} text
 */
export function shown(text) {
    return text.replace(INVISIBLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/**
 * @param {Element} node
 * @param {Attributes} attributes
 * @param {(Child | Child[])[]} children
 */
function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") node.addEventListener(name, value);
        else if (value === true) node.setAttribute(name, "");
        else if (value !== false && value !== null && value !== undefined)
            node.setAttribute(name, shown(String(value)));
    }
    add(node, ...children);
}

/**
 * Appends children; a string becomes a text.
 * @template {Element} T
 * @param {T} node
 * @param {(Child | Child[])[]} children
 */
export function add(node, ...children) {
    for (const child of children.flat()) {
        if (child === null || child === undefined || child === false) continue;
        node.append(child instanceof Node ? child : shown(String(child)));
    }
    return node;
}

/**
 * An element with attributes and children. A function among the attributes listens for the event of its name.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {(Child | Child[])[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    fill(node, attributes, children);
    return node;
}

/**
 * An element of a drawing.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {(Child | Child[])[]} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, attributes = {}, ...children) {
    const node = document.createElementNS(SVG, tag);
    fill(node, attributes, children);
    return node;
}

/**
 * Puts children in the place of those that are there.
 * @template {Element} T
 * @param {T} node
 * @param {(Child | Child[])[]} children
 */
export function replace(node, ...children) {
    node.replaceChildren();
    return add(node, ...children);
}

/**
 * @param {Attributes} attributes
 * @param {(Child | Child[])[]} children
 */
export function button(attributes, ...children) {
    return el("button", { type: "button", ...attributes }, ...children);
}

/**
 * Says something to screen readers; what was said before is replaced.
 * @param {string} text
 */
export function announce(text) {
    const region = document.getElementById("live");
    if (region) region.textContent = shown(text);
}

/**
 * A text in at most so many characters, with the middle left out: names differ most at their ends.
 * @param {string} text
 * @param {number} most
 */
export function shorten(text, most) {
    const characters = [...text];
    if (characters.length <= most) return text;
    const end = Math.ceil((most - 1) * 0.6);
    return `${characters.slice(0, most - 1 - end).join("")}…${characters.slice(-end).join("")}`;
}

/**
 * A number with separators of thousands.
 * @param {number} number
 */
export function count(number) {
    return number.toLocaleString("en-US");
}

/**
 * A number of things: `1 node`, `2 nodes`.
 * @param {number} number
 * @param {string} noun
 */
export function plural(number, noun) {
    return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/**
 * A size of memory.
 * @param {number} bytes
 */
export function size(bytes) {
    let unit = 0;
    let amount = bytes;
    while (amount >= 1024 && unit < UNITS.length - 1) {
        amount /= 1024;
        unit += 1;
    }
    return unit === 0 ? plural(bytes, "byte") : `${amount.toFixed(1)} ${UNITS[unit]}`;
}
