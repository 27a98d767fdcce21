import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCa, fixedCredentials, HttpTransport } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installBoth, PRIVATE, removeBoth, resourceOf, STANDARD } from '../proxy/both-groups.js';
import { Fixture } from '../runtime/fixture.js';
import { boxDefinition, boxesOf, install, privateCrdOf, uninstall } from '../shim/private-kinds.js';
import { startProvider } from '../shim/provider.js';
import { directly } from '../translate/through.js';
import { applyAll, become, dropClusterWide } from './accounts.js';
import type { Access } from './accounts.js';
import { rendered, runContainer } from './capstan.js';
import { PRIVATE_RULES, publishedProgram } from './program.js';

const LIMIT_MS = 120_000;
const SHIM = 'capi-conversion-webhook-shim';
const SECRETS = '/api/v1/secrets';

interface Workload extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly spec: Record<
        'containers' | 'initContainers',
        readonly { name: string; args: readonly string[] }[] | undefined
      >;
    };
  };
}

/** What a container of a rendered workload is started with. */
function argsOf(objects: readonly KubeObject[], container: string): readonly string[] {
  const workload = objects.find(({ kind }) => kind === 'Deployment') as Workload | undefined;
  const { containers = [], initContainers = [] } = workload?.spec.template.spec ?? {};
  const found = [...initContainers, ...containers].find(({ name }) => name === container);
  if (found === undefined) throw new TypeError(`the rendered Deployment has no container ${container}`);
  return found.args;
}

const refused = (namespace: string, account: string): string =>
  `secrets is forbidden: User "system:serviceaccount:${namespace}:${account}" cannot list resource "secrets" in API group "" at the cluster scope`;

/** What `capstan manifests` prints, applied to a server, and its programs run with the permissions that it gives them. */
export function describeManifests(name: string, start: () => Promise<Access & { stop(): Promise<void> }>): void {
  describe(`manifests on ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-manifests-'));
    let opened: { access: Access; fixture: Fixture; stop(): Promise<void> } | undefined;

    beforeAll(async () => {
      const access = await start();
      const credentials = fixedCredentials({ headers: { authorization: `Bearer ${access.token}` } });
      const transport = new HttpTransport({
        server: access.url,
        trust: { caPem: access.ca },
        credentials,
        namespace: 'default',
      });
      const fixture = await Fixture.create(transport);
      const stop = async (): Promise<void> => {
        await fixture.end();
        await transport.close();
        await access.stop();
      };
      opened = { access, fixture, stop };
    }, LIMIT_MS);

    afterAll(async () => {
      await opened?.stop();
      rmSync(folder, { recursive: true });
    }, LIMIT_MS);

    const open = (): { access: Access; fixture: Fixture } => {
      if (opened === undefined) throw new TypeError('the server did not start');
      return opened;
    };
    it(
      'the shim converts with the permissions it is given, and has no others',
      () => describeShim(open(), folder),
      LIMIT_MS,
    );
    it(
      'a program behind the sidecar reaches private kinds with its own permissions',
      () => describeSidecar(open(), folder),
      LIMIT_MS,
    );
  });
}

interface Place {
  readonly access: Access;
  readonly fixture: Fixture;
}

async function describeShim({ access, fixture }: Place, folder: string): Promise<void> {
  const { client, namespace } = fixture;
  const objects = rendered(['conversion-shim', '--namespace', namespace, '--image', 'capstan:test']);
  const applied = await applyAll(client, objects);
  expect(applied.map(({ kind }) => kind)).toEqual(objects.map(({ kind }) => kind));
  const account = await become(access, client, { namespace, name: SHIM, folder });
  const ca = createCa({ commonName: SHIM });
  const pair = ca.issueServing({ commonName: SHIM, ipAddresses: ['127.0.0.1'] });
  writeFileSync(join(folder, 'tls.crt'), pair.certPem);
  writeFileSync(join(folder, 'tls.key'), pair.keyPem, { mode: 0o600 });
  const shim = await runContainer(argsOf(applied, 'conversion-shim'), {
    'cert-dir': folder,
    kubeconfig: account.kubeconfig,
    host: '127.0.0.1',
    port: '0',
    'health-host': '127.0.0.1',
    'health-port': '0',
  });
  const provider = await startProvider();
  const boxes = boxesOf(fixture);
  try {
    await expect.poll(async () => (await fetch(`${shim.healthUrl}/readyz`)).status, { timeout: 30_000 }).toBe(200);
    const privateCrd = privateCrdOf(boxDefinition(boxes, provider.clientConfig), {
      url: shim.url,
      caPem: ca.certPem,
    });
    await install(fixture, privateCrd);
    await expect
      .poll(() => client.create(boxes.resource('v1beta1'), boxes.object('v1beta1', 'a')).then(Boolean, String), {
        timeout: 30_000,
      })
      .toBe(true);
    expect(await client.get(boxes.resource('v1beta2'), 'a', { namespace })).toMatchObject({
      apiVersion: `${boxes.group}/v1beta2`,
      metadata: { annotations: { 'was.example.com/in': `${boxes.standardGroup}/v1beta1` } },
    });
    const answer = await directly(account.transport)(SECRETS);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([403, { message: refused(namespace, SHIM) }]);
  } finally {
    await uninstall(fixture, `boxes.${boxes.group}`);
    await provider.down();
    await shim.end();
    await account.transport.close();
    await dropClusterWide(client, objects);
  }
}

async function describeSidecar({ access, fixture }: Place, folder: string): Promise<void> {
  const { client, namespace } = fixture;
  const objects = rendered(['proxy-sidecar', '--image', 'capstan:test', '-f', '-'], publishedProgram(namespace));
  const applied = await applyAll(client, objects);
  expect(applied.find(({ kind }) => kind === 'Role')).toMatchObject({ rules: PRIVATE_RULES });
  await installBoth(client);
  const account = await become(access, client, { namespace, name: 'manager', folder });
  const proxy = await runContainer(argsOf(applied, 'kube-apiserver-proxy'), {
    kubeconfig: account.kubeconfig,
    listen: '127.0.0.1:0',
    'health-listen': '127.0.0.1:0',
  });
  try {
    const ready = async (path: string): Promise<readonly unknown[]> => {
      const response = await fetch(`${proxy.healthUrl}${path}`);
      return [response.status, (await response.text()).trim()];
    };
    // A server sees roles a moment later.
    await expect.poll(async () => (await ready('/readyz/translation'))[0], { timeout: 30_000 }).toBe(200);
    const machines = `${proxy.url}/apis/${STANDARD}/v1beta2/namespaces/${namespace}/machines`;
    const machine = {
      apiVersion: `${STANDARD}/v1beta2`,
      kind: 'Machine',
      metadata: { name: 'm' },
      spec: {
        clusterName: 'c',
        bootstrap: { dataSecretName: 's' },
        infrastructureRef: { apiGroup: `infrastructure.${STANDARD}`, kind: 'TestMachine', name: 'm' },
      },
    };
    const headers = { 'content-type': 'application/json' };
    const created = await fetch(machines, { method: 'POST', headers, body: JSON.stringify(machine) });
    expect([created.status, await created.json()]).toMatchObject([201, { apiVersion: `${STANDARD}/v1beta2` }]);
    expect(await client.get(resourceOf(PRIVATE, 'machines'), 'm', { namespace })).toMatchObject({
      spec: { infrastructureRef: { apiGroup: `infrastructure.${PRIVATE}` } },
    });
    expect(await ready('/readyz')).toEqual([200, 'ok']);
    // The proxy caches its last answer for a while.
    await expect
      .poll(async () => JSON.parse(String((await ready('/readyz/translation'))[1])) as unknown, { timeout: 30_000 })
      .toMatchObject({ state: 'ok' });
    const [status, text] = await ready('/readyz/translation');
    expect([status, JSON.parse(String(text))]).toEqual([
      200,
      {
        state: 'ok',
        ok: true,
        asked: STANDARD,
        got: STANDARD,
        version: 'v1beta2',
        resource: 'machines',
        namespace,
        object: `${namespace}/m`,
        message: 'objects come under the standard group',
      },
    ]);
    const secrets = await fetch(`${proxy.url}${SECRETS}`);
    expect([secrets.status, await secrets.json()]).toMatchObject([403, { message: refused(namespace, 'manager') }]);
    // Without the proxy the same account has no right to the platform's own.
    const direct = directly(account.transport);
    expect((await direct(`/apis/${STANDARD}/v1beta2/namespaces/${namespace}/machines`)).status).toBe(403);
  } finally {
    await proxy.end();
    await account.transport.close();
    await removeBoth(client);
  }
}
