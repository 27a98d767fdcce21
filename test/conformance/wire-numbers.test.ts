import { DEPLOYMENTS, PODS, deployment, given, pod } from '../src/conformance/objects.js';
import { APPLY, JSON_PATCH, MERGE, STRATEGIC } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('wire-numbers');

/** Numbers as nobody writes integers. */
const ODD = ['3.0', '1e1', '30e-1', '2.5'];
const LARGE = ['2147483648', '9223372036854775808'];
const NUMBERS = [...ODD, '1e400', ...LARGE];
const JSON_TYPE = 'application/json';

it('merge patches of integers', async (s) => {
  await given(s, DEPLOYMENTS, deployment('d', { replicas: 1 }));
  for (const number of NUMBERS)
    await s.call('PATCH', `${DEPLOYMENTS}/d`, { raw: `{"spec":{"replicas":${number}}}`, type: MERGE });
});

it('JSON patches of integers', async (s) => {
  await given(s, DEPLOYMENTS, deployment('d', { replicas: 1 }));
  for (const number of NUMBERS) {
    const raw = `[{"op":"replace","path":"/spec/replicas","value":${number}}]`;
    await s.call('PATCH', `${DEPLOYMENTS}/d`, { raw, type: JSON_PATCH });
  }
});

it('strategic merge patches of integers', async (s) => {
  await given(s, DEPLOYMENTS, deployment('d', { replicas: 1 }));
  for (const number of ODD)
    await s.call('PATCH', `${DEPLOYMENTS}/d`, { raw: `{"spec":{"replicas":${number}}}`, type: STRATEGIC });
});

it('applied integers', async (s) => {
  await given(s, DEPLOYMENTS, deployment('d', { replicas: 1 }));
  for (const number of ODD) {
    const raw = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{"replicas":${number}}}`;
    await s.call('PATCH', `${DEPLOYMENTS}/d?fieldManager=me&force=true`, { raw, type: APPLY });
  }
});

it('integers of a Scale', async (s) => {
  await given(s, DEPLOYMENTS, deployment('d', { replicas: 1 }));
  for (const number of [...ODD, ...LARGE]) {
    const head = '"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"d"}';
    await s.call('PUT', `${DEPLOYMENTS}/d/scale`, { raw: `{${head},"spec":{"replicas":${number}}}`, type: JSON_TYPE });
    await s.call('PATCH', `${DEPLOYMENTS}/d/scale`, { raw: `{"spec":{"replicas":${number}}}`, type: MERGE });
  }
});

it('integers of a Binding and of an Eviction', async (s) => {
  await given(s, PODS, pod('p'));
  for (const number of [...ODD, ...LARGE]) {
    const binding = `{"apiVersion":"v1","kind":"Binding","metadata":{"name":"p","generation":${number}},"target":{"kind":"X"}}`;
    await s.call('POST', `${PODS}/p/binding`, { raw: binding, type: JSON_TYPE });
    const eviction = `{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"other"},"deleteOptions":{"gracePeriodSeconds":${number}}}`;
    await s.call('POST', `${PODS}/p/eviction`, { raw: eviction, type: JSON_TYPE });
  }
});
