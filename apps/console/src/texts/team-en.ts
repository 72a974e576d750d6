/** The texts of what people of an account propose to each other, in English. */
export const approvals = {
  title: 'Approvals',
  nothing: 'Nothing waits for a decision.',
  kinds: {
    'team.key': (_count: number) => 'A live key',
    'team.owner': (_count: number) => 'Another owner',
    'team.payouts': (count: number) => (count === 1 ? 'A payout' : `${count} payouts`),
    'team.refund': (_count: number) => 'A refund',
  },
  state: {
    PROPOSED: 'Waits for a decision',
    APPLYING: 'Being carried out',
    APPLIED: 'Carried out',
    REFUSED: 'Refused',
    WITHDRAWN: 'Withdrawn',
    REJECTED: 'Rejected',
    EXPIRED: 'Expired',
    FAILED: 'Failed',
  },
  proposedBy: (name: string, age: string) => `${name}, ${age} ago`,
  scopes: 'May',
  everything: 'Everything, payouts included',
  allowlist: 'From',
  anywhere: 'Anywhere',
  roles: 'Roles',
  proposer: 'Proposed by',
  expires: 'Expires',
  decider: 'Decided by',
  decisionReason: 'Reason of the decision',
  outcome: 'What became of it',
  own: 'You proposed this: another person of the account decides it. Nothing happens before.',
  approve: { live: 'Approve and send', test: 'Approve and send (TEST)' },
  agree: { live: 'Approve', test: 'Approve (TEST)' },
  refuse: {
    open: 'Refuse…',
    title: 'Refuse the proposal',
    about: 'Nothing of it is done.',
    confirm: 'Refuse the proposal',
  },
  withdraw: 'Withdraw',
};

export const proposePayout = {
  open: 'New payout',
  title: 'New payout',
  about: 'Another person of the account approves it before it is sent. You confirm it with your passkey.',
  externalIdHint: 'Your reference. The same one again never makes a second payout.',
  document: 'CPF or CNPJ of the recipient',
  keyType: 'Kind of key',
  keyTypes: { cpf: 'CPF', cnpj: 'CNPJ', email: 'E-mail', phone: 'Phone', random: 'Random key' },
  confirm: { live: 'Propose the payout', test: 'Propose the payout (TEST)' },
};

export const refundPayment = {
  open: 'Refund…',
  title: 'Send the payment back',
  about: (amount: string, refunded: string) =>
    `Of ${amount}, ${refunded} went back before. The fee is not given back. Another person of the account approves it.`,
  externalIdHint: 'Your reference of the refund.',
  amountHint: 'Left empty: all that is left.',
  confirm: { live: 'Propose the refund', test: 'Propose the refund (TEST)' },
};

export const approvalTasks = (count: number) =>
  count === 1 ? 'A proposal of a colleague waits for you.' : `${count} proposals of colleagues wait for you.`;
