import { hashBytes } from '@capstan/hosting';
import type { HostingPlatform } from '../hosting/platform.js';
import type { HostingExamples } from './conformance-subject.js';
import { poolInputsOf, outputsOfCluster, outputsOfPool, inputsOf } from './conformance-subject.js';

/** Texts of Secrets are shown, and what core hashes is named by its hash: so a change that replaces machines is seen. */
function shown(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('kind' in value) || value.kind !== 'Secret') return value;
  const { data, ...rest } = value as { data?: Record<string, string> };
  const texts = Object.entries(data ?? {}).map(([key, text]) => [key, Buffer.from(text, 'base64').toString('utf8')]);
  return { ...rest, texts: Object.fromEntries(texts) as unknown };
}

/** All outputs of a platform for its examples, stored next to it and read by reviewers of a change. */
export function hostingScenario(platform: HostingPlatform, examples: HostingExamples): string {
  const subject = { platform, examples };
  const { cluster, machineTemplate, nodePools } = platform;
  const row = {
    type: platform.type,
    key: platform.key,
    hasSettings: platform.hasSettings,
    cluster: cluster === undefined ? undefined : { ...cluster },
    machineTemplate: machineTemplate === undefined ? undefined : { ...machineTemplate },
    nodePools,
    companionKinds: platform.companionKinds,
    leftovers: platform.leftovers,
  };
  const clusters = examples.clusters.map((settings) => outputsOfCluster(subject, inputsOf(subject, settings)));
  const pools = examples.pools.map((settings) => {
    const outputs = outputsOfPool(subject, poolInputsOf(subject, settings));
    const named = JSON.stringify(outputs['named'] ?? outputs['spec'] ?? {});
    return { ...outputs, named: hashBytes(new TextEncoder().encode(named)) };
  });
  return `${JSON.stringify({ row, clusters, pools }, shown, 2)}\n`;
}
