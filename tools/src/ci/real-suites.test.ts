import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { SHARDS, planReal, realProjects, suitesOf } from './real-suites.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('the suites of this repository', () => {
  it('all run on a real kube-apiserver, or are listed with the reason why not', () => {
    const { forgotten, stale } = planReal(suitesOf(root));
    expect({ forgotten, stale }).toEqual({ forgotten: [], stale: [] });
  });

  it('use no more than the version if their shard has no server', () => {
    const { shards } = planReal(suitesOf(root));
    const files = SHARDS.filter((shard) => shard.bringsServers === true).flatMap(({ name }) => shards.get(name) ?? []);
    const asks = (file: string): string[] => [
      ...(readFileSync(join(root, file), 'utf8').match(/.*inject\('realKube'\).*/g) ?? []),
    ];
    const other = files.flatMap(asks).filter((line) => line !== "const { version } = inject('realKube');");
    expect([files.length > 0, other]).toEqual([true, []]);
  });

  it('are found', () => {
    expect(suitesOf(root)).toContain('test/conformance/status.test.ts');
  });
});

describe('planReal', () => {
  const shards = [
    { name: 'a', takes: /a/ },
    { name: 'rest', takes: /./ },
  ];

  it('assigns each file to the first shard that takes it', () => {
    const files = ['test/conformance/a.test.ts', 'test/x/b.real.test.ts', 'test/x/b.test.ts'];
    const plan = planReal(files, {}, shards);
    expect([...plan.shards]).toEqual([
      ['a', ['test/conformance/a.test.ts', 'test/x/b.real.test.ts']],
      ['rest', []],
    ]);
    expect(planReal(['test/y/z.real.test.ts'], {}, shards.slice(1)).shards.get('rest')).toEqual([
      'test/y/z.real.test.ts',
    ]);
    expect([plan.forgotten, plan.stale]).toEqual([[], []]);
  });

  it('lists files that are neither run nor exempt, and exemptions without effect', () => {
    const files = ['b.real', 'b', 'c', 'd'].map((name) => `test/x/${name}.test.ts`);
    const plan = planReal(files, { 'test/x/b.test.ts': 'r', 'test/x/c.test.ts': 'r', 'test/x/e.test.ts': 'r' }, shards);
    expect(plan.forgotten).toEqual(['test/x/d.test.ts']);
    expect(plan.stale).toEqual(['test/x/b.test.ts', 'test/x/e.test.ts']);
  });

  it('runs each shard on every version, and once if it needs no server', () => {
    const some = [
      { name: 'alone', takes: /solo/, hasNoServer: true },
      { name: 'empty', takes: /nothing/ },
      shards[1],
    ].flatMap((shard) => shard ?? []);
    const plan = planReal(['test/conformance/c.test.ts', 'test/x/solo.real.test.ts'], {}, some);
    const names = (versions: string[]): string[] => realProjects(versions, plan, some).map(({ name }) => name);
    expect(names(['v1', 'v2'])).toEqual(['alone', 'v1 rest', 'v2 rest']);
    expect(names([])).toEqual(['alone', 'rest']);
  });

  it('refuses a file that no shard takes', () => {
    expect(() => planReal(['test/x/b.real.test.ts'], {}, [])).toThrow('no shard takes test/x/b.real.test.ts');
  });
});
