import { PROTOBUF_TYPE, protobufOfJson } from '@capstan/apiserver';
import { PODS, given, pod } from '../src/conformance/objects.js';
import { STRATEGIC, type Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('eviction');
const BUDGETS = '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets';

const eviction = (name: string, deleteOptions?: object) => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name },
  ...(deleteOptions === undefined ? {} : { deleteOptions }),
});

/** A pod on a node, running, ready or not. */
async function running(s: Session, name: string, isReady = true): Promise<string> {
  await given(s, PODS, pod(name, { labels: { app: 'a' } }, { nodeName: 'n1' }));
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] };
  const answer = await s.quiet('PATCH', `${PODS}/${name}/status`, { body: { status }, type: STRATEGIC });
  return answer.object().metadata.resourceVersion ?? '';
}

async function budget(s: Session, name: string, status: object, spec: object = {}): Promise<void> {
  await s.quiet('POST', BUDGETS, {
    body: {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } }, ...spec },
    },
  });
  const counts = { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 };
  const body = { status: { observedGeneration: 1, ...counts, ...status } };
  await s.quiet('PATCH', `${BUDGETS}/${name}/status`, { body, type: STRATEGIC });
}

it('a pod without a budget is evicted', async (s) => {
  await running(s, 'p');
  await s.post(`${PODS}/p/eviction`, eviction('p'));
  await s.get(`${PODS}/p`);
  await s.post(`${PODS}/p/eviction`, eviction('p', { gracePeriodSeconds: 5 }));
  await s.get(`${PODS}/p`);
  await s.post(`${PODS}/p/eviction`, eviction('p', { gracePeriodSeconds: 0 }));
  await s.get(`${PODS}/p`);
});

it('a pod that does not run is evicted at once, whatever the budget', async (s) => {
  await budget(s, 'b', {});
  await given(s, PODS, pod('p', { labels: { app: 'a' } }));
  await s.post(`${PODS}/p/eviction`, eviction('p'));
  await s.get(`${PODS}/p`);
});

it('evictions that make no sense are refused', async (s) => {
  await running(s, 'p');
  await s.post(`${PODS}/none/eviction`, eviction('none'));
  await s.post(`${PODS}/p/eviction`, eviction('other'));
  await s.post(`${PODS}/p/eviction`, { ...eviction('p'), kind: 'Binding' });
  await s.post(`${PODS}/p/eviction`, { ...eviction('p'), apiVersion: 'v1' });
  await s.post(`${PODS}/p/eviction?dryRun=All`, { ...eviction('p'), apiVersion: 'policy/v1beta1' });
  await s.post(`${PODS}/p/eviction`, eviction('p', { preconditions: { resourceVersion: '1' } }));
  await s.post(`${PODS}/p/eviction`, eviction('p', { preconditions: { uid: 'other' } }));
  await s.post(`${PODS}/p/eviction`, eviction('p', { dryRun: ['Some'] }));
  await s.post(`${PODS}/p/eviction`, eviction('p', { gracePeriodSeconds: 'soon' }));
  await s.post(`${PODS}/p/eviction`, { ...eviction('p'), surprise: 1 });
  await s.get(`${PODS}/p/eviction`);
});

it('a budget that is used up refuses, with the reason', async (s) => {
  await running(s, 'p');
  await budget(s, 'b', {});
  await s.post(`${PODS}/p/eviction`, eviction('p'));
  await s.post(`${PODS}/p/eviction?dryRun=All`, eviction('p'));
  const status = (type: string, reason: string, message: string): object => ({
    status: {
      currentHealthy: 3,
      conditions: [{ type, status: 'False', reason, message, lastTransitionTime: '2020-01-01T00:00:00Z' }],
    },
  });
  for (const body of [
    { status: { currentHealthy: 3 } },
    status('DisruptionAllowed', 'InsufficientPods', 'too few'),
    status('DisruptionAllowed', 'SyncFailed', 'no idea'),
    { status: { observedGeneration: 0 } },
  ]) {
    await s.quiet('PATCH', `${BUDGETS}/b/status`, { body, type: STRATEGIC });
    await s.post(`${PODS}/p/eviction`, eviction('p'));
  }
  await budget(s, 'c', { disruptionsAllowed: 1 });
  await s.post(`${PODS}/p/eviction`, eviction('p'));
});

it('a budget counts what it has granted', async (s) => {
  await running(s, 'p');
  await running(s, 'q');
  await budget(s, 'b', { disruptionsAllowed: 1, currentHealthy: 2 });
  await s.post(`${PODS}/p/eviction?dryRun=All`, eviction('p'));
  await s.post(`${PODS}/p/eviction`, eviction('p', { dryRun: ['All'] }));
  await s.get(`${BUDGETS}/b`);
  await s.post(`${PODS}/p/eviction`, eviction('p'));
  const granted = (await s.quiet('GET', `${BUDGETS}/b`)).object();
  const { disruptedPods, ...status } = granted['status'] as { disruptedPods?: object };
  s.remark('granted', { status, pods: Object.keys(disruptedPods ?? {}), managers: granted.metadata['managedFields'] });
  await s.post(`${PODS}/q/eviction`, eviction('q'));
  await s.get(`${PODS}/p`);
});

it('pods that are ill may go by the policy of the budget', async (s) => {
  await running(s, 'p', false);
  await running(s, 'q', false);
  await budget(s, 'b', { currentHealthy: 0 });
  await s.post(`${PODS}/p/eviction`, eviction('p'));
  await s.quiet('PATCH', `${BUDGETS}/b/status`, { body: { status: { currentHealthy: 1 } }, type: STRATEGIC });
  await s.post(`${PODS}/p/eviction`, eviction('p'));
  const body = { spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } };
  await s.quiet('PATCH', `${BUDGETS}/b`, { body, type: STRATEGIC });
  await s.quiet('PATCH', `${BUDGETS}/b/status`, { body: { status: { currentHealthy: 0 } }, type: STRATEGIC });
  await s.post(`${PODS}/q/eviction`, eviction('q'));
  await s.get(`${BUDGETS}/b`);
});

it('the version of the pod may be a precondition', async (s) => {
  const resourceVersion = await running(s, 'p');
  await s.post(`${PODS}/p/eviction`, eviction('p', { preconditions: { resourceVersion } }));
});

it('an eviction may be sent in protobuf', async (s) => {
  await running(s, 'p');
  const raw = protobufOfJson(eviction('p', { gracePeriodSeconds: 7 }));
  await s.call('POST', `${PODS}/p/eviction`, { raw, type: PROTOBUF_TYPE });
  await s.get(`${PODS}/p`);
});
