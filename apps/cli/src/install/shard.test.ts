import { HOSTED_CLUSTERS } from '@capstan/hosting';
import type { Condition, KubeObject } from '@capstan/meta';
import { ignoreNotFound } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';
import { TIMEOUT_MS } from '../testing-server.js';
import { installPlace } from './testing-place.js';
import type { InstallPlace } from './testing-place.js';

vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS });

const AT = { namespace: 'hypershift' };
const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
const SCOPE = 'hypershift.openshift.io/scope';
let place: InstallPlace;

interface Deployment extends KubeObject {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly { readonly args: string[] }[] } };
  };
}

beforeAll(async () => {
  place = await installPlace();
  // With the standard CRDs, which an installation on standard types creates.
  expect((await place.install()).code).toBe(0);
  expect((await place.install('--private-capi-types')).code).toBe(0);
});

afterAll(() => place.close());

const find = (name: string): Promise<Deployment | undefined> =>
  place.client.get<Deployment>(DEPLOYMENTS, name, AT).catch(ignoreNotFound);

describe('a shard on standard types', () => {
  it('is installed next to operators on private types, and changes neither', async () => {
    await place.host('mine', { 'hypershift.openshift.io/private-capi-types': 'true' });
    const before = [await find('operator'), await find('operator-legacy')];
    const { code, err } = await place.install('--scope', 'shard-1');
    expect([code, err]).toEqual([0, '']);
    expect([await find('operator'), await find('operator-legacy')]).toEqual(before);
    const args = (await find('operator-shard-1'))?.spec.template.spec.containers[0]?.args;
    expect(args).toEqual(expect.arrayContaining(['--leader-elect', '--scope=shard-1']));
    expect(args).not.toContain('--private-capi-types');
  });

  it('reconciles the hosted clusters of its scope, as the command of its Deployment, and no other', async () => {
    const args = (await find('operator-shard-1'))?.spec.template.spec.containers[0]?.args ?? [];
    const own = args.filter((each) => !/^--(?:webhook|metrics|health)/.test(each));
    const io = new TestIo();
    const ended = main([...own, '--kubeconfig', place.kubeconfig, '-o', 'json'], io);
    await io.firstLine();
    await place.host('sharded', { [SCOPE]: 'shard-1' });
    await place.host('unmarked');
    const conditionsOf = async (name: string): Promise<readonly Condition[]> => {
      const { status } = (await place.client.get(HOSTED_CLUSTERS, name, { namespace: 'default' })) as KubeObject & {
        readonly status?: { readonly conditions?: readonly Condition[] };
      };
      return status?.conditions ?? [];
    };
    const isReconciled = async (): Promise<void> => expect(await conditionsOf('sharded')).not.toEqual([]);
    await vi.waitFor(isReconciled, { timeout: TIMEOUT_MS, interval: 100 });
    expect([await conditionsOf('unmarked'), await conditionsOf('mine')]).toEqual([[], []]);
    io.stop();
    expect(await ended).toBe(0);
  });

  it('is uninstalled by itself, once it has no hosted cluster', async () => {
    const refused = await place.run('uninstall', '--scope', 'shard-1');
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('HostedCluster default/sharded would no longer be reconciled') as string,
    ]);
    const value = { metadata: { annotations: { [SCOPE]: 'legacy' } } };
    await place.client.patch(HOSTED_CLUSTERS, 'sharded', { type: 'merge', value }, { namespace: 'default' });
    const { code, out } = await place.run('uninstall', '--scope', 'shard-1');
    expect([code, out]).toEqual([0, expect.stringContaining('deployment.apps/operator-shard-1 deleted') as string]);
    expect(out).not.toContain('priorityclass');
    expect(await find('operator-shard-1')).toBeUndefined();
    expect(await find('operator')).toBeDefined();
  });

  it.each([
    [['--scope', 'legacy'], '--scope legacy is the operator that --private-capi-types installs'],
    [['--scope', 'A'], '--scope "A" must be lower case letters'],
    [['--scope', 'a', '--private-capi-types'], '--scope is for an operator on standard types'],
    [['--scope', 'a', '--component', 'all'], '--scope is for the component hypershift alone'],
  ])('is refused with %j', async (flags, message) => {
    const { code, err } = await place.install(...flags);
    expect([code, err]).toEqual([2, expect.stringContaining(message) as string]);
  });
});
