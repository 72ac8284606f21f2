/**
 * One instance of the WebAssembly, with a memory of its own. A model has one to itself: what goes wrong with it concerns no
 * other, and all of its memory is freed at once.
 */

import { OnnxspecError } from "./error.js";

/**
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {(length: number) => number} alloc
 * @property {(pointer: number, length: number) => void} free
 * @property {(pointer: number, length: number) => number} ask
 * @property {() => number} panic_message
 */

export class Instance {
    /** @param {WebAssembly.Module} module */
    constructor(module) {
        this.exports = /** @type {Exports} */ (/** @type {unknown} */ (new WebAssembly.Instance(module).exports));
        /** Whether it trapped: then there is nothing left to ask. */
        this.dead = false;
    }

    /**
     * Copies bytes into its memory.
     * @param {Uint8Array} bytes
     * @returns {[number, number]}
     */
    copy(bytes) {
        // An address is a number without a sign here, and with one in WebAssembly.
        const pointer = this.run(() => this.exports.alloc(bytes.length)) >>> 0;
        if (pointer === 0) {
            throw new OnnxspecError("memory", `there is no memory for ${bytes.length} bytes; give external data the large tensors`);
        }
        this.view(pointer, bytes.length).set(bytes);
        return [pointer, bytes.length];
    }

    /**
     * Asks a question of `api.d.ts`.
     * @param {string} question
     * @param {object} ask
     * @returns {any}
     */
    ask(question, ask) {
        const request = this.copy(new TextEncoder().encode(JSON.stringify({ question, ...ask })));
        const pointer = this.run(() => this.exports.ask(...request)) >>> 0;
        const { text, length } = this.text(pointer);
        this.run(() => this.exports.free(pointer, length));
        this.run(() => this.exports.free(...request));
        const { answer, error } = JSON.parse(text);
        if (error !== undefined) throw new OnnxspecError("refused", error);
        return answer;
    }

    /**
     * Opens a model. Its number is that of the questions about it.
     * @param {string} name
     * @param {Uint8Array} bytes
     * @param {Record<string, Uint8Array>} beside
     * @returns {number}
     */
    open(name, bytes, beside) {
        const copies = Object.fromEntries(Object.entries(beside).map(([path, data]) => [path, this.copy(data)]));
        return this.ask("open", { name, file: this.copy(bytes), beside: copies }).model;
    }

    /**
     * The bytes of a model.
     * @param {number} model
     */
    bytes(model) {
        const [pointer, length] = this.ask("bytes", { model });
        const bytes = this.view(pointer, length).slice();
        this.run(() => this.exports.free(pointer, length));
        return bytes;
    }

    /**
     * @template T
     * @param {() => T} call
     * @returns {T}
     */
    run(call) {
        try {
            return call();
        } catch (trap) {
            this.dead = true;
            const pointer = this.exports.panic_message() >>> 0;
            // Where no memory is left there is a trap without a panic.
            const said = pointer === 0 ? `${trap}, as when no memory is left` : this.text(pointer).text;
            throw new OnnxspecError("trap", `the engine failed: ${said}`, trap);
        }
    }

    /**
     * @param {number} pointer
     * @returns {{ text: string, length: number }} The text, and the length of its buffer.
     */
    text(pointer) {
        const length = new DataView(this.exports.memory.buffer).getUint32(pointer, true);
        return { text: new TextDecoder().decode(this.view(pointer + 4, length)), length: 4 + length };
    }

    /**
     * Bytes of its memory, until that grows.
     * @param {number} pointer
     * @param {number} length
     */
    view(pointer, length) {
        return new Uint8Array(this.exports.memory.buffer, pointer, length);
    }
}
