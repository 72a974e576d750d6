/** An import in a file of its own; with `rule` it must be reported under that name, without it must pass. */
export interface PlantedImport {
  readonly file: string;
  readonly code: string;
  readonly rule?: string;
}

/** What the planted imports find when they look around. */
export const plantedSurroundings: Readonly<Record<string, string>> = {
  'packages/pix/src/index.ts': 'export interface Key { readonly value: string }\nexport const key = 1;\n',
  'packages/contracts/src/deposits/index.ts': "export * from '#src/money.ts';\n",
  'packages/contracts/src/money.ts': 'export interface Money { readonly amount: number }\nexport const money = 1;\n',
  'packages/providers/src/index.ts': 'export const provider = 1;\n',
  'packages/runtime/src/index.ts': 'export const run = 1;\n',
  'packages/persistence/src/index.ts': 'export const database = 1;\n',
  'packages/messaging/src/index.ts': 'export const bus = 1;\n',
  'packages/local-stack/src/index.ts': 'export const start = 1;\n',
  'scripts/check.ts': 'export const runChecks = 1;\n',
  'services/payouts/src/main.ts': 'export interface Payout { readonly id: string }\nexport const payout = 1;\n',
  'services/ledger/src/ring/back.ts': "import { there } from '#src/ring/there.ts';\nexport const back = () => there;\n",
  'services/ledger/src/ring/back-type.ts':
    "import type { There } from '#src/ring/there-type.ts';\nexport type Back = There;\n",
  'services/webhooks/floors.json': '[["upper", "beside"], ["lower"]]',
  'services/webhooks/src/service.ts': 'export const service = 1;\n',
  'services/webhooks/src/upper/there.ts': "import { lower } from '#src/lower/here.ts';\nexport const there = lower;\n",
  'services/webhooks/src/lower/here.ts': 'export const lower = 1;\n',
  'services/ledger/src/sample.test.ts': 'export const sample = 1;\n',
  'services/ledger/test/sample.ts': 'export const sample = 1;\n',
};

export const plantedImports: readonly PlantedImport[] = [
  // One service in another, in every way TypeScript can say it.
  ...[
    "import { payout } from '../../payouts/src/main.ts';",
    "import type { Payout } from '../../payouts/src/main.ts';",
    "import { type Payout } from '../../payouts/src/main.ts';",
    "import '../../payouts/src/main.ts';",
    "export * from '../../payouts/src/main.ts';",
    "export type { Payout } from '../../payouts/src/main.ts';",
    "export const later = () => import('../../payouts/src/main.ts');",
    "export type Payout = import('../../payouts/src/main.ts').Payout;",
    "import type { Payout } from '@gateway/payouts';",
    "import { payout } from '@gateway/payouts/src/main.ts';",
  ].map((code, index) => ({ file: `services/ledger/src/service-${index}.ts`, code, rule: 'services-imports' })),

  // Against the direction pix ← contracts ← runtime ← persistence ← messaging ← services.
  planted('packages/pix/src/up.ts', "import type { Money } from '@gateway/contracts/deposits';", 'pix-imports'),
  planted('packages/contracts/src/up.ts', "import type { run } from '@gateway/runtime';", 'contracts-imports'),
  planted('packages/contracts/src/side.ts', "import { provider } from '@gateway/providers';", 'contracts-imports'),
  planted('packages/providers/src/up.ts', "import { run } from '@gateway/runtime';", 'providers-imports'),
  planted('packages/runtime/src/side.ts', "import { provider } from '@gateway/providers';", 'runtime-imports'),
  planted(
    'packages/runtime/src/up.ts',
    "import { payout } from '../../../services/payouts/src/main.ts';",
    'runtime-imports',
  ),
  planted('packages/runtime/src/above.ts', "import { database } from '@gateway/persistence';", 'runtime-imports'),
  planted('packages/persistence/src/above.ts', "import { bus } from '@gateway/messaging';", 'persistence-imports'),
  planted('packages/runtime/test/up.ts', "import { start } from '@gateway/local-stack';", 'tests-import-packages'),
  planted(
    'packages/local-stack/src/up.ts',
    "import { payout } from '../../../services/payouts/src/main.ts';",
    'local-stack-imports',
  ),
  planted('services/deposits/src/stack.ts', "import { start } from '@gateway/local-stack';", 'services-imports'),
  planted('services/deposits/test/stack.ts', "import { start } from '@gateway/local-stack';", 'tests-import-packages'),
  planted(
    'services/deposits/src/script.ts',
    "import { runChecks } from '../../../scripts/check.ts';",
    'services-imports',
  ),
  planted(
    'test/service.test.ts',
    "import { payout } from '../services/payouts/src/main.ts';",
    'services-are-processes',
  ),
  planted('bench/service.ts', "import { payout } from '../services/payouts/src/main.ts';", 'services-are-processes'),

  planted(
    'packages/unplaced/src/index.ts',
    "import { money } from '@gateway/contracts/deposits';",
    'every-package-has-its-place',
  ),

  // Past the front door of a package.
  planted(
    'services/deposits/src/deep.ts',
    "import { money } from '../../../packages/contracts/src/money.ts';",
    'no-deep-imports',
  ),
  planted(
    'services/deposits/src/deep-name.ts',
    "import { money } from '@gateway/contracts/src/money.ts';",
    'everything-resolves',
  ),
  planted(
    'services/deposits/src/relative.ts',
    "import { money } from '../../../packages/contracts/src/deposits/index.ts';",
    'no-relative-imports-of-packages',
  ),

  planted(
    'services/ledger/src/ring/there.ts',
    "import { back } from '#src/ring/back.ts';\nexport const there = () => back;",
    'no-cycles',
  ),
  planted(
    'services/ledger/src/ring/there-type.ts',
    "import type { Back } from '#src/ring/back-type.ts';\nexport type There = Back;",
    'no-cycles',
  ),
  planted('services/webhooks/src/lower/up.ts', "import type { there } from '#src/upper/there.ts';", 'floors'),
  planted('services/webhooks/src/lower/roof.ts', "import { service } from '#src/service.ts';", 'floors'),
  planted('services/webhooks/src/beside/across.ts', "import { there } from '#src/upper/there.ts';", 'floors'),
  planted('services/ledger/src/tested.ts', "import { sample } from '#src/sample.test.ts';", 'source-imports-no-tests'),
  planted(
    'services/ledger/src/tested-too.ts',
    "import { sample } from '../test/sample.ts';",
    'source-imports-no-tests',
  ),
  planted('services/ledger/src/lost.ts', "import { nothing } from '#src/nothing.ts';", 'everything-resolves'),

  // And what must stay possible.
  planted(
    'services/payouts/src/allowed.ts',
    "import type { Money } from '@gateway/contracts/deposits';\nimport { key } from '@gateway/pix';\nimport { provider } from '@gateway/providers';\nimport { run } from '@gateway/runtime';\nimport { payout } from '#src/main.ts';\nimport { join } from 'node:path';",
  ),
  planted('services/webhooks/src/upper/down.ts', "import { lower } from '#src/lower/here.ts';"),
  planted('services/webhooks/src/main.ts', "import { there } from '#src/upper/there.ts';"),
  planted('packages/contracts/src/allowed.ts', "import { key } from '@gateway/pix';"),
  planted(
    'packages/providers/src/allowed.ts',
    "import { key } from '@gateway/pix';\nimport { money } from '@gateway/contracts/deposits';",
  ),
  planted('packages/runtime/src/allowed.ts', "import { money } from '@gateway/contracts/deposits';"),
  planted(
    'test/allowed.test.ts',
    "import { money } from '@gateway/contracts/deposits';\nimport { start } from '@gateway/local-stack';",
  ),
];

function planted(file: string, code: string, rule?: string): PlantedImport {
  return rule === undefined ? { file, code } : { file, code, rule };
}
