import { hostingPlatforms } from '@capstan/cli/platforms';
import { Client, fixedCredentials, HttpTransport } from '@capstan/kube';
import { suiteScope } from '@capstan/tools';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { livePrivateHosting } from './live.js';
import { clusterApiObjects, plantPlatformObjects, platformObjects } from './private.js';
import { hostingScenarios } from './suite.js';

const platforms = await hostingPlatforms();
const { ca, token, url } = inject('realKube');
const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
const transport = new HttpTransport({ server: url, trust: { caPem: ca }, credentials, namespace: '' });
const direct = new Client(transport);
afterAll(() => transport.close());

/** One whose machines a cloud makes, and one whose provider reads private groups outside of those of Cluster API. */
const BRIEF: ReadonlySet<string> = new Set(['aws', 'agent']);
let planted: readonly string[] = [];

describe('with the operator on private types, on a real server', () => {
  hostingScenarios(
    platforms,
    async () => {
      const place = await livePrivateHosting(platforms, transport);
      await plantPlatformObjects(direct);
      planted = await platformObjects(direct);
      return place;
    },
    ({ key }) => suiteScope() === 'full' || BRIEF.has(key),
  );
});

describe('once the cluster is deleted', () => {
  it("leaves the platform's own objects as they were", async () => {
    expect(planted).toHaveLength(3);
    expect(await platformObjects(direct)).toEqual(planted);
  });

  it('leaves no other object of Cluster API', async () => {
    expect(await clusterApiObjects(direct, 'private')).toEqual([]);
    expect(await clusterApiObjects(direct, 'standard')).toEqual([]);
  });
});
