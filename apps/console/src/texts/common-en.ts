import { charts, live } from '#src/texts/charts-en.ts';
import { keyboard } from '#src/texts/keyboard-en.ts';
import { session } from '#src/texts/session-en.ts';

const records = {
  stuck: 'Needs an operator',
  age: (age: string) => `for ${age}`,
  words: 'Words of the provider',
  timeline: 'Timeline',
  lookUp: 'Ask the provider now',
  lookedUp: 'The provider was asked; this is its answer.',
  nothingStuck: (time: string) => `Nothing is stuck. Checked at ${time}.`,
  empty: 'No record matches these filters.',
  payer: 'Payer',
  attempts: 'Attempts',
  left: (age: string) => `${age} left`,
  past: (age: string) => `over for ${age}`,
  returnId: 'Id of the return',
  failure: 'Why it failed',
  reason: 'Reason',
};

const reveal = {
  masked: 'Personal data is masked.',
  open: 'Show it…',
  title: 'Show personal data',
  about: 'Who saw it, and why, is in the audit trail before it is shown.',
  reason: 'Why it has to be seen',
  confirm: 'Show it',
  shown: 'Personal data is shown.',
  hide: 'Mask it again',
};

/** What every console says in English; the other languages have the same members. */
export const commonEn = {
  skip: 'Skip to the content',
  environment: { label: 'Environment', live: 'Live', test: 'Test', testBar: 'TEST: no real money on this page' },
  language: 'Language',
  signOut: 'Sign out',
  states: {
    loading: 'Loading',
    failed: 'This could not be loaded.',
    notFound: 'There is no such record.',
    unknown: 'Whether this was done is not known yet. The record is read again before anything is repeated.',
    retry: 'Try again',
    requestId: 'Request id',
    incomplete: (services: string) => `Not complete: ${services} did not answer.`,
    updatedAt: (time: string) => `As of ${time}`,
  },
  copy: { copy: (what: string) => `Copy ${what}`, copied: 'Copied' },
  list: {
    noneHere: 'None on this page. Older ones may be.',
    newer: 'Back to the newest',
    older: 'Older',
    filterAny: 'Any',
    clear: 'Clear the filters',
  },
  facts: {
    account: 'Account',
    amount: 'Amount',
    fee: 'Fee',
    status: 'Status',
    created: 'Created',
    externalId: 'External id',
    e2eId: 'End-to-end id',
    provider: 'Provider',
    reference: 'Reference there',
    providerRef: 'Its own id',
    recipient: 'Recipient',
    key: 'Key',
    kind: 'Kind',
    record: 'Record',
    traceId: 'Trace',
    environment: 'Environment',
  },
  payoutStatus: {
    PENDING: 'Waits for approval',
    PROCESSING: 'Processing',
    PAID: 'Paid',
    FAILED: 'Failed',
    REJECTED: 'Refused',
  },
  oldPage: {
    title: 'This page could not be shown',
    about: 'A newer version of the console may have come out since this tab was opened. Reload it to go on.',
    reload: 'Reload',
  },
  cancel: 'Cancel',
  reasonFor: 'Reason, for the other operators',
  session,
  reveal,
  records,
  keyboard,
  charts,
  live,
};

export type CommonTexts = typeof commonEn;
