import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";

import * as onnxspec from "onnxspec";
import { limited } from "./limited.js";

const root = process.env["SHAPE_ROOT"] ?? "";
const wasm = await readFile(new URL("../onnxspec.wasm", import.meta.url));
const attention = await readFile(path.join(root, "tests/models/attention.onnx"));

test("what is no WebAssembly is refused, and other bytes may follow", async () => {
    await assert.rejects(onnxspec.load(new Uint8Array(8)), { code: "load" });
});

test("after a trap the package goes on", async () => {
    await onnxspec.load(limited(wasm, 16));
    const small = await onnxspec.open(attention, { name: "small.onnx" });
    const before = small.infer();
    // It does not fit beside what is known of it.
    const large = await readFile(path.join(root, "tests/verification/conformance/corpus/detr_script.onnx"));
    await assert.rejects(onnxspec.infer(large), { code: "trap", message: /memory/ });
    assert.deepEqual(small.infer(), before);
    small.close();
});

test("a model that trapped is opened again", async (t) => {
    let calls = 0;
    const Real = WebAssembly.Instance;
    t.mock.method(WebAssembly, "Instance", function (/** @type {WebAssembly.Module} */ module) {
        const { exports } = new Real(module);
        const ask = (/** @type {number[]} */ ...question) => {
            calls += 1;
            if (calls === 3) throw new WebAssembly.RuntimeError("unreachable");
            return /** @type {Function} */ (exports["ask"])(...question);
        };
        return { exports: { ...exports, ask } };
    });
    const model = await onnxspec.open(attention);
    const before = model.infer();
    assert.throws(() => model.infer(), { code: "trap", message: /unreachable/ });
    assert.deepEqual(model.infer(), before);
    assert.equal(calls, 5, "opened, asked, trapped, opened, asked");
    model.close();
});
