/** The texts of pictures over time in English. */
export const charts = {
  title: 'Volume',
  direction: { in: 'Paid in', out: 'Paid out' },
  measure: { label: 'Show', amount: 'Amount', count: 'Number', success: 'Success' },
  period: { label: 'Period', day: '24 hours', week: '7 days', month: '30 days' },
  ofEnded: (paid: number, ended: number, share: string) => `Success ${share} · ${paid} of ${ended}`,
  nothing: 'nothing ended',
  none: 'No payment or payout ended in this period.',
  table: 'As a table',
  time: 'From',
  paid: 'Paid',
  ended: 'Ended',
  at: 'At',
  latency: 'How long the last calls took',
  took: 'Taken',
  answer: 'Answer',
  balance: 'Balance over time',
  lastBalance: 'Available at the last point',
};

/** The texts of pages that follow what changes. */
export const live = {
  state: { live: 'Real time', polling: 'Every 15 s', offline: (since: string) => `Offline since ${since}` },
  about: 'Whether this page follows what changes',
  changes: (count: number) => (count === 1 ? '1 change: read again' : `${count} changes: read again`),
  maybe: 'There may be changes: read again',
};
