import { countOf } from '@capstan/crd-compat';
import type { Checked } from '@capstan/crd-compat';
import { errorText } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { SourceObject } from '@capstan/translate/mirror';
import { CliError, UsageError } from '../errors.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';
import { withCluster } from './cluster.js';
import { DEFINITIONS, listed, REQUIREMENTS } from './lists.js';
import { placeIn } from './pair.js';
import type { Pair } from './pair.js';
import { print } from './print.js';
import type { PrintOptions } from './print.js';
import { readSources } from './read.js';
import { readRequirements } from './requirements.js';
import type { NamedRequirement } from './requirements.js';

/** Options of `capstan crds check`. */
export interface CheckOptions extends ClusterOptions, PrintOptions {
  readonly requirement?: readonly string[] | undefined;
  readonly crd?: readonly string[] | undefined;
  readonly versions: string;
  readonly exclude?: readonly string[] | undefined;
  readonly serverVersion: number;
}

/** Checks definitions against what is required of them; whether all of it is met. */
export async function runCheck(options: CheckOptions, io: Io): Promise<boolean> {
  const { crd, requirement } = options;
  if (crd === undefined && requirement === undefined)
    throw new UsageError('give --requirement, --crd or both', 'what is not given is read from the cluster');
  const offline = async (paths: readonly string[]): Promise<SourceObject[]> => readSources(paths, io);
  const gather = async (client?: Client): Promise<[SourceObject[], SourceObject[]]> => [
    requirement === undefined ? await listed(client, REQUIREMENTS) : await offline(requirement),
    crd === undefined ? await listed(client, DEFINITIONS) : await offline(crd),
  ];
  const [required, definitions] =
    crd === undefined || requirement === undefined ? await withCluster(options, io, gather) : await gather();
  const terms = { versions: options.versions, exclude: options.exclude ?? [], minor: options.serverVersion };
  const pairs = pair(await readRequirements(required, terms), definitions);
  for (const name of pairs.missing) io.err(`warning: ${name}: there is no such definition to check\n`);
  const checked = pairs.found.map((each) => checkOne(each, crd === undefined));
  io.out(await print(checked, options, pairs.found));
  return countOf(checked).errors === 0;
}

function pair(
  requirements: readonly NamedRequirement[],
  definitions: readonly SourceObject[],
): { readonly found: readonly Pair[]; readonly missing: readonly string[] } {
  const byName = new Map(definitions.map((each) => [(each.object as KubeObject).metadata.name ?? '', each]));
  const found: Pair[] = [];
  const missing: string[] = [];
  for (const requirement of requirements) {
    const definition = byName.get(requirement.crdName);
    if (definition === undefined) missing.push(`${requirement.crdName} of ${requirement.name}`);
    else found.push({ requirement, definition });
  }
  if (found.length === 0)
    throw new CliError(
      `none of the definitions is required: ${[...byName.keys()].slice(0, 5).join(', ')} against ${missing.slice(0, 5).join(', ')}`,
      'names of definitions are <plural>.<group>; check that both sides are of the same API',
    );
  return { found, missing };
}

/** A CRD read from the server is one that the server took; one from a file has yet to be. */
function checkOne({ definition, requirement: { check, crdName, name } }: Pair, fromServer: boolean): Checked {
  const { object, where } = definition;
  const crd = object as KubeObject;
  try {
    const report = check.check(crd, fromServer ? { stored: crd } : {});
    return { requirement: name, definition: crdName, ...placeIn(where), report };
  } catch (error) {
    throw new CliError(`${where}: ${crdName} cannot be read: ${errorText(error)}`, 'let the server check it first', {
      cause: error,
    });
  }
}
