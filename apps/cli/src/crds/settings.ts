import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CLUSTER_API_RULES, GroupMapping, TranslationError } from '@capstan/translate';
import type { MirrorOptions, ShimService } from '@capstan/translate/mirror';
import { UsageError } from '../errors.js';
import { unusable } from '../files.js';

/** How the private CRDs are created, as it was typed. */
export interface MirrorSettings {
  readonly shimService: string;
  readonly caBundle?: string | undefined;
  readonly groupPair?: readonly string[] | undefined;
}

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Reads the options for private CRDs. */
export async function readSettings({ caBundle, groupPair = [], shimService }: MirrorSettings): Promise<MirrorOptions> {
  return {
    mapping: readGroupPairs(groupPair),
    shim: readService(shimService),
    ...(caBundle === undefined ? {} : { caBundle: await readBundle(caBundle) }),
  };
}

/** The groups of Cluster API and the pairs that were named. */
export function readGroupPairs(pairs: readonly string[]): GroupMapping {
  const rules = pairs.map((pair) => {
    const [standard = '', hidden = '', ...more] = pair.split('=');
    if (standard === '' || hidden === '' || more.length > 0)
      throw new UsageError(
        `--group-pair ${pair} does not name two groups`,
        'write it as nodes.example.com=nodes.private.example.com',
      );
    return { standard, private: hidden, suffix: false };
  });
  try {
    return new GroupMapping({ rules: [...CLUSTER_API_RULES.rules, ...rules] });
  } catch (error) {
    if (!(error instanceof TranslationError)) throw error;
    throw new UsageError(`--group-pair cannot be used: ${error.message}`, 'name groups that no other pair renames', {
      cause: error,
    });
  }
}

function readService(text: string): ShimService {
  const [namespace = '', name = '', ...more] = text.split('/');
  if (!NAME.test(namespace) || !NAME.test(name) || more.length > 0)
    throw new UsageError(`--shim-service ${text} is no namespace and name`, 'write it as hypershift/my-service');
  return { namespace, name };
}

async function readBundle(path: string): Promise<string> {
  const hint = 'name a PEM file of certificates with --ca-bundle';
  let pem: string;
  try {
    pem = await readFile(path, 'utf8');
  } catch (error) {
    throw unusable('CA bundle', path, error, hint);
  }
  try {
    void new X509Certificate(pem);
  } catch (error) {
    throw new UsageError(`${path} holds no certificate`, hint, { cause: error });
  }
  return Buffer.from(pem).toString('base64');
}
