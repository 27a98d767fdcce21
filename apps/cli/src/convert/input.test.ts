import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliError } from '../errors.js';
import { printYamlDocument } from './print-yaml.js';
import { convert, harbourCluster, machine } from './testing-fleet.js';
import { documents, list, printed, TestFolder } from './testing-folder.js';

let folder: TestFolder;
beforeEach(() => {
  folder = new TestFolder();
});
afterEach(() => folder.remove());

describe('what is given', () => {
  it.each<[string, () => Parameters<typeof convert>]>([
    ['a file of JSON', () => [{ filename: [folder.json('a.json', machine('a'))] }]],
    ['a List in JSON', () => [{ filename: [folder.json('a.json', list(machine('a')))] }]],
    ['a List of Lists', () => [{ filename: [folder.json('a.json', list(list(list(machine('a')))))] }]],
    ['a List in YAML', () => [{ filename: [folder.yaml('a.yaml', list(machine('a')))] }]],
    [
      'a typed list whose items do not say what they are',
      () => {
        const { apiVersion: _a, kind: _k, ...item } = machine('a') as { apiVersion: string; kind: string };
        return [
          {
            filename: [
              folder.json('a.json', { apiVersion: 'machine.openshift.io/v1beta1', kind: 'MachineList', items: [item] }),
            ],
          },
        ];
      },
    ],
    ['standard input', () => [{ filename: ['-'] }, { stdin: JSON.stringify(machine('a')) }]],
    ['JSON with documents of YAML', () => [{ filename: ['-'] }, { stdin: `${JSON.stringify(machine('a'))}\n---\n` }]],
    [
      'documents of YAML that are empty',
      () => [{ filename: ['-'] }, { stdin: `---\n# nothing\n---\n${printYamlDocument(machine('a'))}---\n` }],
    ],
    [
      'YAML of more than blocks',
      () => [{ filename: ['-'] }, { stdin: `# x\n${JSON.stringify(machine('a'), null, 1)}` }],
    ],
    [
      'YAML with anchors',
      () => [
        { filename: ['-'] },
        {
          stdin: printYamlDocument(machine('a'))
            .replace('size: large', 'size: &s large')
            .replace('image: rhcos-1', 'image: *s'),
        },
      ],
    ],
    [
      'a directory',
      () => {
        folder.yaml('a.yaml', machine('a'));
        folder.text('README.md', 'not this');
        return [{ filename: [folder.path] }];
      },
    ],
    [
      'a directory of directories',
      () => {
        folder.yaml('below/a.yml', machine('a'));
        return [{ filename: [folder.path], recursive: true }];
      },
    ],
  ])('may be %s', async (_, make) => {
    const { err, ok, out } = await convert(...make());
    expect({ ok, objects: printed(out), err }).toMatchObject({ ok: true, objects: ['HarbourMachine/a', 'Machine/a'] });
  });

  it('may be Cluster API of the version before', async () => {
    const there = await convert({ filename: [folder.yaml('a.yaml', machine('a'))] });
    const [infra = {}, made = {}] = documents(there.out);
    const spec = { ...(made['spec'] as Record<string, unknown>), nodeDeletionTimeout: '10s' };
    delete (spec as Record<string, unknown>)['deletion'];
    const older = {
      ...made,
      apiVersion: 'cluster.x-k8s.io/v1beta1',
      spec: {
        ...spec,
        infrastructureRef: { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'HarbourMachine', name: 'a' },
      },
    };
    const back = await convert({ filename: [folder.yaml('b.yaml', infra, older, harbourCluster)] });
    expect(back.err).toBe(
      'Secrets that have to exist: openshift-machine-api/worker-user-data\n1 object of 1 converts to Machine API\n',
    );
    expect(documents(back.out)[0]).toEqual(machine('a'));
  });
});

describe('what cannot be understood', () => {
  it.each<[string, () => unknown[]]>([
    ['a text', () => ['text']],
    ['a number', () => [7]],
    ['null in a list', () => [list(null)]],
    ['a list in a list', () => [list([])]],
    ['no kind', () => [{ apiVersion: 'v1' }]],
    ['no apiVersion', () => [{ kind: 'Machine' }]],
    ['a kind that is a number', () => [{ apiVersion: 'v1', kind: 7 }]],
    ['no metadata', () => [{ ...machine('a'), metadata: undefined }]],
    ['metadata that is a text', () => [{ ...machine('a'), metadata: 'a' }]],
    ['no name', () => [{ ...machine('a'), metadata: {} }]],
    ['a name that is a number', () => [{ ...machine('a'), metadata: { name: 7 } }]],
    ['no spec', () => [{ ...machine('a'), spec: undefined }]],
    ['a spec that is a list', () => [{ ...machine('a'), spec: [] }]],
    ['no provider spec', () => [{ ...machine('a'), spec: { providerSpec: {} } }]],
    ['a provider spec that is a text', () => [{ ...machine('a'), spec: { providerSpec: { value: 'garbage' } } }]],
    ['a provider spec without a kind', () => [machine('a', { kind: undefined })]],
    ['a provider spec of another version', () => [machine('a', { apiVersion: 'machine.openshift.io/v7' })]],
    ['a version of Machine API that is not known', () => [{ ...machine('a'), apiVersion: 'machine.openshift.io/v7' }]],
    ['a kind of Machine API that is not known', () => [{ ...machine('a'), kind: 'MachineFleet' }]],
    ['labels that are a list', () => [{ ...machine('a'), metadata: { name: 'a', labels: ['x'] } }]],
    ['the same object twice, and different', () => [machine('a'), machine('a', { size: 'small' })]],
    ['the cluster is unknown', () => [{ ...machine('a'), metadata: { name: 'a' } }]],
    [
      'a deployment of machines',
      () => [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineDeployment', metadata: { name: 'a' } }],
    ],
    [
      'infrastructure of nobody',
      () => [{ apiVersion: 'infrastructure.cluster.x-k8s.io/v1', kind: 'RaftMachine', metadata: { name: 'a' } }],
    ],
    [
      'a machine of Cluster API without its infrastructure',
      () => [
        {
          apiVersion: 'cluster.x-k8s.io/v1beta2',
          kind: 'Machine',
          metadata: { name: 'a' },
          spec: {
            clusterName: 'c',
            infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'HarbourMachine', name: 'a' },
          },
        },
      ],
    ],
    [
      'a machine of Cluster API that names nothing',
      () => [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata: { name: 'a' }, spec: {} }],
    ],
    [
      'a machine of Cluster API in the version before that is garbage',
      () => [{ apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'Machine', metadata: { name: 'a' }, spec: 7 }],
    ],
  ])('is refused with its path: %s', async (_, make) => {
    const documents = make().map((value) => JSON.stringify(value));
    folder.text('a.yaml', documents.join('\n---\n'));
    const { err, ok, out } = await convert({ filename: [join(folder.path, 'a.yaml')] });
    expect({ ok, out }).toEqual({ ok: false, out: '' });
    expect(folder.here(err)).toMatchSnapshot('message');
    expect(err).not.toMatch(/ at .*\.(ts|js):\d/);
  });

  it.each<[string, string, string]>([
    ['JSON that ends too soon', 'a.json', '{"a": [1,'],
    ['a field twice', 'a.json', '{"apiVersion":"v1","a":{"b":1,"b":2}}'],
    ['YAML that is none', 'a.yaml', 'a: b\n c: d\n- e\n'],
    ['YAML that is none in a later document', 'a.yaml', `${printYamlDocument(machine('a'))}---\na: 1\n b: [\n`],
    ['an anchor that is not there', 'a.yaml', 'a: *b\n'],
    ['bytes that are no text', 'a.yaml', '\u0000binary'],
    ['nothing', 'a.yaml', ''],
    ['comments alone', 'a.yaml', '# nothing\n'],
  ])('is an error of the file: %s', async (_, name, text) => {
    folder.text(name, text === '\u0000binary' ? Buffer.from([0xff, 0xfe, 0x00, 0x61]) : text);
    const failure = await convert({ filename: [join(folder.path, name)] }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CliError);
    const { hint, message } = failure as CliError;
    expect(folder.here(`${message}\n${hint}`)).toMatchSnapshot('message');
  });

  it('may be a file that is not there, or may not be read', async () => {
    await expect(convert({ filename: [join(folder.path, 'none.yaml')] })).rejects.toThrow(
      `there is no ${folder.path}/none.yaml`,
    );
    await expect(convert({ filename: [folder.path] })).rejects.toThrow(`there are no objects in ${folder.path}`);
  });
});
