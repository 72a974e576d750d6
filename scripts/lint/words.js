import { avoidedWords } from './word-list.ts';

const matcher = (place) =>
  avoidedWords
    .filter((word) => word.in === undefined || word.in === place)
    .map(({ pattern, instead }) => ({ expression: new RegExp(`\\b(?:${pattern})\\b`, 'i'), instead }));
const inNames = matcher('names');
const inComments = matcher('comments');

/** `takeShardLease` and `take-shard-lease.ts` are both "take shard lease". */
const wordsOf = (name) => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[^A-Za-z]+/g, ' ');

/**
 * Names and comments use the words of docs/glossary.md. Members of other packages and of messages on the wire are not
 * ours to name, so only declarations are looked at.
 * @type {import('eslint').Rule.RuleModule}
 */
export const words = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { word: '"{{ found }}" is not a word of this code base (docs/glossary.md): {{ instead }}.' },
  },
  create({ report, filename, sourceCode }) {
    const look = (text, matchers, place) => {
      for (const { expression, instead } of matchers) {
        const [found] = expression.exec(text) ?? [];
        if (found !== undefined) report({ ...place, messageId: 'word', data: { found, instead } });
      }
    };
    const declared = (id) => {
      if (id?.type === 'Identifier') look(wordsOf(id.name), inNames, { node: id });
    };
    return {
      Program(node) {
        look(wordsOf(filename.split('/').at(-1)), inNames, { loc: { line: 1, column: 0 }, node });
        for (const comment of sourceCode.getAllComments()) {
          // Code in back-quotes is quoted as it is: a value on the wire keeps its name.
          look(comment.value.replace(/`[^`]*`/g, ''), inComments, { loc: comment.loc });
        }
      },
      'VariableDeclarator, FunctionDeclaration, ClassDeclaration, TSInterfaceDeclaration, TSTypeAliasDeclaration': (
        node,
      ) => declared(node.id),
      'FunctionDeclaration, FunctionExpression, ArrowFunctionExpression': (node) => node.params.forEach(declared),
      'MethodDefinition, TSMethodSignature': (node) => declared(node.key),
    };
  },
};
