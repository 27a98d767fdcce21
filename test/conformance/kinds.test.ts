import { CLUSTER_KINDS, KINDS, type KindSample } from '../src/conformance/kinds.table.js';
import { given } from '../src/conformance/objects.js';
import { JSON_PATCH, STRATEGIC, type Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('kinds');

const nameOf = (object: Record<string, unknown>): string => (object['metadata'] as { name: string }).name;

/** Create, read, replace, patch in three ways, delete: each answer whole. */
async function lifecycle(s: Session, { collection, minimal, change }: KindSample): Promise<void> {
  const at = `${collection}/${nameOf(minimal)}`;
  const made = await s.post(collection, minimal);
  await s.put(at, { ...made.object(), metadata: { ...made.object().metadata, annotations: { put: '1' } } });
  await s.merge(at, change);
  await s.merge(at, { metadata: { annotations: { strategic: '1' } } }, { type: STRATEGIC });
  await s.call('PATCH', at, {
    body: [
      { op: 'test', path: '/metadata/annotations/put', value: '1' },
      { op: 'remove', path: '/metadata/annotations' },
    ],
    type: JSON_PATCH,
  });
  await s.get(`${collection}?fieldSelector=metadata.name%3D${nameOf(minimal)}`);
  await s.delete(at);
}

/** The kinds repeat checks of theirs: how often is seen by the causes alone. */
async function badMetadata(s: Session, { collection, minimal }: KindSample): Promise<void> {
  const at = `${collection}/${nameOf(minimal)}`;
  const made = await given(s, collection, minimal);
  const metadata = { ...made.object().metadata, labels: { 'a b': 'x' }, finalizers: ['b c'] };
  const { body } = await s.quiet('PUT', at, { body: { ...made.object(), metadata } });
  const { details } = body as { details?: { causes?: { field: string }[] } };
  const causes = (details?.causes ?? []).map(({ field }) => field).filter((field) => field.startsWith('metadata.'));
  s.remark('causes', causes);
  await s.quiet('DELETE', `${at}?gracePeriodSeconds=0`);
}

for (const [plural, sample] of Object.entries({ ...KINDS, ...CLUSTER_KINDS })) {
  it(`${plural} go through their life`, (s) => lifecycle(s, sample));
  it(`${plural} say so often what is wrong with their metadata`, (s) => badMetadata(s, sample));
  const { full } = sample;
  if (full !== undefined)
    it(`${plural} of many fields are defaulted and normalised`, async (s) =>
      void (await s.post(sample.collection, full)));
}

it('put creates what is not there for the kinds that allow it', async (s) => {
  const allowing = ['leases', 'endpoints', 'events', 'services', 'limitranges', 'roles', 'rolebindings'];
  for (const plural of [...allowing, 'configmaps', 'deployments', 'poddisruptionbudgets']) {
    const sample = KINDS[plural];
    if (sample === undefined) throw new Error(`no sample of ${plural}`);
    await s.put(`${sample.collection}/x`, sample.minimal);
  }
});

it('an event is one object seen in two groups', async (s) => {
  const core = '/api/v1/namespaces/{ns}/events';
  const events = '/apis/events.k8s.io/v1/namespaces/{ns}/events';
  await s.post(core, { ...KINDS['events']?.full, metadata: { name: 'old' } });
  await s.get(`${events}/old`);
  await s.post(events, {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'new' },
    eventTime: '2020-01-01T00:00:00.000000Z',
    reportingController: 'example.com/c',
    reportingInstance: 'i',
    action: 'A',
    reason: 'R',
    type: 'Normal',
    regarding: { kind: 'Pod', name: 'p', namespace: '{ns}' },
    note: 'n',
  });
  await s.get(`${core}/new`);
  for (const selector of [
    'involvedObject.name=p',
    'reason=R',
    'type=Warning',
    'involvedObject.kind=Pod',
    'source=k',
    'reportingComponent=example.com/c',
  ]) {
    const answer = await s.quiet('GET', `${core}?fieldSelector=${encodeURIComponent(selector)}`);
    s.remark(
      selector,
      (answer.body as { items?: { metadata: { name: string } }[] }).items?.map(({ metadata }) => metadata.name) ??
        answer.body,
    );
  }
  await s.delete(`${events}/old`);
  await s.get(core);
});

it('an event of the newer group is held to its rules', async (s) => {
  await s.post('/apis/events.k8s.io/v1/namespaces/{ns}/events', {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'bad' },
  });
  const events = '/apis/events.k8s.io/v1/namespaces/{ns}/events';
  const event = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'good' },
    eventTime: '2020-01-01T00:00:00.000000Z',
    type: 'Normal',
    reason: 'R',
    action: 'A',
    reportingController: 'example.com/c',
    reportingInstance: 'i',
    regarding: { kind: 'Pod', name: 'p', namespace: '{ns}' },
  };
  await s.post(events, { ...event, deprecatedCount: 1, deprecatedSource: { host: 'h' }, series: { count: 1 } });
  const created = await s.post(events, event);
  await s.put(`${events}/good`, { ...created.object(), note: 'other', reason: 'S', type: 'Warning' });
});
