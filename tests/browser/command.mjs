/** The command, which says what a page must show. */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";

import { shape } from "./browser.mjs";

/**
 * What the command prints, also where it found errors.
 * @param {string[]} args
 * @returns {any}
 */
export function json(...args) {
    const program = [...args, "--format", "json"];
    try {
        return JSON.parse(execFileSync(shape, program, { encoding: "utf8", maxBuffer: 2 ** 28, stdio: ["ignore", "pipe", "pipe"] }));
    } catch (error) {
        const { status, stdout } = /** @type {any} */ (error);
        if (status === 1 && stdout) return JSON.parse(stdout);
        throw error;
    }
}

/**
 * What the command says on standard error.
 * @param {string[]} args
 */
export function refusal(...args) {
    try {
        execFileSync(shape, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
        return "";
    } catch (error) {
        return /** @type {any} */ (error).stderr;
    }
}

/**
 * Starts `shape view`, and gives the address that it prints. The command ends with the test.
 * @param {import("node:test").TestContext} t
 * @param {string[]} models
 */
export async function view(t, ...models) {
    const server = spawn(shape, ["view", "--no-browser", ...models], { stdio: ["ignore", "pipe", "ignore"] });
    t.after(() => server.kill());
    let said = "";
    server.stdout.setEncoding("utf8");
    while (!said.includes("\n")) said += (await once(server.stdout, "data"))[0];
    return said.trim();
}
