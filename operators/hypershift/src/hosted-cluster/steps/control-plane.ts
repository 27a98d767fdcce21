import type { HostedControlPlane } from '@capstan/api/hypershift';
import { apply, overlay } from '@capstan/kube';
import { canonicalHash, deepEqual, formatApiVersion } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { hasSettings, HOSTED_CONTROL_PLANES, platformFieldManager, settingsOf } from '@capstan/provider';
import { hostedControlPlane } from '../desired/control-plane.js';
import { inputsOf } from '../scope.js';
import type { Scope } from '../scope.js';

/** The HostedControlPlane: all it is told, but the settings of the platform. */
export async function controlPlane(scope: Scope): Promise<void> {
  const { hostedCluster, namespace, platform, seen, converger } = scope;
  if (platform === undefined) return;
  const wanted = hostedControlPlane({
    hostedCluster,
    namespace,
    existing: scope.controlPlane,
    platformType: platform.controlPlane(inputsOf(scope)).type,
    platformAnnotations: platform.mirroredAnnotations ?? [],
    isAutoscaled: seen.nodePools.some(({ spec }) => spec?.autoScaling !== undefined),
  });
  scope.controlPlane = await converger.ensure<HostedControlPlane>(HOSTED_CONTROL_PLANES, wanted);
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
  const { settings } = platform.controlPlane(inputsOf(scope));
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
