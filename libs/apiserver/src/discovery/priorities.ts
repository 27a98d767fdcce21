import type { Registration } from './registrations.js';

/** Where the aggregation layer of a real server puts the built-in groups and their versions; higher goes first. */
const builtin: Readonly<
  Record<string, { readonly group: number; readonly versions: Readonly<Record<string, number>> }>
> = {
  '': { group: 18000, versions: { v1: 1 } },
  'apiregistration.k8s.io': { group: 20000, versions: { v1: 100 } },
  apps: { group: 17800, versions: { v1: 15 } },
  'events.k8s.io': { group: 17750, versions: { v1: 15 } },
  'authentication.k8s.io': { group: 17700, versions: { v1: 15 } },
  'authorization.k8s.io': { group: 17600, versions: { v1: 15 } },
  autoscaling: { group: 17500, versions: { v2: 30, v1: 15 } },
  batch: { group: 17400, versions: { v1: 15 } },
  'certificates.k8s.io': { group: 17300, versions: { v1: 15 } },
  'networking.k8s.io': { group: 17200, versions: { v1: 15 } },
  policy: { group: 17100, versions: { v1: 15 } },
  'rbac.authorization.k8s.io': { group: 17000, versions: { v1: 15 } },
  'storage.k8s.io': { group: 16800, versions: { v1: 15 } },
  'apiextensions.k8s.io': { group: 16700, versions: { v1: 15 } },
  'admissionregistration.k8s.io': { group: 16700, versions: { v1: 15 } },
  'scheduling.k8s.io': { group: 16600, versions: { v1: 15 } },
  'coordination.k8s.io': { group: 16500, versions: { v1: 15 } },
  'node.k8s.io': { group: 16300, versions: { v1: 15 } },
  'discovery.k8s.io': { group: 16200, versions: { v1: 15 } },
  'resource.k8s.io': { group: 16200, versions: { v1: 21 } },
  'flowcontrol.apiserver.k8s.io': { group: 16100, versions: { v1: 21 } },
};

/** The group of kube-aggregator itself: always the first, and registered by no APIService. */
export const AGGREGATOR_GROUP = 'apiregistration.k8s.io';

const customGroupPriority = 1000;
const customVersionPriority = 100;

/** Whether a group is one of the real server's own; groups of custom resources are listed in another style. */
export function isBuiltinGroup(group: string): boolean {
  return Object.hasOwn(builtin, group);
}

/** The priority of a group among the groups; equal ones go by name. */
export function groupPriority(group: string): number {
  return isBuiltinGroup(group) ? (builtin[group]?.group ?? customGroupPriority) : customGroupPriority;
}

/** The priority of a version inside its group; equal ones go by name. */
export function versionPriority(group: string, version: string): number {
  const versions = isBuiltinGroup(group) ? builtin[group]?.versions : undefined;
  return versions !== undefined && Object.hasOwn(versions, version) ? (versions[version] ?? 0) : customVersionPriority;
}

/** What a real server registers for a group version by itself. */
export function defaultRegistration(group: string, version: string): Registration {
  return {
    group,
    version,
    groupPriority: groupPriority(group),
    versionPriority: versionPriority(group, version),
  };
}
