import type { LedgerEntryType } from '@gateway/contracts/ledger';
import { ZoneClock } from '@gateway/public-api';
import {
  currencyCode,
  firstCharacters,
  signedDecimal,
  xmlText,
  type StatementFormat,
  type WrittenHeader,
  type WrittenMovement,
} from '#src/write/format.ts';

const accountCharacters = 22;
const nameCharacters = 32;
const referenceCharacters = 32;
const memoCharacters = 255;

/** `HOLD` would be nearer to a block, but readers refuse it; the type itself is in MEMO. */
const kinds: Readonly<Record<LedgerEntryType, 'XFER' | 'FEE' | 'DIRECTION'>> = {
  DEPOSIT_NET: 'DIRECTION',
  PAYOUT: 'XFER',
  PAYOUT_FEE: 'FEE',
  PAYOUT_REVERSAL: 'XFER',
  PAYOUT_FEE_REVERSAL: 'FEE',
  PAYOUT_RETURN: 'XFER',
  DEPOSIT_REFUND: 'DIRECTION',
  MED_BLOCK: 'DIRECTION',
  MED_RELEASE: 'DIRECTION',
  CONVERSION: 'XFER',
  ADJUSTMENT: 'DIRECTION',
};

/** The names that readers know of the zones our rails have. */
const zoneNames: Readonly<Record<string, string>> = { 'America/Sao_Paulo': 'BRT', 'America/Mexico_City': 'CST' };

const xmlPreamble =
  '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' +
  '<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>\n';

const sgmlPreamble = [
  'OFXHEADER:100',
  'DATA:OFXSGML',
  'VERSION:102',
  'SECURITY:NONE',
  'ENCODING:UTF-8',
  'CHARSET:NONE',
  'COMPRESSION:NONE',
  'OLDFILEUID:NONE',
  'NEWFILEUID:NONE',
  '',
  '',
].join('\r\n');

export const ofx220 = ofxFormat(xmlPreamble);
/** What Brazilian ERPs read: the head is that of SGML, and every element has its end all the same. */
export const ofx102 = ofxFormat(sgmlPreamble);

/** Without available balance and without pending movements: ERPs book both. */
function ofxFormat(preamble: string): StatementFormat {
  return {
    mediaType: 'application/x-ofx',
    extension: 'ofx',
    rowsMax: null,
    begin: (header) => preamble + beginOf(header),
    movements: (header, page) => {
      const timeOf = ofxClock(header.period.zone);
      return page.map((movement) => movementText(header, movement, timeOf)).join('');
    },
    end: ({ closing, currency, period }) => {
      const balance = element('BALAMT', signedDecimal(closing, currency));
      const asOf = element('DTASOF', ofxClock(period.zone)(period.toMs));
      return `\n</BANKTRANLIST><LEDGERBAL>${balance}${asOf}</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`;
    },
  };
}

function beginOf({ account, currency, createdAtMs, period }: WrittenHeader): string {
  const timeOf = ofxClock(period.zone);
  const status = '<STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>';
  const institution = '<FI><ORG>gateway</ORG><FID>gateway</FID></FI>';
  const server = `${element('DTSERVER', timeOf(createdAtMs))}<LANGUAGE>POR</LANGUAGE>`;
  const number = element('ACCTID', accountNumber(account.id, currency));
  return [
    `<OFX><SIGNONMSGSRSV1><SONRS>${status}${server}${institution}</SONRS></SIGNONMSGSRSV1>`,
    `<BANKMSGSRSV1><STMTTRNRS><TRNUID>0</TRNUID>${status}<STMTRS>${element('CURDEF', currencyCode(currency))}`,
    `<BANKACCTFROM><BANKID>gateway</BANKID>${number}<ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>`,
    `<BANKTRANLIST>${element('DTSTART', timeOf(period.fromMs))}${element('DTEND', timeOf(period.toMs))}`,
  ].join('');
}

/** A program takes an account for the same by its number alone, so each currency has one: that of reais is the plain one. */
function accountNumber(accountId: string, currency: string): string {
  const suffix = currency === 'BRL' ? '' : `-${currency}`;
  return accountId.slice(suffix.length - accountCharacters) + suffix;
}

function movementText(
  { currency }: WrittenHeader,
  movement: WrittenMovement,
  timeOf: (atMs: number) => string,
): string {
  const { entryId, type, net, externalId, e2eId } = movement;
  const kind = kinds[type] === 'DIRECTION' ? (net < 0 ? 'DEBIT' : 'CREDIT') : kinds[type];
  const reference = e2eId !== null && e2eId.length <= referenceCharacters ? element('REFNUM', e2eId) : '';
  const name = externalId === null ? '' : element('NAME', firstCharacters(externalId, nameCharacters));
  return [
    `\n<STMTTRN>${element('TRNTYPE', kind)}${element('DTPOSTED', timeOf(movement.bookedAtMs))}`,
    `${element('TRNAMT', signedDecimal(net, currency))}${element('FITID', entryId)}${reference}${name}`,
    `${element('MEMO', firstCharacters(memoOf(movement, currency), memoCharacters))}</STMTTRN>`,
  ].join('');
}

/** The type and the record, the fee that is part of a deposit, and what had no place in its own element. */
function memoOf({ type, recordId, fee, externalId, e2eId }: WrittenMovement, currency: WrittenHeader['currency']) {
  const parts = [type, recordId];
  if (type === 'DEPOSIT_NET' && fee !== null && fee !== 0) parts.push(`fee ${signedDecimal(fee, currency)}`);
  if (e2eId !== null && e2eId.length > referenceCharacters) parts.push(`e2e ${e2eId}`);
  if (externalId !== null && externalId.length > nameCharacters) parts.push(`ref ${externalId}`);
  return parts.filter((part) => part !== null).join(' ');
}

/** `20261120090005.120[-3:BRT]`. An offset that is no whole hour is read in two ways: such times are written in UTC. */
function ofxClock(zone: string): (atMs: number) => string {
  const clock = new ZoneClock(zone);
  const name = zoneNames[zone] ?? 'LOC';
  return (atMs) => {
    const local = clock.isoTime(atMs);
    const offset = Number(local.slice(-6, -3));
    if (!local.endsWith(':00')) return `${digitsOf(new Date(atMs).toISOString().slice(0, -1))}[0:GMT]`;
    return `${digitsOf(local.slice(0, -6))}[${offset}:${name}]`;
  };
}

function digitsOf(isoTime: string): string {
  return isoTime.replace(/[-:T]/g, '');
}

function element(name: string, text: string): string {
  return `<${name}>${xmlText(text)}</${name}>`;
}
