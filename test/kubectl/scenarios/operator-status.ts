import { expect } from 'vitest';
import type { Scenario } from '../scenario.js';
import type { Session } from '../session.js';

const CRDS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

const condition = (type: string, field: string): string => `.status.conditions[?(@.type=="${type}")].${field}`;

/** A kind whose columns pick what they show from lists, as the status of OpenShift's operators does. */
function definition(k: Session): { name: string; object: object } {
  const group = `${k.namespace}.example.com`;
  const name = `clusteroperators.${group}`;
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    subresources: { status: {} },
    additionalPrinterColumns: [
      { name: 'Version', type: 'string', jsonPath: '.status.versions[?(@.name=="operator")].version' },
      { name: 'Available', type: 'string', jsonPath: condition('Available', 'status') },
      { name: 'Progressing', type: 'string', jsonPath: condition('Progressing', 'status') },
      { name: 'Degraded', type: 'string', jsonPath: condition('Degraded', 'status') },
      { name: 'Since', type: 'date', jsonPath: condition('Available', 'lastTransitionTime') },
      { name: 'Message', type: 'string', jsonPath: condition('Degraded', 'message'), priority: 1 },
    ],
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } },
  };
  const names = { plural: 'clusteroperators', singular: 'clusteroperator', kind: 'ClusterOperator', shortNames: [] };
  return {
    name,
    object: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name },
      spec: { group, scope: 'Cluster', names, versions: [version] },
    },
  };
}

/** Columns that look for what they show. */
export const operatorStatusScenarios: readonly Scenario[] = [
  {
    name: 'columns pick versions and conditions out of lists, and show since when',
    run: async (k) => {
      const { name, object } = definition(k);
      const group = `${k.namespace}.example.com`;
      await k.output(`create -f ${k.file('definition.json', [object])}`);
      try {
        await k.output(`wait --for=condition=Established crd/${name} --timeout=20s`);
        const operator = (title: string): object => ({
          apiVersion: `${group}/v1`,
          kind: 'ClusterOperator',
          metadata: { name: title },
        });
        await k.output(`create -f ${k.file('operators.json', [operator('network'), operator('silent')])}`);
        const since = new Date(Date.now() - 3 * 3_600_000).toISOString().replace(/\.\d+/, '');
        const condition = (type: string, status: string, message: string): object => ({
          type,
          status,
          message,
          lastTransitionTime: since,
        });
        const status = {
          versions: [
            { name: 'kubelet', version: '1.36.3' },
            { name: 'operator', version: '5.0.1' },
          ],
          conditions: [
            condition('Degraded', 'False', 'all is well'),
            condition('Available', 'True', ''),
            condition('Progressing', 'False', ''),
          ],
        };
        const patch = ['patch', `clusteroperators.${group}`, 'network', '--type=merge', '--subresource=status'];
        await k.output([...patch, '-p', JSON.stringify({ status })]);
        expect(await k.output(`get clusteroperators.${group}`)).toBe(
          'NAME      VERSION   AVAILABLE   PROGRESSING   DEGRADED   SINCE\n' +
            'network   5.0.1     True        False         False      3h\n' +
            'silent                                                   \n',
        );
        expect(await k.output(`get clusteroperators.${group} network -o wide`)).toMatch(/ MESSAGE\n.* all is well\n$/);
      } finally {
        await k.client.delete(CRDS, name);
      }
    },
  },
];
