import { describe, expect, it } from 'vitest';
import { Fixture } from '../crd/testing.js';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const labels = { app: 'x' };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: {
    replicas: 3,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};

/*
 * The real server stores what 32 bits hold of such a number: a client that asks for 4294967297 replicas gets one. Nobody can
 * want that, so it is refused here, and the documents say so.
 */
describe('an integer beyond 32 bits', () => {
  it.each([
    ['application/strategic-merge-patch+json', '', 422],
    ['application/apply-patch+yaml', '?fieldManager=me&force=true', 500],
  ])('is refused in %s', async (type, query, code) => {
    const fixture = new Fixture();
    await fixture.send('POST', DEPLOYMENTS, deployment);
    for (const replicas of [4294967297, 2147483648, -2147483649]) {
      const body = { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas } };
      const answer = await fixture.send('PATCH', `${DEPLOYMENTS}/d${query}`, body, type);
      expect(answer.status).toBe(code);
      expect(answer.text).toContain(
        `cannot unmarshal number ${replicas} into Go struct field DeploymentSpec.spec.replicas`,
      );
    }
    const live = await fixture.send('GET', `${DEPLOYMENTS}/d`);
    expect(live.body).toMatchObject({ spec: { replicas: 3 } });
  });
});
