/** The texts of transfers of our own and of how statements are read, in English. */
export const ownTransfer = {
  open: 'Own transfer…',
  title: 'A transfer of our own money',
  about: 'A top-up of the account, or what was taken out of it. Another operator decides; then it is booked, once.',
  direction: 'Which way it went',
  in: 'to the account',
  out: 'out of the account',
  by: 'How the statement names it',
  knownBy: { reference: 'its line is not there yet: by a reference', line: 'its line is there: by the id of the line' },
  name: 'Reference, or id of the line',
  nameHint: 'An id of the transfer, or a word that its text will have.',
};

export const mapping = {
  open: 'How a CSV is read…',
  title: 'How the CSV of a bank is read',
  about:
    'Names of its columns, as its header has them. Another operator decides; before, it serves for reading without keeping.',
  delimiter: 'Between two columns',
  encoding: 'Encoding',
  headerLine: 'Line with the names of the columns',
  date: 'Column: date',
  dateFormat: 'How a date is written',
  zone: 'Zone of its days',
  amount: 'Column: amount',
  decimal: 'Before the decimals',
  sign: 'Column: which way the money went',
  signHint: 'Leave it empty where debits have a minus.',
  credit: 'There, for money that came',
  debit: 'There, for money that went',
  oneALine: 'One value a line; only with a column that has it.',
  columns: {
    id: 'The bank’s own id',
    type: 'Kind',
    text: 'Description',
    e2e: 'End-to-end id',
    balance: 'Balance after it',
  },
  others: 'Other columns, each only where the file has it',
};
