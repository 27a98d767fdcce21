import { expect } from 'vitest';
import { deleted, deployment } from '../objects.js';
import type { Scenario } from '../scenario.js';
import type { Session } from '../session.js';
import { eventuallySees } from '../../src/wait.js';

const DONE = 'deployment "web" successfully rolled out\n';

async function rolledOut(k: Session): Promise<void> {
  const { code, stdout, stderr } = await k.run('rollout status deploy/web --timeout=20s');
  expect({ code, stderr, last: `${stdout.trimEnd().split('\n').at(-1)}\n` }).toEqual({
    code: 0,
    stderr: '',
    last: DONE,
  });
}

/** Creates the deployment `web` and waits until it runs. */
async function started(k: Session): Promise<void> {
  k.file('web.json', [deployment()]);
  await k.prints('create -f web.json', 'deployment.apps/web created\n');
  await rolledOut(k);
}

const image = (k: Session): Promise<string> =>
  k.output(['get', 'deploy', 'web', '-o', 'jsonpath={.spec.template.spec.containers[0].image}']);

const replicaSets = (k: Session): Promise<string> =>
  k.output([
    'get',
    'rs',
    '--sort-by=.metadata.annotations.deployment\\.kubernetes\\.io/revision',
    '-o',
    'jsonpath={range .items[*]}{.spec.template.spec.containers[0].image} {.status.readyReplicas}{"\\n"}{end}',
  ]);

/** Rollouts with controllers and a kubelet at work. */
export const rolloutScenarios: readonly Scenario[] = [
  {
    name: 'create -f of a deployment is rolled out',
    smoke: true,
    run: async (k) => {
      await started(k);
      await k.prints('get deploy web', 'NAME  READY  UP-TO-DATE  AVAILABLE  AGE\nweb  2/2  2  2  <age>\n');
      const phases = await k.output(['get', 'pods', '-o', 'jsonpath={.items[*].status.phase}']);
      expect(phases).toBe('Running Running');
      await k.prints('wait --for=condition=Available deploy/web --timeout=10s', 'deployment.apps/web condition met\n');
    },
  },
  {
    name: 'set image, rollout history and rollout undo go through revisions',
    smoke: true,
    run: async (k) => {
      await started(k);
      await k.prints('set image deploy/web main=nginx:2', 'deployment.apps/web image updated\n');
      await rolledOut(k);
      expect(await replicaSets(k)).toBe('nginx:1 \nnginx:2 2\n');
      const history = await k.run('rollout history deploy/web');
      expect(history.stdout.replaceAll(/[ \t]+/g, ' ').trimEnd()).toBe(
        'deployment.apps/web\nREVISION CHANGE-CAUSE\n1 <none>\n2 <none>',
      );
      const first = await k.output('rollout history deploy/web --revision=1');
      expect(first).toMatch(/^deployment\.apps\/web with revision #1\nPod Template:\n[^]*Image:\s+nginx:1\n/);
      await k.prints('rollout undo deploy/web', 'deployment.apps/web rolled back\n');
      await rolledOut(k);
      expect(await image(k)).toBe('nginx:1');
      expect(await replicaSets(k)).toBe('nginx:2 \nnginx:1 2\n');
      await k.prints('rollout undo deploy/web --to-revision=2', 'deployment.apps/web rolled back\n');
      await rolledOut(k);
      expect(await image(k)).toBe('nginx:2');
    },
  },
  {
    name: 'rollout restart replaces every pod',
    run: async (k) => {
      await started(k);
      const pods = () => k.output(['get', 'pods', '-o', 'name']);
      const before = await pods();
      await k.prints('rollout restart deploy/web', 'deployment.apps/web restarted\n');
      await rolledOut(k);
      const kept = async () => (await pods()).split('\n').filter((name) => name !== '' && before.includes(name));
      // The last old pod may still be on its way out.
      await eventuallySees('no pod of before is left', kept, (names) => names.length === 0);
    },
  },
  {
    name: 'rollout pause holds a change back until rollout resume',
    run: async (k) => {
      await started(k);
      await k.prints('rollout pause deploy/web', 'deployment.apps/web paused\n');
      await k.prints('set image deploy/web main=nginx:2', 'deployment.apps/web image updated\n');
      expect(await replicaSets(k)).toBe('nginx:1 2\n');
      await k.fails(
        'rollout restart deploy/web',
        'error: deployments.apps "web" can\'t restart paused deployment (run rollout resume first)\n',
      );
      await k.prints('rollout resume deploy/web', 'deployment.apps/web resumed\n');
      await rolledOut(k);
      expect(await replicaSets(k)).toBe('nginx:1 \nnginx:2 2\n');
    },
  },
  {
    name: 'scale makes more pods and fewer',
    smoke: true,
    run: async (k) => {
      await started(k);
      for (const count of [4, 1]) {
        await k.prints(`scale deploy/web --replicas=${count}`, 'deployment.apps/web scaled\n');
        await rolledOut(k);
        const available = await k.output(['get', 'deploy', 'web', '-o', 'jsonpath={.status.availableReplicas}']);
        expect(available).toBe(String(count));
      }
    },
  },
  {
    name: 'rollout status fails when the deadline has passed',
    run: async (k) => {
      await started(k);
      // Not before: the first rollout is to have all the time it takes.
      const patch = JSON.stringify({ spec: { progressDeadlineSeconds: 1 } });
      await k.prints(['patch', 'deploy', 'web', '-p', patch], 'deployment.apps/web patched\n');
      await k.prints('set image deploy/web main=broken:1', 'deployment.apps/web image updated\n');
      const { code, stderr } = await k.run('rollout status deploy/web --timeout=20s');
      expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: deployment "web" exceeded its progress deadline\n' });
    },
  },
  {
    name: 'delete takes ReplicaSets and pods along, or with --cascade=orphan leaves them',
    run: async (k) => {
      await started(k);
      await k.prints('delete deploy web --cascade=orphan', deleted(k, 'deployment.apps "web"'));
      expect(await replicaSets(k)).toBe('nginx:1 2\n');
      k.file('web.json', [deployment()]);
      await k.prints('create -f web.json', 'deployment.apps/web created\n');
      await rolledOut(k);
      expect(await replicaSets(k)).toBe('nginx:1 2\n');
      await k.prints('delete deploy web --cascade=foreground', deleted(k, 'deployment.apps "web"'));
      await k.prints('get rs,pods -o name', '');
    },
  },
  {
    name: 'create deployment and wait need no file',
    run: async (k) => {
      await k.prints('create deployment web --image=nginx:1 --replicas=2', 'deployment.apps/web created\n');
      await rolledOut(k);
      await k.prints(
        'wait --for=condition=Ready pod -l app=web --timeout=10s',
        expect.stringMatching(/^(?:pod\/web-\w+-\w+ condition met\n){2}$/) as string,
      );
    },
  },
];
