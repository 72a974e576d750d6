import sax, { type SAXParser } from 'sax';
import { UnreadableStatement } from '#src/read/movement.ts';
import { lineEndsIn } from '#src/read/text.ts';

/** What a reader of marked-up text is called with. */
export interface MarkupEvents {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>, line: number) => void;
  /** @param value the text of an element without elements, null for any other */
  readonly close: (name: string, value: string | null, line: number) => void;
}

interface OpenElement {
  readonly name: string;
  text: string;
  holdsElements: boolean;
}

/** Statements nest a dozen elements. */
const depthMax = 64;
const attributesMax = 16;
const textCharactersMax = 65_536;

/** The elements that are open, and the text of the innermost one. */
class OpenElements {
  readonly all: OpenElement[] = [];
  readonly #rootName: string;
  #hadRoot = false;

  constructor(rootName: string) {
    this.#rootName = rootName;
  }

  open(name: string, line: number): void {
    if (this.all.length === 0) this.#openRoot(name, line);
    if (this.all.length >= depthMax) throw new UnreadableStatement(line, name, `is nested more than ${depthMax} deep`);
    const outer = this.all.at(-1);
    if (outer) outer.holdsElements = true;
    this.all.push({ name, text: '', holdsElements: false });
  }

  /** @throws UnreadableStatement unless the one root element was opened and everything is closed */
  end(line: number): void {
    const open = this.all.at(-1);
    if (open) throw new UnreadableStatement(line, open.name, 'is not closed: the file is cut off');
    if (!this.#hadRoot) throw new UnreadableStatement(line, this.#rootName, 'is missing');
  }

  #openRoot(name: string, line: number): void {
    if (this.#hadRoot) throw new UnreadableStatement(line, name, `stands behind the end of ${this.#rootName}`);
    if (name !== this.#rootName) throw new UnreadableStatement(line, name, `stands where ${this.#rootName} should`);
    this.#hadRoot = true;
  }

  addText(text: string, line: number): void {
    const innermost = this.all.at(-1);
    if (!innermost || innermost.holdsElements) {
      if (text.trim() === '') return;
      throw new UnreadableStatement(line, innermost?.name ?? 'text', 'has text between its elements');
    }
    if (innermost.text.length + text.length > textCharactersMax) {
      throw new UnreadableStatement(line, innermost.name, `has more than ${textCharactersMax} characters`);
    }
    innermost.text += text;
  }
}

/**
 * XML, piece by piece. A document type is refused, so no entity but those of XML itself has a meaning; names come without
 * their namespace prefix.
 */
export class XmlReader {
  readonly #elements: OpenElements;
  readonly #parser: SAXParser;

  constructor(events: MarkupEvents, rootName: string) {
    const elements = new OpenElements(rootName);
    this.#elements = elements;
    this.#parser = sax.parser(true, { position: true });
    const line = () => this.#parser.line + 1;
    let attributes = 0;
    Object.assign(this.#parser, {
      onerror: ({ message }: Error) => {
        throw new UnreadableStatement(line(), 'xml', message.split('\n')[0] ?? 'is not well formed');
      },
      ondoctype: () => {
        throw new UnreadableStatement(line(), 'xml', 'has a document type, which no statement needs');
      },
      onattribute: () => {
        attributes += 1;
        if (attributes > attributesMax) throw new UnreadableStatement(line(), 'xml', 'has too many attributes');
      },
      onopentag: ({ name, attributes: found }: { name: string; attributes: Record<string, string> }) => {
        attributes = 0;
        elements.open(local(name), line());
        events.open(local(name), found, line());
      },
      ontext: (text: string) => elements.addText(text, line()),
      oncdata: (text: string) => elements.addText(text, line()),
      onclosetag: () => {
        const closed = elements.all.pop();
        if (closed) events.close(closed.name, closed.holdsElements ? null : closed.text, line());
      },
    });
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  end(): void {
    this.#elements.end(this.#parser.line + 1);
    this.#parser.close();
  }
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

const tagCharactersMax = 256;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/**
 * The SGML of OFX 1, piece by piece: an element with text ends where the next tag begins, whether it is closed or not. It
 * has no document type and no entities of its own.
 */
export class SgmlReader {
  readonly #elements: OpenElements;
  readonly #events: MarkupEvents;
  #rest = '';
  #line: number;

  /** @param line of the file in which the text begins */
  constructor(events: MarkupEvents, rootName: string, line: number) {
    this.#elements = new OpenElements(rootName);
    this.#events = events;
    this.#line = line;
  }

  write(text: string): void {
    const pending = this.#rest + text;
    let from = 0;
    for (;;) {
      const begin = pending.indexOf('<', from);
      const end = begin < 0 ? -1 : pending.indexOf('>', begin);
      if (end < 0) break;
      if (end - begin > tagCharactersMax) this.#refuseTag();
      this.#addText(pending.slice(from, begin));
      this.#tag(pending.slice(begin + 1, end).trim());
      from = end + 1;
    }
    this.#rest = pending.slice(from);
    const openTag = this.#rest.lastIndexOf('<');
    if (openTag >= 0 && this.#rest.length - openTag > tagCharactersMax) this.#refuseTag();
    if (this.#rest.length > textCharactersMax + tagCharactersMax) {
      throw new UnreadableStatement(this.#line, 'text', `has more than ${textCharactersMax} characters`);
    }
  }

  end(): void {
    this.#elements.end(this.#line);
    this.#addText(this.#rest);
  }

  #refuseTag(): never {
    throw new UnreadableStatement(this.#line, 'tag', `has more than ${tagCharactersMax} characters`);
  }

  #addText(text: string): void {
    this.#elements.addText(text, this.#line);
    this.#line += lineEndsIn(text);
  }

  #tag(tag: string): void {
    const [, slash, name = ''] = /^(\/?)([A-Za-z0-9._]+)\s*$/.exec(tag) ?? [];
    if (slash === undefined) throw new UnreadableStatement(this.#line, 'tag', `<${tag.slice(0, 20)}> is none of OFX 1`);
    if (slash === '/') this.#close(name.toUpperCase());
    else this.#open(name.toUpperCase());
  }

  #open(name: string): void {
    if (this.#elements.all.at(-1)?.text.trim()) this.#closeInnermost();
    this.#elements.open(name, this.#line);
    this.#events.open(name, {}, this.#line);
  }

  #close(name: string): void {
    if (!this.#elements.all.some((open) => open.name === name)) {
      throw new UnreadableStatement(this.#line, name, 'is closed but was not opened');
    }
    while (this.#closeInnermost() !== name);
  }

  #closeInnermost(): string {
    const { name, text, holdsElements } = this.#elements.all.pop() ?? { name: '', text: '', holdsElements: false };
    this.#events.close(name, holdsElements ? null : resolved(text), this.#line);
    return name;
  }
}

/** An ampersand that begins none of the known entities stands for itself, as banks write it. */
function resolved(text: string): string {
  return text.includes('&') ? text.replace(/&([a-z]+);/g, (whole, name: string) => entities[name] ?? whole) : text;
}
