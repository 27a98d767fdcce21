import { gunzipSync } from 'node:zlib';
import { defineOperator, Manager } from '@capstan/kube';
import type { OperatorDefinition } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { ReleaseProvider } from '@capstan/release';
import { bootstrapUserData } from '../guests/user-data.js';
import type { IgnitionServers } from './ignition.js';

interface Secret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const SECRETS = { group: '', version: 'v1', plural: 'secrets', namespaced: true, kind: 'Secret' };
const IS_TOKEN = 'hypershift.openshift.io/ignition-config';
const UPGRADE_TYPE = 'hypershift.openshift.io/node-pool-upgrade-type';
const REACHED = 'hypershift.openshift.io/ignition-reached';
/** Finds Secrets by the tokens they are for. */
const TOKEN_INDEX = 'token';
const BOOTSTRAP = 'bootstrap-kubeconfig';
const PULL_SECRET = 'pull-secret';
const FLAGS = {
  'cert-file': 'string',
  'key-file': 'string',
  platform: 'string',
  'registry-overrides': 'string',
  'work-dir': 'string',
} as const;

export interface IgnitionParts {
  readonly servers: IgnitionServers;
  readonly releases: ReleaseProvider;
}

/** Serves machines their configuration for the token in their user data; stands in for HyperShift's ignition server. */
export function ignitionServer({ releases, servers }: IgnitionParts): OperatorDefinition<typeof FLAGS> {
  return defineOperator({
    name: 'ignition-server',
    flags: FLAGS,
    build: ({ namespace, options }) => {
      const manager = new Manager({
        ...options,
        leaderElection: undefined,
        cache: { selectionOf: () => ({ namespace }) },
      });
      manager.cache.addIndexer<Secret>(SECRETS, TOKEN_INDEX, tokensOf);
      const secrets = manager.cache.informer<Secret>(SECRETS);
      const valueOf = (name: string, key: string): string | undefined => {
        const found = secrets.store.get(`${namespace}/${name}`)?.data?.[key];
        return found === undefined ? undefined : decoded(found);
      };
      const answer = async (token: string): Promise<string | undefined> => {
        const [secret] = secrets.store.byIndex(TOKEN_INDEX, token);
        const kubeconfig = valueOf(BOOTSTRAP, 'kubeconfig');
        if (secret === undefined || kubeconfig === undefined) return undefined;
        const { kubernetesVersion, version } = await releases.lookup(
          decoded(secret.data?.['release'] ?? ''),
          valueOf(PULL_SECRET, '.dockerconfigjson'),
        );
        await reached(manager, secret);
        const config = (secret.metadata.name ?? '').split('-').at(-1) ?? '';
        const isReplaced = secret.metadata.annotations?.[UPGRADE_TYPE] === 'Replace';
        return bootstrapUserData(kubeconfig, {
          config,
          release: version,
          kubelet: `v${kubernetesVersion}`,
          ...(isReplaced ? { isReplaced } : {}),
        });
      };
      manager
        .controller({
          name: 'token',
          reconcile: ({ name }) => markGenerated(manager, secrets.store.get(`${namespace}/${name}`)),
        })
        .for<Secret>(SECRETS, { predicates: [({ object }) => isToken(object)] });
      manager.add({
        name: 'ignition',
        run: async (signal) => {
          const forget = servers.add(`ignition-server.${namespace}.svc`, answer);
          await new Promise<void>((resolve) => {
            if (signal.aborted) resolve();
            signal.addEventListener('abort', () => resolve(), { once: true });
          });
          forget();
        },
      });
      return manager;
    },
  });
}

function isToken({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[IS_TOKEN] === 'true';
}

/** The token that a Secret is for. */
function tokensOf(secret: Secret): readonly string[] {
  return isToken(secret) ? [decoded(secret.data?.['token'] ?? '')] : [];
}

/** Reports, once, that the payload of a token can be served. */
async function markGenerated({ client }: Manager, secret: Secret | undefined): Promise<undefined> {
  if (secret === undefined || secret.data?.['reason'] !== undefined) return;
  const { deletionTimestamp, name = '', namespace } = secret.metadata;
  if (deletionTimestamp !== undefined) return;
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  const value = { data: { reason: encoded('AsExpected'), message: encoded('Payload generated successfully') } };
  await client.patch(SECRETS, name, { type: 'merge', value }, { namespace });
}

/** Reports, once, that an instance has fetched its payload. */
async function reached({ client }: Manager, { metadata }: Secret): Promise<void> {
  if (metadata.annotations?.[REACHED] === 'true') return;
  const value = { metadata: { annotations: { [REACHED]: 'true' } } };
  await client.patch(SECRETS, metadata.name ?? '', { type: 'merge', value }, { namespace: metadata.namespace });
}

/** User data of a machine has a few MB at most. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

function decoded(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  return (
    bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }) : bytes
  ).toString('utf8');
}
