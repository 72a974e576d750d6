import { Ofx } from 'ofx-data-extractor';
import { parse } from 'ofx-js';

export interface OfxMovement {
  readonly FITID: string;
  readonly TRNAMT: string;
  readonly NAME: string;
  readonly MEMO: string;
}

interface OfxStatement {
  readonly CURDEF: string;
  readonly BANKTRANLIST: { readonly STMTTRN: OfxMovement[] | OfxMovement };
  readonly LEDGERBAL: { readonly BALAMT: string };
}

interface OfxFile {
  readonly OFX: { readonly BANKMSGSRSV1: { readonly STMTTRNRS: { readonly STMTRS: OfxStatement } } };
}

export interface ReadOfx {
  readonly currency: string;
  readonly movements: readonly OfxMovement[];
  readonly closing: string;
}

/** A file of OFX as two programs of others read it. */
export const ofxReaders: Readonly<Record<string, (file: string) => Promise<ReadOfx>>> = {
  'ofx-js': async (file) => {
    const { CURDEF, BANKTRANLIST, LEDGERBAL } = statementOf(await parse(file));
    return { currency: CURDEF, movements: [BANKTRANLIST.STMTTRN].flat(), closing: LEDGERBAL.BALAMT };
  },
  'ofx-data-extractor': async (file) => {
    const reader = new Ofx(file);
    const { CURDEF, LEDGERBAL } = statementOf(reader.toJson());
    const movements = reader.getBankTransferList() as unknown as OfxMovement[];
    return await Promise.resolve({ currency: CURDEF, movements, closing: LEDGERBAL.BALAMT });
  },
};

function statementOf(file: unknown): OfxStatement {
  return (file as OfxFile).OFX.BANKMSGSRSV1.STMTTRNRS.STMTRS;
}
