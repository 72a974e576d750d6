import { describe, expect, test } from 'vitest';
import { parseMexicanDocument } from '#src/index.ts';

describe('a Mexican document', () => {
  test.each([
    ['RFC of a person', 'GODE561231GR8', 'GODE561231GR8'],
    ['RFC of a company', 'ÑAC850101XA1', 'ÑAC850101XA1'],
    ['RFC with an ampersand', 'B&M850101AB1', 'B&M850101AB1'],
    ['CURP', 'HEGG560427MVZRRL04', 'HEGG560427MVZRRL04'],
    ['lower case', 'gode561231gr8', 'GODE561231GR8'],
    ['blanks and hyphens', 'GODE-561231-GR8 ', 'GODE561231GR8'],
    ['ten letters and digits', 'A123456789', 'A123456789'],
    ['twenty letters and digits', 'A1234567890123456789', 'A1234567890123456789'],
  ])('%s is read', (_name, text, value) => {
    expect(parseMexicanDocument(text)).toEqual({ ok: true, value });
  });

  test.each([
    ['nine characters', 'A12345678'],
    ['twenty-one characters', 'A12345678901234567890'],
    ['nothing', ''],
    ['other signs', 'GODE561231GR*'],
    ['a letter that upper case would make another', 'GODE561231Gſ8'],
    ['an ampersand outside an RFC', 'A12345678&'],
    ['an RFC with letters before it', '&ÑÑGODE561231GR8'],
    ['an RFC with letters behind it', 'GODE561231GR8&'],
  ])('%s is refused', (_name, text) => {
    expect(parseMexicanDocument(text)).toEqual({ ok: false, reason: 'MALFORMED' });
  });
});
