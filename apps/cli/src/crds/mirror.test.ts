import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, createCa, HttpTransport, loadConnection } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';

const CORE = 'api/crds/cluster.x-k8s.io';
const RULES = `${CORE}/machinedrainrules.yaml`;
const PRIVATE = 'cluster.hypershift.openshift.io';
const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-mirror-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function mirror(argv: readonly string[], stdin = ''): Promise<Ran> {
  const io = new TestIo();
  io.stdin = stdin;
  const code = await main(['crds', 'mirror', ...argv], io);
  return { code, out: io.stdout, err: io.stderr };
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('capstan crds mirror -f', () => {
  it('prints the private CRDs of a folder, the same bytes in any order', async () => {
    const { code, err, out } = await mirror(['-f', CORE, '-o', 'name']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const names = out
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(line.indexOf('/') + 1));
    expect(names).toEqual(
      [
        'clusterclasses',
        'clusters',
        'machinedeployments',
        'machinedrainrules',
        'machinehealthchecks',
        'machinepools',
        'machines',
        'machinesets',
      ].map((plural) => `${plural}.${PRIVATE}`),
    );
    expect((await mirror(['-f', RULES, '-f', `${CORE}/machinehealthchecks.yaml`])).out).toBe(
      (await mirror(['-f', `${CORE}/machinehealthchecks.yaml`, '-f', RULES])).out,
    );
  });

  it('reads standard input, and prints JSON and names', async () => {
    const { out: json } = await mirror(['-f', RULES, '-o', 'json']);
    const { items } = JSON.parse(json) as { items: KubeObject[] };
    const back = JSON.stringify({ ...items[0], metadata: { name: 'machinedrainrules.cluster.x-k8s.io' } }).replaceAll(
      `"group":"${PRIVATE}"`,
      '"group":"cluster.x-k8s.io"',
    );
    expect(await mirror(['-f', '-', '-o', 'name'], back)).toEqual({
      code: 0,
      out: `customresourcedefinition.apiextensions.k8s.io/machinedrainrules.${PRIVATE}\n`,
      err: '',
    });
  });

  it('uses the given shim Service and CA bundle', async () => {
    const ca = createCa({ commonName: 'shim' });
    const bundle = file('ca.crt', ca.certPem);
    const { out } = await mirror(['-f', RULES, '--shim-service', 'other/shim', '--ca-bundle', bundle, '-o', 'json']);
    const [privateCrd] = (JSON.parse(out) as { items: KubeObject[] }).items;
    expect(privateCrd?.metadata.annotations).not.toHaveProperty(['service.beta.openshift.io/inject-cabundle']);
    expect(privateCrd).toMatchObject({
      spec: {
        conversion: {
          webhook: {
            clientConfig: {
              caBundle: Buffer.from(ca.certPem).toString('base64'),
              service: { namespace: 'other', name: 'shim', path: '/convert' },
            },
          },
        },
      },
    });
  });

  it('mirrors additional groups', async () => {
    const path = 'api/crds/openstack.k-orc.cloud';
    expect((await mirror(['-f', path])).code).toBe(1);
    const { code, out } = await mirror([
      '-f',
      path,
      '--group-pair',
      'openstack.k-orc.cloud=orc.example.com',
      '-o',
      'name',
    ]);
    expect(code).toBe(0);
    expect(out).toContain('/images.orc.example.com\n');
  });

  it('warns of kinds that nobody converts', async () => {
    const { err } = await mirror(['-f', 'api/crds/capi-provider.agent-install.openshift.io', '-o', 'name']);
    expect(err).toBe(
      'warning: 3 CRDs of capi-provider.agent-install.openshift.io with several versions name no webhook: the shim needs --delegate capi-provider.agent-install.openshift.io=URL\n',
    );
  });

  it.each<[string, () => string[], number, string]>([
    ['no source', () => [], 2, 'error: give either -f or --from-cluster\n'],
    ['two sources', () => ['-f', RULES, '--from-cluster'], 2, 'error: give either -f or --from-cluster\n'],
    ['a dry run of nothing', () => ['-f', RULES, '--dry-run'], 2, 'error: --dry-run needs --apply\n'],
    [
      'YAML of what is applied',
      () => ['-f', RULES, '--apply', '-o', 'yaml'],
      2,
      'error: --apply prints names, not yaml\n',
    ],
    [
      'half a service',
      () => ['-f', RULES, '--shim-service', 'x'],
      2,
      'error: --shim-service x is no namespace and name\n',
    ],
    [
      'half a pair',
      () => ['-f', RULES, '--group-pair', 'a.io'],
      2,
      'error: --group-pair a.io does not name two groups\n',
    ],
    [
      'a pair that overlaps',
      () => ['-f', RULES, '--group-pair', 'x.cluster.x-k8s.io=b.io'],
      2,
      'error: --group-pair cannot be used: cluster.x-k8s.io and x.cluster.x-k8s.io overlap: a group could have two names\n',
    ],
    ['a CA that is none', () => ['-f', RULES, '--ca-bundle', RULES], 2, `error: ${RULES} holds no certificate\n`],
    ['a file that is not there', () => ['-f', 'nowhere.yaml'], 1, 'error: there is no nowhere.yaml\n'],
    ['a folder without CRDs', () => ['-f', 'api/crds'], 1, 'error: there are no objects in api/crds\n'],
    ['broken YAML', () => ['-f', file('broken.yaml', 'a: 1\n---\nb: [\n')], 1, 'broken.yaml, document 2, line 4: '],
    [
      'what is no CRD of Cluster API, every one',
      () => ['-f', RULES, '-f', file('mixed.yaml', 'kind: Secret\n---\nkind: ConfigMap\napiVersion: v1\n')],
      1,
      'mixed.yaml, document 2, line 3: expected CustomResourceDefinition of apiextensions.k8s.io/v1, found ConfigMap of v1\nnothing was mirrored: give CRDs of standard kinds alone\n',
    ],
    [
      'the same twice',
      () => ['-f', RULES, '-f', RULES],
      1,
      `machinedrainrules.${PRIVATE} is given twice, first in ${RULES}, document 1, line 2\n`,
    ],
  ])('refuses %s', async (_case, argv, code, message) => {
    const ran = await mirror(argv());
    expect({ code: ran.code, out: ran.out }).toEqual({ code, out: '' });
    expect(ran.err).toContain(message);
  });
});

describe('capstan crds mirror with a cluster', () => {
  const server = new TestIo();
  let ended: Promise<number> | undefined;
  let transport: HttpTransport | undefined;
  let client = undefined as unknown as Client;
  let kubeconfig = '';

  beforeAll(async () => {
    ended = main(['apiserver', '--no-controllers'], server);
    ({ kubeconfig } = JSON.parse(await server.firstLine()) as { kubeconfig: string });
    transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
    client = new Client(transport);
  });

  afterAll(async () => {
    await transport?.close();
    server.stop();
    await ended;
  });

  it('mirrors what is there, warns of admission, and applies', async () => {
    expect(await mirror(['--from-cluster', '--kubeconfig', kubeconfig])).toEqual({
      code: 1,
      out: '',
      err: 'error: the cluster has no CRDs of Cluster API\nname files of them with -f, or another cluster with --context\n',
    });
    const { out } = await mirror(['-f', RULES, '-o', 'json']);
    const [privateCrd] = (JSON.parse(out) as { items: KubeObject[] }).items;
    const standard = JSON.parse(JSON.stringify(privateCrd).replaceAll(PRIVATE, 'cluster.x-k8s.io')) as KubeObject;
    await client.create(DEFINITIONS, standard);
    await client.create(
      {
        group: 'admissionregistration.k8s.io',
        version: 'v1',
        plural: 'mutatingwebhookconfigurations',
        namespaced: false,
      },
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'MutatingWebhookConfiguration',
        metadata: { name: 'capi' },
        webhooks: [
          {
            name: 'rules.example.com',
            admissionReviewVersions: ['v1'],
            sideEffects: 'None',
            clientConfig: { url: 'https://127.0.0.1:1/' },
            rules: [{ apiGroups: ['cluster.x-k8s.io'], apiVersions: ['*'], resources: ['*'], operations: ['CREATE'] }],
          },
        ],
      },
    );
    const full = `customresourcedefinition.apiextensions.k8s.io/machinedrainrules.${PRIVATE}`;
    const cluster = ['--from-cluster', '--kubeconfig', kubeconfig];
    expect(await mirror([...cluster, '--apply', '--dry-run'])).toEqual({
      code: 0,
      out: `${full} serverside-applied (server dry run)\n`,
      err: 'warning: MutatingWebhookConfiguration capi is for cluster.x-k8s.io: objects of the private groups are not sent to it\n',
    });
    await expect(client.get(DEFINITIONS, `machinedrainrules.${PRIVATE}`)).rejects.toThrow('not found');
    expect((await mirror([...cluster, '--apply'])).out).toBe(`${full} serverside-applied\n`);
    const made = await client.get(DEFINITIONS, `machinedrainrules.${PRIVATE}`);
    expect(made).toMatchObject({ spec: { group: PRIVATE } });
    // Applied again, nothing changes.
    await mirror([...cluster, '--apply']);
    expect((await client.get(DEFINITIONS, `machinedrainrules.${PRIVATE}`)).metadata.resourceVersion).toBe(
      made.metadata.resourceVersion,
    );
  });

  it('tries all before it writes any, and lists every refusal', async () => {
    const folderOf = ['-f', CORE, '--kubeconfig', kubeconfig, '--apply'];
    const names = ['machinesets', 'machines'].map((plural) => `${plural}.${PRIVATE}`);
    const { out } = await mirror(['-f', CORE, '-o', 'json']);
    for (const privateCrd of (JSON.parse(out) as { items: KubeObject[] }).items) {
      if (!names.includes(privateCrd.metadata.name ?? '')) continue;
      const changed = {
        ...privateCrd,
        metadata: { ...privateCrd.metadata, labels: { 'cluster.x-k8s.io/provider': 'other' } },
      };
      await client.create(DEFINITIONS, changed, { fieldManager: 'other' });
    }
    const { items: before } = await client.list(DEFINITIONS);
    const refused = await mirror(folderOf);
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err.split('\n').filter((line) => line.includes('cannot be applied'))).toHaveLength(2);
    expect(refused.err).toContain('nothing was applied: give --force-conflicts');
    const { items: after } = await client.list(DEFINITIONS);
    const versions = (each: readonly KubeObject[]): unknown => each.map(({ metadata }) => metadata.resourceVersion);
    expect(versions(after)).toEqual(versions(before));
    const forced = await mirror([...folderOf, '--force-conflicts']);
    expect([forced.code, forced.out.trimEnd().split('\n').length]).toEqual([0, 8]);
  });
});
