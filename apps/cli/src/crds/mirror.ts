import { errorText } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { ApiError, compareBytes, isConflict, pushAll } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { MirrorError, mirrorDefinition, printJson, printYaml } from '@capstan/translate/mirror';
import type { MirrorOptions, SourceObject } from '@capstan/translate/mirror';
import { CliError, UsageError } from '../errors.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';
import { DEFINITIONS } from './lists.js';
import { admissionWarnings, applyPrivateCrd, readFromCluster, withCluster } from './cluster.js';
import { readSources } from './read.js';
import { readSettings } from './settings.js';
import type { MirrorSettings } from './settings.js';

const CORE_GROUP = 'cluster.x-k8s.io';

export interface MirrorCommandOptions extends MirrorSettings, ClusterOptions {
  readonly filename?: readonly string[] | undefined;
  readonly fromCluster?: boolean | undefined;
  readonly output?: 'yaml' | 'json' | 'name' | undefined;
  readonly apply?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly forceConflicts?: boolean | undefined;
}

/** Prints or applies the private CRDs of all sources, or of none. */
export async function runMirror(options: MirrorCommandOptions, io: Io): Promise<void> {
  checkUsage(options);
  const settings = await readSettings(options);
  const { sources, warnings } = await gather(options, settings, io);
  const privateCrds = mirrorAll(sources, settings);
  for (const warning of [...warnings, ...privateCrds.warnings]) io.err(`warning: ${warning}\n`);
  if (options.apply === true) await applyAll(privateCrds.definitions, options, io);
  else io.out(printed(privateCrds.definitions, options.output));
}

function checkUsage({ apply, dryRun, filename, forceConflicts, fromCluster, output }: MirrorCommandOptions): void {
  if ((filename === undefined) === (fromCluster !== true))
    throw new UsageError('give either -f or --from-cluster', 'it is the source of the CRDs');
  if (apply !== true && (dryRun === true || forceConflicts === true))
    throw new UsageError(
      `${dryRun === true ? '--dry-run' : '--force-conflicts'} needs --apply`,
      'without it nothing is applied',
    );
  if (apply === true && output !== undefined && output !== 'name')
    throw new UsageError(`--apply prints names, not ${output}`, 'leave --output out');
}

interface Gathered {
  readonly sources: readonly SourceObject[];
  readonly warnings: readonly string[];
}

async function gather(options: MirrorCommandOptions, { mapping }: MirrorOptions, io: Io): Promise<Gathered> {
  if (options.filename !== undefined) return { sources: await readSources(options.filename, io), warnings: [] };
  return withCluster(options, io, async (client) => ({
    sources: await readFromCluster(client, mapping),
    warnings: await admissionWarnings(client, mapping),
  }));
}

/** Private CRDs, and warnings for the user who installs them. */
interface Mirrored {
  readonly definitions: readonly KubeObject[];
  readonly warnings: readonly string[];
}

/** All private CRDs by name; a source that cannot be mirrored fails all, since half of an API is no API. */
export function mirrorAll(sources: readonly SourceObject[], options: MirrorOptions): Mirrored {
  const privateCrds = new Map<string, { readonly definition: KubeObject; readonly where: string }>();
  const warnings: string[] = [];
  const unrouted: string[] = [];
  const refused: string[] = [];
  for (const { object, where } of sources) {
    try {
      const mirrored = mirrorDefinition(object, options);
      const { name = '' } = mirrored.definition.metadata;
      const before = privateCrds.get(name);
      if (before !== undefined) refused.push(`${where}: ${name} is given twice, first in ${before.where}`);
      privateCrds.set(name, { definition: mirrored.definition, where });
      pushAll(warnings, mirrored.warnings);
      if (mirrored.lacksWebhook) unrouted.push(groupOf(mirrored.definition, options));
    } catch (error) {
      if (!(error instanceof MirrorError)) throw error;
      refused.push(`${where}: ${error.message}`);
    }
  }
  const [first, ...more] = refused;
  if (first !== undefined)
    throw new CliError(
      [first, ...more.map((refusal) => `error: ${refusal}`)].join('\n'),
      'nothing was mirrored: give CRDs of standard kinds alone',
    );
  const definitions = [...privateCrds.values()].map(({ definition }) => definition);
  return { definitions: definitions.toSorted(byName), warnings: [...warnings, ...unroutedWarnings(unrouted)] };
}

function groupOf({ spec }: KubeObject, { mapping }: MirrorOptions): string {
  return mapping.swap((spec as { readonly group: string }).group);
}

/** One line per group: the value of the shim's --delegate. The shim converts core kinds itself. */
function unroutedWarnings(groups: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1);
  counts.delete(CORE_GROUP);
  return [...counts].map(
    ([group, count]) =>
      `${count === 1 ? 'a CRD' : `${count} CRDs`} of ${group} with several versions ${count === 1 ? 'names' : 'name'} no webhook: the shim needs --delegate ${group}=URL`,
  );
}

function byName(one: KubeObject, other: KubeObject): number {
  return compareBytes(one.metadata.name ?? '', other.metadata.name ?? '');
}

function printed(privateCrds: readonly KubeObject[], output: MirrorCommandOptions['output']): string {
  if (output === 'json') return printJson(privateCrds);
  return output === 'name'
    ? privateCrds.map((privateCrd) => `${fullName(privateCrd)}\n`).join('')
    : printYaml(privateCrds);
}

function fullName({ metadata: { name = '' } }: KubeObject): string {
  return `customresourcedefinition.apiextensions.k8s.io/${name}`;
}

/** All are tried before the first is written: half of an API is no API. */
async function applyAll(privateCrds: readonly KubeObject[], options: MirrorCommandOptions, io: Io): Promise<void> {
  const isDry = options.dryRun === true;
  const done = isDry ? 'serverside-applied (server dry run)' : 'serverside-applied';
  const report = (privateCrd: KubeObject): void =>
    io.out(options.output === 'name' ? `${fullName(privateCrd)}\n` : `${fullName(privateCrd)} ${done}\n`);
  await withCluster(options, io, async (client) => {
    const kept = options.forceConflicts === true ? new Set<string>() : await installedCrds(client);
    const isKept = ({ metadata: { name = '' } }: KubeObject): boolean => kept.has(name);
    const wanted = privateCrds.filter((each) => !isKept(each));
    await tried(client, wanted, options);
    if (options.output !== 'name')
      for (const each of privateCrds.filter(isKept)) io.out(`${fullName(each)} kept: capstan install manages it\n`);
    for (const [index, privateCrd] of wanted.entries()) {
      if (!isDry) await written(client, privateCrd, options, `${index} of ${wanted.length} were`);
      report(privateCrd);
    }
  });
}

/** CRDs of an installation, which upgrades them itself and restores them when they change. */
async function installedCrds(client: Client): Promise<ReadonlySet<string>> {
  const { VERSION_ANNOTATION } = await import('@capstan/hypershift/manifests');
  const { items } = await client.list(DEFINITIONS, { metadataOnly: true });
  const installed = items.filter(({ metadata }) => metadata.annotations?.[VERSION_ANNOTATION] !== undefined);
  return new Set(installed.map(({ metadata }) => metadata.name ?? ''));
}

async function tried(client: Client, privateCrds: readonly KubeObject[], options: MirrorCommandOptions): Promise<void> {
  const refused: string[] = [];
  let hasConflict = false;
  for (const privateCrd of privateCrds) {
    try {
      await applyPrivateCrd(client, privateCrd, { ...options, dryRun: true });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      hasConflict ||= isConflict(error);
      refused.push(`${fullName(privateCrd)} cannot be applied: ${error.message.replaceAll('\n', ' ')}`);
    }
  }
  const [first, ...more] = refused;
  if (first === undefined) return;
  throw new CliError(
    [first, ...more.map((refusal) => `error: ${refusal}`)].join('\n'),
    `nothing was applied: ${hasConflict ? 'give --force-conflicts to take over fields of other field managers' : 'the messages of the server name the reasons'}`,
  );
}

async function written(
  client: Client,
  privateCrd: KubeObject,
  options: MirrorCommandOptions,
  before: string,
): Promise<void> {
  try {
    await applyPrivateCrd(client, privateCrd, options);
  } catch (error) {
    throw new CliError(
      `${fullName(privateCrd)} was not applied; ${before}: ${errorText(error)}`,
      'run the command again: what was applied stays as it is',
      { cause: error },
    );
  }
}
