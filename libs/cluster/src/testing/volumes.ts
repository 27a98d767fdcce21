import type { Volume, VolumeClaim } from '../volumes/decide.js';
import { PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES, PODS, STATEFUL_SETS } from '../workload/resources.js';
import type { ScenarioContext } from './context.js';
import { mustEqual } from './context.js';
import type { Scenario } from './context.js';
import { template, workload, Workloads } from './workloads.js';

const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

function bound(context: ScenarioContext, name: string): Promise<VolumeClaim> {
  return context.eventually(`${name} is bound`, async () => {
    const claim = (await context.get(name, PERSISTENT_VOLUME_CLAIMS)) as VolumeClaim | undefined;
    return claim?.status?.phase === 'Bound' && claim;
  });
}

/** What claims and volumes must do. */
export const volumeScenarios: readonly Scenario[] = [
  {
    name: 'a claim is bound to a volume made for it, and takes it along unless a pod uses it',
    async run(context) {
      const { client, namespace } = context;
      const metadata = { name: 'data', namespace };
      await client.create(PERSISTENT_VOLUME_CLAIMS, {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata,
        spec,
      });
      const claim = await bound(context, 'data');
      mustEqual(claim.status?.capacity, { storage: '1Gi' }, 'capacity');
      const name = claim.spec?.volumeName ?? '';
      const volume = (await client.get(PERSISTENT_VOLUMES, name)) as Volume;
      mustEqual([volume.spec?.claimRef?.uid, volume.status?.phase], [claim.metadata.uid, 'Bound'], 'volume');
      const pod = template('user');
      const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
      await client.create(PODS, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'user', namespace, labels: { app: 'user' } },
        spec: { ...pod.spec, volumes },
      });
      await new Workloads(context).readyPods('user', 1);
      await context.delete('data', 'Background', PERSISTENT_VOLUME_CLAIMS);
      await context.settle();
      await context.mustLive('data', PERSISTENT_VOLUME_CLAIMS);
      await context.delete('user', 'Background', PODS);
      await context.gone('data', PERSISTENT_VOLUME_CLAIMS);
      await context.gone(name, PERSISTENT_VOLUMES);
    },
  },
  {
    name: 'the claims of a StatefulSet go or stay by its policy',
    async run(context) {
      const w = new Workloads(context);
      const set = workload(context, 'StatefulSet', 'db', {
        serviceName: 'db',
        replicas: 2,
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec }],
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Delete' },
      });
      await context.client.create(STATEFUL_SETS, set);
      await w.readyPods('db', 2);
      await bound(context, 'data-db-0');
      await bound(context, 'data-db-1');
      await w.patch('db', { replicas: 1 }, STATEFUL_SETS);
      await context.gone('data-db-1', PERSISTENT_VOLUME_CLAIMS);
      await context.delete('db', 'Background', STATEFUL_SETS);
      await context.gone('db-0', PODS);
      await context.settle();
      await context.mustLive('data-db-0', PERSISTENT_VOLUME_CLAIMS);
    },
  },
];
