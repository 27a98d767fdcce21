import { forbidden, notSupported } from '@capstan/meta';
import type { FieldError, KubeObject } from '@capstan/meta';
import { BASE, setGeneration } from './base.js';
import type { Errors } from './shared/checks.js';
import { checkImmutableEnum } from './shared/checks.js';
import { defaultTo, integer, text } from './shared/json.js';
import type { ResourceStrategy } from './strategy.js';

const HIGHEST = 1_000_000_000;
const SYSTEM: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

function systemComplaint(name: string, value: number, isDefault: boolean): string | undefined {
  const known = SYSTEM[name];
  if (known === undefined) return `${name} is not a known system priority class`;
  if (known !== value) return `value of ${name} PriorityClass must be ${known}`;
  return isDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function validate(priorityClass: KubeObject): FieldError[] {
  const out: Errors = [];
  const name = priorityClass.metadata.name ?? '';
  const value = integer(priorityClass['value']) ?? 0;
  if (name.startsWith('system-')) {
    const complaint = systemComplaint(name, value, priorityClass['globalDefault'] === true);
    if (complaint !== undefined) {
      out.push(
        forbidden(
          'metadata.name',
          `priority class names with 'system-' prefix are reserved for system use only. error: ${complaint}`,
        ),
      );
    }
  } else if (value > HIGHEST)
    out.push(forbidden('value', `maximum allowed value of a user defined priority is ${HIGHEST}`));
  const policy = text(priorityClass['preemptionPolicy']);
  if (policy !== 'PreemptLowerPriority' && policy !== 'Never')
    out.push(notSupported('preemptionPolicy', policy, ['PreemptLowerPriority', 'Never']));
  return out;
}

/** Strategy of priority classes: born with a generation that never moves. */
export const priorityClassStrategy: ResourceStrategy = {
  ...BASE,
  hasGeneration: true,
  applyDefaults: (priorityClass) => {
    defaultTo(priorityClass, 'preemptionPolicy', 'PreemptLowerPriority');
    defaultTo(priorityClass, 'value', 0);
  },
  prepareForCreate: (priorityClass) => {
    priorityClass.metadata.generation = 1;
  },
  validate,
  prepareForUpdate: (priorityClass, old) => setGeneration(priorityClass, old, false),
  validateUpdate: (priorityClass, old) => {
    const out: Errors = [];
    if (priorityClass['value'] !== old['value']) out.push(forbidden('value', 'may not be changed in an update.'));
    checkImmutableEnum(out, 'preemptionPolicy', priorityClass['preemptionPolicy'], old['preemptionPolicy']);
    return out;
  },
};
