import { expect, test } from 'vitest';
import type { ItemKind } from '@gateway/contracts/reconciler';
import { kindOfMovement } from '#src/files/kind-of-line.ts';

const pix = 'E12345678202611201200aaaaaaaaaaa';
const returned = 'D12345678202611201200aaaaaaaaaaa';

interface BankLine {
  readonly net: number;
  readonly text?: string;
  readonly type?: string;
  readonly e2eId?: string;
}

const kindOf = (currency: string, { net, text = '', type = '', e2eId }: BankLine) =>
  kindOfMovement({ provider: 'efi', currency }, { net, text, type, e2eId: e2eId ?? null });

test.each<[ItemKind, BankLine]>([
  ['payment', { net: 9_850, text: 'PIX RECEBIDO MARIA' }],
  ['payment', { net: 9_850, text: 'RECEBIMENTO', e2eId: pix }],
  ['payout', { net: -5_000, text: 'Pix enviado' }],
  ['payout', { net: -5_000, text: 'TRANSFERENCIA', e2eId: pix }],
  // What went back has an id that begins with D, or a word for it, and is no new payment although Pix stands there.
  ['refund', { net: -2_500, text: 'PIX ENVIADO', e2eId: returned }],
  ['refund', { net: -2_500, text: 'DEVOLUÇÃO PIX' }],
  ['refund', { net: -2_500, text: 'PIX DEVOLVIDO' }],
  ['payout_return', { net: 5_000, text: 'PIX RECEBIDO', e2eId: returned }],
  ['payout_return', { net: 5_000, text: 'Estorno de Pix enviado' }],
  ['payout_return', { net: 5_000, text: 'DEVOL PIX ENVIADO' }],
  // MED before every other word of the line.
  ['dispute_return', { net: -3_000, text: 'DEVOLUCAO PIX MED', e2eId: returned }],
  ['dispute_return', { net: -3_000, text: 'Mecanismo Especial de Devolução' }],
  ['dispute_return', { net: -3_000, text: 'BLOQUEIO INFRAÇÃO' }],
  ['dispute_overturn', { net: 3_000, text: 'ESTORNO MED PIX' }],
  // By the bank's code for it in each format, and by its words.
  ['provider_fee', { net: -85, type: 'FEE' }],
  ['provider_fee', { net: -85, type: 'SRVCHG', text: 'PIX' }],
  ['provider_fee', { net: -85, type: '105' }],
  ['provider_fee', { net: -85, type: 'PMNT/MDOP/CHRG' }],
  ['provider_fee', { net: -85, text: 'TARIFA PIX' }],
  ['provider_fee', { net: -85, text: 'Tar. pix recebido' }],
  ['provider_fee', { net: -38, text: 'IOF' }],
  // A word is a whole one, and what no rule knows is nothing in particular.
  ['other', { net: -100, text: 'TARGET TRADING' }],
  ['other', { net: 100, text: 'TED RECEBIDA' }],
  ['other', { net: 100, type: 'FEE' }],
])('a line of a Brazilian bank is a %s: %j', (kind, line) => {
  expect(kindOf('BRL', line)).toBe(kind);
});

test.each<[ItemKind, BankLine]>([
  ['payment', { net: 10_000, text: 'SPEI RECIBIDO BANORTE' }],
  ['payout', { net: -10_000, text: 'SPEI ENVIADO' }],
  ['refund', { net: -10_000, text: 'DEVOLUCIÓN SPEI RECIBIDO' }],
  ['payout_return', { net: 10_000, text: 'SPEI DEVUELTO' }],
  ['provider_fee', { net: -580, text: 'COMISIÓN SPEI' }],
  ['provider_fee', { net: -93, text: 'IVA COMISION' }],
  ['provider_fee', { net: -93, type: 'FEE' }],
  ['other', { net: -100, text: 'CHEQUE' }],
  ['other', { net: 100, text: 'PIX RECEBIDO' }],
])('a line of a Mexican bank is a %s: %j', (kind, line) => {
  expect(kindOf('MXN', line)).toBe(kind);
});

test('words of a country say nothing of the money of another', () => {
  expect(kindOf('USDT', { net: 100, text: 'PIX RECEBIDO', e2eId: pix })).toBe('other');
});
