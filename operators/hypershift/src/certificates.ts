import { Converger, ensureServingSecret } from '@capstan/kube';
import type { Client, Controller, Logger, Manager, ServingPlace, Source } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { Clock, KubeObject } from '@capstan/meta';
import { VALIDATING_WEBHOOKS } from './kinds.js';
import { operatorName, servingSecretOf, webhookNameOf } from './manifests/names.js';

export interface CertificatesOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of the operators and the shim. */
  readonly namespace: string;
  /** Of a shard: its certificate alone is renewed. */
  readonly scope?: string | undefined;
  /** The Service of the shim and the Secret of its certificate, where the program knows them. */
  readonly shim?: { readonly service: string; readonly secret: string } | undefined;
}

interface Configuration extends KubeObject {
  readonly webhooks?: readonly {
    readonly clientConfig: { readonly caBundle?: string; readonly [field: string]: unknown };
    readonly [field: string]: unknown;
  }[];
}

const REQUEST = { namespace: '', name: 'all' } as const;
/** As long as a new CA is in bundles before it issues: an hour. */
const LOOK_AGAIN_MS = 3_600_000;
const ONCE: Source = {
  name: 'start',
  start: (emit) => {
    emit({ type: 'generic', object: { apiVersion: 'v1', kind: 'Start', metadata: { name: REQUEST.name } } });
    return Promise.resolve();
  },
};

/** Renews the certificates that install has created where the cluster has no service CA, of both operators and the shim. */
export function addCertificatesController(manager: Manager, options: CertificatesOptions): Controller {
  return manager
    .controller({
      name: 'Certificates',
      maxConcurrent: 1,
      reconcile: async (_, { signal }) => {
        await renewCertificates(options, signal);
        return { requeueAfterMs: LOOK_AGAIN_MS };
      },
    })
    .from(ONCE, () => [REQUEST]);
}

/** One look at all of them. The CA of the shim is put into the private CRDs by the controller that restores them. */
export async function renewCertificates(options: CertificatesOptions, signal: AbortSignal): Promise<void> {
  const { namespace, scope, shim } = options;
  const modes = scope === undefined ? (['private', 'legacy'] as const) : (['standard'] as const);
  for (const mode of modes) {
    const place = { namespace, service: operatorName(mode, scope), secret: servingSecretOf(mode, scope) };
    const caBundle = await renew(options, place, signal);
    if (caBundle !== undefined) await trust(options.client, webhookNameOf(mode, scope), caBundle, signal);
  }
  if (shim !== undefined) await renew(options, { namespace, ...shim }, signal);
}

async function renew(
  { client, clock, logger }: CertificatesOptions,
  place: ServingPlace,
  signal: AbortSignal,
): Promise<string | undefined> {
  const done = await ensureServingSecret(client, place, { now: clock.now(), onlyExisting: true, signal });
  if (done?.outcome === 'renewed')
    logger.info('Serving certificate renewed', { namespace: place.namespace, secret: place.secret });
  return done?.caBundle;
}

/** Puts a bundle where another one is: where none is, the service CA injects its own. */
async function trust(client: Client, name: string, caBundle: string, signal: AbortSignal): Promise<void> {
  const before = await client.get<Configuration>(VALIDATING_WEBHOOKS, name, { signal }).catch(ignoreNotFound);
  if (before === undefined) return;
  const webhooks = before.webhooks?.map((each) =>
    each.clientConfig.caBundle === undefined ? each : { ...each, clientConfig: { ...each.clientConfig, caBundle } },
  );
  const after = { ...before, ...(webhooks === undefined ? {} : { webhooks }) };
  await new Converger({ client, signal }).patch(VALIDATING_WEBHOOKS, before, after);
}
