import { join } from 'node:path';
import { ProgramRegistry } from '@capstan/cluster';
import type { ContainerIsolation, PodRuntime } from '@capstan/cluster';
import { Client } from '@capstan/kube';
import type { Logger } from '@capstan/kube';
import {
  approveRejoin,
  CERTIFICATE_CONTROLLER,
  certificateControllers,
  Fleet,
  KnownServers,
  serveGuests,
} from '@capstan/simulation';
import type { Guests, JoinedNode, NodeDisk, NodePods, OperatorProgramOptions, ServedGuests } from '@capstan/simulation';
import { Cloud, CloudError } from '@capstan/upstream';
import { startServer } from '../apiserver/start.js';
import type { ApiserverOptions, StartedServer } from '../apiserver/start.js';
import { attachControllers } from '../apiserver/controllers.js';
import type { RunningControllers } from '../apiserver/controllers.js';
import { HOSTED_KEPT, startHosting } from './hosting/hosting.js';
import type { Hosting } from './hosting/hosting.js';
import type { RunCommand } from '../context.js';
import { registerCapstan } from '../pods/capstan-images.js';
import { nodePods } from './node-pods.js';
import { patientTransport } from './patient-transport.js';
import { programsOf } from './what-images-do.js';
import { ENVIRONMENT_FOLDER, KeptEnvironment } from './kept.js';
import type { EnvironmentFile } from './kept.js';

/** A management cluster with a cloud, guest clusters, and programs to be run as its pods. */
export interface RunningEnvironment {
  readonly started: StartedServer;
  readonly guests: Guests;
  readonly cloud: Cloud;
  /** Acts as the administrator. */
  readonly client: Client;
  readonly hosting: Hosting;
  /** Lets a guest be kept, where anything is; must come before it is made. */
  openGuest(namespace: string, name: string): Promise<void>;
  close(): Promise<void>;
}

export interface SimulationOptions extends ApiserverOptions {
  /** Ends containers by the errors that their components do not catch. */
  readonly isolation: ContainerIsolation;
  /** Runs the `capstan` command in pods. */
  readonly command: RunCommand;
}

/** Here nobody waits a minute for a machine. */
const TIMINGS = {
  boot: [200, 800],
  stop: [200, 500],
  terminate: [200, 800],
  consistency: [0, 100],
} as const;
/** Nor ten seconds for a control plane that was not there yet when its first machines were. */
const NODE_RETRY_MS = 500;
const ADMINISTRATOR = { username: 'capstan-up', groups: ['system:masters', 'system:authenticated'] };

/** Starts all of it. What was started is ended again when something fails on the way; nothing waits once `stop` aborts. */
export async function startEnvironment(
  options: SimulationOptions,
  logger: Logger,
  stop: AbortSignal,
  onServing: (started: StartedServer) => Promise<void>,
): Promise<RunningEnvironment> {
  const ending = new AbortController();
  // Of what is at work it is the end in order, later; but a start may wait long for a disk with room.
  const giveUp = (): void => ending.abort();
  stop.addEventListener('abort', giveUp);
  const closers: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    ending.abort();
    for (const each of closers.toReversed()) await each();
  };
  try {
    const started = await startServer(options, logger);
    closers.push(() => started.close());
    await onServing(started);
    return await furnish(started, { options, logger, signal: ending.signal, closers, close });
  } catch (error) {
    await close();
    throw error;
  } finally {
    stop.removeEventListener('abort', giveUp);
  }
}

interface Furnishing {
  readonly options: SimulationOptions;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly closers: (() => Promise<unknown>)[];
  readonly close: () => Promise<void>;
}

async function furnish(started: StartedServer, given: Furnishing): Promise<RunningEnvironment> {
  const { closers, logger, options, signal } = given;
  const { clock, random, server, url } = started;
  const kept = keptIn(options.data, logger);
  closers.push(async () => kept?.close());
  const known = new KnownServers(clock);
  const own = { handle: server.handle.bind(server), clientCa: () => started.caPem };
  // Instances got the address of the cluster when they were created; a port may have changed since.
  const urls = [...new Set([url, ...(kept?.file?.urls ?? [])])];
  for (const each of urls) known.add(each, own);
  const served = await serveKept(started, kept, known, logger);
  closers.push(() => served.close());
  const { isolation } = options;
  const outside = isolation.clockOutside(clock);
  const cloud = new Cloud({
    clock: outside,
    random: random.split('cloud'),
    timings: TIMINGS,
    state: kept?.file?.cloud,
  });
  const servers = {
    apiServer: own,
    servers: known,
    outside: <T>(run: () => T): T => isolation.outside(run),
  };
  const programs = registryOf(cloud, servers, options.command);
  const hosting = await startHosting({ started, cloud, known, servers, programs, kept, logger });
  closers.push(() => hosting.close());
  const controllers = await attachControllers(started, {
    nodes: options.nodes,
    isolation,
    logger,
    signal,
    programs: () => programs,
  });
  closers.push(() => controllers.stopped());
  signSelf(started, logger, signal);
  const disks = new Map(Object.entries(kept?.file?.disks ?? {}));
  const registryPort = Number(hosting.registry.split(':').at(-1));
  const save = (): boolean =>
    kept?.save(() => ({ ...environmentFile(cloud, disks, served), urls, registryPort })) ?? true;
  save();
  // Before the client gets its answer: a change that is not on disk did not happen.
  cloud.subscribe(({ instance, operation }) => {
    if (instance === undefined || operation === 'get' || save() || operation === 'change') return;
    throw new CloudError('Unavailable', 'the change could not be stored');
  });
  const fleet = startFleet(started, { cloud, controllers, disks, hosting, known, logger, save, urls });
  closers.push(async () => fleet.stop());
  const client = administrator(started, signal);
  if (controllers.runtime !== undefined) hosting.serve(controllers.runtime.network, client, ADMINISTRATOR, signal);
  return {
    started,
    guests: served.guests,
    cloud,
    client,
    hosting,
    openGuest: async (namespace, name) => kept?.open(namespace, name),
    close: given.close,
  };
}

function keptIn(folder: string | undefined, logger: Logger): KeptEnvironment | undefined {
  return folder === undefined ? undefined : new KeptEnvironment(join(folder, ENVIRONMENT_FOLDER), logger);
}

function administrator({ clock, isStoring, random, server }: StartedServer, signal: AbortSignal): Client {
  const transport = patientTransport(server, { clock, isStoring, signal });
  return new Client(transport, { user: ADMINISTRATOR, clock, random: random.split('up'), userAgent: 'capstan-up' });
}

/** Serves guests, those that were kept from the beginning. */
async function serveKept(
  { clock, random }: StartedServer,
  kept: KeptEnvironment | undefined,
  known: KnownServers,
  logger: Logger,
): Promise<ServedGuests> {
  const served = await serveGuests({
    clock,
    random: random.split('guests'),
    logger,
    port: kept?.file?.guestsPort ?? 0,
    known,
    ca: kept?.ca,
    keep: (namespace, name) => kept?.guest(namespace, name),
  });
  for (const { name, namespace } of kept?.guests() ?? []) {
    if (name === HOSTED_KEPT) continue;
    await kept?.open(namespace, name);
    served.guests.ensure(namespace, name);
  }
  return served;
}

function registryOf(cloud: Cloud, options: OperatorProgramOptions, command: RunCommand): ProgramRegistry {
  const registry = registerCapstan(new ProgramRegistry(), command);
  for (const [image, program] of programsOf(cloud, options)) registry.register(image, program);
  return registry;
}

/** Signs for the nodes of the management cluster, as its controller manager does. */
function signSelf({ ca, clock, random, server }: StartedServer, logger: Logger, signal: AbortSignal): void {
  const signer = certificateControllers({
    transport: server,
    clock,
    random: random.split('signer'),
    logger,
    client: { user: CERTIFICATE_CONTROLLER, userAgent: 'kube-controller-manager' },
    ca,
  });
  signer.run(signal).catch((error: unknown) => logger.error('the signer ended', { error: String(error) }));
}

interface FleetParts {
  readonly cloud: Cloud;
  readonly controllers: RunningControllers;
  readonly disks: Map<string, NodeDisk>;
  readonly hosting: Hosting;
  readonly known: KnownServers;
  readonly logger: Logger;
  readonly save: () => boolean;
  /** Of the management cluster. */
  readonly urls: readonly string[];
}

/** Instances run kubelets: those of the management cluster and of hosted ones run pods, others say that they live. */
function startFleet(started: StartedServer, parts: FleetParts): Fleet {
  const { clock, random } = started;
  const { cloud, controllers, disks, hosting, known, logger, save, urls } = parts;
  const { runtime } = controllers;
  const own = runtime === undefined ? undefined : podsOf(started, runtime);
  return new Fleet({
    cloud,
    clock,
    random: random.split('nodes'),
    logger,
    connect: (connection) => known.transport(connection),
    disks,
    diskChanged: save,
    retryMs: NODE_RETRY_MS,
    fetchIgnition: hosting.fetchIgnition,
    kubeletOf: (release) => hosting.kubeletOf(release),
    rejoins: async (server, request) => {
      const found = known.find(server);
      if (found === undefined) return;
      await approveRejoin({ server: found, clock, random: random.split('rejoin'), user: ADMINISTRATOR }, request);
    },
    podsOf: (server, node) => (urls.includes(server) ? own?.(node) : hosting.podsOf(server, node)),
  });
}

function podsOf({ connections }: StartedServer, runtime: PodRuntime): (node: JoinedNode) => NodePods {
  return (node) => nodePods(runtime, node, connections);
}

function environmentFile(
  cloud: Cloud,
  disks: ReadonlyMap<string, NodeDisk>,
  guests: ServedGuests,
): Omit<EnvironmentFile, 'registryPort' | 'urls'> {
  const { certPem, keyPem } = guests.ca;
  return {
    guestsAuthority: { certPem, keyPem },
    guestsPort: Number(new URL(guests.url).port),
    cloud: cloud.state,
    disks: Object.fromEntries(disks),
  };
}
