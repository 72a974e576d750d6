/** Python's own words, which no member may be named by. */
const keywords = new Set(['from', 'class', 'def', 'global', 'import', 'in', 'is', 'lambda', 'not', 'pass', 'return']);
const widthMax = 118;

/** A name of the API as Python can write it: `from` is `from_`. */
export function pythonName(name: string): string {
  return keywords.has(name) ? `${name}_` : name;
}

/** A text as Python writes it. */
export function pythonText(text: string): string {
  return JSON.stringify(text);
}

/** A documentation string, wrapped. */
export function documented(text: string, indent: string): string[] {
  const words = text.replaceAll('\\', '\\\\').replaceAll('`', '``').replaceAll('"""', "'''").split(/ +/);
  const lines: string[] = [];
  let line = `${indent}"""`;
  for (const word of words) {
    const isFirst = line.endsWith('"""') || line === indent;
    if (!isFirst && line.length + word.length + 1 > widthMax - 4) {
      lines.push(line);
      line = indent;
    }
    line += line === indent || line.endsWith('"""') ? word : ` ${word}`;
  }
  // A quotation mark at the end would end the string before its end.
  lines.push(`${line}${line.endsWith('"') ? ' ' : ''}"""`);
  return lines;
}

/** A documentation string in several paragraphs. */
export function documentedIn(paragraphs: readonly string[], indent: string): string[] {
  const [first = '', ...others] = paragraphs;
  if (others.length === 0) return documented(first, indent);
  const whole = paragraphs.map((paragraph) => documented(paragraph, indent));
  return whole.flatMap((lines, index) => {
    const isLast = index === whole.length - 1;
    const opened = index === 0 ? lines : lines.map((line, at) => (at === 0 ? line.replace('"""', '') : line));
    const closed = opened.map((line, at) => (at === opened.length - 1 ? line.replace(/ ?"""$/, '') : line));
    if (isLast) return [...closed, `${indent}"""`];
    return index === 0 ? [...closed, ''] : closed;
  });
}

/** The head of a method, on one line where it fits. */
export function signatureLines(name: string, parameters: readonly string[], type: string): string[] {
  const line = `    ${name}(self, ${parameters.join(', ')}) -> ${type}:`;
  if (line.length <= widthMax) return [line];
  return [`    ${name}(`, ...['self', ...parameters].map((each) => `        ${each},`), `    ) -> ${type}:`];
}
