/** The texts of what is made to happen in test mode, in English. */
export const simulate = {
  title: 'Make it happen (TEST)',
  what: 'What happens',
  whole: 'Left empty: the whole amount.',
  confirm: 'Simulate (TEST)',
  sameCall: 'The same by a program',
  acts: {
    pay: { label: 'The payer pays', about: 'The whole amount; it is credited, and deposit.paid is sent.' },
    expire: { label: 'The time runs out', about: 'It cannot be paid in time any more; deposit.expired is sent.' },
    dispute: { label: 'The payer disputes it', about: 'The amount is blocked, and med.opened is sent.' },
    won: { label: 'You are right', about: 'The amount is available again, and med.won is sent.' },
    lost: { label: 'The payer is right', about: 'The amount leaves the balance, and med.lost is sent.' },
    approve: { label: 'The operator approves it', about: 'It is sent; payout.processing and payout.paid follow.' },
    paid: { label: 'The recipient has the money', about: 'payout.paid is sent.' },
    failed: { label: 'It fails', about: 'Amount and fee come back, and payout.failed is sent.' },
    returned: { label: 'The bank of the recipient returns it', about: 'It is credited, and payout.returned is sent.' },
    failing: { label: 'It fails for an hour', about: 'Other endpoints and the event log hear of webhook.failing.' },
    disabled: {
      label: 'It fails for three days',
      about: 'Nothing is sent to it any more; webhook.disabled is sent to others.',
    },
    release: { label: 'The days pass', about: 'Everything that is pending is available.' },
  },
};
