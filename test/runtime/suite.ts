import { Manager, Client, createAuthority, sleep, systemClock, systemRandom, WebhookServer } from '@capstan/kube';
import type { ManagerOptions } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { JsonObject, KubeObject, Transport } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', namespaced: true, kind: 'ConfigMap' };
const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const ADMISSION = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false };
const MUTATING = { ...ADMISSION, plural: 'mutatingwebhookconfigurations' };
const VALIDATING = { ...ADMISSION, plural: 'validatingwebhookconfigurations' };
const WHOM = 'greeter.example.com/whom';

/** The operator of the guide, from the very file its readers see. */
async function loadGreeter(): Promise<(options: ManagerOptions) => Manager> {
  const path = '../../docs/guide/greeter.ts';
  const loaded = (await import(/* @vite-ignore */ path)) as { greeter: (options: ManagerOptions) => Manager };
  return loaded.greeter;
}

async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const clock = systemClock();
  const deadline = clock.monotonic() + 15_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (clock.monotonic() > deadline) throw new Error(`never came true: ${what}`);
    await sleep(clock, 20);
  }
}

/** What the runtime must do beside any server. */
export function tellRuntimeStories(server: string, connect: () => Promise<Transport>): void {
  describe(`the controller runtime beside ${server}`, () => {
    const namespace = `runtime-${Buffer.from(systemRandom().bytes(4)).toString('hex')}`;
    let transport: Transport;
    let client: Client;

    const configMap = (name: string, more: JsonObject = {}, metadata: KubeObject['metadata'] = {}): KubeObject => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, ...metadata },
      ...more,
    });
    const text = async (name: string): Promise<unknown> => {
      const found = await client.get(CONFIG_MAPS, name, { namespace }).catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
      return (found?.['data'] as { text?: string } | undefined)?.text;
    };
    const start = (manager: Manager): (() => Promise<void>) => {
      const stop = new AbortController();
      const running = manager.run(stop.signal);
      running.catch(() => {});
      return () => {
        stop.abort();
        return running;
      };
    };
    const cache = { selectionOf: () => ({ namespace }) };

    beforeAll(async () => {
      transport = await connect();
      client = new Client(transport);
      await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    });

    afterAll(async () => {
      await client.delete(NAMESPACES, namespace);
    });

    it('greets, as the operator of the guide does', async () => {
      const greeter = await loadGreeter();
      await client.create(CONFIG_MAPS, configMap('before', {}, { annotations: { [WHOM]: 'early' } }));
      const stop = start(greeter({ transport, cache }));
      await eventually('what was there is greeted', () => says('before-greeting', 'Hello, early!'));
      const created = await client.create(CONFIG_MAPS, configMap('a', {}, { annotations: { [WHOM]: 'world' } }));
      await eventually('what comes is greeted', () => says('a-greeting', 'Hello, world!'));
      const greeting = await client.get(CONFIG_MAPS, 'a-greeting', { namespace });
      expect(greeting.metadata.ownerReferences).toEqual([
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: 'a',
          uid: created.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ]);
      const value = { metadata: { annotations: { [WHOM]: 'moon' } } };
      await client.patch(CONFIG_MAPS, 'a', { type: 'merge', value }, { namespace });
      await eventually('what changes is greeted anew', () => says('a-greeting', 'Hello, moon!'));
      await client.delete(CONFIG_MAPS, 'a-greeting', { namespace });
      await eventually('what was taken away comes back', () => says('a-greeting', 'Hello, moon!'));
      await stop();
    });

    it('hands work over from one leader to the next', async () => {
      const greeter = await loadGreeter();
      const lead = (identity: string): (() => Promise<void>) =>
        start(
          greeter({ transport, cache, leaderElection: { namespace, name: 'greeter', identity, retryPeriodMs: 200 } }),
        );
      const stopFirst = lead('first');
      await client.create(CONFIG_MAPS, configMap('b', {}, { annotations: { [WHOM]: 'one' } }));
      await eventually('the first greets', () => says('b-greeting', 'Hello, one!'));
      const stopSecond = lead('second');
      await stopFirst();
      const value = { metadata: { annotations: { [WHOM]: 'two' } } };
      await client.patch(CONFIG_MAPS, 'b', { type: 'merge', value }, { namespace });
      await eventually('the second greets', () => says('b-greeting', 'Hello, two!'));
      const leases = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true };
      expect(await client.get(leases, 'greeter', { namespace })).toMatchObject({
        spec: { holderIdentity: 'second', leaseDurationSeconds: 15, leaseTransitions: 1 },
      });
      await stopSecond();
    });

    it('changes and refuses by webhooks', async () => {
      const hooks = await startHooks(transport);
      const selector = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } };
      const configuration = (kind: string, path: string): KubeObject => ({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: `${kind}WebhookConfiguration`,
        metadata: { name: namespace },
        webhooks: [
          {
            name: 'hook.example.com',
            clientConfig: { url: `${hooks.url}${path}`, caBundle: hooks.caBundle },
            rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
            ...selector,
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      });
      try {
        await client.create(MUTATING, configuration('Mutating', '/mutate'));
        await client.create(VALIDATING, configuration('Validating', '/validate'));
        const changed = await eventually('the webhook is called', async () => {
          const warnings: string[] = [];
          const warned = new Client(transport, { onWarning: (warning) => warnings.push(warning) });
          const object = await warned.create(
            CONFIG_MAPS,
            configMap('', {}, { generateName: 'hooked-', name: undefined as never }),
          );
          return object['data'] === undefined ? undefined : { data: object['data'], warnings };
        });
        expect(changed).toEqual({ data: { hook: 'was here' }, warnings: ['mind the hook'] });
        await expect(client.create(CONFIG_MAPS, configMap('bad'))).rejects.toMatchObject({
          status: {
            code: 403,
            message: 'admission webhook "hook.example.com" denied the request: bad is no name',
          },
        });
      } finally {
        await client.delete(MUTATING, namespace).catch(() => {});
        await client.delete(VALIDATING, namespace).catch(() => {});
        await hooks.stop();
      }
    });

    async function says(name: string, words: string): Promise<true | undefined> {
      return (await text(name)) === words ? true : undefined;
    }
  });
}

interface Hooks {
  readonly url: string;
  readonly caBundle: string;
  stop(): Promise<void>;
}

/** A manager that serves webhooks and nothing else. */
async function startHooks(transport: Transport): Promise<Hooks> {
  const manager = new Manager({ transport });
  const authority = createAuthority({ commonName: 'hooks' });
  const pair = authority.issueServing({ commonName: 'hooks', ipAddresses: ['127.0.0.1'] });
  const { clock, logger, metrics } = manager;
  const certificate = { current: pair, onChange: () => {} };
  const server = new WebhookServer({ port: 0, certificate, clock, logger, metrics });
  const kind = { group: '', kind: 'ConfigMap' };
  server.mutating('/mutate', {
    for: kind,
    mutate: (object, context) => {
      context.warn('mind the hook');
      object['data'] = { hook: 'was here' };
    },
  });
  server.validating('/validate', {
    for: kind,
    validate: ({ object }) => {
      if (object?.metadata.name === 'bad') throw new Error('bad is no name');
    },
  });
  manager.add(server, 'webhook');
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  const url = await server.ready();
  return {
    url,
    caBundle: Buffer.from(authority.certPem).toString('base64'),
    stop: () => {
      stop.abort();
      return running;
    },
  };
}
