import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What all processes of a stack, its servers included, have logged so far: by file, line by line. */
function linesOf(home: string): { readonly file: string; readonly line: string }[] {
  const folder = join(home, 'logs');
  return readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .map((line) => ({ file, line })),
  );
}

/** Names of the services that have logged anything: who says nothing proves nothing. */
export function loggingServices(home: string): string[] {
  return [
    ...new Set(
      linesOf(home)
        .filter(({ line }) => line !== '')
        .map(({ file }) => file.replace('.log', '')),
    ),
  ];
}

/** Every line that holds one of the texts, with the name of the text instead of the text. */
export function leaksIn(home: string, texts: Readonly<Record<string, string>>): string[] {
  return linesOf(home).flatMap(({ file, line }) =>
    Object.entries(texts)
      .filter(([, text]) => line.includes(text))
      .map(([name, text]) => `${file}: ${name}: ${line.replaceAll(text, '…').slice(0, 300)}`),
  );
}
