/**
 * Files that a person drops or chooses: models, and what lies beside them; and files that a person saves.
 */

import { button, el } from "page/dom.js";

/** @typedef {{ file: File; beside: Map<string, File> }} Chosen */

/** A folder with more files is no folder of a model. */
const MOST_FILES = 2000;
const MODELS = /\.(onnx|ort|onnx\.textproto)$/i;

/**
 * The models among files, each with the others by their paths beside it.
 * @param {{ path: string; file: File }[]} entries
 * @returns {Chosen[]}
 */
export function modelsOf(entries) {
    const named = entries.filter(({ path }) => MODELS.test(path));
    // One file alone is a model, whatever it is called.
    const models = named.length > 0 ? named : entries.length === 1 ? entries : [];
    return models.map(({ path, file }) => {
        const folder = path.slice(0, path.lastIndexOf("/") + 1);
        const beside = new Map(
            entries
                .filter((other) => other.path !== path && other.path.startsWith(folder) && !MODELS.test(other.path))
                .map((other) => [other.path.slice(folder.length), other.file]),
        );
        return { file, beside };
    });
}

/**
 * The files of a folder that was dropped.
 * @param {FileSystemEntry} entry
 * @param {{ path: string; file: File }[]} found
 */
async function collect(entry, found) {
    if (found.length > MOST_FILES) return;
    if (entry.isFile) {
        const file = await new Promise((resolve, reject) =>
            /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject),
        );
        found.push({ path: entry.fullPath.replace(/^\//, ""), file });
    } else if (entry.isDirectory) {
        const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
        for (;;) {
            /** @type {FileSystemEntry[]} */
            const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
            if (some.length === 0) break;
            for (const each of some) await collect(each, found);
        }
    }
}

/**
 * @param {DataTransfer} transfer
 */
async function dropped(transfer) {
    // The entries are gone after the first pause, so all are taken before.
    const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
    const plain = [...transfer.files].map((file) => ({ path: file.name, file }));
    if (!entries.some((entry) => entry.isDirectory)) return plain;
    /** @type {{ path: string; file: File }[]} */
    const found = [];
    for (const entry of entries) await collect(entry, found);
    return found;
}

/**
 * Buttons that open files or a folder, and the page as a place to drop them.
 * @param {(chosen: Chosen[], count: number) => void} open
 */
export function fileOpener(open) {
    /** @param {{ path: string; file: File }[]} entries */
    const take = (entries) => entries.length > 0 && open(modelsOf(entries), entries.length);
    /** @param {boolean} folder */
    const chooser = (folder) => {
        const input = el("input", {
            type: "file",
            multiple: true,
            webkitdirectory: folder,
            hidden: true,
            tabindex: -1,
        });
        input.addEventListener("change", () => {
            take([...(input.files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
            input.value = "";
        });
        return input;
    };
    const files = chooser(false);
    const folder = chooser(true);
    files.setAttribute("aria-label", "Model files");
    folder.setAttribute("aria-label", "Folder of a model");
    let depth = 0;
    /** @param {number} change */
    const hover = (change) => {
        depth = Math.max(0, depth + change);
        document.body.classList.toggle("dropping", depth > 0);
    };
    /** @param {DragEvent} event */
    const isFile = (event) => event.dataTransfer?.types.includes("Files");
    document.addEventListener("dragenter", (event) => isFile(event) && hover(1));
    document.addEventListener("dragleave", (event) => isFile(event) && hover(-1));
    document.addEventListener("dragover", (event) => isFile(event) && event.preventDefault());
    document.addEventListener("drop", (event) => {
        if (!event.dataTransfer || !isFile(event)) return;
        event.preventDefault();
        hover(-depth);
        void dropped(event.dataTransfer).then(take);
    });
    return {
        inputs: [files, folder],
        openFile: () => button({ class: "primary", click: () => files.click() }, "Open a model"),
        openFolder: () => button({ click: () => folder.click() }, "Open a folder"),
    };
}

/**
 * Lets the person save bytes as a file.
 * @param {Uint8Array} bytes
 * @param {string} name
 */
export function download(bytes, name) {
    const url = URL.createObjectURL(new Blob([/** @type {BlobPart} */ (bytes)], { type: "application/octet-stream" }));
    const link = el("a", { href: url, download: name.replace(/[^\p{L}\p{N}._ ()+-]/gu, "_") });
    link.click();
    // The browser reads it after the click; a minute is ample.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
