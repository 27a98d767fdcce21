import type { HostedControlPlane } from '@capstan/api/hypershift';
import { HostingPlatforms } from '@capstan/provider';
import type { HostingPlatform } from '@capstan/provider';
import type { ReleasePayload } from '@capstan/release';
import { describe, expect, it } from 'vitest';
import { NETWORK_POLICIES, ROUTES, SERVICES } from '../kinds.js';
import { decideComponents } from './decide.js';
import type { ControlPlanePlan } from './decide.js';

const PROXY = { name: 'fake-proxy', image: 'fake-proxy', command: ['run'], args: [] };
const platform = (type: string, hasSettings: boolean): HostingPlatform =>
  ({ type, key: type.toLowerCase(), hasSettings, components: () => [PROXY] }) as unknown as HostingPlatform;
const PLATFORMS = new HostingPlatforms([platform('Fake', true), platform('Plain', false)]);
const PAYLOAD = {
  version: '4.22.0',
  pullSpec: 'r@sha256:1',
  image: (name: string) => `q/${name}`,
} as unknown as ReleasePayload;

function decide(spec: object, annotations: Record<string, string> = {}): ControlPlanePlan {
  const hcp = {
    metadata: { name: 'one', namespace: 'clusters-one', annotations },
    spec: {
      etcd: { managementType: 'Managed', managed: { storage: { type: 'PersistentVolume' } } },
      infraID: 'one-x',
      releaseImage: 'r:4.22.0',
      services: [],
      ...spec,
    },
  } as unknown as HostedControlPlane & { readonly spec: NonNullable<HostedControlPlane['spec']> };
  const settings = { namespace: undefined, registryOverrides: new Map(), imageOverrides: new Map(), proxy: undefined };
  return decideComponents(hcp, hcp.spec, {
    payload: PAYLOAD,
    endpoint: undefined,
    platforms: PLATFORMS,
    proxy: undefined,
    settings,
  });
}

describe('the platform of a control plane', () => {
  it.each<[string, object, object, boolean]>([
    ['without settings adds its components', { type: 'Plain' }, { components: [PROXY] }, true],
    [
      'with settings adds them once those are written',
      { type: 'Fake', fake: { a: 'b' } },
      { components: [PROXY] },
      true,
    ],
    ['adds nothing before its settings are written', { type: 'Fake' }, { isPending: true }, false],
    [
      'that is not installed is a problem, which names those that are',
      { type: 'Other' },
      { problem: 'spec.platform.type is Other, which this installation does not have: it has Fake, Plain' },
      false,
    ],
  ])('%s', (_title, given, expected, isAdded) => {
    const plan = decide({ platform: given });
    expect(plan.platform).toEqual(expected);
    expect(plan.names.has('fake-proxy')).toBe(isAdded);
  });
});

describe('what a control plane keeps', () => {
  const kept = (plan: ControlPlanePlan, { plural }: { readonly plural: string }): readonly string[] =>
    plan.kept.others.flatMap(([kind, names]) => (kind.plural === plural ? [...names] : []));
  const named = { type: 'Route', route: { hostname: 'api.example.com' } };

  it('are exactly the components of its plan', () => {
    const plan = decide({ platform: { type: 'Plain' } });
    expect(plan.kept.components).toEqual(new Set(plan.components.map(({ definition }) => definition.name)));
    expect(plan.names).toContain('kube-apiserver');
  });

  it.each<[string, object, readonly string[], readonly string[]]>([
    ['no Route and no router where nothing is published by Route', {}, [], ['router']],
    [
      'a Route and the router where the API server has a host name',
      { services: [{ service: 'APIServer', servicePublishingStrategy: named }] },
      ['kube-apiserver'],
      [],
    ],
  ])('are %s', (_title, spec, routes, absent) => {
    const plan = decide({ platform: { type: 'Plain' }, ...spec });
    expect(kept(plan, ROUTES)).toEqual(routes);
    for (const name of absent) expect(kept(plan, SERVICES)).not.toContain(name);
    expect(kept(plan, SERVICES)).toContain('kube-apiserver');
    expect(kept(plan, NETWORK_POLICIES).length).toBeGreaterThan(0);
  });
});
