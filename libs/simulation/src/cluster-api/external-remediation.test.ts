import type { KubeObject } from '@capstan/meta';
import { DEFINITIONS, NODES } from '@capstan/upstream/cluster-api';
import { afterEach, describe, expect, it } from 'vitest';
import { healthCheck, NAMESPACE } from './testing/objects.js';
import { AT_HOME, begin, create, guestClient, list, ready, standaloneSet } from './testing/play.js';
import { Fixture } from './testing/fixture.js';

let fixture: Fixture | undefined;

afterEach(() => {
  fixture?.stop();
  fixture = undefined;
});

describe('a health check that leaves the work to others', { timeout: 240_000 }, () => {
  const TEST_GROUP = 'infrastructure.cluster.x-k8s.io';
  const REQUESTS = { group: TEST_GROUP, version: 'v1beta2', plural: 'testremediations', namespaced: true };

  it('asks by an object made from its template, and takes that back when all is well', async () => {
    const here = (fixture = new Fixture());
    await begin(here, [standaloneSet(1)]);
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    for (const kind of ['TestRemediation', 'TestRemediationTemplate']) {
      const plural = `${kind.toLowerCase()}s`;
      const version = {
        name: 'v1beta2',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: open } } },
      };
      const spec = {
        group: TEST_GROUP,
        names: { kind, plural, singular: kind.toLowerCase() },
        scope: 'Namespaced',
        versions: [version],
      };
      const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
      const metadata = { name: `${plural}.${TEST_GROUP}` };
      await here.act(here.client.create(DEFINITIONS, { ...definition, metadata, spec } as KubeObject));
    }
    const template = { apiVersion: `${TEST_GROUP}/v1beta2`, kind: 'TestRemediationTemplate' };
    const body = { metadata: { name: 't', namespace: NAMESPACE }, spec: { template: { spec: { how: 'softly' } } } };
    await here.act(create(here.client, { ...template, ...body } as KubeObject));
    const check = healthCheck('infra', 'infra', 60);
    const remediation = { templateRef: { ...template, name: 't' } };
    await here.act(create(here.client, { ...check, spec: { ...(check['spec'] as object), remediation } }));
    const [machine] = await ready(here, 1);
    const name = machine?.metadata.name ?? '';
    const sicken = (status: string): Promise<unknown> => {
      const conditions = [
        { type: 'Ready', status, reason: 'Test', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
      ];
      const ofStatus = { subresource: 'status' } as const;
      const node = machine?.status?.nodeRef?.name ?? '';
      return here.act(
        guestClient(here).patch(NODES, node, { type: 'strategic', value: { status: { conditions } } }, ofStatus),
      );
    };
    const requests = async (): Promise<readonly KubeObject[]> => (await here.client.list(REQUESTS, AT_HOME)).items;

    await sicken('False');
    await here.until('it is asked for', async () => (await requests()).length === 1);
    const [request] = await here.act(requests());
    expect(request).toMatchObject({
      metadata: { name, ownerReferences: [{ kind: 'Machine', name }] },
      spec: { how: 'softly' },
    });
    expect(await here.act(list(here, 'Machine'))).toHaveLength(1);
    await sicken('True');
    await here.until('it is taken back', async () => (await requests()).length === 0);
    expect((await ready(here, 1)).map(({ metadata }) => metadata.name)).toEqual([name]);
  });
});
