import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';
import { stepsTo } from './locate.js';
import { CARGO_LINE, HEIGHT_LINE, NEW, OLD } from './testing-ships.js';

const folder = mkdtempSync(join(tmpdir(), 'capstan-crd-output-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const old = file('old.yaml', OLD);
const changed = file('new.yaml', NEW);

async function check(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const io = new TestIo();
  const code = await main(['crd', 'check', ...args], io);
  return { code, out: io.stdout, err: io.stderr };
}

interface Log {
  runs: {
    tool: { driver: { rules: { help: { text: string; markdown: string } }[] } };
    results: { ruleId: string; locations: { physicalLocation?: { region: { startLine: number } } }[] }[];
  }[];
}

function linesOf(out: string): unknown {
  const [run] = (JSON.parse(out) as Log).runs;
  return run?.results.map(({ locations, ruleId }) => [ruleId, locations[0]?.physicalLocation?.region.startLine]);
}

describe('the output of capstan crd check', () => {
  it('names the line of a field, also in later documents, and explains the rule, as SARIF', async () => {
    const { out } = await check('-r', old, '-f', changed, '-o', 'sarif');
    expect(linesOf(out)).toEqual([
      ['enum-value-removed', CARGO_LINE],
      ['maximum-tightened', HEIGHT_LINE],
    ]);
    const { help } = (JSON.parse(out) as Log).runs[0]?.tool.driver.rules[0] ?? {};
    expect(help?.text).toContain("See 'capstan crd explain enum-value-removed'.");
    expect(help?.markdown).toContain('(docs/reference/crd-compat-rules.md#enum-value-removed)');
    const second = file('second.yaml', `a: 1\n---\n${NEW}`);
    expect(linesOf((await check('-r', old, '-f', second, '-o', 'sarif')).out)).toEqual([
      ['enum-value-removed', CARGO_LINE + 2],
      ['maximum-tightened', HEIGHT_LINE + 2],
    ]);
  });

  it('names the lines of YAML that only the full reader knows, and of JSON', async () => {
    const odd = file(
      'odd.yaml',
      NEW.replace('of the ship"', 'of the ship"\n                anchored: &a {type: string}'),
    );
    expect(linesOf((await check('-r', old, '-f', odd, '-o', 'sarif')).out)).toEqual([
      ['enum-value-removed', CARGO_LINE + 1],
      ['maximum-tightened', HEIGHT_LINE + 1],
    ]);
    const json = JSON.stringify(parse(NEW), null, 1);
    const lineOf = (key: string): number => json.split('\n').findIndex((line) => line.includes(`"${key}"`)) + 1;
    expect(linesOf((await check('-r', old, '-f', file('new.json', json), '-o', 'sarif')).out)).toEqual([
      ['enum-value-removed', lineOf('additionalProperties')],
      ['maximum-tightened', lineOf('height')],
    ]);
  });

  it('is workflow commands for GitHub', async () => {
    const { code, out } = await check('-r', old, '-f', changed, '-o', 'github');
    expect(code).toBe(1);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(
        new RegExp(
          `^::error file=.*/new\\.yaml,line=${CARGO_LINE},title=enum-value-removed::ships\\.example\\.com for `,
        ),
      ),
      expect.stringMatching(
        new RegExp(
          `^::error file=.*/new\\.yaml,line=${HEIGHT_LINE},title=maximum-tightened::.*explain maximum-tightened$`,
        ),
      ),
      '2 errors, 0 warnings',
      '',
    ]);
  });

  it.each(['table', 'markdown', 'github'])(
    'as %s lets no name or value of a CRD reach the terminal',
    async (format) => {
      const hostile = 'x\\n::error::y\\u001b[31m\\u009b2J';
      const crd = (name: string, type: string): string =>
        file(
          name,
          JSON.stringify(
            JSON.parse(
              `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"as.b.c"},"spec":{"group":"b.c",
      "scope":"Cluster","names":{"plural":"as","singular":"a","kind":"A","listKind":"AList"},"versions":[{"name":"v1","served":true,
      "storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"${hostile}":{"type":"${type}","enum":["${hostile}"]}}}}}]}}`,
            ),
          ),
        );
      const { code, out } = await check(
        '-r',
        crd('a.json', 'string'),
        '-f',
        crd('b.json', 'integer'),
        '-o',
        format,
        '--witness',
      );
      expect(code).toBe(1);
      expect(out).toContain(String.raw`\u001b[31m\u009b2J`);
      expect(out.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|^::error::y/gm)).toBeNull();
    },
  );

  it('is YAML, whatever fields are called', async () => {
    const inherited = (...names: string[]): string => {
      const fields = names.map((name) => `            ${name}: {type: string}`).join('\n');
      return OLD.replace(/( +)properties:\n/, `$1properties:\n${fields}\n`);
    };
    const [before, after] = [file('inherited.yaml', inherited('constructor', 'toString')), file('without.yaml', OLD)];
    const { out } = await check('-r', before, '-f', after, '-o', 'yaml');
    const [{ report }] = (parse(out) as { results: [{ report: { findings: { path: string; proof: unknown }[] } }] })
      .results;
    expect(report.findings.map(({ path }) => path)).toEqual(['constructor', 'toString']);
    for (const { proof } of report.findings) expect(proof).toMatchObject({ outcome: { kind: 'pruned' } });
  });

  it('is YAML', async () => {
    const { out } = await check('-r', old, '-f', changed, '-o', 'yaml');
    expect(parse(out)).toMatchObject({ results: [{ definition: 'ships.example.com' }] });
  });

  it('is a table of at most 120 columns with both values', async () => {
    const long = 'x'.repeat(150);
    const rule = (text: string): string =>
      NEW.replace(
        'masts:',
        `${long}:\n                  type: string\n                  pattern: ${text}\n                masts:`,
      );
    const { out } = await check('-r', file('a.yaml', rule('a{1,200}'.repeat(20))), '-f', file('b.yaml', rule('b+')));
    expect(out.split('\n').filter((line) => line.length > 120)).toEqual([]);
    expect(out).toContain('…');
    const { out: both } = await check('-r', old, '-f', changed);
    expect(both).toMatch(/\nerror +v1 spec\.masts\.height +maximum-tightened +90 +70\n/);
  });

  it('ends with whom to ask', async () => {
    const requirement = {
      apiVersion: 'apiextensions.openshift.io/v1alpha1',
      kind: 'CompatibilityRequirement',
      metadata: { name: 'the-harbour', labels: { 'app.kubernetes.io/managed-by': 'harbour-team' } },
      spec: {
        compatibilitySchema: {
          customResourceDefinition: { type: 'YAML', data: OLD },
          requiredVersions: { defaultSelection: 'StorageOnly' },
        },
      },
    };
    const { out } = await check('-r', file('requirement.json', JSON.stringify(requirement)), '-f', changed);
    expect(out).toMatch(/\nTo change what is required, ask the owner: requirement "the-harbour" of harbour-team\.\n$/);
  });
});

describe('severities that are set', () => {
  it('change the verdict, by options and by a file that gives way to them', async () => {
    const off = ['--rule', 'maximum-tightened=off', '--rule', 'enum-value-removed=warning'];
    const { code, out } = await check('-r', old, '-f', changed, ...off);
    expect([code, out]).toEqual([0, expect.stringMatching(/: compatible\swith\swarnings\n/)]);
    expect(out).toContain('\n0 errors, 1 warning\n');
    const config = file('rules.yaml', 'rules:\n  maximum-tightened: off\n  enum-value-removed: off\n');
    expect(await check('-r', old, '-f', changed, '--config', config)).toMatchObject({
      code: 0,
      out: '0 errors, 0 warnings\n',
    });
    const { code: refused } = await check(
      '-r',
      old,
      '-f',
      changed,
      '--config',
      config,
      '--rule',
      'maximum-tightened=error',
    );
    expect(refused).toBe(1);
  });

  it.each([
    [
      ['--rule', 'maximum-tightend=off'],
      '--rule: there is no rule "maximum-tightend"\ndid you mean maximum-tightened?',
    ],
    [['--rule', 'frobnicate=off'], '--rule: there is no rule "frobnicate"\nsee \'capstan crd explain\' for all rules'],
    [['--rule', 'field-removed=fatal'], '--rule: field-removed cannot be "fatal"\nset it to error, warning or off'],
    [['--rule', 'field-removed'], '--rule field-removed does not set a rule'],
    [['--config', join(folder, 'none.yaml')], 'cannot use '],
    [['--config', file('other.yaml', 'rulez: {}\n')], 'other.yaml: there is no setting "rulez"'],
    [['--config', file('bad.yaml', 'rules: {field-remove: off}\n')], 'bad.yaml: there is no rule "field-remove"'],
  ])('refuses %j', async (args, message) => {
    const result = await check('-r', old, '-f', changed, ...args);
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(result.err).toContain(message);
  });
});

describe('the way to what a finding is about', () => {
  const crd = parse(OLD) as object;
  const schema = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema'];
  it.each<[string | undefined, string, readonly (string | number)[]]>([
    [undefined, 'spec.scope', ['spec', 'scope']],
    [undefined, 'metadata.labels[a]', ['metadata', 'labels', 'a']],
    ['v1', 'spec.versions.served', ['spec', 'versions', 0, 'served']],
    ['v2', 'spec.versions', ['spec', 'versions']],
    ['v1', 'spec.gone.deep', [...schema, 'properties', 'spec']],
    [
      'v1',
      'spec.masts.height',
      [...schema, 'properties', 'spec', 'properties', 'masts', 'items', 'properties', 'height'],
    ],
    ['v1', 'spec.cargo.*', [...schema, 'properties', 'spec', 'properties', 'cargo', 'additionalProperties']],
    ['v1', '', schema],
  ])('of %s %s', (version, path, steps) => {
    expect(stepsTo({ path, ...(version === undefined ? {} : { version }) }, crd)).toEqual(steps);
  });
});
