import { expect } from 'vitest';
import { ALLOWED, startHookServer, type HookReply, type HookServer } from '../../src/hook-server.js';
import { CONFIG_MAPS, configMap } from '../objects.js';
import type { Scenario } from '../scenario.js';
import type { Session } from '../session.js';

const CONFIGURATIONS = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};
const PROBE_LIMIT = 200;

/** A webhook for config maps of the scenario; its answer can be changed. */
interface Watchman {
  reply: HookReply;
  readonly server: HookServer;
}

/** Runs with a webhook that is in force: a real server sees configurations a moment later. */
async function withWatchman(
  k: Session,
  failurePolicy: string,
  run: (watchman: Watchman) => Promise<void>,
): Promise<void> {
  let isAsked = false;
  const answer: { reply: HookReply } = { reply: ALLOWED };
  const server = await startHookServer(() => () => {
    isAsked = true;
    return answer.reply;
  });
  const watchman: Watchman = Object.assign(answer, { server });
  const webhook = {
    name: `watchman.${k.namespace}.io`,
    clientConfig: { url: `${server.url}/watch`, caBundle: server.caBundle },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] }],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': k.namespace } },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    failurePolicy,
  };
  const { group, version } = CONFIGURATIONS;
  await k.create(CONFIGURATIONS, {
    apiVersion: `${group}/${version}`,
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: k.namespace },
    webhooks: [webhook],
  });
  try {
    for (let at = 0; at < PROBE_LIMIT && !isAsked; at += 1)
      await k.create(CONFIG_MAPS, configMap(`${failurePolicy.toLowerCase()}-${at}`, {}));
    expect(isAsked).toBe(true);
    await run(watchman);
  } finally {
    await k.client.delete(CONFIGURATIONS, k.namespace);
    await server.close();
  }
}

/** What kubectl shows of admission webhooks. */
export const webhookScenarios: readonly Scenario[] = [
  {
    name: 'apply prints the warnings of webhooks, and their refusals',
    run: (k) =>
      withWatchman(k, 'Fail', async (watchman) => {
        const file = k.file('one.json', [configMap('one', { a: '1' })]);
        watchman.reply = { response: { allowed: true, warnings: ['mind the gap', 'and the step'] } };
        expect(await k.run(`apply -f ${file}`)).toEqual({
          code: 0,
          stdout: 'configmap/one created\n',
          stderr: 'Warning: mind the gap\nWarning: and the step\n',
        });
        watchman.reply = {
          response: { allowed: false, status: { code: 403, message: 'not on my watch', reason: 'Forbidden' } },
        };
        const refused = 'admission webhook "watchman.<ns>.io" denied the request: not on my watch';
        await k.fails('create configmap two', `error: failed to create configmap: ${refused}\n`);
      }),
  },
  {
    name: 'a webhook that is gone stops writes, unless it may be missed',
    run: async (k) => {
      await withWatchman(k, 'Fail', async ({ server }) => {
        await server.close();
        const { code, stderr } = await k.run('create configmap stopped');
        expect(code).toBe(1);
        const words = `failed calling webhook "watchman.<ns>.io": failed to call webhook: Post "${server.url}/watch?timeout=10s": dial tcp ${server.url.slice(8)}: connect: connection refused`;
        expect(stderr).toBe(`error: failed to create configmap: Internal error occurred: ${words}\n`);
      });
      await withWatchman(k, 'Ignore', async ({ server }) => {
        await server.close();
        await k.prints('create configmap passed', 'configmap/passed created\n');
      });
    },
  },
];
