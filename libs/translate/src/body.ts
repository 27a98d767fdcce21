import { TranslationError } from './errors.js';

/** Whatever changes a body as it passes. */
export interface BodyRewriter {
  /** Takes bytes and gives those that are ready. */
  push(chunk: Uint8Array): Uint8Array[];
  /** The end of the body: gives what is left. */
  end(): Uint8Array[];
  /** The most bytes that were ever held back. */
  readonly peak: number;
}

/** Largest body that is read whole; servers take none larger. */
export const BODY_LIMIT = 3 * 1024 * 1024;

/** Reads a body whole before it changes it: for those whose beginning is told by their end. */
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

const LARGEST_SPACE = 0x20;
const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;

/** JSON or YAML: the media types of YAML allow both, and clients send JSON under them. */
export class JsonOrYaml implements BodyRewriter {
  #chosen: BodyRewriter | undefined;
  readonly #json: () => BodyRewriter;
  readonly #yaml: () => BodyRewriter;

  constructor(json: () => BodyRewriter, yaml: () => BodyRewriter) {
    this.#json = json;
    this.#yaml = yaml;
  }

  get peak(): number {
    return this.#chosen?.peak ?? 0;
  }

  push(chunk: Uint8Array): Uint8Array[] {
    if (this.#chosen === undefined) {
      const first = chunk.find((byte) => byte > LARGEST_SPACE);
      if (first === undefined) return [chunk];
      this.#chosen = first === OPEN_OBJECT || first === OPEN_LIST ? this.#json() : this.#yaml();
    }
    return this.#chosen.push(chunk);
  }

  end(): Uint8Array[] {
    return this.#chosen?.end() ?? [];
  }
}
