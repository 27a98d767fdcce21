import { describe, expect, it } from 'vitest';
import { CLUSTER_API_RULES, GroupMapping } from '../groups/mapping.js';
import type { Shape } from '../json/shape.js';
import { members } from '../json/shape.js';
import { fieldsOf } from '../surfaces/fields.js';
import { entryOf } from '../surfaces/catalog.js';
import { responseShape } from '../surfaces/responses.js';
import { rewriteYaml, yamlBodies } from './rewrite.js';

const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';
const mapping = new GroupMapping(CLUSTER_API_RULES);
const fields = fieldsOf(mapping);
const object: Shape = {
  members: members({ apiVersion: fields.apiVersion, metadata: fields.metadata }),
  others: fields.anywhere,
};

const rewritten = (source: string, shape: Shape = object): string =>
  Buffer.from(rewriteYaml(Buffer.from(source), shape)).toString();

/** There, as expected, and back to the very same bytes. */
function there(source: string, expected: string, shape: Shape = object): void {
  expect(rewritten(source, shape)).toBe(expected);
  expect(rewritten(expected, shape)).toBe(source);
}

describe('vector 15: a manifest with everything in it', () => {
  const manifest = (group: string): string => `# apiVersion: ${S}/v1beta1
apiVersion: ${group}/v1beta1   # ${S}/v1beta1
kind: "Machine"
metadata:
  name: 'm.${S}'
  labels: {"${S}/cluster-name": c, apiVersion: ${S}/v1}
  annotations:
    ${S}/paused: ''
    note: |
      apiVersion: ${S}/v1beta1
        apiGroup: ${S}
    folded: >-
      apiVersion:
      ${S}/v1beta1
  finalizers: [ "machine.${S}", addons.${S} ]
  ownerReferences:
  - apiVersion: '${group}/v1beta2'
    kind: Cluster
  - {"apiVersion": "infrastructure.${group}/v1", kind: X}
  - apiVersion:
      ${group}/v1
  - apiVersion: |-
      ${group}/v1
  - ? apiVersion
    : ${group}/v1
spec:
  # ключ 🎉 ${S}
  infrastructureRef: &ref {apiGroup: infrastructure.${group}, kind: "Ключ"}
  again: *ref
  text: "apiVersion: ${S}/v1\\n\\
    apiGroup: ${S}"
  merged:
    <<: *ref
    name: x
---
apiVersion: multi${S}/v1alpha1
---
[{apiVersion: ${S}/v1}]
...
`;

  it('changes the real fields and nothing else', () => there(manifest(S), manifest(P)));

  it('keeps other line ends, and a mark at the beginning', () => {
    const windows = (group: string): string => `\ufeff${manifest(group).replaceAll('\n', '\r\n')}`;
    there(windows(S), windows(P));
  });
});

describe('scalars', () => {
  it.each([
    ['written with escapes are quoted again', `apiVersion: "cluster\\x2ex-k8s.io/v1"`, `apiVersion: "${P}/v1"`],
    ['on several lines between quotes', `apiVersion: "cluster.x-k8s.\\\n  io/v1"`, `apiVersion: "${P}/v1"`],
    ['with a tag', `apiVersion: !!str ${S}/v1`, `apiVersion: !!str ${P}/v1`],
    ['with a key between quotes', `"api\\u0056ersion": ${S}/v1`, `"api\\u0056ersion": ${P}/v1`],
    ['that are numbers', `apiVersion: 1.0`, `apiVersion: 1.0`],
    ['that are nothing', `apiVersion:`, `apiVersion:`],
    ['that are there twice', `apiVersion: ${S}/v1\napiVersion: ${S}/v2`, `apiVersion: ${P}/v1\napiVersion: ${P}/v2`],
    ['of a block with a comment', `apiVersion: >- # ${S}/v1\n  ${S}/v1\n`, `apiVersion: >- # ${S}/v1\n  ${P}/v1\n`],
  ])('%s', (_, source, expected) => expect(rewritten(source)).toBe(expected));

  it('fold where a server folded them', () => {
    const message = (group: string): string =>
      `kind: Status\nmessage: 'customresourcedefinitions.apiextensions.k8s.io "machines.${group}" is forbidden: User "it''s"\n  cannot get resource "machines" in API group "${group}" at the cluster scope'\n`;
    there(message(P), message(S), { members: members({ message: fields.message }) });
  });

  it('are left alone as keys, unless keys are meant', () => {
    const quota = (group: string): string => `hard:\n  count/machines.${group}: "5"\n  "count/a.${group}": 1\n`;
    const keys: Shape = { keys: (key) => key.replace(S, '\0').replace(P, S).replace('\0', P) };
    there(quota(S), quota(P), { members: members({ hard: keys }) });
    there(quota(S), quota(S));
  });
});

describe('what servers take though the specification forbids it', () => {
  it.each([
    [
      'a brace as far left as what it belongs to',
      (group: string) => `metadata: {\n  name: x\n}\napiVersion: ${group}/v1\n`,
    ],
    ['no space after a comma', (group: string) => `{apiVersion: ${group}/v1,kind: "x",a: [1,2]}`],
    ['a long key', (group: string) => `${'k'.repeat(1100)}: x\napiVersion: ${group}/v1\n`],
    ['a tab before a value and a comment', (group: string) => `apiVersion:\t${group}/v1\t# x\n`],
  ])('%s', (_, source) => there(source(S), source(P)));
});

describe('anchors and aliases', () => {
  it('stay where both mean the same', () => {
    const source = (group: string): string => `apiVersion: &v ${group}/v1\nspec: {apiVersion: *v}\n`;
    there(source(S), source(P));
  });

  it('are torn apart where only the alias is at a place of a group', () => {
    const source = `metadata: {labels: {x: &v ${S}/v1}}\nspec: {apiVersion: *v , y: *v}\n`;
    expect(rewritten(source)).toBe(`metadata: {labels: {x: &v ${S}/v1}}\nspec: {apiVersion: ${P}/v1 , y: *v}\n`);
  });

  it('are torn apart where only the anchor is', () => {
    const source = `apiVersion: &v ${S}/v1\nmetadata: {labels: {x: *v, "y": *v }}\n`;
    expect(rewritten(source)).toBe(`apiVersion: &v ${P}/v1\nmetadata: {labels: {x: ${S}/v1, "y": ${S}/v1 }}\n`);
  });

  it('mean the last node of that name', () => {
    const source = `a: &v x\napiVersion: &v ${S}/v1\nspec: {apiVersion: *v}\n`;
    expect(rewritten(source)).toBe(`a: &v x\napiVersion: &v ${P}/v1\nspec: {apiVersion: *v}\n`);
  });

  it('are refused where a whole mapping would have to say two things', () => {
    const source = `metadata:\n  labels: &o {apiVersion: ${S}/v1}\n  ownerReferences: [*o]\n`;
    expect(() => rewritten(source)).toThrow(
      `"${S}/v1" is meant by an alias both where groups are renamed and where they are not; write it out`,
    );
  });

  it('that hold themselves, or nobody, do no harm', () => {
    there(`apiVersion: ${S}/v1\nspec: &a [*a, *b]\n`, `apiVersion: ${P}/v1\nspec: &a [*a, *b]\n`);
  });

  it('that multiply are gone through once', () => {
    const levels = Array.from(
      { length: 60 },
      (_, level) => `l${level + 1}: &l${level + 1} [${Array(20).fill(`*l${level}`).join(', ')}]`,
    );
    const bomb = (group: string): string => `l0: &l0 {apiVersion: ${group}/v1}\n${levels.join('\n')}\n`;
    there(bomb(S), bomb(P));
  });
});

describe('what is no YAML of ours', () => {
  it.each([
    ['an open bracket', `apiVersion: ${S}/v1\nx: [`],
    ['a tab', `apiVersion: ${S}/v1\nx:\n\t- y`],
    ['nothing', ''],
  ])('passes as it is: %s', (_, source) => {
    const bytes = Buffer.from(source);
    expect(rewriteYaml(bytes, object)).toBe(bytes);
  });

  it('passes when it is no text', () => {
    const bytes = Buffer.concat([Buffer.from(`apiVersion: ${S}/v1 # `), Buffer.of(0xff)]);
    expect(rewriteYaml(bytes, object)).toBe(bytes);
  });

  it('does not save the documents before it from being translated, which are all that a server reads', () => {
    expect(rewritten(`apiVersion: ${S}/v1\n---\nx: [`)).toBe(`apiVersion: ${P}/v1\n---\nx: [`);
  });

  it.each([
    ['in UTF-16', Buffer.from(`\ufeffapiVersion: ${S}/v1`, 'utf16le'), 'YAML in UTF-16 is not translated; send UTF-8'],
    [
      'binary values',
      Buffer.from(`apiVersion: !!binary ${Buffer.from(S).toString('base64')}`),
      'a value that is !!binary stands where a group may be',
    ],
    ['foreign line ends', Buffer.from(`x: y # \u2028apiVersion: ${S}/v1`), 'line ends other than LF and CRLF'],
    ['too much of it', Buffer.alloc(3 * 1024 * 1024 + 1, 0x20), 'limit is 3145728'],
    [
      'far too deep in dashes',
      Buffer.from(`apiVersion: ${S}/v1\nx: \n ${'- '.repeat(5000)}`),
      'the YAML is nested more than 200 deep',
    ],
    [
      'far too deep',
      Buffer.from(`apiVersion: ${S}/v1\nx: ${'['.repeat(50_000)}${']'.repeat(50_000)}`),
      'the YAML is nested more than 200 deep',
    ],
  ])('is refused where it could hide a group: %s', (_, bytes, message) => {
    expect(() => rewriteYaml(bytes, object)).toThrow(message);
  });

  it.each([
    ['a flow further left', `metadata:\n  finalizers: [\n"${S}"\n]\n`],
    ['a tab in a flow', `metadata: {name: x,\n\tnamespace: ${S}}\n`],
    ['a quote that goes on at the left', `data:\n  a: "x\n${S}"\n`],
  ])('is refused as a body that names a group, for servers may read it: %s', (_, source) => {
    const body = yamlBodies(mapping)(object);
    body.push(Buffer.from(source));
    expect(() => body.end()).toThrow('the YAML names a group and cannot be read: ');
    const other = yamlBodies(mapping)(object);
    const harmless = Buffer.from(source.replace(S, 'example.com!'));
    other.push(harmless);
    expect(Buffer.concat(other.end()).equals(harmless)).toBe(true);
  });

  it('is not even read where no group can be in it', () => {
    const rewriter = yamlBodies(mapping)({ members: members({ x: { text: () => 'changed' } }) });
    const pass = (source: string): string => {
      const body = yamlBodies(mapping)({ members: members({ x: { text: () => 'changed' } }) });
      return Buffer.concat([...body.push(Buffer.from(source)), ...body.end()]).toString();
    };
    expect(rewriter.push(Buffer.from('x: '))).toEqual([]);
    expect(pass('x: y')).toBe('x: y');
    expect(pass(`x: y\nz: ${S}`)).toBe(`x: changed\nz: ${S}`);
    expect(pass('x: "\\x79"')).toBe('x: "changed"');
  });
});

describe('the surfaces that JSON has', () => {
  const of = (group: string, resource: string) => entryOf(fields, group, resource).surface;

  it('rules: resources may come after the names', () => {
    const role = (group: string): string =>
      `rules:\n- apiGroups: ["${group}"]\n  resourceNames:\n  - machines.${group}\n  resources:\n  - customresourcedefinitions\n- resourceNames: [machines.${S}]\n  resources: [leases]\n`;
    there(role(S), role(P), of('rbac.authorization.k8s.io', 'roles').object);
  });

  const list = responseShape(fields, of('apiextensions.k8s.io', 'customresourcedefinitions'), {
    isList: true,
    isWatch: false,
    isTable: false,
  });
  const listOf = (...names: readonly string[]): string =>
    `apiVersion: v1\nitems:\n${names.map((name) => `- apiVersion: apiextensions.k8s.io/v1\n  metadata:\n    name: ${name}\n  spec:\n    versions:\n    - name: v1\n`).join('')}kind: List\n`;
  const hidden = `machines.${S}`;

  it.each([
    [
      [hidden, `a.${P}`, 'b.io'],
      [`a.${S}`, 'b.io'],
    ],
    [
      [`a.${P}`, hidden, 'b.io'],
      [`a.${S}`, 'b.io'],
    ],
    [[`a.${P}`, hidden, hidden], [`a.${S}`]],
    [
      [hidden, hidden, `a.${P}`, hidden, 'b.io', hidden],
      [`a.${S}`, 'b.io'],
    ],
  ])('CRDs of the platform are left out: %s', (names, shown) => {
    expect(rewritten(listOf(...names), list)).toBe(listOf(...shown));
    const indent = (source: string): string => source.replaceAll(/^([- ])/gm, '    $1');
    expect(rewritten(indent(listOf(...names)), list)).toBe(indent(listOf(...shown)));
    const flow = (of_: readonly string[]): string =>
      `{items: [${of_.map((name) => `{metadata: {name: "${name}"}}`).join(', ')}]}\n`;
    expect(rewritten(flow(names), list)).toBe(flow(shown));
  });

  it('and all of them, if there are no others', () => {
    expect(rewritten(listOf(hidden, hidden), list)).toBe('apiVersion: v1\nitems:\n []\nkind: List\n');
    expect(rewritten(`{items: [{metadata: {name: ${hidden}}}]}`, list)).toBe('{items: []}');
  });
});
