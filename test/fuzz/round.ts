import type { KubeObject, Random } from '@capstan/meta';
import { systemRandom } from '@capstan/kube';
import type { Backend, Connected } from '../src/conformance/servers.js';
import { CRDS, objectsPath } from '../src/conformance/crds.js';
import type { Step } from '../src/conformance/goldens.js';
import { sessionOf } from './cel/ask.js';
import { areReordered, differ, isSame, type Finding } from './differ.js';
import { copyOf, isTree, textOf, type Tree } from './json-tree.js';
import { randomRequest, type FuzzRequest, type Prepared } from './requests.js';
import { SERVED_DEFINITION, samples, type Sample } from './samples.js';
import { pick } from './spoil.js';
import { eventually, SERVER_LIMITS } from '../src/wait.js';

/** A server of a round. */
interface Side {
  readonly backend: Backend;
  readonly connected: Connected;
  readonly ns: string;
  /** What this server calls the objects that are there, by the sample's name. */
  readonly identities: Map<string, { readonly uid: string; readonly version: string }>;
}

export interface RoundOptions {
  readonly real: Backend;
  readonly ours: Backend;
  readonly seed: number;
  readonly bodies: number;
  readonly onFinding?: (finding: Finding) => void;
  /** Only this request of the round is sent, by its number. */
  readonly only?: number;
}

export interface RoundReport {
  readonly sent: number;
  readonly findings: readonly Finding[];
}

async function open(backend: Backend, ns: string): Promise<Side> {
  return { backend, connected: await backend.connect(), ns, identities: new Map() };
}

async function mustCreate(side: Side, collection: string, body: Tree): Promise<KubeObject> {
  const answer = await sessionOf(side).quiet('POST', collection, { raw: textOf(body) });
  if (answer.status !== 201) throw new Error(`${side.backend.name} could not create ${textOf(body)}: ${answer.text}`);
  return answer.object();
}

/** What each server chose itself, and what a body needs not say. */
const CHOSEN = ['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'generation', 'selfLink'];

/** An answered object without what this server alone would say. */
function withoutChosen(object: Tree): Tree {
  const { metadata, spec } = object;
  const out: Tree = { ...object, metadata: dropped(metadata, CHOSEN) };
  if (isTree(spec) && ('clusterIP' in spec || 'clusterIPs' in spec)) {
    const { ports } = spec;
    const freed = Array.isArray(ports) ? ports.map((port: unknown) => dropped(port, ['nodePort'])) : ports;
    out['spec'] = { ...(dropped(spec, ['clusterIP', 'clusterIPs']) as Tree), ports: freed };
  }
  // Times of conditions differ by themselves.
  if (object['kind'] === 'CustomResourceDefinition') delete out['status'];
  return out;
}

function dropped(value: unknown, keys: readonly string[]): unknown {
  return isTree(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key))) : value;
}

/** The first good body that the first server takes, created on all. */
async function prepare(sample: Sample, sides: readonly Side[]): Promise<Prepared> {
  if (sample.isPostedOnly === true) return { sample };
  const [first, ...others] = sides;
  if (first === undefined) return { sample };
  for (const good of sample.good) {
    const answer = await sessionOf(first).quiet('POST', sample.collection, { raw: textOf(good) });
    if (answer.status !== 201) continue;
    identify(first, sample, answer.object());
    const { uid = '' } = answer.object().metadata;
    for (const side of others) identify(side, sample, await mustCreate(side, sample.collection, good));
    const live = withoutChosen(answer.object() as unknown as Tree);
    return {
      sample,
      live: JSON.parse(JSON.stringify(live).replaceAll(first.ns, '{ns}').replaceAll(uid, '{uid}')) as Tree,
    };
  }
  throw new Error(`${first.backend.name} takes no ${sample.name}`);
}

/** Bodies that say otherwise than their query do delete. */
async function restore(sample: Sample, sides: readonly Side[]): Promise<void> {
  const { name = '' } = (sample.good[0]?.['metadata'] ?? {}) as { name?: string };
  const path = `${sample.collection}/${name}`;
  const isThere = async (side: Side): Promise<boolean> => {
    const { status, text } = await sessionOf(side).quiet('GET', path);
    return status === 200 && !text.includes('deletionTimestamp');
  };
  if ((await Promise.all(sides.map(isThere))).every(Boolean)) return;
  for (const side of sides) {
    await sessionOf(side).quiet('DELETE', `${path}?gracePeriodSeconds=0`);
    await eventually(
      `the end of ${path}`,
      async () => (await sessionOf(side).quiet('GET', path)).status === 404,
      SERVER_LIMITS,
    );
  }
  await prepare(sample, sides);
  if (sample.collection === CRDS) await settled(sides);
}

function identify(side: Side, sample: Sample, { metadata }: KubeObject): void {
  side.identities.set(sample.name, { uid: metadata.uid ?? '', version: metadata.resourceVersion ?? '' });
}

async function prepareAll(sides: readonly Side[]): Promise<Prepared[]> {
  for (const side of sides) {
    await mustCreate(side, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: side.ns } });
    await mustCreate(side, CRDS, copyOf(SERVED_DEFINITION));
    const things = objectsPath('things');
    const isServed = async (): Promise<boolean> => (await sessionOf(side).quiet('GET', things)).status === 200;
    await eventually('a served CRD', isServed, SERVER_LIMITS);
  }
  const prepared = new Map<string, Prepared>();
  const all = samples();
  for (const sample of all) if (!prepared.has(sample.name)) prepared.set(sample.name, await prepare(sample, sides));
  await settled(sides);
  return all.flatMap((sample) => prepared.get(sample.name) ?? []);
}

/** A CRD is written again by its server until it is established. */
async function settled(sides: readonly Side[]): Promise<void> {
  const path = `${CRDS}/others.{ns}.example.com`;
  for (const side of sides) {
    await eventually(
      path,
      async () => (await sessionOf(side).quiet('GET', path)).text.includes('InitialNamesAccepted'),
      SERVER_LIMITS,
    );
    const { uid = '', resourceVersion = '' } = (await sessionOf(side).quiet('GET', path)).object().metadata;
    side.identities.set('customresourcedefinitions', { uid, version: resourceVersion });
  }
}

async function send(side: Side, { method, target, type, accept, raw }: FuzzRequest, name: string): Promise<Step> {
  const identity = side.identities.get(name) ?? { uid: '', version: '' };
  const own = (text: string): string =>
    text.replaceAll('{ns}', side.ns).replaceAll('{uid}', identity.uid).replaceAll('{version}', identity.version);
  const sent = sessionOf(side);
  const options = {
    ...(type === undefined ? {} : { type }),
    ...(accept === undefined ? {} : { accept }),
    ...(raw === undefined
      ? {}
      : { raw: typeof raw === 'string' ? own(raw) : Buffer.from(own(Buffer.from(raw).toString('latin1')), 'latin1') }),
  };
  try {
    await sent.call(method, own(target), options);
  } catch (error) {
    // A real server that panics ends the connection.
    return { request: target, status: 0, body: error instanceof Error ? error.message : String(error) };
  }
  const [step] = sent.steps;
  if (step === undefined) throw new Error('a call leaves a step');
  return {
    ...step,
    body: withoutDrawn(step.body, typeof raw === 'string' && raw.includes('{version}') ? identity.version : ''),
  };
}

/** In YAML the counters of each server are not masked. */
const YAML_VERSIONS = /(?<=^ *resourceVersion: )"\d+"$/gm;
/** Node ports are drawn; versions that were sent are shown in messages. */
const NODE_PORTS = /(?<=\d:)3\d{4}(?=\/)|(?<=Duplicate value: |duplicate nodePort: \{\w+ )3\d{4}\b/g;

/** A message with the version that was sent masked: the whole of it, or the digit at which a text was given up. */
function shownVersion(message: string, version: string): string {
  if (version === '') return message;
  return message
    .replaceAll(new RegExp(`(?<=")${version}(?=\\\\?")`, 'g'), '{version}')
    .replaceAll(`invalid character '${version.charAt(0)}'`, "invalid character '{version}'");
}

function withoutDrawn(value: unknown, version: string): unknown {
  if (typeof value === 'string')
    return shownVersion(value, version).replaceAll(NODE_PORTS, '{port}').replaceAll(YAML_VERSIONS, '{version}');
  if (Array.isArray(value)) return value.map((item: unknown) => withoutDrawn(item, version));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutDrawn(item, version)]));
}

async function cleanUp(side: Side, prepared: readonly Prepared[]): Promise<void> {
  const s = sessionOf(side);
  for (const { sample, live } of new Set(prepared)) {
    const { name = '' } = (live?.['metadata'] ?? {}) as { name?: string };
    if (live !== undefined && !sample.collection.includes('/{ns}/'))
      await s.quiet('DELETE', `${sample.collection}/${name}`);
  }
  await s.quiet('DELETE', objectsPath('things'));
  await s.quiet('DELETE', `${CRDS}/things.{ns}.example.com`);
  await s.quiet('DELETE', '/api/v1/namespaces/{ns}');
}

/** How often a real server is asked again before its order of complaints is taken for intended. */
const ASKED_AGAIN = 30;

/** Complaints that a real server takes out of one of Go's maps come in another order each time. */
async function isChance(wanted: Step, found: Step, ask: () => Promise<Step>): Promise<boolean> {
  const isReordered = areReordered(wanted, found);
  for (let times = 0; times < ASKED_AGAIN; times += 1) {
    const again = await ask();
    if (isSame(again, found) || (isReordered && !isSame(again, wanted))) return true;
  }
  return false;
}

/** Sends the same random bodies to two servers, and reports where they answer differently. */
export async function runRound(options: RoundOptions): Promise<RoundReport> {
  const random: Random = systemRandom(options.seed);
  const ns = `fuzz-${options.seed}-${Date.now().toString(36)}`;
  const [real, ours] = [await open(options.real, ns), await open(options.ours, ns)];
  const findings: Finding[] = [];
  const prepared: Prepared[] = [];
  try {
    prepared.push(...(await prepareAll([real, ours])));
    for (let at = 1; at <= options.bodies; at += 1) {
      const drawn = random.split(String(at));
      const chosen = pick(drawn, prepared);
      const request = randomRequest(drawn, chosen);
      if (options.only !== undefined && options.only !== at) continue;
      const [wanted, found] = await Promise.all([real, ours].map((side) => send(side, request, chosen.sample.name)));
      if (request.method === 'DELETE') await restore(chosen.sample, [real, ours]);
      if (wanted === undefined || found === undefined) throw new Error('both servers answer');
      const finding = differ(at, request, wanted, found);
      if (finding === undefined || (await isChance(wanted, found, () => send(real, request, chosen.sample.name))))
        continue;
      findings.push(finding);
      options.onFinding?.(finding);
    }
  } finally {
    await cleanUp(real, prepared);
  }
  return { sent: options.only === undefined ? options.bodies : 1, findings };
}
