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

/** Pages that have most of the words, those with them in their title first. */
function best(pages: readonly Page[], query: string): z.infer<typeof found>[] {
  const words = query
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word.length > 1);
  const scored = pages.map((page) => ({ page, score: scoreOf(page, words) })).filter(({ score }) => score > 0);
  return scored
    .toSorted((one, other) => other.score - one.score || (one.page.address < other.page.address ? -1 : 1))
    .slice(0, resultsMax)
    .map(({ page }) => ({ ...page, text: page.text.slice(0, textMax), cut: page.text.length > textMax }));
}

function scoreOf({ title, text }: Page, words: readonly string[]): number {
  const [inTitle, inText] = [title.toLowerCase(), text.toLowerCase()];
  return words.reduce((sum, word) => sum + (inTitle.includes(word) ? 3 : 0) + (inText.includes(word) ? 1 : 0), 0);
}
