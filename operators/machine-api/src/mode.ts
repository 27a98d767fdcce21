/** Whether there is anything to do in this cluster: the feature gate, the platform, and the kinds it serves. */
import type { MachinePlatform } from '@capstan/convert/machine-api';
import type { Client, ResourceKind } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { ConversionPlatforms } from '@capstan/provider';
import type { MachineApiSettings } from './config.js';
import type { Descriptor } from './descriptors/descriptor.js';
import { controlPlaneDescriptor } from './descriptors/control-plane-machine-set.js';
import { healthCheckDescriptor } from './descriptors/machine-health-check.js';
import { machineDescriptor } from './descriptors/machine.js';
import { machineSetDescriptor } from './descriptors/machine-set.js';
import { FEATURE_GATES, INFRASTRUCTURES } from './kinds.js';
import { FEATURE_GATE } from './names.js';
import { definitionOf, mirroredKinds } from './served.js';
import { recordAt } from './shared/model.js';

/** What the process does. */
export type Mode =
  | { readonly is: 'idle'; readonly reason: string }
  | { readonly is: 'active'; readonly platform: MachinePlatform; readonly descriptors: readonly Descriptor[] };

/** Machines and their sets go together: one without the other would be owned by nobody. */
const DESCRIPTORS: readonly Descriptor[] = [
  machineDescriptor,
  machineSetDescriptor,
  healthCheckDescriptor,
  controlPlaneDescriptor,
];

const idle = (reason: string): Mode => ({ is: 'idle', reason });

function isGateOn(featureGate: KubeObject | undefined): boolean {
  const versions = recordAt(featureGate, 'status')['featureGates'];
  const enabled = (each: JsonObject): unknown[] => (Array.isArray(each['enabled']) ? each['enabled'] : []);
  return (
    Array.isArray(versions) &&
    versions.some((each: JsonObject) => enabled(each).some((gate) => (gate as JsonObject)['name'] === FEATURE_GATE))
  );
}

/** Reads what decides. */
export async function modeOf(
  client: Client,
  settings: MachineApiSettings,
  platforms: ConversionPlatforms,
): Promise<Mode> {
  const one = (kind: ResourceKind, name: string): Promise<KubeObject | undefined> =>
    client.get(kind, name).catch(ignoreNotFound);
  const isEnabled = settings.isEnabled ?? isGateOn(await one(FEATURE_GATES, 'cluster'));
  if (!isEnabled) return idle(`feature gate ${FEATURE_GATE} is off`);
  const type = settings.platform ?? recordAt(await one(INFRASTRUCTURES, 'cluster'), 'status', 'platformStatus')['type'];
  const platform = [...platforms].find((each) => 'type' in each && each.type === type);
  if (platform === undefined) return idle(`platform ${String(type)} is not supported`);
  if ('refused' in platform) return idle(`platform ${platform.type}: ${platform.refused}`);
  const mirrored = new Set<string>(await mirroredKinds(client));
  for (const needed of [machineDescriptor, machineSetDescriptor])
    if (!mirrored.has(needed.machineApi.plural))
      return idle(`${needed.kind} is not served by both APIs with authority fields`);
  for (const { kind } of [platform.machine, platform.template, platform.cluster])
    if ((await definitionOf(client, kind)) === undefined) return idle(`${kind.kind} is not served`);
  const descriptors = DESCRIPTORS.filter(({ machineApi }) => mirrored.has(machineApi.plural));
  return { is: 'active', platform, descriptors };
}

/** What there is to do now that there was not before, or the reverse; undefined when nothing has changed. */
export function changeOf(before: Mode, now: Mode): string | undefined {
  if (now.is === 'idle')
    return before.is === 'idle' ? undefined : `nothing can be synchronized any more: ${now.reason}`;
  if (before.is === 'idle') return 'the cluster can be synchronized now';
  if (before.platform.type !== now.platform.type) return `the platform is ${now.platform.type} now`;
  const kinds = ({ descriptors }: typeof now): string => descriptors.map(({ kind }) => kind).join(', ');
  return kinds(before) === kinds(now) ? undefined : `the kinds that can be synchronized are ${kinds(now)} now`;
}
