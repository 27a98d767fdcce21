import type { ConversionWebhook, Kind, KindVersion } from './kind.js';
import type { JsonSchema, VariantOptions } from './structural.js';
import { structuralSchema } from './structural.js';

/** How a CustomResourceDefinition is made of a kind. */
export interface CrdOptions extends VariantOptions {
  /** Where conversion is done; `none` for a kind that is installed without its webhook. */
  readonly conversion?: (ConversionWebhook & { readonly caBundle?: string }) | 'none';
}

/** One version in a CustomResourceDefinition. */
export interface CrdVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema: { openAPIV3Schema: JsonSchema };
  additionalPrinterColumns?: object[];
  subresources?: { status?: object; scale?: object };
  selectableFields?: { jsonPath: string }[];
}

/** A CustomResourceDefinition, as far as it is written by us; no interface, so that clients take it as any object. */
export type CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1';
  kind: 'CustomResourceDefinition';
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec: {
    group: string;
    names: {
      kind: string;
      listKind: string;
      plural: string;
      singular: string;
      shortNames?: string[];
      categories?: string[];
    };
    scope: 'Namespaced' | 'Cluster';
    versions: CrdVersion[];
    conversion?: object;
  };
};

/** The CustomResourceDefinition of a kind, in the variant that the gates ask for. */
export function crd(of: Kind, options: CrdOptions = {}): CustomResourceDefinition {
  const { group, plural, labels, annotations } = of;
  const conversion = options.conversion ?? of.conversion;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      ...(labels === undefined ? {} : { labels: { ...labels } }),
      ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
    },
    spec: {
      group,
      names: names(of),
      scope: of.scope,
      versions: of.versions.map((version) => crdVersion(of, version, options)),
      ...(conversion === undefined || conversion === 'none' ? {} : { conversion: webhook(conversion) }),
    },
  };
}

function names(of: Kind): CustomResourceDefinition['spec']['names'] {
  return {
    kind: of.kind,
    listKind: of.listKind ?? `${of.kind}List`,
    plural: of.plural,
    singular: of.singular ?? of.kind.toLowerCase(),
    ...(of.shortNames === undefined ? {} : { shortNames: [...of.shortNames] }),
    ...(of.categories === undefined ? {} : { categories: [...of.categories] }),
  };
}

function crdVersion(of: Kind, version: KindVersion, options: VariantOptions): CrdVersion {
  const { name, columns, selectableFields, deprecated, deprecationWarning } = version;
  const subresources = subresourcesOf(version);
  return {
    name,
    served: version.served ?? true,
    storage: version.storage ?? false,
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(deprecationWarning === undefined ? {} : { deprecationWarning }),
    schema: { openAPIV3Schema: structuralSchema(of, name, options) },
    ...(columns === undefined ? {} : { additionalPrinterColumns: columns.map((each) => ({ ...each })) }),
    ...(subresources === undefined ? {} : { subresources }),
    ...(selectableFields === undefined ? {} : { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }),
  };
}

function subresourcesOf({ subresources }: KindVersion): CrdVersion['subresources'] {
  if (subresources === undefined) return undefined;
  const { status, scale } = subresources;
  return { ...(status === true ? { status: {} } : {}), ...(scale === undefined ? {} : { scale: { ...scale } }) };
}

function webhook(conversion: ConversionWebhook & { readonly caBundle?: string }): object {
  const { service, reviewVersions, caBundle } = conversion;
  return {
    strategy: 'Webhook',
    webhook: {
      conversionReviewVersions: [...(reviewVersions ?? ['v1'])],
      clientConfig: { service: { ...service }, ...(caBundle === undefined ? {} : { caBundle }) },
    },
  };
}
