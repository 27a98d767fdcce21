import type { KubeObject } from '@capstan/meta';
import { RuntimeError } from '../runtime/errors.js';

/** What is to be there. Metadata needs a name; a field that is `undefined` is to be absent. */
export interface Desired {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly labels?: Readonly<Record<string, string | undefined>> | undefined;
    readonly annotations?: Readonly<Record<string, string | undefined>> | undefined;
    readonly finalizers?: readonly string[] | undefined;
    readonly ownerReferences?: readonly object[] | undefined;
  };
  readonly [field: string]: unknown;
}

/** Decides whose an object is. An object of another owner is never changed and never deleted. */
export interface OwnerRule {
  /** The desired object with what shows its owner. */
  readonly mark: (desired: Desired) => Desired;
  readonly owns: (existing: KubeObject) => boolean;
  /** The error for an object that has the name and is another owner's. */
  readonly refusal: (kind: string, existing: KubeObject) => Error;
}

/** For objects that several owners share: every one of them may change it. */
export const SHARED: OwnerRule = {
  mark: (desired) => desired,
  owns: () => true,
  refusal: (kind, { metadata }) => new RuntimeError('misused', `${kind} ${metadata.name ?? ''} is shared`),
};
