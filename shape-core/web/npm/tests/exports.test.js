import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { Instance } from "../instance.js";

const module = await WebAssembly.compile(await readFile(new URL("../onnxspec.wasm", import.meta.url)));

test("an address that is no buffer is refused, and nothing is read there", () => {
    const instance = new Instance(module);
    const { exports } = instance;
    for (const [address, length] of /** @type {[number, number][]} */ ([[0, 8], [1024, 8], [-4, 8], [8, -1]])) {
        assert.match(instance.text(exports.ask(address, length) >>> 0).text, /"error":"there is no buffer of/);
        exports.free(address, length);
    }
    assert.throws(() => instance.ask("open", { name: "x", file: [4096, 16] }), { code: "refused", message: /no buffer/ });
    const [address, length] = instance.copy(new Uint8Array(16));
    assert.throws(() => instance.ask("open", { name: "x", file: [address, length - 1] }), { code: "refused", message: /no buffer/ });
    exports.free(address, length);
    exports.free(address, length);
    assert.throws(() => instance.ask("open", { name: "x", file: [address, length] }), { code: "refused", message: /no buffer/ });
    assert.equal(exports.panic_message(), 0);
});

test("what there is no memory for has no address", () => {
    assert.throws(() => new Instance(module).copy(/** @type {any} */ ({ length: 2 ** 32 - 1 })), { code: "memory" });
});

test("an engine needs nothing from outside, and says how it is called", () => {
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    const functions = WebAssembly.Module.exports(module).filter(({ kind }) => kind === "function").map(({ name }) => name);
    assert.deepEqual(functions.sort(), ["alloc", "ask", "free", "panic_message"]);
});

test("the memory of buffers is used again", () => {
    const instance = new Instance(module);
    const model = new Uint8Array(8 * 1024 * 1024);
    for (let times = 0; times < 20; times += 1) {
        const pair = instance.copy(model);
        instance.exports.free(...pair);
    }
    assert.ok(instance.exports.memory.buffer.byteLength < 64 * 1024 * 1024);
});
