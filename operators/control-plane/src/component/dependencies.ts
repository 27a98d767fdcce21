import type { ControlPlaneComponent } from '@capstan/api/hypershift';
import { isConditionTrue } from '@capstan/meta';
import type { ComponentDefinition } from './definition.js';

const API_SERVER = 'kube-apiserver';

/** Components that one waits for, sorted. What this control plane does not have is not waited for. */
export function dependenciesOf(definition: ComponentDefinition, parts: ReadonlySet<string>): readonly string[] {
  const all = new Set(definition.dependencies ?? []);
  if (definition.isEarly !== true) all.add(API_SERVER);
  all.delete(definition.name);
  return [...all].filter((name) => parts.has(name)).toSorted();
}

/** Those of them that are not there, not available or not at the version. */
export function unmetDependencies(
  dependencies: readonly string[],
  found: (name: string) => ControlPlaneComponent | undefined,
  version: string,
): readonly string[] {
  return dependencies.filter((name) => {
    const { conditions, version: at } = found(name)?.status ?? {};
    return (
      !isConditionTrue(conditions, 'Available') || !isConditionTrue(conditions, 'RolloutComplete') || at !== version
    );
  });
}
