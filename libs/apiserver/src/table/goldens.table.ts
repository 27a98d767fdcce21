/** An object, its apiVersion, kind and creation apart. */
export interface GoldenObject {
  readonly metadata: { readonly name: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

/** An object and the cells a real server prints for it. */
export type Golden = readonly [apiVersion: string, kind: string, object: GoldenObject, cells: readonly unknown[]];

/** When every object was created. */
export const created = '2026-11-15T10:00:00Z';
/** When the cells were printed. */
export const printedAt = Date.parse('2026-11-15T11:30:00Z');

/** At least one object of each kind, more where the cells depend on the object in several ways. */
export const goldens: readonly Golden[] = [
  ['v1', 'Namespace', { metadata: { name: 'demo' }, status: { phase: 'Active' } }, ['demo', 'Active', '90m']],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-pending' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
      },
      status: { phase: 'Pending' },
    },
    ['p-pending', '0/2', 'Pending', '0', '90m', '<none>', '<none>', '<none>', '<none>'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-running' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
        nodeName: 'n1',
      },
      status: {
        phase: 'Running',
        podIPs: [{ ip: '10.1.2.3' }],
        podIP: '10.1.2.3',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [
          {
            name: 'a',
            ready: true,
            restartCount: 2,
            state: { running: { startedAt: '2026-11-15T09:00:00Z' } },
            lastState: { terminated: { exitCode: 1, finishedAt: '2026-11-15T09:00:00Z' } },
          },
          {
            name: 'b',
            ready: true,
            restartCount: 1,
            state: { running: { startedAt: '2026-11-15T09:00:00Z' } },
            lastState: { terminated: { exitCode: 1, finishedAt: '2026-11-14T01:02:03Z' } },
          },
        ],
      },
    },
    ['p-running', '2/2', 'Running', '3 (150m ago)', '90m', '10.1.2.3', 'n1', '<none>', '<none>'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-crash' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
        nodeName: 'n1',
      },
      status: {
        phase: 'Running',
        containerStatuses: [
          { name: 'a', restartCount: 7, state: { waiting: { reason: 'CrashLoopBackOff' } } },
          { name: 'b', ready: true, state: { running: { startedAt: '2026-11-15T09:00:00Z' } } },
        ],
      },
    },
    ['p-crash', '1/2', 'CrashLoopBackOff', '7', '90m', '<none>', 'n1', '<none>', '<none>'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-done' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
        nodeName: 'n1',
      },
      status: {
        phase: 'Succeeded',
        containerStatuses: [
          { name: 'a', state: { terminated: { exitCode: 0, reason: 'Completed' } } },
          { name: 'b', state: { terminated: { exitCode: 0, reason: 'Completed' } } },
        ],
      },
    },
    ['p-done', '0/2', 'Completed', '0', '90m', '<none>', 'n1', '<none>', '<none>'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-donerun' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
        nodeName: 'n1',
      },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [
          { name: 'a', state: { terminated: { exitCode: 0, reason: 'Completed' } } },
          { name: 'b', ready: true, state: { running: { startedAt: '2026-11-15T09:00:00Z' } } },
        ],
      },
    },
    ['p-donerun', '1/2', 'Running', '0', '90m', '<none>', 'n1', '<none>', '<none>'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-notready' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
        nodeName: 'n1',
      },
      status: {
        phase: 'Running',
        containerStatuses: [
          { name: 'a', state: { terminated: { exitCode: 0, reason: 'Completed' } } },
          { name: 'b', ready: true, state: { running: { startedAt: '2026-11-15T09:00:00Z' } } },
        ],
      },
    },
    ['p-notready', '1/2', 'NotReady', '0', '90m', '<none>', 'n1', '<none>', '<none>'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-errmix' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
        nodeName: 'n1',
      },
      status: {
        phase: 'Running',
        containerStatuses: [
          { name: 'a', state: { terminated: { exitCode: 0, reason: 'Completed' } } },
          { name: 'b', state: { terminated: { exitCode: 3 } } },
        ],
      },
    },
    ['p-errmix', '0/2', 'ExitCode:3', '0', '90m', '<none>', 'n1', '<none>', '<none>'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-sig' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
        nodeName: 'n1',
      },
      status: {
        phase: 'Failed',
        containerStatuses: [
          { name: 'a', state: { terminated: { exitCode: 137, signal: 9 } } },
          { name: 'b', state: { terminated: { exitCode: 3 } } },
        ],
      },
    },
    ['p-sig', '0/2', 'Signal:9', '0', '90m', '<none>', 'n1', '<none>', '<none>'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-evicted' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
        nodeName: 'n1',
      },
      status: { phase: 'Failed', reason: 'Evicted' },
    },
    ['p-evicted', '0/2', 'Evicted', '0', '90m', '<none>', 'n1', '<none>', '<none>'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-init' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
        initContainers: [
          { name: 'i1', image: 'i' },
          { name: 'i2', image: 'i' },
        ],
      },
      status: {
        phase: 'Pending',
        initContainerStatuses: [
          { name: 'i1', state: { terminated: { exitCode: 0 } } },
          { name: 'i2', state: { running: { startedAt: '2026-11-15T09:00:00Z' } } },
        ],
      },
    },
    ['p-init', '0/2', 'Init:1/2', '0', '90m', '<none>', '<none>', '<none>', '<none>'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-initerr' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
        initContainers: [
          { name: 'i1', image: 'i' },
          { name: 'i2', image: 'i' },
        ],
      },
      status: {
        phase: 'Pending',
        initContainerStatuses: [
          {
            name: 'i1',
            restartCount: 5,
            state: { terminated: { exitCode: 4 } },
            lastState: { terminated: { exitCode: 4, finishedAt: '2026-11-15T09:00:00Z' } },
          },
          { name: 'i2', state: { waiting: { reason: 'PodInitializing' } } },
        ],
      },
    },
    ['p-initerr', '0/2', 'Init:ExitCode:4', '5 (150m ago)', '90m', '<none>', '<none>', '<none>', '<none>'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-initsig' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
        initContainers: [{ name: 'i1', image: 'i' }],
      },
      status: {
        phase: 'Pending',
        initContainerStatuses: [{ name: 'i1', state: { terminated: { exitCode: 4, signal: 11 } } }],
      },
    },
    ['p-initsig', '0/2', 'Init:Signal:11', '0', '90m', '<none>', '<none>', '<none>', '<none>'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-initwait' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
        initContainers: [{ name: 'i1', image: 'i' }],
      },
      status: {
        phase: 'Pending',
        initContainerStatuses: [{ name: 'i1', state: { waiting: { reason: 'ImagePullBackOff' } } }],
      },
    },
    ['p-initwait', '0/2', 'Init:ImagePullBackOff', '0', '90m', '<none>', '<none>', '<none>', '<none>'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-inited' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
        initContainers: [{ name: 'i1', image: 'i' }],
      },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Initialized', status: 'True' }],
        initContainerStatuses: [{ name: 'i1', restartCount: 3, state: { waiting: { reason: 'PodInitializing' } } }],
        containerStatuses: [
          { name: 'a', ready: true, state: { running: { startedAt: '2026-11-15T09:00:00Z' } } },
          { name: 'b', state: { waiting: { reason: 'ErrImagePull' } } },
        ],
      },
    },
    ['p-inited', '1/2', 'ErrImagePull', '0', '90m', '<none>', '<none>', '<none>', '<none>'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-sidecar' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
        initContainers: [
          { name: 'i1', image: 'i', restartPolicy: 'Always' },
          { name: 'i2', image: 'i' },
        ],
      },
      status: {
        phase: 'Running',
        initContainerStatuses: [
          {
            name: 'i1',
            ready: true,
            restartCount: 4,
            state: { running: { startedAt: '2026-11-15T09:00:00Z' } },
            started: true,
            lastState: { terminated: { exitCode: 1, finishedAt: '2026-11-15T09:00:00Z' } },
          },
          { name: 'i2', restartCount: 9, state: { terminated: { exitCode: 0 } } },
        ],
        containerStatuses: [
          { name: 'a', ready: true, restartCount: 1, state: { running: { startedAt: '2026-11-15T09:00:00Z' } } },
          { name: 'b', ready: true, state: { running: { startedAt: '2026-11-15T09:00:00Z' } } },
        ],
      },
    },
    ['p-sidecar', '3/3', 'Running', '5 (150m ago)', '90m', '<none>', '<none>', '<none>', '<none>'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-gated' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
      },
      status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] },
    },
    ['p-gated', '0/2', 'SchedulingGated', '0', '90m', '<none>', '<none>', '<none>', '<none>'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-gates' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
        readinessGates: [{ conditionType: 'a/b' }, { conditionType: 'c/d' }],
        nodeName: 'n1',
      },
      status: { phase: 'Running', conditions: [{ type: 'a/b', status: 'True' }] },
    },
    ['p-gates', '0/2', 'Running', '0', '90m', '<none>', 'n1', '<none>', '1/2'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-term', deletionTimestamp: '2026-11-15T10:00:00Z' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
        nodeName: 'n1',
      },
      status: {
        phase: 'Running',
        containerStatuses: [
          { name: 'a', ready: true, state: { running: { startedAt: '2026-11-15T09:00:00Z' } } },
          { name: 'b', ready: true, state: { running: { startedAt: '2026-11-15T09:00:00Z' } } },
        ],
      },
    },
    ['p-term', '2/2', 'Terminating', '0', '90m', '<none>', 'n1', '<none>', '<none>'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-lost', deletionTimestamp: '2026-11-15T10:00:00Z' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
        nodeName: 'n1',
      },
      status: { phase: 'Running', reason: 'NodeLost' },
    },
    ['p-lost', '0/2', 'Unknown', '0', '90m', '<none>', 'n1', '<none>', '<none>'],
  ],
  [
    'v1',
    'Pod',
    {
      metadata: { name: 'p-termdone', deletionTimestamp: '2026-11-15T10:00:00Z' },
      spec: {
        containers: [
          { name: 'a', image: 'img:1' },
          { name: 'b', image: 'img:2' },
        ],
        nodeName: 'n1',
      },
      status: { phase: 'Succeeded' },
    },
    ['p-termdone', '0/2', 'Succeeded', '0', '90m', '<none>', 'n1', '<none>', '<none>'],
  ],
  [
    'v1',
    'PodTemplate',
    {
      metadata: { name: 'pt' },
      template: {
        metadata: { labels: { app: 'x', tier: 'y' } },
        spec: {
          containers: [
            { name: 'a', image: 'img:1' },
            { name: 'b', image: 'img:2' },
          ],
        },
      },
    },
    ['pt', 'a,b', 'img:1,img:2', 'app=x,tier=y'],
  ],
  [
    'v1',
    'ReplicationController',
    {
      metadata: { name: 'rc' },
      spec: {
        replicas: 3,
        selector: { tier: 'y', app: 'x' },
        template: {
          metadata: { labels: { app: 'x', tier: 'y' } },
          spec: {
            containers: [
              { name: 'a', image: 'img:1' },
              { name: 'b', image: 'img:2' },
            ],
          },
        },
      },
      status: { replicas: 2, readyReplicas: 1 },
    },
    ['rc', 3, 2, 1, '90m', 'a,b', 'img:1,img:2', 'app=x,tier=y'],
  ],
  [
    'apps/v1',
    'ReplicaSet',
    {
      metadata: { name: 'rs' },
      spec: {
        replicas: 3,
        selector: {
          matchLabels: { tier: 'y', app: 'x' },
          matchExpressions: [
            { key: 'app', operator: 'In', values: ['z', 'x'] },
            { key: 'q', operator: 'DoesNotExist' },
            { key: 'b', operator: 'NotIn', values: ['v'] },
            { key: 'app', operator: 'Exists' },
          ],
        },
        template: {
          metadata: { labels: { app: 'x', tier: 'y' } },
          spec: {
            containers: [
              { name: 'a', image: 'img:1' },
              { name: 'b', image: 'img:2' },
            ],
          },
        },
      },
      status: { replicas: 2, readyReplicas: 1 },
    },
    ['rs', 3, 2, 1, '90m', 'a,b', 'img:1,img:2', 'app=x,app in (x,z),app,b notin (v),!q,tier=y'],
  ],
  [
    'apps/v1',
    'Deployment',
    {
      metadata: { name: 'd' },
      spec: {
        replicas: 3,
        selector: { matchLabels: { tier: 'y', app: 'x' } },
        template: {
          metadata: { labels: { app: 'x', tier: 'y' } },
          spec: {
            containers: [
              { name: 'a', image: 'img:1' },
              { name: 'b', image: 'img:2' },
            ],
          },
        },
      },
      status: { replicas: 3, readyReplicas: 2, updatedReplicas: 1, availableReplicas: 1 },
    },
    ['d', '2/3', 1, 1, '90m', 'a,b', 'img:1,img:2', 'app=x,tier=y'],
  ],
  [
    'apps/v1',
    'StatefulSet',
    {
      metadata: { name: 's' },
      spec: {
        serviceName: 'x',
        selector: { matchLabels: { tier: 'y', app: 'x' } },
        template: {
          metadata: { labels: { app: 'x', tier: 'y' } },
          spec: {
            containers: [
              { name: 'a', image: 'img:1' },
              { name: 'b', image: 'img:2' },
            ],
          },
        },
        replicas: 1,
      },
      status: { replicas: 3, readyReplicas: 2 },
    },
    ['s', '2/1', '90m', 'a,b', 'img:1,img:2'],
  ],
  [
    'apps/v1',
    'DaemonSet',
    {
      metadata: { name: 'ds' },
      spec: {
        selector: { matchLabels: { tier: 'y', app: 'x' } },
        template: {
          metadata: { labels: { app: 'x', tier: 'y' } },
          spec: {
            containers: [
              { name: 'a', image: 'img:1' },
              { name: 'b', image: 'img:2' },
            ],
            nodeSelector: { b: '1', a: '2' },
          },
        },
      },
      status: {
        desiredNumberScheduled: 5,
        currentNumberScheduled: 4,
        numberReady: 3,
        updatedNumberScheduled: 2,
        numberAvailable: 1,
        numberMisscheduled: 0,
      },
    },
    ['ds', 5, 4, 3, 2, 1, 'a=2,b=1', '90m', 'a,b', 'img:1,img:2', 'app=x,tier=y'],
  ],
  ['apps/v1', 'ControllerRevision', { metadata: { name: 'cr1' }, revision: 4, data: {} }, ['cr1', '<none>', 4, '90m']],
  [
    'apps/v1',
    'ControllerRevision',
    {
      metadata: {
        name: 'cr2',
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'u', controller: true }],
      },
      revision: 5,
      data: {},
    },
    ['cr2', 'statefulset.apps/web', 5, '90m'],
  ],
  [
    'batch/v1',
    'Job',
    {
      metadata: { name: 'j1' },
      spec: {
        completions: 5,
        template: {
          spec: {
            containers: [
              { name: 'a', image: 'img:1' },
              { name: 'b', image: 'img:2' },
            ],
            restartPolicy: 'Never',
          },
        },
        parallelism: 1,
        selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u-1' } },
      },
      status: { succeeded: 2, startTime: '2026-11-15T09:00:00Z', active: 1 },
    },
    ['j1', 'Running', '2/5', '150m', '90m', 'a,b', 'img:1,img:2', 'batch.kubernetes.io/controller-uid=u-1'],
  ],
  [
    'batch/v1',
    'Job',
    {
      metadata: { name: 'j2' },
      spec: {
        parallelism: 3,
        template: {
          spec: {
            containers: [
              { name: 'a', image: 'img:1' },
              { name: 'b', image: 'img:2' },
            ],
            restartPolicy: 'Never',
          },
        },
      },
    },
    ['j2', 'Running', '0/1 of 3', '', '90m', 'a,b', 'img:1,img:2', '<none>'],
  ],
  [
    'batch/v1',
    'Job',
    {
      metadata: { name: 'j3' },
      spec: {
        completions: 1,
        template: {
          spec: {
            containers: [
              { name: 'a', image: 'img:1' },
              { name: 'b', image: 'img:2' },
            ],
            restartPolicy: 'Never',
          },
        },
        parallelism: 1,
      },
      status: {
        succeeded: 1,
        startTime: '2026-11-14T01:02:03Z',
        completionTime: '2026-11-15T09:00:00Z',
        conditions: [
          { type: 'SuccessCriteriaMet', status: 'True' },
          { type: 'Complete', status: 'True' },
        ],
      },
    },
    ['j3', 'Complete', '1/1', '31h', '90m', 'a,b', 'img:1,img:2', '<none>'],
  ],
  [
    'batch/v1',
    'Job',
    {
      metadata: { name: 'j4' },
      spec: {
        suspend: true,
        template: {
          spec: {
            containers: [
              { name: 'a', image: 'img:1' },
              { name: 'b', image: 'img:2' },
            ],
            restartPolicy: 'Never',
          },
        },
        parallelism: 1,
        completions: 1,
      },
      status: { conditions: [{ type: 'Suspended', status: 'True' }] },
    },
    ['j4', 'Suspended', '0/1', '', '90m', 'a,b', 'img:1,img:2', '<none>'],
  ],
  [
    'batch/v1',
    'CronJob',
    {
      metadata: { name: 'cj1' },
      spec: {
        schedule: '* * * * *',
        jobTemplate: {
          spec: {
            template: {
              spec: {
                containers: [
                  { name: 'a', image: 'img:1' },
                  { name: 'b', image: 'img:2' },
                ],
                restartPolicy: 'Never',
              },
            },
          },
        },
        suspend: false,
      },
      status: { lastScheduleTime: '2026-11-15T09:00:00Z', active: [{ name: 'q' }] },
    },
    ['cj1', '* * * * *', '<none>', 'False', 1, '150m', '90m', 'a,b', 'img:1,img:2', '<none>'],
  ],
  [
    'batch/v1',
    'CronJob',
    {
      metadata: { name: 'cj2' },
      spec: {
        schedule: '* * * * *',
        timeZone: 'Etc/UTC',
        suspend: true,
        jobTemplate: {
          spec: {
            template: {
              spec: {
                containers: [
                  { name: 'a', image: 'img:1' },
                  { name: 'b', image: 'img:2' },
                ],
                restartPolicy: 'Never',
              },
            },
          },
        },
      },
    },
    ['cj2', '* * * * *', 'Etc/UTC', 'True', 0, '<none>', '90m', 'a,b', 'img:1,img:2', '<none>'],
  ],
  [
    'v1',
    'Service',
    {
      metadata: { name: 'c1' },
      spec: {
        type: 'ClusterIP',
        ports: [{ port: 80, protocol: 'TCP' }],
        selector: { b: '1', a: '2' },
        clusterIPs: ['10.0.0.7'],
      },
    },
    ['c1', 'ClusterIP', '10.0.0.7', '<none>', '80/TCP', '90m', 'a=2,b=1'],
  ],
  [
    'v1',
    'Service',
    { metadata: { name: 'c2' }, spec: { type: 'ClusterIP', clusterIP: 'None' } },
    ['c2', 'ClusterIP', 'None', '<none>', '<none>', '90m', '<none>'],
  ],
  [
    'v1',
    'Service',
    {
      metadata: { name: 'np' },
      spec: {
        type: 'NodePort',
        ports: [
          { name: 'a', port: 80, protocol: 'TCP', nodePort: 31598 },
          { name: 'b', port: 53, protocol: 'UDP' },
        ],
        externalIPs: ['1.2.3.4', '1.2.3.5'],
        clusterIPs: ['10.0.0.7'],
      },
    },
    ['np', 'NodePort', '10.0.0.7', '1.2.3.4,1.2.3.5', '80:31598/TCP,53/UDP', '90m', '<none>'],
  ],
  [
    'v1',
    'Service',
    {
      metadata: { name: 'lb1' },
      spec: { type: 'LoadBalancer', ports: [{ port: 1, protocol: 'TCP' }], clusterIPs: ['10.0.0.7'] },
    },
    ['lb1', 'LoadBalancer', '10.0.0.7', '<pending>', '1/TCP', '90m', '<none>'],
  ],
  [
    'v1',
    'Service',
    {
      metadata: { name: 'lb2' },
      spec: {
        type: 'LoadBalancer',
        ports: [{ port: 1, protocol: 'TCP' }],
        externalIPs: ['1.1.1.1'],
        clusterIPs: ['10.0.0.7'],
      },
      status: {
        loadBalancer: {
          ingress: [{ ip: '9.9.9.9' }, { hostname: 'a-very-long-host-name.example.com' }, { ip: '8.8.8.8' }],
        },
      },
    },
    [
      'lb2',
      'LoadBalancer',
      '10.0.0.7',
      '8.8.8.8,9.9.9.9,a-very-long-host-name.example.com,1.1.1.1',
      '1/TCP',
      '90m',
      '<none>',
    ],
  ],
  [
    'v1',
    'Service',
    { metadata: { name: 'en' }, spec: { type: 'ExternalName', externalName: 'x.example.com' } },
    ['en', 'ExternalName', '<none>', 'x.example.com', '<none>', '90m', '<none>'],
  ],
  ['v1', 'Endpoints', { metadata: { name: 'e0' } }, ['e0', '<none>', '90m']],
  [
    'v1',
    'Endpoints',
    {
      metadata: { name: 'e1' },
      subsets: [
        {
          addresses: [{ ip: '1.2.3.4' }, { ip: '1.2.3.5' }],
          ports: [
            { name: 'x', port: 80 },
            { name: 'y', port: 81 },
          ],
        },
      ],
    },
    ['e1', '1.2.3.4:80,1.2.3.5:80,1.2.3.4:81 + 1 more...', '90m'],
  ],
  [
    'v1',
    'Endpoints',
    { metadata: { name: 'e2' }, subsets: [{ addresses: [{ ip: '1.2.3.4' }] }] },
    ['e2', '1.2.3.4', '90m'],
  ],
  [
    'v1',
    'Endpoints',
    { metadata: { name: 'e3' }, subsets: [{ notReadyAddresses: [{ ip: '1.2.3.4' }], ports: [{ port: 9 }] }] },
    ['e3', '', '90m'],
  ],
  [
    'v1',
    'Endpoints',
    { metadata: { name: 'e4' }, subsets: [{ addresses: [{ ip: 'fd00::1' }], ports: [{ port: 9 }] }] },
    ['e4', '[fd00::1]:9', '90m'],
  ],
  [
    'discovery.k8s.io/v1',
    'EndpointSlice',
    { metadata: { name: 's0' }, addressType: 'IPv4', endpoints: [] },
    ['s0', 'IPv4', '<unset>', '<unset>', '90m'],
  ],
  [
    'discovery.k8s.io/v1',
    'EndpointSlice',
    {
      metadata: { name: 's1' },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['1.2.3.4', '1.2.3.5'] }, { addresses: ['1.2.3.6', '1.2.3.7'] }],
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 2 },
        { name: 'c', port: 3 },
        { name: 'd', port: 4 },
      ],
    },
    ['s1', 'IPv4', '1,2,3 + 1 more...', '1.2.3.4,1.2.3.5,1.2.3.6 + 1 more...', '90m'],
  ],
  [
    'discovery.k8s.io/v1',
    'EndpointSlice',
    { metadata: { name: 's2' }, addressType: 'IPv4', endpoints: [{ addresses: ['1.2.3.4'] }], ports: [{ name: 'nm' }] },
    ['s2', 'IPv4', 'nm', '1.2.3.4', '90m'],
  ],
  [
    'discovery.k8s.io/v1',
    'EndpointSlice',
    { metadata: { name: 's3' }, addressType: 'IPv4', endpoints: [{ addresses: ['1.2.3.4'] }], ports: [{ name: '' }] },
    ['s3', 'IPv4', '<unset>', '1.2.3.4', '90m'],
  ],
  [
    'v1',
    'Node',
    {
      metadata: {
        name: 'demo-n1',
        labels: {
          'node-role.kubernetes.io/worker': '',
          'node-role.kubernetes.io/control-plane': '',
          'kubernetes.io/role': 'zz',
        },
      },
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [
          { type: 'InternalIP', address: '10.0.0.1' },
          { type: 'ExternalIP', address: '20.0.0.1' },
        ],
        nodeInfo: {
          kubeletVersion: 'v1.33.1',
          osImage: 'Linux X',
          kernelVersion: '6.1',
          containerRuntimeVersion: 'containerd://1',
          architecture: 'amd64',
          machineID: '',
          systemUUID: '',
          bootID: '',
          kubeProxyVersion: '',
          operatingSystem: '',
        },
      },
    },
    [
      'demo-n1',
      'Ready,SchedulingDisabled',
      'control-plane,worker,zz',
      '90m',
      'v1.33.1',
      '10.0.0.1',
      '20.0.0.1',
      'Linux X',
      '6.1 (amd64)',
      'containerd://1',
    ],
  ],
  [
    'v1',
    'Node',
    { metadata: { name: 'demo-n2' }, status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } },
    ['demo-n2', 'NotReady', '<none>', '90m', '', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
  ],
  [
    'v1',
    'Node',
    { metadata: { name: 'demo-n3' } },
    ['demo-n3', 'Unknown', '<none>', '90m', '', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
  ],
  [
    'v1',
    'Secret',
    { metadata: { name: 'sec' }, type: 'Opaque', data: { a: '1', b: '2' } },
    ['sec', 'Opaque', 2, '90m'],
  ],
  ['v1', 'ConfigMap', { metadata: { name: 'cm' }, data: { a: '1' }, binaryData: { b: 'AA==' } }, ['cm', 2, '90m']],
  ['v1', 'ConfigMap', { metadata: { name: 'cm0' } }, ['cm0', 0, '90m']],
  ['v1', 'ServiceAccount', { metadata: { name: 'sa' } }, ['sa', '90m']],
  [
    'v1',
    'LimitRange',
    { metadata: { name: 'lr' }, spec: { limits: [{ type: 'Container' }] } },
    ['lr', '2026-11-15T10:00:00Z'],
  ],
  [
    'v1',
    'ResourceQuota',
    {
      metadata: { name: 'rq' },
      spec: { hard: { pods: '100', 'limits.cpu': '900', 'requests.memory': '100Gi', 'limits.memory': '500Gi' } },
      status: {
        hard: { pods: '100', 'limits.cpu': '900', 'requests.memory': '100Gi', 'limits.memory': '500Gi' },
        used: { pods: '1', 'limits.cpu': '500m' },
      },
    },
    ['rq', 'pods: 1/100, requests.memory: 0/100Gi', 'limits.cpu: 500m/900, limits.memory: 0/500Gi', '90m'],
  ],
  [
    'v1',
    'Event',
    {
      metadata: { name: 'ev1' },
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'demo', fieldPath: 'spec.containers{a}' },
      reason: 'Started',
      message: ' hello\n',
      type: 'Normal',
      firstTimestamp: '2026-11-14T01:02:03Z',
      lastTimestamp: '2026-11-15T09:00:00Z',
      count: 5,
      source: { component: 'kubelet', host: 'n1' },
    },
    ['150m', 'Normal', 'Started', 'pod/p', 'spec.containers{a}', 'kubelet, n1', 'hello', '34h', 5, 'ev1'],
  ],
  [
    'v1',
    'Event',
    {
      metadata: { name: 'ev2' },
      involvedObject: { kind: 'Pod', namespace: 'demo' },
      reason: 'R',
      message: 'm',
      type: 'Warning',
    },
    ['<unknown>', 'Warning', 'R', 'pod', '', '', 'm', '<unknown>', 1, 'ev2'],
  ],
  [
    'events.k8s.io/v1',
    'Event',
    {
      metadata: { name: 'ev3' },
      regarding: { kind: 'Node', name: 'n', namespace: 'demo' },
      reason: 'R',
      note: 'the note',
      type: 'Warning',
      action: 'Do',
      reportingController: 'x.io/c',
      reportingInstance: 'c-1',
      eventTime: '2026-11-15T08:00:00.123456Z',
    },
    ['3h29m', 'Warning', 'R', 'node/n', '', 'x.io/c, c-1', 'the note', '3h29m', 1, 'ev3'],
  ],
  [
    'events.k8s.io/v1',
    'Event',
    {
      metadata: { name: 'ev4' },
      regarding: { kind: 'Node', name: 'n', namespace: 'demo' },
      reason: 'R',
      note: 'the note',
      type: 'Warning',
      action: 'Do',
      reportingController: 'x.io/c',
      reportingInstance: 'c-1',
      eventTime: '2026-11-15T08:00:00.123456Z',
      series: { count: 7, lastObservedTime: '2026-11-15T09:00:00.123456Z' },
    },
    ['149m', 'Warning', 'R', 'node/n', '', 'x.io/c, c-1', 'the note', '3h29m', 7, 'ev4'],
  ],
  [
    'coordination.k8s.io/v1',
    'Lease',
    { metadata: { name: 'l1' }, spec: { holderIdentity: 'me' } },
    ['l1', 'me', '90m'],
  ],
  ['coordination.k8s.io/v1', 'Lease', { metadata: { name: 'l2' } }, ['l2', '', '90m']],
  ['rbac.authorization.k8s.io/v1', 'Role', { metadata: { name: 'r' }, rules: [] }, ['r', '2026-11-15T10:00:00Z']],
  [
    'rbac.authorization.k8s.io/v1',
    'RoleBinding',
    {
      metadata: { name: 'rb' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u1', apiGroup: 'rbac.authorization.k8s.io' },
        { kind: 'User', name: 'u2', apiGroup: 'rbac.authorization.k8s.io' },
        { kind: 'Group', name: 'g', apiGroup: 'rbac.authorization.k8s.io' },
        { kind: 'ServiceAccount', name: 'sa', namespace: 'n' },
      ],
    },
    ['rb', 'Role/r', '90m', 'u1, u2', 'g', 'n/sa'],
  ],
  [
    'rbac.authorization.k8s.io/v1',
    'ClusterRole',
    { metadata: { name: 'demo-r' }, rules: [] },
    ['demo-r', '2026-11-15T10:00:00Z'],
  ],
  [
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    {
      metadata: { name: 'demo-rb' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'demo-r' },
    },
    ['demo-rb', 'ClusterRole/demo-r', '90m', '', '', ''],
  ],
  [
    'policy/v1',
    'PodDisruptionBudget',
    {
      metadata: { name: 'pdb1' },
      spec: { selector: { matchLabels: { tier: 'y', app: 'x' } }, minAvailable: 2 },
      status: { disruptionsAllowed: 3, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
    },
    ['pdb1', '2', 'N/A', 3, '90m'],
  ],
  [
    'policy/v1',
    'PodDisruptionBudget',
    {
      metadata: { name: 'pdb2' },
      spec: { selector: { matchLabels: { tier: 'y', app: 'x' } }, maxUnavailable: '30%' },
      status: { disruptionsAllowed: 3, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
    },
    ['pdb2', 'N/A', '30%', 3, '90m'],
  ],
  [
    'autoscaling/v1',
    'HorizontalPodAutoscaler',
    {
      metadata: { name: 'h1' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
        maxReplicas: 5,
        targetCPUUtilizationPercentage: 60,
        minReplicas: 1,
      },
      status: { currentReplicas: 2, desiredReplicas: 2, currentCPUUtilizationPercentage: 41 },
    },
    ['h1', 'Deployment/d', 'cpu: 41%/60%', '1', 5, 2, '90m'],
  ],
  [
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    {
      metadata: { name: 'h2' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'd2', apiVersion: 'apps/v1' },
        minReplicas: 2,
        maxReplicas: 5,
        metrics: [
          { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '100Mi' } } },
          {
            type: 'External',
            external: { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '10' } },
          },
          { type: 'Pods', pods: { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '10' } } },
        ],
      },
      status: {
        currentReplicas: 2,
        desiredReplicas: 2,
        currentMetrics: [
          { type: 'Resource', resource: { name: 'memory', current: { averageValue: '50Mi' } } },
          { type: 'External', external: { metric: { name: 'q' }, current: { averageValue: '5' } } },
        ],
      },
    },
    ['h2', 'Deployment/d2', 'memory: 50Mi/100Mi, 5/10 (avg) + 1 more...', '2', 5, 2, '90m'],
  ],
  [
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    {
      metadata: { name: 'h3' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'd3', apiVersion: 'apps/v1' },
        maxReplicas: 5,
        metrics: [
          {
            type: 'Object',
            object: {
              metric: { name: 'q' },
              describedObject: { kind: 'Pod', name: 'x' },
              target: { type: 'Value', value: '100' },
            },
          },
          {
            type: 'ContainerResource',
            containerResource: { name: 'cpu', container: 'a', target: { type: 'Utilization', averageUtilization: 60 } },
          },
        ],
        minReplicas: 1,
      },
    },
    ['h3', 'Deployment/d3', '<unknown>/100, cpu: <unknown>/60%', '1', 5, 0, '90m'],
  ],
  ['networking.k8s.io/v1', 'Ingress', { metadata: { name: 'i1' }, spec: {} }, ['i1', '<none>', '*', '', '80', '90m']],
  [
    'networking.k8s.io/v1',
    'Ingress',
    {
      metadata: { name: 'i2' },
      spec: {
        ingressClassName: 'ic',
        tls: [{ hosts: ['a'] }],
        rules: [{ host: 'a.io' }, { host: 'b.io' }, { host: 'c.io' }, { host: 'd.io' }],
      },
      status: { loadBalancer: { ingress: [{ hostname: 'zzz.example.com' }, { ip: '1.2.3.4' }] } },
    },
    ['i2', 'ic', 'a.io,b.io,c.io + 1 more...', '1.2.3.4,zzz.example.com', '80, 443', '90m'],
  ],
  [
    'networking.k8s.io/v1',
    'IngressClass',
    {
      metadata: { name: 'demo-ic', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
      spec: { controller: 'x.io/y', parameters: { apiGroup: 'x.io', kind: 'P', name: 'n' } },
    },
    ['demo-ic (default)', 'x.io/y', 'P.x.io/n', '90m'],
  ],
  [
    'networking.k8s.io/v1',
    'IngressClass',
    { metadata: { name: 'demo-ic2' }, spec: { controller: 'x.io/y' } },
    ['demo-ic2', 'x.io/y', '<none>', '90m'],
  ],
  [
    'networking.k8s.io/v1',
    'NetworkPolicy',
    { metadata: { name: 'np1' }, spec: { podSelector: {} } },
    ['np1', '<none>', '90m'],
  ],
  [
    'networking.k8s.io/v1',
    'NetworkPolicy',
    { metadata: { name: 'np2' }, spec: { podSelector: { matchLabels: { tier: 'y', app: 'x' } } } },
    ['np2', 'app=x,tier=y', '90m'],
  ],
  [
    'v1',
    'PersistentVolume',
    {
      metadata: { name: 'demo-pv' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
        hostPath: { path: '/x' },
        claimRef: { namespace: 'demo', name: 'c' },
        storageClassName: 'sc',
        persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Bound' },
    },
    ['demo-pv', '1Gi', 'RWO,RWX', 'Retain', 'Bound', 'demo/c', 'sc', '<unset>', '', '90m', 'Filesystem'],
  ],
  [
    'v1',
    'PersistentVolumeClaim',
    {
      metadata: { name: 'c' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        volumeName: 'demo-pv',
        storageClassName: 'sc',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } },
    },
    ['c', 'Bound', 'demo-pv', '1Gi', 'RWO', 'sc', '<unset>', '90m', 'Filesystem'],
  ],
  [
    'v1',
    'PersistentVolumeClaim',
    {
      metadata: { name: 'c2' },
      spec: {
        accessModes: ['ReadWriteOncePod'],
        resources: { requests: { storage: '1Gi' } },
        volumeMode: 'Filesystem',
        storageClassName: 'demo-sc',
      },
      status: { phase: 'Pending' },
    },
    ['c2', 'Pending', '', '', '', 'demo-sc', '<unset>', '90m', 'Filesystem'],
  ],
  [
    'storage.k8s.io/v1',
    'StorageClass',
    {
      metadata: { name: 'demo-sc', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'x.io/p',
      allowVolumeExpansion: true,
      reclaimPolicy: 'Retain',
      volumeBindingMode: 'WaitForFirstConsumer',
    },
    ['demo-sc (default)', 'x.io/p', 'Retain', 'WaitForFirstConsumer', true, '90m'],
  ],
  [
    'storage.k8s.io/v1',
    'StorageClass',
    { metadata: { name: 'demo-sc2' }, provisioner: 'x.io/p' },
    ['demo-sc2', 'x.io/p', 'Delete', 'Immediate', false, '90m'],
  ],
  [
    'storage.k8s.io/v1',
    'CSIDriver',
    { metadata: { name: 'demo-drv' }, spec: { volumeLifecycleModes: ['Persistent'] } },
    ['demo-drv', true, false, false, '<unset>', false, 'Persistent', '90m'],
  ],
  [
    'storage.k8s.io/v1',
    'CSIDriver',
    {
      metadata: { name: 'demo-drv2' },
      spec: {
        attachRequired: false,
        tokenRequests: [{ audience: 'a' }, { audience: 'b' }],
        requiresRepublish: true,
        volumeLifecycleModes: ['Ephemeral', 'Persistent'],
      },
    },
    ['demo-drv2', false, false, false, 'a,b', true, 'Ephemeral,Persistent', '90m'],
  ],
  [
    'storage.k8s.io/v1',
    'CSINode',
    { metadata: { name: 'demo-n1' }, spec: { drivers: [{ name: 'd', nodeID: 'x' }] } },
    ['demo-n1', 1, '90m'],
  ],
  [
    'storage.k8s.io/v1',
    'CSIStorageCapacity',
    { metadata: { name: 'csc' }, storageClassName: 'sc', capacity: '1Gi' },
    ['csc', '2026-11-15T10:00:00Z'],
  ],
  [
    'storage.k8s.io/v1',
    'VolumeAttachment',
    {
      metadata: { name: 'demo-va' },
      spec: { attacher: 'x.io', nodeName: 'n', source: { persistentVolumeName: 'demo-pv' } },
      status: { attached: true },
    },
    ['demo-va', 'x.io', 'demo-pv', 'n', true, '90m'],
  ],
  [
    'scheduling.k8s.io/v1',
    'PriorityClass',
    { metadata: { name: 'demo-pc' }, value: 1000, preemptionPolicy: 'PreemptLowerPriority' },
    ['demo-pc', 1000, false, '90m', 'PreemptLowerPriority'],
  ],
  ['node.k8s.io/v1', 'RuntimeClass', { metadata: { name: 'demo-rc' }, handler: 'h' }, ['demo-rc', 'h', '90m']],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicy',
    {
      metadata: { name: 'demo-vap' },
      spec: {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        validations: [{ expression: 'true' }, { expression: 'true' }],
      },
    },
    ['demo-vap', 2, 'v1/ConfigMap', '90m'],
  ],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicy',
    { metadata: { name: 'demo-vap2' }, spec: { validations: [{ expression: 'true' }] } },
    ['demo-vap2', 1, '<unset>', '90m'],
  ],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    { metadata: { name: 'demo-b1' }, spec: { policyName: 'demo-vap', validationActions: ['Deny'] } },
    ['demo-b1', 'demo-vap', '<unset>', '90m'],
  ],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    {
      metadata: { name: 'demo-b2' },
      spec: {
        policyName: 'demo-vap',
        validationActions: ['Deny'],
        paramRef: { name: 'n', parameterNotFoundAction: 'Allow' },
      },
    },
    ['demo-b2', 'demo-vap', '*/n', '90m'],
  ],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    {
      metadata: { name: 'demo-b3' },
      spec: {
        policyName: 'demo-vap',
        validationActions: ['Deny'],
        paramRef: { name: 'n', namespace: 'q', parameterNotFoundAction: 'Allow' },
      },
    },
    ['demo-b3', 'demo-vap', 'q/n', '90m'],
  ],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    {
      metadata: { name: 'demo-b4' },
      spec: {
        policyName: 'demo-vap',
        validationActions: ['Deny'],
        paramRef: {
          parameterNotFoundAction: 'Allow',
          selector: {
            matchLabels: { b: '1', a: '2' },
            matchExpressions: [
              { key: 'k', operator: 'In', values: ['x', 'y'] },
              { key: 'z', operator: 'Exists' },
            ],
          },
        },
      },
    },
    [
      'demo-b4',
      'demo-vap',
      '&LabelSelector{MatchLabels:map[string]string{a: 2,b: 1,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},LabelSelectorRequirement{Key:z,Operator:Exists,Values:[],},},}',
      '90m',
    ],
  ],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    {
      metadata: { name: 'demo-b5' },
      spec: {
        policyName: 'demo-vap',
        validationActions: ['Deny'],
        paramRef: { parameterNotFoundAction: 'Allow', selector: {} },
      },
    },
    [
      'demo-b5',
      'demo-vap',
      '&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{},}',
      '90m',
    ],
  ],
  [
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration',
    { metadata: { name: 'demo-w' }, webhooks: [{ name: 'a.b.c' }] },
    ['demo-w', 1, '90m'],
  ],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    { metadata: { name: 'demo-w' }, webhooks: [{ name: 'a.b.c' }] },
    ['demo-w', 1, '90m'],
  ],
  [
    'apiregistration.k8s.io/v1',
    'APIService',
    {
      metadata: { name: 'v1.demoapi.example.com' },
      spec: {
        group: 'demoapi.example.com',
        version: 'v1',
        groupPriorityMinimum: 10,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { namespace: 'demo', name: 'nosvc' },
      },
      status: { conditions: [{ type: 'Available', status: 'False', reason: 'ServiceNotFound' }] },
    },
    ['v1.demoapi.example.com', 'demo/nosvc', 'False (ServiceNotFound)', '90m'],
  ],
];
