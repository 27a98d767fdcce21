import { suite } from '../src/conformance/suite.js';

const it = suite('smoke');

it('a configmap is created, read, replaced and deleted', async (s) => {
  const at = '/api/v1/namespaces/{ns}/configmaps';
  const made = await s.post(at, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { b: '1' } });
  await s.get(`${at}/a`);
  await s.put(`${at}/a`, { ...made.object(), data: { b: '2' } });
  await s.put(`${at}/a`, made.object());
  await s.merge(`${at}/a`, { data: { c: 'x' } });
  const w = await s.watch(`${at}?watch=true&resourceVersion=${made.object().metadata.resourceVersion}`);
  await s.delete(`${at}/a`);
  await w.until(3);
  s.note('watch', w);
  await s.get(`${at}/a`);
});
