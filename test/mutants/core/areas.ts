/** A part of the pure core: the code that gets faults, and the tests without servers that have to notice them. */
export interface Area {
  /** Globs of the repository; a leading `!` leaves files out. */
  readonly code: readonly string[];
  readonly tests: readonly string[];
  /** Tests over random inputs, which take seconds: only faults that all others let pass meet them. */
  readonly randomTests?: readonly string[];
}

export const areas = {
  money: { code: ['packages/money/src/**/*.ts'], tests: ['packages/money/src/**/*.test.ts'] },
  pix: { code: ['packages/pix/src/**/*.ts'], tests: ['packages/pix/test/**/*.test.ts'] },
  'postings and rules': {
    code: ['services/ledger/src/{decision,posting}/**/*.ts', 'services/ledger/src/chain/{canonical-request,link}.ts'],
    tests: [
      'services/ledger/src/{chain,decision,posting}/**/*.test.ts',
      'services/ledger/test/unit/{decisions,postings,refusals}.test.ts',
    ],
    randomTests: ['services/ledger/test/unit/apply-laws.test.ts'],
  },
  'rates and fees': {
    code: ['services/ledger/src/rates/{rate,rate-source}.ts', 'services/ledger/src/conversions/price-exchange.ts'],
    tests: ['services/ledger/{src,test/unit}/**/*.test.ts'],
  },
  'life cycles': {
    code: [
      'services/deposits/src/{deposit,dispute,refund}/life-cycle.ts',
      'services/deposits/src/returns/return-{progress,schedule}.ts',
      'services/payouts/src/payout/life-cycle.ts',
      'services/payouts/src/settlement/{plan-recheck,timing}.ts',
    ],
    tests: ['services/{deposits,payouts}/{src,test/unit}/**/*.test.ts'],
  },
  classification: {
    code: [
      'packages/providers/src/{certainty,differs,failure-taxonomy}.ts',
      'packages/providers/src/http/{body-shape,classify}.ts',
    ],
    tests: ['packages/providers/test/{certainty,failure-taxonomy,http/classify}.test.ts'],
  },
  'address policy': {
    code: ['services/webhooks/src/http/{address-policy,target}.ts'],
    tests: ['services/webhooks/test/unit/*.test.ts'],
  },
  signatures: {
    code: [
      'services/webhooks/src/endpoints/signing-secrets.ts',
      'packages/providers/src/{bacen,fintoc,woovi}/notifications.ts',
      'packages/providers/src/http/constant-time.ts',
      'packages/runtime/src/secrets/{equal-digests,key-digest,link-tokens,secret-box}.ts',
      'services/compat/src/tokens/{access-token,issue-access-token,verify-access-token}.ts',
    ],
    tests: [
      'services/webhooks/test/unit/*.test.ts',
      'packages/providers/test/{{bacen,fintoc,woovi}-notifications,notification-results}.test.ts',
      'packages/runtime/src/secrets/*.test.ts',
      'services/compat/{src,test/unit}/**/*.test.ts',
    ],
  },
} as const satisfies Record<string, Area>;

export type AreaName = keyof typeof areas;

export const areaOf = (name: AreaName): Area => areas[name];

/** Names the area to the test runner, which Stryker starts as a process of its own. */
export const areaVariable = 'MUTATED_AREA';
/** Set when the area's tests over random inputs are run too. */
export const randomTestsVariable = 'MUTATED_AREA_RANDOM_TESTS';
