import { DISABLE_MACHINES_ANNOTATION } from '@capstan/hosting';
import { pushAll } from '@capstan/meta';
import { createAuthority, SHARED } from '@capstan/kube';
import type { PolicyRule } from '@capstan/provider';
import type { HostingPlatform, ProviderProgram } from '@capstan/provider';
import { CLUSTER_ROLES, CONFIG_MAPS, NAMESPACES, SECRETS } from '../../kinds.js';
import { copyOf } from '../desired/copies.js';
import { account, definitionBinding, definitionReaders } from '../desired/accounts.js';
import { controlPlaneNamespaceObject } from '../desired/namespace.js';
import { CAPI_PROVIDER, CLUSTER_API, CONTROL_PLANE_OPERATOR, WEBHOOK_SECRET } from '../desired/programs.js';
import { clusterApiRules, controlPlaneOperatorRules, providerRules } from '../desired/rules.js';
import { copiesOf } from '../references.js';
import { inputsOf } from '../scope.js';
import type { Scope } from '../scope.js';

/** The control plane namespace. Whose it is was looked at before. */
export async function namespace(scope: Scope): Promise<void> {
  await scope.converger.ensure(NAMESPACES, controlPlaneNamespaceObject(scope.hostedCluster, scope.namespace));
}

/** What the spec names beside the cluster, brought to where the control plane can read it. */
export async function copies({ hostedCluster, namespace: to, seen, converger }: Scope): Promise<void> {
  for (const { as, kind, name } of copiesOf(hostedCluster)) {
    const source = seen.sources.get(`${kind} ${name}`);
    if (source === undefined) continue;
    await converger.ensure(kind === 'Secret' ? SECRETS : CONFIG_MAPS, copyOf(source, { name: as, namespace: to }));
  }
}

/** The program of a platform, where machines are made at all. */
export function programOf(scope: Scope): ProviderProgram | undefined {
  const { annotations = {} } = scope.hostedCluster.metadata;
  if (Object.hasOwn(annotations, DISABLE_MACHINES_ANNOTATION)) return undefined;
  return scope.platform?.program?.(inputsOf(scope));
}

/** Whether Cluster API runs for a cluster. */
export function hasClusterApi({ hostedCluster, platform }: Scope): boolean {
  const { annotations = {} } = hostedCluster.metadata;
  return platform?.cluster !== undefined && !Object.hasOwn(annotations, DISABLE_MACHINES_ANNOTATION);
}

/** Accounts of the programs, and what they may do. */
export async function accounts(scope: Scope): Promise<void> {
  const { namespace: at, platform, converger } = scope;
  if (platform === undefined) return;
  const program = programOf(scope);
  const granted = grantedRules(scope, platform, program);
  const wanted = [...account(CONTROL_PLANE_OPERATOR, at, controlPlaneOperatorRules(platform, granted))];
  const readers: string[] = [];
  if (hasClusterApi(scope)) {
    pushAll(wanted, account(CLUSTER_API, at, clusterApiRules(platform)));
    readers.push(CLUSTER_API);
  }
  if (program !== undefined) {
    pushAll(wanted, account(CAPI_PROVIDER, at, providerRules(platform, program.rules)));
    readers.push(CAPI_PROVIDER);
  }
  for (const [kind, object] of wanted) await converger.ensure(kind, object);
  if (readers.length === 0) return;
  await converger.ensure(CLUSTER_ROLES, definitionReaders(), SHARED);
  await converger.ensure(...definitionBinding(at, readers));
  await webhookCertificate(scope);
}

/** What the control plane operator passes on to components of the platform: nobody can grant what they may not do. */
function grantedRules(
  scope: Scope,
  platform: HostingPlatform,
  program: ProviderProgram | undefined,
): readonly PolicyRule[] {
  const { controlPlane, namespace: at } = scope;
  const infraID = scope.hostedCluster.spec?.infraID ?? '';
  const components =
    controlPlane === undefined ? [] : platform.components({ controlPlane, controlPlaneNamespace: at, infraID });
  return [...(program?.rules ?? []), ...components.flatMap(({ rules = [] }) => rules)];
}

/** The manager of Cluster API does not start without a certificate for its webhooks. */
async function webhookCertificate({
  namespace: at,
  parts: { clock, drawsKeys, random },
  converger,
}: Scope): Promise<void> {
  await converger.ensureExists(SECRETS, {
    metadata: { name: WEBHOOK_SECRET, namespace: at },
    make: () => {
      const keyOf = (what: string) => (drawsKeys ? random.split(`${at} ${WEBHOOK_SECRET} ${what}`) : undefined);
      const common = { commonName: WEBHOOK_SECRET, now: clock.now(), random };
      const { certPem, keyPem } = createAuthority({ ...common, keyFrom: keyOf('authority') }).issueServing({
        ...common,
        keyFrom: keyOf('serving'),
        dnsNames: [`capi-webhooks.${at}.svc`],
      });
      const encoded = (text: string): string => Buffer.from(text).toString('base64');
      return { type: 'Opaque', data: { 'tls.crt': encoded(certPem), 'tls.key': encoded(keyPem) } };
    },
  });
}
