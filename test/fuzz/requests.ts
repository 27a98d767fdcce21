import type { Random } from '@capstan/meta';
import { APPLY, JSON_PATCH, MERGE, METADATA, STRATEGIC, TABLE } from '../src/conformance/session.js';
import { at, copyOf, isTree, mergePatchOf, operationsOf, pathsOf, textOf, type Tree } from './json-tree.js';
import type { Sample } from './samples.js';
import { spoilQuery } from './queries.js';
import { chance, pick, spoil } from './spoil.js';
import { spoilText } from './spoil-text.js';
import { yamlOf } from './yaml-text.js';

/** One request, the same for every server: `{ns}`, `{uid}` and `{version}` stand for what they call them. */
export interface FuzzRequest {
  readonly title: string;
  readonly method: string;
  readonly target: string;
  readonly type?: string;
  readonly accept?: string;
  readonly raw?: string | Uint8Array;
}

/** A sample and the object of it that is there, as it was answered, without what differs between servers. */
export interface Prepared {
  readonly sample: Sample;
  readonly live?: Tree;
}

const YAML = 'application/yaml';
const JSON_TYPE = 'application/json';
/** Nothing is ever stored, so that each request meets the same objects. */
const DRY = 'dryRun=All&fieldManager=fuzz';

type Make = (random: Random, prepared: Prepared) => FuzzRequest;

function nameOf(sample: Sample): string {
  const { name } = (sample.good[0]?.['metadata'] ?? {}) as { name?: string };
  return name ?? 'x';
}

function pathOf(sample: Sample, ...rest: readonly string[]): string {
  return [sample.collection, nameOf(sample), ...rest].join('/');
}

/** A good body with nothing, one thing or two things wrong. */
function spoiled(random: Random, sample: Sample, good: Tree): Tree {
  const draw = random.below(100);
  if (draw < 3) return copyOf(good);
  const once = spoil(random, good, sample.words);
  return draw < 75 ? once : spoil(random, once, sample.words);
}

/** How a body is sent: as JSON mostly, now and then as YAML, as a text with something wrong, or with odd headers. */
function encoded(random: Random, request: Omit<FuzzRequest, 'raw'>, body: unknown): FuzzRequest {
  const isObject = request.type === undefined || request.type === APPLY;
  if (isObject && chance(random, 12)) {
    const raw = yamlOf(random, body);
    return withOdds(random, {
      ...request,
      type: request.type ?? YAML,
      raw: chance(random, 5) ? spoilText(random, raw) : raw,
    });
  }
  const text = textOf(body);
  return withOdds(random, { ...request, raw: chance(random, 8) ? spoilText(random, text) : text });
}

const TYPES = [
  'text/plain',
  '',
  'application/json; charset=utf-8',
  'application/yaml',
  'application/xml',
  'APPLICATION/JSON',
  'x',
  MERGE,
  JSON_TYPE,
  'application/vnd.kubernetes.protobuf',
];
const ACCEPTS = [
  'text/html',
  '',
  'application/yaml',
  'application/json;as=Table;v=v2;g=meta.k8s.io',
  TABLE,
  METADATA,
  ',;=',
  '*/*',
  'application/*',
  'application/json;q=0',
];

function withOdds(random: Random, request: FuzzRequest): FuzzRequest {
  if (chance(random, 3)) return { ...request, title: `${request.title} content type`, type: pick(random, TYPES) };
  if (chance(random, 2)) return { ...request, title: `${request.title} accept`, accept: pick(random, ACCEPTS) };
  if (chance(random, 3))
    return { ...request, title: `${request.title} query`, target: spoilQuery(random, request.target) };
  return request;
}

function create(random: Random, { sample }: Prepared): FuzzRequest {
  const body = spoiled(random, sample, pick(random, sample.good));
  const { metadata } = body;
  // Another name than that of the one that is there, most of the time.
  if (isTree(metadata) && metadata['name'] === nameOf(sample) && sample.name !== 'apiservices' && !chance(random, 5))
    metadata['name'] =
      sample.name === 'customresourcedefinitions' ? renamed(body, nameOf(sample)) : `${nameOf(sample)}new`;
  return encoded(
    random,
    { title: `${sample.name} create`, method: 'POST', target: `${sample.collection}?${DRY}` },
    body,
  );
}

/** A CRD goes by its plural. */
function renamed(body: Tree, name: string): string {
  const names = at(body, ['spec', 'names']);
  if (!isTree(names) || names['plural'] !== 'others') return name;
  Object.assign(names, { plural: 'news', kind: 'New' });
  return name.replace('others', 'news');
}

function withVersion(random: Random, body: Tree): Tree {
  const { metadata } = body;
  if (isTree(metadata) && !('resourceVersion' in metadata) && !chance(random, 10))
    metadata['resourceVersion'] = '{version}';
  return body;
}

const update: Make = (random, { sample, live = {} }) => {
  const body = withVersion(random, spoiled(random, sample, live));
  return encoded(random, { title: `${sample.name} update`, method: 'PUT', target: `${pathOf(sample)}?${DRY}` }, body);
};

const updateStatus: Make = (random, { sample, live = {} }) => {
  const body = withVersion(random, spoiled(random, sample, { ...live, status: live['status'] ?? {} }));
  const target = `${pathOf(sample, 'status')}?${DRY}`;
  return encoded(random, { title: `${sample.name} status`, method: 'PUT', target }, body);
};

const merge: Make = (random, { sample, live = {} }) => {
  const patch = mergePatchOf(live, spoiled(random, sample, live));
  const target = `${pathOf(sample)}?${DRY}`;
  return encoded(random, { title: `${sample.name} merge`, method: 'PATCH', target, type: MERGE }, patch);
};

const DIRECTIVES: readonly Tree[] = [
  { $patch: 'replace' },
  { $patch: 'delete' },
  { $patch: 'merge' },
  { $patch: 'x' },
  { $patch: 1 },
  { $retainKeys: ['name'] },
  { $retainKeys: 'x' },
  { '$deleteFromPrimitiveList/finalizers': ['a'] },
  { '$deleteFromPrimitiveList/finalizers': 'a' },
  { '$setElementOrder/containers': [{ name: 'c' }] },
  { '$setElementOrder/containers': [{ name: 'other' }] },
  { '$setElementOrder/containers': 'x' },
];

const strategic: Make = (random, { sample, live = {} }) => {
  const patch = mergePatchOf(live, spoiled(random, sample, live));
  if (chance(random, 10)) {
    const holders = [patch, ...pathsOf(patch).map((path) => at(patch, path))].filter(isTree);
    Object.assign(pick(random, holders), copyOf(pick(random, DIRECTIVES)));
  }
  const target = `${pathOf(sample)}?${DRY}`;
  return encoded(random, { title: `${sample.name} strategic`, method: 'PATCH', target, type: STRATEGIC }, patch);
};

const jsonPatch: Make = (random, { sample, live = {} }) => {
  const operations = operationsOf(live, spoiled(random, sample, live));
  const wrapped = { patch: operations };
  const patch = chance(random, 30) ? spoil(random, wrapped)['patch'] : operations;
  const target = `${pathOf(sample)}?${DRY}`;
  return encoded(random, { title: `${sample.name} json patch`, method: 'PATCH', target, type: JSON_PATCH }, patch);
};

const apply: Make = (random, { sample, live = {} }) => {
  const good = chance(random, 50) ? live : (sample.good[0] ?? live);
  const body = spoiled(random, sample, good);
  const target = `${pathOf(sample)}?${DRY}${chance(random, 80) ? '&force=true' : ''}`;
  return encoded(random, { title: `${sample.name} apply`, method: 'PATCH', target, type: APPLY }, body);
};

const OPTIONS: Tree = {
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  gracePeriodSeconds: 0,
  propagationPolicy: 'Background',
  preconditions: { uid: '{uid}' },
  dryRun: ['All'],
};

const remove: Make = (random, { sample }) => {
  const body = spoiled(random, { ...sample, words: { fields: [], values: [] } }, OPTIONS);
  const { dryRun } = body;
  // Nothing is to be gone afterwards.
  if (dryRun === undefined || dryRun === null || (Array.isArray(dryRun) && dryRun.length === 0))
    body['dryRun'] = ['All'];
  const target = `${pathOf(sample)}?dryRun=All`;
  return encoded(random, { title: `${sample.name} delete`, method: 'DELETE', target }, body);
};

const SCALE: Tree = {
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'x', namespace: '{ns}' },
  spec: { replicas: 2 },
};
const SCALED = new Set(['deployments', 'replicasets', 'statefulsets', 'replicationcontrollers', 'things']);

const scale: Make = (random, { sample }) => {
  const body = spoiled(random, { ...sample, words: { fields: [], values: [] } }, SCALE);
  const target = `${pathOf(sample, 'scale')}?${DRY}`;
  if (chance(random, 50)) return encoded(random, { title: `${sample.name} scale`, method: 'PUT', target }, body);
  const patch = mergePatchOf(SCALE, body);
  const type = pick(random, [MERGE, STRATEGIC]);
  return encoded(random, { title: `${sample.name} scale patch`, method: 'PATCH', target, type }, patch);
};

const BINDING: Tree = {
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: { name: 'x' },
  target: { kind: 'Node', name: 'n' },
};
const EVICTION: Tree = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'x' }, deleteOptions: OPTIONS };

const ofPod: Make = (random, { sample }) => {
  const [name, good] = pick(random, [
    ['binding', BINDING],
    ['eviction', EVICTION],
  ] as const);
  const target = `${pathOf(sample, name)}?${DRY}`;
  return encoded(random, { title: `pods ${name}`, method: 'POST', target }, spoiled(random, sample, good));
};

const list: Make = (random, { sample }) => ({
  title: `${sample.name} list`,
  method: 'GET',
  // Nothing but what the run itself put there.
  target: spoilQuery(
    random,
    sample.collection.includes('{ns}/') ? `${sample.collection}?limit=5` : `${pathOf(sample)}?pretty=false`,
  ),
  ...(chance(random, 20) ? { accept: pick(random, ACCEPTS) } : {}),
});

const OF_LIVE: readonly Make[] = [
  update,
  update,
  merge,
  strategic,
  jsonPatch,
  apply,
  apply,
  updateStatus,
  remove,
  list,
  create,
];

/** A random request about a sample. */
export function randomRequest(random: Random, prepared: Prepared): FuzzRequest {
  const { sample, live } = prepared;
  if (live === undefined || chance(random, 25)) return create(random, prepared);
  if (SCALED.has(sample.name) && chance(random, 12)) return scale(random, prepared);
  if (sample.name === 'pods' && chance(random, 20)) return ofPod(random, prepared);
  return pick(random, OF_LIVE)(random, prepared);
}
