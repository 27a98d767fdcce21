import type { KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import type { Scenario } from '../scenario.js';

const pod = (image: string, spec: object = {}): object => ({
  metadata: { labels: { app: 'x' } },
  spec: { containers: [{ name: 'main', image }], terminationGracePeriodSeconds: 0, ...spec },
});

const object = (apiVersion: string, kind: string, spec: object): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x' },
  spec,
});

const selector = { matchLabels: { app: 'x' } };

/** Workloads that run to their end, or in order, or when they are due. */
export const runningScenarios: readonly Scenario[] = [
  {
    name: 'wait for a job that completes, and for one that fails',
    smoke: true,
    run: async (k) => {
      const job = (image: string): KubeObject =>
        object('batch/v1', 'Job', {
          backoffLimit: 0,
          completions: 2,
          template: pod(image, { restartPolicy: 'Never' }),
        });
      k.file('job.json', [job('succeeds:1')]);
      await k.prints('create -f job.json', 'job.batch/x created\n');
      await k.prints('wait --for=condition=complete job/x --timeout=20s', 'job.batch/x condition met\n');
      const got = (await k.run('get job x')).stdout.split('\n')[1]?.split(/\s+/);
      expect(got?.slice(0, 3)).toEqual(['x', 'Complete', '2/2']);
      await k.output('delete job x');
      k.file('job.json', [job('fails:1')]);
      await k.output('create -f job.json');
      await k.prints('wait --for=condition=failed job/x --timeout=20s', 'job.batch/x condition met\n');
    },
  },
  {
    name: 'a job made from a cron job runs at once',
    run: async (k) => {
      const jobTemplate = { spec: { template: pod('succeeds:1', { restartPolicy: 'Never' }) } };
      k.file('cron.json', [object('batch/v1', 'CronJob', { schedule: '0 0 1 1 *', jobTemplate })]);
      await k.output('create -f cron.json');
      await k.prints('create job now --from=cronjob/x', 'job.batch/now created\n');
      await k.prints('wait --for=condition=complete job/now --timeout=20s', 'job.batch/now condition met\n');
    },
  },
  {
    name: 'rollout status and undo of a stateful set',
    run: async (k) => {
      const spec = { replicas: 2, serviceName: 'x', selector, template: pod('runs:1') };
      k.file('set.json', [object('apps/v1', 'StatefulSet', spec)]);
      await k.output('create -f set.json');
      await k.output('rollout status sts/x --timeout=20s');
      await k.prints('set image sts/x main=runs:2', 'statefulset.apps/x image updated\n');
      const { stdout } = await k.run('rollout status sts/x --timeout=20s');
      expect(stdout).toContain('partitioned roll out complete: 2 new pods have been updated...');
      await k.prints('rollout undo sts/x', 'statefulset.apps/x rolled back\n');
      await k.output('rollout status sts/x --timeout=20s');
      expect(await k.output(['get', 'pods', '-o', 'jsonpath={.items[*].spec.containers[0].image}'])).toBe(
        'runs:1 runs:1',
      );
    },
  },
];
