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

/** A console as it was built: its page, and the files that the page names, whose names change with their content. */
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
 * Reads what `npm run build -w apps/console` made, into memory: a request never names a path on the disk.
 *
 * @throws Error when the directory holds no built console, or a file of a kind that is not served
 */
export async function readConsoleFiles(directory: string): Promise<ConsoleFiles> {
  const page = await readFile(join(directory, 'operators.html'), 'utf8').catch((cause: unknown) => {
    throw new Error(`OPERATOR_CONSOLE_FILES=${directory} holds no built console`, { cause });
  });
  const folder = join(directory, 'assets');
  const all = await readdir(folder);
  const compressed = new Set(Object.values(endings) as string[]);
  const names = all.filter((name) => !compressed.has(extname(name)));
  const typed = names.map((name) => [name, typeOf(join(folder, name))] as const);
  const read = typed.map(async ([name, type]): Promise<[string, ConsoleAsset]> => {
    const codings = contentCodings.filter((coding) => all.includes(`${name}${endings[coding]}`));
    const [whole, ...bytes] = await Promise.all([
      readFile(join(folder, name)),
      ...codings.map((coding) => readFile(join(folder, `${name}${endings[coding]}`))),
    ]);
    const coded = Object.fromEntries(codings.map((coding, place) => [coding, bytes[place]]));
    return [name, { type, whole, compressed: coded }];
  });
  return { page: taggedText(page), assets: new Map(await Promise.all(read)) };
}

function typeOf(file: string): string {
  const type = types[extname(file)];
  if (type === undefined) throw new Error(`${file} is of a kind that the console does not serve`);
  return type;
}
