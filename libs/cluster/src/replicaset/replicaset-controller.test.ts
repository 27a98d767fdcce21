import { expect, it } from 'vitest';
import { Client, systemRandom } from '@capstan/kube';
import { ManualClock, scriptedJson, ScriptedTransport } from '@capstan/kube/testing';
import type { Logger } from '@capstan/kube';
import { apiErrors } from '@capstan/meta';
import type { ApiError, ApiRequest, ApiResponse } from '@capstan/meta';
import { ReplicaSetController } from './replicaset-controller.js';

const PODS = { group: '', resource: 'pods' };
const labels = { app: 'a' };
const set = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '1', generation: 1 },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [] } },
  },
};

/** A set whose only pod is refused for ten seconds: how often it was asked for, and what the controller warned of. */
async function refused({ status }: ApiError): Promise<{ asked: number; warnings: string[] }> {
  const clock = new ManualClock();
  let asked = 0;
  const warnings: string[] = [];
  const logger = { debug: () => {}, info: () => {}, error: () => {}, warn: (text: string) => warnings.push(text) };
  const answer = ({ method }: ApiRequest, { pathname, searchParams }: URL): ApiResponse | undefined => {
    if (searchParams.has('watch')) return undefined;
    if (method === 'POST' && pathname.endsWith('/pods')) {
      asked += 1;
      return scriptedJson(status, status.code);
    }
    if (method !== 'GET') return scriptedJson(set);
    return scriptedJson({ metadata: { resourceVersion: '1' }, items: pathname.endsWith('/replicasets') ? [set] : [] });
  };
  const client = new Client(new ScriptedTransport(answer), { clock });
  const options = { client, clock, random: systemRandom(1), logger: logger as unknown as Logger };
  const stop = new AbortController();
  const starting = new ReplicaSetController(options).start(stop.signal);
  await clock.advance(0);
  await starting;
  await clock.advance(10_000);
  stop.abort();
  return { asked, warnings };
}

it('asks once for pods in a namespace that goes, and warns of nothing', async () => {
  expect(await refused(apiErrors.namespaceTerminating(PODS, 'a-x', 'n'))).toEqual({ asked: 1, warnings: [] });
});

it('asks again for pods that are refused for another reason, and warns of it', async () => {
  const { asked, warnings } = await refused(apiErrors.forbidden(PODS, 'a-x', 'no'));
  expect(asked).toBeGreaterThan(3);
  expect(warnings).toHaveLength(asked);
});
