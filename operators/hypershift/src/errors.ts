import type { ObjectMeta } from '@capstan/meta';

function nameOf(kind: string, { name = '', namespace }: ObjectMeta): string {
  return `${kind} ${name}${namespace === undefined ? '' : ` in namespace ${namespace}`}`;
}

/** An object with a name that this operator needs exists and was not created by it. */
export class NotOurs extends Error {
  override readonly name = 'NotOurs';

  constructor(kind: string, metadata: ObjectMeta) {
    super(`${nameOf(kind, metadata)} was not created by this operator, which needs its name: delete or rename it`);
  }
}

/** An object that this operator would have to change belongs to another HostedCluster. */
export class OwnedElsewhere extends Error {
  override readonly name = 'OwnedElsewhere';

  constructor(kind: string, metadata: ObjectMeta, holder: string) {
    super(`${nameOf(kind, metadata)} belongs to the HostedCluster ${holder}: rename one of the two clusters`);
  }
}

/** A platform asks for an object of a kind that it has not declared. */
export class UnknownKind extends Error {
  override readonly name = 'UnknownKind';

  constructor(apiVersion: string, kind: string) {
    super(`the platform wants ${apiVersion} ${kind}, which is not among its companionKinds`);
  }
}
