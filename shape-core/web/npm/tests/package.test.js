import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";

import * as onnxspec from "onnxspec";

const root = process.env["SHAPE_ROOT"] ?? "";
/** @param {string} name */
const model = (name) => readFile(path.join(root, name));
const attention = await model("tests/models/attention.onnx");

/**
 * @param {import("onnxspec").Analysis} analysis
 * @param {string} name
 */
const dims = (analysis, name) => analysis.values.find((value) => value.name === name)?.dims;

test("the dimensions of a model are inferred", async () => {
    const analysis = await onnxspec.infer(attention);
    assert.deepEqual(dims(analysis, "/attn/MatMul_output_0"), ["batch", 4, "seq", "seq"]);
    assert.deepEqual(analysis.settable, ["batch", "seq"]);
    assert.equal(analysis.graphs[0]?.kind, "main");
});

test("symbols and inputs get sizes", async () => {
    const set = await onnxspec.infer(attention, { set: { batch: 2 } });
    assert.deepEqual(dims(set, "/attn/MatMul_output_0"), [2, 4, "seq", "seq"]);
    const input = await onnxspec.infer(attention, { input: { x: [3, 5, 64] } });
    assert.deepEqual(dims(input, "/attn/MatMul_output_0"), [3, 4, 5, 5]);
});

test("what is wrong is reported", async () => {
    assert.deepEqual((await onnxspec.check(attention)).findings, []);
    const acme = await onnxspec.check(await model("tests/models/acme.onnx"), { name: "acme.onnx" });
    assert.notEqual(acme.findings.length, 0);
    assert.equal(acme.findings[0]?.model, "acme.onnx");
});

test("a model answers more than one question", async () => {
    const open = await onnxspec.open(attention);
    assert.equal(open.name, "model.onnx");
    const why = open.why("/attn/Gather_output_0");
    assert.deepEqual(why.steps.map((step) => step.node.op_type), ["Shape", "Gather"]);
    assert.equal(open.node(0, 6).op_type, "Shape");
    assert.ok(Object.keys(open.info()).length > 3);
    const [support] = open.support();
    assert.match(support?.runtime ?? "", /^onnxruntime-cpu \d/);
    assert.deepEqual([support?.first, support?.lacks, support?.may_lack], [null, [], []]);
    open.close();
    assert.throws(() => open.check(), { name: "OnnxspecError", code: "closed" });
});

test("edits give bytes that are models", async () => {
    const open = await onnxspec.open(attention);
    const simplified = open.simplify();
    assert.ok(simplified.bytes);
    const fewer = await onnxspec.infer(simplified.bytes);
    const nodes = open.infer().graphs[0]?.nodes.length ?? 0;
    assert.ok((fewer.graphs[0]?.nodes.length ?? nodes) < nodes);
    const annotated = open.annotate({ set: { batch: 7 } });
    assert.ok(annotated.bytes && annotated.bytes.length > attention.length);
    const converted = open.convert(24);
    assert.ok(converted.bytes);
    assert.deepEqual((await onnxspec.check(converted.bytes)).findings, []);
    const refused = open.convert(1);
    assert.equal(refused.bytes, null);
    assert.notEqual(refused.report.findings.length, 0);
    open.close();
});

test("operators and codes are explained", async () => {
    const lstm = JSON.stringify(await onnxspec.operator("LSTM", 22));
    assert.match(lstm, /layout/);
    assert.match((await onnxspec.explain("dims-mismatch")).text, /\w/);
    await assert.rejects(onnxspec.explain("no-such-code"), { code: "refused" });
});

test("what the command refuses is refused in its words", async () => {
    await assert.rejects(onnxspec.infer(new TextEncoder().encode("no model")), { code: "refused", message: /onnx|model|field/i });
    await assert.rejects(onnxspec.infer(new Uint8Array()), { code: "refused" });
    const unknown = onnxspec.infer(attention, { set: { nobody: 1 } });
    await assert.rejects(unknown, { code: "refused", message: /nobody/ });
    // @ts-expect-error The types say so already.
    await assert.rejects(onnxspec.infer("model.onnx"), TypeError);
    await assert.rejects(onnxspec.open(/** @type {any} */ ({ length: 2 ** 33 })), TypeError);
});

test("external data is found beside the model, and missed by no dimension", async () => {
    const bert = await model("tests/verification/conformance/corpus/bert_dynamo.onnx");
    const open = await onnxspec.open(bert, { beside: { "bert_dynamo.onnx.data": new Uint8Array(16) } });
    assert.ok(open.infer().values.length > 100);
    open.close();
});
