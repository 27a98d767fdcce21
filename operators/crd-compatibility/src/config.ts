import { BadUsage } from '@capstan/kube';
import type { COMMON_FLAGS, FlagKinds, FlagValues } from '@capstan/kube';

/** Flags of the checker, besides those of all operators. */
export const CHECKER_FLAGS = {
  'shutdown-delay': 'duration',
  'static-webhook': 'boolean',
  'webhook-ca-file': 'string',
  'webhook-host': 'string',
  'webhook-service': 'string',
  'webhook-url': 'string',
} as const satisfies FlagKinds;

/** What the flags come to. */
export interface CheckerSettings {
  /** Port of the webhooks. */
  readonly port: number;
  readonly host: string;
  readonly certFile: string;
  readonly keyFile: string;
  /** How API servers reach the webhooks; undefined: where this program listens. */
  readonly reach:
    | { readonly service: { readonly namespace: string; readonly name: string; readonly port: number } }
    | { readonly url: string | undefined };
  /** PEM file of who vouches for the certificate; undefined: the service CA puts it into the configurations. */
  readonly caFile: string | undefined;
  /** Whether CRDs and requirements are checked. */
  readonly hasStaticWebhook: boolean;
  /** How long requests are still answered after the end was asked for: servers go on asking for a while. */
  readonly shutdownDelayMs: number;
}

const WEBHOOK_PORT = 9443;
const SERVICE_PORT = 443;
const SHUTDOWN_DELAY_MS = 5000;

type Flags = FlagValues<typeof COMMON_FLAGS & typeof CHECKER_FLAGS>;

/** Reads the flags; the only place that does. Throws {@link BadUsage}. */
export function settingsFrom({
  flags,
  namespace,
}: {
  readonly flags: Flags;
  readonly namespace: string;
}): CheckerSettings {
  const { 'webhook-service': service, 'webhook-url': url } = flags;
  if (service !== undefined && url !== undefined)
    throw new BadUsage('--webhook-service and --webhook-url exclude each other');
  const caFile = flags['webhook-ca-file'];
  if (service === undefined && caFile === undefined)
    throw new BadUsage('--webhook-ca-file is needed where no --webhook-service is named');
  const folder = flags['webhook-cert-dir'];
  if (folder === undefined) throw new BadUsage('--webhook-cert-dir is needed: a folder of tls.crt and tls.key');
  return {
    port: flags['webhook-port'] ?? WEBHOOK_PORT,
    host: flags['webhook-host'] ?? '0.0.0.0',
    certFile: `${folder}/tls.crt`,
    keyFile: `${folder}/tls.key`,
    reach: service === undefined ? { url } : { service: serviceOf(service, namespace) },
    caFile,
    hasStaticWebhook: flags['static-webhook'] ?? true,
    shutdownDelayMs: flags['shutdown-delay'] ?? SHUTDOWN_DELAY_MS,
  };
}

/** `name`, `namespace/name`, either with `:port`. */
function serviceOf(text: string, namespace: string): { namespace: string; name: string; port: number } {
  const [, space, name, port] = /^(?:([a-z0-9.-]+)\/)?([a-z0-9-]+)(?::(\d+))?$/.exec(text) ?? [];
  if (name === undefined) throw new BadUsage(`--webhook-service: "${text}" is not of the form [namespace/]name[:port]`);
  return { namespace: space ?? namespace, name, port: port === undefined ? SERVICE_PORT : Number(port) };
}
