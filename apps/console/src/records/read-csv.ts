/** The cells of a file by row, which commas, semicolons or tabs part; quoted ones may have any of them. */
export function readCsv(file: string): readonly (readonly string[])[] {
  const text = file.replace(/^\uFEFF/, '');
  const [heading = ''] = text.split('\n', 1);
  const mark = [';', '\t', ','].find((each) => heading.includes(each)) ?? ',';
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (isQuoted && char === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (char === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (!isQuoted && char === mark) {
      row.push(cell);
      cell = '';
    } else if (!isQuoted && char === '\n') {
      rows.push([...row, cell.replace(/\r$/, '')]);
      row = [];
      cell = '';
    } else cell += char;
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell]);
  return rows.filter((cells) => cells.some((each) => each.trim() !== ''));
}
