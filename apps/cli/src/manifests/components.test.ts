import { COMPONENTS as CONTROL_PLANE } from '@capstan/control-plane';
import { clusterInputs } from '@capstan/provider/testing';
import { addSidecar, COMPONENTS, removeSidecar } from '@capstan/translate/sidecar';
import type { PodTemplate } from '@capstan/translate/sidecar';
import { describe, expect, it } from 'vitest';
import { hostingPlatforms } from '../platforms.js';

const platforms = [...(await hostingPlatforms())];
/** The least that platforms need to describe their provider. */
const SETTINGS = {
  azureAuthenticationConfig: { workloadIdentities: { nodePoolManagement: { clientID: 'c' } } },
  nodePoolManagementCreds: { name: 's' },
};
/** Platforms whose machines nobody creates have no provider. */
const programs = platforms.flatMap((platform) => {
  const program = platform.program?.(clusterInputs(platform, SETTINGS));
  return program === undefined ? [] : [[platform.type, program] as const];
});

const flagsOf = (template: PodTemplate): string => JSON.stringify(template.spec.containers.map(({ args }) => args));

describe('The proxy of the provider', () => {
  it('is tried on every platform that has one', () => {
    expect(programs.map(([type]) => type).toSorted()).toEqual([
      'AWS',
      'Agent',
      'Azure',
      'GCP',
      'KubeVirt',
      'OpenStack',
      'PowerVS',
    ]);
  });

  it.each(programs)('of %s is for its manager alone, on ports that no container names', (_type, { containers }) => {
    const template: PodTemplate = {
      spec: {
        containers: containers.map(({ args, command, env = {}, name }) => ({
          name,
          ...(args === undefined ? {} : { args }),
          ...(command === undefined ? {} : { command }),
          env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
        })),
      },
    };
    const added = addSidecar(template, { image: 'i', native: true, component: 'capi-provider' });
    const [manager, ...others] = added.spec.containers;
    expect(manager?.env?.at(-1)?.name).toBe('KUBECONFIG');
    expect(others).toEqual(template.spec.containers.slice(1));
    const [, listen, health] = added.spec.initContainers?.[0]?.args ?? [];
    for (const flag of [listen, health]) expect(flagsOf(template)).not.toContain(flag?.split(':').at(-1));
    expect(removeSidecar(added)).toEqual(template);
  });
});

it.each(['cluster-autoscaler', 'machine-approver', 'hosted-cluster-config-operator'] as const)(
  'the container of %s is called as the sidecar knows it',
  (name) => {
    const component = CONTROL_PLANE.find((each) => each.name === name);
    const [container] = component?.containers ?? [];
    expect(COMPONENTS[name].containers).toContain(container?.name);
    const ports = Object.values((container as { readonly ports?: Record<string, number> }).ports ?? {});
    expect(COMPONENTS[name].reservedPorts).toEqual(expect.arrayContaining(ports));
  },
);
