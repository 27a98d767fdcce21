import { gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import type { ConfigMap, Definition } from '../transport/read.js';
import { DEPENDENCY_PREFIX, PROVIDER_LABEL, RELEASE_LABEL, ROLE_LABEL } from '../vocabulary.js';
import type { Role } from '../vocabulary.js';

/** A CRD with a version for each schema; the last is stored. */
export function definition(
  kind: string,
  versions: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  group = 'cluster.x-k8s.io',
): Definition {
  const singular = kind.toLowerCase();
  const names = Object.keys(versions);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural: `${singular}s`, singular },
      scope: 'Namespaced',
      versions: Object.entries(versions).map(([name, properties], at) => ({
        name,
        served: true,
        storage: at === names.length - 1,
        schema: { openAPIV3Schema: { type: 'object', properties } },
      })),
    },
  };
}

/** A Deployment annotated with the versions of CRDs that it needs. */
export function dependent(name: string, needs: Readonly<Record<string, string>>): object {
  const annotations = Object.fromEntries(
    Object.entries(needs).map(([of, versions]) => [`${DEPENDENCY_PREFIX}${of}`, versions]),
  );
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'somewhere', annotations } };
}

/** A transport ConfigMap. */
export function transportMap(
  name: string,
  manifests: readonly object[],
  {
    packed = false,
    provider = 'cluster-api',
    release = '4.22.0',
    role = 'active',
  }: { readonly role?: Role; readonly release?: string; readonly provider?: string; readonly packed?: boolean } = {},
): ConfigMap {
  const text = manifests.map((each) => stringify(each)).join('---\n');
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace: 'openshift-cluster-api-operator',
      labels: { [PROVIDER_LABEL]: provider, [RELEASE_LABEL]: release, [ROLE_LABEL]: role },
    },
    ...(packed
      ? { binaryData: { 'manifests.yaml.gz': gzipSync(text).toString('base64') } }
      : { data: { 'manifests.yaml': text } }),
  };
}
