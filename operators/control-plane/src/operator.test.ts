import type { ControlPlaneComponent } from '@capstan/api/hypershift';
import { CONTROL_PLANE_COMPONENTS, HOSTED_CONTROL_PLANES } from '@capstan/provider';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { controlPlane, NAMESPACE } from './testing/objects.js';
import { Stage } from './testing/stage.js';

describe('a control plane', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = new Stage();
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
    console.log(
      items.length,
      stage.writes.length,
      items
        .map(({ metadata, status }) =>
          [metadata.name, status?.version, status?.conditions?.map((c) => `${c.type}=${c.status} ${c.reason}`)].join(
            ' ',
          ),
        )
        .join('\n'),
    );
    console.log(JSON.stringify((await stage.plane()).status, null, 1));
    expect(items.length).toBeGreaterThan(30);
  });
});
