import type { HostedControlPlane } from '@capstan/api/hypershift';
import { endpointText } from '@capstan/hosting';
import { SECRETS } from '../../kinds.js';
import { adminKubeconfig } from '../desired/admin-kubeconfig.js';
import type { Issued } from '../desired/admin-kubeconfig.js';
import { accessSecret } from '../desired/copies.js';
import { kubeadminPassword } from '../desired/kubeadmin-password.js';
import type { Access, State } from '../state.js';
import { dataOf } from '../decide.js';

/** What users get of a control plane, by the fields of its status and of theirs that name it. */
const ACCESS = [
  { field: 'kubeConfig', place: 'kubeconfig', as: 'admin-kubeconfig' },
  { field: 'customKubeconfig', place: 'customKubeconfig', as: 'custom-admin-kubeconfig' },
  { field: 'kubeadminPassword', place: 'kubeadminPassword', as: 'kubeadmin-password' },
] as const;
type Row = (typeof ACCESS)[number];
type Data = Readonly<Record<string, unknown>>;

/** Kubeconfig and password, where users find them. */
export async function access(state: State): Promise<void> {
  const given: Access = {};
  for (const each of ACCESS) {
    const name = `${state.hostedCluster.metadata.name ?? ''}-${each.as}`;
    if (await isGiven(state, each, name)) given[each.place] = { name };
  }
  state.access = given;
}

/** Copies one of them, or deletes the copy when the control plane has none; whether users have it. */
async function isGiven(state: State, row: Row, target: string): Promise<boolean> {
  const { controlPlane: of, hostedCluster, converger } = state;
  const { namespace } = hostedCluster.metadata;
  const { name = '' } = of?.status?.[row.field] ?? {};
  if (name === '') {
    await converger.ensureAbsent(SECRETS, target, namespace);
    return false;
  }
  const data = row.field === 'kubeadminPassword' ? await passwordIn(state, name) : await kubeconfigIn(state, row, name);
  if (data === undefined) return (await converger.find(SECRETS, target, namespace)) !== undefined;
  await converger.ensure(SECRETS, accessSecret(hostedCluster, target, data));
  return true;
}

/** The password of a Secret; undefined while there is none that users may have: then the copy stays. */
async function passwordIn(state: State, name: string): Promise<Data | undefined> {
  const { namespace, converger } = state;
  const secret = await converger.find(SECRETS, name, namespace);
  if (secret === undefined) return undefined;
  const found = kubeadminPassword(secret, `Secret ${namespace}/${name}`);
  if ('password' in found) return found;
  return notCopied(state, found.problem);
}

function notCopied(state: State, problem: string): undefined {
  state.incomplete = `${problem}; it is not copied for users`;
  return undefined;
}

/** The kubeconfig of a Secret; undefined while there is none that the control plane has issued: then the copy stays. */
async function kubeconfigIn(state: State, row: Row, name: string): Promise<Data | undefined> {
  const { controlPlane: of, namespace, converger } = state;
  const source: { readonly name?: string; readonly key?: string } = of?.status?.[row.field] ?? {};
  const secret = await converger.find(SECRETS, name, namespace);
  const text = secret === undefined ? undefined : dataOf(secret, source.key ?? 'kubeconfig');
  if (text === undefined) return undefined;
  const issued = await issuedIn(state, of, row);
  const origin = `Secret ${namespace}/${name}`;
  const found = await adminKubeconfig(text, origin, issued);
  if ('kubeconfig' in found) return { kubeconfig: Buffer.from(found.kubeconfig).toString('base64') };
  return notCopied(state, found.problem);
}

/** What the control plane operator issues kubeconfigs from. */
async function issuedIn(
  { namespace, converger }: State,
  controlPlane: HostedControlPlane | undefined,
  { field }: Row,
): Promise<Issued> {
  const root = await converger.find(SECRETS, 'root-ca', namespace);
  const tokens = await converger.find(SECRETS, 'kas-tokens', namespace);
  return {
    server: serverOf(controlPlane, field === 'customKubeconfig'),
    caPem: root === undefined ? undefined : dataOf(root, 'ca.crt'),
    tokens: tokens === undefined ? undefined : dataOf(tokens, 'tokens.csv'),
  };
}

/** Where the API server is reached: at its endpoint, or at the name that its user gave it. */
function serverOf(controlPlane: HostedControlPlane | undefined, isCustom: boolean): string | undefined {
  const endpoint = controlPlane?.status?.controlPlaneEndpoint;
  const host = isCustom ? controlPlane?.spec?.kubeAPIServerDNSName : endpoint?.host;
  if (endpoint === undefined || host === undefined || host === '') return undefined;
  return `https://${endpointText({ host, port: endpoint.port })}`;
}
