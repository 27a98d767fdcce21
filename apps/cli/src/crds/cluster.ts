import { pushAll } from '@capstan/meta';
import { apply, Client, errorText, HttpTransport, loadConnection } from '@capstan/kube';
import type { ClientOptions, ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { GroupMapping } from '@capstan/translate';
import { isStandardName, standardAdmission } from '@capstan/translate/mirror';
import type { SourceObject } from '@capstan/translate/mirror';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';

const DEFINITIONS: ResourceRef = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const ADMISSION = ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'];
/** Whose fields private CRDs are, whichever command applies them: a second one must not conflict with the first. */
export const MIRROR_FIELD_OWNER = 'capstan-crds-mirror';
const TIMEOUT_MS = 30_000;

/** Does something with the cluster that the options name. */
export async function withCluster<T>(
  { context, kubeconfig }: ClusterOptions,
  { env }: Io,
  use: (client: Client) => Promise<T>,
  clientOptions: Pick<ClientOptions, 'onWarning'> = {},
): Promise<T> {
  const connection = await loadConnection({ path: kubeconfig, context, env, home: env['HOME'] });
  const transport = new HttpTransport(connection, { requestTimeoutMs: TIMEOUT_MS, connectTimeoutMs: TIMEOUT_MS });
  try {
    return await use(new Client(transport, clientOptions));
  } finally {
    await transport.close();
  }
}

/** The CRDs of standard kinds that a cluster has. */
export async function readFromCluster(client: Client, mapping: GroupMapping): Promise<SourceObject[]> {
  const { items } = await client.list(DEFINITIONS);
  const standard = items.filter(({ metadata: { name = '' } }) => isStandardName(name, mapping));
  if (standard.length === 0)
    throw new CliError(
      'the cluster has no CRDs of Cluster API',
      'name files of them with -f, or another cluster with --context',
    );
  // Servers omit apiVersion and kind from the items of a list.
  return standard.map((object) => ({
    object: { ...object, apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    where: 'the cluster',
  }));
}

/** What to say of webhooks that standard kinds are sent to and private ones will not be. */
export async function admissionWarnings(client: Client, mapping: GroupMapping): Promise<string[]> {
  const configurations: KubeObject[] = [];
  for (const plural of ADMISSION) {
    try {
      const kind = plural.startsWith('v') ? 'ValidatingWebhookConfiguration' : 'MutatingWebhookConfiguration';
      const ref = { group: 'admissionregistration.k8s.io', version: 'v1', plural, namespaced: false };
      const { items } = await client.list(ref);
      pushAll(
        configurations,
        items.map((item) => ({ ...item, kind })),
      );
    } catch (error) {
      return [`whether the cluster has admission webhooks for Cluster API could not be seen: ${errorText(error)}`];
    }
  }
  return standardAdmission(configurations, mapping).map(
    ({ groups, kind, name }) =>
      `${kind} ${name} is for ${groups.join(', ')}: objects of the private groups are not sent to it`,
  );
}

/** How private CRDs are applied. */
export interface ApplyOptions {
  readonly dryRun?: boolean | undefined;
  readonly forceConflicts?: boolean | undefined;
}

/** Applies one private CRD. */
export async function applyPrivateCrd(client: Client, privateCrd: KubeObject, options: ApplyOptions): Promise<void> {
  await apply(client, DEFINITIONS, privateCrd, {
    fieldOwner: MIRROR_FIELD_OWNER,
    force: options.forceConflicts === true,
    ...(options.dryRun === true ? { dryRun: true } : {}),
  });
}
