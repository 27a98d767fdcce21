import { defineOperator } from '@capstan/kube';
import type { OperatorContext, OperatorDefinition } from '@capstan/kube';
import { buildChecker } from './checker.js';
import { CHECKER_FLAGS, settingsFrom } from './config.js';
import { CHECKER_NAME } from './names.js';

/** The CRD compatibility checker as a program. */
export const crdCompatibilityOperator: OperatorDefinition<typeof CHECKER_FLAGS> = defineOperator({
  name: CHECKER_NAME,
  flags: CHECKER_FLAGS,
  build: async (context: OperatorContext<typeof CHECKER_FLAGS>) => {
    const { attach, files, namespace, options } = context;
    const settings = settingsFrom({ flags: context.flags, namespace });
    const { certFile, keyFile } = settings;
    const { manager } = await buildChecker({
      manager: options,
      settings,
      certificate: { certFile, keyFile },
      caPem: settings.caFile === undefined ? undefined : await files.read(settings.caFile),
      files,
      attach,
    });
    return manager;
  },
});
