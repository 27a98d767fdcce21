import type { JsonObject, KubeObject } from '@capstan/meta';

const GROUP = 'crd-compatibility.openshift.io';
const PLURAL = 'probes';

/** The definition that is only ever written as a dry run. */
export const PROBE_DEFINITION = `${PLURAL}.${GROUP}`;

const schema: JsonObject = { type: 'object' };

/** What is written as a dry run to learn which configurations a server uses. */
export const probeDefinition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: PROBE_DEFINITION },
  spec: {
    group: GROUP,
    names: { kind: 'Probe', plural: PLURAL },
    scope: 'Cluster',
    versions: [{ name: 'v1', served: false, storage: true, schema: { openAPIV3Schema: schema } }],
  },
};
