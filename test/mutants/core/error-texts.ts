/*
 * A plugin of Stryker: the text of an error of the language is read by people, no code and no caller depends on it, so
 * it gets no faults. Codes of refusals are no such text: they are mutated.
 */
const languageErrors = ['Error', 'RangeError', 'TypeError', 'SyntaxError'];

/** What this needs of Babel's path to a node. */
interface NodePath {
  readonly parent: { readonly type: string; readonly callee?: { readonly name?: string } } | null;
  isStringLiteral(): boolean;
  isTemplateLiteral(): boolean;
}

const ignorer = {
  shouldIgnore(path: NodePath): string | undefined {
    if (!path.isStringLiteral() && !path.isTemplateLiteral()) return undefined;
    const isText = path.parent?.type === 'NewExpression' && languageErrors.includes(path.parent.callee?.name ?? '');
    return isText ? 'the text of an error' : undefined;
  },
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'error-texts', value: ignorer }];
