import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';

const folder = mkdtempSync(join(tmpdir(), 'capstan-crd-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

function definition(properties: object, kind = 'Ship'): object {
  const singular = kind.toLowerCase();
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: `${singular}s`, singular, kind, listKind: `${kind}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
          },
        },
      ],
    },
  };
}

const NAMED = definition({ name: { type: 'string' }, masts: { type: 'integer' } });
const NAMELESS = definition({ masts: { type: 'integer' } });

function requirement(crd: object, more: object = {}): object {
  return {
    apiVersion: 'apiextensions.openshift.io/v1alpha1',
    kind: 'CompatibilityRequirement',
    metadata: { name: 'the-harbour' },
    spec: {
      compatibilitySchema: {
        customResourceDefinition: { type: 'YAML', data: JSON.stringify(crd) },
        requiredVersions: { defaultSelection: 'StorageOnly' },
        ...more,
      },
    },
  };
}

function file(name: string, ...objects: readonly object[]): string {
  const path = join(folder, name);
  writeFileSync(path, objects.map((each) => JSON.stringify(each)).join('\n---\n'));
  return path;
}

async function check(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const io = new TestIo();
  const code = await main(['crd', 'check', ...args], io);
  return { code, out: io.stdout, err: io.stderr };
}

const old = file('old.yaml', NAMED);
const shrunk = file('new.yaml', NAMELESS);
const broken = join(folder, 'broken.yaml');
writeFileSync(broken, 'a: [1\nb: ]]\n');

describe('capstan crd check', () => {
  it('exits with 1 when a field was removed, and names the field and the rule', async () => {
    const { code, out } = await check('-r', old, '-f', shrunk);
    expect(code).toBe(1);
    expect(out.replaceAll(folder, 'FOLDER')).toBe(`ships.example.com (FOLDER/new.yaml) for FOLDER/old.yaml: incompatible
SEVERITY   WHERE          RULE            REQUIRED   LIVE
error      v1 spec.name   field-removed   -          -
  field spec.name was removed

1 error, 0 warnings
See 'capstan crd explain field-removed' for what a rule means, and --witness for requests that prove errors.
`);
  });

  it('ends with 0 when nothing breaks', async () => {
    expect(await check('-r', shrunk, '-f', old)).toMatchObject({ code: 0, out: '0 errors, 0 warnings\n', err: '' });
  });

  it('applies the exclusions of a requirement, and given ones to a CRD that stands for one', async () => {
    const excluded = { excludedFields: [{ path: 'spec.name', versions: ['v1'] }] };
    const needed = file('needed.yaml', requirement(NAMED), requirement(NAMED, excluded));
    const { out } = await check('-r', needed, '-f', shrunk, '-o', 'json');
    const { results } = JSON.parse(out) as {
      results: { requirement: string; source: string; report: { verdict: string } }[];
    };
    expect(results.map(({ report, requirement: by, source }) => [by, source, report.verdict])).toEqual([
      ['the-harbour', shrunk, 'Incompatible'],
      ['the-harbour', shrunk, 'Compatible'],
    ]);
    expect(await check('-r', old, '--exclude', 'spec.name', '-f', shrunk)).toMatchObject({ code: 0 });
  });

  it('prints Markdown and SARIF, with the line of the CRD', async () => {
    const two = file('two.yaml', definition({}, 'Port'), NAMELESS);
    const { out } = await check('-r', old, '-f', two, '-o', 'sarif');
    expect(JSON.parse(out)).toMatchObject({
      runs: [
        {
          results: [
            {
              ruleId: 'field-removed',
              locations: [{ physicalLocation: { artifactLocation: { uri: two }, region: { startLine: 3 } } }],
            },
          ],
        },
      ],
    });
    expect((await check('-r', old, '-f', two, '-o', 'markdown')).out).toContain('| error | v1 spec.name |');
  });

  it('shows how the schemas differ', async () => {
    const { out } = await check('-r', old, '-f', shrunk, '--diff');
    expect(out).toContain('-      name:\n-        type: string\n');
  });

  it.each(['table', 'json', 'markdown', 'sarif'])(
    'reports a CRD that was removed as an error, as %s',
    async (format) => {
      const both = file('both.yaml', NAMED, definition({}, 'Port'));
      const { code, err, out } = await check('-r', both, '-f', old, '-o', format);
      expect([code, err]).toEqual([1, '']);
      expect(out).toContain('crd-removed');
      expect(out).toContain(`there is no CRD ports.example.com in ${old}`);
    },
  );

  it('shows what clients of a CRD that was removed get', async () => {
    const { code, err, out } = await check('-r', old, '-f', file('port.yaml', definition({}, 'Port')), '--witness');
    expect([code, err]).toEqual([
      1,
      `note: none of the CRDs in ${join(folder, 'port.yaml')} is required; check that both sides are of the same API\n`,
    ]);
    expect(out).toContain('the CRD refuses it: the server could not find the requested resource');
    expect(out).toContain('path: /apis/example.com/v1/ships\n');
  });

  it('lets V8 optimise again where there is much to check', async () => {
    const flags: string[] = [];
    const io = Object.assign(new TestIo(), { setV8Flag: (flag: string) => flags.push(flag) });
    await main(['crd', 'check', '-r', old, '-f', old], io);
    expect(flags).toEqual([]);
    const many = file('many.yaml', ...Array.from({ length: 12 }, () => NAMED));
    await main(['crd', 'check', '-r', old, '-f', many], io);
    expect(flags).toEqual(['--opt']);
  });

  it('checks every CRD of a name, and nothing of other kinds', async () => {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ships.example.com' } };
    const several = file('several.yaml', { resources: ['a'] }, NAMED, map, NAMELESS);
    const { code, out } = await check('-r', old, '-f', several, '-o', 'json');
    const { results } = JSON.parse(out) as { results: { line: number; report: { verdict: string } }[] };
    expect(code).toBe(1);
    expect(results.map(({ line, report }) => [line, report.verdict])).toEqual([
      [3, 'Compatible'],
      [7, 'Incompatible'],
    ]);
  });

  it.each([
    ['maximum', 'integer', '9007199254740996', '9007199254740993'],
    ['minimum', 'integer', '-9223372036854775808', '-9007199254740993'],
    ['maxLength', 'string', '9223372036854775807', '9007199254740993'],
    ['default', 'integer', '9007199254740993', '9007199254740995'],
    ['enum', 'integer', '[9007199254740993]', '[9007199254740995]'],
    ['maximum', 'integer', '18446744073709551615', '9223372036854775807'],
  ])('prints a %s of type %s beyond 2^53 in every format', async (key, type, before, after) => {
    const yaml = (value: string): string =>
      JSON.stringify(definition({ a: { type, [key]: 'X' } })).replace('"X"', value);
    const [first, second] = [join(folder, 'big-1.yaml'), join(folder, 'big-2.yaml')];
    writeFileSync(first, yaml(before));
    writeFileSync(second, yaml(after));
    for (const format of ['table', 'json', 'yaml', 'markdown', 'sarif', 'github'])
      for (const more of [[], ['--witness', '--diff']]) {
        const { code, err, out } = await check('-r', first, '-f', second, '-o', format, ...more);
        expect([code, err, out === '']).toEqual([1, '', false]);
      }
  });

  it.each<[string, readonly string[], number, string]>([
    ['nothing to check', [], 2, 'error: give --requirement, --crd or both\n'],
    [
      'files without a CRD',
      ['-r', old, '-f', file('maps.yaml', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } })],
      2,
      'error: there are no CustomResourceDefinitions in ',
    ],
    ['broken YAML', ['-r', old, '-f', broken], 2, 'broken.yaml, document 1, line 2: '],
    ['a cluster that is not there', ['-f', old, '--kubeconfig', join(folder, 'none')], 2, 'error: '],
    [
      'a version that is not there',
      ['-r', old, '-f', old, '--versions', 'v9'],
      2,
      'the required CRD has no such version\n',
    ],
    [
      'an excluded field that is not there',
      ['-r', old, '-f', old, '--exclude', 'spec.flag'],
      2,
      'path "spec.flag" leads nowhere',
    ],
    [
      'something else',
      ['-r', file('map.yaml', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } }), '-f', old],
      2,
      'ConfigMap m is neither a CompatibilityRequirement nor a CustomResourceDefinition\n',
    ],
    [
      'a CRD that is none',
      ['-r', file('bad.yaml', { ...NAMED, spec: { group: 'example.com' } }), '-f', old],
      2,
      'CustomResourceDefinition ships.example.com cannot be used:\n  ',
    ],
    [
      'a requirement that states nothing',
      ['-r', file('empty.yaml', { ...requirement(NAMED), spec: null }), '-f', old],
      2,
      'CompatibilityRequirement the-harbour cannot be used:\n  spec: spec in body must be of type object: "null"\n',
    ],
    [
      'a CRD without a group, by the name of what is missing',
      ['-r', file('groupless.yaml', { ...NAMED, spec: {} }), '-f', old],
      2,
      'customResourceDefinition.data: spec.group: Required value\n',
    ],
    ['a file that is not there', ['-r', join(folder, 'none.yaml'), '-f', old], 2, 'error: there is no '],
    [
      'another format',
      ['-r', old, '-f', old, '-o', 'xml'],
      2,
      'Allowed choices are table, json, yaml, markdown, sarif, github.',
    ],
  ])('refuses %s', async (_what, args, code, message) => {
    const result = await check(...args);
    expect(result).toMatchObject({ code, out: '' });
    expect(result.err).toContain(message);
  });
});

describe('capstan crd preflight', () => {
  it.each<[string, readonly unknown[], string]>([
    ['no CRD', [null, 5, 'x', [], {}], 'there are no CRDs in '],
    ['a CRD without metadata', [{ ...NAMED, metadata: null }], ': the CustomResourceDefinition has no name\n'],
    [
      'a CRD whose name is no text',
      [{ ...NAMED, metadata: { name: 5 } }],
      ': the CustomResourceDefinition has no name\n',
    ],
  ])('refuses a list of %s', async (_what, items, message) => {
    const io = new TestIo();
    const list = file('list.json', { apiVersion: 'v1', kind: 'List', items });
    expect(await main(['crd', 'preflight', '-f', list], io)).toBe(2);
    expect([io.stdout, io.stderr]).toEqual(['', expect.stringContaining(message)]);
  });
});

describe('capstan crd explain', () => {
  const explain = async (...args: readonly string[]): Promise<{ code: number; out: string; err: string }> => {
    const io = new TestIo();
    return { code: await main(['crd', 'explain', ...args], io), out: io.stdout, err: io.stderr };
  };

  it('explains one rule, or all', async () => {
    expect((await explain('field-removed')).out).toMatch(
      /^field-removed \(error\): A field was removed\n\n.+\n\nExample:\n/,
    );
    const { out } = await explain('-o', 'json');
    expect((JSON.parse(out) as { id: string }[]).map(({ id }) => id)).toContain('field-removed');
    expect((await explain()).out).toMatch(/^RULE +SEVERITY +TITLE\n/);
  });

  it('suggests a rule that was probably meant', async () => {
    expect((await explain('feild-removed')).err).toBe(
      'error: there is no rule "feild-removed"\ndid you mean field-removed?\n',
    );
  });

  it('refuses a rule that is none', async () => {
    expect(await explain('frob')).toEqual({
      code: 1,
      out: '',
      err: 'error: there is no rule "frob"\nsee \'capstan crd explain\' for all of them\n',
    });
  });
});
