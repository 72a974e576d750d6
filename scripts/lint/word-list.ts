interface AvoidedWord {
  readonly pattern: string;
  readonly instead: string;
  /** Where alone it is avoided; everywhere when left out. */
  readonly in?: 'names' | 'comments';
}

/**
 * Words that stand for a term of the field (docs/glossary.md), with the term. `names`: as a part of a name or file name;
 * `comments`: in a comment or a sentence of a page.
 */
export const avoidedWords: readonly AvoidedWord[] = [
  { pattern: 'doors?', instead: 'listener, API' },
  { pattern: 'tenures?', instead: 'lease' },
  { pattern: 'verdicts?', instead: 'result, outcome, decision' },
  { pattern: 'judges?|judged|judging|judgements?', instead: 'evaluate, decide' },
  { pattern: 'lanes?', instead: 'queue' },
  { pattern: 'happenings?', instead: 'event' },
  { pattern: 'contenders?', instead: 'subject' },
  { pattern: 'surroundings', instead: 'environment' },
  { pattern: 'absorb(s|ed|ing)?', instead: 'apply' },
  { pattern: 'surely', instead: 'the mechanism by its name: with retry, until decided' },
  { pattern: 'tell|tells|told|telling', instead: 'publish, report, answer, alert, notify' },
  { pattern: 'said|saying', instead: 'reported, answered, stated' },
  { pattern: 'nobody|somebody|whoever|whomever', instead: 'the component or the person by name' },
  { pattern: 'meanwhile', instead: 'in the meantime, or the order of events', in: 'comments' },
  { pattern: 'he|him|his|himself', instead: 'the person or component by name', in: 'comments' },
];

/** Workspaces and folders that are free of them and stay so. */
export const checkedWorkspaces = [
  'apps/console',
  'bench',
  'packages/contracts',
  'packages/local-stack',
  'packages/messaging',
  'packages/money',
  'packages/persistence',
  'packages/pix',
  'packages/proof',
  'packages/provider-feeds',
  'packages/providers',
  'packages/public-api',
  'packages/runtime',
  'packages/statement-files',
  'packages/test-kit',
  'sdks/cli',
  'sdks/mcp',
  'sdks/typescript',
  'services/api-gateway',
  'services/compat',
  'services/deposits',
  'services/identity',
  'services/ledger',
  'services/payouts',
  'services/psp-simulator',
  'services/reconciler',
  'services/webhooks',
  'scripts',
  'test',
];
