/**
 * A colour for each symbol, the same wherever it stands, and readable in both themes.
 */

/** The surfaces that a symbol may stand on and that give the least contrast: a chosen row. */
const LIGHT_SURFACE = 0.8;
const DARK_SURFACE = 0.035;
/** WCAG 2.2 asks for 4.5; a little more, since colours are rounded. */
const CONTRAST = 4.7;
/** Hues that are told apart when they are dark and when they are light. */
const HUES = [212, 330, 140, 25, 268, 178, 50, 300, 2, 235, 90, 195];

/** @type {Map<string, { light: string; dark: string }>} */
const colours = new Map();

/**
 * FNV-1a.
 * @param {string} text
 */
function hash(text) {
    let sum = 0x811c9dc5;
    for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193) >>> 0;
    // Names that differ in one letter shall differ in colour too.
    sum = Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d) >>> 0;
    return (sum ^ (sum >>> 12)) >>> 0;
}

/**
 * The relative luminance of a colour, as WCAG defines it.
 * @param {number} hue
 * @param {number} saturation
 * @param {number} lightness
 */
function luminance(hue, saturation, lightness) {
    const spread = saturation * Math.min(lightness, 1 - lightness);
    /** @param {number} offset */
    const channel = (offset) => {
        const place = (offset + hue / 30) % 12;
        const value = lightness - spread * Math.max(-1, Math.min(place - 3, 9 - place, 1));
        return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * channel(0) + 0.7152 * channel(8) + 0.0722 * channel(4);
}

/**
 * The colour with this hue that is nearest to medium lightness and has the contrast.
 * @param {number} hue
 * @param {number} saturation
 * @param {number} surface
 * @param {number} step
 */
function readable(hue, saturation, surface, step) {
    let lightness = 0.5;
    while (lightness > 0.02 && lightness < 0.98) {
        const own = luminance(hue, saturation, lightness);
        const ratio = (Math.max(own, surface) + 0.05) / (Math.min(own, surface) + 0.05);
        if (ratio >= CONTRAST && own < surface === step < 0) break;
        lightness += step;
    }
    return `hsl(${hue} ${Math.round(saturation * 100)}% ${(lightness * 100).toFixed(0)}%)`;
}

const PALETTE = HUES.map((hue) => ({
    light: readable(hue, 0.75, LIGHT_SURFACE, -0.01),
    dark: readable(hue, 0.7, DARK_SURFACE, 0.01),
}));

/**
 * The colours of a symbol for the light theme and the dark one.
 * @param {string} name
 */
export function coloursOf(name) {
    return colours.get(name) ?? PALETTE[hash(name) % PALETTE.length] ?? { light: "inherit", dark: "inherit" };
}

/**
 * Gives the symbols of a model colours that differ, while there are some left. A name has its own colour, and if an
 * earlier symbol has that, the next one that is free.
 * @param {Iterable<string>} names
 */
export function assignColours(names) {
    colours.clear();
    const taken = new Set();
    for (const name of names) {
        let at = hash(name) % PALETTE.length;
        while (taken.has(at) && taken.size < PALETTE.length) at = (at + 1) % PALETTE.length;
        taken.add(at);
        const found = PALETTE[at];
        if (found) colours.set(name, found);
    }
}

/**
 * Gives an element the colour of a symbol; `style.css` takes that of the theme.
 * @param {HTMLElement | SVGElement} node
 * @param {string} name
 */
export function colour(node, name) {
    const { light, dark } = coloursOf(name);
    node.style.setProperty("--light", light);
    node.style.setProperty("--dark", dark);
}
