import { custom, dismiss, givenDefinition, GROUP, objectsPath, version } from '../src/conformance/crds.js';
import { given } from '../src/conformance/objects.js';
import { machinePolicies, NEW_NAMESPACE, PLURALS, SYNC } from '../src/conformance/machine-policies.js';
import { enforced, withdrawn } from '../src/conformance/policies.js';
import { MERGE } from '../src/conformance/session.js';
import type { Answer, Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';
import { eventually, SERVER_LIMITS } from '../src/wait.js';

const it = suite('policies-machines');
type Fields = Record<string, unknown>;

const oldPath = (plural: string): string => objectsPath(plural);
const newPath = (plural: string): string => `/apis/${GROUP}/v1/namespaces/${NEW_NAMESPACE}/${plural}`;
const asSync = (s: Session) => ({
  headers: { 'impersonate-user': SYNC.replace('{ns}', s.ns), 'impersonate-group': 'system:masters' },
});

/** An object with its status, before any policy. */
async function stored(s: Session, path: string, object: Fields, status: Fields): Promise<void> {
  await given(s, path, object);
  const { name } = object['metadata'] as { name: string };
  const answer = await s.quiet('PATCH', `${path}/${name}/status`, { body: { status }, type: MERGE });
  if (answer.status !== 200) throw new Error(`no status: ${answer.text}`);
}

/** Until a real server has the parameters of all: until then it cannot configure the policies. */
async function inForce(tries: readonly (() => Promise<Answer>)[]): Promise<void> {
  for (const [index, ask] of tries.entries())
    await eventually(`policy ${index}`, async () => (await ask()).text.includes('with binding'), SERVER_LIMITS);
}

const dry = (s: Session, method: string, path: string, body: Fields) => () =>
  s.quiet(method, `${path}?dryRun=All`, { body, ...(method === 'PATCH' ? { type: MERGE } : {}) });

const PAIRS = [
  ['machines', 'Machine', 'hosts', 'Host'],
  ['machinesets', 'Machineset', 'hostsets', 'Hostset'],
] as const;
const MOVE = { spec: { authority: 'New' } };
const GROW = { spec: { size: 2 } };
const SYNCHRONIZED = { conditions: [{ type: 'Synchronized', status: 'True' }] };

/** What was there before the policies. */
async function populate(s: Session): Promise<void> {
  const machines: [string, Fields, Fields][] = [
    ['moved', { authority: 'New', size: 1 }, { authority: 'New' }],
    ['stays', { authority: 'Old', size: 1 }, { authority: 'Old', ...SYNCHRONIZED }],
    ['ready', { authority: 'Old' }, { authority: 'Old', phase: 'Running' }],
    ['young', { authority: 'Old' }, { authority: 'Old', phase: 'Provisioning' }],
    ['alone', { authority: 'Old' }, SYNCHRONIZED],
  ];
  for (const [name, spec, status] of machines)
    await stored(s, oldPath('machines'), custom('Machine', name, { spec }), status);
  const hosts: [string, Fields][] = [
    ['moved', { provisioned: true }],
    ['stays', { provisioned: false }],
    ['ready', { provisioned: true }],
    ['young', {}],
  ];
  for (const [name, status] of hosts)
    await stored(s, newPath('hosts'), custom('Host', name, { spec: { size: 1 } }), status);
  for (const [plural, kind, counterparts, counterpart] of PAIRS) {
    await given(s, newPath(counterparts), custom(counterpart, 'taken', { spec: {} }));
    await stored(s, oldPath(plural), custom(kind, 'old', { spec: { authority: 'Old' } }), { authority: 'Old' });
    await stored(s, oldPath(plural), custom(kind, 'new', { spec: { authority: 'New' } }), { authority: 'New' });
  }
}

const second = (kind: string, authority: string): Fields => custom(kind, 'taken', { spec: { authority } });
const counterpartOf = (kind: string, name: string, metadata: Fields = {}): Fields =>
  custom(kind, name, { metadata: { name, ...metadata }, spec: {} });

/** They are changed where they are reconciled. */
async function change(s: Session): Promise<void> {
  await s.merge(`${oldPath('machines')}/moved`, GROW);
  await s.merge(`${newPath('hosts')}/moved`, GROW);
  const labels = { 'machine.example.com/zone': 'a', mine: 'b' };
  await s.merge(`${oldPath('machines')}/moved`, { metadata: { labels } });
  await s.merge(`${oldPath('machines')}/moved`, { metadata: { labels: { mine: 'b' } } });
  await s.merge(`${oldPath('machines')}/moved`, GROW, asSync(s));
  await s.apply(`${oldPath('machines')}/moved`, 'me', custom('Machine', 'moved', { spec: { size: 3 } }), 'force=true');
  await s.merge(`${newPath('hosts')}/stays`, GROW);
  await s.merge(`${newPath('hosts')}/stays`, GROW, asSync(s));
  await s.merge(`${newPath('hosts')}/stays/status`, { status: { phase: 'x' } });
  await s.delete(`${newPath('hosts')}/stays?dryRun=All`);
}

/** They move between the API groups when they may. */
async function move(s: Session): Promise<void> {
  const young = `${oldPath('machines')}/young`;
  await s.merge(young, MOVE, asSync(s));
  await s.merge(`${young}/status`, { status: { phase: 'Running' } });
  for (const name of ['young', 'ready', 'alone']) await s.merge(`${oldPath('machines')}/${name}`, MOVE);
  await s.merge(young, MOVE, asSync(s));
}

/** They are created in one API group at a time. */
async function make(s: Session): Promise<void> {
  const paused = { annotations: { 'cluster.example.io/paused': '' } };
  for (const [plural, kind, counterparts, counterpart] of PAIRS) {
    await s.post(oldPath(plural), second(kind, 'Old'));
    await s.post(oldPath(plural), second(kind, 'New'));
    await s.post(newPath(counterparts), counterpartOf(counterpart, 'old'));
    await s.post(newPath(counterparts), counterpartOf(counterpart, 'old', paused));
    await s.post(newPath(counterparts), counterpartOf(counterpart, 'new'));
    await s.post(newPath(counterparts), counterpartOf(counterpart, 'new'), asSync(s));
    await s.post(newPath(counterparts), custom(counterpart, 'free', { spec: { version: '1' } }));
    await s.post(
      newPath(counterparts),
      custom(counterpart, 'free', { spec: { template: { spec: { version: '1' } } } }),
    );
    await s.post(newPath(counterparts), custom(counterpart, 'free', { spec: {} }));
  }
  await s.post(newPath('cloudhosts'), custom('Cloudhost', 'c', { spec: { cloudInit: {}, imageLookup: 'x' } }));
  await s.post(newPath('cloudhosts'), custom('Cloudhost', 'c', { spec: { ami: 'x' } }));
}

// One test: a real server looks for new kinds of parameters only now and again, and all wait for that.
it('thirteen policies keep the machines of two API groups apart', async (s) => {
  await given(s, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NEW_NAMESPACE } });
  const versions = [version({ subresources: { status: {} } })];
  for (const plural of PLURALS) await givenDefinition(s, plural, { versions });
  try {
    await populate(s);
    await enforced(s, 'machines', ...machinePolicies());
    await inForce([
      dry(s, 'PATCH', `${oldPath('machines')}/moved`, GROW),
      dry(s, 'PATCH', `${newPath('hosts')}/stays`, GROW),
      dry(s, 'PATCH', `${oldPath('machines')}/stays`, MOVE),
      ...PAIRS.flatMap(([plural, kind, counterparts, counterpart]) => [
        dry(s, 'POST', oldPath(plural), second(kind, 'Old')),
        dry(s, 'POST', newPath(counterparts), counterpartOf(counterpart, 'old')),
      ]),
    ]);
    await change(s);
    await move(s);
    await make(s);
  } finally {
    await withdrawn(s);
    await dismiss(s, ...PLURALS);
  }
});
