/** Where Node finds the WebAssembly. */

import { readFile } from "node:fs/promises";

/** @returns {Promise<BufferSource>} */
export function wasm() {
    return readFile(new URL("./onnxspec.wasm", import.meta.url));
}
