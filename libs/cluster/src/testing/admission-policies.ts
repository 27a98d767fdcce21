import type { KubeObject } from '@capstan/meta';
import type { ResourceRef } from '@capstan/kube';
import { mustEqual } from './context.js';
import type { Scenario, ScenarioContext } from './context.js';

const POLICIES: ResourceRef = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingadmissionpolicies',
  namespaced: false,
};

interface PolicyStatus {
  readonly observedGeneration?: number;
  readonly typeChecking?: { readonly expressionWarnings?: readonly { fieldRef: string; warning: string }[] };
}

function policy(name: string, validations: readonly object[], spec: object = {}): KubeObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['apps'],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: ['deployments', 'statefulsets'],
          },
        ],
      },
      validations,
      ...spec,
    },
  };
}

/** What the controller has found out about the policy as it is now. */
function checked(context: ScenarioContext, name: string): Promise<PolicyStatus> {
  return context.eventually(`${name} is checked`, async () => {
    const { metadata, ...rest } = await context.mustLive(name, POLICIES);
    const status = rest['status'] as PolicyStatus | undefined;
    return status?.observedGeneration === metadata.generation && status;
  });
}

async function given(context: ScenarioContext, object: KubeObject): Promise<void> {
  const name = object.metadata.name ?? '';
  await context.client.create(POLICIES, object);
  context.onCleanup(() => context.client.delete(POLICIES, name));
}

/** What must hold for the status of admission policies. */
export const admissionPolicyScenarios: readonly Scenario[] = [
  {
    name: 'the status of a policy lists the expressions that do not fit the kinds it matches',
    async run(context) {
      const name = context.namespace;
      await given(
        context,
        policy(
          name,
          [
            { expression: 'object.spec.replicas <= 5' },
            { expression: 'object.spec.paused == false', messageExpression: "'paused ' + variables.name" },
            { expression: 'variables.name.size() > params.data.size()' },
          ],
          {
            paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
            variables: [{ name: 'name', expression: 'object.metadata.name' }],
          },
        ),
      );
      const { typeChecking } = await checked(context, name);
      mustEqual(
        typeChecking?.expressionWarnings,
        [
          {
            fieldRef: 'spec.validations[1].expression',
            warning:
              "apps/v1, Kind=StatefulSet: ERROR: <input>:1:12: undefined field 'paused'\n" +
              ' | object.spec.paused == false\n | ...........^\n',
          },
        ],
        'warnings',
      );
    },
  },
  {
    name: 'the status of a repaired policy is cleared, and a policy for all kinds is not checked',
    async run(context) {
      const name = context.namespace;
      await given(context, policy(name, [{ expression: "object.spec.replicas == 'many'" }]));
      const { typeChecking } = await checked(context, name);
      mustEqual(typeChecking?.expressionWarnings?.length, 1, 'warnings');
      const patch = (spec: object): Promise<KubeObject> =>
        context.client.patch(POLICIES, name, { type: 'merge', value: { spec } });
      await patch({ validations: [{ expression: 'object.spec.replicas == 3' }] });
      mustEqual((await checked(context, name)).typeChecking?.expressionWarnings ?? [], [], 'warnings');
      const resourceRules = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }];
      await patch({ matchConstraints: { resourceRules }, validations: [{ expression: 'object.nope == 1' }] });
      mustEqual((await checked(context, name)).typeChecking?.expressionWarnings ?? [], [], 'warnings');
    },
  },
];
