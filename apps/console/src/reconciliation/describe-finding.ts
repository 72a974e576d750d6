import type { KindWithPage } from '#src/records/pages-of-records.ts';

/** A part of a text, and what it names where that has a page. */
interface Part {
  readonly text: string;
  readonly leadsTo?: KindWithPage | 'provider';
}

const kindOf: Readonly<Record<string, KindWithPage>> = {
  acc: 'account',
  dep: 'deposit',
  pyt: 'payout',
  med: 'dispute',
  cnv: 'conversion',
};

const words = /([a-z]{3}_[0-9a-hjkmnp-tv-z]{26}|(?<![\w-])[a-z][a-z0-9-]{0,31}(?![\w-]))/;

/** The text of a finding in parts: ids of records and the names of providers each by itself. */
export function partsOf(text: string, providers: readonly string[]): readonly Part[] {
  return text
    .split(words)
    .filter((part) => part !== '')
    .map((part): Part => {
      const [prefix = '', rest] = part.split('_');
      const kind = rest === undefined ? undefined : kindOf[prefix];
      if (kind !== undefined && words.test(part)) return { text: part, leadsTo: kind };
      return providers.includes(part) ? { text: part, leadsTo: 'provider' } : { text: part };
    })
    .reduce<Part[]>((parts, part) => {
      const last = parts.at(-1);
      if (part.leadsTo !== undefined || last === undefined || last.leadsTo !== undefined) return [...parts, part];
      return [...parts.slice(0, -1), { text: last.text + part.text }];
    }, []);
}
