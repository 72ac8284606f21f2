/**
 * What runs in the worker: the WebAssembly, and the files that it reads. It answers one message at a time.
 */

/** A weight that is larger than this is not read: no shape depends on its elements. */
const MOST_BESIDE = 64 * 1024 * 1024;
/** What is read beside a model in all. */
const MOST_BESIDE_IN_ALL = 256 * 1024 * 1024;

/**
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {(length: number) => number} alloc
 * @property {(pointer: number, length: number) => void} free
 * @property {(pointer: number, length: number) => number} ask
 * @property {() => number} [panic_message] What a panic said, as `ask` answers.
 */

/** @type {Exports | null} */
let wasm = null;

/**
 * @param {BlobPart} gzipped
 */
async function start(gzipped) {
    const stream = new Blob([gzipped]).stream().pipeThrough(new DecompressionStream("gzip"));
    const bytes = await new Response(stream).arrayBuffer();
    const { instance } = await WebAssembly.instantiate(bytes, {});
    wasm = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
}

/** @returns {Exports} */
function exports() {
    if (!wasm) throw new Error("the engine has not started");
    return wasm;
}

/**
 * Room for so many bytes in the memory of the engine.
 * @param {number} length
 */
function alloc(length) {
    const pointer = exports().alloc(length) >>> 0;
    if (pointer === 0 && length > 0) throw new Error("there is not enough memory for this file");
    return pointer;
}

/**
 * The text at a pointer: its length as four bytes, and then UTF-8.
 * @param {number} pointer
 */
function textAt(pointer) {
    const { buffer } = exports().memory;
    const length = new DataView(buffer).getUint32(pointer, true);
    return { text: new TextDecoder().decode(new Uint8Array(buffer, pointer + 4, length)), length };
}

/**
 * An answer as text: the page takes it apart, which is quicker than to copy its parts from here to there.
 * @param {object} request
 */
function ask(request) {
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const pointer = alloc(bytes.length);
    new Uint8Array(exports().memory.buffer, pointer, bytes.length).set(bytes);
    const answer = exports().ask(pointer, bytes.length) >>> 0;
    exports().free(pointer, bytes.length);
    const { text, length } = textAt(answer);
    exports().free(answer, 4 + length);
    return text;
}

/**
 * Copies a file into the memory of the engine, piece by piece: it is never there twice.
 * @param {File} file
 * @returns {Promise<[number, number]>}
 */
async function copy(file) {
    const pointer = alloc(file.size);
    let at = 0;
    const reader = file.stream().getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        if (at + piece.value.length > file.size) throw new Error(`${file.name} grew while it was read; open it again`);
        new Uint8Array(exports().memory.buffer, pointer + at, piece.value.length).set(piece.value);
        at += piece.value.length;
    }
    if (at < file.size) throw new Error(`${file.name} shrank while it was read; open it again`);
    return [pointer, file.size];
}

/** @type {Record<string, (message: any) => Promise<unknown>>} */
const TASKS = {
    start: ({ wasm: gzipped }) => start(gzipped),
    ask: async ({ request }) => ask(request),
    open: async ({ name, file, beside }) => {
        /** @type {Record<string, [number, number]>} */
        const copies = {};
        let room = MOST_BESIDE_IN_ALL;
        for (const [path, other] of /** @type {Map<string, File>} */ (beside)) {
            if (other.size > MOST_BESIDE || other.size > room) continue;
            room -= other.size;
            copies[path] = await copy(other);
        }
        return ask({ question: "open", name, file: await copy(file), beside: copies });
    },
    bytes: async ({ model }) => {
        const answer = JSON.parse(ask({ question: "bytes", model }));
        if (answer.error !== undefined) return answer;
        const [pointer, length] = answer.answer;
        const bytes = new Uint8Array(exports().memory.buffer, pointer, length).slice();
        exports().free(pointer, length);
        return { answer: bytes };
    },
};

/**
 * What to say of an error. A trap leaves the engine in no state to go on with.
 * @param {unknown} error
 */
function failure(error) {
    const trap = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    let message = error instanceof Error ? error.message : String(error);
    try {
        const pointer = trap ? (wasm?.panic_message?.() ?? 0) >>> 0 : 0;
        if (pointer) message = textAt(pointer).text || message;
    } catch {
        // Then what the trap itself says is all that is known.
    }
    return { trap, message };
}

// One after the other, so that no message meets an engine that is busy with a file.
let last = Promise.resolve();
self.addEventListener("message", ({ data }) => {
    last = last.then(async () => {
        try {
            const result = await TASKS[data.task]?.(data);
            self.postMessage({ id: data.id, result });
        } catch (error) {
            self.postMessage({ id: data.id, ...failure(error) });
        }
    });
});

export {};
