import type { JsonObject } from '@capstan/meta';
import { ALLOWED, startHookServer, type HookHandler, type HookReply, type HookServer } from '../hook-server.js';
import { eventually } from './crds.js';
import type { Session } from './session.js';

/** One webhook of a configuration. */
export interface Hook {
  /** `name.{ns}.io`. */
  readonly name: string;
  readonly handle: HookHandler;
  /** What of it is not as usual; the usual hook is told of creates, updates and deletes of config maps of the test. */
  readonly fields?: JsonObject;
}

const handlers = new Map<string, HookHandler>();
let starting: Promise<HookServer> | undefined;

/** Where a webhook of this process is. */
export async function clientConfig(path: string): Promise<JsonObject> {
  const { url, caBundle } = await (starting ??= startHookServer((asked) => handlers.get(asked)));
  return { url: `${url}${path}`, caBundle };
}

const PLURALS = { Mutating: 'mutatingwebhookconfigurations', Validating: 'validatingwebhookconfigurations' } as const;
export const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1';
const PROBE = 'probe';
let probes = 0;

/** What a rule of the usual hook says. */
export const CONFIG_MAP_RULE = {
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['configmaps'],
  operations: ['CREATE', 'UPDATE', 'DELETE'],
};

/**
 * Configures webhooks for the namespace of the test, runs something, and takes them away again. Requests do not reach
 * them before a probe in the same configuration has been asked: a real server learns of configurations a moment later.
 */
export async function withHooks(
  s: Session,
  type: keyof typeof PLURALS,
  hooks: readonly Hook[] | { readonly configuration: string; readonly hooks: readonly Hook[] },
  run: () => Promise<void>,
): Promise<void> {
  const { configuration, hooks: given } = 'hooks' in hooks ? hooks : { configuration: 'conf', hooks };
  const name = `${configuration}-${s.ns}`;
  const id = `p${(probes += 1)}`;
  const isProbed = { value: false };
  const probe: Hook = {
    name: PROBE,
    handle: () => {
      isProbed.value = true;
      return ALLOWED;
    },
    fields: { objectSelector: { matchLabels: { [PROBE]: id } } },
  };
  const paths: string[] = [];
  const webhooks: JsonObject[] = [];
  for (const hook of [probe, ...given]) {
    const path = `/${s.ns}/${configuration}/${type}/${hook.name}`;
    handlers.set(path, hook.handle);
    paths.push(path);
    webhooks.push({
      name: `${hook.name}.${s.ns}.io`,
      clientConfig: await clientConfig(path),
      rules: [CONFIG_MAP_RULE],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': s.ns } },
      objectSelector: { matchExpressions: [{ key: PROBE, operator: 'DoesNotExist' }] },
      ...hook.fields,
    });
  }
  const collection = `${WEBHOOKS}/${PLURALS[type]}`;
  const kind = `${type}WebhookConfiguration`;
  const body = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, webhooks };
  const created = await s.quiet('POST', collection, { body });
  if (created.status !== 201) throw new Error(`could not configure: ${created.text}`);
  try {
    const probed = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { generateName: 'probe-', labels: { [PROBE]: id } },
    };
    await eventually(async () => {
      await s.quiet('POST', `/api/v1/namespaces/${s.ns}/configmaps?dryRun=All`, { body: probed });
      return isProbed.value;
    }, 'a call of the webhook');
    await run();
  } finally {
    await s.quiet('DELETE', `${collection}/${name}`);
    for (const path of paths) handlers.delete(path);
  }
}

/** Writes down what a webhook is asked, and answers as told. */
export function noting(s: Session, title: string, reply: HookReply | HookHandler = ALLOWED): HookHandler {
  return (request, review) => {
    const { uid: _uid, ...rest } = request;
    s.remark(title, rest);
    return typeof reply === 'function' ? reply(request, review) : reply;
  };
}
