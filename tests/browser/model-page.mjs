/** The model page as a person uses it: by what it shows and what things in it are called. */

import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { built } from "./browser.mjs";

/** @typedef {import("playwright-core").Page} Page */

export const url = pathToFileURL(path.join(built.page, "index.html")).href;

/** @param {Page} page */
export const grid = (page) => page.getByRole("grid", { name: "Nodes and their values" });

/**
 * Chooses files with the button; waits for the table.
 * @param {Page} page
 * @param {string | { name: string, mimeType: string, buffer: Buffer }} file
 */
export async function choose(page, file) {
    await page.getByLabel("Model files").setInputFiles(file);
    await shown(page);
}

/** @param {Page} page */
export async function shown(page) {
    await grid(page).getByRole("row").nth(1).waitFor();
}

/**
 * Drops a file on the page.
 * @param {Page} page
 * @param {string} name
 * @param {Buffer} bytes
 */
export async function drop(page, name, bytes) {
    const transfer = await page.evaluateHandle(
        ({ name, base64 }) => {
            const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
            const transfer = new DataTransfer();
            transfer.items.add(new File([bytes], name));
            return transfer;
        },
        { name, base64: bytes.toString("base64") },
    );
    await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}

/** @typedef {{ operator: string, name: string | null, type: string, known: string, lost: boolean }} Row */

/**
 * All rows of the table, which has only those in sight at a time.
 * @param {Page} page
 * @returns {Promise<Row[]>}
 */
export async function rows(page) {
    return grid(page).evaluate(async (grid) => {
        /** @type {Map<number, Row>} */
        const found = new Map();
        for (let top = 0; ; top += grid.clientHeight / 2) {
            grid.scrollTop = top;
            for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
            for (const row of grid.querySelectorAll('[role="row"]')) {
                const cell = (/** @type {number} */ column) => row.querySelector(`[role="gridcell"][aria-colindex="${column}"]`);
                // A long name is shortened; all of it is in the title.
                const title = cell(5)?.querySelector("button")?.title ?? "";
                const name = /^Why ([^]*) is (?:not known|\S+ )/.exec(title)?.[1] ?? null;
                const [operator, type, known] = [2, 6, 7].map((column) => cell(column)?.textContent?.trim() ?? "");
                const lost = /not fully known/.test(row.textContent ?? "");
                const texts = { operator, name, type, known: known?.replace(/, not fully known$/, ""), lost };
                if (cell(7)) found.set(Number(row.getAttribute("aria-rowindex")), /** @type {Row} */ (texts));
            }
            if (grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1) break;
        }
        grid.scrollTop = 0;
        return [...found].sort(([a], [b]) => a - b).map(([, row]) => row);
    });
}

/**
 * What a row of the table says of its value.
 * @param {Row} row
 */
const said = ({ name, type, known, lost }) => `${name}: ${type} ${known}${lost ? ", not fully known" : ""}`;

/**
 * What the page shows of all values, in the order of the alphabet.
 * @param {Page} page
 */
export async function values(page) {
    return (await rows(page)).filter(({ name }) => name !== null).map(said).sort();
}

/**
 * The same of what the command printed.
 * @param {any[]} printed
 */
export function expected(printed) {
    // A question mark behind what only the model declares.
    const list = (/** @type {any[]} */ entries, /** @type {number[]} */ declared = []) =>
        entries.map((entry, at) => (entry ?? "?") + (declared.includes(at) ? "?" : "")).join(", ");
    const lines = printed.map(({ name, type, dims, value, reason, declared }) => {
        let known = dims === null ? "unknown rank" : `[${list(dims, declared?.dims)}]`;
        if (value) {
            const more = value.length > 8 ? `, … ${value.length - 8} more` : "";
            const elements = list(value.slice(0, 8), declared?.value) + more;
            known += dims?.length === 0 ? ` = ${elements}` : ` = [${elements}]`;
        }
        return said({ operator: "", name, type: type ?? "", known, lost: reason !== null });
    });
    return lines.sort();
}

/**
 * The page with other WebAssembly in it.
 * @param {(wasm: Buffer) => Uint8Array} change
 */
export async function changed(change) {
    const { gunzipSync, gzipSync } = await import("node:zlib");
    const html = await readFile(path.join(built.page, "index.html"), "utf8");
    const config = /(<script type="application\/json" id="page-config">)(.*?)(<\/script>)/s;
    return html.replace(config, (_, before, json, after) => {
        const { wasm, ...rest } = JSON.parse(json);
        const other = gzipSync(change(gunzipSync(Buffer.from(wasm, "base64")))).toString("base64");
        return before + JSON.stringify({ ...rest, wasm: other }) + after;
    });
}
