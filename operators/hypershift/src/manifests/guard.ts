import type { KubeObject } from '@capstan/meta';
import { PRIVATE_NAMESPACE_LABEL } from '../names.js';
import { GUARD_NAME } from './names.js';

const ADMISSION = 'admissionregistration.k8s.io/v1';

/**
 * Refuses standard Cluster API objects where they have moved to the private groups: an operator of an earlier version, or
 * a command that was written for standard names, would start machines a second time. Proxies are not affected: the server
 * receives private groups from them.
 */
export function privateTypesGuard(groups: readonly string[]): readonly KubeObject[] {
  const [first = ''] = groups;
  return [
    {
      apiVersion: ADMISSION,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: GUARD_NAME },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [
            {
              apiGroups: [...groups],
              apiVersions: ['*'],
              operations: ['CREATE'],
              resources: ['*'],
              // A namespace selector lets every object without a namespace match, such as identities of the platform.
              scope: 'Namespaced',
            },
          ],
        },
        validations: [
          {
            expression: 'false',
            reason: 'Forbidden',
            messageExpression: `"the hosted cluster of namespace " + request.namespace + " keeps its Cluster API objects in the private groups: create " + request.resource.resource + " there, not in " + request.resource.group`,
            message: `the hosted cluster of this namespace keeps its Cluster API objects in the private groups, not in ${first}`,
          },
        ],
      },
    },
    {
      apiVersion: ADMISSION,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: GUARD_NAME },
      spec: {
        policyName: GUARD_NAME,
        validationActions: ['Deny'],
        matchResources: { namespaceSelector: { matchLabels: { [PRIVATE_NAMESPACE_LABEL]: 'true' } } },
      },
    },
  ];
}
