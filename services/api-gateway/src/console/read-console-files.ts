import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { taggedText, type TaggedBytes } from '#src/http/entity-tag.ts';

/** One built file, as it is sent: whole, and compressed where the build has compressed it. */
export interface ConsoleAsset {
  readonly type: string;
  readonly whole: Buffer;
  readonly compressed: Readonly<Partial<Record<ContentCoding, Buffer>>>;
}

/** In the order of preference. */
export const contentCodings = ['br', 'gzip'] as const;
export type ContentCoding = (typeof contentCodings)[number];

/** The pages that the build has made; each is the whole console of one realm. */
export type ConsolePage = 'operators.html' | 'merchants.html';

/** A console as it was built: its page, and the files that the page loads, whose names change with their content. */
export interface ConsoleFiles {
  readonly page: TaggedBytes;
  /** By file name. */
  readonly assets: ReadonlyMap<string, ConsoleAsset>;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const endings = { br: '.br', gzip: '.gz' } as const satisfies Record<ContentCoding, string>;

/**
 * Reads what `npm run build -w apps/console` made, into memory: a request never names a path on the disk. Of the built files
 * it takes those that the page loads, so that no console serves the code of another.
 *
 * @throws Error when the directory holds no such page, or a file of a kind that is not served
 */
export async function readConsoleFiles(directory: string, name: ConsolePage): Promise<ConsoleFiles> {
  const page = await readFile(join(directory, name), 'utf8').catch((cause: unknown) => {
    throw new Error(`${directory} holds no built console: there is no ${name}`, { cause });
  });
  const folder = join(directory, 'assets');
  const all = await readdir(folder);
  const compressed = new Set(Object.values(endings) as string[]);
  const files = all.filter((file) => !compressed.has(extname(file)));
  const typed = new Map(files.map((file) => [file, typeOf(join(folder, file))]));
  const read = [...(await loadedBy(page, files, folder))].map(
    async ([file, whole]): Promise<[string, ConsoleAsset]> => {
      const codings = contentCodings.filter((coding) => all.includes(`${file}${endings[coding]}`));
      const bytes = await Promise.all(codings.map((coding) => readFile(join(folder, `${file}${endings[coding]}`))));
      const coded = Object.fromEntries(codings.map((coding, place) => [coding, bytes[place]]));
      return [file, { type: typed.get(file) ?? '', whole, compressed: coded }];
    },
  );
  return { page: taggedText(page), assets: new Map(await Promise.all(read)) };
}

/** The files whose names a page has, or one of the files that it loads: names have a hash, and stand for nothing else. */
async function loadedBy(page: string, files: readonly string[], folder: string): Promise<Map<string, Buffer>> {
  const loaded = new Map<string, Buffer>();
  const texts = [page];
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    for (const file of files.filter((each) => !loaded.has(each) && text.includes(each))) {
      const whole = await readFile(join(folder, file));
      loaded.set(file, whole);
      texts.push(whole.toString());
    }
  }
  return loaded;
}

function typeOf(file: string): string {
  const type = types[extname(file)];
  if (type === undefined) throw new Error(`${file} is of a kind that the console does not serve`);
  return type;
}
