import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../errors.js';
import type { CliError } from '../errors.js';
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
import { documents, list, printed, TestFolder } from './testing-folder.js';

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
      'there is nothing to convert to Machine API: 1 object is of Machine API already',
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
    await expect(convert({ filename, infrastructure: two })).rejects.toThrow(
      'there are two Infrastructures cluster: in',
    );
  });

  it('may be there more than once when it is the same', async () => {
    const filename = [folder.yaml('a.yaml', machine('a'))];
    const twice = [
      folder.yaml('c.yaml', infrastructure, { ...infrastructure, metadata: { name: 'cluster', uid: 'b' } }),
    ];
    expect(await convert({ filename, infrastructure: twice })).toMatchObject({ ok: true });
  });
});

describe('a directory of anything', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } };
  const gathered = (): string => {
    folder.yaml('must/machines.yaml', machine('a'), harbourCluster);
    folder.yaml('must/gather/machines.yaml', machine('a'), infrastructure, harbourCluster);
    folder.yaml('must/infrastructure.yaml', infrastructure);
    folder.json('must/pods.json', list(pod, pod, { ...pod, kind: 'Node' }));
    folder.json('must/etcd.json', [{ Endpoint: 'https://10.0.0.1:2379' }]);
    return join(folder.path, 'must');
  };

  it('is converted with all that is about anything else counted, and what is there twice taken once', async () => {
    const { err, ok, out } = await convert({ filename: [gathered()], recursive: true });
    expect({ ok, objects: printed(out) }).toEqual({ ok: true, objects: ['HarbourMachine/a', 'Machine/a'] });
    expect(folder.here(err)).toBe(
      [
        'left out: Machine a: is given twice, with the same content',
        'left out, as they are of neither API: 2 Pod, 1 without a kind, 1 Node',
        'Secrets that have to exist: openshift-cluster-api/worker-user-data',
        '1 object of 2 converts to Cluster API, 1 left out',
        '',
      ].join('\n'),
    );
  });

  it('may have a broken file in it, unless that is about machines', async () => {
    folder.text('must/node.yaml', 'kind: Node\na: [1\n b: }\n');
    const { err, ok } = await convert({ filename: [gathered()] });
    expect(ok).toBe(true);
    expect(folder.here(err)).toContain('left out, as it cannot be read: must/node.yaml, line 3:');
    // Named by itself, it is meant.
    await expect(convert({ filename: [join(folder.path, 'must/node.yaml')] })).rejects.toThrow('node.yaml, line 3');
    folder.text('must/b.yaml', 'apiVersion: machine.openshift.io/v1beta1\nkind: MachineSet\na: [1\n b: }\n');
    await expect(convert({ filename: [gathered()] })).rejects.toThrow('must/b.yaml, line 4');
  });

  it('is read with those below where that is wanted, and the hint is given where it is needed', async () => {
    gathered();
    const failure = await convert({ filename: [folder.path] }).catch((error: unknown) => error);
    expect((failure as CliError).hint).toBe(`${folder.path} has directories in it: -R reads those as well`);
  });

  it('has the flags of the manager of Cluster API in it', async () => {
    const labelled = machine('l') as { spec: object };
    folder.yaml('must/l.yaml', { ...labelled, spec: { ...labelled.spec, metadata: { labels: { rack: 'r1' } } } });
    const before = await convert({ filename: [gathered()], check: true });
    expect(before.out).toContain('spec.metadata.labels[rack]: reaches no node');
    const containers = [{ name: 'manager', args: ['--additional-sync-machine-labels=^rack$'] }];
    const metadata = { name: 'capi-controller-manager', namespace: 'openshift-cluster-api' };
    folder.yaml('must/deployment.yaml', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { template: { spec: { containers } } },
    });
    const after = await convert({ filename: [gathered()], check: true });
    expect(after.out).not.toContain('reaches no node');
    expect(folder.here(after.out)).toContain('Deployment capi-controller-manager (must/deployment.yaml');
  });
});

describe('what values were compared with', () => {
  it('is in the report, and what was missing for it', async () => {
    const filename = [folder.yaml('a.yaml', machine('a'))];
    const without = await convert({ filename, check: true });
    expect(without.out).toContain(
      'not compared with: HarbourCluster fleet-x7k2p, Infrastructure cluster, not given: name a file of it with --infrastructure\n',
    );
    const around = [folder.yaml('c.yaml', harbourCluster, infrastructure)];
    const compared = await convert({ filename, infrastructure: around, check: true });
    expect(folder.here(compared.out)).toContain(
      'compared with: HarbourCluster fleet-x7k2p (c.yaml, document 1, line 2), Infrastructure cluster (c.yaml, document 2, line',
    );
    expect(compared.out).not.toContain('not compared');
  });

  it('must not be one of two different clusters of a name', async () => {
    const other = { ...harbourCluster, spec: { port: 'hamburg' } };
    const filename = [folder.yaml('a.yaml', machine('a'), harbourCluster, other)];
    await expect(convert({ filename })).rejects.toThrow('there are two HarbourClusters fleet-x7k2p: in');
  });
});

describe('a report', () => {
  it('calls only that mapped or compared which comes back', async () => {
    const idle = machine('a', { cranes: 0 }) as { metadata: object; spec: object };
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}', note: 'x' };
    const live = {
      ...idle,
      metadata: { ...idle.metadata, annotations, uid: 'u', finalizers: ['machine.machine.openshift.io'] },
      spec: { ...idle.spec, authoritativeAPI: 'MachineAPI' },
      status: { phase: 'Running' },
    };
    const filename = [folder.yaml('a.yaml', live)];
    const { out } = await convert({ filename, check: true, report: 'json' });
    const [found] = (JSON.parse(out) as { objects: { mapped: string[]; derived: string[]; own: string[] }[] }).objects;
    expect(found?.own).toEqual([
      'metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]',
      'metadata.uid',
      'metadata.finalizers',
      'spec.providerSpec.value.cranes',
      'spec.authoritativeAPI',
      'status',
    ]);
    expect(found?.mapped).toContain('metadata.annotations[note]');
    // It has a warning, as it could not be compared.
    const { derived = [], mapped = [], own = [] } = found ?? {};
    expect([...derived, ...mapped, ...own]).not.toContain('spec.providerSpec.value.port');
    const around = [folder.yaml('c.yaml', harbourCluster)];
    const compared = await convert({ filename, infrastructure: around, check: true, report: 'json' });
    const [other] = (JSON.parse(compared.out) as { objects: { derived: string[] }[] }).objects;
    expect(other?.derived).toContain('spec.providerSpec.value.port');
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
