import { errorText } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { ApiError, compareBytes, isConflict, pushAll } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { MirrorError, mirrorDefinition, printJson, printYaml } from '@capstan/translate/mirror';
import type { MirrorOptions, SourceObject } from '@capstan/translate/mirror';
import { CliError, UsageError } from '../errors.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';
import { admissionWarnings, applyTwin, readFromCluster, withCluster } from './cluster.js';
import { readSources } from './read.js';
import { readSettings } from './settings.js';
import type { TwinSettings } from './settings.js';

const CORE_GROUP = 'cluster.x-k8s.io';

export interface MirrorCommandOptions extends TwinSettings, ClusterOptions {
  readonly filename?: readonly string[] | undefined;
  readonly fromCluster?: boolean | undefined;
  readonly output?: 'yaml' | 'json' | 'name' | undefined;
  readonly apply?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly forceConflicts?: boolean | undefined;
}

/** Prints or applies the twins of definitions: of all of them, or of none. */
export async function runMirror(options: MirrorCommandOptions, io: Io): Promise<void> {
  checkUsage(options);
  const settings = await readSettings(options);
  const { sources, warnings } = await gather(options, settings, io);
  const twins = mirrorAll(sources, settings);
  for (const warning of [...warnings, ...twins.warnings]) io.err(`warning: ${warning}\n`);
  if (options.apply === true) await applyAll(twins.definitions, options, io);
  else io.out(printed(twins.definitions, options.output));
}

function checkUsage({ apply, dryRun, filename, forceConflicts, fromCluster, output }: MirrorCommandOptions): void {
  if ((filename === undefined) === (fromCluster !== true))
    throw new UsageError('give either -f or --from-cluster', 'it says where the definitions come from');
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

/** Twins, and what whoever installs them should know. */
interface Twins {
  readonly definitions: readonly KubeObject[];
  readonly warnings: readonly string[];
}

/** All twins by name; one source that has none spoils the lot, for half of an API is no API. */
export function mirrorAll(sources: readonly SourceObject[], options: MirrorOptions): Twins {
  const twins = new Map<string, { readonly definition: KubeObject; readonly where: string }>();
  const warnings: string[] = [];
  const unrouted: string[] = [];
  const refused: string[] = [];
  for (const { object, where } of sources) {
    try {
      const mirrored = mirrorDefinition(object, options);
      const { name = '' } = mirrored.definition.metadata;
      const before = twins.get(name);
      if (before !== undefined) refused.push(`${where}: ${name} is there twice, first in ${before.where}`);
      twins.set(name, { definition: mirrored.definition, where });
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
      'nothing was mirrored: give definitions of standard kinds alone',
    );
  const definitions = [...twins.values()].map(({ definition }) => definition);
  return { definitions: definitions.toSorted(byName), warnings: [...warnings, ...unroutedWarnings(unrouted)] };
}

function groupOf({ spec }: KubeObject, { mapping }: MirrorOptions): string {
  return mapping.swap((spec as { readonly group: string }).group);
}

/** One line for each group: that is how the shim is told. Core kinds it converts itself. */
function unroutedWarnings(groups: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1);
  counts.delete(CORE_GROUP);
  return [...counts].map(
    ([group, count]) =>
      `${count === 1 ? 'a definition' : `${count} definitions`} of ${group} with several versions ${count === 1 ? 'names' : 'name'} no webhook: the shim needs --delegate ${group}=URL`,
  );
}

function byName(one: KubeObject, other: KubeObject): number {
  return compareBytes(one.metadata.name ?? '', other.metadata.name ?? '');
}

function printed(twins: readonly KubeObject[], output: MirrorCommandOptions['output']): string {
  if (output === 'json') return printJson(twins);
  return output === 'name' ? twins.map((twin) => `${fullName(twin)}\n`).join('') : printYaml(twins);
}

function fullName({ metadata: { name = '' } }: KubeObject): string {
  return `customresourcedefinition.apiextensions.k8s.io/${name}`;
}

/** All are tried before the first is written: half of an API is no API. */
async function applyAll(twins: readonly KubeObject[], options: MirrorCommandOptions, io: Io): Promise<void> {
  const isDry = options.dryRun === true;
  const done = isDry ? 'serverside-applied (server dry run)' : 'serverside-applied';
  const report = (twin: KubeObject): void =>
    io.out(options.output === 'name' ? `${fullName(twin)}\n` : `${fullName(twin)} ${done}\n`);
  await withCluster(options, io, async (client) => {
    await tried(client, twins, options);
    for (const [index, twin] of twins.entries()) {
      if (!isDry) await written(client, twin, options, `${index} of ${twins.length} were`);
      report(twin);
    }
  });
}

async function tried(client: Client, twins: readonly KubeObject[], options: MirrorCommandOptions): Promise<void> {
  const refused: string[] = [];
  let hasConflict = false;
  for (const twin of twins) {
    try {
      await applyTwin(client, twin, { ...options, dryRun: true });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      hasConflict ||= isConflict(error);
      refused.push(`${fullName(twin)} cannot be applied: ${error.message.replaceAll('\n', ' ')}`);
    }
  }
  const [first, ...more] = refused;
  if (first === undefined) return;
  throw new CliError(
    [first, ...more.map((refusal) => `error: ${refusal}`)].join('\n'),
    `nothing was applied: ${hasConflict ? 'give --force-conflicts to take over fields of other field managers' : 'the messages of the server name the reasons'}`,
  );
}

async function written(client: Client, twin: KubeObject, options: MirrorCommandOptions, before: string): Promise<void> {
  try {
    await applyTwin(client, twin, options);
  } catch (error) {
    throw new CliError(
      `${fullName(twin)} was not applied; ${before}: ${errorText(error)}`,
      'run the command again: what was applied stays as it is',
      { cause: error },
    );
  }
}
