import ts from 'typescript';

import type { CodeFact, ImportEdge, Module } from './model.js';

/** Members of globals that read time, chance or the machine. */
const ambientMembers: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['Date', new Set(['now'])],
  ['Math', new Set(['random'])],
  ['performance', new Set(['now', 'timeOrigin'])],
  ['crypto', new Set(['randomUUID', 'getRandomValues'])],
  ['process', new Set(['nextTick', 'env', 'argv', 'hrtime', 'exit', 'cwd', 'stdout', 'stderr', 'uptime'])],
]);

/** Globals that are ambient when called. */
const ambientCalls = new Set(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'fetch']);

/** Locale decides their answer, whatever they are called on. */
const localeMembers = new Set(['localeCompare', 'toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']);

/** Modules of the ambient environment; for `node:crypto` the imported names decide. */
const ambientModules =
  /^(?:node:)?(?:fs|fs\/promises|child_process|os|http|https|http2|net|tls|dns|dgram|timers|timers\/promises|process|perf_hooks|worker_threads|cluster|readline)$/;

const ambientCryptoNames = new Set(['randomUUID', 'randomBytes', 'randomInt', 'randomFillSync', 'getRandomValues']);

/** Names that a rule allows in some files alone, however they are imported. */
const watchedNames = new Set(['loadConnection']);

/** Calls that write to a server: methods of clients, and functions of `libs/kube` that take one. */
const clientWrites = new Set(['create', 'update', 'patch', 'delete', 'deleteCollection']);
const kubeWrites = new Set(['apply', 'patchFrom', 'setScale', 'updateStatus']);
const clientName = /^(?:admin|client|guest)$|Client$/;

/** Parses one file into what the rules look at. */
export function parseModule(path: string, text: string): Module {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, false, ts.ScriptKind.TS);
  const imports: ImportEdge[] = [];
  const facts: CodeFact[] = [];
  const kubeNames = new Set<string>();
  const lineOf = (node: ts.Node): number => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  const fact = (kind: string, node: ts.Node): void => {
    facts.push({ kind, line: lineOf(node) });
  };
  const visit = (node: ts.Node): void => {
    const edge = importOf(node);
    if (edge !== undefined) imports.push({ ...edge, line: lineOf(node) });
    if (ts.isExportDeclaration(node) && node.exportClause === undefined) fact('export-all', node);
    const ambient = ambientOf(node);
    if (ambient !== undefined) fact(`ambient:${ambient}`, node);
    if (isBareError(node)) fact('bare-error', node);
    if (ts.isIdentifier(node) && watchedNames.has(node.text)) fact(`uses:${node.text}`, node);
    for (const name of yamlNamesOf(node)) fact(`yaml:${name}`, node);
    if (isSpreadIntoCall(node)) fact('spread-call', node);
    if (isRawWrite(node, kubeNames)) fact('raw-write', node);
    for (const name of kubeNamesOf(node)) kubeNames.add(name);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { path, imports, facts, lines: countLines(text) };
}

function countLines(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function importOf(node: ts.Node): Omit<ImportEdge, 'line'> | undefined {
  if (ts.isImportDeclaration(node)) {
    // `import { type X }` keeps the import at run time under verbatimModuleSyntax; only `import type` is erased.
    return edgeTo(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
  }
  if (ts.isExportDeclaration(node)) return edgeTo(node.moduleSpecifier, node.isTypeOnly);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return edgeTo(node.argument.literal, true);
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    // A dynamic import is a way to break a cycle: it runs after both modules are there.
    return edgeTo(node.arguments[0], true);
  }
  return undefined;
}

/** What a module takes from the YAML library; `import` when it is loaded later, and anything may be taken from it. */
function yamlNamesOf(node: ts.Node): string[] {
  const edge = importOf(node);
  if (edge?.specifier !== 'yaml') return [];
  if (!ts.isImportDeclaration(node)) return ts.isCallExpression(node) ? ['import'] : [];
  const bindings = node.importClause?.namedBindings;
  if (edge.typeOnly || bindings === undefined) return [];
  return ts.isNamedImports(bindings)
    ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
    : ['import'];
}

/** Writing functions that a file imports from the package of the client. */
function kubeNamesOf(node: ts.Node): string[] {
  if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return [];
  const bindings = node.importClause?.namedBindings;
  if (node.moduleSpecifier.text !== '@capstan/kube' || bindings === undefined || !ts.isNamedImports(bindings))
    return [];
  return bindings.elements
    .filter(({ name, propertyName }) => kubeWrites.has((propertyName ?? name).text))
    .map(({ name }) => name.text);
}

/** `client.patch(…)` or `patchFrom(client, …)`: a write that no converge library has decided, locked or recorded. */
function isRawWrite(node: ts.Node, kubeNames: ReadonlySet<string>): boolean {
  if (!ts.isCallExpression(node)) return false;
  const { expression: called } = node;
  if (ts.isIdentifier(called)) return kubeNames.has(called.text);
  if (!ts.isPropertyAccessExpression(called) || !clientWrites.has(called.name.text)) return false;
  const owner = ts.isPropertyAccessExpression(called.expression) ? called.expression.name : called.expression;
  return ts.isMemberName(owner) && clientName.test(owner.text.replace('#', ''));
}

/** Calls that take as many arguments as there are, and are given lists for them. */
const variadicCalls = /^(?:push|unshift|splice|max|min|hypot|fromCharCode|fromCodePoint|assign)$/;

/** `list.push(...others)`: every element is an argument on the stack, and 120,000 of them are a RangeError. */
function isSpreadIntoCall(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  if (!variadicCalls.test(node.expression.name.text)) return false;
  return node.arguments.some((each) => ts.isSpreadElement(each) && !isShortList(each.expression));
}

/** A list whose length stands in the code: written out, or mapped from one that is. */
function isShortList(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isShortList(node.expression);
  if (ts.isConditionalExpression(node)) return isShortList(node.whenTrue) && isShortList(node.whenFalse);
  if (ts.isArrayLiteralExpression(node))
    return node.elements.every((each) => !ts.isSpreadElement(each) || isShortList(each.expression));
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  return node.expression.name.text === 'map' && isShortList(node.expression.expression);
}

function edgeTo(specifier: ts.Node | undefined, typeOnly: boolean): Omit<ImportEdge, 'line'> | undefined {
  return specifier !== undefined && ts.isStringLiteralLike(specifier)
    ? { specifier: specifier.text, typeOnly }
    : undefined;
}

function ambientOf(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return ambientMember(node);
  if (ts.isNewExpression(node) && isNamed(node.expression, 'Date') && (node.arguments?.length ?? 0) === 0) {
    return 'new Date()';
  }
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && ambientCalls.has(node.expression.text)) {
    return node.expression.text;
  }
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) return ambientImport(node);
  return undefined;
}

function ambientMember(node: ts.PropertyAccessExpression): string | undefined {
  const member = node.name.text;
  if (localeMembers.has(member)) return member;
  if (!ts.isIdentifier(node.expression)) return undefined;
  const object = node.expression.text;
  if (object === 'Intl') return `Intl.${member}`;
  return ambientMembers.get(object)?.has(member) === true ? `${object}.${member}` : undefined;
}

function ambientImport(node: ts.ImportDeclaration): string | undefined {
  if (node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return undefined;
  const specifier = ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : '';
  if (ambientModules.test(specifier)) return specifier;
  if (!/^(?:node:)?crypto$/.test(specifier)) return undefined;
  const bindings = node.importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return specifier;
  return bindings.elements
    .map((each) => (each.propertyName ?? each.name).text)
    .find((name) => ambientCryptoNames.has(name));
}

function isBareError(node: ts.Node): boolean {
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) && isNamed(node.expression, 'Error');
}

function isNamed(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}
