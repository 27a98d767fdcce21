import { TranslationError } from './errors.js';

/** Whatever changes a body as it passes. */
export interface BodyRewriter {
  /** Takes bytes and gives those that are ready. */
  push(chunk: Uint8Array): Uint8Array[];
  /** The end of the body: gives what is left. */
  end(): Uint8Array[];
  /** The most bytes that were ever held back. */
  readonly peak: number;
  /** True: bytes that were pushed may be overwritten as soon as the pieces they gave have been used. */
  readonly keepsNothing?: true;
}

/** Largest body that is read whole; servers take none larger. */
export const BODY_LIMIT = 3 * 1024 * 1024;

/** Reads a whole body before it changes it: for bodies whose beginning depends on their end. */
export class WholeBody implements BodyRewriter {
  peak = 0;
  readonly #chunks: Uint8Array[] = [];
  readonly #change: (body: Uint8Array) => Uint8Array;

  constructor(change: (body: Uint8Array) => Uint8Array) {
    this.#change = change;
  }

  push(chunk: Uint8Array): Uint8Array[] {
    this.#chunks.push(chunk);
    this.peak += chunk.length;
    if (this.peak > BODY_LIMIT) throw new TranslationError('TOO_LARGE', `limit is ${BODY_LIMIT}`);
    return [];
  }

  end(): Uint8Array[] {
    return this.peak === 0 ? [] : [this.#change(Buffer.concat(this.#chunks))];
  }
}

const JSON_BEGINS = /^\s*[{[]/;

/**
 * JSON or YAML: the media types of YAML allow both, and clients send JSON under them. Read whole, for what begins like
 * JSON may be YAML after all: `{apiVersion: v1}`.
 */
export class JsonOrYaml extends WholeBody {
  constructor(json: () => BodyRewriter, yaml: () => BodyRewriter) {
    super((body) => {
      const rewriter = isJson(body) ? json() : yaml();
      return Buffer.concat([...rewriter.push(body), ...rewriter.end()]);
    });
  }
}

function isJson(body: Uint8Array): boolean {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  if (!JSON_BEGINS.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
