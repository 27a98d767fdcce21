import type { HostedCluster } from '@capstan/api/hypershift';
import { controlPlaneNamespace, HOSTED_CLUSTERS } from '@capstan/hosting';
import { getCondition } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import { testPlatform } from '@capstan/provider/testing';
import { HOME } from '@capstan/tools/hosting';
import { describe, expect, it } from 'vitest';
import { settledCluster } from './settled.js';
import type { HostedSimulation } from './settled.js';

const PLATFORM = testPlatform();
const NAME = 'red';
const STUCK = 'cluster-policy-controller';
/** Longer than the deadline by which a Deployment has to progress. */
const WHILE_MS = 1_800_000;

const NAMESPACE = controlPlaneNamespace(HOME, NAME);
const REFUSAL = `pods "${STUCK}-7c9f8-" is forbidden: ValidatingAdmissionPolicy 'no-pods' with binding 'no-pods' denied request: not these`;

async function cluster({ client }: HostedSimulation): Promise<HostedCluster> {
  return client.get<HostedCluster>(HOSTED_CLUSTERS, NAME, { namespace: HOME });
}

function texts({ status }: HostedCluster, ...types: string[]): string[] {
  return types.map((type) => {
    const found = getCondition(status?.conditions as readonly Condition[] | undefined, type);
    return `${type} ${found?.status ?? ''} ${found?.reason ?? ''}`;
  });
}

function states({ status }: HostedCluster): Readonly<Record<string, readonly string[]>> {
  const of = (history: readonly { state: string; version?: string }[] = []): string[] =>
    history.map(({ state, version = '' }) => `${version} ${state}`);
  return { cluster: of(status?.version?.history), controlPlane: of(status?.controlPlaneVersion?.history) };
}

async function change(hosted: HostedSimulation, spec: object): Promise<void> {
  await hosted.client.patch(HOSTED_CLUSTERS, NAME, { type: 'merge', value: { spec } }, { namespace: HOME });
  await hosted.simulation.runUntil(hosted.elapsed + WHILE_MS);
}

describe('a release of a hosted cluster', { timeout: 300_000 }, () => {
  it('is not completed while one component cannot roll out', async () => {
    const hosted = await settledCluster(PLATFORM, NAME);
    const [first = '', second = ''] = hosted.images;
    expect(texts(await cluster(hosted), 'Progressing', 'Degraded')).toEqual([
      'Progressing False AsExpected',
      'Degraded False AsExpected',
    ]);
    hosted.refusals.set(`${NAMESPACE}/${STUCK}`, REFUSAL);
    await change(hosted, { release: { image: second } });
    const stuck = await cluster(hosted);
    expect(states(stuck)).toEqual({
      cluster: ['4.22.1 Partial', '4.22.0 Completed'],
      controlPlane: ['4.22.1 Partial', '4.22.0 Completed'],
    });
    expect(texts(stuck, 'Progressing', 'Degraded')).toEqual([
      'Progressing True Progressing',
      'Degraded True RolloutStuck',
    ]);
    const degraded = getCondition(stuck.status?.conditions as readonly Condition[], 'Degraded')?.message ?? '';
    expect(degraded).toContain(`${STUCK}: `);
    expect(degraded).toContain(`pods "${STUCK}-7c9f8-" is forbidden`);
    expect(degraded.length).toBeLessThanOrEqual(200);
    await change(hosted, { release: { image: first } });
    // Its old pods run all the while, and are what is wanted again. What was not completed stays so.
    expect(states(await cluster(hosted))['cluster']).toEqual([
      '4.22.0 Completed',
      '4.22.1 Partial',
      '4.22.0 Completed',
    ]);
    await change(hosted, { release: { image: second } });
    expect(states(await cluster(hosted))['cluster']?.[0]).toBe('4.22.1 Partial');
    hosted.refusals.clear();
    await hosted.simulation.runUntil(hosted.elapsed + WHILE_MS);
    const done = await cluster(hosted);
    expect(states(done)['cluster']?.[0]).toBe('4.22.1 Completed');
    expect(texts(done, 'Progressing', 'Degraded')).toEqual([
      'Progressing False AsExpected',
      'Degraded False AsExpected',
    ]);
    hosted.simulation.end();
  });

  it('completes for the control plane alone as well', async () => {
    const hosted = await settledCluster(PLATFORM, NAME);
    const [, second = ''] = hosted.images;
    await change(hosted, { controlPlaneRelease: { image: second } });
    const done = await cluster(hosted);
    expect(states(done)).toEqual({
      cluster: ['4.22.0 Completed'],
      controlPlane: ['4.22.1 Completed', '4.22.0 Completed'],
    });
    expect(texts(done, 'Progressing', 'Degraded')).toEqual([
      'Progressing False AsExpected',
      'Degraded False AsExpected',
    ]);
    hosted.simulation.end();
  });
});
