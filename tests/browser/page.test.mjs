/** The model page opens models, and shows of them what the command prints. */

import assert from "node:assert/strict";
import { mkdtemp, open as openFile, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";

import { open, root } from "./browser.mjs";
import { json, refusal } from "./command.mjs";
import { choose, drop, expected, grid, rows, shown, url, values } from "./model-page.mjs";
import * as models from "./models.mjs";

const folder = await mkdtemp(path.join(os.tmpdir(), "shape-"));
after(() => rm(folder, { recursive: true }));

/**
 * A model of the tests as a file.
 * @param {string} name
 * @param {Buffer} bytes
 */
async function written(name, bytes) {
    const file = path.join(folder, name);
    await writeFile(file, bytes);
    return file;
}

const corpus = path.join(root, "tests/verification/conformance/corpus");
const attention = path.join(root, "tests/models/attention.onnx");
const files = {
    attention,
    unknown: path.join(corpus, "gpt2_dynamo.onnx"),
    quantized: path.join(corpus, "optimized/resnet_qdq_all.onnx"),
    fused: path.join(corpus, "optimized/llama_4_bits.onnx"),
    loop: await written("loop.onnx", models.loop()),
    wrong: await written("wrong.onnx", models.wrong()),
};

/**
 * @param {import("node:test").TestContext} t
 * @param {string} file
 */
async function opened(t, file) {
    const { page } = await open(t);
    await page.goto(url);
    await choose(page, file);
    return page;
}

for (const [kind, file] of Object.entries(files)) {
    test(`${kind}: the table has the values of the command`, async (t) => {
        const page = await opened(t, file);
        assert.deepEqual(await values(page), expected(json("infer", file).values));
        await page.getByRole("tab", { name: "Findings" }).click();
        await page.getByRole("button", { name: "Check", exact: true }).click();
        const { findings } = json("check", file);
        await page.getByText("As shape check reports them.", { exact: false }).or(page.getByText("As `shape check`")).waitFor();
        const text = await page.getByRole("tabpanel").innerText();
        for (const finding of findings) for (const part of [finding.code, finding.help]) assert.ok(!part || text.includes(part.replaceAll("`", "")), part);
        const severities = findings.filter((/** @type {any} */ finding) => finding.severity === "error").length;
        if (severities > 0) assert.match(text, new RegExp(`${severities} error`));
    });
}

test("the summary tells the first release that supports all of a model, or what a runtime lacks", async (t) => {
    for (const [file, names] of /** @type {[string, string[]][]} */ ([
        [await written("recent.onnx", models.recent()), []],
        [attention, []],
        [files.wrong, ["NoSuchOperator"]],
    ])) {
        const page = await opened(t, file);
        await page.getByRole("tab", { name: "Summary" }).click();
        await page.getByRole("heading", { name: "Runtimes" }).waitFor();
        const text = await page.getByRole("tabpanel").innerText();
        const { releases, lacks } = json("ops", "--model", file, "--runtime", "onnxruntime-cpu").models[0];
        assert.equal(lacks.length, names.length);
        assert.ok(names.every((name) => text.includes(`operator ${name}`)), text);
        if (names.length === 0) {
            assert.ok(text.includes(releases.first ? `${releases.first} and later support all of it` : "each known release"), text);
        }
        assert.equal(Boolean(releases.first), file.endsWith("recent.onnx"));
    }
});

test("a size that is typed is computed with at once", async (t) => {
    const page = await opened(t, attention);
    await page.getByRole("textbox", { name: "batch" }).fill("2");
    await grid(page).getByText("[2, seq, 64]").first().waitFor();
    await page.getByRole("textbox", { name: "seq" }).fill("7");
    await grid(page).getByText("[2, 7, 64]").first().waitFor();
    assert.deepEqual(await values(page), expected(json("infer", attention, "--set", "batch=2", "--set", "seq=7").values));
    await page.getByRole("textbox", { name: "seq" }).fill("seven");
    await page.getByRole("alert").filter({ hasText: "whole number" }).waitFor();
});

test("a file that is dropped opens", async (t) => {
    const { page } = await open(t);
    await page.goto(url);
    await drop(page, "attention.onnx", await readFile(attention));
    await shown(page);
    await page.getByRole("heading", { level: 1 }).waitFor();
    assert.match(await page.title(), /^attention\.onnx/);
});

test("the table is used with the keyboard alone", async (t) => {
    const page = await opened(t, attention);
    const count = Number(await grid(page).getAttribute("aria-rowcount"));
    await grid(page).getByRole("button").first().focus();
    const row = () => page.evaluate(() => Number(document.activeElement?.closest('[role="row"]')?.getAttribute("aria-rowindex")));
    const first = await row();
    await page.keyboard.press("ArrowDown");
    assert.equal(await row(), first + 1);
    await page.keyboard.press("Control+End");
    assert.equal(await row(), count);
    await page.keyboard.press("PageUp");
    assert.ok((await row()) < count);
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowDown");
    const label = await page.evaluate(() => document.activeElement?.textContent);
    await page.keyboard.press("Enter");
    await page.getByRole("complementary").getByRole("heading", { level: 2 }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("complementary").waitFor({ state: "hidden" });
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), label, "the focus is where it was");
});

test("20,000 rows are searched and filtered", async (t) => {
    const { page } = await open(t);
    await page.goto(url);
    await drop(page, "long.onnx", models.chain(20000));
    await shown(page);
    assert.equal(await grid(page).getAttribute("aria-rowcount"), "20002");
    assert.ok((await grid(page).getByRole("row").count()) < 200, "rows out of sight are not in the page");
    await page.getByRole("searchbox", { name: "Search" }).fill("node_12345");
    await grid(page).getByText("value_12345", { exact: false }).first().waitFor();
    assert.equal(await grid(page).getAttribute("aria-rowcount"), "2");
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByRole("combobox", { name: "Operator" }).selectOption("Transpose");
    assert.equal(await grid(page).getAttribute("aria-rowcount"), "6667");
    await page.getByRole("checkbox", { name: "not fully known" }).check();
    assert.equal(await grid(page).getAttribute("aria-rowcount"), "1");
});

test("a value leads to its reasons, a node to its operator", async (t) => {
    const page = await opened(t, attention);
    const panel = page.getByRole("complementary");
    await page.getByRole("searchbox", { name: "Search" }).fill("/attn/Gather_output_0");
    await grid(page).getByTitle("Why /attn/Gather_output_0", { exact: false }).first().click();
    await panel.getByRole("heading", { name: "How it was inferred" }).waitFor();
    const { steps } = json("infer", attention, "--why", "/attn/Gather_output_0");
    assert.notEqual(steps.length, 0);
    const text = await panel.innerText();
    for (const step of steps) for (const rule of step.rules) assert.ok(text.includes(rule), rule);
    await panel.getByRole("button", { name: /Gather-13/ }).click();
    await panel.getByRole("heading", { name: "Attributes" }).waitFor();
    assert.match(await panel.innerText(), /axis/);
    await panel.getByRole("button", { name: "All about Gather" }).click();
    await panel.getByText("Operator", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
});

test("a drawing stays in sight when the window is narrowed", async (t) => {
    const page = await opened(t, attention);
    await page.getByRole("tab", { name: "Drawing" }).click();
    const drawing = page.getByRole("group", { name: /^Drawing of the graph/ });
    await drawing.locator(".box").first().waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.waitForTimeout(200);
    const inSight = await drawing.evaluate((view) => {
        const { left, right, top, bottom } = view.getBoundingClientRect();
        return [...view.querySelectorAll(".box")].filter((box) => {
            const at = box.getBoundingClientRect();
            return at.right > left && at.left < right && at.bottom > top && at.top < bottom;
        }).length;
    });
    assert.ok(inSight > 0);
});

test("any operator is looked up", async (t) => {
    const page = await opened(t, attention);
    await page.getByRole("searchbox", { name: "Look an operator up" }).fill("LSTM");
    await page.keyboard.press("Enter");
    const panel = page.getByRole("complementary");
    await panel.getByRole("heading", { name: "LSTM" }).waitFor();
    const layout = json("show", "LSTM").operator.versions[0].attributes.find((/** @type {any} */ each) => each.name === "layout");
    assert.ok(layout.doc);
    await panel.getByText(layout.doc.replaceAll("`", ""), { exact: false }).first().waitFor();
});

test("a subgraph is stepped into, and left by the breadcrumb", async (t) => {
    const page = await opened(t, files.loop);
    await grid(page).getByRole("button", { name: /^Loop, node 0/ }).click();
    const panel = page.getByRole("complementary");
    await panel.getByRole("heading", { name: "Subgraphs" }).waitFor();
    await panel.getByRole("button", { name: /body/ }).first().click();
    const crumbs = page.getByRole("navigation", { name: "Graphs" });
    await crumbs.waitFor();
    assert.ok((await rows(page)).every(({ operator }) => operator !== "Loop"));
    await crumbs.getByRole("button", { name: "all graphs" }).click();
    assert.ok((await rows(page)).some(({ operator }) => operator.startsWith("Loop")));
});

test("findings lead to their codes and nodes", async (t) => {
    const page = await opened(t, files.wrong);
    await page.getByRole("tab", { name: /^Findings \(2\)/ }).click();
    await page.getByRole("button", { name: "dims-mismatch" }).click();
    const panel = page.getByRole("complementary");
    await panel.getByRole("heading", { name: "dims-mismatch" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /MatMul #0/ }).click();
    await panel.getByRole("heading", { name: "MatMul" }).waitFor();
    assert.equal(await page.getByRole("tab", { name: "Nodes" }).getAttribute("aria-selected"), "true");
});

test("what is simplified is saved, and compared with what it was", async (t) => {
    const page = await opened(t, attention);
    await page.getByRole("button", { name: "Simplify" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save the result" }).click();
    const saved = await readFile(await (await download).path());
    const output = path.join(folder, "simplified.onnx");
    json("simplify", attention, "-o", output);
    assert.deepEqual(saved, await readFile(output));
    await page.getByRole("button", { name: /^Compare with what it was/ }).click();
    await page.getByRole("tab", { name: "Compare" }).click();
    await page.getByRole("tabpanel").getByRole("button", { name: "Compare", exact: true }).click();
    await page.getByRole("heading", { name: /^Nodes \(\d+\)/ }).waitFor();
});

test("a model is converted, or the page says why not", async (t) => {
    const page = await opened(t, attention);
    const opset = page.getByRole("spinbutton", { name: "to opset" });
    await opset.fill("24");
    await page.getByRole("button", { name: "Convert" }).click();
    await page.getByText("The result is open as", { exact: false }).waitFor();
    await opset.fill("1");
    await page.getByRole("button", { name: "Convert" }).click();
    await page.getByText("It was refused", { exact: false }).waitFor();
});

test("what the command refuses, the page refuses in its words", async (t) => {
    const { page } = await open(t);
    await page.goto(url);
    const half = (await readFile(attention)).subarray(0, 30000);
    for (const [name, bytes] of /** @type {[string, Buffer][]} */ ([["half.onnx", half], ["text.onnx", Buffer.from("no model")], ["empty.onnx", Buffer.alloc(0)]])) {
        await page.getByLabel("Model files").setInputFiles({ name, mimeType: "", buffer: bytes });
        const file = await written(name, bytes);
        const said = /^error: (.*)/.exec(refusal("check", file))?.[1] ?? "";
        const alert = page.getByRole("alert").filter({ hasText: said.replace(file, name) });
        await alert.waitFor();
        await alert.getByRole("button", { name: "Close the message" }).click();
    }
    await choose(page, attention);
});

test("a model of 2 GiB is refused without being read", async (t) => {
    const file = path.join(folder, "huge.onnx");
    const huge = await openFile(file, "w");
    await huge.truncate(2 ** 31);
    await huge.close();
    const { page } = await open(t);
    await page.goto(url);
    const begun = performance.now();
    await page.getByLabel("Model files").setInputFiles(file);
    await page.getByRole("alert").filter({ hasText: /2\.0 GiB.*1\.0 GiB.*Nothing of it was read/s }).waitFor();
    assert.ok(performance.now() - begun < 2000);
    await choose(page, attention);
});

test("names are text, whatever is in them", async (t) => {
    const file = await written("<b id=markup>.onnx", models.markup());
    const page = await opened(t, file);
    for (const view of ["Drawing", "Findings", "Summary", "Compare", "Nodes"]) {
        await page.getByRole("tab", { name: view }).click();
    }
    for (const kind of ["operator", "value"]) {
        await grid(page).locator(`button.${kind}`).last().click();
        await page.getByRole("complementary").getByRole("heading", { level: 2 }).waitFor();
    }
    assert.equal(await page.locator("#markup, #page img").count(), 0);
    assert.notEqual(await page.title(), "1");
    const text = await page.locator("body").innerText();
    assert.ok(text.includes("<b id=markup>"));
    assert.ok(!text.includes("\u202e"), "what changes the order of characters is not shown as it is");
});
