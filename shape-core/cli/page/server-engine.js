/**
 * The engine of `shape view`: a server on the loopback address.
 */

/** @typedef {import("./api.d.ts").Engine} Engine */

/** @implements {Engine} */
export class ServerEngine {
    /** @param {string} url The folder that the page came from. */
    constructor(url) {
        this.url = url;
        this.canOpen = true;
        this.abort = new AbortController();
    }

    /**
     * @param {string} path
     * @param {RequestInit} request
     */
    async fetch(path, request) {
        try {
            return await fetch(this.url + path, { ...request, signal: this.abort.signal });
        } catch (error) {
            if (this.abort.signal.aborted) throw error;
            throw new Error("`shape view` does not answer: start it again, and open the address that it prints");
        }
    }

    /**
     * @param {string} path
     * @param {RequestInit} request
     */
    async post(path, request) {
        const response = await this.fetch(path, { method: "POST", ...request });
        const text = await response.text();
        let answer;
        try {
            answer = JSON.parse(text);
        } catch {
            throw new Error(`\`shape view\` answered ${response.status}: ${text.slice(0, 200)}`);
        }
        if (answer.error !== undefined) throw new Error(answer.error);
        return answer.answer;
    }

    /** @type {Engine["open"]} */
    open(file) {
        return this.post(`open?name=${encodeURIComponent(file.name)}`, { body: file });
    }

    /** @type {Engine["ask"]} */
    ask(question, ask) {
        return this.post("ask", { body: JSON.stringify({ question, ...ask }) });
    }

    /** @type {Engine["bytes"]} */
    async bytes(model) {
        const response = await this.fetch(`bytes?model=${model}`, {});
        if (!response.ok)
            throw new Error(`\`shape view\` did not give the model: ${response.status} ${await response.text()}`);
        return new Uint8Array(await response.arrayBuffer());
    }

    cancel() {
        this.abort.abort(new DOMException("cancelled", "AbortError"));
        this.abort = new AbortController();
    }
}
