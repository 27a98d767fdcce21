import type { Clock, Random } from '@capstan/meta';
import type { Client, Logger } from '@capstan/kube';
import type { ControllerOptions } from '../controller.js';
import type { Link, RealAddress } from '../pod-network/link.js';
import { PodNetwork } from '../pod-network/pod-network.js';
import { SocketLink } from '../pod-network/socket-link.js';
import { SharedInformers } from '../workload/shared-informers.js';
import { Faults } from './faults.js';
import type { ContainerIsolation } from './isolation.js';
import { FeedSource } from './objects.js';
import { ProgramRegistry } from './program.js';
import type { ClaimVolumes } from './volumes.js';

export interface PodRuntimeOptions extends ControllerOptions {
  /** Shared with other controllers; must not have been started yet. Default: its own. */
  readonly informers?: SharedInformers | undefined;
  readonly programs?: ProgramRegistry | undefined;
  readonly faults?: Faults | undefined;
  /** Attributes errors that programs do not catch to their containers. Default: they end the process. */
  readonly isolation?: ContainerIsolation | undefined;
  /** Carries the connections of pods. Default: sockets of this machine. */
  readonly link?: Link | undefined;
  /** Where `kubernetes.default.svc` leads. Default: the addresses of its EndpointSlice. */
  readonly apiServer?: RealAddress | undefined;
  /** Which namespaces' pods are run. Default: all. */
  readonly namespaces?: ((namespace: string) => boolean) | undefined;
}

/** What all nodes of this process share: one network, one set of programs and faults, one view of the cluster. */
export class PodRuntime {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly informers: SharedInformers;
  readonly programs: ProgramRegistry;
  readonly faults: Faults;
  readonly isolation: ContainerIsolation | undefined;
  readonly network: PodNetwork;
  readonly feeds: FeedSource;
  readonly claims: ClaimVolumes = new Map();
  readonly namespaces: (namespace: string) => boolean;

  constructor(options: PodRuntimeOptions) {
    const { client, clock, logger, random } = options;
    this.client = client;
    this.clock = clock;
    this.random = random;
    this.logger = logger;
    this.informers = options.informers ?? new SharedInformers(options);
    this.programs = options.programs ?? new ProgramRegistry();
    this.faults = options.faults ?? new Faults();
    this.isolation = options.isolation;
    this.namespaces = options.namespaces ?? (() => true);
    this.feeds = new FeedSource({ client, clock, logger, random: random.split('feeds') });
    this.network = new PodNetwork({
      link: options.link ?? new SocketLink(),
      informers: this.informers,
      random: random.split('services'),
      apiServer: options.apiServer,
    });
  }
}
