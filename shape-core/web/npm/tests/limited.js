/** WebAssembly with little memory, so that a model that needs more of it traps. */

/**
 * The WebAssembly with a limit on its memory.
 * @param {Uint8Array} wasm
 * @param {number} pages How much its memory may grow, in pages of 64 KiB.
 */
export function limited(wasm, pages) {
    const MEMORIES = 5;
    let at = 8;
    for (;;) {
        const id = wasm[at];
        const size = number(wasm, at + 1);
        if (id === MEMORIES) {
            // The number of memories, whether there is a limit, and the pages at the beginning.
            const least = number(wasm, size.end + 2).value;
            const limits = [1, 1, ...bytesOf(least), ...bytesOf(least + pages)];
            const section = [MEMORIES, ...bytesOf(limits.length), ...limits];
            return concat(wasm.subarray(0, at), Uint8Array.from(section), wasm.subarray(size.end + size.value));
        }
        at = size.end + size.value;
    }
}

/**
 * A number in the encoding LEB128.
 * @param {Uint8Array} bytes
 * @param {number} at
 */
function number(bytes, at) {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++] ?? 0;
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) return { value, end: at };
    }
}

/** @param {number} value */
function bytesOf(value) {
    const bytes = [];
    for (; value >= 0x80; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
    return [...bytes, value];
}

/** @param {Uint8Array[]} parts */
function concat(...parts) {
    const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of parts) {
        all.set(part, at);
        at += part.length;
    }
    return all;
}
