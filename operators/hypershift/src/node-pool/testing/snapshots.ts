import type { NodePoolSpec } from '@capstan/api/hypershift';
import { controlPlaneNamespace, NODE_POOL_ANNOTATION } from '@capstan/hosting';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { hostedClusterOn, nodePoolOn, testPlatform } from '@capstan/provider/testing';
import type { ReleasePayload } from '@capstan/release';
import type { ConfigSource, Snapshot, Hosted, Existing, Pool } from '../snapshot.js';
import { secretValue } from '../resources.js';
import type { Secret } from '../resources.js';

/** Snapshots of a valid NodePool for tests of decisions. */

const HARBOUR = testPlatform();
export const NOW_MS = Date.parse('2026-01-01T12:00:00Z');
export const KEY = 'clusters/workers';
export const HOME = controlPlaneNamespace('clusters', 'example');
const IMAGE = 'registry.example.com/release:4.22.0';

export const NOTHING_EXISTING: Existing = {
  machineSets: [],
  machines: [],
  healthChecks: [],
  templates: [],
  companions: [],
  secrets: [],
  configMaps: [],
};

/** A release of a version. */
export function payload(version: string): ReleasePayload {
  return {
    reference: IMAGE,
    pullSpec: `${IMAGE}@sha256:0`,
    version,
    kubernetesVersion: '1.35.2',
    architectures: ['amd64'],
    components: [],
    image: () => undefined,
  };
}

/** A pool with other fields in its spec. */
export function pool(spec: Partial<NodePoolSpec> = {}, annotations: Record<string, string> = {}): Pool {
  const existing = nodePoolOn(HARBOUR, { berth: 'b1' });
  const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
  const management = { upgradeType: 'Replace', replace: { strategy: 'RollingUpdate', rollingUpdate } } as const;
  return {
    ...existing,
    metadata: { ...existing.metadata, annotations },
    spec: { ...existing.spec, release: { image: IMAGE }, management, ...spec },
  } as Pool;
}

/** The cluster of that pool, with other fields in its spec or status. */
export function hosted(spec: JsonObject = {}, status: JsonObject = {}): Hosted {
  const existing = hostedClusterOn(HARBOUR, { port: 'rotterdam' });
  const changed: unknown = {
    ...existing,
    spec: { ...existing.spec, ...spec },
    status: { ...existing.status, kubeconfig: { name: 'k' }, payloadArch: 'Multi', ...status },
  };
  return changed as Hosted;
}

/** A ConfigMap under its name in the spec. */
export function source(name: string, ...documents: readonly unknown[]): ConfigSource {
  return { name, map: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }, documents };
}

/** A Secret of the pool. */
export function ownSecret(
  name: string,
  data: Record<string, string> = {},
  annotations: Record<string, string> = {},
): Secret {
  const encoded = Object.entries(data).map(([key, value]) => [key, secretValue(value)]);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: HOME, annotations: { [NODE_POOL_ANNOTATION]: KEY, ...annotations } },
    data: Object.fromEntries(encoded) as Record<string, string>,
  };
}

/** Any object of the pool. */
export function owned<T extends KubeObject>(kind: string, name: string, rest: JsonObject = {}): T {
  const object: KubeObject = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind,
    ...rest,
    metadata: { name, namespace: HOME, annotations: { [NODE_POOL_ANNOTATION]: KEY }, ...(rest['metadata'] as object) },
  };
  return object as T;
}

/** Fields to replace. */
export type Changes = Omit<Partial<Snapshot>, 'existing'> & { readonly existing?: Partial<Existing> };

/** The snapshot of a valid NodePool with some fields replaced. */
export function snapshot(changes: Changes = {}): Snapshot {
  const { existing, ...rest } = changes;
  return {
    nowMs: NOW_MS,
    nodePool: pool(),
    key: KEY,
    hostedCluster: hosted(),
    controlPlaneNamespace: HOME,
    platform: HARBOUR,
    platformTypes: ['Harbour'],
    missingKinds: [],
    pullSecret: '{"auths":{}}',
    release: { payload: payload('4.22.0') },
    clusterRelease: { payload: payload('4.22.0') },
    skewWidth: 1,
    ignitionCa: 'CERTIFICATE',
    configs: [],
    tuning: [],
    drawToken: () => 'drawn',
    ...rest,
    existing: { ...NOTHING_EXISTING, ...existing },
  };
}
