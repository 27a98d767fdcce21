import type { HostedControlPlane } from '@capstan/api/hypershift';
import { apply } from '@capstan/kube';
import { canonicalHash, deepEqual, formatApiVersion } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { hasSettings, HOSTED_CONTROL_PLANES, platformFieldManager, settingsOf } from '@capstan/provider';
import { SECRETS } from '../../kinds.js';
import { overlay } from '../../writing/overlay.js';
import { hostedControlPlane } from '../desired/control-plane.js';
import { accessSecret } from '../desired/copies.js';
import { worldOf } from '../scope.js';
import type { Access, Scope } from '../scope.js';

/** The HostedControlPlane: all it is told, but the settings of the platform. */
export async function controlPlane(scope: Scope): Promise<void> {
  const { hostedCluster, namespace, platform, seen, writer } = scope;
  if (platform === undefined) return;
  const wanted = hostedControlPlane({
    hostedCluster,
    namespace,
    existing: scope.controlPlane,
    platformType: platform.controlPlane(worldOf(scope)).type,
    platformAnnotations: platform.mirroredAnnotations ?? [],
    isAutoscaled: seen.nodePools.some(({ spec }) => spec?.autoScaling !== undefined),
  });
  scope.controlPlane = await writer.ensure<HostedControlPlane>(HOSTED_CONTROL_PLANES, wanted);
}

/** Whether settings have to be told: something differs, or something was told that is no longer wanted. */
export function mustBeTold(there: JsonObject, wanted: JsonObject, lastTold: string | undefined): boolean {
  if (!deepEqual(there, overlay(there, wanted))) return true;
  // What is there beside the wanted may be defaults, or may have been told once: nobody knows after a restart.
  return !deepEqual(there, wanted) && lastTold !== canonicalHash(wanted);
}

/** The settings of the platform, as whoever looks after that platform: their fields are that manager's alone. */
export async function platformSettings(scope: Scope): Promise<void> {
  const { controlPlane: target, owner, parts, platform, signal } = scope;
  if (platform === undefined || target === undefined) return;
  const { settings } = platform.controlPlane(worldOf(scope));
  if (settings === undefined) return;
  const isTold = hasSettings(target, platform);
  if (isTold && !mustBeTold(settingsOf(target, platform), settings, parts.told.get(owner))) return;
  const { name, namespace } = target.metadata;
  const fields = {
    apiVersion: formatApiVersion(HOSTED_CONTROL_PLANES),
    kind: HOSTED_CONTROL_PLANES.kind,
    metadata: { ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }) },
    spec: { platform: { [platform.key]: settings } },
  };
  const fieldOwner = platformFieldManager(platform);
  const written = await apply(parts.client, HOSTED_CONTROL_PLANES, fields, { fieldOwner, force: true, signal });
  parts.told.set(owner, canonicalHash(settings));
  scope.controlPlane = written as unknown as HostedControlPlane;
}

/** What users are given of a control plane, by the parts of its status and of theirs that say where it is. */
const ACCESS = [
  { field: 'kubeConfig', place: 'kubeconfig', as: 'admin-kubeconfig', key: 'kubeconfig' },
  { field: 'customKubeconfig', place: 'customKubeconfig', as: 'custom-admin-kubeconfig', key: 'kubeconfig' },
  { field: 'kubeadminPassword', place: 'kubeadminPassword', as: 'kubeadmin-password', key: undefined },
] as const;

/** Kubeconfig and password, where users find them. */
export async function access(scope: Scope): Promise<void> {
  const given: Access = {};
  for (const each of ACCESS) {
    const name = `${scope.hostedCluster.metadata.name ?? ''}-${each.as}`;
    if (await isGiven(scope, each, name)) given[each.place] = { name };
  }
  scope.access = given;
}

/** Copies one of them, or takes the copy away when the control plane has none; whether users have it. */
async function isGiven(scope: Scope, { field, key }: (typeof ACCESS)[number], target: string): Promise<boolean> {
  const { controlPlane: of, hostedCluster, namespace, writer } = scope;
  const beside = hostedCluster.metadata.namespace;
  const source: { readonly name?: string; readonly key?: string } = of?.status?.[field] ?? {};
  if (source.name === undefined || source.name === '') {
    await writer.remove(SECRETS, target, beside);
    return false;
  }
  const secret = await writer.find(SECRETS, source.name, namespace);
  const data = chosenData(secret, key === undefined ? undefined : { from: source.key ?? key, to: key });
  if (data === undefined) return (await writer.find(SECRETS, target, beside)) !== undefined;
  await writer.ensure(SECRETS, accessSecret(hostedCluster, target, data));
  return true;
}

type Data = Readonly<Record<string, unknown>>;

/** What of a Secret is passed on; undefined while it is not there. */
function chosenData(secret: KubeObject | undefined, key: { from: string; to: string } | undefined): Data | undefined {
  const data = secret?.['data'] as Data | undefined;
  if (data === undefined || key === undefined) return data;
  const value = data[key.from];
  return value === undefined ? undefined : { [key.to]: value };
}
