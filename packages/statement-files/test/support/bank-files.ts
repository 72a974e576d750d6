/** What a bank booked, as every format has it. */
export interface BankLine {
  readonly day: string;
  /** Minor units, debits negative. */
  readonly amount: number;
  readonly document: string;
  readonly category: string;
  readonly text: string;
}

export const bankDay = '2026-11-20';

/** A payment twice, its text with letters outside ASCII, a transfer out with its fee, and a return. */
export const bankLines: readonly BankLine[] = [
  { day: bankDay, amount: 179_371, document: 'OCRJN6', category: '209', text: 'PIX RECEBIDO JOÃO & FILHOS' },
  { day: bankDay, amount: 9_850, document: 'FHRYKG', category: '209', text: 'PIX RECEBIDO' },
  { day: bankDay, amount: 9_850, document: 'FHRYKG', category: '209', text: 'PIX RECEBIDO' },
  { day: bankDay, amount: -5_000, document: '0N7P6L', category: '120', text: 'PIX ENVIADO' },
  { day: bankDay, amount: -100, document: 'YWGX6F', category: '105', text: 'TARIFA PIX' },
  { day: bankDay, amount: -2_500, document: 'F4Y7FT', category: '120', text: 'DEVOLUÇÃO PIX' },
];
export const bankOpening = 100_000;
const sum = (lines: readonly BankLine[]) => lines.reduce((total, { amount }) => total + amount, 0);

const digits = (value: number | string, length: number) => String(value).padStart(length, '0').slice(-length);
const text = (value: string, length: number) => value.slice(0, length).padEnd(length);
const signed = (amount: number) => `${digits(Math.abs(amount), 18)}${amount < 0 ? 'D' : 'C'}`;
const cnabDay = (day: string) => day.split('-').toReversed().join('');

/** What two banks write differently into the same form. */
const banks = {
  bradesco: {
    code: '237',
    kind: 'O  ',
    valueDay: cnabDay,
    tail: '0',
    end: '\r\n',
    document: (id: string) => text(id, 39),
  },
  itau: {
    code: '341',
    kind: '1  ',
    valueDay: () => '        ',
    tail: ' ',
    end: '\n',
    document: (id: string) => id.padStart(39),
  },
} as const;
export type Bank = keyof typeof banks;

export interface CnabFaults {
  readonly debits?: number;
  readonly credits?: number;
  readonly closing?: number;
  readonly records?: number;
}

export function cnab240(bank: Bank, lines = bankLines, faults: CnabFaults = {}): Buffer {
  const { code, kind, valueDay, tail, end, document } = banks[bank];
  const owner = `212345678000195${text('', 20)}00679 ${digits(92_678, 12)}1 `;
  const company = text('EMPRESA TESTE LTDA', 30);
  const debits = -sum(lines.filter(({ amount }) => amount < 0));
  const credits = sum(lines.filter(({ amount }) => amount > 0));
  const records = [
    `${code}00000${text('', 9)}${owner}${company}${text('BANCO', 30)}${text('', 10)}221112026185000000325050${digits(0, 5)}${text('', 69)}`,
    `${code}00011E0440050 ${owner}${company}${text('', 40)}${cnabDay(bankDay)}${signed(bankOpening)}FBRL${digits(325, 5)}${text('', 62)}`,
    ...lines.map(
      (line, index) =>
        `${code}00013${digits(index + 1, 5)}E${kind}${owner}${company}${text('', 6)}DPV00${text('', 20)}S${valueDay(line.day)}` +
        `${cnabDay(line.day)}${signed(line.amount)}${line.category}0006${text(line.text, 25)}${document(line.document)}`,
    ),
    `${code}00015${text('', 9)}${owner}${text('', 16)}${digits(0, 54)}${cnabDay(bankDay)}` +
      `${signed(faults.closing ?? bankOpening + credits - debits)}F${digits(faults.records ?? lines.length + 2, 6)}` +
      `${digits(faults.debits ?? debits, 18)}${digits(faults.credits ?? credits, 18)}${tail.repeat(28)}`,
    `${code}99999${text('', 9)}${digits(1, 6)}${digits(lines.length + 4, 6)}${digits(1, 6)}${text('', 205)}`,
  ];
  return Buffer.from(records.map((record) => record + end).join(''), 'latin1');
}

const decimal = (amount: number, point = '.') =>
  `${amount < 0 ? '-' : ''}${Math.floor(Math.abs(amount) / 100)}${point}${digits(Math.abs(amount) % 100, 2)}`;
const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const ofxType = (line: BankLine) => (line.category === '105' ? 'FEE' : line.amount < 0 ? 'DEBIT' : 'CREDIT');
const closingOf = (lines: readonly BankLine[]) => bankOpening + sum(lines);

/** OFX 1.02 as a Brazilian bank writes it: Latin-1, decimal comma, no closing tags, an ampersand of its own. */
export function ofx102(lines = bankLines): Buffer {
  const movements = lines.map(
    (line) =>
      `<STMTTRN>\r\n<TRNTYPE>${ofxType(line)}\r\n<DTPOSTED>${line.day.replaceAll('-', '')}100000[-03:EST]\r\n` +
      `<TRNAMT>${decimal(line.amount, ',')}\r\n<FITID>${line.document}\r\n<CHECKNUM>\r\n<MEMO>${line.text}\r\n</STMTTRN>\r\n`,
  );
  return Buffer.from(
    `OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nSECURITY:NONE\r\nENCODING:USASCII\r\nCHARSET:1252\r\n\r\n` +
      `<OFX>\r\n<BANKMSGSRSV1>\r\n<STMTTRNRS>\r\n<STATUS>\r\n<CODE>0\r\n<SEVERITY>INFO\r\n</STATUS>\r\n<STMTRS>\r\n<CURDEF>BRL\r\n` +
      `<BANKACCTFROM>\r\n<BANKID>0237\r\n<ACCTID>92678-1\r\n<ACCTTYPE>CHECKING\r\n</BANKACCTFROM>\r\n<BANKTRANLIST>\r\n` +
      `<DTSTART>20261120\r\n<DTEND>20261120\r\n${movements.join('')}</BANKTRANLIST>\r\n<LEDGERBAL>\r\n` +
      `<BALAMT>${decimal(closingOf(lines), ',')}\r\n<DTASOF>20261120\r\n</LEDGERBAL>\r\n</STMTRS>\r\n</STMTTRNRS>\r\n</BANKMSGSRSV1>\r\n</OFX>\r\n`,
    'latin1',
  );
}

export function ofx2(lines = bankLines): Buffer {
  const movements = lines.map(
    (line) =>
      `<STMTTRN><TRNTYPE>${ofxType(line)}</TRNTYPE><DTPOSTED>${line.day.replaceAll('-', '')}233000.000[-3:BRT]</DTPOSTED>` +
      `<TRNAMT>${decimal(line.amount)}</TRNAMT><FITID>${line.document}</FITID><PAYEE><NAME>A</NAME></PAYEE>` +
      `<MEMO>${escaped(line.text)}</MEMO></STMTTRN>\n`,
  );
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>\n` +
      `<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>BRL</CURDEF><BANKACCTFROM><ACCTID>92678-1</ACCTID></BANKACCTFROM>` +
      `<BANKTRANLIST><DTSTART>20261120000000[-3:BRT]</DTSTART><DTEND>20261121000000[-3:BRT]</DTEND>\n${movements.join('')}</BANKTRANLIST>` +
      `<LEDGERBAL><BALAMT>${decimal(closingOf(lines))}</BALAMT></LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
  );
}

/** Version 2 has the state as text and the days without times; from 4 on parties and states have one element more. */
export function camt053(version: string, lines = bankLines): Buffer {
  const isOld = Number(version) < 8;
  const code = (value: string) => (isOld ? value : `<Cd>${value}</Cd>`);
  const balance = (kind: string, amount: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp><Amt Ccy="BRL">${decimal(amount)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${bankDay}</Dt></Dt></Bal>`;
  const entries = lines.map(
    (line) =>
      `<Ntry><Amt Ccy="BRL">${decimal(Math.abs(line.amount))}</Amt><CdtDbtInd>${line.amount < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>` +
      `<Sts>${code('BOOK')}</Sts><BookgDt><Dt>${line.day}</Dt></BookgDt><AcctSvcrRef>${line.document}</AcctSvcrRef>` +
      `<BkTxCd><Domn><Cd>PMNT</Cd></Domn></BkTxCd><AddtlNtryInf>${escaped(line.text)}</AddtlNtryInf></Ntry>\n`,
  );
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<c:Document xmlns:c="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}">` +
      `<BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><Othr><Id>92678-1</Id></Othr></Id><Ccy>BRL</Ccy></Acct>` +
      `${balance('OPBD', bankOpening)}${balance('CLBD', closingOf(lines))}${entries.join('')}</Stmt></BkToCstmrStmt></c:Document>`,
  );
}

/** Latin-1, semicolons, a heading above the header, amounts without a sign and a column that says D or C. */
export function csvWithColumn(lines = bankLines): Buffer {
  const rows = lines.map(({ day, amount, document, text: words }) => {
    const shown = decimal(Math.abs(amount), ',').replace(/(\d)(\d{3},)/, '$1.$2');
    return `${day.split('-').toReversed().join('/')};${document};"${words}";${shown};${amount < 0 ? 'D' : 'C'}\r\n`;
  });
  return Buffer.from(`Extrato da conta 92678-1\r\nData;Documento;Histórico;Valor;Tipo\r\n${rows.join('')}`, 'latin1');
}

export const mappingWithColumn = {
  encoding: 'latin-1',
  delimiter: ';',
  header_line: 2,
  date: { column: 'Data', format: 'DD/MM/YYYY', zone: 'America/Sao_Paulo' },
  amount: { column: 'Valor', decimal: ',', sign: { column: 'Tipo', credit: ['C'], debit: ['D'] } },
  id: 'Documento',
  text: 'Histórico',
} as const;

/** UTF-8 with a byte order mark and signed amounts. */
export function csvSigned(lines = bankLines): Buffer {
  const rows = lines.map(
    ({ day, amount, document, text: words }) => `${day}T12:00:00-03:00,${document},"${words}",${decimal(amount)}\n`,
  );
  return Buffer.from(`\uFEFFdate,id,text,amount\n${rows.join('')}`);
}

export const mappingSigned = {
  date: { column: 'date', format: 'ISO', zone: 'America/Sao_Paulo' },
  amount: { column: 'amount', decimal: '.' },
  id: 'id',
  text: 'text',
} as const;
