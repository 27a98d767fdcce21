import { errorText, Informer, sleep } from '@capstan/kube';
import type { Client, Logger } from '@capstan/kube';
import type { Clock, KubeObject, Random } from '@capstan/meta';
import type { MachineConfiguration } from './user-data.js';

const CURRENT = 'machineconfiguration.openshift.io/currentConfig';
const DESIRED = 'machineconfiguration.openshift.io/desiredConfig';
const STATE = 'machineconfiguration.openshift.io/state';
const DESIRED_RELEASE = 'hypershift.openshift.io/desired-release';
const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
/** How long a node takes to write its files and restart. */
const REBOOT_MS = 2_000;
const RETRY_MS = 5_000;

export interface NodeConfigurationOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Its name. */
  readonly node: string;
  readonly current: () => MachineConfiguration | undefined;
  /** Writes the configuration to the machine, and reports it. */
  readonly become: (config: string, release: string) => Promise<void>;
}

/** The annotations of a node with its configuration. */
export function configurationAnnotations({ config }: MachineConfiguration): Record<string, string> {
  return { [CURRENT]: config, [DESIRED]: config, [STATE]: 'Done' };
}

/** Reconfigures a node whenever its Node object asks for something else than it is, as the daemon of a node does. */
export class NodeConfiguration {
  readonly #options: NodeConfigurationOptions;

  constructor(options: NodeConfigurationOptions) {
    this.#options = options;
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { client, clock, logger, node, random } = this.#options;
    const fieldSelector = `metadata.name=${node}`;
    const informer = new Informer({ client, clock, random, logger, resource: NODES, fieldSelector, watchList: true });
    const look = (object: KubeObject): Promise<void> => this.#look(object, signal);
    informer.addHandler({ add: look, update: (_, object) => look(object) });
    await informer.run(signal);
  }

  async #look({ metadata }: KubeObject, signal: AbortSignal): Promise<void> {
    const { clock, current, logger } = this.#options;
    const { [CURRENT]: applied, [DESIRED]: wanted, [DESIRED_RELEASE]: release } = metadata.annotations ?? {};
    while (!signal.aborted) {
      const now = current();
      try {
        if (wanted === undefined || wanted === '' || now === undefined) return;
        if (wanted !== now.config) {
          await sleep(clock, REBOOT_MS, signal);
          if (signal.aborted) return;
          await this.#options.become(wanted, release ?? now.release);
        }
        if (applied !== wanted) await this.#say(wanted);
        return;
      } catch (error) {
        logger.warn('a node cannot be configured yet', { node: this.#options.node, error: errorText(error) });
      }
      await sleep(clock, RETRY_MS, signal);
    }
  }

  async #say(config: string): Promise<void> {
    const { client, node } = this.#options;
    const value = { metadata: { annotations: { [CURRENT]: config, [STATE]: 'Done' } } };
    await client.patch(NODES, node, { type: 'merge', value });
  }
}
