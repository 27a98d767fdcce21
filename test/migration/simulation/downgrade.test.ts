import { conditionsOf, MACHINES } from '@capstan/hosting';
import { privateTypesGuard } from '@capstan/hypershift/manifests';
import { getCondition } from '@capstan/meta';
import type { CommitEvent, OperatorInstance, SimulationEvent } from '@capstan/simulation';
import { LEGACY_OPERATOR, PRIVATE_OPERATOR } from '@capstan/tools/hosting';
import { fleetSnapshot, MIGRATION_PROCESS, migrationProcess, SimulatedMigration } from '@capstan/tools/migration';
import { WholeBody } from '@capstan/translate';
import type { Body, Headers, TranslatedResponse } from '@capstan/translate';
import { SIDECAR_KUBECONFIG } from '@capstan/translate/sidecar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const TEST_MS = 300_000;
const BEFORE = 'operator-before';
const LEGACY = LEGACY_OPERATOR.name ?? '';
const CONTROL_PLANE = 'clusters-red';
const REST_MS = 1_200_000;
const MACHINES_AT_FIRST = 2;

/** As the annotation and the label of private types are to an operator that does not know them: some key of somewhere. */
const KNOWN = 'hypershift.openshift.io/private-capi-types';
const UNKNOWN = 'unknown.example.com/key';

/** An operator on standard types as it was before there were private ones. */
const UNAWARE: OperatorInstance = {
  name: BEFORE,
  env: { KUBECONFIG: SIDECAR_KUBECONFIG },
  sidecar: {
    server: 'http://127.0.0.1:8080',
    translator: {
      request: ({ headers, target }) => {
        const response = (_: number, received: Headers): TranslatedResponse => ({
          headers: received,
          body: String(received['content-type']).includes('json') ? renaming(KNOWN, UNKNOWN) : 'pass',
        });
        const body = (): Body => renaming(UNKNOWN, KNOWN);
        return { target, headers, route: ROUTE, isWatch: false, body, response, changes: response };
      },
    },
  },
};

/** Every request is sent as it is, but for that key. */
const ROUTE = { class: 'passthrough', path: undefined, entry: undefined } as const;

function renaming(from: string, to: string): Body {
  return new WholeBody((bytes) => Buffer.from(Buffer.from(bytes).toString().replaceAll(from, to)));
}

const commits: CommitEvent[] = [];
const onEvent = (event: SimulationEvent): void => {
  if (event.type === 'commit') commits.push(event);
};

let fleet: SimulatedMigration;
let since = 0;

/** What was written in the namespace of the control plane, to standard objects of Cluster API or by a process. */
function written(from: number, isMeant: (event: CommitEvent) => boolean): readonly string[] {
  return commits
    .slice(from)
    .filter((event) => event.namespace === CONTROL_PLANE && isMeant(event))
    .map(({ change, name, process, resource }) => `${process} ${change}s ${resource} ${name}`);
}

const isStandard = ({ resource }: CommitEvent): boolean => /^(?:[a-z.]+\.)?cluster\.x-k8s\.io\//u.test(resource);

beforeAll(async () => {
  fleet = await SimulatedMigration.start({ snapshot: await fleetSnapshot(), onEvent }, { machines: MACHINES_AT_FIRST });
  const groups = [MACHINES.group, `infrastructure.${MACHINES.group}`];
  await fleet.hosted.apply(privateTypesGuard(groups));
  since = fleet.simulation.elapsed;
  fleet.simulation.spawn(migrationProcess({ platform: fleet.platform }));
  await fleet.ended();
  await fleet.settled(MACHINES_AT_FIRST);
}, TEST_MS);
afterAll(() => fleet.simulation.end());

describe('An operator from before private types that is installed over a migrated cluster', () => {
  it(
    'starts no machine, ends none, and creates nothing in the standard groups',
    async () => {
      const from = commits.length;
      for (const name of [MIGRATION_PROCESS, 'operator', LEGACY]) fleet.simulation.stop(name);
      fleet.hosted.startOperator(UNAWARE);
      await fleet.pass(REST_MS);
      expect(written(from, isStandard)).toEqual([]);
      expect(fleet.cloudCalls(since)).toEqual({});
    },
    TEST_MS,
  );

  it('reports why', async () => {
    const conditions = conditionsOf(await fleet.hostedCluster());
    const { message, status } = getCondition(conditions, 'ReconciliationSucceeded') ?? {};
    expect([status, message]).toEqual([
      'False',
      expect.stringContaining(
        `the hosted cluster of namespace ${CONTROL_PLANE} keeps its Cluster API objects in the private groups: create harbourclusters there`,
      ),
    ]);
  });

  it('is not noticed by the users of the cluster', () => {
    expect([fleet.probe.failures, [...fleet.probe.lostNodes]]).toEqual([[], []]);
  });

  it(
    'leaves a cluster that goes on once the operators of today are back',
    async () => {
      fleet.simulation.stop(BEFORE);
      for (const operator of [LEGACY_OPERATOR, PRIVATE_OPERATOR]) fleet.hosted.startOperator(operator);
      fleet.simulation.spawn(migrationProcess({ platform: fleet.platform }));
      await fleet.changePool({ replicas: MACHINES_AT_FIRST + 1 });
      await fleet.settled(MACHINES_AT_FIRST + 1);
      expect(fleet.cloudCalls(since)).toEqual({ create: 1 });
      await fleet.available();
    },
    TEST_MS,
  );
});

describe('A single cluster that is rolled back by hand', () => {
  it(
    'is reconciled by the legacy operator again, on standard types',
    async () => {
      await fleet.rollBack();
      expect(await fleet.ended()).toBe('manual-rollback');
      const from = commits.length;
      await fleet.changePool({ replicas: MACHINES_AT_FIRST });
      await fleet.settled(MACHINES_AT_FIRST);
      await fleet.pass(60_000);
      expect(written(from, ({ process }) => process === 'operator')).toEqual([]);
      expect(written(from, (event) => event.process === LEGACY && isStandard(event)).length).toBeGreaterThan(0);
      expect(fleet.cloudCalls(since)).toEqual({ create: 1, terminate: 1 });
      expect(fleet.violations()).toEqual([]);
    },
    TEST_MS,
  );

  it('is not noticed by its users', () => {
    expect(fleet.probe.failures).toEqual([]);
  });
});
