import type { HostedCluster } from '@capstan/api/hypershift';
import { parseVersion } from '@capstan/release';
import { describe, expect, it } from 'vitest';
import { isBelow, versionsOf, VersionTable } from './rows.js';

type Entry = readonly [state: string, version: string, started: string, completed: string | null];

function cluster(
  name: string,
  entries: readonly Entry[] | undefined,
  whole?: readonly [string, string],
): HostedCluster {
  const history = entries?.map(([state, version, startedTime, completionTime]) => ({
    state,
    version,
    startedTime,
    completionTime,
  }));
  const made: unknown = {
    metadata: { namespace: 'clusters', name },
    status: {
      ...(history === undefined
        ? {}
        : { controlPlaneVersion: { desired: { version: entries?.[0]?.[1] ?? '4.20.1' }, history } }),
      ...(whole === undefined ? {} : { version: { history: [{ state: whole[1], version: whole[0] }] } }),
    },
  };
  return made as HostedCluster;
}

const steady = cluster(
  'steady',
  [
    ['Completed', '4.20.1', '2026-02-20T10:00:00Z', '2026-02-20T10:15:00Z'],
    ['Completed', '4.20.0', '2026-02-10T08:00:00Z', '2026-02-20T10:00:00Z'],
  ],
  ['4.20.1', 'Partial'],
);
const failed = cluster('failed', [
  ['Partial', '4.20.1', '2026-02-25T14:00:00Z', null],
  ['Partial', '4.19.19', '2026-02-24T10:00:00Z', '2026-02-25T14:00:00Z'],
  ['Completed', '4.19.6', '2026-02-01T08:00:00Z', '2026-02-24T10:00:00Z'],
]);
const silent = cluster('silent', undefined);
const unmade = cluster('unmade', []);
const ALL = [steady, failed, silent, unmade];

describe('the versions of a cluster', () => {
  it('are those of its control plane, and of the whole cluster', () => {
    expect(versionsOf(steady, 1)).toEqual({
      namespace: 'clusters',
      name: 'steady',
      desired: '4.20.1',
      state: 'Completed',
      since: '2026-02-20T10:15:00Z',
      active: ['4.20.1'],
      nodePools: { floor: '4.19', ceiling: '4.20.1' },
      cluster: { version: '4.20.1', state: 'Partial' },
    });
  });

  it('are all that may be running after an upgrade that failed', () => {
    expect(versionsOf(failed, 2)).toMatchObject({
      state: 'Partial',
      since: '2026-02-25T14:00:00Z',
      active: ['4.20.1', '4.19.19', '4.19.6'],
      nodePools: { floor: '4.17', ceiling: '4.19.6' },
    });
  });

  it('are unknown before they are reported', () => {
    expect(versionsOf(silent, 1)).toEqual({ namespace: 'clusters', name: 'silent', state: 'Unknown', active: [] });
    expect(versionsOf(unmade, 1)).toMatchObject({ desired: '4.20.1', state: 'Unknown', active: [] });
  });
});

it.each([
  ['4.20.2', ['steady', 'failed', 'silent', 'unmade']],
  ['4.20.1', ['failed', 'silent', 'unmade']],
  ['4.19.7', ['failed', 'silent', 'unmade']],
  ['4.19.6', ['silent', 'unmade']],
])('below %s may be %j', (text, names) => {
  const version = parseVersion(text);
  if (version === undefined) throw new RangeError(text);
  const rows = ALL.map((each) => versionsOf(each, 1)).filter((row) => isBelow(row, version));
  expect(rows.map(({ name }) => name)).toEqual(names);
});

it('the table has a line for each, and later lines stand under the first', () => {
  const table = new VersionTable();
  const nowMs = Date.parse('2026-02-25T14:30:00Z');
  const rows = [steady, failed, silent].map((each) => versionsOf(each, 1));
  expect(table.whole(rows, nowMs)).toBe(
    [
      'NAMESPACE   NAME     CONTROL PLANE   STATE       SINCE    MAY RUN                 NODES MAY HAVE   CLUSTER',
      'clusters    steady   4.20.1          Completed   5d4h     4.20.1                  4.19 to 4.20.1   4.20.1 Partial',
      'clusters    failed   4.20.1          Partial     30m      4.20.1,4.19.19,4.19.6   4.18 to 4.19.6   <none>',
      'clusters    silent   <none>          Unknown     <none>   <none>                  <none>           <none>',
      '',
    ].join('\n'),
  );
  expect(table.row(versionsOf(unmade, 1), nowMs)).toBe(
    'clusters    unmade   4.20.1          Unknown     <none>   <none>                  <none>           <none>\n',
  );
});
