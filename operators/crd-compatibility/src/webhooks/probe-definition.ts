import type { JsonObject, KubeObject } from '@capstan/meta';

const GROUP = 'crd-compatibility.openshift.io';
const PLURAL = 'probes';

/** The CRD that is only ever written as a dry run. */
export const PROBE_DEFINITION = `${PLURAL}.${GROUP}`;

/** Names the configuration that is asked after: servers cut off the warnings of many that answer at once. */
export const ASKS_AFTER = 'crd-compatibility.openshift.io/asks-after';

const schema: JsonObject = { type: 'object' };

/** What is written as a dry run to learn whether a server uses the configuration. */
export function probeDefinition(configuration: string): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: PROBE_DEFINITION, annotations: { [ASKS_AFTER]: configuration } },
    spec: {
      group: GROUP,
      names: { kind: 'Probe', plural: PLURAL },
      scope: 'Cluster',
      versions: [{ name: 'v1', served: false, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

/** Matches the dry run that asks after the configuration. */
export function asksAfter(configuration: string): string {
  const { annotations, name } = { annotations: 'object.metadata.annotations', name: 'object.metadata.name' };
  const isNamed = `'${ASKS_AFTER}' in ${annotations} && ${annotations}['${ASKS_AFTER}'] == '${configuration}'`;
  return `${name} == '${PROBE_DEFINITION}' && has(${annotations}) && ${isNamed}`;
}
