import type { ResourceDefinition } from '@capstan/api/kubernetes';
import type {
  FieldError,
  GroupKind,
  GroupResource,
  JsonNotes,
  JsonObject,
  KubeObject,
  PatchSchema,
} from '@capstan/meta';
import type { ApplyScope, ReplicasPaths } from '../apply/index.js';
import type { ResourceStrategy } from '../builtin/strategy.js';
import type { Stored } from '../store/index.js';
import type { TablePrinter } from '../table/index.js';
import type { Flow } from './effects.js';
import type { Soundness } from '../builtin/soundness.js';

/** An object as a request body gave it, with what was in it that the kind does not know. */
export interface DecodedObject {
  readonly object: KubeObject;
  /** Field paths in the order of the body. */
  readonly unknownFields: readonly string[];
}

/** How bodies of one kind become objects. */
export interface ObjectCodec {
  /** Throws TypedDecodeError with Go's words. The result may be changed by the caller. */
  decode(value: unknown, notes?: JsonNotes): DecodedObject;
  /** As {@link decode}, of what a patch made of an object: the result may share with that whatever is equal in both. */
  decodePatched?(value: unknown, before: KubeObject, known?: Soundness): DecodedObject;
  /** Reads what an apply has merged into an object, if there was one, where that is not read like a body; may share too. */
  decodeMerged?(value: unknown, before: KubeObject | undefined, known?: Soundness): DecodedObject;
  /** What keeps a value that was put together from maps from being one of the kind, in the words of that way. */
  explainConversion?(value: unknown): string | undefined;
  /**
   * Reads what admission made of an object where that is more lenient: nothing is pruned yet, and metadata that cannot
   * be read is not there.
   */
  readMutated?(value: JsonObject): KubeObject;
  /** Whether a field holds a text of a type of its own, which messages show otherwise than any other. */
  isNamedText?(field: string): boolean;
  /** Present where strategic merge patch is supported. */
  readonly patchSchema?: PatchSchema;
}

/** Between the version a client speaks and the one that is stored. */
export interface VersionConversion {
  /** Before an object is admitted. */
  toStorage(object: KubeObject): KubeObject;
  /** After it is admitted, for kinds that are admitted in the version the client speaks. Takes ownership. */
  encode?(object: KubeObject): KubeObject;
  /** Never changes its argument; may give it back. */
  fromStorage(object: KubeObject): KubeObject;
  /** From any other version, with everything it had there: so admission converts. Absent: by way of storage. */
  asRead?(object: KubeObject): KubeObject;
  /** Under what results are kept with the stored object; the served version by default. */
  readonly key?: string;
  /** Present where a webhook has to be asked; the other functions then only know objects of the version served. */
  readonly remote?: RemoteConversion;
  /** Whether the stored form already is the served one, so that its bytes may be handed out. */
  isStored?(stored: Stored): boolean;
  /** Whether a stored version is known to be sound; see {@link Soundness}. */
  isSound?(stored: Stored): boolean;
  /**
   * Remembers that a version about to be stored has passed the checks, where it is also as today's schema has it; of
   * `since` that is known.
   */
  markSound?(stored: Stored, since: KubeObject | undefined): void;
}

/** Conversion that has to be waited for, and may fail. Throws ConversionFailed. */
export interface RemoteConversion {
  /** Stored objects, or such of other versions, in the version served; in their order. Never changes its argument. */
  fromStorage(objects: readonly KubeObject[]): Flow<KubeObject[]>;
  /** The form to be stored. Takes ownership. */
  encode(object: KubeObject): Flow<KubeObject>;
  /** In another version with everything the webhook returns, known there or not: so field managers compare. */
  asRead(object: KubeObject, apiVersion: string): Flow<KubeObject>;
}

/** What sets one version of a custom resource apart. */
export interface CustomTraits {
  /** Its CRD is on its way out: nothing new is made. */
  readonly isTerminating: boolean;
  /** Its conversion webhook could never be called: nothing is served of it but the refusal. */
  readonly isBroken: boolean;
  /** The `openAPIV3Schema`; the same object as long as it does not change. */
  readonly schema: JsonObject;
  /** A warning that comes with every answer. */
  readonly deprecation?: string;
  /** What is wrong with a value of another kind, besides that. */
  readonly strangerErrors: (value: unknown, callerErrors: readonly FieldError[]) => readonly FieldError[];
  /** Reads bodies of another version, which are refused afterwards. */
  readonly codecOf: (version: string) => ObjectCodec;
  /** Calls back when the CRD changes or goes; gives the way to take it back. */
  readonly onEnd: (listener: () => void) => () => void;
}

/** One resource in one version, with everything the verbs need to serve it. */
export interface ServedResource {
  readonly definition: ResourceDefinition;
  readonly apiVersion: string;
  readonly groupKind: GroupKind;
  /** The kind that objects are checked as and named by when they are invalid, where that is another. */
  readonly checkedAs?: GroupKind;
  readonly groupResource: GroupResource;
  /** The partition of the store; versions of one kind share it. */
  readonly storage: string;
  readonly strategy: ResourceStrategy;
  readonly codec: ObjectCodec;
  /** Absent when objects are stored as they are served. */
  readonly conversion?: VersionConversion;
  /** Items of lists carry no kind and apiVersion of their own, as those of the built-in kinds. */
  readonly bareItems: boolean;
  readonly printer?: TablePrinter;
  /** What server-side apply and managed fields know of the resource or one of its subresources. */
  readonly applyScope: (subresource: string) => ApplyScope;
  /** Where its versions keep the replicas that the scale subresource shows. */
  readonly replicasPaths?: ReplicasPaths;
  /** Present for custom resources. */
  readonly custom?: CustomTraits;
}
