import type { HostedControlPlane } from '@capstan/api/hypershift';
import { HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import { overlay } from '@capstan/kube';
import { canonicalHash, deepEqual, formatApiVersion } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { hasSettings, platformFieldManager, settingsOf } from '@capstan/provider';
import { hostedControlPlane } from '../desired/control-plane.js';
import { inputsOf } from '../state.js';
import type { State } from '../state.js';

/** Creates and updates the HostedControlPlane, except for the settings of the platform. */
export async function controlPlane(state: State): Promise<void> {
  const { hostedCluster, namespace, platform, snapshot, converger } = state;
  if (platform === undefined) return;
  const wanted = hostedControlPlane({
    hostedCluster,
    namespace,
    existing: state.controlPlane,
    platformType: platform.controlPlane(inputsOf(state)).type,
    platformAnnotations: platform.mirroredAnnotations ?? [],
    isAutoscaled: snapshot.nodePools.some(({ spec }) => spec?.autoScaling !== undefined),
  });
  state.controlPlane = await converger.ensure<HostedControlPlane>(HOSTED_CONTROL_PLANES, wanted);
}

/** Whether settings have to be applied: something differs, or something was applied that is no longer wanted. */
export function mustApply(there: JsonObject, wanted: JsonObject, lastAppliedHash: string | undefined): boolean {
  if (!deepEqual(there, overlay(there, wanted))) return true;
  // Other fields may be defaults or may have been applied once: after a restart that is unknown.
  return !deepEqual(there, wanted) && lastAppliedHash !== canonicalHash(wanted);
}

/** Applies the settings of the platform under its own field manager, which alone owns those fields. */
export async function platformSettings(state: State): Promise<void> {
  const { controlPlane: target, converger, owner, dependencies, platform } = state;
  if (platform === undefined || target === undefined) return;
  const { settings } = platform.controlPlane(inputsOf(state));
  if (settings === undefined) return;
  const isApplied = hasSettings(target, platform);
  if (isApplied && !mustApply(settingsOf(target, platform), settings, dependencies.appliedSettings.get(owner))) return;
  const { name, namespace } = target.metadata;
  const object = {
    apiVersion: formatApiVersion(HOSTED_CONTROL_PLANES),
    kind: HOSTED_CONTROL_PLANES.kind,
    metadata: { ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }) },
    spec: { platform: { [platform.key]: settings } },
  };
  const fieldOwner = platformFieldManager(platform);
  const written = await converger.perform({ verb: 'apply', kind: HOSTED_CONTROL_PLANES, object, fieldOwner });
  dependencies.appliedSettings.set(owner, canonicalHash(settings));
  state.controlPlane = written as unknown as HostedControlPlane;
}
