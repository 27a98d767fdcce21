import type { HostedCluster } from '@capstan/api/hypershift';
import { testPlatform } from '@capstan/provider/testing';
import { HostingPlatforms } from '@capstan/provider';
import { describe, expect, it } from 'vitest';
import { sourcesOf, unsupported } from './controller.js';

function cluster(name: string, status?: 'False' | 'True'): HostedCluster {
  const reported = status === undefined ? [] : [{ type: 'SupportedHostedCluster', status, reason: 'R', message: '' }];
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedCluster',
    metadata: { name, namespace: 'clusters' },
    spec: { platform: { type: 'Harbour' }, pullSecret: { name: 'pull' } },
    status: { conditions: reported },
  } as unknown as HostedCluster;
}

describe('whom a CRD concerns that comes', () => {
  it('is every cluster that is not known to do without it, also one that is only being looked at', () => {
    const asked = unsupported([cluster('waiting', 'False'), cluster('new'), cluster('well', 'True')]);
    expect(asked.map(({ name }) => name)).toEqual(['waiting', 'new']);
  });
});

describe('what a cluster names', () => {
  it('is also a namespace its platform asks for', () => {
    const docks = { name: 'docks', path: 'spec.platform.harbour.docks' };
    const platforms = new HostingPlatforms([testPlatform({ namespaces: () => [docks] })]);
    expect(sourcesOf(cluster('a'), platforms)).toContain('Namespace /docks');
  });
});
