import { DomainError } from '@gateway/contracts/errors';
import type { Environment } from '@gateway/contracts/values';
import { counter } from '@gateway/runtime';
import { entityTagOf } from '#src/http/entity-tag.ts';
import { drawQr, type PictureFormat } from '#src/pages/draw-qr.ts';

/** Some 4 KB each. */
const picturesMax = 2_000;
const drawingsMax = 32;

const shown = counter('gateway_qr_pictures_total', 'QR pictures asked for, by format and whether they were drawn', [
  'format',
  'source',
]);

export interface Picture {
  readonly bytes: Buffer;
  readonly entityTag: string;
}

/** Whose deposit a picture is of: a picture that is kept for its owner is found by its owner alone. */
export interface PictureOf {
  readonly environment: Environment;
  readonly accountId: string;
  readonly id: string;
  readonly format: PictureFormat;
}

/**
 * Pictures of deposits. The code of a deposit never changes, so each is drawn once and kept, the one not asked for the
 * longest being dropped first; calls that arrive together share one drawing.
 */
export class KeptPictures {
  readonly #draw: typeof drawQr;
  readonly #kept = new Map<string, Picture>();
  readonly #drawing = new Map<string, Promise<Picture>>();

  constructor(draw: typeof drawQr = drawQr) {
    this.#draw = draw;
  }

  find(of: PictureOf): Picture | undefined {
    const key = keyOf(of);
    const picture = this.#kept.get(key);
    if (!picture) return undefined;
    this.#keep(key, picture);
    shown.add(1, { format: of.format, source: 'kept' });
    return picture;
  }

  /** @throws DomainError SERVICE_UNAVAILABLE when too many are being drawn */
  async draw(of: PictureOf, emv: string): Promise<Picture> {
    const key = keyOf(of);
    const underWay = this.#drawing.get(key);
    if (underWay) return await underWay;
    if (this.#drawing.size >= drawingsMax) {
      throw new DomainError('SERVICE_UNAVAILABLE', 'too many pictures are being drawn', { retryAfterSec: 1 });
    }
    const drawing = this.#drawn(key, emv, of.format);
    this.#drawing.set(key, drawing);
    try {
      return await drawing;
    } finally {
      this.#drawing.delete(key);
    }
  }

  async #drawn(key: string, emv: string, format: PictureFormat): Promise<Picture> {
    const bytes = await this.#draw(emv, format);
    const picture = { bytes, entityTag: entityTagOf(bytes) };
    this.#keep(key, picture);
    shown.add(1, { format, source: 'drawn' });
    return picture;
  }

  #keep(key: string, picture: Picture): void {
    this.#kept.delete(key);
    this.#kept.set(key, picture);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > picturesMax && oldest !== undefined) this.#kept.delete(oldest);
  }
}

function keyOf({ environment, accountId, id, format }: PictureOf): string {
  return `${environment}:${accountId}:${id}:${format}`;
}
