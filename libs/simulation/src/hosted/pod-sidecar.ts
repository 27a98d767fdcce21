import { CLUSTER_API_RULES, GroupMapping, translate } from '@capstan/translate';
import type { GroupRule } from '@capstan/translate';
import { SIDECAR_NAME } from '@capstan/translate/sidecar';
import type { PodSidecar } from '../runtime/translated-transport.js';
import type { Container, Workload } from './workload-files.js';

/** The proxy of a workload; undefined where its template has none. */
export function sidecarOf({ spec }: Workload): PodSidecar | undefined {
  const { containers = [], initContainers = [] } = spec?.template?.spec ?? {};
  const found = [...initContainers, ...containers].find(({ name }) => name === SIDECAR_NAME);
  if (found === undefined) return undefined;
  const shared = valuesOf(found, 'shared-group');
  const rules = [...CLUSTER_API_RULES.rules, ...valuesOf(found, 'group-pair').map(ruleOf)];
  return {
    server: `http://${valuesOf(found, 'listen')[0] ?? '127.0.0.1:8080'}`,
    translator: translate(new GroupMapping({ rules, shared })),
  };
}

function valuesOf({ args = [] }: Container, flag: string): readonly string[] {
  const prefix = `--${flag}=`;
  return args.filter((arg) => arg.startsWith(prefix)).map((arg) => arg.slice(prefix.length));
}

function ruleOf(pair: string): GroupRule {
  const [standard = '', hidden = ''] = pair.split('=');
  return { standard, private: hidden, suffix: false };
}
