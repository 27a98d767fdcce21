import {
  boolType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  timestampType,
  type CelType,
} from '../cel/types/types.js';

function struct(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  return objectType(`kubernetes.${name}`, new Map(Object.entries(fields)), { verbatim: true, nullable: true });
}

const texts = listType(stringType);
const labels = mapType(stringType, stringType);
const gvk = struct('GroupVersionKind', { group: stringType, version: stringType, kind: stringType });
const gvr = struct('GroupVersionResource', { group: stringType, version: stringType, resource: stringType });
const userInfo = struct('UserInfo', {
  username: stringType,
  uid: stringType,
  groups: texts,
  extra: mapType(stringType, texts),
});

/** The variable `request`: what is asked, without the objects. */
export const requestType: CelType = struct('AdmissionRequest', {
  kind: gvk,
  resource: gvr,
  subResource: stringType,
  requestKind: gvk,
  requestResource: gvr,
  requestSubResource: stringType,
  name: stringType,
  namespace: stringType,
  operation: stringType,
  userInfo,
  dryRun: boolType,
  options: dynType,
});

const condition = struct('NamespaceCondition', {
  status: stringType,
  type: stringType,
  lastTransitionTime: timestampType,
  message: stringType,
  reason: stringType,
});

/** The variable `namespaceObject`: some of a Namespace. */
export const namespaceType: CelType = struct('Namespace', {
  metadata: struct('NamespaceMetadata', {
    name: stringType,
    generateName: stringType,
    namespace: stringType,
    labels,
    annotations: labels,
    UID: stringType,
    creationTimestamp: timestampType,
    deletionGracePeriodSeconds: intType,
    deletionTimestamp: timestampType,
    generation: intType,
    resourceVersion: stringType,
    finalizers: texts,
  }),
  spec: struct('NamespaceSpec', { finalizers: texts }),
  status: struct('NamespaceStatus', { conditions: listType(condition), phase: stringType }),
});
