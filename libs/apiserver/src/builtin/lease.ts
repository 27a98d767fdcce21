import { invalid } from '@capstan/meta';
import type { FieldError, KubeObject } from '@capstan/meta';
import { plain } from './base.js';
import type { Errors } from './shared/checks.js';
import { ensure, fields, integer } from './shared/json.js';
import type { ResourceStrategy } from './strategy.js';

function validate(lease: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(lease['spec']);
  const duration = integer(spec['leaseDurationSeconds']);
  const transitions = integer(spec['leaseTransitions']);
  if (duration !== undefined && duration <= 0)
    out.push(invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
  if (transitions !== undefined && transitions < 0)
    out.push(invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'));
  return out;
}

// Coordinated leader election is off, and what it would read is not kept.
function dropCoordination(lease: KubeObject): void {
  const spec = ensure(lease, 'spec');
  delete spec['strategy'];
  delete spec['preferredHolder'];
}

/** Strategy of leases. */
export const leaseStrategy: ResourceStrategy = plain({
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  prepareForCreate: dropCoordination,
  validate,
  prepareForUpdate: dropCoordination,
  validateUpdate: validate,
});
