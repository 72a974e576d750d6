/** A script that plants a fault in a page, and what has to be found of it: the page is in order without. */
export const plantedFaults: Readonly<Record<string, RegExp>> = {
  "document.body.setAttribute('style', 'color: red')": /policy style-src/,
  "document.body.append(Object.assign(new Image(), { src: 'https://elsewhere.example/a.png', alt: '' }))":
    /policy img-src/,
  "console.error('a fault of the page')": /a fault of the page/,
  "document.querySelector('main').append(document.createElement('button'))": /button-name/,
  "const rule = document.createElement('hr'); rule.style.width = '3000px'; document.querySelector('main').append(rule)":
    /to be less than or equal to/,
  "const rule = document.createElement('hr'); rule.style.width = 'calc((1rem - 24px) * 400)'; document.querySelector('main').append(rule)":
    /text at 200 %/,
  "const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg'); const shape = document.createElementNS(svg.namespaceURI, 'circle'); shape.setAttribute('r', '5'); shape.setAttribute('fill', 'Canvas'); svg.append(shape); document.querySelector('main').append(svg)":
    /forced colours/,
};
