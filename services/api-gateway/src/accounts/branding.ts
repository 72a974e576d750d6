import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { decode, encode } from 'fast-png';
import { ValidationError } from '@gateway/contracts/errors';
import type { Environment } from '@gateway/contracts/values';
import type { Database } from '@gateway/persistence';
import type { BrandingRequest } from '@gateway/public-api';

/** What the payment page shows of a merchant beside the name. */
export const BrandingEntity = defineEntity({
  name: 'Branding',
  tableName: 'branding',
  properties: {
    environment: p.string().$type<Environment>().primary(),
    accountId: p.string().primary(),
    color: p.string().nullable(),
    /** A PNG picture as we have encoded it. */
    logo: p.blob().nullable(),
    updatedAt: p.datetime(3),
  },
});
export type BrandingEntity = InferEntity<typeof BrandingEntity>;

interface Owner {
  readonly environment: Environment;
  readonly accountId: string;
}

export interface Branding {
  readonly color: string | null;
  readonly logo: Buffer | null;
}

export async function brandingOf(database: Database, { environment, accountId }: Owner): Promise<Branding> {
  const row = await database.reader().findOne(BrandingEntity, { environment, accountId });
  return { color: row?.color ?? null, logo: row?.logo ? Buffer.from(row.logo) : null };
}

/** What a page has to know before it is drawn; the logo itself is read where it is shown. */
export async function lookOf(
  database: Database,
  { environment, accountId }: Owner,
): Promise<{ readonly color: string | null; readonly hasLogo: boolean }> {
  const [look] = await database.query<{ color: string | null; hasLogo: boolean }>(
    'select color, logo is not null as "hasLogo" from branding where environment = $1 and account_id = $2',
    [environment, accountId],
  );
  return look ?? { color: null, hasLogo: false };
}

/**
 * Replaces what the payment pages of one environment show.
 *
 * @throws ValidationError naming `color` when white text on it would be hard to read, `logo` when it is no PNG picture or
 * too large
 */
export async function replaceBranding(
  database: Database,
  { environment, accountId }: Owner,
  { color, logo }: BrandingRequest,
): Promise<Branding> {
  const kept = { color: readableColor(color ?? null), logo: cleanPicture(logo ?? null) };
  await database.query(
    `insert into branding (environment, account_id, color, logo, updated_at) values ($1, $2, $3, $4, clock_timestamp())
     on conflict (environment, account_id)
     do update set color = excluded.color, logo = excluded.logo, updated_at = excluded.updated_at`,
    [environment, accountId, kept.color, kept.logo],
  );
  return kept;
}

/** WCAG 2.2, success criterion 1.4.3. */
const contrastMin = 4.5;

function readableColor(color: string | null): string | null {
  if (color === null) return null;
  const contrast = contrastToWhite(color);
  if (contrast >= contrastMin) return color.toLowerCase();
  const message = `white text on it has a contrast of ${Math.floor(contrast * 10) / 10}:1 and needs ${contrastMin}:1: take a darker one`;
  throw new ValidationError([{ path: 'color', message }]);
}

/** Contrast ratio by relative luminance (WCAG 2.2, definitions). */
function contrastToWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

const widthMax = 1_024;
const heightMax = 512;
const logoBytesMax = 65_536;
const pngHeader = Buffer.from('89504e470d0a1a0a', 'hex');

/** The picture decoded and encoded again: what a file carries beside its pixels is not passed on. */
function cleanPicture(base64: string | null): Buffer | null {
  if (base64 === null) return null;
  const file = Buffer.from(base64, 'base64');
  if (!file.subarray(0, 8).equals(pngHeader)) throw badLogo('must be a PNG picture');
  const { width, height } = sizeOf(file);
  if (width > widthMax || height > heightMax) throw badLogo(`must be at most ${widthMax} by ${heightMax} pixels`);
  const encoded = reencoded(file);
  if (encoded.length > logoBytesMax) throw badLogo(`must be at most ${logoBytesMax} bytes when encoded again`);
  return encoded;
}

/**
 * The size by the header, before anything is decoded: a decoder makes room for what a header says. It is the first chunk,
 * and there is one alone (ISO/IEC 15948, 5.6 and 11.2.2).
 *
 * @throws ValidationError naming `logo`
 */
function sizeOf(file: Buffer): { width: number; height: number } {
  const types: string[] = [];
  // Each chunk is its length, its type, so many bytes, and a checksum.
  for (let at = pngHeader.length; at + 12 <= file.length; at += 12 + file.readUInt32BE(at)) {
    types.push(file.toString('latin1', at + 4, at + 8));
  }
  if (types[0] !== 'IHDR' || types.lastIndexOf('IHDR') !== 0) throw badLogo('must be a PNG picture with one header');
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}

function reencoded(file: Buffer): Buffer {
  try {
    const { width, height, data, depth, channels, palette, transparency } = decode(file, { checkCrc: true });
    const pixels = { width, height, data, depth, channels };
    return Buffer.from(
      encode({ ...pixels, ...(palette ? { palette } : {}), ...(transparency ? { transparency } : {}) }),
    );
  } catch {
    throw badLogo('must be a whole PNG picture');
  }
}

function badLogo(message: string): ValidationError {
  return new ValidationError([{ path: 'logo', message }]);
}
