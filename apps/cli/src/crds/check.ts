import { countOf } from '@capstan/crd-compat';
import type { Checked } from '@capstan/crd-compat';
import type { KubeObject } from '@capstan/meta';
import { CliError, UsageError } from '../errors.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';
import { CRD_KIND, headOf } from './head.js';
import { pairUp, placeIn, removedCrd } from './pair.js';
import type { Pair, Pairing } from './pair.js';
import { print } from './print.js';
import type { PrintOptions } from './print.js';
import { readSources } from './read.js';
import type { SourceObject } from './read.js';
import { readRequirements } from './requirements.js';
import { readSeverities, withSeverities } from './severity.js';

/** Options of `capstan crds check`. */
export interface CheckOptions extends ClusterOptions, PrintOptions {
  readonly requirement?: readonly string[] | undefined;
  readonly crd?: readonly string[] | undefined;
  readonly versions: string;
  readonly exclude?: readonly string[] | undefined;
  readonly serverVersion: number;
  /** `RULE=SEVERITY` */
  readonly rule?: readonly string[] | undefined;
  readonly config?: string | undefined;
}

/** Checks CRDs against what is required of them; whether all of it is met. */
export async function runCheck(options: CheckOptions, io: Io): Promise<boolean> {
  if (options.crd === undefined && options.requirement === undefined)
    throw new UsageError('give --requirement, --crd or both', 'what is not given is read from the cluster');
  const severities = await readSeverities(options.rule ?? [], options.config);
  const { definitions, required } = await gather(options, io);
  const terms = { versions: options.versions, exclude: options.exclude ?? [], minor: options.serverVersion };
  const pairing = pairUp(await readRequirements(required, terms), definitions);
  const found = pairing.found.map((each) => checkOne(each, options.crd === undefined || isLive(each)));
  const checked = withSeverities([...found, ...missing(pairing, options, io)], severities);
  io.out(await print(checked, options, pairing.found));
  return countOf(checked).errors === 0;
}

/** More CRDs than these take so long to check that optimised code pays, which short commands start without. */
const MANY_OBJECTS = 12;

interface Gathered {
  readonly required: readonly SourceObject[];
  readonly definitions: readonly SourceObject[];
}

async function gather({ crd, requirement, ...cluster }: CheckOptions, io: Io): Promise<Gathered> {
  const sources = { ...cluster, texts: new Map() };
  const required =
    requirement === undefined
      ? await fromCluster('requirements', cluster, io)
      : await readSources(requirement, io, sources);
  const definitions =
    crd === undefined ? await fromCluster('definitions', cluster, io) : await readSources(crd, io, sources);
  if (!definitions.some(({ object }) => headOf(object).kind === CRD_KIND))
    throw new CliError(
      `there are no CustomResourceDefinitions in ${crd?.join(' ') ?? 'the cluster'}`,
      'name files of them with --crd',
    );
  if (required.length + definitions.length > MANY_OBJECTS) io.setV8Flag?.('--opt');
  return { required, definitions };
}

/** Loaded when a cluster is asked: most checks are between files, and a client is much to load. */
async function fromCluster(
  what: 'definitions' | 'requirements',
  options: ClusterOptions,
  io: Io,
): Promise<SourceObject[]> {
  const [{ withCluster }, { DEFINITIONS, listed, REQUIREMENTS }] = await Promise.all([
    import('./cluster.js'),
    import('./lists.js'),
  ]);
  const kind = what === 'definitions' ? DEFINITIONS : REQUIREMENTS;
  return withCluster(options, io, (client) => listed(client, kind));
}

/**
 * What is found of requirements without their CRD. Files that were named by --requirement are one release, and what the
 * other lacks was removed. What a cluster requires may be about other CRDs than those that are to be checked.
 */
function missing({ found, missing: without }: Pairing, { crd, requirement }: CheckOptions, io: Io): Checked[] {
  const source = crd?.join(' ') ?? 'the cluster';
  if (requirement === undefined) {
    if (found.length === 0) io.err(`note: the cluster has no requirement of the CRDs in ${source}\n`);
    return [];
  }
  if (found.length === 0)
    io.err(`note: none of the CRDs in ${source} is required; check that both sides are of the same API\n`);
  return without.map((each) => removedCrd(each, source));
}

function isLive({ definition: { source = '' } }: Pair): boolean {
  return source.startsWith('kube://');
}

/** A CRD read from the server is one that the server took; one from a file has yet to be. */
function checkOne({ definition, requirement: { check, crdName, name } }: Pair, fromServer: boolean): Checked {
  const { object, where } = definition;
  const crd = object as KubeObject;
  try {
    const report = check.check(crd, fromServer ? { stored: crd } : {});
    return { requirement: name, definition: crdName, ...placeIn(definition), report };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new CliError(`${where}: ${crdName} cannot be read: ${cause}`, 'let the server check it first', {
      cause: error,
    });
  }
}
