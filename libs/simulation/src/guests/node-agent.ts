import { Heartbeat } from '@capstan/cluster';
import type { NodeDescription } from '@capstan/cluster';
import { Client, untrustedConnection } from '@capstan/kube';
import type { Connection, Logger } from '@capstan/kube';
import type { Clock, Random, Transport } from '@capstan/meta';
import type { Instance } from '@capstan/upstream';
import { NodeCertificates } from './node-certificates.js';
import type { CertificateUse } from './node-certificates.js';
import { configurationAnnotations, NodeConfiguration } from './node-configuration.js';
import { retrying } from './retrying.js';
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

/** A node that has joined its cluster. */
export interface JoinedNode {
  readonly description: NodeDescription;
  /** Asks the server of the cluster with the node's own certificate. */
  readonly client: Client;
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
  /** What runs the pods of a node of a server; undefined for servers whose nodes only renew their Leases. */
  readonly podsOf?: ((server: string, node: JoinedNode) => NodePods | undefined) | undefined;
  /**
   * Called when a node whose client certificate has expired asks by its bootstrap credentials for another, with the server
   * and the name of the request. Default: it waits for an approval.
   */
  readonly rejoins?: ((server: string, requestName: string) => Promise<void>) | undefined;
  /** After how long it tries again what failed. Default 10 s. */
  readonly retryMs?: number | undefined;
  /** Draws the keys of nodes: for simulations alone. */
  readonly isSimulated?: boolean | undefined;
}

const RETRY_MS = 10_000;
const JOINING = 'a node cannot join yet';
const RENEWING = 'a node cannot have its certificate renewed yet';

/** What a kubelet does on an instance: joins the cluster its user data names, and renews its Lease from then on. */
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
    const certificates = this.#certificates(connection.server);
    const description = this.#description();
    const runs: { pods?: NodePods | undefined } = {};
    const isLost = (): boolean => signal.aborted || runs.pods?.isLost() === true;
    const joined = await this.#retrying(signal, async () => {
      // Connected again each time: how a server is reached may be known only after it came up.
      const clients = this.#clients(connection, certificates);
      if (!certificates.isGood('client')) await certificates.renew('client', clients.bootstrap, signal);
      const heartbeat = new Heartbeat({ client: clients.node, clock, logger, description, isLost, leavesTaint: true });
      await heartbeat.register();
      return { ...clients, heartbeat };
    });
    if (joined === undefined) return;
    const { bootstrap, heartbeat, node } = joined;
    // Not before the server has answered: only then is it known whose nodes these are.
    runs.pods = this.#options.podsOf?.(connection.server, { description, client: node });
    await Promise.all([
      heartbeat.run(signal),
      this.#keepCertified(certificates, { bootstrap, node }, 'client', signal),
      this.#keepCertified(certificates, { bootstrap, node }, 'serving', signal),
      this.#configure(node, heartbeat, signal),
      runs.pods?.run(signal),
    ]);
  }

  async #bootstrapConnection(): Promise<Connection | undefined> {
    const { disk, diskChanged, fetchIgnition, instance } = this.#options;
    const found = await bootstrapOf(instance.userData, fetchIgnition);
    if (found?.configuration !== undefined && disk.configuration === undefined) {
      disk.configuration = found.configuration;
      diskChanged?.();
    }
    if (found === undefined) return undefined;
    return untrustedConnection(found.kubeconfig, { origin: `the user data of instance ${instance.id}` });
  }

  /** Applies the configuration that the cluster wants; for machines that know their configuration, and may change. */
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

  #certificates(server: string): NodeCertificates {
    const { clock, disk, diskChanged, instance, isSimulated, random, rejoins } = this.#options;
    return new NodeCertificates({
      instance,
      disk,
      diskChanged,
      clock,
      random,
      isSimulated,
      rejoins: rejoins && ((name) => rejoins(server, name)),
    });
  }

  /** Renews a certificate whenever it is due: by itself as long as it is known, else by what it bootstraps with. */
  async #keepCertified(
    certificates: NodeCertificates,
    { bootstrap, node }: { readonly bootstrap: Client; readonly node: Client },
    use: CertificateUse,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      await certificates.untilDue(use, signal);
      const renew = (): Promise<true> => {
        const isKnown = use === 'serving' || certificates.isGood('client');
        return certificates.renew(use, isKnown ? node : bootstrap, signal);
      };
      await this.#retrying(signal, renew, RENEWING);
    }
  }

  #clients(connection: Connection, { credentials }: NodeCertificates): Record<'bootstrap' | 'node', Client> {
    const { connect } = this.#options;
    return {
      bootstrap: this.#client(connect(connection)),
      node: this.#client(connect({ ...connection, credentials })),
    };
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
        'node.kubernetes.io/instance-type': instance.type,
        'topology.kubernetes.io/region': instance.region,
        'topology.kubernetes.io/zone': instance.zone,
      },
    };
  }

  /** Tries again after a while, as long as the instance runs. */
  #retrying<T>(signal: AbortSignal, act: () => Promise<T>, message = JOINING): Promise<T | undefined> {
    const { clock, instance, logger, retryMs = RETRY_MS } = this.#options;
    return retrying({ clock, logger, message, fields: { instance: instance.id }, retryMs, signal }, act);
  }
}

/** The addresses of the pods of an instance: of 10.64.0.7 those of 10.192.7.0/24, which no other node has. */
function podRangeOf(ip: string): string {
  const [, , third = 0, fourth = 0] = ip.split('.').map(Number);
  return `10.${192 + (third % 64)}.${fourth}.0/24`;
}
