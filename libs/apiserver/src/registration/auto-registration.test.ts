import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { ApiServer, type ApiServerOptions } from '../server.js';
import { ManualClock, countingRandom } from '../testing/fixture.js';

const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const AUTOMANAGED = 'kube-aggregator.kubernetes.io/automanaged';

interface Service {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: { readonly groupPriorityMinimum: number };
}

class Fixture {
  readonly server: ApiServer;

  constructor(options: Partial<ApiServerOptions> = {}) {
    this.server = new ApiServer({ clock: new ManualClock(), random: countingRandom(), ...options });
  }

  restarted(): Fixture {
    return new Fixture({ snapshot: this.server.snapshot() });
  }

  async send(method: string, target: string, body?: object, type = 'application/json'): Promise<unknown> {
    const bytes = Buffer.from(JSON.stringify(body ?? {}));
    const response = await this.server.send({
      method,
      target,
      headers: { 'content-type': type },
      ...(body === undefined ? {} : { body: { type: 'bytes', bytes } }),
    });
    if (response.body.type !== 'payload') throw new Error(`${method} ${target} has no body`);
    const text = Buffer.concat(response.body.chunks()).toString();
    if (response.status >= 300 && response.status !== 404) throw new Error(text);
    return JSON.parse(text);
  }

  async services(): Promise<readonly Service[]> {
    return ((await this.send('GET', SERVICES)) as { items: Service[] }).items;
  }

  async service(name: string): Promise<Service | undefined> {
    return (await this.services()).find(({ metadata }) => metadata.name === name);
  }

  /** The groups of `/apis`. */
  async groups(): Promise<readonly string[]> {
    const { groups } = (await this.send('GET', '/apis')) as { groups: { name: string }[] };
    return groups.map(({ name }) => name);
  }
}

function crd(group: string): object {
  const schema = { openAPIV3Schema: { type: 'object' } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `machines.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'machines', kind: 'Machine' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

function apiService(group: string, more: object = {}): object {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `v1.${group}` },
    spec: { group, version: 'v1', groupPriorityMinimum: 2000, versionPriority: 200, ...more },
  };
}

describe('API services of built-in versions', () => {
  it('are there from the start, all with the label of versions that are registered once', async () => {
    const services = await new Fixture().services();
    expect(services.map(({ metadata }) => metadata.name)).toContain('v1.apps');
    expect(services.filter(({ metadata }) => metadata.labels?.[AUTOMANAGED] !== 'onstart')).toEqual([]);
    expect(services.map(({ metadata }) => metadata.name)).not.toContain('v1.apiregistration.k8s.io');
  });

  it('stay deleted until the next start, while what they register is served', async () => {
    const fixture = new Fixture();
    await fixture.send('DELETE', `${SERVICES}/v1.apps`);
    expect(await fixture.service('v1.apps')).toBeUndefined();
    expect(await fixture.groups()).not.toContain('apps');
    expect(await fixture.send('GET', '/apis/apps')).toMatchObject({ kind: 'APIGroup', name: 'apps' });
    expect(await fixture.send('GET', '/apis/apps/v1')).toMatchObject({ kind: 'APIResourceList' });
    expect(await fixture.restarted().groups()).toContain('apps');
  });

  it('keep a change until the next start', async () => {
    const fixture = new Fixture();
    const change = { spec: { groupPriorityMinimum: 1 } };
    await fixture.send('PATCH', `${SERVICES}/v1.apps`, change, 'application/merge-patch+json');
    expect((await fixture.service('v1.apps'))?.spec.groupPriorityMinimum).toBe(1);
    expect((await fixture.groups()).at(-1)).toBe('apps');
    expect((await fixture.restarted().service('v1.apps'))?.spec.groupPriorityMinimum).toBe(17800);
  });
});

describe('API services of custom resources', () => {
  it('that a user created survive a restart as they are, and order the groups after it', async () => {
    const fixture = new Fixture();
    await fixture.send('POST', SERVICES, apiService('b.example.com'));
    for (const group of ['a.example.com', 'b.example.com']) await fixture.send('POST', CRDS, crd(group));
    const again = fixture.restarted();
    expect((await again.groups()).slice(-2)).toEqual(['b.example.com', 'a.example.com']);
    expect((await again.service('v1.b.example.com'))?.metadata.labels).toBeUndefined();
    expect((await again.service('v1.a.example.com'))?.metadata.labels).toEqual({ [AUTOMANAGED]: 'true' });
  });

  it('with the label but without a CRD are deleted', async () => {
    const fixture = new Fixture();
    await fixture.send('POST', SERVICES, {
      ...apiService('a.example.com'),
      metadata: { name: 'v1.a.example.com', labels: { [AUTOMANAGED]: 'true' } },
    });
    expect(await fixture.service('v1.a.example.com')).toBeUndefined();
    expect(await fixture.groups()).not.toContain('a.example.com');
  });

  it('are not listed while a Service serves them, which this server cannot reach', async () => {
    const fixture = new Fixture();
    const service = { namespace: 'default', name: 'metrics', port: 443 };
    await fixture.send('POST', SERVICES, apiService('a.example.com', { service, insecureSkipTLSVerify: true }));
    expect(await fixture.service('v1.a.example.com')).toBeDefined();
    expect(await fixture.groups()).not.toContain('a.example.com');
  });
});
