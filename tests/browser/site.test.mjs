/** The site of `shape docs`, opened from a disk: for everybody, in both themes, at three widths; its search; and without scripts. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

import { axe, built, open, shape } from "./browser.mjs";

/** @typedef {import("playwright-core").Page} Page */

execFileSync(shape, ["docs", "-o", built.site, "--quiet"]);
const folder = await mkdtemp(path.join(os.tmpdir(), "shape-"));
after(() => rm(folder, { recursive: true }));

/** A page of each kind. */
const KINDS = [
    "",
    "ai.onnx",
    "ai.onnx/LSTM",
    "ai.onnx/Reshape/25",
    "ai.onnx/Reshape/1..25",
    "com.microsoft/GroupQueryAttention/1",
    "runtimes/onnxruntime/ai.onnx/Scale",
    "runtimes/onnxruntime",
    "runtimes/onnxruntime-cpu/1.31.1",
    "runtimes",
    "opsets/ai.onnx/13",
    "releases",
    "types",
    "types/float16",
    "codes",
    "codes/rank-mismatch",
    "profiles",
    "profiles/sonnx",
    "profiles/sonnx/SONNX-RESHAPE-010",
    "profiles/sonnx/errata",
    "rules",
    "rules/terms",
    "errata",
];
/** @type {("light" | "dark")[]} */
const SCHEMES = ["light", "dark"];

/** @param {string} page */
const url = (page, site = built.site) => pathToFileURL(path.join(site, page, "index.html")).href;

/**
 * Opens everything that is folded, so that it is looked at too.
 * @param {Page} page
 */
const unfold = (page) => page.locator("details").evaluateAll((all) => all.forEach((one) => one.setAttribute("open", "")));

for (const colorScheme of SCHEMES) {
    test(`a page of each kind has no violation in ${colorScheme}`, async (t) => {
        // axe-core asks for the style sheet, which no script may read from a disk: the browser reports that.
        const { page } = await open(t, { colorScheme, errors: true });
        for (const kind of KINDS) {
            await page.goto(url(kind));
            await unfold(page);
            assert.deepEqual(await axe(page), [], kind);
        }
        await page.getByRole("combobox", { name: "Search" }).fill("layout");
        await page.getByRole("option").first().waitFor();
        assert.deepEqual(await axe(page), [], "search");
    });

    test(`no page is wider than its window in ${colorScheme}`, async (t) => {
        const { page } = await open(t, { colorScheme });
        for (const width of [390, 800, 1400]) {
            await page.setViewportSize({ width, height: 900 });
            for (const kind of KINDS) {
                await page.goto(url(kind));
                await unfold(page);
                const wide = await page.evaluate(() => document.documentElement.scrollWidth);
                assert.ok(wide <= width, `${kind} is ${wide} wide at ${width}`);
            }
        }
    });
}

test("the theme is that of the system", async (t) => {
    const { page } = await open(t);
    const ground = async (/** @type {"light" | "dark"} */ colorScheme) => {
        await page.emulateMedia({ colorScheme });
        return page.evaluate(() => Number(getComputedStyle(document.body).backgroundColor.match(/\d+/)?.[0]));
    };
    await page.goto(url("ai.onnx/Conv"));
    assert.ok((await ground("light")) > 200);
    assert.ok((await ground("dark")) < 60);
});

test("the search works by the keyboard", async (t) => {
    const { page } = await open(t);
    const options = page.getByRole("option");
    const query = page.getByRole("combobox", { name: "Search" });
    await page.goto(url("ai.onnx/Add/14"));
    await page.keyboard.press("/");
    await page.keyboard.type("layout");
    await options.first().waitFor();
    assert.equal(await query.getAttribute("aria-expanded"), "true");
    const names = await options.locator("strong").allTextContents();
    const wanted = names.indexOf("layout of LSTM");
    assert.ok(wanted >= 0, names.join(", "));
    for (let step = 0; step < wanted; step += 1) await page.keyboard.press("ArrowDown");
    const active = await query.getAttribute("aria-activedescendant");
    assert.equal(await page.locator(`#${active}`).getAttribute("aria-selected"), "true");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${url("ai.onnx/LSTM")}#attribute-layout`);
    assert.ok(await page.getByRole("row", { name: /^layout INT/ }).isVisible());
});

test("the search finds versions, types, codes and rules first by their names", async (t) => {
    const { page } = await open(t);
    const query = page.getByRole("combobox", { name: "Search" });
    const firsts = {
        conv: "ai.onnx/Conv",
        "Conv 11": "ai.onnx/Conv/11",
        "conv@11": "ai.onnx/Conv/11",
        "com.microsoft::Gelu": "com.microsoft/Gelu",
        int4: "types/int4",
        "attribute-unknown": "codes/attribute-unknown",
        "opset 21": "opsets/ai.onnx/21",
        "SONNX-SHAPE-010": "profiles/sonnx/SONNX-SHAPE-010",
    };
    for (const [text, to] of Object.entries(firsts)) {
        await page.goto(url("releases"));
        await query.fill(text);
        await page.getByRole("option").first().waitFor();
        await query.press("Enter");
        await page.waitForURL(url(to));
    }
});

test("what is not found is said, and Escape closes what was", async (t) => {
    const { page } = await open(t);
    await page.goto(url(""));
    const query = page.getByRole("combobox", { name: "Search" });
    await query.fill("there is no such thing");
    await page.getByText("Nothing was found.").waitFor();
    assert.equal(await page.getByRole("option").count(), 0);
    await query.fill("shape");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.getByRole("listbox").count(), 0);
    assert.equal(await query.getAttribute("aria-expanded"), "false");
    await page.keyboard.press("Escape");
    assert.equal(await query.inputValue(), "");
});

test("a result is a link to click on", async (t) => {
    const { page } = await open(t);
    await page.goto(url("ai.onnx"));
    await page.getByRole("combobox", { name: "Search" }).fill("Reshape");
    await page.getByRole("option").first().click();
    await page.waitForURL(url("ai.onnx/Reshape"));
});

test("texts of descriptors are found as text, never as markup", async (t) => {
    await writeFile(
        path.join(folder, "Odd.yaml"),
        [
            "operator: Odd",
            "domain: com.acme",
            'summary: "Gives <img src=x onerror=alert(1)> & <b>more</b>."',
            "sources: [{ id: own, title: own }]",
            "versions: [{ since: 1, sources: [own] }]",
        ].join("\n"),
    );
    const site = path.join(folder, "site");
    execFileSync(shape, ["docs", "-o", site, "--quiet", "--specs", path.join(folder, "Odd.yaml")]);
    const { page } = await open(t);
    page.on("dialog", () => assert.fail("a text was run"));
    await page.goto(url("com.acme/Odd", site));
    await page.getByRole("combobox", { name: "Search" }).fill("com.acme::Odd");
    const option = page.getByRole("option").first();
    await option.waitFor();
    assert.match((await option.textContent()) ?? "", /<img src=x onerror=alert\(1\)> & <b>more<\/b>\./);
    assert.equal(await page.locator("img, b").count(), 0);
});

test("everything but the search works without scripts", async (t) => {
    const { page } = await open(t, { javaScriptEnabled: false });
    await page.goto(url(""));
    assert.equal(await page.getByRole("search").count(), 0);
    await page.getByRole("link", { name: "Conv", exact: true }).click();
    await page.getByRole("link", { name: "Conv-11", exact: true }).first().click();
    await page.getByRole("link", { name: "Conv-1 and Conv-11 side by side" }).click();
    await page.getByRole("link", { name: "index.json" }).waitFor();
    assert.equal(page.url(), url("ai.onnx/Conv/1..11"));
});

test("the first key leads past the head of the page", async (t) => {
    const { page } = await open(t);
    await page.goto(url("ai.onnx/Conv"));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "main");
});

test("what is printed is the content", async (t) => {
    const { page } = await open(t);
    await page.goto(url("ai.onnx/Conv/22"));
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.getByRole("navigation", { name: "Site" }).count(), 0);
    assert.ok(await page.getByRole("heading", { name: "Attributes" }).isVisible());
});
