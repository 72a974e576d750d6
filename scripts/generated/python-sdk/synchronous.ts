/** What a synchronous program has in place of the words of an asynchronous one. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/\basync (?=def|with|for)/g, ''],
  [/\bawait /g, ''],
  [/\bAsync(?=[A-Z])/g, ''],
  [/\b__a(iter|enter|exit)__/g, '__$1__'],
  [/\ba(close|closing|iter_bytes)\b/g, '$1'],
  [/\bclock_async\b/g, 'clock_sync'],
  [/\b_async\b/g, '_sync'],
  [/\basynchronous\b/g, 'synchronous'],
  [/\bAwaitable, |, Awaitable\b/g, ''],
];

/** The synchronous twin of a module, so that the two cannot drift. */
export function synchronous(source: string): string {
  return replacements.reduce((text, [pattern, by]) => text.replaceAll(pattern, by), withoutAwaitables(source));
}

/** `Awaitable[X]` is `X`, whatever brackets X has. */
function withoutAwaitables(source: string): string {
  const start = source.indexOf('Awaitable[');
  if (start < 0) return source;
  const opened = start + 'Awaitable['.length;
  let depth = 1;
  let end = opened;
  for (; depth > 0; end += 1) depth += source[end] === '[' ? 1 : source[end] === ']' ? -1 : 0;
  return withoutAwaitables(`${source.slice(0, start)}${source.slice(opened, end - 1)}${source.slice(end)}`);
}
