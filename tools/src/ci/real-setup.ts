import { readFileSync } from 'node:fs';

import type { TestProject } from 'vitest/node';

import { startRealKube } from '../real-kube/index.js';
import type { RealKubeAccess } from './real-access.js';
import { SHARDS } from './real-suites.js';
import { presentRealKubes } from './real-versions.js';

/** How many lines of each log are printed when a server exits by itself. */
const LOG_LINES = 20;

/** Starts the kube-apiserver of a project before its tests and stops it after them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const version = project.config.env['CAPSTAN_REAL_KUBE'];
  const assets = presentRealKubes().find((each) => each.version === version);
  if (assets === undefined) throw new Error(`kube-apiserver ${String(version)} is not there any more`);
  const shard = SHARDS.find(({ name }) => name === project.config.env['CAPSTAN_REAL_SHARD']);
  const hasPods = shard?.hasPods === true;
  const kube = await startRealKube({ assets, reachesPods: hasPods, keepsAuditLog: hasPods });
  const access: RealKubeAccess = {
    version: kube.version,
    url: kube.url,
    token: kube.token,
    ca: kube.caPem,
    kubeconfigPath: kube.kubeconfigPath,
    kubeletCa: { certPem: kube.kubeletCa.certPem, keyPem: kube.kubeletCa.keyPem },
    ...(kube.kubectlPath === undefined ? {} : { kubectlPath: kube.kubectlPath }),
    ...(kube.webhookHost === undefined ? {} : { webhookHost: kube.webhookHost }),
    ...(kube.podProxySocket === undefined ? {} : { podProxySocket: kube.podProxySocket }),
    ...(kube.auditLog === undefined ? {} : { auditLog: kube.auditLog }),
  };
  project.provide('realKube', access);
  let isStopping = false;
  void kube.exited.then((sentence) => {
    // Nothing else would explain why every test from here on waits in vain.
    if (!isStopping) process.stderr.write(`${sentence} under the tests:\n${endOf(kube.logFiles)}\n`);
  });
  return () => {
    isStopping = true;
    return kube.stop();
  };
}

function endOf(logFiles: Readonly<Record<string, string>>): string {
  const ends = Object.entries(logFiles).map(
    ([name, file]) => `${name}: ${readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LOG_LINES).join('\n')}`,
  );
  return ends.join('\n');
}
