import type { Mutant } from '../mutant.ts';

export const providerFeeds: readonly Mutant[] = [
  {
    id: 'D05',
    file: 'packages/provider-feeds/src/windows.ts',
    replaced: 'bookedLateLagsSec = [120, 600]',
    by: 'bookedLateLagsSec: number[] = []',
    test: 'packages/provider-feeds/test/feeds.test.ts',
    named: 'is read again, so that what a provider books late is taken',
    guarantee: 'What a provider books late is found.',
  },
  {
    id: 'D06',
    file: 'packages/provider-feeds/src/item-inbox.ts',
    replaced: "state: 'WAITING', cause: textOfCause(result.cause), nextAttemptAt: inMs(retryMs)",
    by: "state: 'WAITING', cause: textOfCause(result.cause), nextAttemptAt: null",
    test: 'packages/provider-feeds/test/feed-items.test.ts',
    named: 'that cannot be taken is tried again until it can be, whatever the list says by then',
    guarantee: 'What could not be applied is tried again.',
  },
  {
    id: 'D11',
    file: 'packages/provider-feeds/src/feed-table.ts',
    replaced: 'and (lease_until is null or lease_until <= $4)',
    by: '',
    test: 'packages/provider-feeds/test/feeds.test.ts',
    named: 'is read by one process at a time, however long the provider takes to answer',
    guarantee: 'Two processes that read at the same time ask a provider once.',
  },
];
