/** Priority: the class of a pod becomes its number. */
import type { KubeObject } from '@capstan/meta';
import { ensure, integer, text } from '../../builtin/shared/json.js';

/** What a pod gets of its class. */
export interface PodPriority {
  readonly className: string;
  readonly value: number;
  readonly preemptionPolicy: string | undefined;
}

const WITHOUT_CLASS: PodPriority = { className: '', value: 0, preemptionPolicy: 'PreemptLowerPriority' };

function priorityOf(found: KubeObject): PodPriority {
  const { value, preemptionPolicy } = found;
  const policy = text(preemptionPolicy);
  return {
    className: found.metadata.name ?? '',
    value: Number(value ?? 0),
    preemptionPolicy: policy === '' ? undefined : policy,
  };
}

/** The class that pods without one get; of several, as races can leave them, the lowest. */
export function defaultClass(classes: readonly KubeObject[]): KubeObject | undefined {
  const [lowest] = classes
    .filter((each) => each['globalDefault'] === true)
    .toSorted((a, b) => Number(a['value'] ?? 0) - Number(b['value'] ?? 0));
  return lowest;
}

/** Sets what follows from the class of a new pod; returns the reason where the pod contradicts its class. */
export function setPriority(pod: KubeObject, found: KubeObject | undefined): string | undefined {
  const spec = ensure(pod, 'spec');
  const { className, value, preemptionPolicy } = found === undefined ? WITHOUT_CLASS : priorityOf(found);
  if (className !== '') spec['priorityClassName'] = className;
  const given = integer(spec['priority']);
  if (given !== undefined && given !== value) {
    return `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
  }
  spec['priority'] = value;
  if (preemptionPolicy === undefined) return undefined;
  const policy = spec['preemptionPolicy'];
  if (policy !== undefined && policy !== preemptionPolicy) {
    return `the string value of PreemptionPolicy (${text(policy)}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`;
  }
  spec['preemptionPolicy'] = preemptionPolicy;
  return undefined;
}

/** Why a class may not be the one for pods without a class. */
export function secondDefault(classes: readonly KubeObject[], wanted: KubeObject, isNew: boolean): string | undefined {
  if (wanted['globalDefault'] !== true) return undefined;
  const name = defaultClass(classes)?.metadata.name;
  if (name === undefined || (!isNew && name === wanted.metadata.name)) return undefined;
  return `PriorityClass ${name} is already marked as default. Only one default can exist`;
}
