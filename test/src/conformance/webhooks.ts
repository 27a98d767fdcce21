import type { JsonObject } from '@capstan/meta';
import { ALLOWED, startHookServer, type HookHandler, type HookReply, type HookServer } from '../hook-server.js';
import { cached } from './objects.js';
import type { Answer, Session } from './session.js';
import { eventually, SERVER_LIMITS } from '../wait.js';

/** One webhook of a configuration. */
export interface Hook {
  /** `name.{ns}.io`. */
  readonly name: string;
  readonly handle: HookHandler;
  /** Fields that differ from the usual hook, which gets creates, updates and deletes of config maps of the test. */
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

/** The rule of the usual hook. */
export const CONFIG_MAP_RULE = {
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['configmaps'],
  operations: ['CREATE', 'UPDATE', 'DELETE'],
};

/** The resource of a path, whatever of it is named. */
const COLLECTION = /^(?:\/api\/v1|\/apis\/[^/?]+\/[^/?]+)(?:\/namespaces\/[^/?]+(?=\/))?\/[^/?]+/;

/**
 * A real server tries a write on what its cache has, and again when that was out of date. Webhooks are called each time,
 * so a test that counts the calls must not write before the cache has seen the last write.
 */
async function follow(s: Session, method: string, target: string, { body, status }: Answer): Promise<void> {
  const { items, metadata } = body as { items?: unknown; metadata?: { resourceVersion?: string } };
  const version = metadata?.resourceVersion;
  const [collection] = COLLECTION.exec(target) ?? [];
  const isStored = status < 300 && items === undefined && !target.includes('dryRun=') && method !== 'OPTIONS';
  if (isStored && version !== undefined && collection !== undefined) await cached(s, collection, version);
}

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
  if (created.status !== 201) throw new Error(`could not configure ${name}: ${created.text}`);
  const { afterWrite } = s;
  try {
    const probed = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { generateName: 'probe-', labels: { [PROBE]: id } },
    };
    await eventually(
      'a call of the webhook',
      async () => {
        await s.quiet('POST', `/api/v1/namespaces/${s.ns}/configmaps?dryRun=All`, { body: probed });
        return isProbed.value;
      },
      SERVER_LIMITS,
    );
    if (s.backend.kind === 'real') s.afterWrite = (...written) => follow(s, ...written);
    await run();
  } finally {
    s.afterWrite = afterWrite;
    await s.quiet('DELETE', `${collection}/${name}`);
    for (const path of paths) handlers.delete(path);
  }
}

/** Records what a webhook is asked, and gives the answer of the test. */
export function noting(s: Session, title: string, reply: HookReply | HookHandler = ALLOWED): HookHandler {
  return (request, review) => {
    const { uid: _uid, ...rest } = request;
    s.remark(title, rest);
    return typeof reply === 'function' ? reply(request, review) : reply;
  };
}
