import { invalid } from '@capstan/meta';
import type { FieldError, KubeObject } from '@capstan/meta';
import { specAndStatus, statusUpdate } from './base.js';
import type { Errors } from './shared/checks.js';
import {
  checkAtMost100Percent,
  checkIntOrPercent,
  checkLabelSelector,
  checkNonNegative,
  checkOptionalEnum,
} from './shared/checks.js';
import { structText } from './shared/internal.js';
import { fields } from './shared/json.js';
import type { ResourceStrategy } from './strategy.js';

function validate(budget: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(budget['spec']);
  const { minAvailable, maxUnavailable } = spec;
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const shown = structText({
      MinAvailable: minAvailable,
      Selector: spec['selector'] ?? null,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: spec['unhealthyPodEvictionPolicy'] ?? null,
    });
    out.push(invalid('spec', shown, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const key of ['minAvailable', 'maxUnavailable']) {
    if (spec[key] === undefined) continue;
    checkIntOrPercent(out, `spec.${key}`, spec[key]);
    checkAtMost100Percent(out, `spec.${key}`, spec[key]);
  }
  checkLabelSelector(out, 'spec.selector', spec['selector']);
  checkOptionalEnum(out, 'spec.unhealthyPodEvictionPolicy', spec['unhealthyPodEvictionPolicy'], [
    'AlwaysAllow',
    'IfHealthyBudget',
  ]);
  return out;
}

const COUNTS = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'];

/** Strategy of pod disruption budgets. */
export const podDisruptionBudgetStrategy: ResourceStrategy = specAndStatus(
  { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  {
    allowUnconditionalUpdate: false,
    nameValidator: 'path-segment',
    validate,
    metadataComplaints: 'last',
    validateUpdate: validate,
    subresources: {
      status: statusUpdate((budget) => {
        const out: Errors = [];
        for (const key of COUNTS) checkNonNegative(out, `status.${key}`, fields(budget['status'])[key]);
        return out;
      }),
    },
  },
);
