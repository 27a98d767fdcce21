import { COMPONENT_LABEL } from '@capstan/hosting';
import type { ResourceKind } from '@capstan/kube';
import {
  CONFIG_MAPS,
  DEPLOYMENTS,
  POD_DISRUPTION_BUDGETS,
  ROLE_BINDINGS,
  ROLES,
  SERVICE_ACCOUNTS,
  STATEFUL_SETS,
} from '../kinds.js';
import { accessOf } from './access.js';
import type { KindAndObject } from './access.js';
import { budgetOf } from './budget.js';
import type { ComponentDefinition, ComponentInputs } from './definition.js';
import { withProxy } from './proxy.js';
import { workloadOf } from './workload.js';

/** An object of a component by name. */
export interface ComponentResource {
  readonly kind: ResourceKind;
  readonly name: string;
}

/** The kind of what runs a component; undefined where nothing does. */
export function workloadKind({ workload }: ComponentDefinition): ResourceKind | undefined {
  if (workload === 'None') return undefined;
  return workload === 'StatefulSet' ? STATEFUL_SETS : DEPLOYMENTS;
}

/** The objects of a component without what is in them: that may not be known yet. */
export function resourcesOf(definition: ComponentDefinition, inputs: ComponentInputs): readonly ComponentResource[] {
  const { access, hasBudget, name } = definition;
  const workload = workloadKind(definition);
  const kinds = access === undefined ? [] : [SERVICE_ACCOUNTS, ROLES, ROLE_BINDINGS];
  return [
    ...kinds.map((kind) => ({ kind, name })),
    ...(definition.configs?.(inputs) ?? []).map((config) => ({ kind: CONFIG_MAPS, name: config.name })),
    ...(hasBudget === true ? [{ kind: POD_DISRUPTION_BUDGETS, name }] : []),
    ...(workload === undefined ? [] : [{ kind: workload, name }]),
  ];
}

/** The objects of a component, its workload last. Throws when the release has no image for it. */
export function objectsOf(definition: ComponentDefinition, inputs: ComponentInputs): readonly KindAndObject[] {
  const { access, hasBudget, name } = definition;
  const workload = workloadKind(definition);
  const metadata = (of: string): object => ({ name: of, labels: { [COMPONENT_LABEL]: name } });
  const configs = (definition.configs?.(inputs) ?? []).map((config): KindAndObject => [
    CONFIG_MAPS,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata(config.name), data: { ...config.data } },
  ]);
  return [
    ...(access === undefined
      ? []
      : accessOf(name, inputs.namespace, typeof access.rules === 'function' ? access.rules(inputs) : access.rules)),
    ...configs,
    ...(hasBudget === true ? [[POD_DISRUPTION_BUDGETS, budgetOf(name, inputs)] as const] : []),
    ...(workload === undefined ? [] : [[workload, withProxy(workloadOf(definition, inputs), inputs.proxy)] as const]),
  ];
}
