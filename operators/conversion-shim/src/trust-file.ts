import { readFile } from 'node:fs/promises';
import { errorText, sleep } from '@capstan/kube';
import type { Logger } from '@capstan/kube';
import type { Clock } from '@capstan/meta';
import { BadConfiguration } from './errors.js';

const POLL_MS = 10_000;

/** Certificates in a file that another process renews. */
export class TrustFile {
  readonly name = 'trusted CAs';
  readonly #path: string;
  readonly #surroundings: { readonly clock: Clock; readonly logger: Logger };
  #pem: string;

  private constructor(path: string, pem: string, surroundings: { readonly clock: Clock; readonly logger: Logger }) {
    this.#path = path;
    this.#pem = pem;
    this.#surroundings = surroundings;
  }

  /** Reads the file; rejects when it holds no certificate. */
  static async load(
    path: string,
    surroundings: { readonly clock: Clock; readonly logger: Logger },
  ): Promise<TrustFile> {
    return new TrustFile(path, await readPem(path), surroundings);
  }

  get pem(): string {
    return this.#pem;
  }

  /** Looks at the file now and then until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#surroundings;
    while ((await sleep(clock, POLL_MS, signal)) === 'elapsed') {
      try {
        this.#pem = await readPem(this.#path);
      } catch (error) {
        logger.error('the trusted CAs could not be read', { error: errorText(error) });
      }
    }
  }
}

async function readPem(path: string): Promise<string> {
  let pem: string;
  try {
    pem = await readFile(path, 'utf8');
  } catch (error) {
    throw new BadConfiguration(`${path} cannot be read: ${errorText(error)}`);
  }
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new BadConfiguration(`${path} holds no certificate`);
  return pem;
}
