/** A command that documents for those on call name, and what it must show. */
export interface Procedure {
  readonly line: string;
  /** Standard output. */
  readonly shows: RegExp;
}

export const NAME = 'brig';
export const HOME = 'clusters';
export const NAMESPACE = `${HOME}-${NAME}`;
/** Its Cluster is called after its infrastructure. */
const INFRA = `${NAME}-aws`;
const PRIVATE = 'cluster.hypershift.openshift.io';
const OWN = 'hypershift.openshift.io';
const NOT = (text: string): string => `select(.metadata.annotations["${OWN}/${text}"]`;

/** How the proxy is verified. */
const PROXY: readonly Procedure[] = [
  {
    line: `kubectl get pods -n hypershift -l app=operator -o jsonpath='{.items[*].status.containerStatuses[?(@.name=="kube-apiserver-proxy")].ready}'`,
    shows: /^true$/,
  },
  { line: 'kubectl logs -n hypershift deployment/operator -c kube-apiserver-proxy', shows: /127\.0\.0\.1:\d+/ },
  { line: `kubectl get machines.${PRIVATE} -n ${NAMESPACE}`, shows: /^NAME[^]*brig-workers/ },
];

/** What is done about a migration that failed. */
const MIGRATION: readonly Procedure[] = [
  // Every cluster is migrated.
  {
    line: `kubectl get hostedclusters -A -o json | jq -r '.items[] | ${NOT('private-capi-types')} != "true") | .metadata.name'`,
    shows: /^$/,
  },
  {
    line: `kubectl get hostedclusters -A -o json | jq -r '.items[] | ${NOT('migration-failed')} != null)'`,
    shows: /^$/,
  },
  {
    line: 'kubectl logs -n hypershift deployment/operator | grep MigrationController',
    shows: /Migration completed successfully/,
  },
  {
    line: `kubectl get clusters,machines,machinesets -n ${NAMESPACE} --show-labels`,
    shows:
      /cluster\.cluster\.hypershift\.openshift\.io\/brig[^]*machine\.cluster\.hypershift[^]*machineset\.cluster\.hypershift/,
  },
  { line: `kubectl get clusters.cluster.x-k8s.io -n ${NAMESPACE} 2>&1`, shows: /^No resources found/ },
  { line: `kubectl get clusters.${PRIVATE} -n ${NAMESPACE}`, shows: /^NAME[^]*\nbrig-aws / },
];

/** Cluster API objects of a group, as they may be created again. */
const WITHOUT_SERVER_FIELDS =
  'del(.metadata.uid, .metadata.resourceVersion, .metadata.managedFields, .metadata.ownerReferences, .metadata.finalizers, .status)';
const MODIFIED = `cd "$(mktemp -d)" && kubectl get clusters.${PRIVATE} ${INFRA} -n ${NAMESPACE} -o json | jq '${WITHOUT_SERVER_FIELDS}' | sed 's/cluster.hypershift.openshift.io/cluster.x-k8s.io/' > modified.yaml`;
const LABEL = `${OWN}/private-capi-types`;

/** How an object is created again in a standard group, under the lock: while its namespace is marked it is refused. */
const RECREATE: readonly Procedure[] = [
  {
    line: `${MODIFIED} && kubectl apply -f modified.yaml 2>&1 || true`,
    shows: /the hosted cluster of namespace clusters-brig keeps its Cluster API objects in the private groups/,
  },
  { line: `kubectl label namespace ${NAMESPACE} ${LABEL}-`, shows: /unlabeled|labeled/ },
  {
    line: `${MODIFIED} && kubectl apply -f modified.yaml`,
    shows: /cluster\.x-k8s\.io\/brig-aws (?:created|configured|unchanged)/,
  },
  {
    line: `kubectl patch cluster.cluster.x-k8s.io ${INFRA} -n ${NAMESPACE} --type=merge -p '{"spec":{"paused":false}}'`,
    shows: /patched/,
  },
  { line: `kubectl annotate hostedcluster ${NAME} ${OWN}/private-capi-types- -n ${HOME}`, shows: /annotated/ },
  { line: `kubectl annotate hostedcluster ${NAME} ${OWN}/scope="legacy" -n ${HOME}`, shows: /annotat/ },
  // And all of that back.
  { line: `kubectl annotate hostedcluster ${NAME} ${OWN}/scope- -n ${HOME}`, shows: /annotat/ },
  { line: `kubectl annotate hostedcluster ${NAME} ${OWN}/private-capi-types="true" -n ${HOME}`, shows: /annotat/ },
  { line: `kubectl delete clusters.cluster.x-k8s.io ${INFRA} -n ${NAMESPACE} --ignore-not-found`, shows: /deleted|^$/ },
  { line: `kubectl label namespace ${NAMESPACE} ${LABEL}=true --overwrite`, shows: /labeled/ },
];

/** Of a migration that left copies behind; here of one in a namespace that no operator knows. */
const PARTIAL: readonly Procedure[] = [
  {
    line: `kubectl create namespace partial 2>/dev/null; ${MODIFIED} && sed -i 's/"cluster.x-k8s.io/"${PRIVATE}/; s/"namespace": ".*"/"namespace": "partial"/' modified.yaml && kubectl apply -f modified.yaml`,
    shows: /cluster\.hypershift\.openshift\.io\/brig-aws (?:created|configured|unchanged)/,
  },
  { line: `kubectl delete clusters.${PRIVATE} ${INFRA} -n partial --ignore-not-found`, shows: /deleted|^$/ },
];

/** What is checked, and the first steps, before a cluster is brought back by hand. */
const ROLLBACK: readonly Procedure[] = [
  // Every cluster is migrated: installing again deploys it.
  { line: 'kubectl get deployment -n hypershift operator-legacy 2>&1 || true', shows: /operator-legacy.*not found/ },
  { line: `kubectl get hostedcluster ${NAME} -o jsonpath='{.status.conditions}' -n ${HOME}`, shows: /"Available"/ },
  {
    line: `kubectl get clusters.${PRIVATE},machines.${PRIVATE} -n ${NAMESPACE}`,
    shows: /cluster\.cluster\.hypershift\.openshift\.io\/brig[^]*machine\.cluster\.hypershift/,
  },
  {
    line: `kubectl annotate hostedcluster ${NAME} ${OWN}/migration-in-progress="true" -n ${HOME}`,
    shows: /annotated/,
  },
  {
    line: `kubectl patch cluster.${PRIVATE} ${INFRA} -n ${NAMESPACE} --type=merge -p '{"spec":{"paused":true}}'`,
    shows: /patched/,
  },
  { line: `kubectl get cluster.${PRIVATE} ${INFRA} -n ${NAMESPACE} -o jsonpath='{.spec.paused}'`, shows: /^true$/ },
  {
    line: `kubectl get pods -n ${NAMESPACE} -l '${OWN}/control-plane-component in (cluster-api,capi-provider,cluster-autoscaler,machine-approver,control-plane-operator)'`,
    shows: /capi-provider-[^]*cluster-api-[^]*control-plane-operator-[^]*machine-approver-/,
  },
  { line: `kubectl get cluster.${PRIVATE} ${INFRA} -n ${NAMESPACE} -o yaml`, shows: /paused: true/ },
  ...RECREATE,
  {
    line: `kubectl patch cluster.${PRIVATE} ${INFRA} -n ${NAMESPACE} --type=merge -p '{"spec":{"paused":false}}'`,
    shows: /patched/,
  },
  { line: `kubectl annotate hostedcluster ${NAME} ${OWN}/migration-failed- -n ${HOME}`, shows: /annotat/ },
  { line: `kubectl annotate hostedcluster ${NAME} ${OWN}/migration-in-progress- -n ${HOME}`, shows: /annotated/ },
];

/** What is done about the shim and about a proxy that failed. */
const REMEDIATION: readonly Procedure[] = [
  { line: 'kubectl get svc capi-conversion-webhook-shim -n hypershift', shows: /443\/TCP/ },
  { line: 'kubectl get endpoints capi-conversion-webhook-shim -n hypershift', shows: /\d+\.\d+\.\d+\.\d+:9443/ },
  {
    line: `kubectl get crd clusters.${PRIVATE} -o yaml | grep -A 10 conversion`,
    shows: /strategy: Webhook[^]*capi-conversion-webhook-shim/,
  },
  { line: 'kubectl get secret -n hypershift | grep conversion', shows: /kubernetes\.io\/tls/ },
  // The shim is a Deployment of its own here: its lines are not in the logs of the operator.
  {
    line: 'kubectl logs -n hypershift -l app.kubernetes.io/name=capi-conversion-webhook-shim | head -1',
    shows: /\S/,
  },
  {
    line: `kubectl logs $(kubectl get pods -n ${NAMESPACE} -l app=cluster-api -o name) -c kube-apiserver-proxy -n ${NAMESPACE}`,
    shows: /127\.0\.0\.1:\d+/,
  },
  {
    line: `kubectl describe $(kubectl get pods -n ${NAMESPACE} -l app=cluster-api -o name) -n ${NAMESPACE}`,
    shows: /kube-apiserver-proxy:[^]*Ready: +True/,
  },
  {
    line: `kubectl delete $(kubectl get pods -n ${NAMESPACE} -l app=cluster-api -o name) -n ${NAMESPACE}`,
    shows: /deleted/,
  },
];

/** In this order. */
export const PROCEDURES: readonly Procedure[] = [...PROXY, ...MIGRATION, ...REMEDIATION, ...PARTIAL, ...ROLLBACK];
