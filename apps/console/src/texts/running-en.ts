/** What operators read of how the gateway itself is, in English. */
export const running = {
  title: 'How the gateway is',
  seen: 'The providers are asked anew each time; messages are counted every 15 seconds.',
  writers: {
    title: 'Who writes the balances',
    environment: 'Environment',
    state: 'State',
    writes: 'Writes',
    starts: 'Is starting',
    none: 'Nothing is written',
    writer: 'Process',
    since: 'Writes for',
    standbys: 'Standing by',
    waiting: 'Commands not decided',
  },
  messages: {
    title: 'Messages between services',
    unpublished: 'Own, not on the bus yet',
    unhandled: 'Of others, not handled yet',
    allHandled: 'None',
    waiting: (count: string, consumer: string) => `${count} at ${consumer}`,
    unknown: (consumer: string) => `not counted yet at ${consumer}`,
    readsNone: '–',
  },
};
