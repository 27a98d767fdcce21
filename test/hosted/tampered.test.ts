import { controlPlaneNamespace } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import { testPlatform } from '@capstan/provider/testing';
import type { SendEvent } from '@capstan/simulation';
import { HOME } from '@capstan/tools/hosting';
import { expect, it } from 'vitest';
import { settledCluster } from './settled.js';

const NAME = 'red';
const NAMESPACE = controlPlaneNamespace(HOME, NAME);
const SECRETS = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
const COPY = `${NAME}-admin-kubeconfig`;

it('a kubeconfig that a client overwrites never reaches the users of the cluster', { timeout: 120_000 }, async () => {
  const hosted = await settledCluster(testPlatform(), NAME);
  const { client, simulation } = hosted;
  const kubeconfigOf = async (name: string, namespace: string): Promise<string> => {
    const { data } = await client.get<KubeObject & { data?: Record<string, string> }>(SECRETS, name, { namespace });
    return Buffer.from(data?.['kubeconfig'] ?? '', 'base64').toString('utf8');
  };
  const issued = await kubeconfigOf('admin-kubeconfig', NAMESPACE);
  expect(await kubeconfigOf(COPY, HOME)).toBe(issued);
  const since = hosted.elapsed;
  const evil = issued.replace(/https:\/\/[^"]+/, 'https://evil.example.com:6443');
  const value = { data: { kubeconfig: Buffer.from(evil).toString('base64') } };
  // It is repaired within moments: written often enough, the copying operator meets it before that.
  for (let times = 0; times < 60; times += 1) {
    await client.patch(SECRETS, 'admin-kubeconfig', { type: 'merge', value }, { namespace: NAMESPACE });
    await simulation.runUntil(hosted.elapsed + 100);
  }
  await simulation.runUntil(hosted.elapsed + 60_000);
  expect(await kubeconfigOf('admin-kubeconfig', NAMESPACE)).toBe(issued);
  const writes = simulation.log.events.filter(
    (event): event is SendEvent =>
      event.type === 'send' && event.at >= since && event.method !== 'GET' && event.target.includes(`/secrets/${COPY}`),
  );
  expect(writes).toEqual([]);
  expect(await kubeconfigOf(COPY, HOME)).toBe(issued);
  simulation.end();
});
