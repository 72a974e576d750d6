import type { CamtVersion } from '@gateway/contracts/exports';
import type { LedgerEntryType } from '@gateway/contracts/ledger';
import { ZoneClock } from '@gateway/public-api';
import {
  currencyCode,
  firstCharacters,
  unsignedDecimal,
  xmlText,
  type StatementFormat,
  type WrittenHeader,
  type WrittenMovement,
} from '#src/write/format.ts';

const idCharacters = 35;
const additionalCharacters = 500;
const accountIdCharacters = 12;

/** Bank transaction codes of ISO 20022: domain, family, sub-family. Ours is beside them as the proprietary code. */
const codes: Readonly<Record<LedgerEntryType, (isDebit: boolean) => readonly [string, string, string]>> = {
  DEPOSIT_NET: () => ['PMNT', 'RRCT', 'ESCT'],
  PAYOUT: () => ['PMNT', 'IRCT', 'ESCT'],
  PAYOUT_FEE: () => ['PMNT', 'MDOP', 'CHRG'],
  PAYOUT_REVERSAL: () => ['PMNT', 'RRCT', 'RRTN'],
  PAYOUT_FEE_REVERSAL: () => ['PMNT', 'MCOP', 'CHRG'],
  PAYOUT_RETURN: () => ['PMNT', 'RRCT', 'RRTN'],
  DEPOSIT_REFUND: () => ['PMNT', 'IRCT', 'RRTN'],
  MED_BLOCK: () => ['ACMT', 'MDOP', 'ADJT'],
  MED_RELEASE: () => ['ACMT', 'MCOP', 'ADJT'],
  CONVERSION: () => ['FORX', 'SPOT', 'OTHR'],
  ADJUSTMENT: (isDebit) => ['ACMT', isDebit ? 'MDOP' : 'MCOP', 'ADJT'],
};

/**
 * ISO 20022, BankToCustomerStatement. What is written is valid in each version from 08 on; in 02, which many programs have never
 * left, the state of an entry is a code of its own, details have no amount beside that of their entry, and charges have one more.
 */
export function camt053Format({ version }: { readonly version: CamtVersion }): StatementFormat {
  return {
    mediaType: 'application/xml',
    extension: 'xml',
    rowsMax: null,
    begin: (header) => beginOf(header, version),
    movements: (header, page) => page.map((movement) => entryText(header, movement, version)).join(''),
    end: () => '\n</Stmt></BkToCstmrStmt></Document>\n',
  };
}

function beginOf(header: WrittenHeader, version: CamtVersion): string {
  const { id, account, currency, period } = header;
  const created = element('CreDtTm', secondOf(header.createdAtMs));
  const between = element('FrDtTm', secondOf(period.fromMs)) + element('ToDtTm', secondOf(period.toMs));
  const code = currencyCode(currency);
  const name = code === currency ? '' : element('Nm', currency);
  const { first, last } = daysOf(period);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt>`,
    `<GrpHdr>${element('MsgId', id)}${created}</GrpHdr>\n`,
    `<Stmt>${element('Id', statementId(header))}${element('ElctrncSeqNb', String(header.number))}${created}`,
    `<FrToDt>${between}</FrToDt>\n`,
    `<Acct><Id><Othr>${element('Id', account.id)}</Othr></Id>${element('Ccy', code)}${name}</Acct>`,
    balanceText('OPBD', header.opening, first, currency),
    balanceText('CLBD', header.closing, last, currency),
  ].join('');
}

/** Unique for the account, the currency and the days, in 35 characters. */
function statementId({ account, currency, period }: WrittenHeader): string {
  const { first, last } = daysOf(period);
  const days = [...new Set([first, last])].map((day) => day.replaceAll('-', ''));
  return [account.id.slice(-accountIdCharacters), ...days, currency].join('-');
}

function daysOf({ fromMs, toMs, zone }: WrittenHeader['period']): { readonly first: string; readonly last: string } {
  const clock = new ZoneClock(zone);
  return { first: clock.dateOf(fromMs), last: clock.dateOf(toMs - 1) };
}

function balanceText(kind: string, amount: number, day: string, currency: WrittenHeader['currency']): string {
  const type = `<Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp>`;
  return `\n<Bal>${type}${amountText(amount, currency)}${directionOf(amount)}<Dt>${element('Dt', day)}</Dt></Bal>`;
}

function entryText({ currency }: WrittenHeader, movement: WrittenMovement, version: CamtVersion): string {
  const { entryId, net, bookedAtMs, type } = movement;
  const amount = amountText(net, currency) + directionOf(net);
  const time = element('DtTm', new Date(bookedAtMs).toISOString());
  const [domain, family, subFamily] = codes[type](net < 0);
  const families = `${element('Cd', family)}${element('SubFmlyCd', subFamily)}`;
  const codeText = `<Domn>${element('Cd', domain)}<Fmly>${families}</Fmly></Domn><Prtry>${element('Cd', type)}</Prtry>`;
  return [
    `\n<Ntry>${element('NtryRef', entryId)}${amount}<Sts>${version === '02' ? 'BOOK' : element('Cd', 'BOOK')}</Sts>`,
    `<BookgDt>${time}</BookgDt><ValDt>${time}</ValDt>${element('AcctSvcrRef', entryId)}<BkTxCd>${codeText}</BkTxCd>`,
    `<NtryDtls><TxDtls>${detailsText(movement, amount, { currency, version })}</TxDtls></NtryDtls></Ntry>`,
  ].join('');
}

function detailsText(
  movement: WrittenMovement,
  amount: string,
  { currency, version }: Pick<WrittenHeader, 'currency'> & { readonly version: CamtVersion },
): string {
  const { recordId, externalId, e2eId, gross, fee } = movement;
  const references = [
    recordId === null ? '' : element('AcctSvcrRef', recordId),
    externalId === null ? '' : element('EndToEndId', firstCharacters(externalId, idCharacters)),
    e2eId === null || e2eId.length > idCharacters ? '' : element('TxId', e2eId),
  ].join('');
  const instructed = gross === null || gross === 0 ? '' : `<InstdAmt>${amountText(gross, currency)}</InstdAmt>`;
  const charges = fee === null || fee === 0 || instructed === '' ? '' : chargesText(fee, currency, version);
  return [
    references === '' ? '' : `<Refs>${references}</Refs>`,
    version === '02' ? '' : amount,
    instructed === '' ? '' : `<AmtDtls>${instructed}</AmtDtls>`,
    charges,
    additionalText(movement),
  ].join('');
}

function chargesText(fee: number, currency: WrittenHeader['currency'], version: CamtVersion): string {
  const amount = `Ccy="${currencyCode(currency)}">${unsignedDecimal(fee, currency)}`;
  const total = `<TtlChrgsAndTaxAmt ${amount}</TtlChrgsAndTaxAmt>`;
  return `<Chrgs>${total}${version === '02' ? `<Amt ${amount}</Amt>` : ''}</Chrgs>`;
}

/** Ids that have more than 35 characters, whole; the merchant's own comes last, since it may contain anything. */
function additionalText({ externalId, e2eId }: WrittenMovement): string {
  const parts = [];
  if (e2eId !== null && e2eId.length > idCharacters) parts.push(`e2e_id=${e2eId}`);
  if (externalId !== null && externalId.length > idCharacters) parts.push(`external_id=${externalId}`);
  return parts.length === 0 ? '' : element('AddtlTxInf', firstCharacters(parts.join(' '), additionalCharacters));
}

function amountText(amount: number, currency: WrittenHeader['currency']): string {
  return `<Amt Ccy="${currencyCode(currency)}">${unsignedDecimal(amount, currency)}</Amt>`;
}

function directionOf(amount: number): string {
  return element('CdtDbtInd', amount < 0 ? 'DBIT' : 'CRDT');
}

function secondOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}

function element(name: string, text: string): string {
  return `<${name}>${xmlText(text)}</${name}>`;
}
