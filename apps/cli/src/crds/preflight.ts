import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { definitionErrors } from '@capstan/crd-compat';
import { checkWrite, readRequirement, refusalOf, serverRelease } from '@capstan/crd-compatibility';
import { apply, errorText } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { fieldErrorsMessage, ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CliError, oneLine, printable } from '../errors.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';
import { formatObject } from '../output.js';
import { headOf } from './head.js';
import { placeIn } from './pair.js';
import { withCluster } from './cluster.js';
import { DEFINITIONS, listed, REQUIREMENTS } from './lists.js';
import { tableText } from '../text-table.js';
import { readSources } from './read.js';
import type { SourceObject } from './read.js';

/** Options of `capstan crds preflight`. */
export interface PreflightOptions extends ClusterOptions {
  readonly filename: readonly string[];
  readonly serverSide?: boolean | undefined;
  readonly output?: 'json' | 'table' | undefined;
}

/** What the cluster would answer to one CRD. */
export interface Answer {
  readonly definition: string;
  readonly source: string;
  readonly verdict: 'permitted' | 'permitted with warnings' | 'refused';
  /** What it is refused for. */
  readonly refusal?: string | undefined;
  readonly warnings: readonly string[];
}

const NEXT =
  "\nSee 'capstan crd explain RULE' for what a rule in brackets means. Each line names a requirement and, where it is known,\nits owner, who can change it.\n";
const FIELD_OWNER = 'capstan-crd-preflight';

/** Prints for each CRD whether the cluster would permit it; returns whether it would permit all. */
export async function runPreflight(options: PreflightOptions, io: Io): Promise<boolean> {
  const sources = (await readSources(options.filename, io, options)).filter(isDefinition);
  if (sources.length === 0)
    throw new CliError(`there are no CRDs in ${options.filename.join(' ')}`, 'name files of them with -f');
  for (const { object, where } of sources)
    if (headOf(object).name === '')
      throw new CliError(`${where}: the ${DEFINITIONS.kind} has no name`, 'set metadata.name to PLURAL.GROUP');
  const received: string[] = [];
  const answers = await withCluster(
    options,
    io,
    (client) => (options.serverSide === true ? askServer(client, sources, received) : checkLocally(client, sources)),
    { onWarning: (text) => received.push(text) },
  );
  io.out(options.output === 'json' ? await formatObject({ answers }, 'json') : table(answers));
  return answers.every(({ verdict }) => verdict !== 'refused');
}

function isDefinition({ object }: SourceObject): boolean {
  return headOf(object).kind === DEFINITIONS.kind;
}

/** By the requirements that the cluster has, and the CRDs they are to replace: what its checker does. */
async function checkLocally(client: Client, sources: readonly SourceObject[]): Promise<readonly Answer[]> {
  const requirements = (await listed(client, REQUIREMENTS)).map(({ object }) => object as CompatibilityRequirement);
  const server = await serverRelease(client)();
  const readings = new Map(requirements.map((each) => [each, readRequirement(each.spec, server)]));
  const read = (of: CompatibilityRequirement): ReturnType<typeof readRequirement> =>
    readings.get(of) ?? readRequirement(of.spec, server);
  const answers: Answer[] = [];
  for (const source of sources) {
    const { object } = source;
    const wanted = object as KubeObject;
    const { name = '' } = wanted.metadata;
    const old = await existing(client, name);
    // The server fills in what is left out, and keeps what a manifest never has.
    const write = { object: old === undefined ? wanted : { ...old, spec: wanted['spec'] }, old };
    const about = { definition: name, source: placeIn(source).source };
    const invalid = definitionErrors(write.object, { minor: server?.minor, stored: old });
    if (invalid.length > 0) {
      answers.push(
        answerOf(
          about,
          `CustomResourceDefinition.apiextensions.k8s.io "${name}" is invalid: ${fieldErrorsMessage(invalid)}`,
          [],
        ),
      );
      continue;
    }
    const verdict = await checkWrite(write, requirements, read);
    answers.push(answerOf(about, refusalOf(write, verdict), verdict.warnings));
  }
  return answers;
}

async function existing(client: Client, name: string): Promise<KubeObject | undefined> {
  return client.get(DEFINITIONS, name).catch(ignoreNotFound);
}

/** By a dry run on the server: slower, and with everything else that has a say there. */
async function askServer(
  client: Client,
  sources: readonly SourceObject[],
  received: string[],
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const source of sources) {
    const { object } = source;
    const { name = '' } = (object as KubeObject).metadata;
    const about = { definition: name, source: placeIn(source).source };
    received.length = 0;
    const refusal = await apply(client, DEFINITIONS, object as KubeObject, {
      fieldOwner: FIELD_OWNER,
      force: true,
      dryRun: true,
    }).then(() => undefined, errorText);
    answers.push(answerOf(about, refusal, [...received]));
  }
  return answers;
}

function answerOf(
  about: Pick<Answer, 'definition' | 'source'>,
  refusal: string | undefined,
  warnings: readonly string[],
): Answer {
  if (refusal !== undefined) return { ...about, verdict: 'refused', refusal, warnings };
  return { ...about, verdict: warnings.length > 0 ? 'permitted with warnings' : 'permitted', warnings };
}

function table(answers: readonly Answer[]): string {
  const rows = answers.map(({ definition, source, verdict }) => [oneLine(definition), verdict, oneLine(source)]);
  const details = answers.flatMap(({ definition, refusal, warnings }) => [
    ...(refusal === undefined ? [] : [`\n${definition} would be refused:\n  ${refusal.replaceAll('\n', '\n  ')}\n`]),
    ...(warnings.length === 0 ? [] : [`\n${definition}, warnings:\n${warnings.map((each) => `  ${each}\n`).join('')}`]),
  ]);
  const isRefused = answers.some(({ verdict }) => verdict === 'refused');
  return printable(`${tableText([['CRD', 'ANSWER', 'SOURCE'], ...rows])}${details.join('')}${isRefused ? NEXT : ''}`);
}
