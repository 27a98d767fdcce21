import { Heartbeat } from '@capstan/cluster';
import type { NodeDescription } from '@capstan/cluster';
import {
  Client,
  connectionFromText,
  createCertificateRequest,
  errorText,
  fixedCredentials,
  sleep,
} from '@capstan/kube';
import type { Connection, Logger } from '@capstan/kube';
import type { Clock, Random, Transport } from '@capstan/meta';
import type { Instance } from '../cloud/instance.js';
import { SimulationError } from '../errors.js';
import { askForCertificate, CLIENT_SIGNER, SERVING_SIGNER } from './certificate-requests.js';
import { configurationAnnotations, NodeConfiguration } from './node-configuration.js';
import { bootstrapOf } from './user-data.js';
import type { FetchIgnition, MachineConfiguration } from './user-data.js';

/** What an instance keeps over a restart. */
export interface NodeDisk {
  client?: { readonly certPem: string; readonly keyPem: string } | undefined;
  serving?: { readonly certPem: string; readonly keyPem: string } | undefined;
  /** What it was last configured as. */
  configuration?: MachineConfiguration | undefined;
}

/** What runs the pods of a node once it has joined. */
export interface NodePods {
  /** Resolves when, after the signal, it has ended. */
  run(signal: AbortSignal): Promise<void>;
  /** Whether the node is to be silent. */
  isLost(): boolean;
}

export interface NodeAgentOptions {
  readonly instance: Instance;
  readonly disk: NodeDisk;
  /** Called when something was written to the disk. */
  readonly diskChanged?: (() => void) | undefined;
  /** The way to a server. */
  readonly connect: (connection: Connection) => Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly fetchIgnition?: FetchIgnition | undefined;
  /** The kubelet of a release; for nodes that are upgraded in place. Default: it stays the same. */
  readonly kubeletOf?: ((release: string) => string | undefined) | undefined;
  /** What runs the pods of a node of a server; undefined for servers whose nodes only say that they are alive. */
  readonly podsOf?: ((server: string, node: NodeDescription) => NodePods | undefined) | undefined;
  /** After how long it tries again what failed. Default 10 s. */
  readonly retryMs?: number | undefined;
  /** Draws the keys of nodes: for simulations alone. */
  readonly isSimulated?: boolean | undefined;
}

const RETRY_MS = 10_000;
const WARN_AFTER_MS = 60_000;
const NODE_GROUP = 'system:nodes';

/** What a kubelet does on an instance: joins the cluster its user data names, and says from then on that it is alive. */
export class NodeAgent {
  readonly #options: NodeAgentOptions;

  constructor(options: NodeAgentOptions) {
    this.#options = options;
  }

  /** Runs until the signal aborts, which is how an instance falls silent. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, instance, logger } = this.#options;
    const connection = await this.#retrying(signal, () => this.#bootstrapConnection());
    if (connection === undefined) {
      logger.info('the user data names no cluster to join', { instance: instance.id });
      return;
    }
    const node = await this.#retrying(signal, () => this.#join(connection, signal));
    if (node === undefined) return;
    const description = this.#description();
    const runs: { pods?: NodePods | undefined } = {};
    const heartbeat = new Heartbeat({
      client: node,
      clock,
      logger,
      description,
      isLost: () => signal.aborted || runs.pods?.isLost() === true,
      leavesTaint: true,
    });
    await this.#retrying(signal, async () => {
      await heartbeat.register();
      return true;
    });
    // Not before the server has answered: only then is it known whose nodes these are.
    runs.pods = this.#options.podsOf?.(connection.server, description);
    await Promise.all([
      heartbeat.run(signal),
      this.#retrying(signal, () => this.#certifyServing(node, signal)),
      this.#configure(node, heartbeat, signal),
      runs.pods?.run(signal),
    ]);
  }

  async #bootstrapConnection(): Promise<Connection | undefined> {
    const { clock, disk, diskChanged, fetchIgnition, instance } = this.#options;
    const found = await bootstrapOf(instance.userData, fetchIgnition);
    if (found?.configuration !== undefined && disk.configuration === undefined) {
      disk.configuration = found.configuration;
      diskChanged?.();
    }
    return found === undefined ? undefined : connectionFromText(found.kubeconfig, { clock });
  }

  /** Does what the cluster wants it to be configured as; for machines that were told what they are, and may change. */
  async #configure(client: Client, heartbeat: Heartbeat, signal: AbortSignal): Promise<void> {
    const { clock, disk, diskChanged, instance, kubeletOf, logger, random } = this.#options;
    if (disk.configuration === undefined || disk.configuration.isReplaced === true) return;
    const daemon = new NodeConfiguration({
      client,
      clock,
      random: random.split('configuration'),
      logger,
      node: instance.hostname,
      current: () => disk.configuration,
      become: async (config, release) => {
        disk.configuration = { config, release, kubelet: kubeletOf?.(release) ?? disk.configuration?.kubelet ?? '' };
        diskChanged?.();
        await heartbeat.recover();
      },
    });
    await daemon.run(signal);
  }

  /** A client with the node's own certificate; undefined when there is none to be had now. */
  async #join(connection: Connection, signal: AbortSignal): Promise<Client> {
    const { connect, disk } = this.#options;
    if (disk.client === undefined) {
      disk.client = await this.#certify(this.#client(connect(connection)), 'client', signal);
      this.#options.diskChanged?.();
    }
    const credentials = fixedCredentials({ headers: {}, certificate: disk.client });
    return this.#client(connect({ ...connection, credentials }));
  }

  async #certifyServing(node: Client, signal: AbortSignal): Promise<true> {
    const { disk, diskChanged } = this.#options;
    if (disk.serving === undefined) {
      disk.serving = await this.#certify(node, 'serving', signal);
      diskChanged?.();
    }
    return true;
  }

  async #certify(
    client: Client,
    use: 'client' | 'serving',
    signal: AbortSignal,
  ): Promise<{ certPem: string; keyPem: string }> {
    const { clock, instance, isSimulated = false, random } = this.#options;
    const names = use === 'client' ? {} : servingNames(instance);
    const { keyPem, requestPem } = createCertificateRequest({
      commonName: `system:node:${instance.hostname}`,
      organizations: [NODE_GROUP],
      ...names,
      keyFrom: isSimulated ? random.split(`${use} key at ${clock.monotonic()}`) : undefined,
    });
    const signerName = use === 'client' ? CLIENT_SIGNER : SERVING_SIGNER;
    const usages = ['digital signature', use === 'client' ? 'client auth' : 'server auth'];
    const certPem = await askForCertificate({ client, clock, requestPem, signerName, usages, signal });
    if (certPem === undefined)
      throw new SimulationError('NOT_CERTIFIED', `no ${use} certificate was issued to ${instance.hostname}`);
    return { certPem, keyPem };
  }

  #client(transport: Transport): Client {
    const { clock, instance, random } = this.#options;
    const { hostname } = instance;
    return new Client(transport, { clock, random: random.split('client'), userAgent: `kubelet ${hostname}` });
  }

  #description(): NodeDescription {
    const { disk, instance } = this.#options;
    const [ip = ''] = instance.addresses.filter(({ type }) => type === 'InternalIP').map(({ address }) => address);
    return {
      name: instance.hostname,
      ip,
      podCidr: podRangeOf(ip),
      providerId: instance.providerId,
      addresses: instance.addresses,
      kubeletVersion: () => disk.configuration?.kubelet,
      annotations: disk.configuration === undefined ? {} : configurationAnnotations(disk.configuration),
      capacity: { cpu: '4', memory: '16Gi', pods: '250', 'ephemeral-storage': '120Gi' },
      labels: {
        'node-role.kubernetes.io/worker': '',
        'node.kubernetes.io/instance-type': instance.type,
        'topology.kubernetes.io/region': instance.region,
        'topology.kubernetes.io/zone': instance.zone,
      },
    };
  }

  /** Tries again after a while, as long as the instance runs. */
  async #retrying<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T | undefined> {
    const { clock, instance, logger, retryMs = RETRY_MS } = this.#options;
    const began = clock.monotonic();
    while (!signal.aborted) {
      try {
        return await act();
      } catch (error) {
        if (signal.aborted) break;
        // A cluster that is only just coming up is nothing to be warned of.
        const level = clock.monotonic() - began < WARN_AFTER_MS ? 'debug' : 'warn';
        logger[level]('a node cannot join yet', { instance: instance.id, error: errorText(error) });
      }
      await sleep(clock, retryMs, signal);
    }
    return undefined;
  }
}

/** The addresses of the pods of an instance: of 10.64.0.7 those of 10.192.7.0/24, which no other node has. */
function podRangeOf(ip: string): string {
  const [, , third = 0, fourth = 0] = ip.split('.').map(Number);
  return `10.${192 + (third % 64)}.${fourth}.0/24`;
}

function servingNames({ addresses }: Instance): { dnsNames: string[]; ipAddresses: string[] } {
  const of = (isIp: boolean): string[] => [
    ...new Set(addresses.filter(({ type }) => type.endsWith('IP') === isIp).map(({ address }) => address)),
  ];
  return { dnsNames: of(false), ipAddresses: of(true) };
}
