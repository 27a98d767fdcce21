import type { OperatorDefinition } from '@capstan/kube';
import { clusterApiConverter, contractContext } from '@capstan/convert/cluster-api';
import { BadUsage, CertificateFiles, defineOperator, Manager, WebhookServer } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';

const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const DEFAULT_PORT = 9443;

/** Serves `/convert` for the core kinds of Cluster API, with the certificate its folder holds. */
export const conversionOperator: OperatorDefinition<Record<never, never>> = defineOperator({
  name: 'cluster-api-conversion',
  flags: {},
  build: async ({ attach, files, flags, options }) => {
    const folder = flags['webhook-cert-dir'];
    if (folder === undefined) throw new BadUsage('--webhook-cert-dir must name the folder of the certificate');
    const manager = new Manager(options);
    const { clock, logger, metrics } = manager;
    const certificate = await CertificateFiles.load({
      certFile: `${folder}/tls.crt`,
      keyFile: `${folder}/tls.key`,
      files,
      clock,
      logger,
      metrics,
    });
    const port = flags['webhook-port'] ?? DEFAULT_PORT;
    const server = new WebhookServer({ port, certificate, attach, clock, logger, metrics });
    const definitions = manager.cache.informer<KubeObject>(DEFINITIONS, { metadataOnly: true });
    const context = contractContext((name) => definitions.store.get(name)?.metadata.labels);
    server.converting('/convert', clusterApiConverter(context), { whenReady: () => definitions.whenSynced() });
    manager.add(certificate, 'webhook');
    manager.add(server, 'webhook');
    return manager;
  },
});
