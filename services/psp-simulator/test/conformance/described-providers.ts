import type { ProviderId } from '../wire-bench.ts';
import { bacenDescription } from './bacen.ts';
import type { Description } from './description.ts';
import { efiDescription, efiNotificationKind } from './efi.ts';
import { fintocDescription } from './fintoc.ts';
import { wooviDescription } from './woovi.ts';

export interface DescribedProvider {
  readonly id: ProviderId;
  /** What the adapter may say. */
  readonly spoken: Description;
  /** What the simulator may answer and notify of: it serves the Pix API as Efí does, to everybody. */
  readonly answered: Description;
  /** The kind of a notification, by its body. */
  readonly kindOf: (body: unknown) => string;
}

const standard = bacenDescription();
const token = efiDescription.operations.filter(({ path }) => path === '/oauth/token');
/** The Pix API and nothing else; a token is had as RFC 6749 has it. */
const plainDescription: Description = {
  ...standard,
  base: '/bacen',
  operations: [
    ...standard.operations.map((operation) => ({ ...operation, path: `${standard.base}${operation.path}` })),
    ...token,
  ],
};

export const describedProviders: readonly DescribedProvider[] = [
  {
    id: 'bacen',
    spoken: plainDescription,
    answered: { ...efiDescription, base: '/bacen' },
    kindOf: efiNotificationKind,
  },
  { id: 'efi', spoken: efiDescription, answered: efiDescription, kindOf: efiNotificationKind },
  { id: 'woovi', spoken: wooviDescription, answered: wooviDescription, kindOf: (body) => textIn(body, 'event') },
  { id: 'spei', spoken: fintocDescription, answered: fintocDescription, kindOf: (body) => textIn(body, 'type') },
];

function textIn(body: unknown, name: string): string {
  return String((body as Readonly<Record<string, unknown>>)[name]);
}
