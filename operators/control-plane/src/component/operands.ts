import { isRolledOut } from '@capstan/hosting';
import type { Workload } from '@capstan/hosting';

const VERSION_ANNOTATION = 'release.openshift.io/version';

/** What is missing until the Deployments that a component manages are at a version; undefined when nothing is. */
export function operandsMissing(operands: readonly Workload[], version: string): string | undefined {
  const missing = operands.flatMap((operand) => {
    const { annotations, name = '', namespace = '' } = operand.metadata;
    const at = `deployment ${namespace}/${name}`;
    const found = annotations?.[VERSION_ANNOTATION];
    if (found === undefined) return [`${at} does not have the required annotation '${VERSION_ANNOTATION}'`];
    if (found !== version) return [`${at} has version ${found}, expected ${version}`];
    return isRolledOut(operand) ? [] : [`${at} is not ready`];
  });
  return missing.length === 0 ? undefined : missing.join('\n');
}
