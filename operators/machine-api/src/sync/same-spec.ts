/** Whether a stored spec means what is wanted: defaults of the server and equivalent forms are no difference. */
import type { KubeObject } from '@capstan/meta';
import type { Inputs } from '../resource/inputs.js';

export function hasSameSpec(
  { capi, child, surroundings, tools }: Inputs,
  desired: KubeObject,
  existing: KubeObject,
): boolean {
  const { context } = surroundings;
  if (context === undefined) return false;
  const converted = [capi, child].filter((each) => each !== undefined);
  const differences = tools.comparison.differences(desired, existing, { context, converted });
  return differences.every(({ names }) => names[0] !== 'spec');
}
