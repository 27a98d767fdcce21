import { expect } from 'vitest';
import { deleted } from '../objects.js';
import type { Scenario } from '../scenario.js';
import type { Session } from '../session.js';
import { eventuallySees } from '../../src/wait.js';

const phase = (k: Session, pod: string): Promise<string> =>
  k.output(['get', 'pod', pod, '-o', 'jsonpath={.status.phase}']);

/** The lines of a description that do not depend on the moment, blanks put together. */
function settledLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter((line) => line !== '');
}

/** Pods with a scheduler and a kubelet at work. */
export const podScenarios: readonly Scenario[] = [
  {
    name: 'run creates a pod that becomes ready, and describe shows its events',
    smoke: true,
    run: async (k) => {
      await k.prints('run web --image=nginx:1 --port=80', 'pod/web created\n');
      await k.prints('wait --for=condition=Ready pod/web --timeout=20s', 'pod/web condition met\n');
      await k.prints('get pod web', 'NAME  READY  STATUS  RESTARTS  AGE\nweb  1/1  Running  0  <age>\n');
      const lines = settledLines(await k.output('describe pod web'));
      for (const line of ['Status: Running', 'Image: nginx:1', 'Port: 80/TCP', 'Ready: True', 'Restart Count: 0'])
        expect(lines).toContain(line);
      const reasons = async (): Promise<string[]> => {
        const list = await k.output(['events', '--for', 'pod/web', '-o', 'jsonpath={.items[*].reason}']);
        return list.split(' ').sort();
      };
      const emitted = await eventuallySees('there are four events', reasons, (all) => all.length >= 4);
      expect(emitted).toEqual(['Created', 'Pulled', 'Scheduled', 'Started']);
      await k.prints('delete pod web', deleted(k, 'pod "web"'));
    },
  },
  {
    name: 'run of a command that ends is Completed, of one that fails Error',
    run: async (k) => {
      await k.prints('run good --image=busybox --restart=Never -- true', 'pod/good created\n');
      await k.prints('run bad --image=busybox --restart=Never -- false', 'pod/bad created\n');
      await k.prints(
        'wait --for=jsonpath={.status.phase}=Succeeded pod/good --timeout=20s',
        'pod/good condition met\n',
      );
      await k.prints('wait --for=jsonpath={.status.phase}=Failed pod/bad --timeout=20s', 'pod/bad condition met\n');
      await k.prints(
        'get pods',
        'NAME  READY  STATUS  RESTARTS  AGE\nbad  0/1  Error  0  <age>\ngood  0/1  Completed  0  <age>\n',
      );
    },
  },
  {
    name: 'a crashing pod is seen to back off',
    run: async (k) => {
      await k.prints('run loop --image=busybox -- false', 'pod/loop created\n');
      const waiting = '{.status.containerStatuses[0].state.waiting.reason}';
      await k.prints(
        `wait --for=jsonpath=${waiting}=CrashLoopBackOff pod/loop --timeout=20s`,
        'pod/loop condition met\n',
      );
      const row = (await k.output('get pod loop --no-headers')).replaceAll(/\s+/g, ' ');
      expect(row).toMatch(/^loop 0\/1 CrashLoopBackOff 1 \(\d+s ago\) \d+s $/);
      expect(await phase(k, 'loop')).toBe('Running');
    },
  },
  {
    name: 'a pod that fits nowhere is pending, and describe shows why',
    run: async (k) => {
      k.file('big.json', [
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'big' },
          spec: { nodeSelector: { size: 'huge' }, containers: [{ name: 'main', image: 'nginx' }] },
        },
      ]);
      await k.prints('create -f big.json', 'pod/big created\n');
      const why =
        /FailedScheduling .* default-scheduler\s+0\/1 nodes are available: 1 node\(s\) didn't match Pod's node affinity\/selector\. /;
      await eventuallySees(
        'describe shows why the pod is not placed',
        () => k.output('describe pod big'),
        (text) => why.test(text),
      );
      expect(await phase(k, 'big')).toBe('Pending');
    },
  },
];
