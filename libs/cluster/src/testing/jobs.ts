import { compareBytes } from '@capstan/meta';
import type { Job, JobSpec } from '../job/types.js';
import { trueCondition } from '../job/types.js';
import { JOBS } from '../workload/resources.js';
import type { Pod } from '../workload/resources.js';
import type { ScenarioContext } from './context.js';
import { mustEqual } from './context.js';
import type { Scenario } from './context.js';
import { template, Workloads } from './workloads.js';

type Spec = Partial<JobSpec> & { readonly image?: string };

async function create(context: ScenarioContext, { image = 'succeeds:1', ...spec }: Spec): Promise<void> {
  const pod = template('task', image);
  await context.client.create(JOBS, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'task', namespace: context.namespace },
    spec: { template: { ...pod, spec: { ...pod.spec, restartPolicy: 'Never' } }, ...spec },
  });
}

function ends(context: ScenarioContext, type: 'Complete' | 'Failed'): Promise<Job> {
  return context.eventually(`the job is ${type}`, async () => {
    const job = (await context.mustLive('task', JOBS)) as Job;
    return trueCondition(job, type) !== undefined && job;
  });
}

const conditions = (job: Job): string[] =>
  (job.status?.conditions ?? []).map(({ reason, status, type }) => `${type}=${status} ${reason}`);

const finalizers = (pods: readonly Pod[]): string[] => pods.flatMap(({ metadata }) => metadata.finalizers ?? []);

const running = (context: ScenarioContext, w: Workloads, count: number): Promise<Pod[]> =>
  context.eventually(`${count} pods are running`, async () => {
    const pods = await w.activePods('task');
    return pods.length === count && pods.every(({ status }) => status?.phase === 'Running') && pods;
  });

/** What Jobs must do. */
export const jobScenarios: readonly Scenario[] = [
  {
    name: 'a Job runs pods until as many have succeeded as it asks for, and counts each once',
    async run(context) {
      await create(context, { completions: 5, parallelism: 2 });
      const job = await ends(context, 'Complete');
      const { active = 0, completionTime, failed = 0, ready, startTime, succeeded, terminating } = job.status ?? {};
      mustEqual(
        { active, failed, ready, succeeded, terminating },
        { active: 0, failed: 0, ready: 0, succeeded: 5, terminating: 0 },
        'counts',
      );
      mustEqual([startTime !== undefined, completionTime !== undefined], [true, true], 'times');
      // Between the two, servers since 1.31 get the condition that the criteria are met.
      mustEqual(conditions(job).at(-1), 'Complete=True CompletionsReached', 'condition');
      const pods = await new Workloads(context).pods('task');
      mustEqual(pods.length, 5, 'pods');
      mustEqual(finalizers(pods), [], 'finalizers');
      const labels = Object.keys(pods[0]?.metadata.labels ?? {});
      mustEqual(labels.includes('batch.kubernetes.io/job-name'), true, 'label of the job');
    },
  },
  {
    name: 'a Job gives up when too many of its pods have failed',
    async run(context) {
      await create(context, { image: 'fails:1', backoffLimit: 1 });
      const job = await ends(context, 'Failed');
      mustEqual([job.status?.failed, job.status?.succeeded ?? 0], [2, 0], 'counts');
      mustEqual(
        conditions(job),
        ['FailureTarget=True BackoffLimitExceeded', 'Failed=True BackoffLimitExceeded'],
        'conditions',
      );
      mustEqual(finalizers(await new Workloads(context).pods('task')), [], 'finalizers');
    },
  },
  {
    name: 'an indexed Job runs one pod per index',
    async run(context) {
      await create(context, { completions: 4, parallelism: 4, completionMode: 'Indexed' });
      const job = await ends(context, 'Complete');
      mustEqual([job.status?.completedIndexes, job.status?.succeeded], ['0-3', 4], 'indexes');
      const pods = await new Workloads(context).pods('task');
      const hosts = pods.map(({ spec }) => spec?.hostname ?? '').sort(compareBytes);
      mustEqual(hosts, ['task-0', 'task-1', 'task-2', 'task-3'], 'host names');
    },
  },
  {
    name: 'an indexed Job with a limit per index fails the index, not the others',
    async run(context) {
      await create(context, {
        image: 'fails:1',
        completions: 2,
        parallelism: 2,
        completionMode: 'Indexed',
        backoffLimitPerIndex: 1,
      });
      const job = await ends(context, 'Failed');
      mustEqual([job.status?.failedIndexes, job.status?.failed], ['0,1', 4], 'failures');
      mustEqual(conditions(job).at(-1), 'Failed=True FailedIndexes', 'condition');
      mustEqual(finalizers(await new Workloads(context).pods('task')), [], 'finalizers');
    },
  },
  {
    name: 'a suspended Job has no pods until it is resumed, and loses them when it is suspended again',
    async run(context) {
      const w = new Workloads(context);
      await create(context, { image: 'runs:1', parallelism: 2, suspend: true });
      const suspended = (wanted: string): Promise<Job> =>
        context.eventually(`the job is ${wanted}`, async () => {
          const job = (await context.mustLive('task', JOBS)) as Job;
          return conditions(job).includes(wanted) && job;
        });
      const waiting = await suspended('Suspended=True JobSuspended');
      mustEqual(waiting.status?.startTime, undefined, 'start time');
      mustEqual((await w.pods('task')).length, 0, 'pods');
      await w.patch('task', { suspend: false }, JOBS);
      await suspended('Suspended=False JobResumed');
      await running(context, w, 2);
      await w.patch('task', { suspend: true }, JOBS);
      await context.eventually('the pods are gone', async () => (await w.pods('task')).length === 0);
      const again = await suspended('Suspended=True JobSuspended');
      mustEqual([again.status?.failed ?? 0, again.status?.succeeded ?? 0], [0, 0], 'counts');
    },
  },
  {
    name: 'a Job that is active for too long fails, and its pods go',
    async run(context) {
      const w = new Workloads(context);
      await create(context, { image: 'runs:1', parallelism: 2, activeDeadlineSeconds: 2 });
      const job = await ends(context, 'Failed');
      mustEqual(conditions(job), ['FailureTarget=True DeadlineExceeded', 'Failed=True DeadlineExceeded'], 'conditions');
      await context.eventually('the pods are gone', async () => (await w.pods('task')).length === 0);
    },
  },
  {
    name: 'a rule about exit codes fails the whole Job at once',
    async run(context) {
      await create(context, {
        image: 'fails:1',
        backoffLimit: 6,
        podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }] },
      });
      const job = await ends(context, 'Failed');
      const [pod] = await new Workloads(context).pods('task');
      const failed = trueCondition(job, 'Failed');
      mustEqual(
        [failed?.reason, failed?.message],
        [
          'PodFailurePolicy',
          `Container main for pod ${context.namespace}/${pod?.metadata.name} failed with exit code 1 matching FailJob rule at index 0`,
        ],
        'condition',
      );
    },
  },
  {
    name: 'a Job that is over goes when its time has come, with its pods',
    async run(context) {
      await create(context, { ttlSecondsAfterFinished: 0 });
      await context.gone('task', JOBS);
      const w = new Workloads(context);
      await context.eventually('the pods are gone', async () => (await w.pods('task')).length === 0);
    },
  },
  {
    name: 'the pods of a Job that is deleted while it runs are let go',
    async run(context) {
      const w = new Workloads(context);
      await create(context, { image: 'runs:1', parallelism: 2 });
      await running(context, w, 2);
      await context.delete('task', 'Background', JOBS);
      await context.eventually('the pods are gone', async () => (await w.pods('task')).length === 0);
    },
  },
];
