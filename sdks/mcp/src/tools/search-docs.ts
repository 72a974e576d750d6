import { z } from 'zod';
import type { Page } from './pages.ts';
import { reading, tool } from './tool.ts';

const textMax = 1_500;
const resultsMax = 5;

const found = z.object({ title: z.string(), address: z.string(), text: z.string(), cut: z.boolean() });

export const searchDocs = tool({
  name: 'search_docs',
  title: 'Search the documentation',
  description:
    'Finds sections of the gateway’s guides and operations of its API by words: "signature", "refund expired", "createDeposit". Answers with the five that fit best and their addresses.',
  hints: reading,
  input: z.object({ query: z.string().min(2).max(200).describe('Words, in English.') }),
  result: z.object({ found: z.array(found) }),
  async run({ pages }, { query }) {
    return { ownWords: { found: best(await pages(), query) } };
  },
});

/** Words of a question that say nothing of its subject. */
const stopWords = new Set([
  'the',
  'an',
  'of',
  'to',
  'in',
  'is',
  'it',
  'my',
  'do',
  'how',
  'what',
  'and',
  'or',
  'for',
  'with',
]);

/** What a word in the title of a section, in the name of its guide, and in its text counts for. */
const weights = { title: 3, place: 3, text: 1 } as const;

/** What an operation counts for beside a guide. */
const operationStanding = 0.5;

interface Scored {
  readonly page: Page;
  readonly title: ReadonlySet<string>;
  readonly place: ReadonlySet<string>;
  readonly text: ReadonlySet<string>;
}

/** Pages that have the words, rare words first; a word in the title or the name of the guide counts more than one in the text. */
function best(pages: readonly Page[], query: string): z.infer<typeof found>[] {
  const words = [...new Set(stemsOf(query))].filter((word) => !stopWords.has(word));
  const read = pages.map((page): Scored => {
    const [title, place, text] = [stemsOf(page.title), stemsOf(page.place), stemsOf(page.text)];
    return { page, title: new Set(title), place: new Set(place), text: new Set(text) };
  });
  const worth = words.map((word) => [word, rarityOf(word, read)] as const);
  const scored = read
    .map((each) => ({ page: each.page, score: scoreOf(each, worth) * standingOf(each.page, query) }))
    .filter(({ score }) => score > 0);
  return scored
    .toSorted((one, other) => other.score - one.score || (one.page.address < other.page.address ? -1 : 1))
    .slice(0, resultsMax)
    .map(({ page: { place: _place, ...page } }) => ({
      ...page,
      text: page.text.slice(0, textMax),
      cut: page.text.length > textMax,
    }));
}

/** A guide explains what an operation alone does not, unless the operation is asked for by its name. */
function standingOf({ address, place }: Page, query: string): number {
  if (query.includes(place) && !address.includes('/docs/guide/')) return 2;
  return address.includes('/docs/guide/') ? 1 : operationStanding;
}

/** Of a word in few pages, more than of one that every page has. */
function rarityOf(word: string, pages: readonly Scored[]): number {
  const having = pages.filter(({ title, place, text }) => [title, place, text].some((each) => each.has(word))).length;
  return Math.log((pages.length + 1) / (having + 1));
}

function scoreOf({ title, place, text }: Scored, words: readonly (readonly [word: string, worth: number])[]): number {
  const parts = [
    [title, weights.title],
    [place, weights.place],
    [text, weights.text],
  ] as const;
  return words.reduce(
    (sum, [word, worth]) => sum + worth * parts.reduce((all, [part, weight]) => all + (part.has(word) ? weight : 0), 0),
    0,
  );
}

/** Words in lower case without their endings: `createRefund` has `create` and `refund`, `refunds` is `refund`. */
function stemsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word.length > 1)
    .map((word) => word.replace(/(?<=[a-z]{3})(?:ing|ed|es|s)$/, '').replace(/(?<=[a-z]{3})e$/, ''));
}
