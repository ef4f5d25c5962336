// @ts-check
// Texts with links and marks.

/** Places in bytes of UTF-8 as places in the string. */
function inUnits(text, matches) {
  const places = [...new Set(matches.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b),
    units = new Map()
  for (let byte = 0, unit = 0, next = 0; next < places.length;) {
    while (places[next] <= byte) units.set(places[next++], unit)
    if (unit >= text.length) break
    const code = text.codePointAt(unit)
    byte += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    unit += code < 0x10000 ? 1 : 2
  }
  return matches.map(({ start, end }) => ({
    start: units.get(start) ?? text.length,
    end: units.get(end) ?? text.length,
  }))
}

function parsed(address) {
  try {
    return new URL(address)
  } catch {
    return null
  }
}

/** A link to an address, without a full stop behind it. */
function linkTo(found) {
  let address = found.replace(/[.,;:!?…'*\x60]+$/, '')
  const count = (sign) => address.split(sign).length
  for (const [open, close] of ['()', '[]', '{}']) {
    while (address.endsWith(close) && count(open) < count(close)) address = address.slice(0, -1)
  }
  const url = parsed(address)
  if (!url || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return null
  return { address, anchor: make('a', { href: url.href, rel: 'noopener noreferrer', target: '_blank' }) }
}

/** Text with places to break at in long words, for which browsers take quadratic time. */
const broken = (text) =>
  visible(text).split(/(\S{999})/).flatMap((part, index) => index % 2 ? [part, make('wbr')] : part)

const LOOKS = {
  bold: 'b',
  italic: 'i',
  underline: 'u',
  strike: 's',
  code: 'code',
  block: 'code.block',
  heading: 'b.heading',
  quote: 'blockquote',
}

/** Puts a text into an element, with hits, and as its writer meant it: marks (docs/json.md) are nested or apart. */
function fill(element, text = '', matches = [], marks = []) {
  const put = (box, from, to) => {
    for (const { start, end } of matches) {
      if (end <= from || start >= to) continue
      const first = Math.max(from, start)
      box.append(
        ...broken(text.slice(from, first)),
        make('mark', null, ...broken(text.slice(first, from = Math.min(to, end)))),
      )
    }
    box.append(...broken(text.slice(from, to)))
  }
  // What was looked for is seen, even if it is a sign.
  const isFound = (from, to) => from < to && matches.some(({ start, end }) => start < to && end > from)
  const hide = (box, from, to) => isFound(from, to) && put(box, from, to)
  let next = 0
  const walk = (box, at, to) => {
    while (next < marks.length && marks[next][0] < to) {
      const [start, end, style, head = 0, tail = 0, target = ''] = marks[next++],
        from = Math.max(start, at),
        last = Math.min(end, to)
      if (from >= last) continue
      put(box, at, from)
      at = last
      if (style === 'sign' || style === 'emoji') {
        if (target) {
          box.append(make(isFound(from, last) ? 'mark' : 'span', { title: text.slice(from, last) }, visible(target)))
        } else hide(box, from, last)
        continue
      }
      const inner = clamp(start + head, from, last), outer = clamp(end - tail, inner, last)
      const part = style === 'link' && linkTo(target || text.slice(inner, outer))?.anchor ||
        make(LOOKS[style] || `span.${style}`, style === 'spoiler' ? { tabIndex: 0 } : null)
      part.title = target
      hide(part, from, inner)
      walk(part, inner, outer)
      hide(part, outer, last)
      box.append(part)
    }
    put(box, at, to)
  }
  walk(element, 0, text.length)
  return element
}

/** The beginning of a marked text on one line, without marks. */
const plain = ({ text = '', marks }) => line(fill(make('i'), text.slice(0, 300), [], marks).textContent)

/** The first units of a text, without half a character. */
const cut = (text, end) => text.slice(0, end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1]) ? end - 1 : end)

/** What went wrong, why, and the way out. */
function sentenceOf(summary, cause, remedy) {
  const sentence = [summary, cause].filter(Boolean).join(': ')
  return sentence[0].toUpperCase() + sentence.slice(1) +
    (remedy ? `${/[.?!]$/.test(sentence) ? '' : '.'} Try: ${remedy}` : '')
}
