import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { installPlace } from '../install/testing-place.js';
import type { InstallPlace } from '../install/testing-place.js';
import { TIMEOUT_MS } from '../testing-server.js';

vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS });

const CLAIMS = { group: 'ipam.cluster.x-k8s.io', version: 'v1beta2', plural: 'ipaddressclaims', namespaced: true };
const CLUSTERS = { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'clusters', namespaced: true };
const CRD = 'customresourcedefinition.apiextensions.k8s.io';
let place: InstallPlace;

beforeAll(async () => {
  place = await installPlace();
});
afterAll(() => place.close());

it('Next to an installation, kinds it does not have are mirrored, and its own private CRDs are left to it', async () => {
  expect((await place.install('--private-capi-types')).code).toBe(0);
  // Of the platform: what it has of a kind may differ from what the installation has mirrored.
  await place.define({ kind: 'Cluster', ref: CLUSTERS }, { kind: 'IPAddressClaim', ref: CLAIMS });
  const mirrored = await place.run('crds', 'mirror', '--from-cluster', '--apply');
  expect(mirrored).toMatchObject({ code: 0, err: '' });
  const lines = mirrored.out.split('\n');
  expect(lines).toContain(`${CRD}/ipaddressclaims.ipam.cluster.hypershift.openshift.io serverside-applied`);
  expect(lines).toContain(`${CRD}/clusters.cluster.hypershift.openshift.io kept: capstan install manages it`);
  const named = await place.run('crds', 'mirror', '--from-cluster', '--apply', '-o', 'name');
  expect(named).toMatchObject({ code: 0, out: `${CRD}/ipaddressclaims.ipam.cluster.hypershift.openshift.io\n` });
});
