/** What every function of the package throws. */

/** @typedef {import("./index.d.ts").ErrorCode} ErrorCode */

export class OnnxspecError extends Error {
    /**
     * @param {ErrorCode} code
     * @param {string} message
     * @param {unknown} [cause]
     */
    constructor(code, message, cause) {
        super(message, cause === undefined ? undefined : { cause });
        this.name = "OnnxspecError";
        /** @type {ErrorCode} */
        this.code = code;
    }
}
