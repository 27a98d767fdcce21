import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../errors.js';
import { printYamlDocument } from './print-yaml.js';
import {
  controlPlane,
  convert,
  harbourCluster,
  healthCheck,
  infrastructure,
  machine,
  machineSet,
} from './testing-fleet.js';
import { documents, printed, TestFolder } from './testing-folder.js';

let folder: TestFolder;
beforeEach(() => {
  folder = new TestFolder();
});
afterEach(() => folder.remove());

describe('a whole cluster in files', () => {
  const all = (): string[] => [
    folder.yaml('cluster.yaml', infrastructure, harbourCluster),
    folder.yaml(
      'fleet.yaml',
      healthCheck('workers'),
      machineSet('worker-a'),
      controlPlane(),
      machine('worker-a-1'),
      machine('worker-a-2'),
    ),
  ];

  it('becomes manifests in the order in which they are to be applied', async () => {
    const { err, ok, out } = await convert({ filename: all() });
    expect({ ok, err }).toMatchSnapshot('stderr');
    expect(out).toMatchSnapshot('manifests');
  });

  it('comes back as it was', async () => {
    const there = await convert({ filename: all() });
    const filename = ['-', folder.yaml('cluster.yaml', infrastructure, harbourCluster)];
    const back = await convert({ filename }, { stdin: there.out });
    expect(back.err).toMatchSnapshot('stderr');
    expect(back.out).toMatchSnapshot('manifests');
    const objects = documents(back.out);
    expect(objects).toEqual([
      machine('worker-a-1'),
      machine('worker-a-2'),
      machineSet('worker-a'),
      controlPlane(),
      healthCheck('workers'),
    ]);
  });
});

describe('what is written', () => {
  it('is a List with a line for each object as JSON', async () => {
    const { out } = await convert({ filename: [folder.yaml('a.yaml', machine('a'), machine('b'))], output: 'json' });
    const lines = out.split('\n');
    expect(lines).toHaveLength(7);
    expect(lines[0]).toBe('{"apiVersion":"v1","kind":"List","items":[');
    const { items } = JSON.parse(out) as { items: { kind: string; metadata: { name: string } }[] };
    expect(items.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
      'HarbourMachine/a',
      'HarbourMachine/b',
      'Machine/a',
      'Machine/b',
    ]);
  });

  it('is for the namespace named, of the cluster named', async () => {
    const { out } = await convert({
      filename: [folder.yaml('a.yaml', machine('a'))],
      namespace: 'mine',
      clusterName: 'c',
    });
    expect(out.match(/namespace: .*/g)).toEqual(['namespace: mine', 'namespace: mine']);
    expect(out).toContain('clusterName: c\n');
  });

  it('is left alone by controllers of Cluster API where that is wanted', async () => {
    const filename = [folder.yaml('a.yaml', machine('a'), machineSet('b'), harbourCluster)];
    const { out } = await convert({ filename, paused: true });
    const paused = documents(out).map(({ kind, metadata }) => [
      kind,
      (metadata as { annotations?: Record<string, string> }).annotations?.['cluster.x-k8s.io/paused'],
    ]);
    expect(paused).toEqual([
      ['HarbourMachineTemplate', undefined],
      ['HarbourMachine', ''],
      ['Machine', ''],
      ['MachineSet', ''],
    ]);
    const back = await convert({ filename: ['-', folder.yaml('c.yaml', harbourCluster)] }, { stdin: out });
    expect(back.ok).toBe(true);
    expect(back.out).not.toContain('paused');
    await expect(convert({ filename: ['-'], paused: true }, { stdin: out })).rejects.toThrow(UsageError);
  });

  it('may be one file per object, named in the order to apply them', async () => {
    const outputDir = join(folder.path, 'out/deep');
    const filename = [folder.yaml('a.yaml', healthCheck('a'), machineSet('a'))];
    expect(await convert({ filename, outputDir })).toMatchObject({ ok: true, out: '' });
    const names = readdirSync(outputDir).toSorted();
    expect(names).toEqual([
      expect.stringMatching(/^1-harbourmachinetemplate-a-[0-9a-f]+\.yaml$/),
      '2-machineset-a.yaml',
      '3-machinehealthcheck-a.yaml',
    ]);
    expect(readFileSync(join(outputDir, '2-machineset-a.yaml'), 'utf8')).toContain('kind: MachineSet\n');
    await expect(convert({ filename, outputDir })).rejects.toThrow(`${outputDir} is not empty: ${names[0]} is in it`);
  });

  it('is never outside of the directory, whatever objects are called', async () => {
    const outputDir = join(folder.path, 'out');
    await convert({ filename: [folder.yaml('a.yaml', healthCheck('../../x'))], outputDir });
    expect(readdirSync(outputDir)).toEqual(['1-machinehealthcheck-..%2f..%2fx.yaml']);
  });
});

describe('the direction', () => {
  const both = async (): Promise<string> => {
    const { out } = await convert({ filename: [folder.yaml('a.yaml', machine('a'))] });
    folder.text('b.yaml', `${printYamlDocument(machine('b'))}${out}`);
    return join(folder.path, 'b.yaml');
  };

  it('must be given for objects of both APIs', async () => {
    const failure = await convert({ filename: [await both()] }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect(folder.here((failure as Error).message)).toBe(
      'there are objects of both APIs: of Machine API in b.yaml, document 1, line 2, of Cluster API in b.yaml, document 3, line 42',
    );
  });

  it('leaves out what exists already, and reports that', async () => {
    const { err, ok, out } = await convert({ filename: [await both()], to: 'cluster-api' });
    expect({ ok, objects: printed(out) }).toEqual({ ok: true, objects: ['HarbourMachine/b', 'Machine/b'] });
    expect(err).toContain('left out: Machine a, HarbourMachine a: is of Cluster API already\n');
  });

  it('may leave nothing to do', async () => {
    await expect(convert({ filename: [folder.yaml('a.yaml', machine('a'))], to: 'machine-api' })).rejects.toThrow(
      'there is nothing to convert to Machine API',
    );
    await expect(convert({ filename: [folder.yaml('c.yaml', harbourCluster)] })).rejects.toThrow(
      'there is nothing to convert',
    );
  });
});

describe('the infrastructure', () => {
  it('is compared with the machines if it is given, and reported as not compared if it is not', async () => {
    const filename = [folder.yaml('a.yaml', machine('a', { port: 'hamburg' }))];
    const without = await convert({ filename });
    expect(without.ok).toBe(true);
    expect(without.err).toContain(
      'warning: Machine a: spec.providerSpec.value.port: cannot be compared with spec.port of the infrastructure cluster, which is not given\n',
    );
    const compared = await convert({ filename, infrastructure: [folder.yaml('c.yaml', harbourCluster)] });
    expect(compared.ok).toBe(false);
    expect(compared.err).toContain(
      'error: Machine a: spec.providerSpec.value.port: is "hamburg", but spec.port of the infrastructure cluster is "rotterdam"\n',
    );
  });

  it('is that of each platform, where there are several', async () => {
    const canal = { kind: 'CanalMachineProviderSpec', port: 'panama' };
    const canalCluster = {
      ...harbourCluster,
      kind: 'CanalCluster',
      metadata: { name: 'other' },
      spec: { port: 'panama' },
    };
    const filename = [
      folder.yaml('a.yaml', machine('a'), machine('b', canal), machineSet('c', canal), harbourCluster, canalCluster),
    ];
    const there = await convert({ filename });
    expect({ ok: there.ok, objects: printed(there.out).filter((each) => !each.includes('Template')) }).toEqual({
      ok: true,
      objects: ['HarbourMachine/a', 'CanalMachine/b', 'Machine/a', 'Machine/b', 'MachineSet/c'],
    });
    expect(there.out.match(/^ {2}clusterName: .*$/gm)).toEqual([
      '  clusterName: fleet-x7k2p',
      '  clusterName: other',
      '  clusterName: other',
    ]);
    const around = folder.yaml('c.yaml', harbourCluster, canalCluster);
    const back = await convert({ filename: ['-', around] }, { stdin: there.out });
    expect(back.err.split('\n').at(-2)).toBe('3 objects of 3 convert to Machine API');
    expect(documents(back.out)).toEqual([machine('a'), machine('b', canal), machineSet('c', canal)]);
  });

  it('must be there once, and be some', async () => {
    const filename = [folder.yaml('a.yaml', machine('a'))];
    await expect(convert({ filename, infrastructure: filename })).rejects.toThrow(
      'holds neither an infrastructure cluster nor an Infrastructure',
    );
    const other = { ...infrastructure, status: { ...infrastructure.status, infrastructureName: 'other' } };
    const two = [folder.yaml('c.yaml', infrastructure, other)];
    await expect(convert({ filename, infrastructure: two })).rejects.toThrow('there are two Infrastructures: in');
  });

  it('may be there more than once when it is the same', async () => {
    const filename = [folder.yaml('a.yaml', machine('a'))];
    const twice = [
      folder.yaml('c.yaml', infrastructure, { ...infrastructure, metadata: { name: 'cluster', uid: 'b' } }),
    ];
    expect(await convert({ filename, infrastructure: twice })).toMatchObject({ ok: true });
  });
});

describe('a live object', () => {
  it('that is being deleted, or held by the finalizer of a user, has a warning in the report', async () => {
    const held = machine('a') as { metadata: object };
    const metadata = { ...held.metadata, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/hold'] };
    const { ok, out } = await convert({ filename: [folder.yaml('a.yaml', { ...held, metadata })], check: true });
    expect(ok).toBe(true);
    expect(out).toContain('warning  metadata.deletionTimestamp: is set');
    expect(out).toContain('warning  metadata.finalizers[0]: is "example.com/hold", which is not kept');
  });
});

describe('usage', () => {
  it.each<[Parameters<typeof convert>, string]>([
    [[{}], 'there is nothing to convert'],
    [[{ filename: ['-'], fromCluster: true }], 'give either -f or live objects'],
    [[{ filename: ['-'] }, { names: ['machines'] }], 'give either -f or live objects'],
    [[{ filename: ['-'], check: true, output: 'json' }], '--check writes no manifests: leave --output out'],
    [[{ filename: ['-'], check: true, keepGoing: true }], '--check writes no manifests: leave --keep-going out'],
    [[{ filename: ['-'], check: true, outputDir: 'x' }], '--check writes no manifests: leave --output-dir out'],
    [[{ filename: ['-'], reportFile: 'x' }], '--report-file needs --report'],
    [[{}, { names: ['pods'] }], '"pods" is no kind that can be converted'],
    [[{}, { names: ['machines.apps/x'] }], '"machines.apps/x" is no kind that can be converted'],
  ])('is refused: %j', async (args, message) => {
    const failure = await convert(...args).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as Error).message).toBe(message);
  });
});
