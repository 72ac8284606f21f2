/**
 * A browser for a test. It is Chromium, without a window and with nothing kept from one test to the next.
 */

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

/** @typedef {import("node:test").TestContext} TestContext */
/** @typedef {import("playwright-core").Page} Page */

export const root = fileURLToPath(new URL("../..", import.meta.url));
const target = path.resolve(root, process.env["CARGO_TARGET_DIR"] ?? "target");
/** The folders that `run` makes. */
export const built = { page: path.join(target, "web/page"), npm: path.join(target, "web/npm"), site: path.join(target, "web/site") };
/** The command. */
export const shape = path.join(target, "web/shape");

const FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];
/** What needs no network. */
const LOCAL = /^(file|data|blob|about):/;

/**
 * Opens a browser with an empty page, and closes it after the test. The test fails if the browser asks for anything that is
 * neither a file nor of the origin, or if a page reports an error.
 * @param {TestContext} t
 * @param {{ origin?: string, errors?: boolean } & import("playwright-core").BrowserContextOptions} [options] `origin` is a
 * server of the test; with `errors`, pages may report some.
 */
export async function open(t, { origin, errors = false, ...options } = {}) {
    const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
    /** @type {string[]} */
    const strangers = [];
    /** @type {string[]} */
    const reported = [];
    t.after(async () => {
        await browser.close();
        assert.deepEqual(strangers, [], "a request leaves");
        if (!errors) assert.deepEqual(reported, [], "the page reports errors");
    });
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, reducedMotion: "reduce", ...options });
    /** @param {string} url */
    const note = (url) => {
        if (!LOCAL.test(url) && (origin === undefined || new URL(url).origin !== origin)) strangers.push(url);
    };
    context.on("request", (request) => note(request.url()));
    context.on("page", (page) => {
        page.on("websocket", (socket) => note(socket.url()));
        page.on("pageerror", (error) => reported.push(String(error)));
        page.on("console", (message) => message.type() === "error" && reported.push(message.text()));
        page.on("worker", (worker) => note(worker.url()));
    });
    return { browser, context, page: await context.newPage() };
}

const require = createRequire(import.meta.url);
const axeSource = await readFile(require.resolve("axe-core/axe.min.js"), "utf8");

/**
 * What axe-core finds wrong with the page as it is, a line for each element.
 * @param {Page} page
 * @returns {Promise<string[]>}
 */
export async function axe(page) {
    await page.evaluate(axeSource);
    return page.evaluate(async () => {
        const { violations } = await /** @type {any} */ (globalThis).axe.run(document, { resultTypes: ["violations"] });
        return violations.flatMap((/** @type {any} */ violation) =>
            violation.nodes.map((/** @type {any} */ node) => `${violation.id}: ${node.target.join(" ")}: ${node.failureSummary}`),
        );
    });
}
