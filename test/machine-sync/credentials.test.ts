import { conversionPlatforms } from '@capstan/cli/platforms';
import type { CredentialsCopy } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';

const namespace = 'openshift-cluster-api';

async function copiesFor(type: string, spec: JsonObject): Promise<readonly CredentialsCopy[] | undefined> {
  const platform = [...(await conversionPlatforms())].find((each) => each.type === type);
  if (platform === undefined || 'refused' in platform) throw new Error(`no platform ${type}`);
  return platform.credentials?.({ metadata: { name: 'demo', namespace }, spec });
}

describe('Credentials that an infrastructure cluster names', () => {
  it.each<[string, JsonObject, readonly CredentialsCopy[]]>([
    [
      'VSphere',
      { identityRef: { kind: 'Secret', name: 'demo' }, server: 'vc.example.com' },
      [
        {
          from: 'vsphere-cloud-credentials',
          to: 'demo',
          keys: { username: 'vc.example.com.username', password: 'vc.example.com.password' },
        },
      ],
    ],
    ['VSphere', { identityRef: { kind: 'VSphereClusterIdentity', name: 'demo' }, server: 'vc.example.com' }, []],
    [
      'GCP',
      { credentialsRef: { name: 'demo', namespace } },
      [{ from: 'gcp-cloud-credentials', to: 'demo', keys: { credentials: 'service_account.json' } }],
    ],
    ['GCP', { credentialsRef: { name: 'demo', namespace: 'elsewhere' } }, []],
    [
      'Nutanix',
      { prismCentral: { credentialRef: { kind: 'Secret', name: 'demo' } } },
      [{ from: 'nutanix-credentials', to: 'demo' }],
    ],
    [
      'OpenStack',
      { identityRef: { name: 'openstack-cloud-credentials', cloudName: 'openstack' } },
      [{ from: 'openstack-cloud-credentials', to: 'openstack-cloud-credentials' }],
    ],
    ['OpenStack', {}, []],
  ])('of %s with %j', async (type, spec, expected) => {
    expect(await copiesFor(type, spec)).toEqual(expected);
  });

  it('are none where the controllers have their own', async () => {
    expect(await copiesFor('AWS', { region: 'us-east-1' })).toBeUndefined();
  });
});
