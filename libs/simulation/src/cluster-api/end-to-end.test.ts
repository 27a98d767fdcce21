import { isLiving } from '@capstan/upstream';
import { afterEach, describe, expect, it } from 'vitest';
import { Fixture } from './testing/fixture.js';
import { Scenario } from './testing/scenario.js';

let fixture: Fixture | undefined;

afterEach(() => {
  fixture?.stop();
  fixture = undefined;
});

describe('a cluster with a deployment of machines', () => {
  it(
    'grows, rolls, replaces a sick machine and goes, and leaves nothing in the cloud',
    { timeout: 240_000 },
    async () => {
      const here = (fixture = new Fixture());
      await here.start();
      const scenario = new Scenario(here, { replicas: 5, unhealthySeconds: 300 });
      const living = (): number => here.cloud.instances.filter(isLiving).length;
      await scenario.grow();
      expect([living(), here.cloud.instances.length]).toEqual([5, 5]);
      await scenario.roll();
      expect([living(), here.cloud.instances.length]).toEqual([5, 10]);
      await scenario.heal();
      expect([living(), here.cloud.instances.length]).toEqual([5, 11]);
      await scenario.end();
      expect(living()).toBe(0);
      expect(here.failures).toEqual([]);
    },
  );
});
