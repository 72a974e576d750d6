import type { Json } from './merchant-client.ts';

/** A fenced block of a page: ```<language> <place>. */
export interface Block {
  readonly language: string;
  /** Where an `sh` block is meant to run, when that is not the local stack: `compose`, `kubernetes`, `start`. */
  readonly place: string;
  readonly text: string;
}

/** A script of the page, and all it prints as far as the page shows it. */
export interface Step {
  readonly script: string;
  readonly shown: readonly Block[];
}

export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w*) ?(\w*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', place = '', text = '']): Block => ({ language, place, text }),
  );
}

/** The scripts that run on the local stack, each with the `json` and `text` blocks that follow it. */
export function stepsOf(page: string): Step[] {
  const steps: { script: string; shown: Block[] }[] = [];
  let current: (typeof steps)[number] | undefined;
  for (const block of blocksOf(page)) {
    if (block.language === 'sh') {
      current = block.place === '' ? { script: block.text, shown: [] } : undefined;
      if (current) steps.push(current);
    } else if (block.language === 'json' || block.language === 'text') current?.shown.push(block);
  }
  return steps;
}

/** What was printed, and what is shown, in a form that can be compared: what differs from run to run by its form alone. */
export function comparable(output: string, shown: readonly Block[]): { printed: Json[]; expected: Json[] } {
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
    .replace(/\bE\d{20}\w{11}\b/, 'E')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/g, 'a time')
    .replace(/[0-9a-f]{32}|6304[0-9A-F]{4}$/g, '')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1');
}

function isRecord(value: Json): value is Record<string, Json> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
