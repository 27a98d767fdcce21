/** The Go packages whose types are tabulated, and the module versions they are read from. */

/** One Go package to read. */
export interface GoPackage {
  readonly module: string;
  /** Directory inside the module; with the module it is the import path. */
  readonly directory: string;
  /** The files that declare wire types. */
  readonly files: readonly string[];
  /** Path of the table. */
  readonly path: string;
  /** Prefix of the OpenAPI definition names. */
  readonly model: string;
  readonly group?: string;
  /** Types that never travel. */
  readonly skip?: readonly string[];
}

const API = 'k8s.io/api';
const APIMACHINERY = 'k8s.io/apimachinery';
const APIEXTENSIONS = 'k8s.io/apiextensions-apiserver';
const AGGREGATOR = 'k8s.io/kube-aggregator';

/** Modules and the versions the tables are made from; they move together. */
export const goModules: readonly string[] = [API, APIMACHINERY, APIEXTENSIONS, AGGREGATOR].map(
  (module) => `${module}@v0.36.3`,
);

const API_PACKAGES: readonly (readonly [path: string, group: string])[] = [
  ['core/v1', ''],
  ['admission/v1', 'admission.k8s.io'],
  ['admissionregistration/v1', 'admissionregistration.k8s.io'],
  ['apps/v1', 'apps'],
  ['authentication/v1', 'authentication.k8s.io'],
  ['authorization/v1', 'authorization.k8s.io'],
  ['autoscaling/v1', 'autoscaling'],
  ['autoscaling/v2', 'autoscaling'],
  ['batch/v1', 'batch'],
  ['certificates/v1', 'certificates.k8s.io'],
  ['coordination/v1', 'coordination.k8s.io'],
  ['discovery/v1', 'discovery.k8s.io'],
  ['events/v1', 'events.k8s.io'],
  ['flowcontrol/v1', 'flowcontrol.apiserver.k8s.io'],
  ['networking/v1', 'networking.k8s.io'],
  ['node/v1', 'node.k8s.io'],
  ['policy/v1', 'policy'],
  ['rbac/v1', 'rbac.authorization.k8s.io'],
  ['resource/v1', 'resource.k8s.io'],
  ['scheduling/v1', 'scheduling.k8s.io'],
  ['storage/v1', 'storage.k8s.io'],
];

/** All packages, in the order of the generated index. */
export const goPackages: readonly GoPackage[] = [
  {
    module: APIMACHINERY,
    directory: 'pkg/apis/meta/v1',
    files: ['types.go', 'watch.go', 'group_version.go'],
    path: 'meta/v1',
    model: 'io.k8s.apimachinery.pkg.apis.meta.v1',
    group: 'meta.k8s.io',
    skip: ['InternalEvent', 'Patch'],
  },
  {
    module: APIMACHINERY,
    directory: 'pkg/types',
    files: ['nodename.go', 'uid.go'],
    path: 'types',
    model: 'io.k8s.apimachinery.pkg.types',
  },
  ...API_PACKAGES.map(([path, group]) => ({
    module: API,
    directory: path,
    files: ['types.go'],
    path,
    model: `io.k8s.api.${path.replace('/', '.')}`,
    group,
  })),
  {
    module: APIEXTENSIONS,
    directory: 'pkg/apis/apiextensions/v1',
    files: ['types.go', 'types_jsonschema.go'],
    path: 'apiextensions/v1',
    model: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
    group: 'apiextensions.k8s.io',
  },
  {
    module: AGGREGATOR,
    directory: 'pkg/apis/apiregistration/v1',
    files: ['types.go'],
    path: 'apiregistration/v1',
    model: 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1',
    group: 'apiregistration.k8s.io',
  },
];

/** Go types that the tables name by a bare word, because they decode themselves or are not of the API packages. */
export const specialTypes: ReadonlyMap<string, string> = new Map([
  [`${APIMACHINERY}/pkg/apis/meta/v1.Time`, 'Time'],
  [`${APIMACHINERY}/pkg/apis/meta/v1.MicroTime`, 'MicroTime'],
  [`${APIMACHINERY}/pkg/apis/meta/v1.FieldsV1`, 'FieldsV1'],
  [`${APIMACHINERY}/pkg/apis/meta/v1.Duration`, 'Duration'],
  [`${APIMACHINERY}/pkg/api/resource.Quantity`, 'Quantity'],
  [`${APIMACHINERY}/pkg/util/intstr.IntOrString`, 'IntOrString'],
  [`${APIMACHINERY}/pkg/runtime.RawExtension`, 'RawExtension'],
  [`${APIEXTENSIONS}/pkg/apis/apiextensions/v1.JSON`, 'JSON'],
  [`${APIEXTENSIONS}/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool`, 'JSONSchemaPropsOrBool'],
  [`${APIEXTENSIONS}/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray`, 'JSONSchemaPropsOrArray'],
  [`${APIEXTENSIONS}/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray`, 'JSONSchemaPropsOrStringArray'],
]);
