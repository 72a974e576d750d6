const secretNames = /(?:secret|secretKey|secretHash|password|token|tokenHash|signature|mac|credentials?)$/i;
const comparingMethods = new Set(['equals', 'compare', 'localeCompare', 'includes']);

/** The name a value goes by: its own, the member's, or that of the function it comes from. */
function nameOf(node) {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression') return node.property.type === 'Identifier' ? node.property.name : '';
  if (node.type === 'CallExpression') return nameOf(node.callee);
  return '';
}

const isConstant = (name) => /^[A-Z_]+$/.test(name);
const isSecret = (node) => {
  const name = nameOf(node).replace(/Of$/, '');
  return secretNames.test(name) && !isConstant(name);
};
/** Whether there is one at all, and which kind it is, may be asked: that says nothing about its characters. */
const isPlain = (node) => node.type === 'Literal' || (node.type === 'Identifier' && node.name === 'undefined');

/**
 * Secrets are compared in constant time, by the one function made for it: every other comparison ends at the first
 * difference, and its duration shows how much of a guess was right.
 * @type {import('eslint').Rule.RuleModule}
 */
export const secretComparison = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { secret: 'Compare secrets with `equalDigests`: this comparison ends at the first difference.' },
  },
  create: ({ report }) => ({
    BinaryExpression(node) {
      const { operator, left, right } = node;
      if (!/^[!=]==?$/.test(operator) || isPlain(left) || isPlain(right)) return;
      if (isSecret(left) || isSecret(right)) report({ node, messageId: 'secret' });
    },
    CallExpression(node) {
      const { callee, arguments: given } = node;
      if (callee.type !== 'MemberExpression' || !comparingMethods.has(nameOf(callee))) return;
      if ([callee.object, ...given].some((each) => !isPlain(each) && isSecret(each)) && !given.every(isPlain)) {
        report({ node, messageId: 'secret' });
      }
    },
    'ImportSpecifier[imported.name="timingSafeEqual"]': (node) => report({ node, messageId: 'secret' }),
  }),
};
