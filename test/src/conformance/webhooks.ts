import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '@capstan/kube';
import type { JsonObject } from '@capstan/meta';
import { eventually } from './crds.js';
import type { Session } from './session.js';

/** The request of a review. */
export interface ReviewRequest extends JsonObject {
  uid: string;
  operation: string;
}

/** What a webhook says: the response of the review without its uid, or an answer that is none. */
export type HookReply =
  | { readonly response: JsonObject }
  /** The whole review. */
  | { readonly review: JsonObject | ((request: ReviewRequest) => JsonObject) }
  | { readonly status: number; readonly type?: string; readonly body: string }
  /** Nothing, for as long as the caller waits. */
  | 'silence'
  /** The connection is closed. */
  | 'hang-up';

/** Answers reviews. */
export type HookHandler = (request: ReviewRequest, review: JsonObject) => HookReply | Promise<HookReply>;

export const ALLOWED: HookReply = { response: { allowed: true } };

/** A reply with a JSON patch. */
export function patch(...operations: JsonObject[]): HookReply {
  return { response: { allowed: true, patchType: 'JSONPatch', patch: base64(JSON.stringify(operations)) } };
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** One webhook of a configuration. */
export interface Hook {
  /** `name.{ns}.io`. */
  readonly name: string;
  readonly handle: HookHandler;
  /** What of it is not as usual; the usual hook is told of creates, updates and deletes of config maps of the test. */
  readonly fields?: JsonObject;
}

const authority = createAuthority({ commonName: 'hooks' });
const handlers = new Map<string, HookHandler>();
let starting: Promise<string> | undefined;

/** The one server of all webhooks of this process; it does not keep the process. */
function serverUrl(): Promise<string> {
  starting ??= new Promise((resolve) => {
    const pair = authority.issueServing({ commonName: 'hooks', ipAddresses: ['127.0.0.1'] });
    const server: Server = createServer({ cert: pair.certPem, key: pair.keyPem }, (incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const path = (incoming.url ?? '').replace(/\?.*/, '');
        const review = JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonObject & { request: ReviewRequest };
        const handle = handlers.get(path) ?? ((): HookReply => ({ status: 404, body: 'no such hook' }));
        void Promise.resolve(handle(review.request, review)).then((reply) => {
          if (reply === 'silence') return;
          if (reply === 'hang-up') incoming.socket.destroy();
          else if ('status' in reply)
            response.writeHead(reply.status, { 'content-type': reply.type ?? 'text/plain' }).end(reply.body);
          else
            response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(reply, review)));
        });
      });
    });
    server.unref();
    server.listen(0, '127.0.0.1', () => resolve(`https://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
  return starting;
}

function answer(
  reply: Exclude<HookReply, string | { status: number }>,
  review: JsonObject & { request: ReviewRequest },
): JsonObject {
  if ('review' in reply) return typeof reply.review === 'function' ? reply.review(review.request) : reply.review;
  const { kind, apiVersion, request } = review;
  return { kind, apiVersion, response: { uid: request.uid, ...reply.response } } as JsonObject;
}

/** Where a webhook of this process is. */
export async function clientConfig(path: string): Promise<JsonObject> {
  return { url: `${await serverUrl()}${path}`, caBundle: base64(authority.certPem) };
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
  hooks: readonly Hook[],
  run: () => Promise<void>,
  configuration = 'conf',
): Promise<void> {
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
  for (const hook of [probe, ...hooks]) {
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
