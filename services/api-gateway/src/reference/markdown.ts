/**
 * The Markdown of a page, for tools and for people in a terminal. It knows the elements that these pages are made of, and
 * throws at one that it does not know, so that nothing is lost unnoticed.
 *
 * @param linkTo where a link leads in this form
 */
export function markdownOf(html: string, linkTo: (href: string) => string): string {
  const blocks: string[] = [];
  // Code is taken out first: nothing within it is markup.
  const text = html.replaceAll(/<pre[^>]*>([\s\S]*?)<\/pre>/g, (_, code: string) => {
    blocks.push(`\n\n\`\`\`\n${unescaped(code).replace(/\n$/, '')}\n\`\`\`\n\n`);
    return `\u{e000}${blocks.length - 1}\u{e001}`;
  });
  const written = tablesIn(text)
    .replaceAll(/<a href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g, (_, href: string, label: string) => {
      return `[${label}](${linkTo(unescaped(href))})`;
    })
    .replaceAll(/<h([1-6])[^>]*>/g, (_, depth: string) => `\n\n${'#'.repeat(Number(depth))} `)
    .replaceAll(/<article id="[^"]*">|<(?:article|section|div|p|ul|ol|dl)(?: [^>]*)?>/g, '\n\n')
    .replaceAll(/<\/(?:h[1-6]|article|section|div|p|ul|ol|dl|details)>/g, '\n\n')
    .replaceAll(/<(?:li|dt)>/g, '\n- ')
    .replaceAll(/<\/dt><dd>/g, ': ')
    .replaceAll(/<dd>|<\/(?:li|dt|dd)>/g, '')
    .replaceAll(/<\/?code>/g, '`')
    .replaceAll(/<\/?strong>/g, '**')
    .replaceAll(/<\/?em>/g, '_')
    .replaceAll(/<span class="type">([\s\S]*?)<\/span>/g, '($1)')
    .replaceAll(/<details(?: open)?><summary>([\s\S]*?)<\/summary>/g, '\n\n$1\n\n');
  const [unknown] = /<[a-z/][^>]*>/i.exec(written) ?? [];
  if (unknown !== undefined) throw new Error(`Markdown has no form for ${unknown}`);
  return `${unescaped(written)
    .replaceAll(/\u{e000}(\d+)\u{e001}/gu, (_, at: string) => blocks[Number(at)] ?? '')
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

function tablesIn(html: string): string {
  return html.replaceAll(/<div class="wide" tabindex="0"><table>([\s\S]*?)<\/table><\/div>/g, (_, table: string) => {
    const rows = [...table.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) => {
      const cells = [...row.matchAll(/<t[hd]>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) =>
        cell.replaceAll('|', '\\|'),
      );
      return `| ${cells.join(' | ')} |`;
    });
    const columns = rows[0]?.split(/(?<!\\)\|/).length ?? 2;
    return ['\n', rows[0], `|${'---|'.repeat(columns - 2)}`, ...rows.slice(1), '\n'].join('\n');
  });
}

/** Text of markup, as it was before it was escaped. */
export function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
