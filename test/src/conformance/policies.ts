import { CONFIG_MAPS } from './objects.js';
import type { Session } from './session.js';
import { eventually, SERVER_LIMITS } from '../wait.js';

const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';
export const POLICIES = `${REGISTRATION}/validatingadmissionpolicies`;
export const BINDINGS = `${REGISTRATION}/validatingadmissionpolicybindings`;

type Fields = Record<string, unknown>;

/** Holds unless the object carries the label that asks whether the policy is in force. */
const PROBE =
  "request.operation != 'CREATE' || !has(object.metadata.labels) || !('probe' in object.metadata.labels) || object.metadata.labels.probe != '{name}'";

export const CONFIG_MAP_RULE = {
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources: ['configmaps'],
};

/** A name that no other test uses. */
export function named(name: string): string {
  return `${name}.{ns}`;
}

/** A policy about the config maps of the test's namespace; fields of its spec are laid over. */
export function policy(name: string, spec: Fields = {}): Fields {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: named(name) },
    spec: { matchConstraints: constraints(), ...spec },
  };
}

/** What is written in the test's namespace by these rules. */
export function constraints(rules: readonly Fields[] = [CONFIG_MAP_RULE], fields: Fields = {}): Fields {
  return {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } },
    resourceRules: rules,
    ...fields,
  };
}

export function binding(name: string, policyName: string, spec: Fields = {}): Fields {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: named(name) },
    spec: { policyName: named(policyName), validationActions: ['Deny'], ...spec },
  };
}

/** A real server enforces policies a moment after they are created; a policy of our own after all others shows when. */
async function settled(s: Session, name: string): Promise<void> {
  const sentinel = `${name}-in-force`;
  const validations = [{ expression: PROBE.replace('{name}', sentinel) }];
  const made = [
    await s.quiet('POST', POLICIES, { body: policy(sentinel, { validations }) }),
    await s.quiet('POST', BINDINGS, { body: binding(sentinel, sentinel) }),
  ];
  for (const answer of made)
    if (answer.status !== 201) throw new Error(`the sentinel of the policies was refused: ${answer.text}`);
  const metadata = { name: 'probe', labels: { probe: sentinel } };
  await eventually(
    'the policy',
    async () => {
      const answer = await s.quiet('POST', `${CONFIG_MAPS}?dryRun=All`, { body: { metadata } });
      return answer.status === 422;
    },
    SERVER_LIMITS,
  );
}

/** Creates policies and bindings without writing it down, and waits until they are in force. */
export async function enforced(s: Session, name: string, ...objects: readonly Fields[]): Promise<void> {
  for (const body of objects) {
    const target = body['kind'] === 'ValidatingAdmissionPolicy' ? POLICIES : BINDINGS;
    const answer = await s.quiet('POST', target, { body });
    if (answer.status !== 201) throw new Error(`a policy or its binding was refused: ${answer.text}`);
  }
  await settled(s, name);
}

/** Deletes the policies and bindings of the test, so that they do not apply to other tests. */
export async function withdrawn(s: Session): Promise<void> {
  for (const path of [BINDINGS, POLICIES]) {
    const { items } = (await s.quiet('GET', path)).body as { items: { metadata: { name: string } }[] };
    for (const { metadata } of items)
      if (metadata.name.endsWith(`.${s.ns}`)) await s.quiet('DELETE', `${path}/${metadata.name}`);
  }
}
