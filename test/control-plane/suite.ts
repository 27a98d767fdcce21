import type { ControlPlaneComponent } from '@capstan/api/hypershift';
import type { Transport } from '@capstan/meta';
import { CONTROL_PLANE_COMPONENTS, HOSTED_CONTROL_PLANES } from '@capstan/provider';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { controlPlane, NAMESPACE } from './objects.js';
import { Stage } from './stage.js';

/** What the operator of control planes does beside any API server. */
export function tellOfControlPlanes(server: string, open: () => Transport): void {
  describe(`a control plane on ${server}`, () => {
    let stage: Stage;

    beforeEach(async () => {
      stage = new Stage(open());
      await stage.open();
    });

    afterEach(() => stage.close());

    it('comes up, and then nothing is written any more', async () => {
      await stage.operator();
      await stage.client.create(HOSTED_CONTROL_PLANES, controlPlane());
      await stage.balance();
      await stage.condition('Available', { status: 'True', reason: 'AsExpected' });
      await stage.quiet();
      const { items } = await stage.client.list<ControlPlaneComponent>(CONTROL_PLANE_COMPONENTS, {
        namespace: NAMESPACE,
      });
      expect(new Set(items.map(({ status }) => status?.version))).toEqual(new Set(['4.22.0']));
    });
  });
}
