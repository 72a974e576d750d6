import { GatewayError } from '@gateway/sdk';

/**
 * Draws the picture that the gateway makes of a code with half blocks, two rows of modules in a line of text. Black modules
 * are gaps in white, so that cameras read it on a dark terminal too.
 *
 * @param svg as `GET /v1/deposits/{id}/qr.svg` answers it: a path of runs `M<x> <y>h<length>v1h-<length>z`
 * @throws GatewayError for another picture
 */
export function drawnQr(svg: string): string {
  const size = Number(/viewBox="0 0 (\d+) \d+"/.exec(svg)?.[1] ?? 0);
  const black = new Set<number>();
  for (const [, x = '', y = '', length = ''] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let column = Number(x); column < Number(x) + Number(length); column += 1) black.add(Number(y) * size + column);
  if (size === 0 || black.size === 0) throw new GatewayError('the picture of the code is not one of this gateway');
  const isWhite = (x: number, y: number) => y < size && !black.has(y * size + x);
  const lines: string[] = [];
  for (let y = 0; y < size; y += 2)
    lines.push(Array.from({ length: size }, (_, x) => blockOf(isWhite(x, y), isWhite(x, y + 1))).join(''));
  return `${lines.join('\n')}\n`;
}

function blockOf(upper: boolean, lower: boolean): string {
  if (upper) return lower ? '█' : '▀';
  return lower ? '▄' : ' ';
}
