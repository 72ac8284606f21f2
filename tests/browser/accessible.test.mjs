/** Every view of the model page, for everybody: in both themes, at three widths, without a violation that axe-core knows. */

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";

import { axe, open, root } from "./browser.mjs";
import { choose, grid, url } from "./model-page.mjs";
import { wrong } from "./models.mjs";

/** @typedef {import("playwright-core").Page} Page */

const attention = path.join(root, "tests/models/attention.onnx");

/** What is looked at, and how one gets there from the table. @type {Record<string, (page: Page) => Promise<unknown>>} */
const views = {
    nodes: async () => {},
    "a filter that leaves nothing": (page) => page.getByRole("searchbox", { name: "Search" }).fill("nothing is called so"),
    node: async (page) => {
        await grid(page).getByRole("button", { name: /^MatMul, node 0/ }).click();
        await page.getByRole("complementary").getByRole("heading", { name: "Neighbours" }).waitFor();
    },
    value: async (page) => {
        await page.getByRole("searchbox", { name: "Search" }).fill("/attn/Gather_output_0");
        await grid(page).getByTitle("Why /attn/Gather_output_0", { exact: false }).first().click();
        await page.getByRole("heading", { name: "How it was inferred" }).waitFor();
    },
    operator: async (page) => {
        await grid(page).getByRole("button", { name: /^MatMul, node 0/ }).click();
        await page.getByRole("button", { name: "All about MatMul" }).click();
        await page.getByRole("complementary").getByText("Operator", { exact: true }).waitFor();
    },
    drawing: async (page) => {
        await page.getByRole("tab", { name: "Drawing" }).click();
        await page.getByRole("tabpanel").locator("svg text").first().waitFor();
    },
    findings: async (page) => {
        await choose(page, { name: "wrong.onnx", mimeType: "", buffer: wrong() });
        await page.getByRole("tab", { name: "Findings (2)" }).click();
    },
    code: async (page) => {
        await choose(page, { name: "wrong.onnx", mimeType: "", buffer: wrong() });
        await page.getByRole("tab", { name: "Findings (2)" }).click();
        await page.getByRole("button", { name: "dims-mismatch" }).click();
        await page.getByRole("complementary").getByRole("heading", { name: "dims-mismatch" }).waitFor();
    },
    summary: (page) => page.getByRole("tab", { name: "Summary" }).click(),
    edit: async (page) => {
        await page.getByRole("button", { name: "Simplify" }).click();
        await page.getByText("The result is open as", { exact: false }).waitFor();
    },
    compare: async (page) => {
        await page.getByRole("button", { name: "Simplify" }).click();
        await page.getByText("The result is open as", { exact: false }).waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("tab", { name: "Compare" }).click();
        await page.getByRole("tabpanel").getByRole("button", { name: "Compare", exact: true }).click();
        await page.getByRole("heading", { name: /^Nodes \(\d+\)/ }).waitFor();
    },
    message: async (page) => {
        await page.getByLabel("Model files").setInputFiles({ name: "empty.onnx", mimeType: "", buffer: Buffer.alloc(0) });
        await page.getByRole("alert").filter({ hasText: "empty" }).waitFor();
    },
};

const widths = [390, 800, 1400];

/** @param {Page} page */
async function overflow(page) {
    return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    test(`in the ${colorScheme} theme nothing stands in anybody's way`, async (t) => {
        const { page } = await open(t, { colorScheme });
        await page.goto(url);
        assert.deepEqual(await axe(page), [], "before a model is open");
        for (const [name, lead] of Object.entries(views)) {
            await page.goto(url);
            await choose(page, attention);
            await lead(page);
            assert.deepEqual(await axe(page), [], name);
            for (const width of widths) {
                await page.setViewportSize({ width, height: 900 });
                assert.ok((await overflow(page)) <= 0, `${name} is wider than ${width} pixels`);
                if (process.env["SCREENSHOTS"]) {
                    const file = `${name.replaceAll(" ", "-")}-${colorScheme}-${width}.png`;
                    await page.screenshot({ path: path.join(process.env["SCREENSHOTS"], file) });
                }
            }
        }
    });
}
