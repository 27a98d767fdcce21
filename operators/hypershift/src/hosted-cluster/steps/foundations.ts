import { DISABLE_MACHINES_ANNOTATION } from '@capstan/hosting';
import { pushAll } from '@capstan/meta';
import { createCa, SHARED } from '@capstan/kube';
import type { PolicyRule } from '@capstan/provider';
import type { HostingPlatform, ProviderProgram } from '@capstan/provider';
import { CLUSTER_ROLES, CONFIG_MAPS, NAMESPACES, SECRETS } from '../../kinds.js';
import { copyOf } from '../desired/copies.js';
import { account, definitionBinding, definitionReaders } from '../desired/accounts.js';
import { controlPlaneNamespaceObject } from '../desired/namespace.js';
import { CAPI_PROVIDER, CLUSTER_API, CONTROL_PLANE_OPERATOR, WEBHOOK_SECRET } from '../desired/own-components.js';
import { clusterApiRules, controlPlaneOperatorRules, providerRules } from '../desired/rules.js';
import { copiesOf } from '../references.js';
import { inputsOf } from '../state.js';
import type { State } from '../state.js';

/** The control plane namespace, whose owner was checked before. */
export async function namespace(state: State): Promise<void> {
  await state.converger.ensure(NAMESPACES, controlPlaneNamespaceObject(state.hostedCluster, state.namespace));
}

/** Copies the objects that the spec names to the control plane namespace. */
export async function copies({ hostedCluster, namespace: to, snapshot, converger }: State): Promise<void> {
  for (const { as, kind, name } of copiesOf(hostedCluster)) {
    const source = snapshot.sources.get(`${kind} ${name}`);
    if (source === undefined) continue;
    await converger.ensure(kind === 'Secret' ? SECRETS : CONFIG_MAPS, copyOf(source, { name: as, namespace: to }));
  }
}

/** The Cluster API provider of the platform; undefined where machine management is disabled. */
export function programOf(state: State): ProviderProgram | undefined {
  const { annotations = {} } = state.hostedCluster.metadata;
  if (Object.hasOwn(annotations, DISABLE_MACHINES_ANNOTATION)) return undefined;
  return state.platform?.program?.(inputsOf(state));
}

/** Whether Cluster API runs for a cluster. */
export function hasClusterApi({ hostedCluster, platform }: State): boolean {
  const { annotations = {} } = hostedCluster.metadata;
  return platform?.cluster !== undefined && !Object.hasOwn(annotations, DISABLE_MACHINES_ANNOTATION);
}

/** ServiceAccounts of the components, and their permissions. */
export async function accounts(state: State): Promise<void> {
  const { namespace: at, platform, converger } = state;
  if (platform === undefined) return;
  const program = programOf(state);
  const granted = grantedRules(state, platform, program);
  const wanted = [...account(CONTROL_PLANE_OPERATOR, at, controlPlaneOperatorRules(platform, granted))];
  const readers: string[] = [];
  if (hasClusterApi(state)) {
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
  await webhookCertificate(state);
}

/** Permissions that the control plane operator grants to components of the platform, and so must have itself. */
function grantedRules(
  state: State,
  platform: HostingPlatform,
  program: ProviderProgram | undefined,
): readonly PolicyRule[] {
  const { controlPlane, namespace: at } = state;
  const infraID = state.hostedCluster.spec?.infraID ?? '';
  const components =
    controlPlane === undefined ? [] : platform.components({ controlPlane, controlPlaneNamespace: at, infraID });
  return [...(program?.rules ?? []), ...components.flatMap(({ rules = [] }) => rules)];
}

/** The manager of Cluster API does not start without a certificate for its webhooks. */
async function webhookCertificate({
  namespace: at,
  dependencies: { clock, drawsKeys, random },
  converger,
}: State): Promise<void> {
  await converger.ensureExists(SECRETS, {
    metadata: { name: WEBHOOK_SECRET, namespace: at },
    make: () => {
      const keyOf = (what: string) => (drawsKeys ? random.split(`${at} ${WEBHOOK_SECRET} ${what}`) : undefined);
      const common = { commonName: WEBHOOK_SECRET, now: clock.now(), random };
      const { certPem, keyPem } = createCa({ ...common, keyFrom: keyOf('ca') }).issueServing({
        ...common,
        keyFrom: keyOf('serving'),
        dnsNames: [`capi-webhooks.${at}.svc`],
      });
      const encoded = (text: string): string => Buffer.from(text).toString('base64');
      return { type: 'Opaque', data: { 'tls.crt': encoded(certPem), 'tls.key': encoded(keyPem) } };
    },
  });
}
