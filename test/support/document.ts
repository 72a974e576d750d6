import type { Json } from './merchant-client.ts';

/** A fenced block of a page: ```<language> <place>. */
export interface Block {
  readonly language: string;
  /**
   * Where an `sh` block is meant to run, when that is not the local stack: `compose`, `kubernetes`, `start`. `only` is a
   * block that runs and has no twin in the other languages.
   */
  readonly place: string;
  readonly text: string;
}

/** A script of the page, and all it prints as far as the page shows it. */
export interface Step {
  readonly script: string;
  readonly shown: readonly Block[];
}

/** Languages in which a page shows one example, side by side. */
export const languagesOfExamples = ['sh', 'ts', 'py'] as const;
export type Language = (typeof languagesOfExamples)[number];

export function blocksOf(page: string): Block[] {
  return groupsOf(page).flat();
}

/** Blocks between which a page has no sentence. */
function groupsOf(page: string): Block[][] {
  const groups: Block[][] = [];
  let endOfLast = -1;
  for (const found of page.matchAll(/^```(\w*) ?(\w*)\n([\s\S]*?)^```$/gm)) {
    const [all, language = '', place = '', text = ''] = found;
    const isBeside = endOfLast >= 0 && page.slice(endOfLast, found.index).trim() === '';
    if (isBeside) groups.at(-1)?.push({ language, place, text });
    else groups.push([{ language, place, text }]);
    endOfLast = found.index + all.length;
  }
  return groups;
}

/** The scripts of a language that run on the local stack, each with the `json` and `text` blocks that follow it. */
export function stepsOf(page: string, wanted: Language = 'sh'): Step[] {
  const steps: { script: string; shown: Block[] }[] = [];
  let current: (typeof steps)[number] | undefined;
  for (const group of groupsOf(page)) {
    // What a group shows, and what follows it after a sentence, is of its own scripts.
    if (group.some(({ language }) => isExample(language))) current = undefined;
    for (const { language, place, text } of group) {
      if (language === wanted) {
        current = place === '' || place === 'only' ? { script: text, shown: [] } : undefined;
        if (current) steps.push(current);
      } else if (language === 'json' || language === 'text') current?.shown.push({ language, place, text });
      // One alone, of another language, prints what follows it.
      else if (isExample(language) && place === 'only') current = undefined;
    }
  }
  return steps;
}

/** Examples of a page that are not in all languages and not marked `only`. A page of one language alone has none. */
export function incompleteExamples(page: string): string[] {
  const groups = groupsOf(page).map((group) => group.filter(({ language }) => isExample(language)));
  const isOfMerchants = groups.some((group) => group.some(({ language }) => language !== 'sh'));
  if (!isOfMerchants) return [];
  return groups.flatMap((group) => {
    const together = group.filter(({ place }) => place === '').map(({ language }) => language);
    const isWhole = together.length === 0 || together.join() === languagesOfExamples.join();
    return isWhole ? [] : [`${together.join()}: ${group[0]?.text.trim() ?? ''}`];
  });
}

/** External ids of a page's examples that a second run, or another language, would send again. */
export function fixedIds(page: string): string[] {
  const fixed = /external_id\\?"?[:=] ?\\?["'`]([\w-]*\w)\\?["'`]/g;
  const examples = blocksOf(page).filter(({ language, place }) => isExample(language) && place !== 'start');
  return examples.flatMap(({ text }) => [...text.matchAll(fixed)].map(([, id = '']) => id));
}

function isExample(language: string): language is Language {
  return languagesOfExamples.some((each) => each === language);
}

/** Members that grow with each payment of an account. */
const sums: ReadonlySet<string> = new Set(['available_cents', 'total_cents', 'balance_after_cents']);

/**
 * What was printed, and what is shown, in a form that can be compared: what differs from run to run by its form alone.
 *
 * @param isFirst on an account that has nothing yet, whose sums are those of the page
 */
export function comparable(
  output: string,
  shown: readonly Block[],
  { isFirst = true }: { readonly isFirst?: boolean } = {},
): { printed: Json[]; expected: Json[] } {
  const { printed, expected } = compared(output, shown);
  return isFirst ? { printed, expected } : { printed: printed.map(withoutSums), expected: expected.map(withoutSums) };
}

function withoutSums(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutSums);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] => [
    name,
    sums.has(name) ? 'a sum' : withoutSums(member),
  ]);
  return Object.fromEntries(members);
}

function compared(output: string, shown: readonly Block[]): { printed: Json[]; expected: Json[] } {
  const lines = output.split('\n').filter((line) => line !== '');
  const printed: Json[] = [];
  const expected: Json[] = [];
  for (const { language, text } of shown) {
    if (language === 'json') {
      const wanted = withoutTheVolatile(JSON.parse(text));
      expected.push(wanted);
      printed.push(asFarAsShown(withoutTheVolatile(parsed(lines.shift())), wanted));
    } else {
      for (const line of text.trimEnd().split('\n')) {
        expected.push(withoutTheVolatile(line));
        printed.push(withoutTheVolatile(lines.shift() ?? null));
      }
    }
  }
  // What the page does not show of a step whose output it shows.
  return { printed: [...printed, ...lines], expected };
}

function parsed(line: string | undefined): Json {
  try {
    return JSON.parse(line ?? 'null');
  } catch {
    return line ?? null;
  }
}

/** Leaves out what the page leaves out, by an object's member `…`. */
function asFarAsShown(value: Json, wanted: Json): Json {
  if (Array.isArray(value) && Array.isArray(wanted)) {
    return value.map((member, index) => asFarAsShown(member, wanted[index] ?? null));
  }
  if (!isRecord(value) || !isRecord(wanted)) return value;
  const shown = Object.entries(value).filter(([name]) => !('…' in wanted) || name in wanted);
  const members = shown.map(([name, member]) => [name, asFarAsShown(member, wanted[name] ?? null)] as const);
  return { ...Object.fromEntries(members), ...('…' in wanted ? { '…': '…' } : {}) };
}

function withoutTheVolatile(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutTheVolatile);
  if (typeof value === 'number') return value > 1_700_000_000 ? 'a time' : value;
  if (isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutTheVolatile(member)]));
  }
  if (typeof value !== 'string') return value;
  return value
    .replace(/\b([a-z]{3})_[0-9a-hjkmnp-tv-z]{26}/g, '$1_')
    .replace(/\/qr\.svg\?token=[\w.-]+$/, '/qr.svg')
    .replace(/(\/pay\/\w+)\/[\w.-]+$/, '$1')
    .replace(/^\d{18}$/, 'a CLABE')
    .replace(/^[0-9a-f]{24}$/, 'a movId')
    .replace(/\b(whsec|[ps]k_(?:test|live))_[\w+/=…]+/g, '$1_')
    .replace(/-(?:\d{10}|\d{13}|\d{19})$/, '-run')
    .replace(/\bE\d{20}\w{11}\b/, 'E')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/g, 'a time')
    .replace(/[0-9a-f]{32}|6304[0-9A-F]{4}$/g, '')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1');
}

function isRecord(value: Json): value is Record<string, Json> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
