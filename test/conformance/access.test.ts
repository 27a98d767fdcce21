import { CONFIG_MAPS, configMap, given } from '../src/conformance/objects.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('access');

it('an unknown token is Unauthorized', async (s) => {
  const stranger = s.as('no-such-token');
  await stranger.get(CONFIG_MAPS);
  await stranger.post(CONFIG_MAPS, configMap('x'));
  await stranger.get('/version');
  await stranger.get('/api');
  await stranger.get('/nothing');
  stranger.note('watch', await stranger.watch(`${CONFIG_MAPS}?watch=true`));
  await s.get(CONFIG_MAPS);
});

it('an anonymous user may do nothing to resources', async (s) => {
  await given(s, CONFIG_MAPS, configMap('x'));
  const nobody = s.as(undefined);
  await nobody.get(CONFIG_MAPS);
  await nobody.get(`${CONFIG_MAPS}/x`);
  await nobody.post(CONFIG_MAPS, configMap('y'));
  await nobody.put(`${CONFIG_MAPS}/x`, configMap('x'));
  await nobody.merge(`${CONFIG_MAPS}/x`, {});
  await nobody.delete(`${CONFIG_MAPS}/x`);
  await nobody.delete(CONFIG_MAPS);
  await nobody.get('/api/v1/configmaps');
  await nobody.get('/api/v1/nodes');
  await nobody.get('/api/v1/namespaces/{ns}');
  await nobody.get('/apis/apps/v1/namespaces/{ns}/deployments/x/scale');
  await nobody.get('/apis/nothing.example.com/v1/things');
  nobody.note('watch', await nobody.watch(`${CONFIG_MAPS}?watch=true`));
  await s.get(CONFIG_MAPS);
});

it('an anonymous user may read health and version, and nothing else', async (s) => {
  const nobody = s.as(undefined);
  for (const path of ['/healthz', '/livez', '/readyz']) await nobody.get(path);
  const { status } = await nobody.quiet('GET', '/version');
  s.remark('/version', { status });
  for (const path of ['/metrics', '/api', '/apis', '/openapi/v3', '/nothing', '/']) await nobody.get(path);
  await nobody.post('/nothing', {});
});
