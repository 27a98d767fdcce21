import { resource } from '@capstan/api/model';
import type { MachinePlatform } from '@capstan/convert/machine-api';
import type { Client, ResourceKind } from '@capstan/kube';
import {
  CLUSTERS,
  creationOf,
  definitionOf,
  fieldsAt,
  firstDifference,
  INFRASTRUCTURES,
  MAPI_MACHINES,
  planNewCluster,
  readyStatus,
} from '@capstan/machine-api';
import type { NewCluster } from '@capstan/machine-api';
import { ignoreNotFound, isAlreadyExists } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { ConversionPlatforms } from '@capstan/provider';
import { CliError } from '../errors.js';
import { withCluster } from '../hosted/cluster-access.js';
import { nameOf } from '../install/cluster.js';
import type { Io } from '../io.js';
import { formatObject } from '../output.js';
import { conversionPlatforms } from '../platforms.js';
import { placesOf } from './read.js';
import type { MachineApiPlaces } from './read.js';

/** `capstan machine-api create-cluster`, as it was typed. */
export interface CreateMirroredClusterOptions extends MachineApiPlaces {
  readonly dryRun?: 'client' | 'server' | undefined;
  readonly output?: 'json' | 'yaml' | undefined;
}

interface Running {
  readonly client: Client;
  readonly options: CreateMirroredClusterOptions;
  readonly io: Io;
}

/** An object that is to be there. */
interface Wanted {
  readonly kind: ResourceKind;
  readonly desired: KubeObject;
  readonly live: KubeObject | undefined;
}

const NOTES = { client: ' (dry run)', server: ' (server dry run)' } as const;

/**
 * Creates the infrastructure cluster and the Cluster that copies of machines need. The Cluster is last: a run that ended
 * before it is continued by the next one, and until then nothing is copied.
 */
export async function runCreateMirroredCluster(options: CreateMirroredClusterOptions, io: Io): Promise<void> {
  await withCluster(options, io, async (client) => {
    const running = { client, options, io };
    const { plan, platform } = await planOf(running);
    const kind = resource(platform.cluster.kind, platform.cluster.version);
    const definition = await servedDefinition(client, kind);
    const wanted = [await look(running, kind, plan.infrastructureCluster), await look(running, CLUSTERS, plan.cluster)];
    refuseForeign(wanted);
    const made: KubeObject[] = [];
    for (const each of wanted) {
      const isOurs = each.kind === kind && !plan.isManaged;
      const status = isOurs ? fieldsAt(definition, kind.version, 'status') : {};
      made.push(await ensure(running, each, status));
    }
    for (const need of plan.needs) io.err(`needed besides: ${need}\n`);
    if (options.output !== undefined) io.out(await formatObject(listOf(made), options.output));
  });
}

function listOf(items: readonly KubeObject[]): object {
  return { apiVersion: 'v1', kind: 'List', items };
}

async function planOf({ client, options }: Running): Promise<{ plan: NewCluster; platform: MachinePlatform }> {
  const namespaces = placesOf(options);
  const infrastructure = await client.get(INFRASTRUCTURES, 'cluster').catch(ignoreNotFound);
  if (infrastructure === undefined)
    throw new CliError('the cluster has no Infrastructure cluster', 'name an OpenShift cluster with --context');
  const platform = platformOf(infrastructure, await conversionPlatforms());
  const machines = await client.list(MAPI_MACHINES, { namespace: namespaces.machineApi }).catch(ignoreNotFound);
  const plan = planNewCluster({ infrastructure, machines: machines?.items ?? [], platform, namespaces });
  if (!('problems' in plan)) return { plan, platform };
  throw new CliError(
    `the ${platform.cluster.kind.kind} cannot be derived: ${plan.problems.join('; ')}`,
    `correct that, or create the ${platform.cluster.kind.kind} and the Cluster in ${namespaces.clusterApi} yourself`,
  );
}

function platformOf(infrastructure: KubeObject, platforms: ConversionPlatforms): MachinePlatform {
  const { platformStatus } = (infrastructure['status'] ?? {}) as { readonly platformStatus?: JsonObject };
  const type = platformStatus?.['type'];
  const found = [...platforms].find((each) => each.type === type);
  const hint = 'machines of this platform stay in Machine API';
  if (found === undefined) throw new CliError(`platform ${String(type)} is not supported`, hint);
  if ('refused' in found) throw new CliError(`platform ${found.type}: ${found.refused}`, hint);
  return found;
}

/** The CRD of the infrastructure cluster, where both kinds are served. */
async function servedDefinition(client: Client, kind: ResourceKind): Promise<KubeObject | undefined> {
  const [own, clusters] = [await definitionOf(client, kind), await definitionOf(client, CLUSTERS)];
  if (own !== undefined && clusters !== undefined) return own;
  const { group, plural } = own === undefined ? kind : CLUSTERS;
  throw new CliError(
    `the cluster does not serve ${plural}.${group}`,
    'install Cluster API and its provider for the platform first',
  );
}

async function look({ client }: Running, kind: ResourceKind, desired: KubeObject): Promise<Wanted> {
  const { name = '', namespace } = desired.metadata;
  return { kind, desired, live: await client.get(kind, name, { namespace }).catch(ignoreNotFound) };
}

/** Both, before the first is created. */
function refuseForeign(wanted: readonly Wanted[]): void {
  for (const { desired, live } of wanted) {
    const decision = creationOf(live);
    if (typeof decision === 'string') continue;
    throw new CliError(
      `${nameOf(desired)} in namespace ${desired.metadata.namespace} ${decision.problem}`,
      'it is left as it is: see capstan machine-api status for whether copies need anything else',
    );
  }
}

/** Creates an object unless it is there; `statusFields` are those of a status that nobody else fills. */
async function ensure(running: Running, wanted: Wanted, statusFields: JsonObject): Promise<KubeObject> {
  const { client, options } = running;
  const { desired, kind, live } = wanted;
  warnOfEdits(running, wanted);
  const flag = options.dryRun === 'server' ? { dryRun: true } : {};
  const before = live ?? (options.dryRun === 'client' ? desired : await create(client, wanted, flag));
  const status = readyStatus(before, statusFields);
  report(running, desired, live === undefined ? 'created' : status === undefined ? 'unchanged' : 'ready');
  // What was only tried has no status that could be written.
  const isTried = options.dryRun === 'client' || (options.dryRun === 'server' && live === undefined);
  if (status === undefined || isTried) return before;
  const { name = '', namespace } = desired.metadata;
  return client.patch(kind, name, { type: 'merge', value: { status } }, { namespace, subresource: 'status', ...flag });
}

/** What an administrator has changed stays. */
function warnOfEdits({ io }: Running, { desired, live }: Wanted): void {
  const different = live && firstDifference(desired['spec'], live['spec']);
  if (different === undefined) return;
  io.err(`warning: ${nameOf(desired)}: ${different} is not as it would be created now, and is left as it is\n`);
}

/** With an output format, standard output is for programs: what was done is not among the objects. */
function report({ io, options: { dryRun, output } }: Running, object: KubeObject, done: string): void {
  const line = `${nameOf(object)} ${done}${dryRun === undefined ? '' : NOTES[dryRun]}\n`;
  if (output === undefined) io.out(line);
  else io.err(line);
}

async function create(
  client: Client,
  { desired, kind }: Wanted,
  flag: { readonly dryRun?: boolean },
): Promise<KubeObject> {
  const { namespace } = desired.metadata;
  try {
    return await client.create(kind, desired, { namespace, ...flag });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    throw new CliError(`${nameOf(desired)} was created by others meanwhile`, 'run the command again', { cause: error });
  }
}
