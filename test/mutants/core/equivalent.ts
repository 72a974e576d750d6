/** A fault that no test can distinguish from the code, and why. */
export interface EquivalentMutant {
  readonly file: string;
  /** The line the fault begins in, without its indentation. */
  readonly line: string;
  readonly original: string;
  readonly replacement: string;
  readonly reason: string;
}

export const equivalentMutants: readonly EquivalentMutant[] = [
  {
    file: 'packages/money/src/money/decimal-text.ts',
    line: 'const { units, decimals } = digitsOf(minorUnits < 0n ? -minorUnits : minorUnits, exponent);',
    original: 'minorUnits < 0n',
    replacement: 'minorUnits <= 0n',
    reason: 'A BigInt has no negative zero.',
  },
  {
    file: 'packages/money/src/money/decimal-text.ts',
    line: "const [, units, decimals = ''] = /^([0-9]+)(?:\\.([0-9]+))?$/.exec(text) ?? [];",
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'The first element is not read.',
  },
  {
    file: 'packages/money/src/money/money.ts',
    line: 'export const amountMax = Math.max(...Object.values(currencies).map((facts) => facts.amountMax));',
    original: 'Math.max(...Object.values(currencies).map((facts) => facts.amountMax))',
    replacement: 'Math.min(...Object.values(currencies).map(facts => facts.amountMax))',
    reason: 'All currencies have the same bound, which their own test holds.',
  },
  {
    file: 'packages/money/src/money/money.ts',
    line: "if (denominator <= 0) throw new RangeError('mulDiv needs a positive denominator');",
    original: 'denominator <= 0',
    replacement: 'denominator < 0',
    reason: 'The division of a BigInt by zero throws a RangeError as well.',
  },
  {
    file: 'packages/money/src/money/money.ts',
    line: "case 'floor':",
    original: "'floor'",
    replacement: '""',
    reason: 'No case is left for it, and undefined does not round up either.',
  },
  {
    file: 'services/ledger/src/rates/rate.ts',
    line: "const [, units, decimals = ''] = /^(\\d{1,8})(?:\\.(\\d{1,30}))?$/.exec(text) ?? [];",
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'The first element is not read.',
  },
  {
    file: 'packages/providers/src/certainty.ts',
    line: "return graded('asked', fact);",
    original: "'asked'",
    replacement: '""',
    reason: 'A grade exists in types only.',
  },
  {
    file: 'packages/pix/src/br-code/read-pix-account.ts',
    line: "if (key.length > accountValueMaxCharacters) return 'ACCOUNT_INVALID';",
    original: 'key.length > accountValueMaxCharacters',
    replacement: 'false',
    reason: 'A template of 99 characters has no room for a key of more than 77.',
  },
  {
    file: 'services/ledger/src/chain/canonical-request.ts',
    line: 'ledgerCommandSchema.options.map(({ shape }) => [shape.kind.value, Object.keys(shape).sort()]),',
    original: '[shape.kind.value, Object.keys(shape).sort()]',
    replacement: '[]',
    reason: 'Members that are not sorted beforehand are sorted for each command.',
  },
  {
    file: 'services/ledger/src/chain/canonical-request.ts',
    line: "const json = typeof value === 'number' ? `${value}` : JSON.stringify(value);",
    original: "typeof value === 'number'",
    replacement: 'false',
    reason: 'JSON writes a number as a template does.',
  },
  {
    file: 'services/ledger/src/chain/canonical-request.ts',
    line: "const json = typeof value === 'number' ? `${value}` : JSON.stringify(value);",
    original: "'number'",
    replacement: '""',
    reason: 'JSON writes a number as a template does.',
  },
  {
    file: 'services/ledger/src/chain/link.ts',
    line: 'const amounts = Object.entries(content.amounts).sort(([one], [other]) => (one < other ? -1 : 1));',
    original: 'one < other',
    replacement: 'one <= other',
    reason: 'No two members of an object have one name.',
  },
  {
    file: 'services/ledger/src/decision/apply-command.ts',
    line: "if (bucket === 'available' && amount > 0) credited.add(currency);",
    original: 'amount > 0',
    replacement: 'amount >= 0',
    reason: 'A posting of nothing is not kept.',
  },
  {
    file: 'services/ledger/src/decision/apply.ts',
    line: "const decision = { ...outcome, sequence: head.sequence + 1, hash: '' };",
    original: "''",
    replacement: '"Stryker was here!"',
    reason: 'The hash is set before it is read.',
  },
  {
    file: 'services/ledger/src/decision/apply.ts',
    line: "!known.references.has(reference.id) && (reference.kind === 'deposit' || !state.owes(reference));",
    original: "reference.kind === 'deposit'",
    replacement: 'false',
    reason: 'A deposit never has a shortfall: the first half narrows the type alone.',
  },
  {
    file: 'services/ledger/src/decision/apply.ts',
    line: "!known.references.has(reference.id) && (reference.kind === 'deposit' || !state.owes(reference));",
    original: "'deposit'",
    replacement: '""',
    reason: 'A deposit never has a shortfall: the first half narrows the type alone.',
  },
  {
    file: 'services/ledger/src/posting/rules/balance-rules.ts',
    line: "if (command.notAfter !== undefined && atMs >= command.notAfter * 1_000) return refuse('deadline_passed');",
    original: 'command.notAfter !== undefined',
    replacement: 'true',
    reason: 'No time is before one that is not a number.',
  },
];
