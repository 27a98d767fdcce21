import type { ControlPlaneComponent, HostedControlPlane } from '@capstan/api/hypershift';
import { CONTROL_PLANE_COMPONENTS, HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import { DEPLOYMENTS } from './kinds.js';
import { controlPlane, NAME } from './objects.js';
import { Fixture } from './fixture.js';

/** A Deployment, as far as tests read it. */
export interface Deployment extends KubeObject {
  readonly spec: { readonly replicas: number; readonly template: KubeObject & { readonly spec: PodSpec } };
}

interface PodSpec {
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

/** A management cluster with one control plane. */
export class ControlPlaneFixture extends Fixture {
  create(spec: object = {}, annotations: Record<string, string> = {}): Promise<HostedControlPlane> {
    const { namespace } = this;
    return this.client.create(HOSTED_CONTROL_PLANES, controlPlane(spec, { namespace, annotations }));
  }

  merge(value: JsonObject): Promise<KubeObject> {
    const { namespace } = this;
    return this.client.patch(HOSTED_CONTROL_PLANES, NAME, { type: 'merge', value }, { namespace });
  }

  async components(): Promise<readonly ControlPlaneComponent[]> {
    const { namespace } = this;
    return (await this.client.list<ControlPlaneComponent>(CONTROL_PLANE_COMPONENTS, { namespace })).items;
  }

  /** Waits until a condition of a component is what a test waits for. */
  async component(name: string, type: string, expected: object): Promise<void> {
    const conditions = async (): Promise<unknown> =>
      (await this.components()).find(({ metadata }) => metadata.name === name)?.status?.conditions;
    await expect
      .poll(conditions, { timeout: 60_000, interval: 20 })
      .toContainEqual(expect.objectContaining({ type, ...expected }));
  }

  /** A Deployment that is there. */
  async deployment(name: string): Promise<Deployment> {
    return this.client.get<Deployment>(DEPLOYMENTS, name, { namespace: this.namespace });
  }

  /** Makes the control plane, gives it its address, and waits for it. */
  async up(spec: object = {}, annotations: Record<string, string> = {}): Promise<void> {
    await this.operator();
    await this.create(spec, annotations);
    await this.balance();
    await this.condition('Available', { status: 'True', reason: 'AsExpected' });
  }
}
