/** Where a browser finds the WebAssembly; bundlers know this form of a URL, and bring the file along. */

/** @returns {Promise<BufferSource>} */
export async function wasm() {
    const url = new URL("./onnxspec.wasm", import.meta.url);
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url} answers ${response.status}; serve the file, or pass its bytes to \`load\``);
    return response.arrayBuffer();
}
