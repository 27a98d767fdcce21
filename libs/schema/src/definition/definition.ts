/** CustomResourceDefinitions with fields of the right types and defaults filled in, as a server validates them. */
import type { JsonObject, KubeObject } from '@capstan/meta';

/** One entry of `additionalPrinterColumns`. */
export interface AdditionalPrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

/** Where a version keeps what its scale subresource shows. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** One entry of `spec.versions`. */
export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonObject };
  readonly subresources?: { readonly status?: object; readonly scale?: ScalePaths };
  readonly additionalPrinterColumns?: readonly AdditionalPrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

/** Names as the spec wants them and the status grants them. */
export interface DefinitionNames {
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly kind: string;
  readonly listKind?: string;
  readonly categories?: readonly string[];
}

/** What a CRD specifies. */
export interface DefinitionSpec {
  readonly group: string;
  readonly names: DefinitionNames;
  readonly scope: string;
  readonly versions: readonly DefinitionVersion[];
  readonly conversion?: { readonly strategy: string; readonly webhook?: JsonObject };
  readonly preserveUnknownFields?: boolean;
}

/** One condition of a CRD. */
export interface DefinitionCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  lastTransitionTime: string;
  reason: string;
  message: string;
}

/** What the server reports of a CRD. */
export interface DefinitionStatus {
  conditions: DefinitionCondition[] | null;
  acceptedNames: DefinitionNames;
  storedVersions: string[] | null;
}

/** The spec of a stored CRD. */
export function specOf(definition: KubeObject): DefinitionSpec {
  return definition['spec'] as DefinitionSpec;
}

const NO_NAMES: DefinitionNames = { plural: '', kind: '' };

/** The status of a stored CRD; empty when nobody has written one. */
export function statusOf(definition: KubeObject): DefinitionStatus {
  const status = definition['status'] as Partial<DefinitionStatus> | undefined;
  return {
    conditions: status?.conditions ?? null,
    acceptedNames: status?.acceptedNames ?? NO_NAMES,
    storedVersions: status?.storedVersions ?? null,
  };
}

/** A condition of a CRD. */
export function findCondition(definition: KubeObject, type: string): DefinitionCondition | undefined {
  return statusOf(definition).conditions?.find((condition) => condition.type === type);
}

/** Whether a condition is there and true. */
export function isTrue(definition: KubeObject, type: string): boolean {
  return findCondition(definition, type)?.status === 'True';
}
