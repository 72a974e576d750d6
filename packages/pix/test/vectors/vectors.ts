import vectors from './pix.json' with { type: 'json' };

interface Sourced {
  readonly value: string;
}

/** A documented code, and how two independent libraries read it. */
interface BrCodeVector {
  readonly code: string;
  readonly crc: string;
  readonly kind: string;
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly brazilian_utils_2_4_0: boolean;
  readonly pix_utils_2_8_2: string;
}

interface InvalidBrCodeVector {
  readonly code: string;
  readonly reason: string;
  readonly crc_matches: boolean;
}

export const validBrCodes: readonly BrCodeVector[] = vectors.emv.valid;
export const invalidBrCodes: readonly InvalidBrCodeVector[] = vectors.emv.invalid;

export const valuesOf = (list: readonly Sourced[]): string[] => list.map(({ value }) => value);

export default vectors;
