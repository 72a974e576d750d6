import { describe, expect, test } from 'vitest';
import { ispbOfEndToEndId, newEndToEndId, readParticipants, shippedParticipants } from '#src/index.ts';

describe('a table of participants', () => {
  test('comes with the product, names the large banks, and the banks that are made up as such', () => {
    const participants = shippedParticipants();
    expect(participants.size).toBeGreaterThan(100);
    const named = (ispb: string) => participants.get(ispb);
    expect([named('00000000'), named('00360305'), named('60701190'), named('60746948'), named('90400888')]).toEqual([
      'BCO DO BRASIL S.A.',
      'CAIXA ECONOMICA FEDERAL',
      'ITAÚ UNIBANCO S.A.',
      'BCO BRADESCO S.A.',
      'BCO SANTANDER (BRASIL) S.A.',
    ]);
    expect([named('18236120'), named('10573521')]).toEqual(['NU PAGAMENTOS - IP', 'MERCADO PAGO IP LTDA.']);
    expect([named('99999999'), named('99999011')]).toEqual(['BANCO SANDBOX', 'BANCO DOS PAGADORES SIMULADOS']);
    expect(named('12345678')).toBeUndefined();
  });

  test.each<[string, string]>([
    ['ours', '# source\nispb,name\n00000000,BCO DO BRASIL S.A.\n'],
    ['that of the STR', 'ISPB,Nome_Reduzido,Número_Código\r\n00000000,BCO DO BRASIL S.A.,001\r\n'],
    ['that of PIX', 'Participantes do Pix\nNome Reduzido;ISPB;CNPJ\nBCO DO BRASIL S.A.;00000000;00000000000191\n'],
    ['one out of a spreadsheet', '\uFEFFISPB;Nome Reduzido\n0;"BCO DO BRASIL S.A."\n'],
  ])('is read in the form of %s', (_form, text) => {
    expect([...readParticipants(text)]).toEqual([['00000000', 'BCO DO BRASIL S.A.']]);
  });

  test('reads a quoted name with the separator in it', () => {
    expect(readParticipants('ispb,name\n00000001,"BANCO A, ""B"" E C"').get('00000001')).toBe('BANCO A, "B" E C');
  });

  test.each<[string, string, RegExp]>([
    ['nothing', '', /no line with the columns/],
    ['another table', 'code;bank\n1;A', /no line with the columns/],
    ['a header alone', 'ispb,name\n', /no participants/],
    ['an ISPB with a letter in lower case', 'ispb,name\n0000000a,A\n', /line 2/],
    ['an ISPB of nine digits', '# c\nispb,name\n00000000,A\n123456789,B\n', /line 4/],
    ['no name', 'ispb,name\n00000000,\n', /line 2/],
    ['a name without end', `ispb,name\n00000000,${'x'.repeat(121)}\n`, /line 2/],
  ])('of %s is refused, naming the line', (_case, text, message) => {
    expect(() => readParticipants(text)).toThrow(message);
  });
});

test.each<[string, string | null]>([
  [newEndToEndId({ ispb: '60701190', at: new Date(0), random: new Uint8Array(16) }), '60701190'],
  [newEndToEndId({ ispb: '00ABCDEF', at: new Date(0), random: new Uint8Array(16) }), '00ABCDEF'],
  ['D60701190197001010000aaaaaaaaaaa', null],
  ['E60701190', null],
  ['', null],
  ['whatever a provider sends', null],
])('the ISPB of %s is %s', (e2eId, ispb) => {
  expect(ispbOfEndToEndId(e2eId)).toBe(ispb);
});
