import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubeObject, ManagedFieldsEntry } from '@capstan/meta';
import { backends, type Backend } from '../src/conformance/backend.js';
import { APPLY, MERGE, type Answer, type Session } from '../src/conformance/session.js';
import { openSession } from '../src/conformance/suite.js';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/{ns}/deployments';
const bounded = { numRuns: 25, endOnFailure: true };
type Fields = Record<string, unknown>;

const word = fc.constantFrom('a', 'b', 'c');
// Nothing is empty or false: that is owned without being stored, so that it changes hands or times with every apply,
// on a real server too; the cases about such values show how.
const words = fc.dictionary(word, fc.constantFrom('1', '2'), { minKeys: 1, maxKeys: 3, noNullPrototype: true });

/** Items of a list that is merged by a key: no key twice. */
function keyed(key: string, item: fc.Arbitrary<Fields>): fc.Arbitrary<Fields[]> {
  return fc
    .uniqueArray(fc.tuple(word, item), { selector: ([name]) => name, minLength: 1, maxLength: 3 })
    .map((pairs) => pairs.map(([name, fields]) => ({ [key]: name, ...fields })));
}

const variables = keyed('name', fc.record({ value: fc.constantFrom('1', '2') }));
const containers = keyed(
  'name',
  fc.record(
    {
      workingDir: fc.constantFrom('/1', '/2'),
      env: variables,
      args: fc.array(word, { minLength: 1, maxLength: 2 }),
      tty: fc.constant(true),
    },
    { requiredKeys: [] },
  ),
);

interface Part {
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly finalizers?: string[];
  readonly replicas?: number;
  readonly paused?: boolean;
  readonly containers?: Fields[];
}

const parts: fc.Arbitrary<Part> = fc.record(
  {
    labels: words,
    annotations: words,
    finalizers: fc
      .uniqueArray(word, { minLength: 1, maxLength: 2 })
      .map((names) => names.map((name) => `example.com/${name}`)),
    replicas: fc.integer({ min: 0, max: 3 }),
    paused: fc.constant(true),
    containers,
  },
  { requiredKeys: [] },
);

/** What must be in every deployment, and belongs to a manager that nobody else is. */
const BASE = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { app: 'd' } },
    template: {
      metadata: { labels: { app: 'd' } },
      spec: { containers: ['a', 'b', 'c', 'base'].map((name) => ({ name, image: 'i:0' })) },
    },
  },
};

/** A configuration of one manager. Images are left to the base: a manager that forces one and then drops it leaves none. */
function config({ labels, annotations, finalizers, containers: list, ...spec }: Part): Fields {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', ...defined({ labels, annotations, finalizers }) },
    spec: {
      revisionHistoryLimit: 10,
      ...spec,
      ...(list === undefined ? {} : { template: { spec: { containers: list } } }),
    },
  };
}

function defined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function send(s: Session, manager: string, body: unknown, name = 'd'): Promise<Answer> {
  return s.quiet('PATCH', `${DEPLOYMENTS}/${name}?fieldManager=${manager}&force=true`, { body, type: APPLY });
}

async function opened(backend: Backend): Promise<Session> {
  const s = await openSession(backend);
  expect((await send(s, 'base', BASE)).status).toBe(201);
  return s;
}

function state(answer: Answer): { object: Fields; managers: string[] } {
  expect(answer.status).toBe(200);
  const object = answer.object();
  const {
    managedFields = [],
    uid: _uid,
    resourceVersion: _version,
    generation: _generation,
    creationTimestamp: _time,
    ...metadata
  } = object.metadata;
  const managers = managedFields.map(({ time: _when, ...entry }) => JSON.stringify(entry)).sort();
  return { object: { ...object, metadata }, managers };
}

type Tree = { readonly [key: string]: Tree };

/** The leaves a set claims, which all must be there: items by key or value, fields by name. */
function missing(value: unknown, tree: Tree, path = ''): string[] {
  return Object.entries(tree).flatMap(([element, below]) => {
    if (element === '.') return [];
    const found = step(value, element);
    return found === undefined ? [`${path}/${element}`] : missing(found, below, `${path}/${element}`);
  });
}

function step(value: unknown, element: string): unknown {
  const text = element.slice(2);
  if (element.startsWith('f:')) return (value as Fields | null)?.[text];
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const wanted = JSON.parse(text) as unknown;
  if (element.startsWith('v:')) return items.find((item) => item === wanted);
  return items.find((item) => Object.entries(wanted as Fields).every(([key, each]) => (item as Fields)[key] === each));
}

/** A map or list that others have emptied is still owned, and not shown. */
function shows(path: string): boolean {
  return !/\/f:(labels|annotations|finalizers|env)$/.test(path);
}

function lost(object: KubeObject): string[] {
  const entries: readonly ManagedFieldsEntry[] = object.metadata.managedFields ?? [];
  return entries.flatMap((entry) =>
    missing(object, entry.fieldsV1 as Tree)
      .filter(shows)
      .map((path) => `${entry.manager}: ${path}`),
  );
}

interface Write {
  readonly verb: 'apply' | 'merge';
  readonly manager: string;
  readonly part: Part;
}

const writes = fc.array(
  fc.record<Write>({
    verb: fc.constantFrom('apply', 'apply', 'merge'),
    manager: fc.constantFrom('one', 'two', 'three'),
    part: parts,
  }),
  { minLength: 1, maxLength: 8 },
);

async function write(s: Session, { verb, manager, part }: Write): Promise<Answer> {
  if (verb === 'apply') return send(s, manager, config(part));
  const { containers: _list, ...rest } = part;
  const { metadata, spec } = config(rest);
  return s.quiet('PATCH', `${DEPLOYMENTS}/d?fieldManager=${manager}`, { body: { metadata, spec }, type: MERGE });
}

describe.each(backends().map((backend) => [backend.name, backend] as const))('on %s', (_name, backend) => {
  test('a configuration applied twice changes nothing the second time', async () => {
    await fc.assert(
      fc.asyncProperty(writes, parts, async (before, part) => {
        const s = await opened(backend);
        for (const each of before) expect((await write(s, each)).status).toBe(200);
        const first = await send(s, 'one', config(part));
        expect(first.status).toBe(200);
        // Equal to the byte: versions, times and managers included.
        expect((await send(s, 'one', config(part))).text).toBe(first.text);
      }),
      bounded,
    );
  });

  test('applies of different fields give the same result in any order', async () => {
    await fc.assert(
      fc.asyncProperty(parts, parts, async (left, right) => {
        const { containers: _list, replicas: _replicas, paused: _paused, ...head } = left;
        const { labels: _labels, annotations: _annotations, finalizers: _finalizers, ...body } = right;
        const [one, two] = [config(head), config(body)];
        const [first, second] = [await opened(backend), await opened(backend)];
        await send(first, 'one', one);
        await send(second, 'two', two);
        const [after, other] = [state(await send(first, 'two', two)), state(await send(second, 'one', one))];
        const text = (each: unknown): string =>
          JSON.stringify(each).replaceAll(first.ns, 'ns').replaceAll(second.ns, 'ns');
        expect(text(after.managers)).toBe(text(other.managers));
        expect(JSON.parse(text(after.object))).toEqual(JSON.parse(text(other.object)));
      }),
      bounded,
    );
  });

  test('no sequence of writes loses a field that a manager owns', async () => {
    await fc.assert(
      fc.asyncProperty(writes, async (sequence) => {
        const s = await opened(backend);
        for (const each of sequence) {
          const answer = await write(s, each);
          expect(answer.status).toBe(200);
          expect(lost(answer.object())).toEqual([]);
        }
        const stored = await s.quiet('GET', `${DEPLOYMENTS}/d`);
        expect(lost(stored.object())).toEqual([]);
      }),
      bounded,
    );
  });
});
