import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { createValidatingWebhooks } from '@capstan/apiserver/checks';
import { cloneJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { isAsDesired, isForeign, policyFor } from './compare.js';
import { objectConfiguration, staticConfiguration } from './configuration.js';
import type { WebhookAddress, WebhookConfiguration } from './configuration.js';

const service = { namespace: 'compat', name: 'crd-compatibility', port: 443 };
const ADDRESS: WebhookAddress = { at: { service } };
const URL_ADDRESS: WebhookAddress = { at: { url: 'https://10.0.0.1:9443' }, caPem: 'PEM' };

const requirement = {
  metadata: { name: 'boats', uid: 'a1b2', generation: 7 },
  spec: { objectSchemaValidation: { action: 'Deny' } },
} as CompatibilityRequirement;
const version = (name: string, subresources?: object) => ({ name, subresources });
const read = {
  definition: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {},
    spec: {
      group: 'example.com',
      names: { plural: 'boats' },
      scope: 'Namespaced',
      versions: [version('v1', { status: {} }), version('v1beta1', { scale: {} })],
    },
  },
  versions: ['v1'],
};

/** What a server makes of a configuration. */
function stored(configuration: WebhookConfiguration): WebhookConfiguration {
  const created = createValidatingWebhooks(cloneJson(configuration));
  if ('errors' in created) throw new TypeError(JSON.stringify(created.errors));
  return created.object as WebhookConfiguration;
}

describe('webhook configurations', () => {
  it.each([
    ['the static one by Service', staticConfiguration(ADDRESS, 'Fail')],
    ['the static one by URL', staticConfiguration(URL_ADDRESS, 'Ignore')],
    ['that of objects by Service', objectConfiguration(requirement, read, { address: ADDRESS, failurePolicy: 'Fail' })],
    ['that of objects by URL', objectConfiguration(requirement, read, { address: URL_ADDRESS, failurePolicy: 'Fail' })],
  ])('%s is taken by a server, and compares as itself once stored', (_title, desired) => {
    expect(isAsDesired(stored(desired.configuration), desired)).toBe(true);
  });

  it('are as they should be with the bundle that the service CA puts in, and what others add', () => {
    const desired = staticConfiguration(ADDRESS, 'Fail');
    const live = stored(desired.configuration);
    for (const webhook of live.webhooks ?? []) webhook.clientConfig['caBundle'] = 'QQ==';
    live.metadata = { ...live.metadata, annotations: { ...live.metadata.annotations, more: 'text' } };
    live.webhooks?.push({ ...(live.webhooks[0] as object), name: 'of.another.owner' } as never);
    expect(isAsDesired(live, desired)).toBe(true);
  });

  it.each<[string, (live: WebhookConfiguration) => unknown]>([
    ['its policy', ({ webhooks = [] }) => ((webhooks[0] as { failurePolicy: string }).failurePolicy = 'Ignore')],
    [
      'a selector',
      ({ webhooks = [] }) => ((webhooks[0] as JsonObject)['objectSelector'] = { matchLabels: { a: 'b' } }),
    ],
    ['a condition', ({ webhooks = [] }) => delete webhooks[0]?.['matchConditions']],
    ['a webhook', ({ webhooks = [] }) => webhooks.shift()],
    ['a label', (live) => (live.metadata.labels = {})],
    ['the bundle that we put in', ({ webhooks = [] }) => delete webhooks[1]?.clientConfig['caBundle']],
  ])('are not as they should be without %s', (_title, change) => {
    const desired = staticConfiguration(URL_ADDRESS, 'Fail');
    const live = cloneJson(stored(desired.configuration));
    change(live);
    expect(isAsDesired(live, desired)).toBe(false);
  });

  it('say in the path of objects which requirement they are of, and ask about required versions alone', () => {
    const { configuration } = objectConfiguration(requirement, read, { address: ADDRESS, failurePolicy: 'Fail' });
    expect(configuration.webhooks?.[0]).toMatchObject({
      clientConfig: { service: { ...service, path: '/validate-objects/boats/a1b2/7' } },
      rules: [{ apiVersions: ['v1'], resources: ['boats', 'boats/status'] }],
    });
  });

  it('are distinguished by their content', () => {
    const hashes = [ADDRESS, URL_ADDRESS].flatMap((address) =>
      (['Fail', 'Ignore'] as const).map((policy) => staticConfiguration(address, policy).hash),
    );
    expect(new Set(hashes).size).toBe(4);
  });

  const live = (failurePolicy: string): WebhookConfiguration =>
    ({ metadata: {}, webhooks: [{ name: 'w', failurePolicy }] }) as unknown as WebhookConfiguration;
  it.each([
    { what: 'one that only warns', wanted: 'Ignore', found: live('Fail'), isTrialUsed: true, expected: 'Ignore' },
    { what: 'a new one', wanted: 'Fail', found: undefined, isTrialUsed: false, expected: 'Ignore' },
    { what: 'one on trial', wanted: 'Fail', found: live('Ignore'), isTrialUsed: false, expected: 'Ignore' },
    { what: 'one that was seen to answer', wanted: 'Fail', found: live('Ignore'), isTrialUsed: true, expected: 'Fail' },
    { what: 'one in force', wanted: 'Fail', found: live('Fail'), isTrialUsed: false, expected: 'Fail' },
  ] as const)('deny nothing before a replica answers: $what', ({ expected, found, isTrialUsed, wanted }) => {
    expect(policyFor(wanted, { live: found, isTrialUsed, webhook: 'w' })).toBe(expected);
  });

  it.each<[string, WebhookConfiguration | undefined, boolean]>([
    ['none', undefined, false],
    ['one without an owner', live('Fail'), true],
    [
      'one of another',
      { metadata: { ownerReferences: [{ uid: 'x', controller: true }] } } as WebhookConfiguration,
      true,
    ],
    ['its own', { metadata: { ownerReferences: [{ uid: 'a1b2', controller: true }] } } as WebhookConfiguration, false],
  ])('belong to another owner or not: %s', (_title, found, expected) => {
    expect(isForeign(found, 'a1b2')).toBe(expected);
  });
});
