import { Manager, systemRandom } from '@capstan/kube';
import { ManualClock, ScriptedTransport } from '@capstan/kube/testing';
import type { HostedCluster } from '@capstan/api/hypershift';
import { renderMetrics } from '@capstan/meta';
import type { MetricFamily } from '@capstan/meta';
import { runtimeMetrics } from '@capstan/observability';
import { describe, expect, it } from 'vitest';
import { hypershiftMetricDeclarations } from './metrics/declarations.js';
import { registerHostedClusterMetrics } from './metrics/hosted-clusters.js';
import { NodePoolMetrics } from './metrics/node-pools.js';

const NOW_MS = Date.parse('2026-01-01T12:00:00Z');
const clock = { now: () => NOW_MS };

function cluster(name: string, rest: Partial<HostedCluster>): HostedCluster {
  const { metadata, ...more } = rest;
  const made: unknown = {
    metadata: { name, namespace: 'clusters', creationTimestamp: '2026-01-01T11:00:00Z', ...metadata },
    spec: { clusterID: `id-of-${name}`, platform: { type: 'Harbour' } },
    ...more,
  };
  return made as HostedCluster;
}

function page(clusters: readonly HostedCluster[]): string[] {
  const families: MetricFamily[] = [];
  const metrics = { register: (...more: readonly MetricFamily[]) => void families.push(...more) };
  registerHostedClusterMetrics({ clusters: () => clusters, clock, metrics });
  void new NodePoolMetrics({ pools: () => [], clusters: () => clusters, sizeOf: () => 0, clock, metrics });
  return renderMetrics(families).trimEnd().split('\n');
}

const conditions = (statuses: Readonly<Record<string, string>>): never =>
  Object.entries(statuses).map(([type, status]) => ({ type, status, reason: 'R', message: '' })) as never;

describe('metrics of hosted clusters', () => {
  it('are those that are declared, in their order', () => {
    const typed = page([]).filter((line) => line.startsWith('# TYPE'));
    expect(typed).toEqual(hypershiftMetricDeclarations.map(({ name, type }) => `# TYPE ${name} ${type}`));
  });

  it('report how long each has been starting', () => {
    const version = (...history: readonly object[]): never => ({ version: { history } }) as never;
    const lines = page([
      cluster('new', { status: { conditions: conditions({ Available: 'False', Degraded: 'False' }) } as never }),
      cluster('old', {
        status: {
          ...(version(
            { state: 'Partial', version: '4.22.1', startedTime: '2026-01-01T11:50:00Z' },
            { state: 'Completed', version: '4.22.0', startedTime: '2026-01-01T11:00:00Z' },
          ) as object),
          conditions: conditions({ Available: 'True', Degraded: 'True' }),
        } as never,
      }),
      cluster('going', { metadata: { name: 'going', deletionTimestamp: '2026-01-01T11:59:00Z' } as never }),
    ]).filter((line) => line.startsWith('hypershift_') && !line.includes('nodepools'));
    const of = (name: string): string => `{namespace="clusters",name="${name}",_id="id-of-${name}"`;
    expect(lines).toEqual([
      'hypershift_hostedclusters{platform="Harbour"} 3',
      'hypershift_hostedclusters_failure_conditions{platform="Harbour",condition="not_Available"} 1',
      'hypershift_hostedclusters_failure_conditions{platform="Harbour",condition="Degraded"} 1',
      `hypershift_cluster_available${of('new')}} 0`,
      `hypershift_cluster_available${of('old')}} 1`,
      `hypershift_cluster_waiting_initial_availability_duration_seconds${of('new')}} 3600`,
      `hypershift_cluster_initial_rolling_out_duration_seconds${of('new')}} 3600`,
      `hypershift_cluster_upgrading_duration_seconds${of('old')},previous_version="4.22.0",new_version="4.22.1"} 600`,
      `hypershift_cluster_deleting_duration_seconds${of('going')}} 60`,
    ]);
  });

  it('report the version of each control plane, whatever its nodes run', () => {
    const entry = (state: string, version: string, startedTime: string): object => ({ state, version, startedTime });
    const withHistory = (...history: readonly object[]): Partial<HostedCluster> => ({
      status: { conditions: [], controlPlaneVersion: { history } } as never,
    });
    const lines = page([
      cluster(
        'moving',
        withHistory(
          entry('Partial', '4.20.1', '2026-01-01T00:00:10Z'),
          entry('Completed', '4.20.0', '2026-01-01T00:00:00Z'),
        ),
      ),
      cluster('there', withHistory(entry('Completed', '4.20.1', '2026-01-01T00:00:00Z'))),
      cluster('silent', withHistory()),
      cluster('going', {
        ...withHistory(entry('Partial', '4.20.1', '2026-01-01T00:00:00Z')),
        metadata: { name: 'going', deletionTimestamp: '2026-01-01T11:59:00Z' } as never,
      }),
    ]).filter((line) => line.startsWith('hypershift_control_plane_version'));
    const of = (name: string): string => `{namespace="clusters",name="${name}",_id="id-of-${name}"`;
    const began = Date.parse('2026-01-01T00:00:00Z') / 1000;
    expect(lines).toEqual([
      `hypershift_control_plane_version_info${of('moving')},version="4.20.1",completed_version="4.20.0"} 1`,
      `hypershift_control_plane_version_info${of('there')},version="4.20.1",completed_version="4.20.1"} 1`,
      `hypershift_control_plane_version_state${of('moving')},state="Completed"} 0`,
      `hypershift_control_plane_version_state${of('moving')},state="Partial"} 1`,
      `hypershift_control_plane_version_state${of('there')},state="Completed"} 1`,
      `hypershift_control_plane_version_state${of('there')},state="Partial"} 0`,
      `hypershift_control_plane_version_start_time_seconds${of('moving')}} ${began + 10}`,
      `hypershift_control_plane_version_start_time_seconds${of('there')}} ${began}`,
    ]);
  });

  it('are served with those of the runtime, which panels query', () => {
    const transport = new ScriptedTransport(() => undefined);
    const manager = new Manager({ transport, clock: new ManualClock(NOW_MS), random: systemRandom(1) });
    manager.controller({ name: 'test', reconcile: async () => undefined });
    const lines = new Set(manager.metrics.render().split('\n'));
    expect(runtimeMetrics.filter(({ name, type }) => !lines.has(`# TYPE ${name} ${type}`))).toEqual([]);
  });
});
