import type { Mutant } from '../mutant.ts';

const safety = 'sdks/cli/test/unit/safety.test.ts';

export const cli: readonly Mutant[] = [
  {
    id: 'CL01',
    file: 'sdks/cli/src/commands/listen.ts',
    replaced: 'await forwardOne(session, event, receiver);\n      place.keep(event.id);',
    by: 'place.keep(event.id);\n      await forwardOne(session, event, receiver);',
    test: 'sdks/cli/test/unit/listen.test.ts',
    named: 'kept once an event was answered, and not before',
    guarantee: 'An event that the receiver has not answered is forwarded again after a crash of the command line.',
  },
  {
    id: 'CL02',
    file: 'sdks/cli/src/calls/live-guard.ts',
    replaced: 'if (live !== true)',
    by: 'if (false as boolean)',
    test: safety,
    named: 'changes nothing without --live',
    guarantee: 'With a live key the command line changes nothing without --live.',
  },
  {
    id: 'CL03',
    file: 'sdks/cli/src/settings/private-file.ts',
    replaced: 'if ((mode & othersMask) === 0) return;',
    by: 'if (mode > 0) return;',
    test: safety,
    named: 'is refused when others can read',
    guarantee: 'Keys in a file that others can read are not used.',
  },
];
