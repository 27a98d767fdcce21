import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConversionPlatforms } from '@capstan/provider';
import { harbourConversion } from '@capstan/provider/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestIo } from '../testing-io.js';
import { runConvert } from './run.js';
import { convert, harbourCluster, healthCheck, infrastructure, machine } from './testing-fleet.js';
import { documents, list, printed, TestFolder } from './testing-folder.js';

let folder: TestFolder;
beforeEach(() => {
  folder = new TestFolder();
});
afterEach(() => folder.remove());

describe('what cannot be converted', () => {
  const mixed = (): string[] => [
    folder.yaml(
      'fleet.yaml',
      machine('good'),
      machine('towed', { tugs: 2 }),
      machine('flagged', { flag: 'NL' }),
      machine('abroad', { port: 'hamburg' }),
      machine('odd', { sails: 3 }),
      machine('drift', { kind: 'DriftwoodMachineProviderSpec' }),
      machine('raft', { kind: 'RaftMachineProviderSpec' }),
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other' } },
    ),
    folder.yaml('cluster.yaml', infrastructure, harbourCluster),
  ];

  it('prevents any output, and is reported with the next step', async () => {
    const { err, ok, out } = await convert({ filename: mixed() });
    expect({ ok, out }).toEqual({ ok: false, out: '' });
    expect(err).toMatchSnapshot();
  });

  it('is left out and reported with --keep-going', async () => {
    const { err, ok, out } = await convert({ filename: mixed(), keepGoing: true });
    expect({ ok, objects: printed(out) }).toEqual({
      ok: false,
      objects: ['HarbourMachine/good', 'HarbourMachine/flagged', 'Machine/good', 'Machine/flagged'],
    });
    expect(err.split('\n').at(-2)).toBe(
      'what is written is not all: 5 objects cannot be converted and are missing from it',
    );
  });

  it.each(['table', 'markdown', 'json'] as const)('is in the report: %s', async (report) => {
    const { err, ok, out } = await convert({ filename: mixed(), report });
    expect({ ok, out }).toEqual({ ok: false, out: '' });
    expect(folder.here(err)).toMatchSnapshot();
  });

  it('is what a check finds, which prints its report and nothing else', async () => {
    const checked = await convert({ filename: mixed(), check: true });
    expect(checked).toMatchObject({ ok: false, err: '' });
    expect(folder.here(checked.out)).toMatchSnapshot('refused');
    const fine = await convert({ filename: [folder.yaml('a.yaml', machine('a'), harbourCluster)], check: true });
    expect(fine).toMatchObject({ ok: true, err: '' });
    expect(folder.here(fine.out)).toMatchSnapshot('fine');
  });

  it('goes to a file where one is named', async () => {
    const reportFile = join(folder.path, 'report.json');
    const { err, out } = await convert({ filename: mixed(), check: true, report: 'json', reportFile });
    expect({ err, out }).toEqual({ err: '', out: '' });
    const { totals } = JSON.parse(readFileSync(reportFile, 'utf8')) as { totals: object };
    expect(totals).toEqual({ objects: 7, converted: 2, refused: 5, skipped: 0, warnings: 1, manifests: 4 });
  });

  it('is reported once for many objects', async () => {
    const machines = Array.from({ length: 1200 }, (_, at) => machine(`m${at}`, { tugs: 1 }));
    const { err } = await convert({ filename: [folder.json('a.json', list(...machines))] });
    expect(err.split('\n')[0]).toBe(
      'error: Machine m0, Machine m1, Machine m2 and 1,197 more: spec.providerSpec.value.tugs: Cluster API has no tugs: order them at the port',
    );
  });

  it('may be about what a machine of Cluster API is made of', async () => {
    const { out } = await convert({ filename: [folder.yaml('a.yaml', machine('a'), harbourCluster)] });
    const [infra = {}, ...others] = documents(out);
    const spec = { ...(infra['spec'] as object), pilot: 'anna', providerID: 'harbour:///other' };
    const filename = [folder.yaml('b.yaml', { ...infra, spec }, ...others, harbourCluster)];
    const { err, ok } = await convert({ filename });
    expect(ok).toBe(false);
    expect(err).toMatchSnapshot('stderr');
    const report = JSON.parse((await convert({ filename, report: 'json' })).err) as {
      objects: { refusals: { object?: string; path: string }[] }[];
    };
    expect(report.objects[0]?.refusals.map(({ object, path }) => `${object} ${path}`)).toEqual([
      'HarbourMachine/a spec.pilot',
      'HarbourMachine/a spec.providerID',
    ]);
  });

  it('may be the bug of a rule, which keeps no other object out of the report', async () => {
    const faulty = {
      ...harbourConversion,
      check: () => {
        throw new TypeError('x is not a function');
      },
    };
    const io = new TestIo();
    const filename = [folder.yaml('a.yaml', machine('a'), healthCheck('b'))];
    expect(await runConvert([], { filename }, io, new ConversionPlatforms([faulty]))).toBe(false);
    expect(io.stderr).toBe(
      [
        'error: Machine a: a bug in this program: x is not a function',
        '  to do: leave the object out, and report the bug',
        '1 object of 2 converts to Cluster API, 1 cannot be converted',
        'nothing was written, as not all can be converted; --keep-going writes the rest',
        '',
      ].join('\n'),
    );
  });
});
