/** Texts of YAML, and who reads them: files of CRDs, configuration in ConfigMaps, transport ConfigMaps, kubeconfigs. */
import { readTransport } from '@capstan/capi-operator';
import { transportMap } from '@capstan/capi-operator/testing';
import { readYamlDocuments, untrustedKubeconfig } from '@capstan/kube';
import { CLUSTER_API_RULES, GroupMapping, translate } from '@capstan/translate';
import { readObjects } from '@capstan/translate/mirror';
import { yamlBodies } from '@capstan/translate/yaml';
import { quietly } from './libraries.js';
import type { GrowthCase } from './measure.js';

const BODY = 3_000_000;
/** Longer texts take seconds each, and grow no other way. */
const MOST = 100_000;

const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('');

/** A text, and the bytes of one of its parts. */
type Text = readonly [bytesOfOne: number, make: (size: number) => string];

const TEXTS: Readonly<Record<string, Text>> = {
  keys: [10, (size) => times(size, (i) => `k${i}: v\n`)],
  'keys between braces': [10, (size) => `{${times(size, (i) => `k${i}: v, `)}}`],
  'one key again and again': [5, (size) => 'a: b\n'.repeat(size)],
  'keys that are lists': [8, (size) => '? [a]\n: b\n'.repeat(size)],
  anchors: [22, (size) => `${times(size, (i) => `- &a${i} x\n`)}${times(size, (i) => `- *a${i}\n`)}`],
  'a list of aliases, twice': [
    16,
    (size) => `${times(size, (i) => `- &a${i} x\n`)}- &l [${times(size, (i) => `*a${i},`)}]\n- *l\n`,
  ],
  'one alias again and again': [5, (size) => `- &a [1,2,3]\n${'- *a\n'.repeat(size)}`],
  'aliases of aliases': [30, (size) => `a0: &a0 [1]\n${times(size, (i) => `a${i + 1}: &a${i + 1} [*a${i},*a${i}]\n`)}`],
  'merges of merges': [
    36,
    (size) => `a0: &a0 {x: 1}\n${times(size, (i) => `a${i + 1}: &a${i + 1} {<<: *a${i}, b${i}: 1}\n`)}`,
  ],
  levels: [1, (size) => `a: ${'['.repeat(size)}`],
  'levels of dashes': [2, (size) => '- '.repeat(size)],
  'errors, one in each line': [10, (size) => 'a: b: c\n'.repeat(size)],
  'a text of many lines': [4, (size) => `a: "${'x\n  '.repeat(size)}"`],
  'a block of many lines': [4, (size) => `a: >\n${'  x\n\n'.repeat(size)}`],
  comments: [4, (size) => `a:\n${'# x\n'.repeat(size)}  b: 1\n`],
  documents: [10, (size) => '---\na: b\n'.repeat(size)],
  digits: [1, (size) => `a: 1${'_1'.repeat(size)}`],
};

const MAPPING = new GroupMapping(CLUSTER_API_RULES);
const translator = translate(MAPPING, { yaml: yamlBodies(MAPPING) });
const POSTED = {
  method: 'POST',
  target: '/apis/cluster.x-k8s.io/v1beta1/namespaces/default/machines',
  headers: { 'content-type': 'application/yaml' },
};

function proxied(text: string): unknown {
  const request = translator.request(POSTED);
  const body = 'refuse' in request ? 'pass' : request.body();
  return body === 'pass' ? undefined : [...body.push(Buffer.from(text)), ...body.end()];
}

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'a file of CRDs': (text) => readObjects(text, 'x.yaml'),
  configuration: (text) => readYamlDocuments(text, 'x').catch(unlessTooDeep),
  'a body through the proxy': proxied,
  'a transport ConfigMap': (text) => readTransport({ ...CRD_MAP, data: { x: text } }),
};

/** Too deep for the stack is a refusal that comes too late. */
function unlessTooDeep(error: unknown): undefined {
  if (error instanceof RangeError) throw error;
  return undefined;
}

const CRD_MAP = transportMap('x', []);

export const YAML_TEXTS: readonly GrowthCase[] = [
  ...Object.entries(READERS).flatMap(([reader, read]) =>
    Object.entries(TEXTS).map(([name, [bytesOfOne, make]]): GrowthCase => ({
      name: `YAML of ${reader}: ${name}`,
      most: Math.min(MOST, BODY / bytesOfOne),
      prepare: (size) => {
        const text = make(size);
        return quietly(() => read(text));
      },
    })),
  ),
  ...Object.entries(TEXTS).map(([name, [bytesOfOne, make]]): GrowthCase => ({
    name: `YAML of a kubeconfig: ${name}`,
    // More is refused before it is read.
    most: (256 * 1024) / bytesOfOne,
    prepare: (size) => {
      const text = make(size);
      return () => untrustedKubeconfig(text, { origin: 'x' }).catch(unlessTooDeep);
    },
  })),
];
