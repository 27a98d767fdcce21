import { structuralSchema } from '@capstan/api/model';
import type { Kind } from '@capstan/api/model';
import type { ResourceKind } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import type { CloudPlatform } from '../cloud/instance.js';
import { kindOf } from './objects.js';
import { PLATFORMS } from './platforms.table.js';

type Published = Exclude<CloudPlatform, 'harbour'>;

const published: Readonly<Record<Published, () => Promise<{ readonly kinds: readonly Kind[] }>>> = {
  agent: () => import('@capstan/api/infrastructure/agent'),
  aws: () => import('@capstan/api/infrastructure/aws'),
  azure: () => import('@capstan/api/infrastructure/azure'),
  gcp: () => import('@capstan/api/infrastructure/gcp'),
  kubevirt: () => import('@capstan/api/infrastructure/kubevirt'),
  metal3: () => import('@capstan/api/infrastructure/metal3'),
  nutanix: () => import('@capstan/api/infrastructure/nutanix'),
  openstack: () => import('@capstan/api/infrastructure/openstack'),
  powervs: () => import('@capstan/api/infrastructure/powervs'),
  vsphere: () => import('@capstan/api/infrastructure/vsphere'),
};

function fieldsOf(kinds: readonly Kind[], { kind, version }: ResourceKind, part: 'spec' | 'status'): string[] {
  const found = kinds.find((each) => each.kind === kind);
  if (found === undefined) return [`${kind} is not published`];
  const { properties } = structuralSchema(found, version);
  return Object.keys(properties?.[part]?.properties ?? {});
}

/** What the schema does not know is cut off without a word: a provider would write it again for ever. */
describe.each(Object.keys(published) as Published[])('the kinds of %s as they are published', (platform) => {
  const row = PLATFORMS[platform];

  it('have every field that is written', async () => {
    const { kinds } = await published[platform]();
    const [machine, cluster] = [kindOf(row, 'Machine'), kindOf(row, 'Cluster')];
    const conditions = row.hasConditions === false ? [] : ['conditions'];
    const { instanceId, state } = row;
    const status = [...conditions, 'ready', 'addresses', ...(state === undefined ? [] : [state.field])];
    if (instanceId?.in === 'status') status.push(instanceId.field);
    expect(fieldsOf(kinds, machine, 'status')).toEqual(expect.arrayContaining(status));
    expect(fieldsOf(kinds, machine, 'spec')).toEqual(
      expect.arrayContaining(['providerID', ...(instanceId?.in === 'spec' ? [instanceId.field] : [])]),
    );
    expect(fieldsOf(kinds, cluster, 'status')).toEqual(expect.arrayContaining([...conditions, 'ready']));
  });

  it('are served in the version that is spoken', async () => {
    const { kinds } = await published[platform]();
    for (const what of ['Cluster', 'Machine', 'MachineTemplate'] as const) {
      const { kind } = kindOf(row, what);
      const found = kinds.find((each) => each.kind === kind);
      const served = (found?.versions ?? []).filter((version) => version.served !== false).map(({ name }) => name);
      expect(served.map((version) => `${kind} ${version}`)).toContain(`${kind} ${row.version}`);
    }
  });
});
