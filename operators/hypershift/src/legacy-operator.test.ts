import { KEEP_UNTIL_ANNOTATION } from '@capstan/hosting';
import { Client, silentLogger } from '@capstan/kube';
import { scriptedFailure, scriptedJson, ManualClock, ScriptedTransport } from '@capstan/kube/testing';
import { describe, expect, it } from 'vitest';
import { deleteUnneeded } from './legacy-operator.js';
import { Turns } from './turns/turns.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const MIGRATED = { 'hypershift.openshift.io/private-capi-types': 'true' };
const DEPLOYMENT = '/apis/apps/v1/namespaces/hypershift/deployments/operator-legacy';

const WEBHOOK =
  '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/legacy-nodepools.hypershift.openshift.io';

interface Found {
  /** Annotations; `null`: there is none. */
  readonly deployment?: Readonly<Record<string, string>> | null;
  readonly cluster?: Readonly<Record<string, string>>;
  /** Whether the Deployment is written between two requests. */
  readonly changes?: boolean;
}

/** One look at the Deployment: what is sent to delete it, and when it looks again. */
async function look({ changes = false, cluster, deployment = {} }: Found) {
  const deletions: unknown[] = [];
  const deleted: string[] = [];
  const transport = new ScriptedTransport(({ body, method }, { pathname }) => {
    if (method === 'DELETE') {
      deleted.push(pathname);
      deletions.push(body?.type === 'value' ? body.value : undefined);
      return changes
        ? scriptedFailure(409, 'Conflict')
        : scriptedJson({ kind: 'Status', apiVersion: 'v1', status: 'Success' });
    }
    if (pathname === WEBHOOK)
      return scriptedJson({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'legacy-nodepools.hypershift.openshift.io', uid: 'w', resourceVersion: '8' },
      });
    if (pathname === DEPLOYMENT && deployment === null) return scriptedFailure(404, 'NotFound');
    if (pathname === DEPLOYMENT)
      return scriptedJson({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: {
          name: 'operator-legacy',
          namespace: 'hypershift',
          uid: 'u',
          resourceVersion: '7',
          annotations: deployment,
        },
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
  return { deleted, preconditions: deletions, requeueAfterMs };
}

describe('The Deployment of the legacy operator', () => {
  it.each<[string, Found, boolean]>([
    ['is deleted when there is no HostedCluster', {}, true],
    ['is deleted when every HostedCluster is migrated', { cluster: MIGRATED }, true],
    [
      'stays while a HostedCluster is on standard types',
      { cluster: { 'hypershift.openshift.io/scope': 'legacy' } },
      false,
    ],
    [
      'stays while a rollback is under way',
      { cluster: { ...MIGRATED, 'hypershift.openshift.io/migration-in-progress': 'true' } },
      false,
    ],
    [
      'stays while a rollback is about to begin',
      { cluster: MIGRATED, deployment: { [KEEP_UNTIL_ANNOTATION]: '2026-01-01T00:20:00Z' } },
      false,
    ],
    [
      'is deleted when a rollback that was about to begin never did',
      { cluster: MIGRATED, deployment: { [KEEP_UNTIL_ANNOTATION]: '2025-12-31T23:59:00Z' } },
      true,
    ],
    [
      'is deleted when the time until which it is kept cannot be read',
      { cluster: MIGRATED, deployment: { [KEEP_UNTIL_ANNOTATION]: 'tomorrow' } },
      true,
    ],
  ])('%s', async (_, found, isDeleted) => {
    const expected = isDeleted ? [DEPLOYMENT, WEBHOOK] : [];
    expect(await look(found)).toMatchObject({ deleted: expected, requeueAfterMs: 60_000 });
  });

  it('is deleted only as it was read: a rollback may have marked it since', async () => {
    const { deleted, preconditions, requeueAfterMs } = await look({ cluster: MIGRATED, changes: true });
    expect(deleted).toEqual([DEPLOYMENT]);
    expect(preconditions).toMatchObject([{ preconditions: { uid: 'u', resourceVersion: '7' } }]);
    expect(requeueAfterMs).toBe(1_000);
  });

  it('leaves no webhook behind that nobody answers, however it was deleted', async () => {
    const { deleted, preconditions } = await look({ deployment: null });
    expect(deleted).toEqual([WEBHOOK]);
    expect(preconditions).toMatchObject([{ preconditions: { uid: 'w', resourceVersion: '8' } }]);
  });
});
