import type { FieldError, KubeObject, UserInfo } from '@capstan/meta';
import type { Soundness } from './soundness.js';

/** Hands out numbers and addresses that must be unique in the cluster; the registry owns the state and the rollback. */
export interface ServiceAllocator {
  /** A free cluster IP of the family, or the given one when it is free; throws nothing, answers undefined when impossible. */
  clusterIP(family: 'IPv4' | 'IPv6', wanted?: string): string | undefined;
  /** A free node port, or the given one when it is free. */
  nodePort(wanted?: number, besides?: ReadonlySet<number>): number | undefined;
  /** What is wrong with a wanted address or port that can never be given. */
  outside?(wanted: string | number): string | undefined;
}

/** What a strategy may know besides the object. */
export interface StrategyContext {
  /** RFC 3339 with whole seconds. */
  readonly now: string;
  readonly subresource?: string | undefined;
  /** Who asks; absent for what the server itself writes. */
  readonly user?: UserInfo | undefined;
  /** A name nobody else has. */
  readonly uniqueName?: () => string;
  /** Sends the client a warning, whatever becomes of the request. */
  readonly warn?: (text: string) => void;
  /** The errors of the metadata, which are reported too, unless the strategy places them itself. */
  readonly metadataErrors?: readonly FieldError[] | undefined;
  /** Errors of an update's metadata that a kind repeats, where it places them among its own errors. */
  readonly repeated?: { readonly asNew: readonly FieldError[]; readonly asChange: readonly FieldError[] } | undefined;
  /** What is known of the object from before, and where to say what was found of it. */
  readonly known?: Soundness | undefined;
  /** Absent on dry runs of servers that allocate nothing: fields stay empty then. */
  readonly allocate?: ServiceAllocator;
}

type Repeated = NonNullable<StrategyContext['repeated']>;

const NOTHING_REPEATED: Repeated = { asNew: [], asChange: [] };

/** Errors of an update's metadata that a kind repeats, for kinds that place them among their own errors. */
export function metadataAgain({ repeated }: StrategyContext): Repeated {
  return repeated ?? NOTHING_REPEATED;
}

/** What may differ between the main resource and one of its subresources. */
export interface UpdateStrategy {
  readonly prepareForUpdate?: (obj: KubeObject, old: KubeObject, ctx: StrategyContext) => void;
  readonly validateUpdate?: (obj: KubeObject, old: KubeObject, ctx: StrategyContext) => FieldError[];
  readonly warningsOnUpdate?: (obj: KubeObject, old: KubeObject) => string[];
}

/** `scale` subresource mapping. */
export interface ScaleMapping {
  readonly specReplicas: (obj: KubeObject) => number;
  readonly statusReplicas: (obj: KubeObject) => number;
  /** The pod selector in its string form. */
  readonly selector: (obj: KubeObject) => string;
  readonly setReplicas: (obj: KubeObject, replicas: number) => void;
  /** For custom resources: where the number is, which need not be there and is checked with the object. */
  readonly custom?: { readonly path: string; readonly hasReplicas: (obj: KubeObject) => boolean };
}

/** Which rule the registry applies to `metadata.name`. */
export type NameValidator =
  | 'dns1123-subdomain'
  | 'declared-subdomain'
  | 'dns1123-label'
  | 'dns1035-label'
  | 'path-segment'
  | 'any';

/** The behaviour of one built-in kind on the write path. The functions may mutate the object they are given, never `old`. */
export interface ResourceStrategy extends UpdateStrategy {
  /** Built-in defaulting of a versioned object. */
  readonly applyDefaults?: (obj: KubeObject, sent?: unknown) => void;
  /** Why a version's object cannot be converted to the internal one: a fault of the body, reported before validation. */
  readonly conversionProblem?: (obj: KubeObject) => string | undefined;
  readonly prepareForCreate?: (obj: KubeObject, ctx: StrategyContext) => void;
  /** Everything but ObjectMeta, which the registry validates with `nameValidator`. */
  readonly validate?: (obj: KubeObject, ctx: StrategyContext) => FieldError[];
  /**
   * Where `validate` leaves the errors of the metadata: before its own by default; `last` when they are reported
   * only where nothing else is wrong; `within` when it places them itself.
   */
  readonly metadataComplaints?: 'last' | 'within';
  /** Removes what was good for validation alone. */
  readonly canonicalize?: (obj: KubeObject) => void;
  readonly warningsOnCreate?: (obj: KubeObject) => string[];
  /** By subresource name: `status`, `finalize`, `approval`, `ephemeralcontainers`, `resize`. */
  readonly subresources?: Readonly<Record<string, UpdateStrategy>>;
  readonly nameValidator: NameValidator;
  /** What the rest of the object demands of its name, besides. */
  readonly validateName?: (obj: KubeObject) => (name: string) => readonly string[];
  readonly hasGeneration: boolean;
  readonly allowCreateOnUpdate: boolean;
  readonly allowUnconditionalUpdate: boolean;
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeletedObject: boolean;
  /** Propagation when the caller names none. */
  readonly defaultGarbageCollection: 'Background' | 'Orphan' | 'Unsupported';
  /** What the first delete does to an object that its own controller will remove, instead of the general marking. */
  readonly beginDelete?: (obj: KubeObject, ctx: StrategyContext) => void;
  /** Seconds of grace for a delete; absent = not graceful. */
  readonly gracePeriodSeconds?: (obj: KubeObject, requested: number | undefined) => number;
  /** Annotations that stand for fields the version has none for: where metadata is shown alone they are not. */
  readonly standInAnnotations?: readonly string[];
  /** Field label → value, besides metadata.name and metadata.namespace. */
  readonly fieldLabels: Readonly<Record<string, (obj: KubeObject) => string>>;
  readonly scale?: ScaleMapping;
}
