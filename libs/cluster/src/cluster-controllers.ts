import { PolicyStatusController } from './admission-policies/policy-status-controller.js';
import { ClusterRoleController } from './cluster-roles/cluster-role-controller.js';
import type { Controller, ControllerOptions } from './controller.js';
import { CronJobController } from './cron-job/cron-job-controller.js';
import { DaemonSetController } from './daemon-set/daemon-set-controller.js';
import { DeploymentController } from './deployment/deployment-controller.js';
import { DisruptionController } from './disruption/disruption-controller.js';
import { EndpointsController } from './endpoints/endpoints-controller.js';
import { EventTtlController } from './event-ttl-controller.js';
import { GarbageCollector } from './garbage-collector/garbage-collector.js';
import { JobController } from './job/job-controller.js';
import { TtlAfterFinishedController } from './job/ttl-controller.js';
import { NamespaceController } from './namespace/namespace-controller.js';
import { NodeLifecycleController } from './node-lifecycle/node-lifecycle-controller.js';
import { PodGarbageCollector } from './node-lifecycle/pod-garbage-collector.js';
import { TaintEvictionController } from './node-lifecycle/taint-eviction-controller.js';
import { ReplicaSetController } from './replicaset/replicaset-controller.js';
import { ServiceAccountController } from './service-account-controller.js';
import { ServiceCaController } from './service-ca/service-ca-controller.js';
import { StatefulSetController } from './statefulset/statefulset-controller.js';
import { VolumeController } from './volumes/volume-controller.js';
import type { SharedInformers } from './workload/shared-informers.js';

export interface ClusterControllersOptions {
  /** What the controller of a name is given. */
  readonly optionsOf: (name: string) => ControllerOptions;
  /** Shared by all of them, and by other controllers of the caller; not started yet. */
  readonly informers: SharedInformers;
  /** The CA of the server's certificate, for pods to trust. */
  readonly rootCaPem: string;
}

/** Every controller that makes an API server a cluster, but for what places and runs pods. */
export function clusterControllers({ informers, optionsOf, rootCaPem }: ClusterControllersOptions): Controller[] {
  const workload = (name: string) => ({ ...optionsOf(name), informers });
  return [
    new GarbageCollector(optionsOf('generic-garbage-collector')),
    new NamespaceController(optionsOf('namespace-controller')),
    new ReplicaSetController(workload('replicaset-controller')),
    new DeploymentController(workload('deployment-controller')),
    new StatefulSetController(workload('statefulset-controller')),
    new DaemonSetController(workload('daemon-set-controller')),
    new VolumeController(workload('persistent-volume-binder')),
    new NodeLifecycleController(workload('node-controller')),
    new TaintEvictionController(workload('taint-eviction-controller')),
    new PodGarbageCollector(workload('pod-garbage-collector')),
    new EventTtlController(workload('event-ttl-controller')),
    new JobController(workload('job-controller')),
    new CronJobController(workload('cronjob-controller')),
    new TtlAfterFinishedController(workload('ttl-after-finished-controller')),
    new DisruptionController(workload('disruption-controller')),
    new EndpointsController(workload('endpoints-controller')),
    new ServiceAccountController({ ...workload('service-account-controller'), rootCaPem }),
    new ServiceCaController(workload('service-ca')),
    new ClusterRoleController(workload('clusterrole-aggregation-controller')),
    new PolicyStatusController(workload('validatingadmissionpolicy-status-controller')),
  ];
}
