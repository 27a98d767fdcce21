/** Functions of the libraries that get the bytes of a stranger. */
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  canonicalQuantity,
  createJsonPatch,
  parseDuration,
  parseFieldSelector,
  parseJson,
  parseLabelSelector,
  parseMicroTime,
  parseTime,
  readKeyPaths,
  type JsonPatchOperation,
  type PatchSchema,
} from '@capstan/meta';
import { compile, kubernetesEnv } from '@capstan/schema';
import { readYamlDocuments } from '@capstan/kube';
import { CLUSTER_API_RULES, GroupMapping, translate } from '@capstan/translate';
import { yamlBodies } from '@capstan/translate/yaml';
import type { GrowthCase } from './measure.js';

const BODY = 3_000_000;

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function object(members: readonly string[]): string {
  return `{${members.join(',')}}`;
}

/** Which error a parser throws does not matter here; how long it takes does. */
export function quietly(work: () => unknown): () => unknown {
  return () => {
    try {
      return work();
    } catch (error) {
      // Too deep for the stack is a refusal that comes too late.
      if (error instanceof RangeError) throw error;
      return undefined;
    }
  };
}

function json(name: string, text: (size: number) => string | Uint8Array, bytesOfOne: number): GrowthCase {
  const prepare = (size: number): (() => unknown) => {
    const bytes = Buffer.from(text(size));
    return quietly(() => parseJson(bytes, { keepBeyondFloat: true }));
  };
  return { name: `JSON: ${name}`, most: BODY / bytesOfOne, prepare };
}

const deep = (levels: number, inner: string): string => `${'{"a":'.repeat(levels)}${inner}${'}'.repeat(levels)}`;
const repeats = (size: number): string => object(times(size, () => '"a":1'));

const JSON_TEXTS: readonly GrowthCase[] = [
  { ...json('one key again and again', repeats, 6), from: 4096, isAlways: true },
  json('many keys, each twice', (size) => object(times(size, (i) => `"k${i}":1,"k${i}":2`)), 20),
  json('keys twice inside keys twice', (size) => object(times(size, () => '"a":{"b":1,"b":2}')), 20),
  json('one key again and again, deep down', (size) => deep(900, repeats(size)), 6),
  json(
    'a key twice below a long key',
    (size) => `{"${'x'.repeat(size)}":{"a":[${'{"b":1,"b":2},'.repeat(size / 16)}1]}}`,
    2,
  ),
  json('levels', (size) => `[${'['.repeat(900)}${']'.repeat(900)}${',[]'.repeat(size)}]`, 3),
  json('one long integer', (size) => '9'.repeat(size), 1),
  json('many long integers', (size) => `[${times(size, () => '12345678901234567890').join(',')}]`, 21),
  json('numbers beyond float64', (size) => `[${times(size, () => '1e999').join(',\n')}]`, 7),
  json('half surrogate pairs', (size) => `"${'\\ud800'.repeat(size)}"`, 6),
  json(
    'bytes that are no text',
    (size) => Buffer.concat([Buffer.from('"'), Buffer.alloc(size, 0xff), Buffer.from('"')]),
    1,
  ),
  json('a text without end', (size) => `"${'\\"'.repeat(size)}`, 2),
  {
    name: 'JSON: paths of keys that are complained of',
    most: BODY / 10,
    prepare: (size) => {
      const bytes = Buffer.from(deep(400, object(times(size, (i) => `"k${i}":1`))));
      const paths = times(200, (i) => `${'a.'.repeat(400)}k${i}`);
      return () => readKeyPaths(bytes, paths);
    },
  },
];

const OPERATIONS = 10_000;

function jsonPatch(name: string, make: (size: number) => { doc: unknown; patch: JsonPatchOperation[] }): GrowthCase {
  const prepare = (size: number): (() => unknown) => {
    const { doc, patch } = make(size);
    return quietly(() => applyJsonPatch(doc, patch));
  };
  return { name: `JSON patch: ${name}`, most: OPERATIONS, prepare };
}

const JSON_PATCHES: readonly GrowthCase[] = [
  jsonPatch('copies into an object', (size) => ({
    doc: { a: 'x', l: {} },
    patch: times(size, (i) => ({ op: 'copy', from: '/a', path: `/l/k${i}` })),
  })),
  jsonPatch('copies to the end of a list', (size) => ({
    doc: { l: [1] },
    patch: times(size, () => ({ op: 'copy', from: '/l/0', path: '/l/-' })),
  })),
  jsonPatch('moves between members', (size) => ({
    doc: Object.fromEntries(times(size, (i) => [`k${i}`, i])),
    patch: times(size, (i) => ({ op: 'move', from: `/k${i}`, path: `/z${i}` })),
  })),
  jsonPatch('a long index', (size) => ({ doc: { l: [1] }, patch: [{ op: 'remove', path: `/l/${'9'.repeat(size)}` }] })),
];

const struct: PatchSchema = {
  field: (name) =>
    name === 'list'
      ? { strategy: 'merge', mergeKey: 'name', schema: struct }
      : name === 'texts'
        ? { strategy: 'merge' }
        : {},
};
const named = (count: number, prefix = 'n'): object[] => times(count, (i) => ({ name: `${prefix}${i}`, v: i }));

function strategic(name: string, doc: (size: number) => object, patch: (size: number) => object): GrowthCase {
  const prepare = (size: number): (() => unknown) => {
    const [live, change] = [doc(size), patch(size)] as [Record<string, unknown>, Record<string, unknown>];
    return quietly(() => applyStrategicMergePatch(live, change, struct));
  };
  return { name: `strategic merge patch: ${name}`, most: BODY / 20, prepare };
}

const list = (size: number): object => ({ list: named(size) });
const STRATEGIC_PATCHES: readonly GrowthCase[] = [
  strategic('every element once more', list, list),
  strategic('every element in another order', list, (size) => ({ list: named(size).toReversed() })),
  strategic('every element deleted', list, (size) => ({
    list: times(size, (i) => ({ $patch: 'delete', name: `n${i}` })),
  })),
  strategic('every element deleted, in an order', list, (size) => ({
    '$setElementOrder/list': named(size),
    list: times(size, (i) => ({ $patch: 'delete', name: `n${i}` })),
  })),
  strategic('an order of others', list, (size) => ({
    '$setElementOrder/list': named(size, 'm'),
    list: named(size, 'm'),
  })),
  strategic(
    'one name again and again',
    (size) => ({ list: times(size, () => ({ name: 'x' })) }),
    (size) => ({
      '$setElementOrder/list': times(size, () => ({ name: 'x' })),
      list: times(size, () => ({ name: 'x' })),
    }),
  ),
  strategic(
    'texts',
    (size) => ({ texts: times(size, (i) => `a${i}`) }),
    (size) => ({
      '$setElementOrder/texts': times(size, (i) => `b${i}`),
      texts: times(size, (i) => `b${i}`),
    }),
  ),
  strategic(
    'texts deleted',
    (size) => ({ texts: times(size, (i) => `a${i}`) }),
    (size) => ({
      '$deleteFromPrimitiveList/texts': times(size, (i) => `a${i}`),
    }),
  ),
  {
    name: 'merge patch: every member removed',
    most: BODY / 10,
    prepare: (size) => {
      const doc = Object.fromEntries(times(size, (i) => [`k${i}`, {}]));
      const patch = Object.fromEntries(times(size, (i) => [`k${i}`, null]));
      return () => applyMergePatch(doc, patch);
    },
  },
  {
    name: 'the patch of a webhook',
    most: BODY / 20,
    prepare: (size) => () => createJsonPatch({ list: named(size) }, { list: named(size).toReversed() }),
  },
];

const MAPPING = new GroupMapping(CLUSTER_API_RULES);
const translator = translate(MAPPING, { yaml: yamlBodies(MAPPING) });

function translated(name: string, type: string, text: (size: number) => string, bytesOfOne: number): GrowthCase {
  const prepare = (size: number): (() => unknown) => {
    const bytes = Buffer.from(text(size));
    return quietly(() => {
      const target = '/apis/cluster.x-k8s.io/v1beta1/namespaces/default/machines';
      const request = translator.request({ method: 'POST', target, headers: { 'content-type': type } });
      if ('refuse' in request) return undefined;
      const body = request.body();
      return body === 'pass' ? undefined : [...body.push(bytes), ...body.end()];
    });
  };
  return { name: `translation of ${type}: ${name}`, most: BODY / bytesOfOne, prepare };
}

const machine = (members: string): string =>
  `{"apiVersion":"cluster.x-k8s.io/v1beta1","kind":"Machine","metadata":{"name":"x"},${members}}`;
const reference = '{"apiVersion":"cluster.x-k8s.io/v1beta1","kind":"Cluster","name":"x"}';

const TRANSLATIONS: readonly GrowthCase[] = [
  translated(
    'owners',
    'application/json',
    (size) => machine(`"metadata":{"ownerReferences":[${times(size, () => reference).join(',')}]}`),
    70,
  ),
  translated(
    'one key again and again',
    'application/json',
    (size) => machine(times(size, () => '"spec":{}').join(',')),
    10,
  ),
  translated('levels', 'application/json', (size) => machine(`"spec":${deep(size, '1')}`), 6),
  translated('members', 'application/json', (size) => machine(times(size, (i) => `"k${i}":1`).join(',')), 10),
  translated(
    'one key again and again',
    'application/yaml',
    (size) => `kind: Machine\nspec:\n${'  a: b\n'.repeat(size)}`,
    7,
  ),
  translated(
    'members',
    'application/yaml',
    (size) => `kind: Machine\nspec:\n${times(size, (i) => `  k${i}: b\n`).join('')}`,
    10,
  ),
];

const OTHERS: readonly GrowthCase[] = [
  {
    name: 'documents of YAML',
    most: 20_000,
    prepare: (size) => {
      const text = '---\na: b\n'.repeat(size);
      return () => readYamlDocuments(text, 'x');
    },
  },
  {
    name: 'keys of YAML',
    most: 100_000,
    prepare: (size) => {
      const text = times(size, (i) => `k${i}: v\n`).join('');
      return () => readYamlDocuments(text, 'x');
    },
  },
  {
    name: 'CEL: parentheses',
    most: 100_000,
    prepare: (size) => quietly(() => compile(`${'('.repeat(size)}1${')'.repeat(size)}`, kubernetesEnv)),
  },
  {
    name: 'CEL: a sum',
    most: 50_000,
    prepare: (size) => quietly(() => compile(times(size, () => '1').join('+'), kubernetesEnv)),
  },
  {
    name: 'CEL: a long text',
    most: 100_000,
    prepare: (size) => quietly(() => compile(`"${'a'.repeat(size)}" == "b"`, kubernetesEnv)),
  },
];

/** Parsers of short texts that strangers may make long, with the characters that mean something to each. */
export const TEXT_PARSERS: Readonly<Record<string, readonly [alphabet: string, parse: (text: string) => unknown]>> = {
  quantity: ['0123456789.eEkKiMm+- x', canonicalQuantity],
  duration: ['0123456789.hmsnuµ+- x', parseDuration],
  time: ['0123456789-T:Z.+ x', parseTime],
  'time with microseconds': ['0123456789-T:Z.+ x', parseMicroTime],
  'label selector': ['ab=!,() innotx./-_1', parseLabelSelector],
  'field selector': ['ab=!,\\.x', parseFieldSelector],
  JSON: ['{}[]",:\\u0d8e-+.1 \ntruefalsn', parseJson],
};

/** All cases but those of texts. */
export const LIBRARIES: readonly GrowthCase[] = [
  ...JSON_TEXTS,
  ...JSON_PATCHES,
  ...STRATEGIC_PATCHES,
  ...TRANSLATIONS,
  ...OTHERS,
];
