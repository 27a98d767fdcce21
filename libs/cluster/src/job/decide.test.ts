import { describe, expect, it } from 'vitest';
import type { Pod } from '../workload/resources.js';
import { decideCompletion, decideEnding, decidePods } from './decide.js';
import type { PodPlan } from './decide.js';
import { nextFailures, NO_FAILURES, remainingMs } from './failures.js';
import { formatIndexes, parseIndexes } from './indexes.js';
import { expiresInMs } from './ttl-controller.js';
import { countReleased, finishedStatus, trackPods } from './tracking.js';
import { INDEX_FAILURES, INDEX_KEY, TRACKING_FINALIZER } from './types.js';
import type { Job, JobSpec, JobStatus } from './types.js';
import { viewJob } from './view.js';

const NOW = Date.parse('2030-01-01T00:10:00Z');
const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString().replace('.000', '');

function job(spec: Partial<JobSpec> = {}, status: JobStatus = {}): Job {
  const metadata = { name: 'j', namespace: 'n', uid: 'u' };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { template: {}, ...spec }, status };
}

/** `run`, `ok`, `bad`, with `-` in front when it is leaving, and an index behind a colon. */
function pod(text: string, extra: { code?: number; failures?: number; seconds?: number; held?: boolean } = {}): Pod {
  const [, leaving = '', kind = '', name = '', index] = /^(-?)(run|ok|bad)(\w*)(?::(\d+))?$/.exec(text) ?? [];
  const { code = 1, failures, held = true, seconds = -60 } = extra;
  const phase = { run: 'Running', ok: 'Succeeded', bad: 'Failed' }[kind] ?? '';
  const terminated = { exitCode: kind === 'bad' ? code : 0, finishedAt: at(seconds) };
  const annotations = {
    ...(index === undefined ? {} : { [INDEX_KEY]: index }),
    ...(failures === undefined ? {} : { [INDEX_FAILURES]: String(failures) }),
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `p-${text}`,
      namespace: 'n',
      uid: `${kind}${name}${index ?? ''}`,
      annotations,
      ...(held ? { finalizers: [TRACKING_FINALIZER] } : {}),
      ...(leaving === '' ? {} : { deletionTimestamp: at(0) }),
    },
    status: { phase, containerStatuses: kind === 'run' ? [] : [{ name: 'main', state: { terminated } }] } as never,
  };
}

const pods = (...texts: string[]): Pod[] => texts.map((text) => pod(text));
const view = (of: Job, list: readonly Pod[]) => viewJob(of, list, new Set());

describe('the ending of a Job', () => {
  const indexed = { completionMode: 'Indexed', completions: 2 };
  const failJob = {
    rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }],
  } satisfies JobSpec['podFailurePolicy'];
  it.each([
    ['none while pods run', job(), pods('run'), undefined],
    ['none while failures are within the limit', job({ backoffLimit: 1 }), pods('bad'), undefined],
    ['failure beyond the limit', job({ backoffLimit: 0 }), pods('bad'), 'BackoffLimitExceeded'],
    ['pods on their way out count as failed', job({ backoffLimit: 0 }), pods('-run'), 'BackoffLimitExceeded'],
    [
      'unless only the failed are replaced',
      job({ backoffLimit: 0, podReplacementPolicy: 'Failed' }),
      pods('-run'),
      undefined,
    ],
    ['failures of before count', job({ backoffLimit: 1 }, { failed: 1 }), pods('bad'), 'BackoffLimitExceeded'],
    [
      'those counted are not counted again',
      job({ backoffLimit: 1 }, { failed: 1 }),
      [pod('bad', { held: false })],
      undefined,
    ],
    ['past the deadline', job({ activeDeadlineSeconds: 5 }, { startTime: at(-5) }), [], 'DeadlineExceeded'],
    ['before the deadline', job({ activeDeadlineSeconds: 5 }, { startTime: at(-4) }), [], undefined],
    [
      'a suspended Job has no deadline',
      job({ activeDeadlineSeconds: 5, suspend: true }, { startTime: at(-9) }),
      [],
      undefined,
    ],
    ['a rule that fits', job({ podFailurePolicy: failJob }), [pod('bad', { code: 42 })], 'PodFailurePolicy'],
    ['a rule that does not', job({ podFailurePolicy: failJob }), [pod('bad', { code: 41 })], undefined],
    [
      'failed indexes when all have ended',
      job({ ...indexed, backoffLimitPerIndex: 0 }),
      pods('bad:0', 'ok:1'),
      'FailedIndexes',
    ],
    ['not while one goes on', job({ ...indexed, backoffLimitPerIndex: 0 }), pods('bad:0', 'run:1'), undefined],
    [
      'too many failed indexes',
      job({ ...indexed, backoffLimitPerIndex: 0, maxFailedIndexes: 0 }),
      pods('bad:0', 'run:1'),
      'MaxFailedIndexesExceeded',
    ],
    [
      'a met success policy',
      job({ ...indexed, successPolicy: { rules: [{ succeededIndexes: '1' }] } }),
      pods('ok:1', 'run:0'),
      'SuccessPolicy',
    ],
    [
      'one by count',
      job({ ...indexed, successPolicy: { rules: [{ succeededCount: 2 }] } }),
      pods('ok:1', 'run:0'),
      undefined,
    ],
  ])('is %s', (_, of, list, reason) => {
    expect(decideEnding(view(of, list), NOW)?.reason).toBe(reason);
  });

  it('is completion when enough have succeeded and none runs', () => {
    expect(decideCompletion(view(job({ completions: 2 }, { succeeded: 1 }), pods('ok')), 0)?.reason).toBe(
      'CompletionsReached',
    );
    expect(decideCompletion(view(job({ completions: 2 }, { succeeded: 1 }), pods('ok')), 1)).toBeUndefined();
    expect(decideCompletion(view(job({ completions: 2 }), pods('ok')), 0)).toBeUndefined();
    expect(decideCompletion(view(job({}), pods('ok')), 0)?.type).toBe('SuccessCriteriaMet');
  });
});

describe('the pods of a Job', () => {
  const plan = (of: Job, list: readonly Pod[], failures = NO_FAILURES): PodPlan =>
    decidePods({ view: view(of, list), failures, backoffMs: 10_000, nowMs: NOW });
  const summary = ({ create, remove, waitMs }: PodPlan) => ({
    create: create.map(({ index }) => index ?? 'new').join(' '),
    remove: remove.map(({ metadata }) => metadata.uid).join(' '),
    waitMs,
  });

  it.each([
    ['as many as run at once', job({ completions: 5, parallelism: 2 }), [], { create: 'new new' }],
    ['no more than are missing', job({ completions: 5, parallelism: 4 }, { succeeded: 3 }), [], { create: 'new new' }],
    ['none while all run', job({ completions: 5, parallelism: 1 }), pods('run'), {}],
    ['fewer when too many run', job({ completions: 5, parallelism: 1 }), pods('runa', 'runb'), { remove: 'runa' }],
    ['none of a suspended Job', job({ suspend: true, parallelism: 2 }), pods('runa', 'runb'), { remove: 'runa runb' }],
    ['no others after the first success without a number', job({ parallelism: 3 }), pods('ok', 'run'), {}],
    [
      'the lowest indexes that are free',
      job({ completionMode: 'Indexed', completions: 5, parallelism: 3 }, { completedIndexes: '0,2' }),
      pods('run:1'),
      { create: '3 4' },
    ],
    [
      'one per index',
      job({ completionMode: 'Indexed', completions: 3, parallelism: 3 }),
      pods('runa:0', 'runb:0', 'run:1'),
      { remove: 'runa0' },
    ],
    [
      'a leaving pod is awaited when only the failed are replaced',
      job({ podReplacementPolicy: 'Failed' }),
      pods('-run'),
      {},
    ],
    ['a leaving pod is replaced otherwise', job({}), pods('-run'), { create: 'new' }],
  ])('are %s', (_, of, list, wanted) => {
    expect(summary(plan(of, list))).toEqual({ create: '', remove: '', waitMs: 0, ...wanted });
  });

  it('wait longer after each failure in a row', () => {
    expect(summary(plan(job(), [], { count: 1, lastMs: NOW - 4000 }))).toEqual({
      create: '',
      remove: '',
      waitMs: 6000,
    });
    expect(summary(plan(job(), [], { count: 3, lastMs: NOW - 4000 })).waitMs).toBe(36_000);
    expect(remainingMs({ count: 30, lastMs: NOW }, 10_000, NOW)).toBe(600_000);
    expect(nextFailures({ count: 4, lastMs: 1 }, [pod('ok', { seconds: -10 })], [pod('bad', { seconds: -5 })])).toEqual(
      {
        count: 1,
        lastMs: NOW - 5000,
      },
    );
  });

  it('of an index hand on how often it has failed, and wait for themselves', () => {
    const of = job({ completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimitPerIndex: 3 });
    const list = [pod('bad:0', { failures: 1, seconds: -5 }), pod('bad:1', { seconds: -60 })];
    const { create, waitMs } = plan(of, list);
    expect({ create: create.map(({ index, replaces }) => [index, replaces?.metadata.uid]), waitMs }).toEqual({
      create: [[1, 'bad1']],
      waitMs: 0,
    });
  });
});

describe('the count of a Job', () => {
  it('names pods before it counts them', () => {
    const of = job({ completions: 3 });
    const list = pods('ok', 'bad', 'run');
    const { release, status } = trackPods(view(of, list), {}, undefined);
    expect(status).toEqual({
      succeeded: 0,
      failed: 0,
      uncountedTerminatedPods: { succeeded: ['ok'], failed: ['bad'] },
    });
    expect(release.map(({ metadata }) => metadata.uid)).toEqual(['ok', 'bad']);
    expect(countReleased(status, new Set(['bad']))).toEqual({
      succeeded: 1,
      failed: 0,
      uncountedTerminatedPods: { failed: ['bad'] },
    });
  });

  it('takes those that still run for failed when the Job fails', () => {
    const ending = { type: 'FailureTarget', reason: 'R', message: 'm', isKnown: false } as const;
    const { release, status } = trackPods(view(job(), pods('-run')), {}, ending);
    expect([status.uncountedTerminatedPods, release.length]).toEqual([{ failed: ['run'] }, 1]);
    expect(finishedStatus(status, ending, at(0))).toBeUndefined();
    expect(finishedStatus({ terminating: 1 }, ending, at(0))).toBeUndefined();
    expect(finishedStatus({}, ending, at(0))?.conditions?.[0]).toEqual({
      type: 'Failed',
      status: 'True',
      lastProbeTime: at(0),
      lastTransitionTime: at(0),
      reason: 'R',
      message: 'm',
    });
  });

  it('keeps the failed pod of an index until another has its count', () => {
    const of = job({ completionMode: 'Indexed', completions: 1, backoffLimitPerIndex: 1 });
    expect(trackPods(view(of, pods('bad:0')), {}, undefined).release).toEqual([]);
    expect(trackPods(view(of, pods('bad:0', 'run:0')), {}, undefined).release.length).toBe(1);
  });

  it.each([
    [[], ''],
    [[3], '3'],
    [[0, 1], '0,1'],
    [[0, 1, 2, 5, 7, 8, 9], '0-2,5,7-9'],
  ])('writes indexes %j', (indexes, text) => {
    expect(formatIndexes(new Set(indexes))).toBe(text);
    expect([...parseIndexes(text, 10)]).toEqual(indexes);
  });

  it('is forgotten when the time has come', () => {
    const conditions = [{ type: 'Complete', status: 'True', lastTransitionTime: at(-5) } as const];
    expect(expiresInMs(job({ ttlSecondsAfterFinished: 8 }, { conditions: [...conditions] }), NOW)).toBe(3000);
    expect(expiresInMs(job({ ttlSecondsAfterFinished: 1 }, { conditions: [...conditions] }), NOW)).toBe(0);
    expect(expiresInMs(job({ ttlSecondsAfterFinished: 1 }), NOW)).toBeUndefined();
  });
});
