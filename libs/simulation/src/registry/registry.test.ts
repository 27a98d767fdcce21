import { RegistryImages, ReleaseError, RegistryReleases, socketTransport } from '@capstan/release';
import type { RegistryTransport, ReleaseErrorReason } from '@capstan/release';
import { ManualClock } from '@capstan/kube/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixtureRegistry } from './fixture-registry.js';
import { carriedTransport, serveRegistry } from './ways.js';
import type { ServedRegistry } from './ways.js';

const COMPONENTS = ['hyperkube', 'etcd', 'cluster-autoscaler'];
const RELEASE = { version: '4.22.0', kubernetesVersion: '1.35.2', components: COMPONENTS };
const PULL_SECRET = (host: string, login = 'user:secret'): string =>
  JSON.stringify({ auths: { [host]: { auth: Buffer.from(login).toString('base64') } } });

async function failure(promise: Promise<unknown>): Promise<{ reason: ReleaseErrorReason; message: string }> {
  const error = await promise.then(
    () => undefined,
    (rejected: unknown) => rejected,
  );
  if (!(error instanceof ReleaseError)) throw new Error('no ReleaseError', { cause: error });
  return { reason: error.reason, message: error.message };
}

describe('over a socket, with a login', () => {
  let served: ServedRegistry;
  let registry: FixtureRegistry;
  let made: { byTag: string; byDigest: string };
  const releases = (): RegistryReleases =>
    new RegistryReleases({ transport: socketTransport(), clock: new ManualClock() });

  beforeAll(async () => {
    served = await serveRegistry((host) => (registry = new FixtureRegistry({ host, logins: { user: 'secret' } })));
    made = await registry.add({ ...RELEASE, tag: '4.22.0-x86_64', bootImages: { architectures: {} } });
  });
  afterAll(() => served.close());

  it('a tag is resolved, and version and components come from the payload', async () => {
    const payload = await releases().lookup(made.byTag, PULL_SECRET(served.host));
    expect(payload).toMatchObject({
      reference: made.byTag,
      pullSpec: made.byDigest,
      version: '4.22.0',
      kubernetesVersion: '1.35.2',
      architectures: ['amd64'],
      components: COMPONENTS.toSorted(),
      bootImages: { architectures: {} },
    });
    expect(payload.image('etcd')).toMatch(new RegExp(`^${served.host}/openshift/etcd@sha256:[0-9a-f]{64}$`));
    expect(payload.image('nothing')).toBeUndefined();
  });

  it('the version is that of the payload whatever the tag is', async () => {
    const { byTag } = await registry.add({ ...RELEASE, version: '4.21.7', tag: '4.99.0' });
    const { version } = await releases().lookup(byTag, PULL_SECRET(served.host));
    expect(version).toBe('4.21.7');
  });

  it('a release of several architectures names them all', async () => {
    const { byTag } = await registry.add({ ...RELEASE, tag: 'multi', architectures: ['arm64', 'amd64'] });
    const { architectures } = await releases().lookup(byTag, PULL_SECRET(served.host));
    expect(architectures).toEqual(['amd64', 'arm64']);
  });

  it('images that are kept elsewhere are read there and named as they are there', async () => {
    const overrides = new Map([['quay.example.com/openshift', `${served.host}/openshift`]]);
    const { clock, transport } = { clock: new ManualClock(), transport: socketTransport() };
    const mirrored = new RegistryReleases({ transport, clock, overrides });
    const payload = await mirrored.lookup('quay.example.com/openshift/release:4.22.0-x86_64', PULL_SECRET(served.host));
    expect(payload.pullSpec).toMatch(/^quay\.example\.com\/openshift\/release@sha256:/);
  });

  it.each<[string, string | undefined, ReleaseErrorReason, string]>([
    ['HOST/openshift/release:none', 'right', 'NotFound', 'HOST has no such image; check name and tag'],
    [
      'HOST/openshift/release:4.22.0-x86_64',
      undefined,
      'Unauthorized',
      'HOST wants a login and the pull secret has none for it; add one',
    ],
    [
      'HOST/openshift/release:4.22.0-x86_64',
      'wrong',
      'Unauthorized',
      'HOST refuses the login of the pull secret (401); renew it',
    ],
    [
      'HOST/openshift/release:4.22.0-x86_64',
      'garbage',
      'InvalidPullSecret',
      'the pull secret is not JSON; it must hold {"auths":{"registry":{"auth":"…"}}}',
    ],
    [
      '127.0.0.1:1/openshift/release:a',
      undefined,
      'Unreachable',
      '127.0.0.1:1 cannot be reached (ECONNREFUSED); check the name and the network',
    ],
    [
      'not an image',
      undefined,
      'InvalidReference',
      '"not an image" is not the name of an image; write registry/name:tag or registry/name@sha256:…',
    ],
  ])('%s with %s login: %s', async (reference, login, reason, message) => {
    const secrets = { right: PULL_SECRET(served.host), wrong: PULL_SECRET(served.host, 'user:no'), garbage: '{' };
    const secret = login === undefined ? undefined : secrets[login as keyof typeof secrets];
    const named = reference.replace('HOST', served.host);
    const failed = await failure(releases().lookup(named, secret));
    expect(failed.reason).toBe(reason);
    expect(failed.message).toContain(message.replace('HOST', served.host));
  });
});

describe('what is known already', () => {
  async function fixture(): Promise<{
    asked: string[];
    transport: RegistryTransport;
    byTag: string;
    byDigest: string;
  }> {
    const registry = new FixtureRegistry({ host: 'registry.example.com' });
    const asked: string[] = [];
    const transport = carriedTransport(
      () => registry,
      async ({ subject }, act) => {
        asked.push(subject);
        return act();
      },
    );
    return { asked, transport, ...(await registry.add(RELEASE)) };
  }

  it('is asked for once, however many ask at once', async () => {
    const { asked, byTag, transport } = await fixture();
    const releases = new RegistryReleases({ transport, clock: new ManualClock() });
    await Promise.all(Array.from({ length: 10 }, () => releases.lookup(byTag, undefined)));
    expect(asked).toHaveLength(3);
  });

  it('by tag is asked for again after a while, and then only its digest', async () => {
    const { asked, byTag, transport } = await fixture();
    const clock = new ManualClock();
    const releases = new RegistryReleases({ transport, clock });
    await releases.lookup(byTag, undefined);
    await clock.advance(600_001);
    asked.length = 0;
    await releases.lookup(byTag, undefined);
    expect(asked).toEqual(['registry /v2/openshift/release/manifests/4.22.0']);
  });

  it('does not include failures', async () => {
    const { byTag, transport } = await fixture();
    let isDown = true;
    const flaky: RegistryTransport = (request) => (isDown ? Promise.reject(new Error('down')) : transport(request));
    const releases = new RegistryReleases({ transport: flaky, clock: new ManualClock() });
    expect(await failure(releases.lookup(byTag, undefined))).toMatchObject({ reason: 'Unreachable' });
    isDown = false;
    expect(await releases.lookup(byTag, undefined)).toMatchObject({ version: '4.22.0' });
  });

  it('of who may read it is no help to who may not', async () => {
    const registry = new FixtureRegistry({ host: 'registry.example.com', logins: { user: 'secret' } });
    const { byTag } = await registry.add(RELEASE);
    const transport = carriedTransport(
      () => registry,
      async (_, act) => act(),
    );
    const releases = new RegistryReleases({ transport, clock: new ManualClock() });
    await releases.lookup(byTag, PULL_SECRET('registry.example.com'));
    expect(await failure(releases.lookup(byTag, undefined))).toMatchObject({ reason: 'Unauthorized' });
  });

  it('is given up by the caller that no longer waits, and by no other', async () => {
    const { byTag, transport } = await fixture();
    const releases = new RegistryReleases({ transport, clock: new ManualClock() });
    const gone = new AbortController();
    const [first, second] = [releases.lookup(byTag, undefined, gone.signal), releases.lookup(byTag, undefined)];
    gone.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(await second).toMatchObject({ version: '4.22.0' });
  });
});

describe('labels of an image', () => {
  const LABELS = { 'io.openshift.hypershift.private-capi-types': 'true' };
  const registry = new FixtureRegistry({ host: 'registry.example.com' });
  const asked: string[] = [];
  const transport = carriedTransport(
    () => registry,
    async ({ subject }, act) => {
      asked.push(subject);
      return act();
    },
  );

  it('come from its configuration, which is read once', async () => {
    const { byTag } = await registry.add({ ...RELEASE, components: ['hypershift'] });
    const payload = await new RegistryReleases({ transport, clock: new ManualClock() }).lookup(byTag, undefined);
    const images = new RegistryImages({ transport, clock: new ManualClock() });
    const operator = payload.image('hypershift') ?? '';
    asked.length = 0;
    const found = await Promise.all([1, 2, 3].map(() => images.labels(operator, undefined)));
    expect(found).toEqual([1, 2, 3].map(() => ({ pullSpec: operator, labels: { ...LABELS, version: '4.22.0' } })));
    expect(asked.map((path) => path.replace(/sha256:.*/, ''))).toEqual([
      'registry /v2/openshift/hypershift/manifests/',
      'registry /v2/openshift/hypershift/blobs/',
    ]);
  });

  it('are those of one of its images where there are several, with the digest of all', async () => {
    const { byDigest, byTag } = await registry.add({ ...RELEASE, tag: 'multi', architectures: ['arm64', 'amd64'] });
    const images = new RegistryImages({ transport, clock: new ManualClock() });
    expect(await images.labels(byTag, undefined)).toEqual({ pullSpec: byDigest, labels: {} });
  });

  it('are not known where there is no such image', async () => {
    const images = new RegistryImages({ transport, clock: new ManualClock() });
    const failed = await failure(images.labels('registry.example.com/openshift/release:none', undefined));
    expect(failed).toEqual({
      reason: 'NotFound',
      message:
        'labels of registry.example.com/openshift/release:none: image registry.example.com/openshift/release: registry.example.com has no such image; check name and tag',
    });
  });
});

describe('a registry that serves wrong content', () => {
  it.each([
    ['another manifest for a digest', /manifests/],
    ['another content for a layer', /blobs/],
  ])('%s is found out', async (_, which) => {
    const registry = new FixtureRegistry({ host: 'registry.example.com' });
    const { byDigest } = await registry.add(RELEASE);
    const transport: RegistryTransport = async ({ url }) => {
      const { body, ...head } = registry.handle({ target: url });
      const bent = which.test(url) ? Buffer.concat([body, Buffer.from(' ')]) : body;
      return {
        ...head,
        body: (async function* () {
          yield bent;
        })(),
      };
    };
    const releases = new RegistryReleases({ transport, clock: new ManualClock() });
    expect(await failure(releases.lookup(byDigest, undefined))).toMatchObject({ reason: 'NoRelease' });
  });
});
