/** What expressions may use: variables, functions, type names. */
import { mergeFunctions } from './declarations.js';
import type { Declarations, FunctionDeclaration, Functions } from './declarations.js';
import { authorizationFunctions } from './authorization.js';
import { cidrFunctions } from './cidr.js';
import { formatFunctions } from './formats.js';
import { ipFunctions } from './ip.js';
import { cidrType, ipType } from './kinds.js';
import { listFunctions, kubernetesListFunctions } from './lists.js';
import { optionalFunctions } from './optionals.js';
import { quantityFunctions } from './quantities.js';
import { regexFunctions } from './regexes.js';
import { semverFunctions } from './semvers.js';
import { setFunctions } from './sets.js';
import { standardFunctions } from './standard.js';
import { stringFunctions } from './strings.js';
import { urlFunctions } from './urls.js';
import type { SyntaxOptions } from '../syntax/syntax.js';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  paramType,
  stringType,
  timestampType,
  typeOfType,
  typeType,
  uintType,
} from '../types/types.js';
import type { CelType } from '../types/types.js';

/** What to add to an environment. */
export interface CelEnvExtension {
  readonly variables?: Readonly<Record<string, CelType>>;
  readonly functions?: readonly FunctionDeclaration[];
  readonly syntax?: SyntaxOptions;
  /** Object types an expression may construct, by name. */
  readonly structs?: (name: string) => CelType | undefined;
}

const a = paramType('A');
const namedTypes: readonly CelType[] = [
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  nullType,
  stringType,
  timestampType,
  typeType,
  uintType,
  listType(a),
  mapType(a, paramType('B')),
  optionalType(dynType),
  ipType,
  cidrType,
];
const typeNames: ReadonlyMap<string, CelType> = new Map(namedTypes.map((type) => [type.name, typeOfType(type)]));

/** An environment; extending makes a new one. */
export class CelEnv implements Declarations {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly functions: Functions;
  readonly typeNames = typeNames;
  readonly syntax: SyntaxOptions;
  readonly structs: ((name: string) => CelType | undefined) | undefined;

  constructor(
    variables: ReadonlyMap<string, CelType>,
    functions: Functions,
    syntax: SyntaxOptions = {},
    structs?: (name: string) => CelType | undefined,
  ) {
    this.variables = variables;
    this.functions = functions;
    this.syntax = syntax;
    this.structs = structs;
  }

  /** The environment with more in it; variables of the same name are replaced. */
  extend(extension: CelEnvExtension): CelEnv {
    const { variables = {}, functions, syntax, structs } = extension;
    return new CelEnv(
      new Map([...this.variables, ...Object.entries(variables)]),
      functions === undefined ? this.functions : mergeFunctions([...this.functions.values()], functions),
      { ...this.syntax, ...syntax },
      structs ?? this.structs,
    );
  }
}

/** The functions the API server offers to every expression. */
export const kubernetesEnv: CelEnv = new CelEnv(
  new Map(),
  mergeFunctions(
    standardFunctions,
    urlFunctions,
    regexFunctions,
    kubernetesListFunctions,
    authorizationFunctions,
    optionalFunctions,
    quantityFunctions,
    stringFunctions,
    setFunctions,
    ipFunctions,
    cidrFunctions,
    formatFunctions,
    semverFunctions,
    listFunctions,
  ),
);
