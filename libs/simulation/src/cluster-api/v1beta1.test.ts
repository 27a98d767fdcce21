import { clusterApiConverter } from '@capstan/convert/cluster-api';
import type { KubeObject } from '@capstan/meta';
import { isLiving } from '@capstan/upstream';
import { coreResource } from '@capstan/upstream/cluster-api';
import { afterEach, expect, it } from 'vitest';
import {
  CLUSTER,
  clusterObjects,
  configTemplate,
  machineDeployment,
  machineTemplate,
  NAMESPACE,
} from './testing/objects.js';
import { Fixture } from './testing/fixture.js';

interface OldScaled extends KubeObject {
  readonly status?: { readonly availableReplicas?: number; readonly phase?: string };
}

let fixture: Fixture | undefined;

afterEach(() => {
  fixture?.stop();
  fixture = undefined;
});

/** An object as the older version has it. */
function older(object: KubeObject): KubeObject {
  const converter = clusterApiConverter({ apiVersionOf: (group) => `${group}/v1beta2` });
  const spoke = converter.find(({ kind }) => kind === object.kind)?.spokes['v1beta1'];
  return object.apiVersion.startsWith('cluster.x-k8s.io/') && spoke !== undefined ? spoke.fromHub(object) : object;
}

it('machines come and go on a server that serves v1beta1 alone', { timeout: 240_000 }, async () => {
  const here = (fixture = new Fixture({ coreVersion: 'v1beta1' }));
  await here.start();
  const objects = [
    ...clusterObjects(),
    machineTemplate('small'),
    configTemplate('workers'),
    machineDeployment('workers', 2, 'small'),
  ];
  for (const object of objects.map(older)) {
    const [group = '', version = ''] = object.apiVersion.split('/');
    const ref = { group, version, plural: `${object.kind.toLowerCase()}s`, namespaced: true };
    await here.act(here.client.create(ref, object));
  }
  const list = async (kind: 'MachineDeployment' | 'Machine' | 'Cluster'): Promise<readonly OldScaled[]> =>
    (await here.client.list<OldScaled>(coreResource(kind, 'v1beta1'), { namespace: NAMESPACE })).items;
  await here.until('two machines are available', async () => {
    const [deployment] = await list('MachineDeployment');
    return deployment?.status?.availableReplicas === 2;
  });
  const machines = await here.act(list('Machine'));
  expect(machines.map(({ status }) => status?.phase)).toEqual(['Running', 'Running']);
  for (const { metadata } of machines) {
    expect(metadata.ownerReferences).toMatchObject([{ apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'MachineSet' }]);
    expect(metadata.annotations).toEqual({ kept: 'yes' });
  }
  await here.act(here.client.delete(coreResource('Cluster', 'v1beta1'), CLUSTER, { namespace: NAMESPACE }));
  await here.until('all is gone', async () => (await list('Cluster')).length === 0);
  expect(here.cloud.instances.filter(isLiving)).toEqual([]);
  expect(here.failures).toEqual([]);
});
