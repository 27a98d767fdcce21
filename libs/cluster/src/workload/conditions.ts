/** A condition as workloads have it; Deployments alone also say when it was last confirmed. */
export interface WorkloadCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  lastUpdateTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** The condition of a type. */
export function findCondition(
  conditions: readonly WorkloadCondition[] | undefined,
  type: string,
): WorkloadCondition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** The conditions without one type. */
export function withoutCondition(conditions: readonly WorkloadCondition[], type: string): WorkloadCondition[] {
  return conditions.filter((condition) => condition.type !== type);
}

/** Puts a condition last. One of the same status and reason stays as it was, message and all: that is the real way. */
export function withCondition(
  conditions: readonly WorkloadCondition[],
  condition: WorkloadCondition,
): WorkloadCondition[] {
  const current = findCondition(conditions, condition.type);
  if (current !== undefined && current.status === condition.status && current.reason === condition.reason)
    return [...conditions];
  const kept =
    current?.status === condition.status && current.lastTransitionTime !== undefined
      ? { ...condition, lastTransitionTime: current.lastTransitionTime }
      : condition;
  return [...withoutCondition(conditions, condition.type), kept];
}

/** Leaves out what the API leaves out of its JSON: zeros, empty lists and what is not set. */
export function withoutZeros<T extends object>(status: T, kept: readonly (keyof T)[] = []): T {
  const entries = Object.entries(status).filter(
    ([key, value]) =>
      kept.includes(key as keyof T) ||
      (value !== undefined && value !== null && value !== 0 && !(Array.isArray(value) && value.length === 0)),
  );
  return Object.fromEntries(entries) as T;
}
