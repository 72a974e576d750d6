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
    about: 'from the first deposit to live money: payments, webhooks, the payment page, other currencies.',
  },
  { name: 'verifying-a-webhook', title: 'Verifying a webhook', about: 'the signature, in Node and Python.' },
  { name: 'test-mode', title: 'Test mode', about: 'every outcome on demand.' },
  { name: 'finance', title: 'Finance guide', about: 'statements, exports, reconciling with your own books.' },
  { name: 'connector', title: 'Connector guide', about: 'for an integration that speaks the connector’s interface.' },
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
