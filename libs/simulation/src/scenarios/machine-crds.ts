import { kinds } from '@capstan/api/machine';
import { crd } from '@capstan/api/model';
import type { KubeObject } from '@capstan/meta';

/** The kinds of Machine API, with or without the authority fields. */
export function machineCrds(hasAuthority: boolean): readonly KubeObject[] {
  const gates = hasAuthority ? ['MachineAPIMigration'] : [];
  return kinds.map((kind) => crd(kind, { gates }) as unknown as KubeObject);
}
