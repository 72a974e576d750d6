import encodeQr from 'qr';
import { oneBitPng } from '#src/pages/one-bit-png.ts';

const quietZoneModules = 4;
const pngPixelsPerModule = 8;

export type PictureFormat = 'svg' | 'png';

/** The picture of a PIX code. The code itself takes a fifth of a millisecond, measured with 180 characters. */
export async function drawQr(emv: string, format: PictureFormat): Promise<Buffer> {
  const modules = encodeQr(emv, 'raw', { ecc: 'medium', border: quietZoneModules });
  return format === 'png' ? await oneBitPng(modules, pngPixelsPerModule) : Buffer.from(svgOf(modules));
}

/** Without scripts and styles; white behind the modules, so that it can be read on a dark page. */
function svgOf(modules: readonly (readonly boolean[])[]): string {
  const size = modules.length;
  const runs = modules.flatMap((row, y) =>
    blackRunsOf(row).map(({ x, length }) => `M${x} ${y}h${length}v1h-${length}z`),
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path fill="#ffffff" d="M0 0h${size}v${size}H0z"/><path fill="#000000" d="${runs.join('')}"/></svg>\n`
  );
}

function blackRunsOf(row: readonly boolean[]): { readonly x: number; readonly length: number }[] {
  const runs: { x: number; length: number }[] = [];
  for (const [x, black] of row.entries()) {
    const last = runs.at(-1);
    if (!black) continue;
    if (last && last.x + last.length === x) last.length += 1;
    else runs.push({ x, length: 1 });
  }
  return runs;
}
