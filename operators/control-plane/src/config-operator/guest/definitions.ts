import { Converger, errorText, sleep } from '@capstan/kube';
import type { Client, Logger, Runnable } from '@capstan/kube';
import type { Clock, KubeObject } from '@capstan/meta';
import { DEFINITIONS } from '../kinds.js';

const AGAIN_MS = 1_000;

interface Definition extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Installs a CRD before anything watches its kind, however long the hosted cluster takes to answer. */
export class DefinitionInstaller implements Runnable {
  readonly name = 'definitions';
  readonly #options: {
    readonly client: Client;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly definition: KubeObject;
  };
  readonly #installed: Promise<void>;
  #resolve: () => void = () => undefined;

  constructor(options: { client: Client; clock: Clock; logger: Logger; definition: KubeObject }) {
    this.#options = options;
    this.#installed = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  ready(): Promise<void> {
    return this.#installed;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    while (!signal.aborted) {
      try {
        if (await this.#isEstablished(signal)) break;
      } catch (error) {
        logger.info('the hosted cluster does not accept CRDs yet', { error: errorText(error) });
      }
      await sleep(clock, AGAIN_MS, signal);
    }
    this.#resolve();
  }

  async #isEstablished(signal: AbortSignal): Promise<boolean> {
    const { client, definition } = this.#options;
    const { name = '' } = definition.metadata;
    const metadata = { ...definition.metadata, name };
    const converger = new Converger({ client, signal });
    const found = await converger.ensureExists<Definition>(DEFINITIONS, { metadata, make: () => definition });
    return found.status?.conditions?.some(({ status, type }) => type === 'Established' && status === 'True') === true;
  }
}
