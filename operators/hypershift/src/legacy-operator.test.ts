import { KEEP_UNTIL_ANNOTATION } from '@capstan/hosting';
import { Client, silentLogger } from '@capstan/kube';
import { scriptedFailure, scriptedJson, ManualClock, ScriptedTransport } from '@capstan/kube/testing';
import { describe, expect, it } from 'vitest';
import { deleteUnneeded } from './legacy-operator.js';
import { Turns } from './turns/turns.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const MIGRATED = { 'hypershift.openshift.io/private-capi-types': 'true' };
const DEPLOYMENT = '/apis/apps/v1/namespaces/hypershift/deployments/operator-legacy';

interface Found {
  readonly deployment?: Readonly<Record<string, string>>;
  readonly cluster?: Readonly<Record<string, string>>;
  /** Whether the Deployment is written between two requests. */
  readonly changes?: boolean;
}

/** One look at the Deployment: what is sent to delete it, and when it looks again. */
async function look({ changes = false, cluster, deployment = {} }: Found) {
  const deletions: unknown[] = [];
  const transport = new ScriptedTransport(({ body, method }, { pathname }) => {
    if (method === 'DELETE') {
      deletions.push(body?.type === 'value' ? body.value : undefined);
      return changes
        ? scriptedFailure(409, 'Conflict')
        : scriptedJson({ kind: 'Status', apiVersion: 'v1', status: 'Success' });
    }
    if (pathname === DEPLOYMENT)
      return scriptedJson({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'operator-legacy', uid: 'u', resourceVersion: '7', annotations: deployment },
      });
    const metadata = { name: 'a', namespace: 'clusters', annotations: cluster };
    const items = cluster === undefined ? [] : [{ metadata }];
    return scriptedJson({ apiVersion: 'v1', kind: 'List', metadata: {}, items });
  });
  const client = new Client(transport);
  const clock = new ManualClock(NOW);
  const turns = Turns.alone(client);
  const options = { client, clock, logger: silentLogger(), namespace: 'hypershift', turns };
  const { requeueAfterMs } = await deleteUnneeded(options, new AbortController().signal);
  return { deletions: deletions.length, preconditions: deletions[0], requeueAfterMs };
}

describe('The Deployment of the legacy operator', () => {
  it.each<[string, Found, number]>([
    ['is deleted when there is no HostedCluster', {}, 1],
    ['is deleted when every HostedCluster is migrated', { cluster: MIGRATED }, 1],
    ['stays while a HostedCluster is on standard types', { cluster: { 'hypershift.openshift.io/scope': 'legacy' } }, 0],
    [
      'stays while a rollback is under way',
      { cluster: { ...MIGRATED, 'hypershift.openshift.io/migration-in-progress': 'true' } },
      0,
    ],
    [
      'stays while a rollback is about to begin',
      { cluster: MIGRATED, deployment: { [KEEP_UNTIL_ANNOTATION]: '2026-01-01T00:20:00Z' } },
      0,
    ],
    [
      'is deleted when a rollback that was about to begin never did',
      { cluster: MIGRATED, deployment: { [KEEP_UNTIL_ANNOTATION]: '2025-12-31T23:59:00Z' } },
      1,
    ],
    [
      'is deleted when the time until which it is kept cannot be read',
      { cluster: MIGRATED, deployment: { [KEEP_UNTIL_ANNOTATION]: 'tomorrow' } },
      1,
    ],
  ])('%s', async (_, found, deletions) => {
    expect(await look(found)).toMatchObject({ deletions, requeueAfterMs: 60_000 });
  });

  it('is deleted only as it was read: a rollback may have marked it since', async () => {
    const { preconditions, requeueAfterMs } = await look({ cluster: MIGRATED, changes: true });
    expect(preconditions).toMatchObject({ preconditions: { uid: 'u', resourceVersion: '7' } });
    expect(requeueAfterMs).toBe(1_000);
  });
});
