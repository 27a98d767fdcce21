import { expect } from 'vitest';
import {
  CONFIG_MAPS,
  configMap,
  DEPLOYMENTS,
  deployment,
  EVENTS,
  NODES,
  pod,
  PODS,
  service,
  SERVICES,
} from '../objects.js';
import type { Scenario } from '../scenario.js';
import { block } from '../text.js';

function without(text: string, line: RegExp): string {
  return text
    .split('\n')
    .filter((each) => !line.test(each))
    .join('\n');
}

/** Describing, which asks for an object, what belongs to it, and its events. */
export const describingScenarios: readonly Scenario[] = [
  {
    name: 'describe configmap shows its data and its events',
    smoke: true,
    run: async (k) => {
      const { metadata } = await k.create(CONFIG_MAPS, configMap('one', { a: '1' }, { labels: { app: 'web' } }));
      const involvedObject = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        namespace: k.namespace,
        name: 'one',
        uid: metadata.uid,
      };
      const event = {
        type: 'Normal',
        reason: 'Seen',
        message: 'it was seen',
        count: 1,
        source: { component: 'capstan' },
      };
      const time = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
      await k.create(EVENTS, {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'one.1' },
        involvedObject,
        ...event,
        firstTimestamp: time,
        lastTimestamp: time,
      });
      const { stdout, ...rest } = await k.run('describe cm one');
      expect(rest).toEqual({ code: 0, stderr: '' });
      // Clients differ in the number of empty lines after a value.
      expect(stdout.replace(/\n{3,}/g, '\n\n')).toBe(block`
        Name:  one
        Namespace:  <ns>
        Labels:  app=web
        Annotations:  <none>

        Data
        ====
        a:
        ----
        1

        BinaryData
        ====

        Events:
          Type  Reason  Age  From  Message
          ----  ------  ----  ----  -------
          Normal  Seen  <age>  capstan  it was seen
      `);
    },
  },
  {
    name: 'describe pod shows its containers',
    run: async (k) => {
      const tolerations = ['not-ready', 'unreachable'].map((state) => {
        return { key: `node.kubernetes.io/${state}`, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 };
      });
      await k.create(PODS, pod('p1', { nodeName: 'n1', tolerations }, { labels: { app: 'web' } }));
      await k.prints(
        'describe pod p1',
        block`
          Name:  p1
          Namespace:  <ns>
          Priority:  0
          Node:  n1/
          Labels:  app=web
          Annotations:  <none>
          Status:  Pending
          IP:
          IPs:  <none>
          Containers:
            main:
              Image:  nginx:1
              Port:  <none>
              Host Port:  <none>
              Environment:  <none>
              Mounts:  <none>
          Volumes:  <none>
          QoS Class:  BestEffort
          Node-Selectors:  <none>
          Tolerations:  node.kubernetes.io/not-ready:NoExecute op=Exists for 5s
                            node.kubernetes.io/unreachable:NoExecute op=Exists for 5s
          Events:  <none>
        `,
      );
    },
  },
  {
    name: 'describe deployment shows strategy and template',
    run: async (k) => {
      await k.create(DEPLOYMENTS, deployment());
      const text = block`
          Name:  web
          Namespace:  <ns>
          CreationTimestamp:  <time>
          Labels:  app=web
          Annotations:  <none>
          Selector:  app=web
          Replicas:  2 desired | 0 updated | 0 total | 0 available | 0 unavailable
          StrategyType:  RollingUpdate
          MinReadySeconds:  0
          RollingUpdateStrategy:  25% max unavailable, 25% max surge
          Pod Template:
            Labels:  app=web
            Containers:
             main:
              Image:  nginx:1
              Port:  80/TCP
              Host Port:  0/TCP
              Environment:  <none>
              Mounts:  <none>
             side:
              Image:  busybox:1
              Port:  <none>
              Host Port:  <none>
              Environment:
                A:  1
              Mounts:  <none>
            Volumes:  <none>
            Node-Selectors:  <none>
            Tolerations:  <none>
          Events:  <none>
        `;
      // Older clients do not show where the pods may run.
      await k.prints(
        'describe deploy web',
        k.minor >= 30 ? text : without(text, /^ {2}(?:Node-Selectors|Tolerations):/),
      );
    },
  },
  {
    name: 'describe service shows addresses and ports',
    run: async (k) => {
      await k.create(SERVICES, service());
      const text = block`
          Name:  web
          Namespace:  <ns>
          Labels:  <none>
          Annotations:  <none>
          Selector:  app=web
          Type:  ClusterIP
          IP Family Policy:  SingleStack
          IP Families:  IPv4
          IP:  None
          IPs:  None
          Port:  http  80/TCP
          TargetPort:  8080/TCP
          Endpoints:  <none>
          Session Affinity:  None
          Internal Traffic Policy:  Cluster
          Events:  <none>
        `;
      if (k.minor >= 31) return k.prints('describe svc web', text);
      // Older clients look at the endpoints themselves, of which a newer server warns.
      const { stdout, code } = await k.run('describe svc web');
      expect({ code, stdout }).toEqual({ code: 0, stdout: without(text, /^Internal Traffic Policy:/) });
    },
  },
  {
    name: 'describe namespace looks for quotas and limits',
    smoke: true,
    run: (k) =>
      k.prints(
        `describe ns ${k.namespace}`,
        block`
          Name:  <ns>
          Labels:  kubernetes.io/metadata.name=<ns>
          Annotations:  <none>
          Status:  Active

          No resource quota.

          No LimitRange resource.
        `,
      ),
  },
  {
    name: 'describe node counts the pods on it',
    run: async (k) => {
      const name = `node-${k.namespace}`;
      const capacity = { cpu: '4', memory: '8Gi', pods: '110' };
      await k.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
      const value = { status: { capacity, allocatable: capacity } };
      await k.client.patch(NODES, name, { type: 'merge', value }, { subresource: 'status' });
      const containers = [{ name: 'main', image: 'nginx:1', resources: { requests: { cpu: '100m', memory: '1Gi' } } }];
      await k.create(PODS, pod('p1', { nodeName: name, containers }));
      const described = (await k.output(`describe node ${name}`)).replace(/ {2,}/g, '  ');
      expect(described).toContain('Non-terminated Pods:  (1 in total)');
      expect(described).toContain(`${k.namespace}  p1  100m (2%)  0 (0%)  1Gi (12%)  0 (0%)`);
      await k.client.delete(NODES, name);
    },
  },
];
