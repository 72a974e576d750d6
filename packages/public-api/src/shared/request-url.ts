import { requestText } from '@gateway/contracts/values';

const pattern = '^[Hh][Tt][Tt][Pp][Ss]?://[^/]';
const form = new RegExp(pattern);

/** An address that is to be called. Which ones may be is not for a schema to say: names are resolved for that. */
export function requestUrl(what: string) {
  return requestText(1, 2_048)
    .refine((text) => form.test(text) && URL.canParse(text), 'is not a valid URL')
    .meta({
      description: what,
      format: 'uri',
      pattern,
      examples: ['https://shop.example/hooks'],
    });
}
