import { expect, it } from 'vitest';
import { platformObjects, platformPrograms } from './standalone.js';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

const covers = (list: readonly string[], what: string): boolean => list.includes('*') || list.includes(what);

it('programs of the platform decide about certificates of kubelets alone', () => {
  const objects = [...platformObjects(), ...platformPrograms({ machineApi: 'a', machineApprover: 'b' })];
  const rules = objects.flatMap(({ rules: each }) => (each ?? []) as Rule[]);
  const certificates = rules.filter(({ apiGroups }) => covers(apiGroups, 'certificates.k8s.io'));
  const signers = certificates.filter(({ resources }) => covers(resources, 'signers'));
  expect(signers.map(({ resourceNames, verbs }) => [resourceNames, verbs])).toEqual([
    [['kubernetes.io/kube-apiserver-client-kubelet', 'kubernetes.io/kubelet-serving'], ['approve']],
  ]);
  expect(certificates.some(({ resources }) => covers(resources, 'certificatesigningrequests/status'))).toBe(false);
});
