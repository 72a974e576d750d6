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
  isNew: 'New recipient',
  own: 'You proposed this: another person of the account decides it. Nothing happens before.',
  approve: { live: 'Approve and send', test: 'Approve and send (TEST)' },
  agree: { live: 'Approve', test: 'Approve (TEST)' },
  refuse: {
    open: 'Refuse…',
    title: 'Refuse the proposal',
    about: 'Nothing of it is done.',
    confirm: 'Refuse the proposal',
  },
  selection: {
    approve: (count: number) => (count === 1 ? 'Approve the selected one…' : `Approve ${count}…`),
    title: (count: number) => `Approve ${count}`,
    about: 'They are carried out one after the other, each exactly as it was proposed. Each is confirmed by itself.',
    confirm: {
      live: (count: number) => `Approve and send ${count}`,
      test: (count: number) => `Approve and send ${count} (TEST)`,
    },
    sum: 'Together:',
    fresh: (count: number) => (count === 1 ? 'New recipient' : `${count} new recipients`),
    approved: (count: number) => `Approved: ${count}.`,
    proposed: (by: string, reason: string | null) =>
      reason === null ? `Proposed by ${by}` : `Proposed by ${by}: ${reason}`,
    refuse: (count: number) => (count === 1 ? 'Refuse the selected one…' : `Refuse ${count}…`),
    refuseAbout: 'Nothing of them is done. Each is refused for a reason of its own, and confirmed by itself.',
    confirmRefusal: (count: number) => `Refuse ${count}`,
    refused: (count: number) => `Refused: ${count}.`,
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
  keyHint: 'CPF, CNPJ, e-mail, phone or random key; its kind is found.',
  after: 'Available after it',
  tooMuch: 'More than is available: it would be refused when it is approved.',
  paidBefore: (at: string) => `This recipient was paid before, last on ${at}.`,
  newRecipient: 'This recipient was never paid from this account. Check the name, the document and the key.',
  confirm: { live: 'Propose the payout', test: 'Propose the payout (TEST)' },
};

export const refundPayment = {
  open: 'Refund…',
  left: 'Left to refund',
  title: 'Send the payment back',
  about: (amount: string, refunded: string) =>
    `Of ${amount}, ${refunded} went back before. The fee is not given back. Another person of the account approves it.`,
  externalIdHint: 'Your reference of the refund.',
  amountHint: 'Left empty: all that is left.',
  confirm: { live: 'Propose the refund', test: 'Propose the refund (TEST)' },
};

export const approvalTasks = (count: number) =>
  count === 1 ? 'A proposal of a colleague waits for you.' : `${count} proposals of colleagues wait for you.`;

export const batchOfPayouts = {
  open: 'From a file',
  title: 'Payouts from a file',
  template: 'Download an example',
  file: 'File (CSV)',
  fileHint: (max: number) =>
    `Columns external_id, amount, key, name, document and, if you like, key_type. At most ${max} rows.`,
  empty: 'There is no row in this file.',
  tooMany: (rows: number, max: number) =>
    `The file has ${rows} rows, and one proposal has ${max} at most. Nothing was proposed.`,
  rows: 'Rows',
  total: 'Sum',
  line: 'Line',
  ok: 'Can be proposed',
  bad: 'Has a fault',
  wrong: (count: number) =>
    count === 1
      ? 'One row has a fault. Mend the file and choose it again: nothing is proposed before every row is right.'
      : `${count} rows have faults. Mend the file and choose it again: nothing is proposed before every row is right.`,
  fault: {
    externalId: 'external_id is missing.',
    twice: 'external_id is that of a row above.',
    amount: 'amount is none.',
    key: 'key is of no known kind.',
    name: 'name is missing.',
    document: 'document is neither a CPF nor a CNPJ.',
  },
  confirm: (count: number) => ({
    live: count === 1 ? 'Propose the payout' : `Propose the ${count} payouts`,
    test: count === 1 ? 'Propose the payout (TEST)' : `Propose the ${count} payouts (TEST)`,
  }),
};
