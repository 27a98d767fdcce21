import type { KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { ApiServer } from '../server.js';
import { ManualClock, countingRandom } from '../testing/fixture.js';

const PODS = '/apis/metrics.k8s.io/v1beta1';

function metrics(namespace: string, name: string): KubeObject {
  const metadata = { name, namespace, labels: { app: name } };
  return { apiVersion: 'metrics.k8s.io/v1beta1', kind: 'PodMetrics', metadata };
}

const OBJECTS = [metrics('a', 'x'), metrics('a', 'y'), metrics('b', 'x')];

function started(): ApiServer {
  const definition = {
    group: 'metrics.k8s.io',
    version: 'v1beta1',
    kind: 'PodMetrics',
    plural: 'pods',
    singular: '',
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: ['get', 'list'],
    subresources: [],
  };
  const list = (namespace: string): KubeObject[] =>
    OBJECTS.filter(({ metadata }) => namespace === '' || metadata.namespace === namespace);
  return new ApiServer({ clock: new ManualClock(), random: countingRandom(), computed: [{ definition, list }] });
}

async function ask(target: string, method = 'GET', user?: string): Promise<{ status: number; names: unknown }> {
  const { body, status } = await started().send({
    method,
    target,
    headers: {},
    ...(user === undefined ? {} : { user: { username: user, groups: ['system:authenticated'] } }),
  });
  const value = (body.type === 'payload' ? body.value() : {}) as KubeObject & {
    readonly items?: readonly KubeObject[];
  };
  const { items, metadata } = value;
  return { status, names: items === undefined ? metadata?.name : items.map((each) => each.metadata.name) };
}

it.each<[string, number, unknown]>([
  [`${PODS}/pods`, 200, ['x', 'y', 'x']],
  [`${PODS}/namespaces/a/pods`, 200, ['x', 'y']],
  [`${PODS}/pods?labelSelector=app%3Dx`, 200, ['x', 'x']],
  [`${PODS}/namespaces/a/pods?fieldSelector=metadata.name%3Dy`, 200, ['y']],
  [`${PODS}/namespaces/b/pods/x`, 200, 'x'],
  [`${PODS}/namespaces/b/pods/y`, 404, undefined],
  [`${PODS}/pods?labelSelector=%2C%2C`, 400, undefined],
  [`${PODS}/pods?watch=true`, 405, undefined],
  [`${PODS}/nodes`, 404, undefined],
])('GET %s is answered with %i', async (target, status, names) => {
  expect(await ask(target)).toEqual({ status, names });
});

it('is for readers alone, and for those who may', async () => {
  expect((await ask(`${PODS}/namespaces/a/pods/x`, 'DELETE')).status).toBe(405);
  expect((await ask(`${PODS}/pods`, 'GET', 'jane')).status).toBe(403);
});

it('is shown by discovery, and still is when custom resources change', async () => {
  const server = started();
  const groups = async (): Promise<string[]> => {
    const { body } = await server.send({ method: 'GET', target: '/apis', headers: {} });
    const { groups: found } = (body.type === 'payload' ? body.value() : {}) as { groups: { name: string }[] };
    return found.map(({ name }) => name);
  };
  expect(await groups()).toContain('metrics.k8s.io');
  const names = { plural: 'gizmos', kind: 'Gizmo' };
  const schema = { openAPIV3Schema: { type: 'object' } };
  const value = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gizmos.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names,
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
  const target = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await server.send({ method: 'POST', target, headers: {}, body: { type: 'value', value } });
  expect(await groups()).toEqual(expect.arrayContaining(['example.com', 'metrics.k8s.io']));
});
