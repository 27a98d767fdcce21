import { expect } from 'vitest';
import { CONFIG_MAPS, DEPLOYMENTS, configMap, deployment } from '../objects.js';
import type { Scenario } from '../scenario.js';
import type { Session } from '../session.js';
import { block } from '../text.js';

const SSA = 'apply --server-side';
const APPLIED = 'configmap/one serverside-applied\n';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** What kubectl adds to the server's words about conflicts. */
const ADVICE = block`
  Please review the fields above--they currently have other managers. Here
  are the ways you can resolve this warning:
  * If you intend to manage all of these fields, please re-run the apply
    command with the \`--force-conflicts\` flag.
  * If you do not intend to manage all of the fields, please edit your
    manifest to remove references to the fields that should keep their
    current managers.
  * You may co-own fields by updating your manifest to match the existing
    value; in this case, you'll become the manager if the other manager(s)
    stop managing the field (remove it from their configuration).
  See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts
`.replaceAll('\\`', '`');

/** A file with the config map `one`. */
function one(k: Session, data: Record<string, string>): string {
  return k.file('one.json', [configMap('one', data)]);
}

/** `manager/operation/subresource` of every manager, in order of their names. */
async function managers(k: Session, subject: string): Promise<string[]> {
  const template = 'jsonpath={range .metadata.managedFields[*]}{.manager}/{.operation}/{.subresource}{"\\n"}{end}';
  const text = await k.output(['get', ...subject.split(' '), '--show-managed-fields', '-o', template]);
  return text.trim().split('\n').toSorted();
}

function version(k: Session, subject: string): Promise<string> {
  return k.output(['get', ...subject.split(' '), '-o', 'jsonpath={.metadata.resourceVersion}']);
}

/** Applying on the server's side, and who owns what then. */
export const applyingScenarios: readonly Scenario[] = [
  {
    name: 'apply --server-side makes an object once and leaves it alone afterwards',
    smoke: true,
    run: async (k) => {
      const file = one(k, { a: '1' });
      await k.prints(`${SSA} -f ${file}`, APPLIED);
      const before = await version(k, 'cm one');
      await k.prints(`${SSA} -f ${file}`, APPLIED);
      expect(await version(k, 'cm one')).toBe(before);
      expect(await managers(k, 'cm one')).toEqual(['kubectl/Apply/']);
    },
  },
  {
    name: 'apply --server-side lists every conflict and yields to --force-conflicts',
    run: async (k) => {
      await k.prints(`${SSA} --field-manager=first -f ${one(k, { a: '1', b: '1' })}`, APPLIED);
      const conflicts = 'Apply failed with 2 conflicts: conflicts with "first":\n- .data.a\n- .data.b\n';
      await k.fails(`${SSA} -f ${one(k, { a: '2', b: '2' })}`, `error: ${conflicts}${ADVICE}`);
      await k.prints(`${SSA} --force-conflicts -f one.json`, APPLIED);
      expect(await managers(k, 'cm one')).toEqual(['kubectl/Apply/']);
    },
  },
  {
    name: 'apply --server-side names the version of those who updated',
    run: async (k) => {
      await k.create(DEPLOYMENTS, deployment());
      const scale = ['patch', 'deploy', 'web', '--subresource=scale', '--type=merge', '--field-manager=scaler'];
      await k.prints([...scale, '-p', '{"spec":{"replicas":4}}'], 'scale.autoscaling/web patched\n');
      const file = k.file('web.json', [deployment()]);
      const outcome = await k.run(`${SSA} -f ${file}`);
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expect(outcome.stderr).toBe(
        'error: Apply failed with 1 conflict: conflict with "scaler" with subresource "scale" using apps/v1: .spec.replicas\n' +
          ADVICE,
      );
      await k.prints(`${SSA} --force-conflicts -f ${file}`, 'deployment.apps/web serverside-applied\n');
      await k.prints(['get', 'deploy', 'web', '-o', 'jsonpath={.spec.replicas}'], '2');
    },
  },
  {
    name: 'two field managers share an object, and what one drops goes',
    run: async (k) => {
      await k.prints(`${SSA} --field-manager=first -f ${one(k, { a: '1', b: '1' })}`, APPLIED);
      await k.prints(`${SSA} --field-manager=second -f ${one(k, { b: '1', c: '1' })}`, APPLIED);
      await k.prints(`${SSA} --field-manager=first -f ${one(k, { b: '1' })}`, APPLIED);
      expect(JSON.parse(await k.output(['get', 'cm', 'one', '-o', 'jsonpath={.data}']))).toEqual({ b: '1', c: '1' });
      expect(await managers(k, 'cm one')).toEqual(['first/Apply/', 'second/Apply/']);
    },
  },
  {
    name: 'what was applied by the client is taken over by the server, and back',
    run: async (k) => {
      await k.prints(`apply -f ${one(k, { a: '1', b: '1' })}`, 'configmap/one created\n');
      expect(await managers(k, 'cm one')).toEqual(['kubectl-client-side-apply/Update/']);
      await k.prints(`${SSA} -f ${one(k, { a: '2' })}`, APPLIED);
      expect(await managers(k, 'cm one')).toEqual(['kubectl-last-applied/Apply/', 'kubectl/Apply/']);
      const template = `jsonpath={.metadata.annotations.${LAST_APPLIED.replaceAll('.', '\\.')}}`;
      expect(JSON.parse(await k.output(['get', 'cm', 'one', '-o', template]))).toMatchObject({ data: { a: '2' } });
      expect(JSON.parse(await k.output(['get', 'cm', 'one', '-o', 'jsonpath={.data}']))).toEqual({ a: '2' });
      await k.prints(`apply -f ${one(k, { a: '3' })}`, 'configmap/one configured\n');
      expect(await managers(k, 'cm one')).toEqual(['kubectl-client-side-apply/Update/']);
    },
  },
  {
    name: 'managed fields are shown on demand alone',
    run: async (k) => {
      await k.prints(`${SSA} -f ${one(k, { a: '1' })}`, APPLIED);
      await k.prints(
        'get cm one -o yaml',
        block`
          apiVersion: v1
          data:
            a: "1"
          kind: ConfigMap
          metadata:
            creationTimestamp: "<time>"
            name: one
            namespace: <ns>
            resourceVersion: <rv>
            uid: <uid>
        `,
      );
      await k.prints(
        'get cm one -o yaml --show-managed-fields',
        block`
          apiVersion: v1
          data:
            a: "1"
          kind: ConfigMap
          metadata:
            creationTimestamp: "<time>"
            managedFields:
            - apiVersion: v1
              fieldsType: FieldsV1
              fieldsV1:
                f:data:
                  f:a: {}
              manager: kubectl
              operation: Apply
              time: "<time>"
            name: one
            namespace: <ns>
            resourceVersion: <rv>
            uid: <uid>
        `,
      );
    },
  },
  {
    name: 'diff --server-side shows what an apply would do, and does nothing',
    run: async (k) => {
      const diff = async (command: string): Promise<{ code: number | null; changes: string[] }> => {
        const { code, stdout } = await k.run(command);
        return { code, changes: stdout.split('\n').filter((line) => /^[-+] /.test(line)) };
      };
      await k.prints(`${SSA} -f ${one(k, { a: '1' })}`, APPLIED);
      await k.prints('diff --server-side -f one.json', '');
      const changed = { code: 1, changes: ['-  a: "1"', '+  a: "2"'] };
      expect(await diff(`diff --server-side -f ${one(k, { a: '2' })}`)).toEqual(changed);
      expect(await diff('diff --server-side --force-conflicts --field-manager=third -f one.json')).toEqual(changed);
      expect(JSON.parse(await k.output(['get', 'cm', 'one', '-o', 'jsonpath={.data}']))).toEqual({ a: '1' });
    },
  },
  {
    name: 'apply --server-side --dry-run=server stores nothing',
    run: async (k) => {
      await k.prints(
        `${SSA} --dry-run=server -f ${one(k, { a: '1' })}`,
        'configmap/one serverside-applied (server dry run)\n',
      );
      await k.fails('get cm one', 'Error from server (NotFound): configmaps "one" not found\n');
      await k.create(CONFIG_MAPS, configMap('one', { a: '1' }));
      const before = await version(k, 'cm one');
      await k.prints(`${SSA} --dry-run=server -f one.json`, 'configmap/one serverside-applied (server dry run)\n');
      expect(await version(k, 'cm one')).toBe(before);
    },
  },
  {
    name: 'every command leaves its name with the fields it writes',
    run: async (k) => {
      await k.prints('create cm one --from-literal=a=1', 'configmap/one created\n');
      await k.prints('label cm one l=1', 'configmap/one labeled\n');
      await k.prints('annotate cm one n=1', 'configmap/one annotated\n');
      await k.prints(['patch', 'cm', 'one', '-p', '{"data":{"b":"2"}}'], 'configmap/one patched\n');
      expect(await managers(k, 'cm one')).toEqual([
        'kubectl-annotate/Update/',
        'kubectl-create/Update/',
        'kubectl-label/Update/',
        'kubectl-patch/Update/',
      ]);
    },
  },
];
