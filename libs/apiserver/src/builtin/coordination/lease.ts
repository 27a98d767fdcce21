import { forbidden, invalid } from '@capstan/meta';
import type { FieldError, KubeObject } from '@capstan/meta';
import { plain } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { checkEnum } from '../shared/checks.js';
import { fields, integer, text } from '../shared/json.js';
import type { ResourceStrategy } from '../strategy.js';

function validate(lease: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(lease['spec']);
  const duration = integer(spec['leaseDurationSeconds']);
  const transitions = integer(spec['leaseTransitions']);
  if (duration !== undefined && duration <= 0) out.push(invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
  if (transitions !== undefined && transitions < 0) out.push(invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'));
  const strategy = text(spec['strategy']);
  if (strategy !== '' && !strategy.includes('/')) checkEnum(out, 'spec.strategy', strategy, ['OldestEmulationVersion']);
  if (text(spec['preferredHolder']) !== '' && strategy === '') {
    out.push(forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined'));
  }
  return out;
}

/** Strategy of leases. */
export const leaseStrategy: ResourceStrategy = plain({
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  validate,
  validateUpdate: validate,
});
