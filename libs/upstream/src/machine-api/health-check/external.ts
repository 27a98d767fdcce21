import type { Discovery, ResourceRef } from '@capstan/kube';
import { looseGvk } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { Machine } from '../resources.js';
import type { MachineHealthCheck } from './resources.js';

const SUFFIX = 'Template';

/** The resources of a remediation template and of what is made from it; undefined when they are not served. */
export async function requestResource(
  discovery: Discovery,
  { spec }: MachineHealthCheck,
): Promise<{ readonly template: ResourceRef; readonly request: ResourceRef } | undefined> {
  const { apiVersion = '', kind = '' } = spec?.remediationTemplate ?? {};
  const { group, version } = looseGvk(apiVersion, kind);
  const template = await discovery.resourceFor({ group, version, kind });
  const requestKind = kind.endsWith(SUFFIX) ? kind.slice(0, -SUFFIX.length) : kind;
  const request = await discovery.resourceFor({ group, version, kind: requestKind });
  return template === undefined || request === undefined ? undefined : { template, request };
}

/** A remediation request for a machine: the template's spec under the machine's name, so that there is only one. */
export function remediationObject(template: KubeObject, { apiVersion, kind, metadata }: Machine): KubeObject {
  const spec = template['spec'] as {
    readonly template?: { readonly metadata?: JsonObject; readonly spec?: JsonObject };
  };
  const { name = '', namespace, uid = '' } = metadata;
  const { labels, annotations } = (spec.template?.metadata ?? {}) as Pick<
    KubeObject['metadata'],
    'labels' | 'annotations'
  >;
  return {
    apiVersion: template.apiVersion,
    kind: template.kind.endsWith(SUFFIX) ? template.kind.slice(0, -SUFFIX.length) : template.kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [{ apiVersion, kind, name, uid }],
    },
    ...(spec.template?.spec === undefined ? {} : { spec: spec.template.spec }),
  };
}
