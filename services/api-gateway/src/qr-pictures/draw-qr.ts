import qrcode from 'qrcode';

const errorCorrectionLevel = 'M';
const quietZoneModules = 4;
const pngPixelsPerModule = 8;

/** The picture of a PIX code, without scripts and styles. */
export async function drawQrSvg(emv: string): Promise<string> {
  return await qrcode.toString(emv, { type: 'svg', errorCorrectionLevel, margin: quietZoneModules });
}

export async function drawQrPng(emv: string): Promise<Buffer> {
  const size = { margin: quietZoneModules, scale: pngPixelsPerModule };
  return await qrcode.toBuffer(emv, { type: 'png', errorCorrectionLevel, ...size });
}
