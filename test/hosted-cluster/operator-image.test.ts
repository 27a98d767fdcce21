import {
  CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION,
  HOSTED_CONTROL_PLANES,
  MIGRATION_OPERATOR_IMAGE_ANNOTATION,
} from '@capstan/hosting';
import type { Transport } from '@capstan/meta';
import { ReleaseError } from '@capstan/release';
import { beforeAll, describe, expect, it } from 'vitest';
import { Fixture } from './fixture.js';
import { DEPLOYMENTS, NAMESPACES } from './objects.js';
import { hostedServer } from './server.js';

const OVERRIDE = 'quay.io/hypershift/control-plane-operator:4.22';
const OWN = (version: string): string => `registry.example.com/hypershift@sha256:${version.replaceAll('.', '')}`;
const IS_PRIVATE = { metadata: { annotations: { 'hypershift.openshift.io/private-capi-types': 'true' } } };

describe('The control plane operator of a cluster on private types', () => {
  let transport: Transport;
  let created = 0;

  beforeAll(async () => {
    transport = await hostedServer();
  }, 60_000);

  /** A cluster of release 4.22.0, where the registry labels so many images. */
  async function fixtureOf(supported: Set<string>, overrides: Map<string, string>): Promise<Fixture> {
    created += 1;
    const fixture = new Fixture(transport, { name: `image-${created}`, namespace: 'image-clusters' });
    fixture.mode = { kind: 'private' };
    fixture.evidence = { standard: false, private: true };
    fixture.operatorImages = { isSupported: (image) => Promise.resolve(supported.has(image)), overrides };
    fixture.restart();
    await fixture.begin(IS_PRIVATE);
    return fixture;
  }

  async function imageOf(fixture: Fixture): Promise<string | undefined> {
    const found = await fixture.find(DEPLOYMENTS, 'control-plane-operator', fixture.controlPlaneNamespace);
    const spec = found?.['spec'] as
      | { template: { spec: { containers: { name: string; image: string }[] } } }
      | undefined;
    return spec?.template.spec.containers.find(({ name }) => name === 'control-plane-operator')?.image;
  }

  async function annotations(fixture: Fixture): Promise<(string | undefined)[]> {
    const { annotations: all = {} } = (await fixture.hostedCluster()).metadata;
    return [all[CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION], all[MIGRATION_OPERATOR_IMAGE_ANNOTATION]];
  }

  async function upgrade(fixture: Fixture, version: string): Promise<void> {
    const image = fixture.releases.add(version);
    await fixture.change({ spec: { release: { image } } });
    await fixture.settle();
  }

  it('is that of its release where it adds the proxy', async () => {
    const fixture = await fixtureOf(new Set([OWN('4.22.0')]), new Map([['4.22', OVERRIDE]]));
    await fixture.settle();
    expect([await imageOf(fixture), await annotations(fixture)]).toEqual([OWN('4.22.0'), [undefined, undefined]]);
  });

  it('is the override of its minor version where it does not, from the start', async () => {
    const fixture = await fixtureOf(new Set(), new Map([['4.22', OVERRIDE]]));
    await fixture.settle();
    expect(await imageOf(fixture)).toBe(OVERRIDE);
    const [named, record] = await annotations(fixture);
    expect([named, JSON.parse(record ?? '')]).toEqual([
      OVERRIDE,
      { override: OVERRIDE, image: OWN('4.22.0'), annotation: null, minor: '4.22' },
    ]);
  });

  it('keeps a new cluster from being created where there is neither', async () => {
    const fixture = await fixtureOf(new Set(), new Map());
    await fixture.settle();
    expect(await fixture.condition('ValidReleaseInfo')).toBe(
      `False ControlPlaneOperatorUnsupported: cpo-unsupported: image ${OWN('4.22.0')} of the control plane operator does not support private types: set one for 4.22 in CPO_IMAGE_OVERRIDES`,
    );
    expect(await fixture.find(NAMESPACES, fixture.controlPlaneNamespace)).toBeUndefined();
  });

  it('keeps a new cluster from being created until the registry answers', async () => {
    const fixture = await fixtureOf(new Set(), new Map());
    const error = new ReleaseError('Unreachable', 'nobody answers');
    fixture.operatorImages = { isSupported: () => Promise.reject(error), overrides: new Map() };
    fixture.restart();
    await fixture.settle();
    expect(await fixture.condition('ValidReleaseInfo')).toContain('cannot be read: nobody answers');
    expect(await imageOf(fixture)).toBeUndefined();
    fixture.operatorImages = { isSupported: () => Promise.resolve(true), overrides: new Map() };
    fixture.restart();
    await fixture.settle();
    expect(await imageOf(fixture)).toBe(OWN('4.22.0'));
  });

  it('goes on while the registry is away, whatever it is', async () => {
    const fixture = await fixtureOf(new Set(), new Map([['4.22', OVERRIDE]]));
    await fixture.settle();
    const error = new ReleaseError('Unreachable', 'nobody answers');
    fixture.operatorImages = { isSupported: () => Promise.reject(error), overrides: new Map() };
    fixture.restart();
    await fixture.settle();
    expect(await imageOf(fixture)).toBe(OVERRIDE);
    expect(await fixture.condition('ValidReleaseInfo')).toContain('True');
  });

  it('keeps a cluster at its release where that of an upgrade has neither', async () => {
    const fixture = await fixtureOf(new Set(), new Map([['4.22', OVERRIDE]]));
    await fixture.settle();
    await upgrade(fixture, '5.0.0');
    expect(await fixture.condition('ValidReleaseInfo')).toContain('set one for 5.0 in CPO_IMAGE_OVERRIDES');
    const found = await fixture.find(HOSTED_CONTROL_PLANES, fixture.name, fixture.controlPlaneNamespace);
    expect([await imageOf(fixture), (found?.['spec'] as { releaseImage: string } | undefined)?.releaseImage]).toEqual([
      OVERRIDE,
      fixture.image,
    ]);
  });

  it.each([undefined, 'quay.io/of-a-user:1'])(
    'loses its override with an upgrade to a release that needs none (annotation of a user: %s)',
    async (named) => {
      const supported = new Set([OWN('4.22.1')]);
      const fixture = await fixtureOf(supported, new Map([['4.22', OVERRIDE]]));
      if (named !== undefined)
        await fixture.change({ metadata: { annotations: { [CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION]: named } } });
      await fixture.settle();
      expect(await imageOf(fixture)).toBe(OVERRIDE);
      if (named !== undefined) supported.add(named);
      await upgrade(fixture, '4.22.1');
      expect([await imageOf(fixture), await annotations(fixture)]).toEqual([
        named ?? OWN('4.22.1'),
        [named, undefined],
      ]);
    },
  );
});
