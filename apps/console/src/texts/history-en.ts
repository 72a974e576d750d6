/** The texts of pictures of the gateway's own work over time in English. */
export const history = {
  backlog: {
    title: 'Backlog',
    about: 'Counted every five minutes. The line has the highest count of each hour or day.',
    none: 'Nothing has been counted yet.',
    kinds: {
      payout: 'Payouts under way',
      refund: 'Refunds under way',
      delivery: 'Webhook deliveries waiting',
      event: 'Events not sent yet, live and test',
    },
    last: 'when last counted',
    most: 'Most',
    service: 'Service',
    atMost: (count: string) => `at most ${count}`,
    notCounted: 'not counted',
  },
  latency: {
    title: 'Latency of providers',
    about: 'Every process times its calls of a provider. The line has what 95 of 100 calls took at most.',
    none: 'No provider was called in this period.',
    last: (at: string) => `p95, from ${at}`,
    calls: 'Calls',
    failed: 'Without an answer',
    notCalled: 'not called',
    ofCalls: (p95: string, calls: string, failed: string) => `p95 ${p95} · ${calls} calls, ${failed} without an answer`,
  },
};
