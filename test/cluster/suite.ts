import {
  ClusterRoleController,
  CronJobController,
  DaemonSetController,
  DeploymentController,
  DisruptionController,
  EndpointsController,
  EventTtlController,
  GarbageCollector,
  JobController,
  NamespaceController,
  NodeLifecycleController,
  PodGarbageCollector,
  PolicyStatusController,
  ReplicaSetController,
  ServiceAccountController,
  ServiceCaController,
  SharedInformers,
  StatefulSetController,
  TaintEvictionController,
  TtlAfterFinishedController,
  VolumeController,
} from '@capstan/cluster';
import {
  admissionPolicyScenarios,
  cronJobScenarios,
  daemonSetScenarios,
  deploymentScenarios,
  disruptionScenarios,
  garbageCollectionScenarios,
  jobScenarios,
  namespaceScenarios,
  nodeScenarios,
  podScenarios,
  runScenario,
  serviceCaScenarios,
  serviceScenarios,
  SimulatedKubelet,
  statefulSetScenarios,
  volumeScenarios,
} from '@capstan/cluster/testing';
import { Client, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { Transport } from '@capstan/meta';
import { afterAll, beforeAll, describe, it } from 'vitest';

/** Controllers run concurrently, on machines that may be busy. */
const TIMEOUT_MS = 60_000;
const SCENARIO_LIMIT_MS = 120_000;

/** One after the other: several depend on the clock, and a cluster has one service CA and one set of nodes. */
const scenarios = [
  ...garbageCollectionScenarios,
  ...namespaceScenarios,
  ...deploymentScenarios,
  ...serviceScenarios,
  ...disruptionScenarios,
  ...statefulSetScenarios,
  ...podScenarios,
  ...jobScenarios,
  ...cronJobScenarios,
  ...nodeScenarios,
  ...volumeScenarios,
  ...daemonSetScenarios,
  ...serviceCaScenarios,
  ...admissionPolicyScenarios,
];

/** Checks what Kubernetes' own controllers must do, with ours as clients of the given server. Several servers run concurrently. */
export function describeClusterScenarios(name: string, connect: () => Promise<Transport>): void {
  describe.concurrent(`the controllers on ${name}`, () => {
    const clock = systemClock();
    const random = systemRandom();
    const ending = new AbortController();
    let client: Client | undefined;
    let stopped: Promise<unknown> = Promise.resolve();

    beforeAll(async () => {
      client = new Client(await connect(), { clock, random });
      const options = { client, clock, random, logger: silentLogger() };
      // On a server with other users, they keep to the namespaces of the scenarios.
      const namespaces = (namespace: string): boolean => namespace.startsWith('capstan-');
      const workload = { ...options, informers: new SharedInformers(options), namespaces };
      const controllers = [
        new GarbageCollector(options),
        new NamespaceController(options),
        new ReplicaSetController(workload),
        new DeploymentController(workload),
        new DisruptionController(workload),
        new EndpointsController(workload),
        new ServiceAccountController({ ...workload, rootCaPem: 'certificate' }),
        new ClusterRoleController(workload),
        new PolicyStatusController(workload),
        new StatefulSetController(workload),
        new JobController({ ...workload, podBackoffMs: 200 }),
        new CronJobController(workload),
        new DaemonSetController(workload),
        new VolumeController(workload),
        new NodeLifecycleController({ ...workload, gracePeriodMs: 1000 }),
        new TaintEvictionController(workload),
        new PodGarbageCollector({ ...workload, quarantineMs: 300 }),
        new EventTtlController({ ...workload, ttlMs: 2500, namespaces: (name) => name.startsWith('capstan-ttl-') }),
        new TtlAfterFinishedController(workload),
        new ServiceCaController(workload),
        new SimulatedKubelet(workload),
      ];
      await Promise.all(controllers.map((controller) => controller.start(ending.signal)));
      stopped = Promise.all(controllers.map((controller) => controller.stopped()));
    }, SCENARIO_LIMIT_MS);

    afterAll(async () => {
      ending.abort();
      await stopped;
    });

    for (const scenario of scenarios) {
      it.sequential(
        scenario.name,
        async () => {
          if (client === undefined) throw new Error('the controllers did not start');
          await runScenario(scenario, { client, clock, random, timeoutMs: TIMEOUT_MS });
        },
        SCENARIO_LIMIT_MS,
      );
    }
  });
}
