/** Rules about a CRD as a whole. */

/** The texts of the rules, by id. */
export const definitionRules = {
  'invalid-definition': {
    title: 'The server refuses the CRD',
    severity: 'error',
    explanation:
      "The CRD breaks a rule of the API server itself, so it is never served: the finding has the server's path and text. Nothing else is compared.",
    example: 'spec.versions: [{name: v1, storage: true}, {name: v2, storage: true}]',
  },
  'name-changed': {
    title: 'The CRD is another one',
    severity: 'error',
    explanation: 'The group or the plural differ, so clients look for their objects at a path that does not exist.',
    example: 'spec.names.plural: machines → boxes',
  },
  'crd-removed': {
    title: 'A required CRD is missing',
    severity: 'error',
    explanation:
      'None of the CRDs that were checked has the required name: every request of its clients is answered with 404, and deleting the CRD deletes its objects.',
    example: 'old/: machines.yaml, machinesets.yaml → new/: machines.yaml',
  },
  'version-removed': {
    title: 'A required version was removed',
    severity: 'error',
    explanation: 'Every request of a client of that version is answered with 404.',
    example: 'spec.versions: [v1beta1, v1] → [v1]',
  },
  'version-not-served': {
    title: 'A required version is no longer served',
    severity: 'error',
    explanation: 'Every request of a client of that version is answered with 404.',
    example: 'spec.versions[0].served: true → false',
  },
  'version-deprecated': {
    title: 'A required version is deprecated',
    severity: 'warning',
    explanation: 'It still works, with a warning on every request; a later CRD will drop it.',
    example: 'spec.versions[0].deprecated: true',
  },
  'stored-version-dropped': {
    title: 'Objects are stored in a version that was removed',
    severity: 'error',
    explanation: 'Objects that are stored in a version the CRD does not know cannot be read any more.',
    example: 'status.storedVersions: [v1beta1, v1], spec.versions: [v1]',
  },
  'conversion-loses-field': {
    title: 'Storing in another version loses a field',
    severity: 'error',
    explanation:
      'Without a conversion webhook an object is stored with the schema of the storage version: fields it does not know are dropped.',
    example: 'storage moved to v1, which has no spec.paused, with conversion strategy None',
  },
  'conversion-changes-default': {
    title: 'Storing in another version fills in other defaults',
    severity: 'error',
    explanation:
      'Without a conversion webhook an object is read back with the defaults of the storage version, which the client did not ask for.',
    example: 'storage moved to v1, where spec.replicas has default 3, with conversion strategy None',
  },
  'conversion-webhook-trusted': {
    title: 'A conversion webhook is trusted',
    severity: 'warning',
    explanation:
      'Objects of the required version are stored in another one through a webhook. What it does cannot be seen in the CRD.',
    example: 'spec.conversion.strategy: None → Webhook',
  },
  'conversion-webhook-without-service': {
    title: 'The conversion webhook is outside the cluster',
    severity: 'warning',
    explanation: 'The webhook is reached by URL: whether it answers depends on something this cluster does not run.',
    example: 'spec.conversion.webhook.clientConfig.url: https://…',
  },
  'scope-changed': {
    title: 'The scope differs',
    severity: 'error',
    explanation: 'Namespaced and cluster-scoped objects live at different paths.',
    example: 'spec.scope: Namespaced → Cluster',
  },
  'kind-changed': {
    title: 'The kind differs',
    severity: 'error',
    explanation: 'Objects that name the old kind are refused, and typed clients cannot decode what they read.',
    example: 'spec.names.kind: Machine → Box',
  },
  'list-kind-changed': {
    title: 'The kind of lists differs',
    severity: 'error',
    explanation: 'Typed clients cannot decode lists and watches.',
    example: 'spec.names.listKind: MachineList → Machines',
  },
  'short-name-changed': {
    title: 'A short name, category or other name was removed',
    severity: 'warning',
    explanation: 'Scripts that use the singular, a short name or a category do not find the resource any more.',
    example: 'spec.names.shortNames: [ma] → []',
  },
  'status-subresource-removed': {
    title: 'The status subresource was removed',
    severity: 'error',
    explanation: 'Controllers that write the status get 404.',
    example: 'spec.versions[0].subresources.status: {} → absent',
  },
  'status-subresource-added': {
    title: 'The status became a subresource',
    severity: 'error',
    explanation: 'A status that is written with the object, as the requirement does it, is dropped silently.',
    example: 'spec.versions[0].subresources.status: absent → {}',
  },
  'status-subresource-unused': {
    title: 'The status became a subresource nobody needed before',
    severity: 'warning',
    explanation:
      'The requirement describes no status, so nothing of it is dropped, but the generation counts differently.',
    example: 'spec.versions[0].subresources.status: absent → {}, no status in the schema',
  },
  'scale-subresource-removed': {
    title: 'The scale subresource was removed',
    severity: 'error',
    explanation: 'Autoscalers and `kubectl scale` get 404.',
    example: 'spec.versions[0].subresources.scale: {…} → absent',
  },
  'scale-path-changed': {
    title: 'The scale subresource shows another field',
    severity: 'error',
    explanation: 'Scaling writes or reads a different field than the requirement declares.',
    example: 'specReplicasPath: .spec.replicas → .spec.count',
  },
  'scale-limits-field': {
    title: 'A new scale subresource limits a field',
    severity: 'warning',
    explanation:
      'Objects whose field is no number of replicas from 0 to 2147483647, or no selector as a text, are refused from then on. A scale is an addition all the same, and nobody means such numbers.',
    example: 'subresources.scale.specReplicasPath: .spec.replicas, where spec.replicas may be -1',
  },
  'selectable-field-removed': {
    title: 'A selectable field was removed',
    severity: 'error',
    explanation: 'Lists and watches with a field selector on it are refused.',
    example: 'selectableFields: [{jsonPath: .spec.color}] → []',
  },
  'unknown-fields-kept-everywhere': {
    title: 'The whole CRD keeps unknown fields',
    severity: 'warning',
    explanation: 'spec.preserveUnknownFields turns pruning off: fields nobody described stay in objects.',
    example: 'spec.preserveUnknownFields: false → true',
  },
  'contract-label-removed': {
    title: 'A contract label was removed',
    severity: 'warning',
    explanation:
      'Cluster API finds the version of a provider to talk to by the labels of the CRD; without the label it finds none.',
    example: 'metadata.labels: {cluster.x-k8s.io/v1beta1: v1beta1} → {}',
  },
  'not-established': {
    title: 'The CRD is not served yet',
    severity: 'warning',
    explanation: 'The server has not begun to serve it; requests get 404 until it does.',
    example: 'condition Established: False',
  },
  'names-not-accepted': {
    title: 'The names are taken by another CRD',
    severity: 'error',
    explanation: 'The server does not serve a CRD whose names collide with those of another.',
    example: 'condition NamesAccepted: False',
  },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly title: string;
      readonly severity: 'error' | 'warning';
      readonly explanation: string;
      readonly example: string;
    }
  >
>;
