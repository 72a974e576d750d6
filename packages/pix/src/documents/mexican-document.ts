export type MexicanDocumentResult =
  { readonly ok: true; readonly value: string } | { readonly ok: false; readonly reason: 'MALFORMED' };

/** Of companies three letters, of persons four, then a date and three characters of the tax office (SAT). */
const rfc = /^[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}$/;

/**
 * Reads the document of a person or company in Mexico, with or without blanks and hyphens: an RFC, a CURP, or any 10 to
 * 20 letters and digits (api.md 3). The value comes back without them and in upper case.
 */
export function parseMexicanDocument(text: string): MexicanDocumentResult {
  const stripped = text.replace(/[ -]/g, '');
  // Only these letters are put in upper case: others could become a letter they are not.
  if (!/^[A-Za-z0-9Ññ&]+$/.test(stripped)) return { ok: false, reason: 'MALFORMED' };
  const value = stripped.toUpperCase();
  // A CURP is 18 letters and digits, so it is one of those.
  if (rfc.test(value) || /^[A-Z0-9]{10,20}$/.test(value)) return { ok: true, value };
  return { ok: false, reason: 'MALFORMED' };
}
