import { expect, test } from 'vitest';
import { Fixture } from '../crd/testing.js';
import { countingRandom } from '../testing/fixture.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-' } };

/** Draws the same of everything but bytes, so that uids differ and names do not, for so many draws. */
function stubborn(draws: { left: number }): ReturnType<typeof countingRandom> {
  const counting = countingRandom();
  return {
    ...counting,
    below: (bound) => (draws.left-- > 0 ? 0 : counting.below(bound)),
    bytes: (size) => counting.bytes(size),
  };
}

test('a name that is taken is drawn again, eight times in all, and then the client is asked to come back', async () => {
  const draws = { left: Number.MAX_SAFE_INTEGER };
  const fixture = new Fixture({ random: stubborn(draws) });
  const first = await fixture.send('POST', CONFIG_MAPS, body);
  expect(first.body.metadata.name).toBe('a-bbbbb');
  const { status, body: refusal } = await fixture.send('POST', CONFIG_MAPS, body);
  expect({ status, refusal }).toMatchObject({
    status: 409,
    refusal: {
      reason: 'AlreadyExists',
      message: 'configmaps "a-bbbbb" already exists, the server was not able to generate a unique name for the object',
      details: { name: 'a-bbbbb', kind: 'configmaps', retryAfterSeconds: 1 },
    },
  });
  // Seven names of five characters may be in vain.
  draws.left = 7 * 5;
  const third = await fixture.send('POST', CONFIG_MAPS, body);
  expect(third.status).toBe(201);
  draws.left = 8 * 5;
  expect((await fixture.send('POST', CONFIG_MAPS, body)).status).toBe(409);
});
