/** The kinds of storage.k8s.io, but for volume attachments. */
import { duplicate, fieldImmutable, forbidden, invalid, required, tooLong } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { counted, plain, setGeneration } from '../base.js';
import type { Errors } from '../shared/checks.js';
import {
  checkEnum,
  checkImmutable,
  checkImmutableEnum,
  checkLabelSelector,
  checkNonNegative,
  checkOptionalEnum,
  checkQualifiedName,
  checkSubdomain,
} from '../shared/checks.js';
import { defaultTo, ensure, equalJson, fields, integer, records, text, textMap, texts } from '../shared/json.js';
import { structText } from '../shared/internal.js';
import { nanosOf } from '../shared/quantity.js';
import { sentEmpty } from '../shared/sent-empties.js';
import { metadataAgain, type ResourceStrategy } from '../strategy.js';
import { checkDriverName } from '../core/volumes.js';

const MAX_PARAMETERS = 512;
const MAX_PARAMETER_SIZE = 256 * 1024;

function checkProvisioner(out: Errors, field: string, name: string): void {
  if (name === '') out.push(required(field));
  else checkQualifiedName(out, field, name.toLowerCase());
}

function checkParameters(out: Errors, parameters: Readonly<Record<string, string>>): void {
  const keys = Object.keys(parameters);
  if (keys.length > MAX_PARAMETERS) {
    out.push(tooLong('parameters', '', MAX_PARAMETERS));
    return;
  }
  let size = 0;
  for (const key of keys) {
    if (key === '') out.push(invalid('parameters', key, 'field can not be empty.'));
    size += Buffer.byteLength(key) + Buffer.byteLength(parameters[key] ?? '');
  }
  if (size > MAX_PARAMETER_SIZE) out.push(tooLong('parameters', '', MAX_PARAMETER_SIZE));
}

function checkTopologies(out: Errors, topologies: unknown): void {
  records(topologies).forEach((term, i) => {
    const keys = new Set<string>();
    records(term['matchLabelExpressions']).forEach((expression, j) => {
      const path = `allowedTopologies[${i}].matchLabelExpressions[${j}]`;
      const values = texts(expression['values']);
      if (values.length === 0) out.push(required(`${path}.values`));
      values.forEach((value, at) => {
        if (values.indexOf(value) !== at) out.push(duplicate(`${path}.values[${at}]`, value));
      });
      const key = text(expression['key']);
      checkQualifiedName(out, `${path}.key`, key);
      if (keys.has(key)) out.push(duplicate(`${path}.key`, key));
      keys.add(key);
    });
  });
}

function validateClass(storageClass: KubeObject): FieldError[] {
  const out: Errors = [];
  checkProvisioner(out, 'provisioner', text(storageClass['provisioner']));
  checkParameters(out, textMap(storageClass['parameters']));
  const policy = text(storageClass['reclaimPolicy']);
  if (policy !== '') checkEnum(out, 'reclaimPolicy', policy, ['Delete', 'Retain']);
  checkEnum(out, 'volumeBindingMode', storageClass['volumeBindingMode'], ['Immediate', 'WaitForFirstConsumer']);
  checkTopologies(out, storageClass['allowedTopologies']);
  return out;
}

/** Strategy of storage classes. */
export const storageClassStrategy: ResourceStrategy = plain({
  returnsDeletedObject: true,
  applyDefaults: (storageClass) => {
    defaultTo(storageClass, 'reclaimPolicy', 'Delete');
    defaultTo(storageClass, 'volumeBindingMode', 'Immediate');
  },
  validate: validateClass,
  validateUpdate: (storageClass, old, context) => {
    const { asNew, asChange } = metadataAgain(context);
    const out: Errors = [...asNew, ...validateClass(storageClass), ...asChange];
    for (const key of ['parameters', 'provisioner']) checkImmutable(out, key, storageClass[key], old[key]);
    for (const key of ['reclaimPolicy', 'volumeBindingMode']) checkImmutableEnum(out, key, storageClass[key], old[key]);
    return out;
  },
});

/** Strategy of volume attributes classes. */
export const volumeAttributesClassStrategy: ResourceStrategy = plain({
  returnsDeletedObject: true,
  validate: (attributes) => {
    const out: Errors = [];
    checkProvisioner(out, 'driverName', text(attributes['driverName']));
    checkParameters(out, textMap(attributes['parameters']));
    if (Object.keys(textMap(attributes['parameters'])).length === 0)
      out.push(required('parameters', 'must contain at least one key/value pair'));
    return out;
  },
  validateUpdate: (attributes, old) => {
    const out: Errors = [];
    if (attributes['driverName'] !== old['driverName'])
      out.push(forbidden('driverName', 'updates to driverName are forbidden.'));
    if (!equalJson(attributes['parameters'], old['parameters']))
      out.push(forbidden('parameters', 'updates to parameters are forbidden.'));
    return out;
  },
});

function checkDrivers(out: Errors, drivers: readonly JsonObject[]): void {
  const names = new Set<string>();
  drivers.forEach((driver, i) => {
    const path = `spec.drivers[${i}]`;
    const name = text(driver['name']);
    const id = text(driver['nodeID']);
    checkDriverName(out, `${path}.name`, name);
    if (id === '') out.push(required(`${path}.nodeID`));
    if (id.length > 256) out.push(invalid(`${path}.nodeID`, id, 'must be 256 characters or less'));
    checkNonNegative(out, `${path}.allocatable.count`, fields(driver['allocatable'])['count']);
    if (names.has(name)) out.push(duplicate(`${path}.name`, name));
    names.add(name);
    const keys = new Set<string>();
    for (const key of texts(driver['topologyKeys'])) {
      if (key === '') out.push(required(path));
      if (keys.has(key)) out.push(duplicate(path, key));
      keys.add(key);
      checkQualifiedName(out, path, key);
    }
  });
}

/** Under the server's internal names; what may change is left out of the comparison, and of what is shown. */
function shownDriver(node: KubeObject, driver: Readonly<JsonObject>, index: number): JsonObject {
  const { name, nodeID, topologyKeys } = driver;
  const keys = topologyKeys ?? sentEmpty(node, `spec.drivers[${index}].topologyKeys`) ?? null;
  return { Name: text(name), NodeID: text(nodeID), TopologyKeys: keys, Allocatable: null };
}

/** Strategy of CSI nodes. */
export const csiNodeStrategy: ResourceStrategy = plain({
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
  validate: (node) => {
    const out: Errors = [];
    checkDrivers(out, records(fields(node['spec'])['drivers']));
    return out;
  },
  validateUpdate: (node, old) => {
    const out: Errors = [];
    const drivers = records(fields(node['spec'])['drivers']);
    checkDrivers(out, drivers);
    for (const before of records(fields(old['spec'])['drivers'])) {
      const now = drivers.find((driver) => driver['name'] === before['name']);
      if (now && !equalJson({ ...now, allocatable: null }, { ...before, allocatable: null }))
        out.push(invalid('spec.drivers', structText(shownDriver(node, now, drivers.indexOf(now))), fieldImmutable));
    }
    return out;
  },
});

const DRIVER_DEFAULTS: Readonly<JsonObject> = {
  attachRequired: true,
  podInfoOnMount: false,
  storageCapacity: false,
  fsGroupPolicy: 'ReadWriteOnceWithFSType',
  requiresRepublish: false,
  seLinuxMount: false,
};

function checkDriver(out: Errors, driver: KubeObject): void {
  const spec = fields(driver['spec']);
  checkOptionalEnum(out, 'spec.fsGroupPolicy', spec['fsGroupPolicy'], ['File', 'None', 'ReadWriteOnceWithFSType']);
  const audiences = new Set<string>();
  records(spec['tokenRequests']).forEach((request, i) => {
    const path = `spec.tokenRequests[${i}]`;
    const audience = text(request['audience']);
    if (audiences.has(audience)) {
      out.push(duplicate(`${path}.audience`, audience));
      return;
    }
    audiences.add(audience);
    const { expirationSeconds: sent } = request;
    const seconds = integer(sent);
    if (seconds === undefined) return;
    if (seconds < 600)
      out.push(invalid(`${path}.expirationSeconds`, sent, 'may not specify a duration less than 10 minutes'));
    if (seconds > 2 ** 32)
      out.push(invalid(`${path}.expirationSeconds`, sent, 'may not specify a duration larger than 2^32 seconds'));
  });
  for (const mode of texts(spec['volumeLifecycleModes']))
    checkEnum(out, 'spec.volumeLifecycleModes', mode, ['Persistent', 'Ephemeral']);
}

function tokenWarnings(driver: KubeObject): string[] {
  const { tokenRequests, serviceAccountTokenInSecrets: inSecrets } = fields(driver['spec']);
  if (records(tokenRequests).length === 0 || (inSecrets !== undefined && inSecrets !== null)) return [];
  return [
    'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
  ];
}

/** Strategy of CSI drivers. */
export const csiDriverStrategy: ResourceStrategy = {
  ...counted(['spec'], {}),
  hasGeneration: false,
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
  applyDefaults: (driver) => {
    const spec = ensure(driver, 'spec');
    for (const [key, value] of Object.entries(DRIVER_DEFAULTS)) defaultTo(spec, key, value);
    if (texts(spec['volumeLifecycleModes']).length === 0) spec['volumeLifecycleModes'] = ['Persistent'];
  },
  prepareForCreate: () => {},
  prepareForUpdate: (driver, old) =>
    setGeneration(
      driver,
      old,
      CHANGING.some((key) => !equalJson(fields(driver['spec'])[key], fields(old['spec'])[key])),
    ),
  warningsOnCreate: (driver) => tokenWarnings(driver),
  warningsOnUpdate: (driver, old) =>
    equalJson(fields(driver['spec'])['tokenRequests'], fields(old['spec'])['tokenRequests'])
      ? []
      : tokenWarnings(driver),
  validate: (driver) => {
    const out: Errors = [];
    checkDriver(out, driver);
    return out;
  },
  validateUpdate: (driver, old) => {
    const out: Errors = [];
    checkDriver(out, driver);
    const [spec, before] = [fields(driver['spec']), fields(old['spec'])];
    checkImmutable(out, 'spec.attachedRequired', spec['attachRequired'], before['attachRequired']);
    checkImmutable(out, 'spec.volumeLifecycleModes', spec['volumeLifecycleModes'], before['volumeLifecycleModes']);
    return out;
  },
};
const CHANGING = ['tokenRequests', 'requiresRepublish', 'seLinuxMount', 'nodeAllocatableUpdatePeriodSeconds'];

function validateCapacity(capacity: KubeObject): Errors {
  const out: Errors = [];
  checkLabelSelector(out, 'nodeTopology', capacity['nodeTopology']);
  checkSubdomain(out, 'storageClassName', text(capacity['storageClassName']));
  if (capacity['capacity'] !== undefined && nanosOf(capacity['capacity']) < 0n) {
    out.push(invalid('capacity', capacity['capacity'], 'must be greater than or equal to 0'));
  }
  return out;
}

/** Strategy of CSI storage capacities. */
export const csiStorageCapacityStrategy: ResourceStrategy = plain({
  allowUnconditionalUpdate: false,
  validate: validateCapacity,
  validateUpdate: (capacity, old, context) => {
    const { asNew, asChange } = metadataAgain(context);
    const out: Errors = [...asNew, ...validateCapacity(capacity), ...asChange];
    checkImmutable(out, 'nodeTopology', capacity['nodeTopology'], old['nodeTopology']);
    checkImmutable(out, 'storageClassName', capacity['storageClassName'], old['storageClassName']);
    return out;
  },
});
