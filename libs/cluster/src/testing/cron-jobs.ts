import type { CronJob } from '../cron-job/decide.js';
import type { Job } from '../job/types.js';
import { CRON_JOBS, JOBS } from '../workload/resources.js';
import type { ScenarioContext } from './context.js';
import { mustEqual } from './context.js';
import type { Scenario } from './context.js';
import { ownerUid, template } from './workloads.js';

async function create(context: ScenarioContext, image: string, spec: Partial<CronJob['spec']>): Promise<void> {
  const pod = template('tick', image);
  const job = { template: { ...pod, spec: { ...pod.spec, restartPolicy: 'Never' } } };
  await context.client.create(CRON_JOBS, {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick', namespace: context.namespace },
    spec: { schedule: '@every 1s', jobTemplate: { spec: job }, ...spec },
  });
}

async function jobs(context: ScenarioContext): Promise<Job[]> {
  const { namespace } = context;
  return [...(await context.client.list<Job>(JOBS, { namespace })).items];
}

const status = async (context: ScenarioContext): Promise<NonNullable<CronJob['status']>> =>
  ((await context.mustLive('tick', CRON_JOBS)) as CronJob).status ?? {};

/** What CronJobs must do. */
export const cronJobScenarios: readonly Scenario[] = [
  {
    name: 'a CronJob starts a Job when it is due, and knows how that went',
    async run(context) {
      await create(context, 'succeeds:1', { successfulJobsHistoryLimit: 3 });
      const [job] = await context.eventually('there is a job', async () => {
        const found = await jobs(context);
        return found.length > 0 && found;
      });
      const { metadata } = await context.mustLive('tick', CRON_JOBS);
      mustEqual(job === undefined ? undefined : ownerUid(job), metadata.uid, 'owner');
      mustEqual(/^tick-\d+$/.test(job?.metadata.name ?? ''), true, 'name');
      await context.eventually('the success is known', async () => {
        const { active, lastScheduleTime, lastSuccessfulTime } = await status(context);
        return active === undefined && lastScheduleTime !== undefined && lastSuccessfulTime !== undefined;
      });
    },
  },
  {
    name: 'a CronJob lists the Jobs that run, and forgets those that are over',
    async run(context) {
      await create(context, 'runs:1', { concurrencyPolicy: 'Forbid', successfulJobsHistoryLimit: 0 });
      const [reference] = await context.eventually('a job is active', async () => (await status(context)).active);
      const name = reference?.name ?? '';
      mustEqual(
        (await jobs(context)).map(({ metadata }) => metadata.name),
        [name],
        'jobs',
      );
      const value = { spec: { suspend: true } };
      await context.client.patch(CRON_JOBS, 'tick', { type: 'merge', value }, { namespace: context.namespace });
      await context.delete(name, 'Background', JOBS);
      await context.eventually('none is active', async () => (await status(context)).active === undefined);
      await context.settle(1100);
      mustEqual((await jobs(context)).length, 0, 'jobs of a suspended CronJob');
    },
  },
  {
    name: 'a CronJob remembers no more Jobs than it wants to',
    async run(context) {
      await create(context, 'succeeds:1', { successfulJobsHistoryLimit: 0 });
      await context.eventually('one went well', async () => (await status(context)).lastSuccessfulTime !== undefined);
      const value = { spec: { suspend: true } };
      await context.client.patch(CRON_JOBS, 'tick', { type: 'merge', value }, { namespace: context.namespace });
      await context.eventually('it is forgotten', async () => (await jobs(context)).length === 0);
    },
  },
];
