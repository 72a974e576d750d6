import { readFileSync } from 'node:fs';
import { Html } from '#src/pages/html.ts';
import type { Link, ReferencePage } from '#src/reference/layout.ts';

/** A guide as `npm run generate` wrote it from a page of the repository. */
interface Guide {
  /** Of its file, and the end of its address. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
}

const guides: readonly Guide[] = [
  {
    name: 'merchant',
    title: 'Merchant guide',
    about: 'every page by task, and what a key may.',
  },
  { name: 'start', title: 'Start', about: 'five minutes from nothing to a paid deposit.' },
  { name: 'payments', title: 'Payments', about: 'charges, the payment page, finding a payment.' },
  { name: 'refunds', title: 'Refunds', about: 'money back to the payer, whole or in parts.' },
  { name: 'disputes', title: 'Disputes', about: 'what a dispute blocks, and how to answer it.' },
  { name: 'payouts', title: 'Payouts', about: 'money to a PIX key, and what can become of it.' },
  { name: 'webhooks', title: 'Webhooks', about: 'receive, verify, callback URLs, the event log.' },
  { name: 'verifying-a-webhook', title: 'Verifying a webhook', about: 'the signature, in Node and Python.' },
  { name: 'events', title: 'Events', about: 'every event with a sample.' },
  { name: 'retries', title: 'Retries and errors', about: 'what to do when no answer comes, or a refusal.' },
  { name: 'test-mode', title: 'Test mode', about: 'every outcome on demand.' },
  { name: 'statement', title: 'Balance and statement', about: 'what there is, and every movement.' },
  { name: 'finance', title: 'Finance guide', about: 'statements, exports, reconciling with your own books.' },
  { name: 'contract-1.0', title: 'Contract 1.0', about: 'SPEI in pesos, conversions into USDT (beta).' },
  { name: 'contract-changes', title: 'From 0.1 to 1.0', about: 'what differs, member by member.' },
  { name: 'connector', title: 'Connector guide', about: 'for an integration that speaks the connector’s interface.' },
  { name: 'going-live', title: 'Going live', about: 'a check list.' },
  { name: 'limits', title: 'Limits', about: 'sizes, times and rates.' },
  { name: 'versions', title: 'Versions and support', about: 'what stays, and for how long.' },
  { name: 'changelog', title: 'Changelog', about: 'what has changed in the interface.' },
  { name: 'sdk-typescript', title: 'SDK for TypeScript', about: 'every part of it, with examples that run.' },
  { name: 'sdk-python', title: 'SDK for Python', about: 'synchronous and asynchronous, with examples that run.' },
  { name: 'cli', title: 'Command line', about: 'events forwarded to your machine, and every call from a terminal.' },
  { name: 'cli-commands', title: 'Commands', about: 'every command and option of the command line.' },
  { name: 'mcp', title: 'MCP server', about: 'tools for assistants: payments, balances, deliveries.' },
  { name: 'medusa', title: 'Medusa', about: 'the payment provider for a shop on Medusa.' },
  { name: 'console', title: 'Merchants’ console', about: 'for the people of an account.' },
  { name: 'proof', title: 'Proof', about: 'that a movement is in the ledger, for others to check.' },
  { name: 'simulator', title: 'Provider simulator', about: 'controls and magic amounts, on a machine of your own.' },
];

export interface GuideLink extends Link {
  readonly about: string;
}

/** The guides in the order in which they are read. */
export const guideLinks: readonly GuideLink[] = guides.map((guide) => {
  return { href: pathOf(guide), label: guide.title, about: guide.about };
});

export function readGuides(): ReferencePage[] {
  return guides.map((guide) => {
    const content = readFileSync(new URL(`./assets/guide/${guide.name}.html`, import.meta.url), 'utf8');
    return { path: pathOf(guide), title: guide.title, body: new Html(content) };
  });
}

function pathOf({ name }: Guide): string {
  return `/docs/guide/${name}`;
}
