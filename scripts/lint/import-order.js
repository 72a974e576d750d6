const groups = [
  { holds: /^node:/, name: 'node:*' },
  { holds: /^(?!@gateway\/)[@a-z]/i, name: 'packages' },
  { holds: /^@gateway\//, name: '@gateway/*' },
  { holds: /^#/, name: '#src/*' },
  { holds: /^[.]/, name: 'relative files' },
];
const rankOf = ({ source }) => groups.findIndex(({ holds }) => holds.test(source.value));

/**
 * Imports stand in the order node → packages → @gateway/* → #src/* → relative. Within a group they stay as written.
 * @type {import('eslint').Rule.RuleModule}
 */
export const importOrder = {
  meta: {
    type: 'layout',
    fixable: 'code',
    schema: [],
    messages: { order: 'Imports are ordered {{order}}: this one comes too late.' },
  },
  create: ({ report, sourceCode }) => ({
    Program({ body }) {
      const imports = body.filter(({ type }) => type === 'ImportDeclaration');
      const late = imports.find((node, index) =>
        imports.slice(0, index).some((before) => rankOf(before) > rankOf(node)),
      );
      if (!late) return;
      const order = groups.map(({ name }) => name).join(', ');
      report({ node: late, messageId: 'order', data: { order }, fix: (fixer) => sorted(fixer, imports, sourceCode) });
    },
  }),
};

/** Each place among the imports gets the statement that belongs there; comments would lose theirs, so they are left alone. */
function sorted(fixer, imports, sourceCode) {
  const first = imports.at(0);
  const last = imports.at(-1);
  if (
    sourceCode.getTokensBetween(first, last, { includeComments: true }).some(({ type }) => /^(Block|Line)$/.test(type))
  ) {
    return null;
  }
  const wanted = imports.toSorted((a, b) => rankOf(a) - rankOf(b));
  return imports.map((node, index) => fixer.replaceText(node, sourceCode.getText(wanted[index])));
}
