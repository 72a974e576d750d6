/** HTML that is safe as it stands. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** HTML from a template: every value is escaped, unless it is HTML already. */
export function markup(parts: TemplateStringsArray, ...values: readonly (string | number | Html | readonly Html[])[]) {
  const written = values.map((value) => {
    if (value instanceof Html) return value.text;
    if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
    return value.map(({ text }) => text).join('');
  });
  return new Html(parts.map((part, at) => part + (written[at] ?? '')).join(''));
}

export const nothing = new Html('');

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
