import { type MessageLanguage, messageLanguages } from '@gateway/contracts/values';

/** The language a reader likes best of those we have (RFC 9110 `Accept-Language`); English for everybody else. */
export function languageFor(acceptLanguage: string | undefined): MessageLanguage {
  if (acceptLanguage === undefined) return 'en';
  const wanted = acceptLanguage
    .slice(0, 500)
    .split(',')
    .map((part, place) => {
      const [range = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.map((parameter) => /^\s*q=(\d(?:\.\d{1,3})?)\s*$/.exec(parameter)?.[1]).find(Boolean);
      return { language: range.split('-')[0], quality: quality === undefined ? 1 : Number(quality), place };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality || one.place - other.place);
  for (const { language } of wanted) {
    const known = messageLanguages.find((candidate) => candidate === language);
    if (known) return known;
  }
  return 'en';
}
