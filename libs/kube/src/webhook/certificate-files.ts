import { createPrivateKey, X509Certificate } from 'node:crypto';
import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '@capstan/meta';
import type { KeyPair } from '../certs/options.js';
import type { FileReader } from '../config/document.js';
import type { ServingCertificate } from '../http/endpoint-server.js';
import type { RuntimeMetrics } from '../metrics/runtime-metrics.js';
import { sleep } from '../runtime/clock.js';
import { RuntimeError } from '../runtime/errors.js';
import { errorText } from '../runtime/logger.js';
import type { Logger } from '../runtime/logger.js';

export interface CertificateFilesOptions {
  readonly certFile: string;
  readonly keyFile: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: RuntimeMetrics;
  /** Where the files are. Default: on this machine. */
  readonly files?: FileReader | undefined;
  /** How often the files are read even without a notification of a change. Default 10 s. */
  readonly pollMs?: number | undefined;
}

/** A serving certificate in two files that another process renews. */
export class CertificateFiles implements ServingCertificate {
  readonly name = 'certificate files';
  readonly #options: CertificateFilesOptions;
  readonly #listeners: ((pair: KeyPair) => void)[] = [];
  #current: KeyPair;
  #reading: Promise<void> = Promise.resolve();

  private constructor(options: CertificateFilesOptions, first: KeyPair) {
    this.#options = options;
    this.#current = first;
  }

  /** Reads the files; rejects when they hold no certificate with its key. */
  static async load(options: CertificateFilesOptions): Promise<CertificateFiles> {
    options.metrics.webhook.certificateReads.add([]);
    return new CertificateFiles(options, await readPair(options));
  }

  get current(): KeyPair {
    return this.#current;
  }

  onChange(listener: (pair: KeyPair) => void): void {
    this.#listeners.push(listener);
  }

  /** Follows the files until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { certFile, clock, files, keyFile, logger, pollMs = 10_000 } = this.#options;
    const watchers: FSWatcher[] = [];
    const folders = files === undefined ? new Set([dirname(certFile), dirname(keyFile)]) : [];
    for (const folder of folders) {
      try {
        // The folder and not the file: mounted secrets are renewed by turning a link over.
        const watcher = watch(folder, { persistent: false }, () => void this.reload());
        watchers.push(watcher.on('error', () => watcher.close()));
      } catch (error) {
        logger.warn('the certificate directory cannot be watched and is polled instead', {
          folder,
          error: errorText(error),
        });
      }
    }
    while ((await sleep(clock, pollMs, signal)) === 'elapsed') await this.reload();
    for (const watcher of watchers) watcher.close();
    await this.#reading;
  }

  /** Reads the files now; what cannot be used leaves the certificate as it is. */
  reload(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#read());
    return this.#reading;
  }

  async #read(): Promise<void> {
    const { logger, metrics } = this.#options;
    metrics.webhook.certificateReads.add([]);
    try {
      const pair = await readPair(this.#options);
      if (pair.certPem === this.#current.certPem && pair.keyPem === this.#current.keyPem) return;
      this.#current = pair;
      for (const listener of this.#listeners) listener(pair);
      logger.info('the certificate was renewed', { file: this.#options.certFile });
    } catch (error) {
      metrics.webhook.certificateErrors.add([]);
      logger.error('the certificate could not be read', { error: errorText(error) });
    }
  }
}

async function readPair({ certFile, files, keyFile }: CertificateFilesOptions): Promise<KeyPair> {
  const read = (path: string): Promise<string> => files?.read(path) ?? readFile(path, 'utf8');
  try {
    const [certPem, keyPem] = await Promise.all([read(certFile), read(keyFile)]);
    // Half-way through a renewal one file is newer than the other.
    if (!new X509Certificate(certPem).checkPrivateKey(createPrivateKey(keyPem)))
      throw new RuntimeError('bad-certificate', 'the key is not that of the certificate');
    return { certPem, keyPem };
  } catch (error) {
    throw new RuntimeError('bad-certificate', `${certFile} cannot be used: ${errorText(error)}`, error);
  }
}
