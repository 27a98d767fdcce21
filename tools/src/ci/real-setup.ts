import type { TestProject } from 'vitest/node';

import { startRealKube } from '../real-kube/index.js';
import type { RealKubeAccess } from './real-access.js';
import { LANES } from './real-suites.js';
import { presentRealKubes } from './real-versions.js';

/** Starts the kube-apiserver of a project before its tests and stops it after them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const version = project.config.env['CAPSTAN_REAL_KUBE'];
  const assets = presentRealKubes().find((each) => each.version === version);
  if (assets === undefined) throw new Error(`kube-apiserver ${String(version)} is not there any more`);
  const lane = LANES.find(({ name }) => name === project.config.env['CAPSTAN_REAL_LANE']);
  const hasPods = lane?.hasPods === true;
  const kube = await startRealKube({ assets, reachesPods: hasPods, keepsAuditLog: hasPods });
  const access: RealKubeAccess = {
    version: kube.version,
    url: kube.url,
    token: kube.token,
    ca: kube.caPem,
    kubeconfigPath: kube.kubeconfigPath,
    kubeletAuthority: { certPem: kube.kubeletAuthority.certPem, keyPem: kube.kubeletAuthority.keyPem },
    ...(kube.kubectlPath === undefined ? {} : { kubectlPath: kube.kubectlPath }),
    ...(kube.webhookHost === undefined ? {} : { webhookHost: kube.webhookHost }),
    ...(kube.podProxySocket === undefined ? {} : { podProxySocket: kube.podProxySocket }),
    ...(kube.auditLog === undefined ? {} : { auditLog: kube.auditLog }),
  };
  project.provide('realKube', access);
  return () => kube.stop();
}
