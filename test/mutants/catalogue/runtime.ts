import type { Mutant } from '../mutant.ts';

export const runtime: readonly Mutant[] = [
  {
    id: 'K02',
    file: 'packages/runtime/src/telemetry/logger.ts',
    replaced: ', `*.*.${member}`]',
    by: ']',
    test: 'packages/runtime/src/telemetry/logger.test.ts',
    named: 'no secret reaches a log line, at the top, in a member or in a member of that',
    guarantee: 'Secrets are redacted at every depth that is logged.',
  },
];
