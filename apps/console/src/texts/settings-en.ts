/** What operators read where they change what an account has and may, in English. */
export const settings = {
  ownTerms: 'From then on MXN has values of its own; before, those of BRL are its values too.',
  details: {
    open: 'Details…',
    title: 'Details of the account',
    about: 'In force at once. Another document, or none, takes two operators: settlements go to its holder.',
    retention: 'Days for which deposits are retained',
    perSecond: 'Calls a second',
    burst: 'Calls at once',
    confirm: 'Save',
  },
  teamChange: {
    open: 'Second person…',
    title: 'Second person of the team',
    about:
      'Which payouts and refunds two people of the account decide. Asking for it more often is in force at once; less often takes two operators.',
    options: { all: 'For every payout', over: 'Above an amount', none: 'Not asked for' },
    amount: 'Above',
    amountHint: 'For the second choice alone.',
    confirm: 'Save',
  },
  integrations: {
    title: 'Restrictions of the connector',
    empty: 'The connector is not restricted for this account.',
    prefix: 'Prefix',
    payouts: 'Payouts',
    restrict: {
      open: 'Restrict…',
      title: 'Restrict the connector',
      about:
        'It replaces what was restricted at this prefix, and restricts calls below it alone. More addresses than before take another operator.',
      on: 'are taken',
      off: 'are refused',
      confirm: 'Restrict it',
    },
    lift: {
      open: 'Lift…',
      title: 'Lift the restrictions',
      about:
        'From then on the account calls this prefix as it calls any other. Where addresses are listed another operator decides.',
      confirm: 'Lift them',
    },
  },
};
