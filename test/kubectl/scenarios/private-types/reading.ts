import { expect } from 'vitest';
import { DEFINITIONS, PRIVATE, STANDARD } from '../../../proxy/both-groups.js';
import { EVENTS } from '../../objects.js';
import type { Scenario } from '../../scenario.js';
import type { Session } from '../../session.js';
import { withPlatform, deployment, machine, stored, STORED } from './objects.js';

const HEADS = 'NAME  CLUSTER  NODE NAME  FAILURE DOMAIN  READY  AVAILABLE  UP-TO-DATE  PHASE  AGE  VERSION\n';

function create(k: Session, ...names: readonly string[]): Promise<unknown> {
  return Promise.all(names.map((name) => k.create(STORED.machines, machine(name, 'hosted', PRIVATE))));
}

async function tables(k: Session): Promise<void> {
  await create(k, 'one', 'two');
  const rows = `${HEADS}one  hosted  <age>\ntwo  hosted  <age>\n`;
  for (const name of ['machines', 'machine', `machines.${STANDARD}`, `machines.v1beta2.${STANDARD}`])
    await k.prints(`get ${name}`, rows);
  await k.prints('get machines two', `${HEADS}two  hosted  <age>\n`);
  // Short names and categories stay with the platform's kinds, so that they never mean two groups.
  for (const name of ['ma', 'cluster-api'])
    await k.fails(`get ${name}`, `error: the server doesn't have a resource type "${name}"\n`);
  await k.prints('get machines --sort-by=.metadata.name --no-headers', 'one  hosted  <age>\ntwo  hosted  <age>\n');
  const old = await k.run(`get machines.v1beta1.${STANDARD} one -o name`);
  expect(old).toEqual({
    code: 0,
    stdout: 'machine.cluster.x-k8s.io/one\n',
    stderr: 'Warning: cluster.x-k8s.io/v1beta1 Machine is deprecated; use cluster.x-k8s.io/v1beta2 Machine\n',
  });
  await k.fails(`get machines.${PRIVATE}`, `error: the server doesn't have a resource type "machines"\n`);
  await k.fails('get machines three', 'Error from server (NotFound): machines.cluster.x-k8s.io "three" not found\n');
}

async function wholeObjects(k: Session): Promise<void> {
  await create(k, 'one');
  const { uid } = (await stored(k, 'machines', 'one')).metadata;
  const yaml = await k.output('get machines one -o yaml --show-managed-fields');
  expect(yaml).toContain(`uid: ${uid}\n`);
  expect(yaml).toMatch(/^apiVersion: cluster\.x-k8s\.io\/v1beta2\n/);
  expect(yaml).toContain('  managedFields:\n  - apiVersion: cluster.x-k8s.io/v1beta2\n');
  expect(yaml).toContain('    apiGroup: infrastructure.cluster.x-k8s.io\n');
  const list = await k.output('get machines -o json');
  for (const text of [yaml, list]) expect(text).not.toContain('hypershift');
  await k.fails(
    ['get', '--raw', `/apis/${PRIVATE}/v1beta2/namespaces/${k.namespace}/machines/one`],
    'Error from server (NotFound): the server could not find the requested resource\n',
  );
}

async function watched(k: Session): Promise<void> {
  await create(k, 'one');
  const watch = k.start('get machines -w --no-headers --output-watch-events');
  expect(await watch.lines(1)).toEqual(['ADDED  one  hosted  <age>']);
  await create(k, 'two');
  expect((await watch.lines(2)).slice(1)).toEqual(['ADDED  two  hosted  <age>']);
  await k.client.delete(STORED.machines, 'two', { namespace: k.namespace });
  expect((await watch.lines(3)).slice(2)).toEqual(['DELETED  two  hosted  <age>']);
  expect((await watch.stop()).stderr).toBe('');
}

async function described(k: Session): Promise<void> {
  await create(k, 'one');
  const { metadata, apiVersion, kind } = await stored(k, 'machines', 'one');
  const { name = '', namespace = '', uid = '' } = metadata;
  await k.create(EVENTS, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'seen', namespace },
    involvedObject: { apiVersion, kind, name, namespace, uid },
    reason: 'Started',
    message: 'the host is up',
    type: 'Normal',
    source: { component: 'tester' },
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:00Z',
    count: 1,
  });
  const text = await k.output('describe machines one');
  expect(text).toMatch(/^API Version: +cluster\.x-k8s\.io\/v1beta2$/m);
  expect(text).toMatch(/Normal +Started +\S+ +tester +the host is up/);
  expect(text).not.toContain('hypershift');
  await k.prints(
    ['get', 'events', '--field-selector', `involvedObject.apiVersion=${STANDARD}/v1beta2`, '-o', 'name'],
    'event/seen\n',
  );
  await k.prints(['get', 'event', 'seen', '-o', 'jsonpath={.involvedObject.apiVersion}'], `${STANDARD}/v1beta2`);
  expect(await k.output('events --for machine/one --no-headers')).toMatch(/Started +Machine\/one +the host is up\n$/);
}

async function definitions(k: Session): Promise<void> {
  const names = (await k.output('get crd -o name')).split('\n').filter((name) => name.includes('cluster'));
  const crd = 'customresourcedefinition.apiextensions.k8s.io';
  expect(names).toEqual(['clusters', 'machinedeployments', 'machines'].map((plural) => `${crd}/${plural}.${STANDARD}`));
  const { metadata } = await k.client.get(DEFINITIONS, `machines.${PRIVATE}`);
  await k.prints(
    ['get', 'crd', `machines.${STANDARD}`, '-o', 'jsonpath={.metadata.uid} {.spec.group} {.spec.names.kind}'],
    `<uid> ${STANDARD} Machine`,
  );
  expect(await k.output(['get', 'crd', `machines.${STANDARD}`, '-o', 'jsonpath={.metadata.uid}'])).toBe(metadata.uid);
  await k.prints(
    `wait crd/machines.${STANDARD} --for=condition=Established --timeout=20s`,
    `${crd}/machines.${STANDARD} condition met\n`,
  );
  const hidden = `customresourcedefinitions.apiextensions.k8s.io "machines.${PRIVATE}"`;
  await k.fails(`get crd machines.${PRIVATE}`, `Error from server (NotFound): ${hidden} not found\n`);
  // What has no namespace is deleted with a warning.
  const refused = await k.run(`delete crd machines.${PRIVATE}`);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`(NotFound): ${hidden} not found\n`) });
}

async function discovered(k: Session): Promise<void> {
  await k.prints(
    `api-resources --api-group=${STANDARD} --no-headers`,
    ['clusters', 'machinedeployments', 'machines']
      .map(
        (names, index) =>
          `${names}  ${STANDARD}/v1beta2  true  ${['Cluster', 'MachineDeployment', 'Machine'][index]}\n`,
      )
      .join(''),
  );
  const versions = (await k.output('api-versions')).split('\n').filter((line) => line.includes('cluster.'));
  expect(versions).toEqual([`${STANDARD}/v1beta1`, `${STANDARD}/v1beta2`]);
  const explained = await k.output('explain machines.spec.clusterName');
  expect(explained).toMatch(/^GROUP: +cluster\.x-k8s\.io\nKIND: +Machine\nVERSION: +v1beta2\n/);
  const old = await k.output(`explain machinedeployments.spec.replicas --api-version=${STANDARD}/v1beta1`);
  expect(old).toMatch(/^GROUP: +cluster\.x-k8s\.io\nKIND: +MachineDeployment\nVERSION: +v1beta1\n/);
  for (const path of ['/apis', '/openapi/v3', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions']) {
    const text = await k.output(['get', '--raw', path]);
    expect(text).toContain(STANDARD);
    expect(text).not.toContain(PRIVATE);
  }
}

async function waited(k: Session): Promise<void> {
  await create(k, 'one');
  await k.create(STORED.machinedeployments, deployment('web', 1, 'hosted', PRIVATE));
  const status = { phase: 'Running', conditions: [condition('Ready')] };
  const waiting = k.start('wait machines/one --for=condition=Ready --timeout=60s');
  const options = { namespace: k.namespace, subresource: 'status' };
  await k.client.patch(STORED.machines, 'one', { type: 'merge', value: { status } }, options);
  const met = { code: 0, stdout: 'machine.cluster.x-k8s.io/one condition met\n', stderr: '' };
  expect(await waiting.ended()).toEqual(met);
  await k.prints(['wait', 'machines/one', '--for=jsonpath={.status.phase}=Running', '--timeout=60s'], met.stdout);
  const going = k.start('wait machinedeployments/web --for=delete --timeout=60s');
  await k.client.delete(STORED.machinedeployments, 'web', { namespace: k.namespace });
  expect(await going.ended()).toMatchObject({ code: 0, stderr: '' });
}

function condition(type: string): object {
  return { type, status: 'True', reason: 'Tested', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
}

/** What is seen of private kinds through a proxy. */
export const privateReadingScenarios: readonly Scenario[] = [
  { name: 'private kinds are listed by every standard name, as tables', smoke: true, run: withPlatform(tables) },
  { name: 'objects name standard groups in every field', run: withPlatform(wholeObjects) },
  { name: 'a watch shows what happens to private objects alone', run: withPlatform(watched) },
  { name: 'describe shows a private object and its events', run: withPlatform(described) },
  { name: 'CRDs are the private ones under standard names', run: withPlatform(definitions) },
  { name: 'there is one standard group, to be discovered and explained', smoke: true, run: withPlatform(discovered) },
  { name: 'wait sees conditions and deletions', run: withPlatform(waited) },
];
