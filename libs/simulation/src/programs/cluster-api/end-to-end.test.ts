import { afterEach, describe, expect, it } from 'vitest';
import { isLiving } from '../../cloud/instance.js';
import { Stage } from './testing/stage.js';
import { Story } from './testing/story.js';

let stage: Stage | undefined;

afterEach(() => {
  stage?.stop();
  stage = undefined;
});

describe('a cluster with a deployment of machines', () => {
  it(
    'grows, rolls, replaces a sick machine and goes, and leaves nothing in the cloud',
    { timeout: 240_000 },
    async () => {
      const here = (stage = new Stage());
      await here.start();
      const story = new Story(here, { replicas: 5, unhealthySeconds: 300 });
      const living = (): number => here.cloud.instances.filter(isLiving).length;
      await story.grow();
      expect([living(), here.cloud.instances.length]).toEqual([5, 5]);
      await story.roll();
      expect([living(), here.cloud.instances.length]).toEqual([5, 10]);
      await story.heal();
      expect([living(), here.cloud.instances.length]).toEqual([5, 11]);
      await story.end();
      expect(living()).toBe(0);
      expect(here.failures).toEqual([]);
    },
  );
});
