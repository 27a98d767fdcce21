/** The conversions of a platform, and the resources of its infrastructure objects. */
import { CounterpartComparison, MachineConverter, StatusConverter } from '@capstan/convert/machine-api';
import type { MachinePlatform, PlatformKind } from '@capstan/convert/machine-api';
import type { ResourceKind } from '@capstan/kube';
import type { Tools } from './descriptor.js';

function resourceOf({ kind, version }: PlatformKind): ResourceKind {
  return { group: kind.group, version, plural: kind.plural, namespaced: true, kind: kind.kind };
}

/** Of one platform. */
export function toolsFor(platform: MachinePlatform): Tools {
  const converter = new MachineConverter(platform);
  return {
    platform,
    converter,
    comparison: new CounterpartComparison(converter),
    statuses: new StatusConverter(platform),
    machines: resourceOf(platform.machine),
    templates: resourceOf(platform.template),
    clusters: resourceOf(platform.cluster),
    hosts: platform.hosts && { ...platform.hosts.kind, namespaced: true },
  };
}
