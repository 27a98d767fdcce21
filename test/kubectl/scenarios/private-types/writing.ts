import { expect } from 'vitest';
import { PRIVATE, STANDARD } from '../../../proxy/both-groups.js';
import { deleted } from '../../objects.js';
import type { Scenario } from '../../scenario.js';
import type { Session } from '../../session.js';
import { withPlatform, deployment, machine, stored, STORED } from './objects.js';

const ONE = 'machine.cluster.x-k8s.io/one';
const FIELD = ['get', 'machines', 'one', '-o', 'jsonpath={.spec.clusterName}/{.spec.version}'];

/** With comments, text that only looks like a field, and keys that only look like groups. */
const MANIFEST = `# cluster.x-k8s.io/v1beta2
apiVersion: "cluster.x-k8s.io/v1beta2" # apiVersion: cluster.x-k8s.io/v1beta2
kind: Machine
metadata:
  name: one
  labels: {cluster.x-k8s.io/cluster-name: hosted}
  annotations:
    note: |
      apiVersion: cluster.x-k8s.io/v1beta2
  finalizers: [machine.cluster.x-k8s.io]
spec:
  clusterName: hosted
  bootstrap: {dataSecretName: data}
  infrastructureRef:
    apiGroup: infrastructure.cluster.x-k8s.io
    kind: TestMachine
    name: host
`;

async function created(k: Session): Promise<void> {
  expect(await k.run(`create -f ${k.file('one.yaml', MANIFEST)}`)).toEqual({
    code: 0,
    stdout: `${ONE} created\n`,
    // Servers say differently what they would prefer.
    stderr: expect.stringMatching(
      /^Warning: metadata\.finalizers: "machine\.cluster\.x-k8s\.io": prefer a domain-qualified finalizer name .*\n$/,
    ),
  });
  expect(await stored(k, 'machines', 'one')).toMatchObject({
    apiVersion: `${PRIVATE}/v1beta2`,
    metadata: {
      labels: { 'cluster.x-k8s.io/cluster-name': 'hosted' },
      annotations: { note: 'apiVersion: cluster.x-k8s.io/v1beta2\n' },
      finalizers: ['machine.cluster.x-k8s.io'],
    },
    spec: { infrastructureRef: { apiGroup: `infrastructure.${PRIVATE}` } },
  });
  const again = k.file('again.json', [machine('one')]);
  await k.fails(
    `create -f ${again}`,
    'Error from server (AlreadyExists): error when creating "again.json": machines.cluster.x-k8s.io "one" already exists\n',
  );
  await k.prints(
    ['patch', 'machines', 'one', '--type=merge', '-p', '{"metadata":{"finalizers":null}}'],
    `${ONE} patched\n`,
  );
  const broken = k.file('bad.json', [{ ...machine('bad'), spec: { ...(machine('bad')['spec'] as object), odd: 1 } }]);
  await k.fails(
    `create -f ${broken}`,
    'Error from server (BadRequest): error when creating "bad.json": Machine in version "v1beta2" cannot be handled as a Machine: strict decoding error: unknown field "spec.odd"\n',
  );
}

async function applied(k: Session): Promise<void> {
  const file = k.file('one.json', [machine('one')]);
  await k.prints(`apply -f ${file}`, `${ONE} created\n`);
  await k.prints(`apply -f ${file}`, `${ONE} unchanged\n`);
  const { spec, ...rest } = machine('one');
  k.file('one.json', [{ ...rest, spec: { ...(spec as object), version: 'v1.31.0' } }]);
  await k.prints(`apply -f ${file}`, `${ONE} configured\n`);
  await k.prints(FIELD, 'hosted/v1.31.0');
  expect(await k.output('apply view-last-applied machines one')).toMatch(/^apiVersion: cluster\.x-k8s\.io\/v1beta2\n/);
  k.file('one.json', [machine('one')]);
  await k.prints(
    `apply -f ${file} --prune -l app=web --prune-allowlist=${STANDARD}/v1beta2/Machine`,
    `${ONE} configured\n`,
  );
  await k.prints(FIELD, 'hosted/');
}

async function serverSide(k: Session): Promise<void> {
  const version = (text: string): object => ({ ...(machine('one')['spec'] as object), version: text });
  const mine = k.file('mine.json', [{ ...machine('one'), spec: version('v1.31.0') }]);
  const yours = k.file('yours.json', [{ ...machine('one'), spec: version('v1.32.0') }]);
  await k.prints(`apply --server-side --field-manager=mine -f ${mine}`, `${ONE} serverside-applied\n`);
  const conflict = await k.run(`apply --server-side --field-manager=yours -f ${yours}`);
  expect(conflict).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Apply failed with 1 conflict: conflict with "mine": .spec.version\n'),
  });
  await k.prints(
    `apply --server-side --field-manager=yours --force-conflicts -f ${yours}`,
    `${ONE} serverside-applied\n`,
  );
  await k.prints(FIELD, 'hosted/v1.32.0');
  const { managedFields = [] } = (await stored(k, 'machines', 'one')).metadata;
  expect(managedFields.map(({ apiVersion, manager }) => `${manager} ${apiVersion}`).toSorted()).toEqual([
    `mine ${PRIVATE}/v1beta2`,
    `yours ${PRIVATE}/v1beta2`,
  ]);
  await k.prints(
    ['get', 'machines', 'one', '--show-managed-fields', '-o', 'jsonpath={.metadata.managedFields[*].apiVersion}'],
    `${STANDARD}/v1beta2 ${STANDARD}/v1beta2`,
  );
}

async function edited(k: Session): Promise<void> {
  await k.create(STORED.machines, machine('one', 'hosted', PRIVATE));
  const editor = k.file(
    'editor.sh',
    '#!/bin/sh\nsed -i "s/clusterName: hosted/clusterName: edited/" "$1" && cat "$1"\n',
  );
  const outcome = await k.run('edit machines one', { env: { KUBE_EDITOR: editor } });
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(outcome.stdout).toMatch(/^apiVersion: cluster\.x-k8s\.io\/v1beta2$/m);
  expect(outcome.stdout).not.toContain('hypershift');
  expect(outcome.stdout).toMatch(/machine\.cluster\.x-k8s\.io\/one edited\n$/);
  await k.prints(FIELD, 'edited/');
}

async function patched(k: Session): Promise<void> {
  await k.create(STORED.machines, machine('one', 'hosted', PRIVATE));
  const patch = (type: string, value: unknown): string[] => [
    'patch',
    'machines',
    'one',
    `--type=${type}`,
    '-p',
    JSON.stringify(value),
  ];
  const reference = '/spec/infrastructureRef/apiGroup';
  await k.prints(
    patch('json', [
      { op: 'test', path: reference, value: `infrastructure.${STANDARD}` },
      { op: 'replace', path: reference, value: `more.infrastructure.${STANDARD}` },
    ]),
    `${ONE} patched\n`,
  );
  expect(await stored(k, 'machines', 'one')).toHaveProperty(
    'spec.infrastructureRef.apiGroup',
    `more.infrastructure.${PRIVATE}`,
  );
  const wrong = await k.run(patch('json', [{ op: 'test', path: reference, value: `infrastructure.${PRIVATE}` }]));
  expect(wrong.code).toBe(1);
  await k.prints(
    patch('merge', { spec: { version: 'v1.31.0', infrastructureRef: { apiGroup: `infrastructure.${STANDARD}` } } }),
    `${ONE} patched\n`,
  );
  expect(await stored(k, 'machines', 'one')).toHaveProperty(
    'spec.infrastructureRef.apiGroup',
    `infrastructure.${PRIVATE}`,
  );
  const types = 'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml';
  await k.fails(
    patch('strategic', { spec: { version: 'v1.32.0' } }),
    `error: application/strategic-merge-patch+json is not supported by ${STANDARD}/v1beta2, Kind=Machine: ` +
      `the body of the request was in an unknown format - accepted media types include: ${types}\n`,
  );
  await k.prints(patch('merge', { status: { phase: 'Running' } }).concat('--subresource=status'), `${ONE} patched\n`);
  await k.prints('label machines one app=db tier=back --overwrite', `${ONE} labeled\n`);
  await k.prints('annotate machines one cluster.x-k8s.io/paused=', `${ONE} annotated\n`);
  expect(await stored(k, 'machines', 'one')).toMatchObject({
    metadata: { labels: { app: 'db', tier: 'back' }, annotations: { 'cluster.x-k8s.io/paused': '' } },
    status: { phase: 'Running' },
  });
}

async function scaled(k: Session): Promise<void> {
  await k.prints(
    `create -f ${k.file('web.json', [deployment('web', 1)])}`,
    'machinedeployment.cluster.x-k8s.io/web created\n',
  );
  await k.prints(
    'scale machinedeployments web --replicas=4 --current-replicas=1',
    'machinedeployment.cluster.x-k8s.io/web scaled\n',
  );
  expect(await stored(k, 'machinedeployments', 'web')).toHaveProperty('spec.replicas', 4);
  await k.prints(
    [
      'get',
      'machinedeployments',
      'web',
      '--subresource=scale',
      '-o',
      'jsonpath={.apiVersion} {.kind} {.spec.replicas}',
    ],
    'autoscaling/v1 Scale 4',
  );
}

async function removed(k: Session): Promise<void> {
  for (const name of ['one', 'two', 'three']) await k.create(STORED.machines, machine(name, 'hosted', PRIVATE));
  await k.prints('delete machines one', deleted(k, 'machine.cluster.x-k8s.io "one"'));
  await k.prints(
    'delete machines -l app=web --wait=false',
    deleted(k, 'machine.cluster.x-k8s.io "three"', 'machine.cluster.x-k8s.io "two"'),
  );
  await k.prints(`apply -f ${k.file('one.json', [machine('one')])}`, `${ONE} created\n`);
  await k.prints('delete -f one.json', deleted(k, 'machine.cluster.x-k8s.io "one"'));
  const { items } = await k.client.list(STORED.machines, { namespace: k.namespace });
  expect(items).toEqual([]);
  await k.fails('delete machines one', 'Error from server (NotFound): machines.cluster.x-k8s.io "one" not found\n');
}

/** What is done to private kinds through a proxy. */
export const privateWritingScenarios: readonly Scenario[] = [
  { name: 'a manifest of a standard kind is stored as a private object', run: withPlatform(created) },
  { name: 'apply changes a private object by what was applied before', run: withPlatform(applied) },
  {
    name: 'apply --server-side keeps books of who wrote what of a private object',
    smoke: true,
    run: withPlatform(serverSide),
  },
  { name: 'edit shows and changes a private object', run: withPlatform(edited) },
  { name: 'label and every kind of patch reach a private object', run: withPlatform(patched) },
  { name: 'scale reaches a private object', run: withPlatform(scaled) },
  { name: 'delete removes private objects alone', run: withPlatform(removed) },
];
