import { DISABLE_MACHINES_ANNOTATION } from '@capstan/hosting';
import type { ComponentInputs } from '../definition.js';

type Predicate = (inputs: ComponentInputs) => boolean;

/** Whether the HostedControlPlane has an annotation. */
export function hasAnnotation(annotation: string): Predicate {
  return ({ annotations }) => annotations[annotation] !== undefined;
}

/** Whether a capability of OpenShift is enabled. */
export function hasCapability(name: string): Predicate {
  return ({ spec }) => spec.capabilities?.disabled?.some((each) => each === name) !== true;
}

/** Whether the cluster has machines at all. */
export const hasMachines: Predicate = (inputs) => !hasAnnotation(DISABLE_MACHINES_ANNOTATION)(inputs);

/** Whether metrics of the hosted cluster are forwarded to the management cluster. */
export const forwardsMetrics: Predicate = ({ spec }) => spec.monitoring?.metricsForwarding?.mode === 'Forward';
