import type { JsonObject, KubeObject } from '@capstan/meta';
import { specAndStatus, statusUpdate } from '../base.js';
import { defaultText, defaultTo, ensure, fields, record, records, text } from '../shared/json.js';
import type { ResourceStrategy } from '../strategy.js';

function defaults(definition: KubeObject): void {
  const spec = ensure(definition, 'spec');
  const names = ensure(spec, 'names');
  if (text(names['singular']) === '' && text(names['kind']) !== '') names['singular'] = text(names['kind']).toLowerCase();
  if (text(names['listKind']) === '' && text(names['kind']) !== '') names['listKind'] = `${text(names['kind'])}List`;
  const conversion = ensure(spec, 'conversion');
  defaultText(conversion, 'strategy', 'None');
  const service = record(fields(fields(conversion['webhook'])['clientConfig'])['service']);
  if (service) defaultTo(service, 'port', 443);
}

// Until the naming controller has spoken, a definition has stored what it will store and accepted no names.
function emptyStatus(definition: KubeObject): JsonObject {
  const versions = records(fields(definition['spec'])['versions']);
  const storage = versions.find((version) => version['storage'] === true);
  return { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: storage ? [text(storage['name'])] : null };
}

const STRATEGY = specAndStatus({}, {});

/** Strategy of custom resource definitions: counting and status only; their admission lives with the custom resources. */
export const customResourceDefinitionStrategy: ResourceStrategy = {
  ...STRATEGY,
  allowUnconditionalUpdate: false,
  applyDefaults: defaults,
  prepareForCreate: (definition) => {
    definition['status'] = emptyStatus(definition);
    definition.metadata.generation = 1;
  },
  subresources: { status: statusUpdate() },
};
