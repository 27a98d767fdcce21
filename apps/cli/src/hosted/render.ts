import { writeWholeFile } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { printJson, printYaml } from '@capstan/translate/mirror';
import { unusable } from '../files.js';
import type { Io } from '../io.js';

/** How objects are printed instead of being made. */
export interface RenderOptions {
  readonly render?: boolean | undefined;
  readonly renderInto?: string | undefined;
  readonly renderSensitive?: boolean | undefined;
  readonly output?: 'json' | 'name' | 'yaml' | undefined;
}

/** Whether nothing is to be made. */
export function isRendered({ render, renderInto }: RenderOptions): boolean {
  return render === true || renderInto !== undefined;
}

/** Prints objects, Secrets only when they are asked for. */
export async function renderObjects(objects: readonly KubeObject[], options: RenderOptions, io: Io): Promise<void> {
  const shown = options.renderSensitive === true ? objects : objects.filter(({ kind }) => kind !== 'Secret');
  const text = printed(shown, options.output);
  if (options.renderInto === undefined) return io.out(text);
  try {
    writeWholeFile(options.renderInto, text);
  } catch (error) {
    throw unusable('the file to render into', options.renderInto, error, 'name another with --render-into');
  }
}

function printed(objects: readonly KubeObject[], output: RenderOptions['output']): string {
  if (output === 'json') return printJson(objects);
  return output === 'name' ? objects.map((object) => `${nameOf(object)}\n`).join('') : printYaml(objects);
}

/** `hostedcluster.hypershift.openshift.io/example` */
export function nameOf({ apiVersion, kind, metadata }: KubeObject): string {
  const [group = '', version] = apiVersion.split('/');
  return `${kind.toLowerCase()}${version === undefined ? '' : `.${group}`}/${metadata.name ?? ''}`;
}
