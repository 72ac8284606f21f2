/** What answers the questions of the model page: WebAssembly, also after a trap; `shape view`; and a page that was written. */

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

import { limited } from "../../shape-core/web/npm/tests/limited.js";
import { axe, built, open, root } from "./browser.mjs";
import { json, view } from "./command.mjs";
import { changed, choose, drop, expected, grid, shown, url, values } from "./model-page.mjs";
import { chain, markup } from "./models.mjs";

const folder = await mkdtemp(path.join(os.tmpdir(), "shape-"));
after(() => rm(folder, { recursive: true }));
const attention = path.join(root, "tests/models/attention.onnx");
const detr = path.join(root, "tests/verification/conformance/corpus/detr_script.onnx");

/** @param {string[]} args */
const printed = (...args) => expected(json("infer", ...args).values);

test("a trap leaves a page that goes on", async (t) => {
    const file = path.join(folder, "limited.html");
    // Enough for one of the models and for the bytes of the other, which is opened again with it, and not for its analysis.
    await writeFile(file, await changed((wasm) => limited(wasm, 192)));
    const { page } = await open(t);
    await page.goto(pathToFileURL(file).href);
    await choose(page, attention);
    await page.getByLabel("Model files").setInputFiles({ name: "long.onnx", mimeType: "", buffer: chain(20_000) });
    await page.getByRole("alert").filter({ hasText: "started again" }).waitFor();
    // The model that was open is open again.
    await page.getByRole("combobox", { name: "Model" }).selectOption({ label: "attention.onnx" });
    await page.getByRole("textbox", { name: "batch" }).fill("2");
    await grid(page).getByText("[2, seq, 64]").first().waitFor();
    assert.deepEqual(await values(page), printed(attention, "--set", "batch=2"));
});

test("what takes long is cancelled, and the page goes on", async (t) => {
    const { page } = await open(t);
    await page.goto(url);
    await drop(page, "long.onnx", chain(200_000));
    await page.getByRole("button", { name: "Cancel" }).click();
    await choose(page, attention);
    assert.deepEqual(await values(page), printed(attention));
});

test("the table of 10,000 nodes is soon there", async (t) => {
    const { page } = await open(t);
    const bytes = chain(10_000);
    /** @type {number[]} */
    const times = [];
    for (let runs = 0; runs < 5; runs += 1) {
        await page.goto(url);
        await page.evaluate(() => {
            const root = /** @type {any} */ (globalThis);
            document.addEventListener("drop", () => (root.dropped = performance.now()), true);
            new MutationObserver((_, observer) => {
                if (!document.querySelector('[role="grid"] [role="row"][aria-rowindex="2"]')) return;
                observer.disconnect();
                requestAnimationFrame(() => setTimeout(() => (root.shown = performance.now())));
            }).observe(document.body, { childList: true, subtree: true });
        });
        await drop(page, "long.onnx", bytes);
        await shown(page);
        const time = await page.waitForFunction(() => {
            const { dropped, shown } = /** @type {any} */ (globalThis);
            return shown && shown - dropped;
        });
        times.push(Math.round(Number(await time.jsonValue())));
    }
    assert.equal(await grid(page).getAttribute("aria-rowcount"), "10002");
    t.diagnostic(`from the drop to the table of 10,000 nodes: ${times.join(", ")} ms`);
});

test("`shape view` shows the models of its command line", async (t) => {
    const address = await view(t, attention, detr);
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\//);
    const { page } = await open(t, { origin: new URL(address).origin });
    await page.goto(address);
    await shown(page);
    assert.deepEqual(await values(page), printed(attention));
    await page.getByRole("combobox", { name: "Model" }).selectOption({ label: "detr_script.onnx" });
    await grid(page).getByText("Conv").first().waitFor();
    await page.getByLabel("Model files").setInputFiles({ name: "x.onnx", mimeType: "", buffer: await readFile(attention) });
    await page.waitForFunction(() => document.title.startsWith("x.onnx"));
    await page.getByRole("textbox", { name: "batch" }).fill("3");
    await grid(page).getByText("[3, seq, 64]").first().waitFor();
    assert.deepEqual(await axe(page), []);
});

test("`shape view` answers nobody else", async (t) => {
    const address = new URL(await view(t, attention));
    const status = async (/** @type {string} */ path, /** @type {Record<string, string>} */ headers = {}) =>
        new Promise((resolve, reject) => {
            const request = http.get({ host: address.hostname, port: address.port, path, headers }, (response) => resolve(response.statusCode));
            request.on("error", reject);
        });
    assert.equal(await status(address.pathname), 200);
    assert.equal(await status("/"), 404);
    assert.equal(await status(address.pathname, { Host: "example.org" }), 403);
    assert.equal(await status(address.pathname, { Origin: "http://example.org" }), 403);
});

test("`shape infer --html` writes a page that answers alone", async (t) => {
    for (const [name, model] of /** @type {[string, string][]} */ ([["attention", attention], ["markup", path.join(folder, "markup.onnx")]])) {
        await writeFile(path.join(folder, "markup.onnx"), markup());
        const file = path.join(folder, `${name}.html`);
        json("infer", model, "--html", file);
        const { page } = await open(t);
        await page.goto(pathToFileURL(file).href);
        await shown(page);
        assert.deepEqual(await axe(page), [], name);
        assert.equal(await page.locator("#markup, #page img").count(), 0);
        if (name !== "attention") continue;
        assert.deepEqual(await values(page), printed(attention));
        await page.getByRole("searchbox", { name: "Search" }).fill("/attn/Gather_output_0");
        await grid(page).getByTitle("Why /attn/Gather_output_0", { exact: false }).first().click();
        await page.getByRole("heading", { name: "How it was inferred" }).waitFor();
        await page.keyboard.press("Escape");
        await grid(page).getByRole("button", { name: /^Gather, node/ }).click();
        await page.getByRole("heading", { name: "Attributes" }).waitFor();
        await page.getByRole("button", { name: "All about Gather" }).click();
        await page.getByRole("complementary").getByText("Operator", { exact: true }).waitFor();
    }
});

test("the npm package runs in a browser", async (t) => {
    const types = { ".js": "text/javascript", ".wasm": "application/wasm" };
    const server = http.createServer(async (request, response) => {
        if (request.url === "/") {
            const map = { imports: { "onnxspec": "/index.js", "#wasm": "/wasm-web.js" } };
            response.setHeader("Content-Type", "text/html");
            response.end(`<!doctype html><title>onnxspec</title><script type="importmap">${JSON.stringify(map)}</script>`);
            return;
        }
        const file = path.join(built.npm, path.basename(request.url ?? ""));
        response.setHeader("Content-Type", types[/** @type {keyof typeof types} */ (path.extname(file))] ?? "text/plain");
        response.end(await readFile(file).catch(() => ""));
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null)));
    t.after(() => server.close());
    const origin = `http://127.0.0.1:${/** @type {any} */ (server.address()).port}`;
    const { page } = await open(t, { origin, errors: true });
    await page.goto(origin);
    const found = await page.evaluate(async (bytes) => {
        const name = "onnxspec";
        const { infer } = await import(name);
        return (await infer(Uint8Array.from(bytes))).values;
    }, [...(await readFile(attention))]);
    assert.deepEqual(found, json("infer", attention).values);
});
