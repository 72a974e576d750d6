/**
 * An escape of a character that no text of the database can have: of zero, or of half a character (RFC 8259 7).
 * One behind an escaped backslash is two characters and no escape.
 */
const escapes = String.raw`(?<!\\)((?:\\\\)*)\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})`;

/** A column of `json` whose members can all be read: of the whole, `->` refuses such an escape wherever it stands. */
export function readable(column: string): string {
  return `case when strpos(${column}::text, '\\u') > 0
    then regexp_replace(${column}::text, '${escapes}', '\\1-', 'g')::json else ${column} end`;
}

/** When an event was true, in Unix seconds; null where it says no such time. */
export function secondsIn(payload: string): string {
  return secondsOf(`${payload} ->> 'occurredAt'`);
}

/** The same of the text that it says it in. */
export function secondsOf(text: string): string {
  return `case when ${text} ~ '^\\d{1,12}$' then (${text})::bigint end`;
}
