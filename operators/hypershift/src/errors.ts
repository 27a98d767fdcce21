import type { ObjectMeta } from '@capstan/meta';

function nameOf(kind: string, { name = '', namespace }: ObjectMeta): string {
  return `${kind} ${name}${namespace === undefined ? '' : ` in namespace ${namespace}`}`;
}

/** An object of a name this operator needs was made by somebody else. */
export class NotOurs extends Error {
  override readonly name = 'NotOurs';

  constructor(kind: string, metadata: ObjectMeta) {
    super(`${nameOf(kind, metadata)} was not made by this operator, which needs its name: delete or rename it`);
  }
}

/** An object this operator would have to change was made for another HostedCluster. */
export class OwnedElsewhere extends Error {
  override readonly name = 'OwnedElsewhere';

  constructor(kind: string, metadata: ObjectMeta, holder: string) {
    super(`${nameOf(kind, metadata)} belongs to the HostedCluster ${holder}: rename one of the two clusters`);
  }
}

/** A platform wants an object made of a kind it has not told of. */
export class UnknownKind extends Error {
  override readonly name = 'UnknownKind';

  constructor(apiVersion: string, kind: string) {
    super(`the platform wants ${apiVersion} ${kind}, which is not among its companionKinds`);
  }
}
