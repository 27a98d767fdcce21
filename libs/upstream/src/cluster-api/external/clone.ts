import { cloneJson, looseGvk, parseApiVersion } from '@capstan/meta';
import type { JsonObject, KubeObject, OwnerReference } from '@capstan/meta';
import { annotations as names, labels as labelNames, TEMPLATE_SUFFIX } from '../names.js';

/** What is made from a template. */
export interface CloneRequest {
  readonly template: KubeObject;
  readonly namespace: string;
  readonly name: string;
  readonly clusterName: string;
  readonly owner?: OwnerReference | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** The object a template describes, under its own name. */
export function cloneOf(request: CloneRequest): KubeObject {
  const { template, namespace, name, clusterName, owner } = request;
  const spec = template['spec'] as { template?: JsonObject } | undefined;
  const body = cloneJson(spec?.template ?? {}) as Partial<KubeObject>;
  const { group } = parseApiVersion(template.apiVersion);
  const { labels, annotations } = body.metadata ?? {};
  return {
    ...body,
    apiVersion: body.apiVersion ?? template.apiVersion,
    kind: body.kind ?? kindOfClone(template.kind),
    metadata: {
      name,
      namespace,
      annotations: {
        ...annotations,
        ...request.annotations,
        [names.clonedFromName]: template.metadata.name ?? '',
        [names.clonedFromGroupKind]: group === '' ? template.kind : `${template.kind}.${group}`,
      },
      labels: { ...labels, ...request.labels, [labelNames.clusterName]: clusterName },
      ...(owner === undefined ? {} : { ownerReferences: [owner] }),
    },
  };
}

/** The kind of what a template makes. */
export function kindOfClone(templateKind: string): string {
  return templateKind.endsWith(TEMPLATE_SUFFIX) ? templateKind.slice(0, -TEMPLATE_SUFFIX.length) : templateKind;
}

/** A reference to an object of a provider. */
export function referenceOf({
  apiVersion,
  kind,
  metadata,
}: KubeObject): Required<Record<'apiGroup' | 'kind' | 'name', string>> {
  return { apiGroup: looseGvk(apiVersion, kind).group, kind, name: metadata.name ?? '' };
}
