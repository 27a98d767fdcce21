import { systemClock } from '@capstan/kube';
import { waitToSee } from '@capstan/kube/testing';
import { expect } from 'vitest';
import type { Scenario } from '../scenario.js';
import type { Session } from '../session.js';

const GROUP = 'admissionregistration.k8s.io';
const WAIT_OPTIONS = { clock: systemClock(), limitMs: 45_000, everyMs: 200 };

/**
 * A rule of the kind platforms write: what a sync has made may be changed by its account alone, in what it is about; by
 * others only as long as they leave that as it is.
 */
function manifest(k: Session): string {
  const name = k.namespace;
  return `
apiVersion: ${GROUP}/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: ${name}
spec:
  failurePolicy: Fail
  matchConstraints:
    namespaceSelector:
      matchLabels:
        kubernetes.io/metadata.name: ${name}
    resourceRules:
      - apiGroups: [""]
        apiVersions: [v1]
        operations: [UPDATE]
        resources: [configmaps]
  matchConditions:
    - name: not-the-sync
      expression: request.userInfo.username != "${accountOf(k)}"
  variables:
    - name: changed
      expression: object.data.filter(key, !(key in oldObject.data) || object.data[key] != oldObject.data[key])
  validations:
    - expression: variables.changed.all(key, key.startsWith('free-'))
      messageExpression: "'only the sync may change ' + variables.changed.filter(k, !k.startsWith('free-')).join(', ')"
      reason: Forbidden
---
apiVersion: ${GROUP}/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: ${name}
spec:
  policyName: ${name}
  validationActions: [Deny]
  matchResources:
    objectSelector:
      matchLabels:
        synced: "true"
`;
}

const accountOf = (k: Session): string => `system:serviceaccount:${k.namespace}:sync`;

const object = (data: object): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'mirror', labels: { synced: 'true' } },
  data,
});

/** A real server learns of policies a moment later. */
async function untilRefused(k: Session, command: string): Promise<void> {
  const look = async (): Promise<string> => (await k.run(command)).stderr;
  await waitToSee('the policy is enforced', look, (stderr) => stderr.includes('only the sync'), WAIT_OPTIONS);
}

/** What kubectl shows of admission policies. */
export const policyScenarios: readonly Scenario[] = [
  {
    name: 'a policy keeps others from changing what an account manages, and its message is printed',
    asOthers: true,
    run: async (k) => {
      const account = accountOf(k);
      const policy = k.file('policy.yaml', manifest(k));
      await k.prints(
        `create -f ${k.file('mirror.json', [object({ size: '1', 'free-a': '1' })])}`,
        'configmap/mirror created\n',
      );
      await k.prints(
        `apply -f ${policy}`,
        `validatingadmissionpolicy.${GROUP}/<ns> created\nvalidatingadmissionpolicybinding.${GROUP}/<ns> created\n`,
      );
      try {
        const change = (data: string): string[] => [
          'patch',
          'cm',
          'mirror',
          '--type=merge',
          '-p',
          `{"data":{${data}}}`,
        ];
        await untilRefused(k, `patch cm mirror --type=merge --dry-run=server -p {"data":{"size":"0"}}`);
        const text =
          "ValidatingAdmissionPolicy '<ns>' with binding '<ns>' denied request: only the sync may change size";
        await k.fails(
          change('"size":"2","free-a":"2"'),
          `Error from server (Forbidden): configmaps "mirror" is forbidden: ${text}\n`,
        );
        await k.prints(change('"free-a":"2"'), 'configmap/mirror patched\n');
        await k.prints(
          [...change('"size":"2"'), `--as=${account}`, '--as-group=system:masters'],
          'configmap/mirror patched\n',
        );
        expect(await k.output(`get validatingadmissionpolicy ${k.namespace}`)).toMatch(
          /^NAME +VALIDATIONS +PARAMKIND +AGE\n\S+ +1 +<unset> +\d+s\n$/,
        );
      } finally {
        await k.run(`delete -f ${policy}`);
      }
    },
  },
];
