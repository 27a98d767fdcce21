import { configMap } from '../objects.js';
import type { Scenario } from '../scenario.js';

const NAME_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const created = (file: string, object: object, stderr: string): Scenario['run'] => {
  return (k) => k.fails(`create -f ${k.file(file, [object])}`, stderr);
};

/** What goes wrong, in the words people search for. */
export const refusingScenarios: readonly Scenario[] = [
  {
    name: 'an object that is not there is not found by any verb',
    smoke: true,
    run: async (k) => {
      const missing = 'Error from server (NotFound): configmaps "absent" not found\n';
      for (const command of [
        'get cm absent',
        'delete cm absent',
        'patch cm absent -p {}',
        'describe cm absent',
        'edit cm absent',
      ]) {
        await k.fails(command, missing);
      }
      await k.fails('wait --for=condition=Ready pod/absent', 'Error from server (NotFound): pods "absent" not found\n');
    },
  },
  {
    name: 'a kind that is not served is not a resource type',
    smoke: true,
    run: (k) => k.fails('get nope', `error: the server doesn't have a resource type "nope"\n`),
  },
  {
    name: 'a manifest of a kind that is not served is refused with that reason',
    run: async (k) => {
      for (const apiVersion of ['v1', 'nope.io/v1']) {
        await k.fails(
          `create -f ${k.file('kind.json', [{ apiVersion, kind: 'Nope', metadata: { name: 'x' } }])}`,
          `error: resource mapping not found for name: "x" namespace: "" from "kind.json": no matches for kind "Nope" in version "${apiVersion}"\n` +
            'ensure CRDs are installed first\n',
        );
      }
    },
  },
  {
    name: 'a manifest without apiVersion is refused before it is sent',
    run: created(
      'bad.json',
      { kind: 'X' },
      'error: error validating "bad.json": error validating data: apiVersion not set; ' +
        'if you choose to ignore these errors, turn validation off with --validate=false\n',
    ),
  },
  {
    name: 'a value of the wrong type is refused',
    run: created(
      'typed.json',
      { ...configMap('x'), data: { a: 1 } },
      'Error from server (BadRequest): error when creating "typed.json": ConfigMap in version "v1" cannot be handled as a ConfigMap: ' +
        'json: cannot unmarshal number into Go struct field ConfigMap.data of type string\n',
    ),
  },
  {
    name: 'an impossible name is refused',
    smoke: true,
    run: created(
      'name.json',
      configMap('X_'),
      `The ConfigMap "X_" is invalid: metadata.name: Invalid value: "X_": ${NAME_RULE}\n`,
    ),
  },
  {
    name: 'a pod without containers is refused',
    run: created(
      'pod.json',
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: {} },
      'The Pod "x" is invalid: spec.containers: Required value\n',
    ),
  },
  {
    name: 'several faults are listed one by one',
    run: created(
      'faults.json',
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec: { type: 'Nope', ports: [{ port: 0 }] } },
      'The Service "x" is invalid:\n' +
        '* spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive\n' +
        '* spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive\n' +
        '* spec.type: Unsupported value: "Nope": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"\n',
    ),
  },
  {
    name: 'a namespace that is not there holds nothing and takes nothing',
    run: async (k) => {
      await k.fails(
        `create -n nowhere -f ${k.file('one.json', [configMap('one')])}`,
        'Error from server (NotFound): error when creating "one.json": namespaces "nowhere" not found\n',
      );
      await k.fails(
        `create -f ${k.file('other.json', [configMap('one', {}, { namespace: 'nowhere' })])}`,
        `error: the namespace from the provided object "nowhere" does not match the namespace "<ns>". You must pass '--namespace=nowhere' to perform this operation.\n`,
      );
    },
  },
  {
    name: 'selectors that cannot be read are refused',
    run: async (k) => {
      await k.fails(
        ['get', 'pods', '-l', 'a in'],
        'Error from server (BadRequest): Unable to find "/v1, Resource=pods" that match label selector "a in", field selector "": ' +
          "unable to parse requirement: found '' expected: '('\n",
      );
      await k.fails(
        'get pods --field-selector foo=bar',
        'Error from server (BadRequest): Unable to find "/v1, Resource=pods" that match label selector "", field selector "foo=bar": field label not supported: foo\n',
      );
    },
  },
  {
    name: 'an unknown token is refused',
    asOthers: true,
    run: (k) => k.fails(['--token=wrong', 'get', 'cm'], 'error: You must be logged in to the server (Unauthorized)\n'),
  },
];
