// The page of a history: of a server (docs/json.md by HTTP), or of files (site.js). It holds a small run of neighbouring
// messages and lets go of what is far off screen. Text from outside becomes text nodes and nothing else.
'use strict'

const PAGE = 50 // messages that are asked for at an end
const JUMP = 60 // messages around a place that is gone to
const SCREEN = 30 // messages that are shown first, before all else
const MOST_ROWS = 300 // rows in the document
const MOST_UNITS = 1_500_000 // and their text
const AHEAD = 3 // screens of rows beyond the screen
const FOLD = 4000 // units of a text that are shown at first
const BLOCK = 1 << 15 // and of the blocks in which the rest is shown
const MOST_HITS = 600, BEST = 50
const MOST_FIRST = 20 // conversations that are listed before all are known
const MOST_FOLDED = 200 // messages in a row that may be folded away
const SLOW = 300 // milliseconds after which something is said to take its time
const LATE = 2000 // and a server not to answer

const $ = id => document.getElementById(id)
const mode = document.body.classList, room = $('list'), track = $('scrollbar'), panel = $('panel-body'), shelf = $('conversations'), field = $('search').words

/** Makes an element: `tag.class`, properties (attributes, where the name has a hyphen), children. */
function make(kind, properties, ...children) {
  const [tag, ...classes] = kind.split('.')
  const element = document.createElement(tag)
  element.className = classes.join(' ')
  for (const [name, value] of Object.entries(properties || {})) {
    if (name.includes('-') || name === 'role') element.setAttribute(name, value)
    else element[name] = value
  }
  element.append(...children)
  return element
}

/** Makes elements the children of a box; those that stay are not touched, as somebody may be pressing one. */
function settle(box, elements) {
  const held = new Set(elements)
  for (const element of [...box.children]) if (!held.has(element)) element.remove()
  let at = box.firstChild
  for (const element of elements) {
    if (element === at) at = at.nextSibling
    else box.insertBefore(element, at)
  }
}

const lay = (element, top) => element.style.transform = `translateY(${top}px)`
const press = (kind, label, onclick, ...more) => make(`button.${kind}`, { type: 'button', onclick }, label, ...more)
const { format: number } = new Intl.NumberFormat()
const plural = (count, word) => `${number(count)} ${word}${count === 1 ? '' : 's'}`
const clamp = (value, low, high) => Math.max(low, Math.min(high, value))

const { format: bytes } = new Intl.NumberFormat(undefined, { notation: 'compact', style: 'unit', unit: 'byte', unitDisplay: 'narrow' })

const format = options => new Intl.DateTimeFormat(undefined, options)
const clock = format({ timeStyle: 'short' })
const zone = clock.resolvedOptions().timeZone
const longDay = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const shortDay = format({ day: 'numeric', month: 'short', year: 'numeric' })
const dayAndMonth = format({ day: 'numeric', month: 'short' }), monthAndYear = format({ month: 'short', year: 'numeric' })
const monthName = format({ month: 'short', timeZone: 'UTC' })

const dateOf = message => message.date ||= new Date(message.time)
const dayOf = message => message.precision === 'day' ? message.time.slice(0, -14) : dateOf(message).toDateString()
const timeOf = message => message.precision === 'day' ? '' : clock.format(dateOf(message))
// A date without a time is the same in every zone.
const dateShown = message => message.precision === 'day' ? new Date(`${dayOf(message)}T12:00`) : dateOf(message)
const briefly = message => `${shortDay.format(dateShown(message))} ${timeOf(message)}`.trim()

const CONTROLS = /\x03(?:\d{1,2}(?:,\d{1,2})?)?|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text as it can be shown: without colours of IRC, other control characters visible. */
const visible = text => text.replace(CONTROLS, ([sign]) =>
  '\x02\x03\x0f\x11\x16\x1d\x1e\x1f\r'.includes(sign) ? '' : sign < ' ' ? String.fromCharCode(0x2400 + sign.charCodeAt()) : '�')

/** A name on one line, without what turns the direction of the text beside it. */
const line = text => visible((text || '').slice(0, 300).replace(DIRECTIONS, '').replace(/\s+/g, ' '))

/** A name as it is shown: one without a visible letter is said to be none. */
const titled = name => line(name).replace(/[\p{Default_Ignorable_Code_Point}\s]/gu, '') ? line(name) : '(no name)'

/** Gives an element the colour of a sender: a hue by the letters of the name. */
function tint(element, name = '') {
  let hash = 2166136261
  for (const sign of name) hash = Math.imul(hash ^ sign.codePointAt(), 16777619)
  element.style.setProperty('--hue', (hash >>> 0) * 137.508 % 360)
  return element
}

const briefest = message => [line(message.sender), briefly(message)].filter(Boolean).join(', ')
const isPhone = () => matchMedia('(max-width: 44rem)').matches
const named = name => tint(make('bdi.name', null, titled(name)), name)
const disc = name => tint(make('span.disc', { 'aria-hidden': true }, [...line(name).replace(/^[^\p{L}\p{N}]+/u, '')][0] || '·'), name)

const say = text => $('said').textContent = text

let troubleEnd
function trouble(text, milliseconds) {
  clearTimeout(troubleEnd)
  Object.assign($('trouble'), { textContent: text, hidden: !text })
  if (milliseconds) troubleEnd = setTimeout(trouble, milliseconds, '')
}

/** What went wrong, in words for people; of kind `gone` if nobody answered, `superseded` if another question took its place. */
class Trouble extends Error {
  constructor(message, kind) { super(message); this.kind = kind }
}

async function attempt(work) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Trouble)) console.error(error)
    if (error.kind !== 'gone' && error.kind !== 'superseded') trouble(error.message, 8000)
    return null
  }
}

let busyCount = 0
function busy(change) {
  busyCount += change
  if ($('busy').hidden === !busyCount) return
  $('busy').hidden = !busyCount
  if (busyCount) say('Loading …')
}

/** Says so while something takes its time. */
async function busily(work) {
  let isSlow
  const slow = setTimeout(() => busy(isSlow = 1), SLOW)
  try {
    return await work
  } finally {
    clearTimeout(slow)
    if (isSlow) busy(-1)
  }
}

// ---- Text with links and marks

/** Places in bytes of UTF-8 as places in the string. */
function inUnits(text, matches) {
  const places = [...new Set(matches.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b), units = new Map()
  for (let byte = 0, unit = 0, next = 0; next < places.length;) {
    while (places[next] <= byte) units.set(places[next++], unit)
    if (unit >= text.length) break
    const code = text.codePointAt(unit)
    byte += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    unit += code < 0x10000 ? 1 : 2
  }
  return matches.map(({ start, end }) => ({ start: units.get(start) ?? text.length, end: units.get(end) ?? text.length }))
}

/** A link to an address, without a full stop behind it. */
function linkTo(found) {
  let address = found.replace(/[.,;:!?…'*\x60]+$/, '')
  const count = sign => address.split(sign).length
  for (const [open, close] of ['()', '[]', '{}']) while (address.endsWith(close) && count(open) < count(close)) address = address.slice(0, -1)
  const url = URL.canParse(address) && new URL(address)
  if (!url || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return null
  return { address, anchor: make('a', { href: url.href, rel: 'noopener noreferrer', target: '_blank' }) }
}

/** Text with places to break at in long words, for which browsers take quadratic time. */
const broken = text => visible(text).split(/(\S{999})/).flatMap((part, index) => index % 2 ? [part, make('wbr')] : part)

const LOOKS = { bold: 'b', italic: 'i', underline: 'u', strike: 's', code: 'code', block: 'code.block', heading: 'b.heading', quote: 'blockquote' }

/** Puts a text into an element, with hits, and as its writer meant it: marks (docs/json.md) are nested or apart. */
function fill(element, text = '', matches = [], marks = []) {
  const put = (box, from, to) => {
    for (const { start, end } of matches) {
      if (end <= from || start >= to) continue
      const first = Math.max(from, start)
      box.append(...broken(text.slice(from, first)), make('mark', null, ...broken(text.slice(first, from = Math.min(to, end)))))
    }
    box.append(...broken(text.slice(from, to)))
  }
  // What was looked for is seen, even if it is a sign.
  const isFound = (from, to) => from < to && matches.some(({ start, end }) => start < to && end > from)
  const hide = (box, from, to) => isFound(from, to) && put(box, from, to)
  let next = 0
  const walk = (box, at, to) => {
    while (next < marks.length && marks[next][0] < to) {
      const [start, end, style, head = 0, tail = 0, target = ''] = marks[next++], from = Math.max(start, at), last = Math.min(end, to)
      if (from >= last) continue
      put(box, at, from)
      at = last
      if (style === 'sign' || style === 'emoji') {
        if (target) box.append(make(isFound(from, last) ? 'mark' : 'span', { title: text.slice(from, last) }, visible(target)))
        else hide(box, from, last)
        continue
      }
      const inner = clamp(start + head, from, last), outer = clamp(end - tail, inner, last)
      const part = style === 'link' && linkTo(target || text.slice(inner, outer))?.anchor || make(LOOKS[style] || `span.${style}`, style === 'spoiler' ? { tabIndex: 0 } : null)
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
  return sentence[0].toUpperCase() + sentence.slice(1) + (remedy ? `${/[.?!]$/.test(sentence) ? '' : '.'} Try: ${remedy}` : '')
}

// ---- Where answers come from: a server

/** What is asked for a place of the page: a new question there stops the one before. */
const wishes = {}
const wish = place => wishes[place]?.signal
const instead = place => {
  wishes[place]?.abort()
  return (wishes[place] = new AbortController()).signal
}

const server = {
  waiting: 0,

  /** Says so while an answer is long in coming. */
  late(change) {
    server.waiting += change
    const text = 'The server has not answered yet. This page continues when it does.'
    if (server.waiting ? $('trouble').hidden : $('trouble').textContent === text) trouble(server.waiting ? text : '')
  },

  ask: (question, keys, signal) => busily(server.answer(question, keys, signal)),

  async answer(question, keys, signal) {
    const query = new URLSearchParams()
    const add = (name, value) => {
      if (value && typeof value === 'object') Object.entries(value).forEach(([key, each]) => add(`${name}.${key}`, each))
      else if (value != null) query.append(name, value)
    }
    Object.entries(keys).forEach(([name, value]) => add(name, value))
    if (['page', 'hits', 'message', 'messages'].includes(question)) add('marks', true)
    let answer, isLate
    // What is only counted says so where the number is to stand.
    const late = keys.limit === 0 || setTimeout(() => server.late(isLate = 1), LATE)
    try {
      const response = await fetch(`api/${question}?${query}`, { signal })
      // Who asked is never answered: the page is loaded again.
      if (live.isOther(response.headers.get('Scrollback-Store'))) return new Promise(() => {})
      server.marks ||= response.headers.get('Scrollback-Marks') === 'read'
      answer = await response.json()
    } catch {
      if (signal?.aborted) throw new Trouble('', 'superseded')
      live.lost()
      throw new Trouble('The server does not answer.', 'gone')
    } finally {
      clearTimeout(late)
      if (isLate) server.late(-1)
    }
    const { summary, cause, remedy } = answer
    if (answer.answer === 'error') throw new Trouble(sentenceOf(summary, cause, remedy), answer.kind)
    if (question === 'hits') {
      for (const hit of answer.hits) for (const part of [hit, hit.snippet]) if (part?.matches) part.matches = inUnits(part.text || '', part.matches)
    }
    return answer
  },
  file: ({ id, attachments }, index) => attachments[index].stored ? `attachment/${id}/${index}` : null,
  thumbnail: ({ id, attachments }, index) => attachments[index].pictures?.match(/^(made|pending)$/) ? `attachment/${id}/${index}/thumbnail` : null,
  preview: ({ id }, index) => ({ url: `attachment/${id}/${index}/preview`, side: 1280 }),
}

const keyOf = id => BigInt(id)

/** The index of the last element for which something holds, as for all before it; -1 if for none. */
function lastIndex(sorted, holds) {
  let low = 0, high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(sorted[middle])) low = middle + 1
    else high = middle
  }
  return low - 1
}

const isSite = document.querySelector('meta[name=scrollback-source]').content === 'site'
const hasEverything = () => !isSite || site.isSmall
/** Whether replies are counted: in a site where that is a look at few files. */
const countsReplies = () => !isSite || baseOf(list.conversation).pieces <= 24
let source = server

// What is read is a conversation or, with keys of a question in place of its id, all of them or what there is with a person.
const everything = { id: 'all', name: 'Everything', address: 'everything', keys: {}, when: Infinity }

function withPerson({ name, messages }) {
  const address = `with:${encodeURIComponent(name)}`
  return { id: address, name, address, keys: { person: name }, about: `wrote ${plural(messages, 'message')}` }
}

/** Some of the messages of what else can be read: those that a query finds. */
const filtered = (base, query) => query ? {
  ...base, base, query, id: `${base.id}?${query}`, unread: 0, isExact: true,
} : base
const baseOf = scope => scope?.base || scope

const keysOf = ({ id, keys, base, query }) => query ? { ...keysOf(base), filter: { matching: query }, timeZone: zone } : keys || { conversationID: id }
/** An address has the id of a conversation, and its name for those who read it and for when the id is gone. */
const addressOf = ({ id, name, address, base, query }) => query ? `${addressOf(base)}?${encodeURIComponent(query)}` : address || `c${id}:${encodeURIComponent(name)}`
/** What stands behind the # for a message, or for all that is open. */
const isPart = ({ keys, query }) => Boolean(keys || query)
const hashOf = id => !id ? addressOf(list.conversation) : isPart(list.conversation) ? `${addressOf(list.conversation)}@${id}` : id

/** Asks for a page; where few of very many messages are found reading stops now and then, and goes on. */
async function page(conversation, keys, signal) {
  for (let at = keys.at; ;) {
    const found = await source.ask('page', { ...keysOf(conversation), ...keys, at }, signal)
    if (conversation.query && !keys.filter) conversation.isExact = found.exact !== false
    if (keys.limit === 0 || found.messages.length || !found.next) return found
    at = Object.entries(found.next)[0].join(':')
  }
}

/** The conversation of a message, where several or only some messages are shown: a link to where it stands there. */
const where = ({ id, conversation }) => list.conversation.keys ? tint(make('a.where', { href: `#m${id}`, tabIndex: -1 }, make('bdi', null, titled(conversation))), conversation)
  : list.conversation.query ? make('a.where.context', { href: `#m${id}`, tabIndex: -1 }, 'in context') : ''

// ---- A message as a row

const ONLY_EMOJI = /^(?=\s*\S)(?:[\s\u200d\ufe0f\u{1f1e6}-\u{1f1ff}]|\p{Extended_Pictographic}|\p{Emoji_Modifier}){1,30}$/u
const STEPS = ['thinking', 'tool', 'result'], SAID = ['text', 'action', 'notice', 'unknown']
const SIGNS = { join: '→', part: '←', quit: '←' }
const isEvent = ({ kind }) => !SAID.includes(kind) && !STEPS.includes(kind)

/** A row; where all of it is wanted, as on paper, no text is folded. */
function makeRow(message, isWhole) {
  message.key = keyOf(message.id)
  const element = make(`article.message.${message.kind}${isEvent(message) ? '.event' : STEPS.includes(message.kind) ? '.step' : ''}`,
    { id: isWhole ? '' : `m${message.id}`, tabIndex: -1, 'aria-label': briefest(message) + (list.conversation.keys ? `, ${line(message.conversation)}` : '') })
  const row = { message, element, isWhole, units: 200 + (message.text?.length || 0), look: lookOf(message) }
  element.row = row
  const sender = named(message.sender)
  const time = make('a.time', { href: `#${hashOf(message.id)}`, tabIndex: -1, title: `${longDay.format(dateShown(message))} ${timeOf(message)}` }, make('time', { dateTime: message.time }, ...message.precision === 'day' ? [] : clock.formatToParts(dateOf(message)).map(({ type, value }) => type === 'dayPeriod' ? make('span.half', null, value) : value)))
  if (isEvent(message)) {
    const sign = make('span.sign', { 'aria-hidden': true }, SIGNS[message.kind] || '·')
    element.append(make('div.body', null, sign, message.sender ? sender : '', ' ', fill(make('span.text'), message.text, search.matches.get(message.id), message.marks), ...starOf(row), where(message), time))
  } else {
    element.append(message.sender ? disc(message.sender) : '', make('div.body', null, make('header', null, message.sender ? sender : '', where(message), time), quote(message), origin(message), textOf(row),
      ...attachmentsOf(message), reactions(message), repliesTo(message)))
  }
  return row
}

/** A row is made anew when this changes. */
const lookOf = ({ id, revision, conversation }) => JSON.stringify([revision, conversation, search.matches.get(id)])

/** The star of a message: it is the reader's, and on no paper. */
const starOf = ({ message: { starred }, isWhole }) => starred && !isWhole
  ? [' ', make('span.star', { role: 'img', 'aria-label': 'Starred', title: `Starred on ${shortDay.format(new Date(starred))}` }, '★')] : []

/** Steps of assistants fold to a line, long texts to their beginning and what was found in them. */
function textOf(row) {
  const { message, isWhole } = row, { kind, id } = message, marks = starOf(row), text = search.texts.get(id) ?? message.text
  if (message.edited || message.edits) marks.push(' ', press('mark', 'edited', beside('edits', message)))
  if (message.thread) marks.push(' ', press('mark', 'thread', thread(message.thread)))
  if (!text) return marks.length ? make('div.text', null, ...marks) : ''
  const box = make('div.text'), matches = search.matches.get(id) || [], size = message.textBytes || text.length
  if (kind === 'action') box.append('* ', named(message.sender), ' ')
  const lines = text.slice(0, FOLD).split('\n', 41), near = matches[0]
  const shown = isWhole ? text : lines.length > 40 ? lines.slice(0, 40).join('\n') : cut(text, FOLD)
  fill(box, shown, matches, message.marks)
  if (ONLY_EMOJI.test(box.textContent)) box.classList.add('large')
  if (near?.end > shown.length) {
    const from = Math.max(shown.length, text.lastIndexOf('\n', near.start - 200) + 1, near.start - FOLD / 2), part = cut(text.slice(from), near.end - from + FOLD / 2)
    if (from > shown.length) box.append(unfolder(row, shown.length, matches, from))
    box.append(fill(make('div'), part, shifted(matches, from), moved(message.marks, from)))
    if (from + part.length < text.length) box.append(unfolder(row, from + part.length, matches))
  } else if (shown.length < size) box.append(isWhole ? ` … (${bytes(size)} in all)` : unfolder(row, shown.length, matches))
  box.append(...marks)
  if (!STEPS.includes(kind)) return box
  return make('details', { open: isWhole || matches.length > 0 }, make('summary', null, named(message.sender), ` ${kind} `,
    make('bdi.gist', null, plain({ text, marks: message.marks })), make('small', null, ` ${bytes(size)}`), where(message)), box)
}

const shifted = (matches, by) => matches.map(({ start, end }) => ({ start: start - by, end: end - by }))

const moved = (marks, by) => marks?.map(([start, end, ...rest]) => [start - by, end - by, ...rest])

/** A button that shows more of a text in front of it, in blocks, up to an end. */
function unfolder(row, shown, matches, last = Infinity) {
  const { text = '', textBytes } = row.message
  const label = last < Infinity ? `Show what is before · ${bytes(last - shown)}` : `Show more · ${bytes(textBytes || text.length)} in all`
  const button = press('more', label, () => attempt(async () => {
    const whole = await wholeText(row.message), most = Math.min(whole.length, last)
    for (const end = Math.min(most, shown + clamp(shown, BLOCK, 8 * BLOCK)); shown < end;) {
      const part = cut(whole.slice(shown, end), BLOCK)
      button.before(fill(make('div'), part, shifted(matches, shown), moved(row.message.marks, shown)))
      shown += part.length
      row.units += part.length
    }
    if (shown >= most) button.remove()
  }))
  return button
}

/** Where the words of a forwarded message come from, as `Message.Forward.heading` says it: its sender is not their author. */
function origin({ forwarded }) {
  if (!forwarded || forwarded.quoted) return ''
  const names = [forwarded.from, forwarded.chat].filter(Boolean).map(line).join(' in ')
  const often = forwarded.often ? 'forwarded many times' : '', shown = names && often ? `${names}, ${often}` : names || often || 'forwarded'
  return make('p.origin', { title: forwarded.time ? `Written on ${shortDay.format(new Date(forwarded.time))}` : '' }, '» ', make('bdi', null, shown))
}

function reactions({ reactions }) {
  return reactions ? make('footer', null, ...reactions.map(({ emoji: name, shown: emoji = name, senders = [] }) => {
    const names = senders.map(line).join(', ')
    return make('span.reaction', { title: names, role: 'img', 'aria-label': `${line(emoji)} by ${names}` }, line(emoji), ' ', number(senders.length || 1))
  })) : ''
}

/** What a message answers, on a line of one height, so that nothing moves when it becomes known. */
function quote({ replyTo }) {
  if (!replyTo) return ''
  const button = press('quote', '…', () => go({ id: replyTo })), held = (list.coming ? list.coming.get(replyTo) : list.row(replyTo)?.message) || quotes.known.get(replyTo)
  if (held) quotes.write(button, held)
  else {
    if (!quotes.wanted.size) queueMicrotask(() => attempt(quotes.load))
    quotes.wanted.set(replyTo, [...(quotes.wanted.get(replyTo) || []), button])
  }
  return button
}

/** What is quoted: asked for at once for all rows that were made in one step. */
const quotes = {
  known: new Map(), wanted: new Map(),
  async load() {
    const { wanted } = quotes
    quotes.wanted = new Map()
    const { messages } = await source.ask('messages', { ids: [...wanted.keys()].join(',') })
    for (const { id, sender, text, marks, attachments } of messages) quotes.known.set(id, { sender, text: text?.slice(0, 300), marks, attachments })
    for (const [id, buttons] of wanted) for (const button of buttons) quotes.write(button, quotes.known.get(id))
    for (const id of quotes.known.keys()) if (quotes.known.size > 500) quotes.known.delete(id)
  },
  write(button, message) {
    if (!message) button.textContent = 'a message that is not here'
    else button.replaceChildren(named(message.sender), ' ', make('bdi', null, plain(message) || line(message.attachments?.[0].name)))
  },
}

/** A picture, film or sound, else a line with the name of the file. Its room is kept if its size is known. */
function attachment(message, index) {
  const { name, type = '', bytes: size, width, height } = message.attachments[index], isPlayed = /^(audio|video)\//.exec(type)
  const url = source.file(message, index), small = source.thumbnail(message, index), title = line(name) || 'file'
  const link = url ? { href: url, target: '_blank', rel: 'noopener noreferrer', title } : { title }
  const chip = make(url ? 'a.file' : 'span.file', link, make('bdi', null, title), make('small', null, ` ${size ? bytes(size) : ''}${url ? '' : ' · not kept'}`))
  if (!(isPlayed && url) && !small) return chip
  const media = isPlayed ? make(isPlayed[1], { controls: true, preload: 'metadata', src: url }) : make('img', { alt: title, decoding: 'async' })
  if (width && height) {
    const shown = Math.max(1, Math.round(width * Math.min(1, 320 / width, 280 / height))), larger = source.preview(message, index)
    const wide = side => Math.max(1, Math.round(width * Math.min(1, side / Math.max(width, height))))
    if (!isPlayed && larger && wide(larger.side) > wide(320)) {
      Object.assign(media, { sizes: `${shown}px`, srcset: `${small} ${wide(320)}w, ${larger.url} ${wide(larger.side)}w` })
    }
    media.style.width = `${shown}px`
    media.style.aspectRatio = `${width} / ${height}`
  }
  if (!isPlayed) media.src = small
  const box = isPlayed ? media : make('a.picture', link, media)
  if (!isPlayed && url) box.onclick = event => { if (!event.ctrlKey && !event.metaKey && !event.shiftKey) event.preventDefault(), lazily('viewer.js', () => viewer.open(message, index, box)) }
  media.onerror = () => {
    if (media.srcset) media.srcset = ''
    else box.replaceWith(chip)
  }
  return box
}

/** Pictures side by side where there are several, and the rest below one another. */
function attachmentsOf(message) {
  const all = (message.attachments || []).map((_, index) => attachment(message, index)), isPicture = each => each.matches('.picture')
  const pictures = all.filter(isPicture)
  return pictures.length < 2 ? all : [make('div.grid', null, ...pictures), ...all.filter(each => !isPicture(each))]
}

// ---- The list

/** Where an element lies in the list, without rounding. */
const topOf = element => element.getBoundingClientRect().top - room.getBoundingClientRect().top + room.scrollTop

/**
 * The run of messages that is held: neighbours without a hole, `first` being the number of the oldest of them.
 * The row at the top of the screen stays where it is, whatever happens above it; at the newest edge the end does.
 */
const list = {
  rows: [], first: 1, total: 0, atEnd: true, seen: 0,
  conversation: null, generation: 0, loading: {}, held: [], tops: [], at: 0,

  row: id => list.rows.find(row => row.message.id === id),

  /** The index of the row at a height of the screen. */
  indexAt: y => Math.max(0, lastIndex(list.rows, ({ element }) => element.offsetTop <= room.scrollTop + y)),

  /** The number of the message there, with the part of it that lies above. */
  placeAt(y) {
    const index = list.indexAt(y), { offsetTop, offsetHeight } = list.rows[index].element
    return list.first + index + clamp((room.scrollTop + y - offsetTop) / (offsetHeight || 1), 0, 1)
  },

  /** The index of the first remembered row that begins on the screen, or fills it, at a place. */
  topAt(place) {
    const index = 1 + lastIndex(list.tops, top => top < place)
    return list.tops[index] < place + room.clientHeight ? index : Math.max(0, index - 1)
  },

  /** Remembers which rows are where; what has grown meanwhile, as pictures do, moves nothing on the screen. */
  hold() {
    const { scrollTop } = room, index = list.topAt(scrollTop), isSame = list.held === list.rows && list.rows.length
    // Where the end comes nearer, as lines get wider, browsers scroll to it themselves.
    if (isSame && (scrollTop === list.at || (list.atEnd && list.isAtEnd))) list.keep()
    else if (isSame) room.scrollTop += topOf(list.rows[index].element) - list.tops[index]
    Object.assign(list, { held: list.rows, tops: list.rows.map(row => topOf(row.element)), at: room.scrollTop })
    list.atEnd = list.isAtEnd
    if (list.rows.length) list.place = list.placeNow
  },

  /** The first message on the screen, and how far below its edge it begins. */
  get placeNow() {
    const { held, tops, at } = list, index = list.topAt(at)
    return { id: held[index]?.message.id, top: tops[index] - at }
  },

  get isAtEnd() { return !list.hasNewer && room.scrollHeight - room.scrollTop - room.clientHeight < 4 },

  /** Puts the first remembered row back that is still there. */
  keep() {
    if (list.atEnd) return void (room.scrollTop = room.scrollHeight)
    for (let index = list.topAt(list.at); index < list.held.length; index++) {
      const { element, message } = list.held[index], now = element.isConnected ? element : list.row(message.id)?.element
      if (!now) continue
      return void (room.scrollTop += topOf(now) - room.scrollTop - (list.tops[index] - list.at))
    }
  },

  change(work) {
    list.hold()
    work()
    list.keep()
    list.held = null // or what has grown would be made up for twice
    list.hold()
    drawPlace()
  },

  /** Takes rows in; in the document only what differs is touched. */
  set(rows, facts) {
    Object.assign(list, facts, { rows })
    list.conversation.messages = list.total
    settle($('rows'), rows.length ? rows.map(({ element }) => element) : [nothingIn(list.conversation)])
    list.decorate()
    threads.ask()
  },

  /** Shows a page in place of the rows; those that look the same stay. */
  become({ messages, firstNumber: first = 1, total, hasOlder, hasNewer }) {
    const held = new Map(list.rows.map(row => [row.message.id, row])), { selected } = list
    list.coming = new Map(messages.map(message => [message.id, message]))
    const rows = messages.map(message => {
      const old = held.get(message.id)
      return old && old.look === lookOf(message) ? old : makeRow(message)
    })
    list.coming = null
    list.set(rows, { first, total, hasOlder, hasNewer })
    list.selected = null
    if (selected && list.row(selected.message.id)) choose(list.row(selected.message.id), false)
  },

  redraw() {
    if (list.rows.length) list.change(() => list.become({ ...list, messages: list.rows.map(row => row.message), firstNumber: list.first }))
  },

  /** Adds a page at an end, and drops rows at the other one. */
  add({ messages, firstNumber, total, hasOlder, hasNewer }, isOlder) {
    const rows = messages.map(message => makeRow(message))
    list.change(() => {
      if (isOlder) list.set(rows.concat(list.rows), { hasOlder, total, first: firstNumber ?? list.first - rows.length })
      else list.set(list.rows.concat(rows), { hasNewer, total })
      list.trim(isOlder)
    })
  },

  trim(isOlder) {
    const { scrollTop, clientHeight } = room
    let units = list.rows.reduce((sum, row) => sum + row.units, 0), from = 0, to = list.rows.length
    while (to - from > MOST_ROWS || units > MOST_UNITS) {
      const row = list.rows[isOlder ? to - 1 : from], { offsetTop, offsetHeight } = row.element
      if (isOlder ? offsetTop < scrollTop + 3 * clientHeight : offsetTop + offsetHeight > scrollTop - 2 * clientHeight) break
      units -= row.units
      if (isOlder) to--
      else from++
    }
    if (to - from === list.rows.length) return
    list.set(list.rows.slice(from, to), { first: list.first + from, hasOlder: list.hasOlder || from > 0, hasNewer: list.hasNewer || isOlder })
  },

  /** Parts days, groups what one sender wrote in a run, folds threads, and draws a line above what is unread. */
  decorate() {
    const { unread, readUpTo } = list.conversation, read = unread && readUpTo ? keyOf(readUpTo) : null, told = new Map(), isCounted = countsReplies()
    let above
    list.rows.forEach((row, index) => {
      const before = list.rows[index - 1]?.message, { message, element } = row, number = list.first + index
      const isUnread = read !== null && message.key > read && (before ? before.key <= read : !list.hasOlder), fold = threads.fold(message, told, isUnread, number)
      Object.assign(element, { ariaPosInSet: number, ariaSetSize: list.total })
      decorate(row, above, isUnread, fold)
      // A day begins with what can be read of it.
      if (!/folded|again/.test(fold)) above = message
      // What began a thread says so below it where it is counted what came of it.
      const began = message.thread || message.id
      if (message.thread || isCounted) told.set(began, told.get(began) || fold === 'again')
    })
  },

  /** Shows that no conversation is open, and what can be done. */
  close(text, ...ways) {
    ++list.generation
    instead('list')
    if (mode.contains('filtering')) filters.hide()
    mode.remove('filtered')
    Object.assign(list, { conversation: null, rows: [], held: [], tops: [], total: 0, hasOlder: false, hasNewer: false, selected: null })
    $('rows').replaceChildren(notice(text, ...ways))
    $('title').textContent = document.title = 'Scrollback'
    history.replaceState(null, '', location.pathname)
    drawPlace()
    $('place').textContent = text
  },

  /** Takes in that what is open has another name: its title, the tab and the address follow. */
  renamed() {
    const { conversation } = list
    conversation.name = baseOf(conversation).name
    showTitle()
    readdress()
  },

  /** Follows the messages of what is open into the conversation that they are a part of now. */
  async moved(from, to) {
    const { id, top } = list.place || {}
    await go({ conversation: filtered(to, list.conversation.query), id, top, isHere: true, isKept: true })
    readdress()
    trouble(`${titled(from.name)} is part of ${titled(to.name)} now.`, 8000)
  },

  /** Asks for rows at both ends until there are enough of them beyond the screen. */
  ensure() {
    const { scrollTop, scrollHeight, clientHeight } = room
    if (list.hasOlder && scrollTop < AHEAD * clientHeight) list.extend(true)
    if (list.hasNewer && scrollHeight - scrollTop < (AHEAD + 1) * clientHeight) list.extend(false)
  },

  async extend(isOlder) {
    const edge = list.rows.at(isOlder ? 0 : -1), { generation } = list
    if (!edge || list.loading[isOlder] === generation) return
    list.loading[isOlder] = generation
    const found = await attempt(() => page(list.conversation, { at: `${isOlder ? 'before' : 'after'}:${edge.message.id}`, limit: PAGE }, wish('list')))
    // What came of them stands there before they are seen.
    if (found && countsReplies()) await lazily('threads.js', () => countReplies(found.messages))
    if (list.loading[isOlder] === generation) list.loading[isOlder] = null
    if (!found || generation !== list.generation) return
    if (edge.message.id === list.rows.at(isOlder ? 0 : -1)?.message.id) list.add(found, isOlder)
    list.ensure()
  },

  /** Goes to a place of a conversation; `put` scrolls when the rows are there. */
  async open(conversation, at, put, older) {
    const generation = ++list.generation, { version } = live
    const found = await page(conversation, { at, limit: list.conversation || at !== 'newest' ? JUMP : SCREEN, older }, instead('list'))
    if (generation !== list.generation) return null
    const isOther = conversation.id !== list.conversation?.id, isElsewhere = baseOf(conversation) !== baseOf(list.conversation)
    Object.assign(list, { conversation, atEnd: false, rows: [] })
    if (isOther) Object.assign(list, { seen: found.total, selected: null }), threads.open.clear()
    list.become(found)
    if (isOther) showTitle(isElsewhere)
    put(found)
    list.scrolled()
    // What came while the answer was on its way is not in it.
    if (live.version !== version) live.read()
    return found
  },

  scrolled() {
    list.hold()
    drawPlace()
    list.ensure()
  },

  toEnd: () => room.scrollTop = room.scrollHeight,
  scrollTo: ({ element }, part) => room.scrollTop = element.offsetTop - (room.clientHeight - element.offsetHeight) * part,
}

/** Gives a row what depends on the one above it. */
function decorate(row, above, isUnread, fold = '') {
  const { message, element } = row, isFolded = /folded|again/.test(fold), isNewDay = !isFolded && (!above || dayOf(above) !== dayOf(message))
  const isHead = isNewDay || isUnread || startsRun(above, message), isNext = repeats(above, message)
  const look = `${isNewDay} ${isUnread} ${isHead} ${isNext} ${fold}`
  if (element.dataset.look === look) return
  element.dataset.look = look
  for (const [name, holds] of Object.entries({ head: isHead, fresh: isUnread, next: isNext, folded: fold === 'folded', stub: fold === 'stub' || fold === 'again' })) element.classList.toggle(name, holds)
  element.querySelector('.fold')?.remove()
  if (/stub|again/.test(fold)) element.append(threads.stub(message, fold === 'again'))
  element.querySelector('.day')?.remove()
  const label = [isNewDay && longDay.format(dateShown(message)), isUnread && 'Unread'].filter(Boolean).join(' · ')
  if (label) element.prepend(make('div.day', { role: 'separator' }, label))
}

/** Whether what a message quotes stands right above it, or was quoted there. */
const repeats = (above, { replyTo }) => Boolean(replyTo && above && (above.id === replyTo || above.replyTo === replyTo))

function startsRun(before, message) {
  if (!SAID.includes(message.kind)) return !before || isEvent(before) !== isEvent(message) || SAID.includes(before.kind)
  return !before || before.sender !== message.sender || before.conversation !== message.conversation || !SAID.includes(before.kind)
    || dateOf(message) - dateOf(before) > 420_000 || (Boolean(message.replyTo) && !repeats(before, message)) || Boolean(before.thread) !== Boolean(message.thread)
}

// ---- Threads: what messages began, with what came of it. Replies are folded, and opened beside.

const thread = id => () => lazily('threads.js', () => openThread(id))
const countOf = ({ answers, exact, newestTime, newestPrecision }) =>
  `${number(answers)}${exact === false ? '+' : ''} ${answers === 1 ? 'reply' : 'replies'} · last on ${shortDay.format(dateShown({ time: newestTime, precision: newestPrecision }))}`

const threads = {
  known: new Map(), asked: new Set(), open: new Set(),

  /** Whether a reply is folded away (`folded`), as what began its thread stands above, or is a line for others, too (`stub`, `again`). */
  fold({ thread, id }, told, isUnread, number) {
    if (!thread || thread === id || list.conversation.query || threads.open.has(thread) || search.matches.has(id)) return ''
    if (!told.has(thread) || isUnread) return 'stub'
    // A long row of replies is named again, once; what has few of them need not be.
    return number % MOST_FOLDED || told.get(thread) || threads.known.get(thread)?.answers <= MOST_FOLDED ? 'folded' : 'again'
  },

  stub(message, isAgain) {
    const { thread: id } = message, { sender, text, ...known } = threads.known.get(id) || {}
    // What is told again in a long row of replies need not say all of it.
    if (isAgain) return press('fold', `↳ more replies · ${shortDay.format(dateShown(message))}`, thread(id))
    return press('fold', '↳ ', thread(id), make('b', null, known.answers ? countOf(known) : 'Replies in a thread'), ' ', sender ? named(sender) : '', ' ', make('bdi', null, line(text)))
  },

  /** Shows the replies of a thread where they stand, too. */
  reveal({ message, element }) {
    if (!element.matches('.folded, .stub')) return
    threads.open.add(message.thread)
    list.change(list.decorate)
  },

  /** Asks what became of messages that are held, a while after they came. */
  ask() {
    if (countsReplies()) threads.timer ??= setTimeout(() => lazily('threads.js', () => countReplies(list.rows.map(({ message }) => message))).finally(() => threads.timer = null), 200)
  },
}

function repliesTo({ id }) {
  const known = threads.known.get(id)
  return known ? press(known.answers > 1 ? 'replies' : 'replies.one', countOf(known), thread(id)) : ''
}

// ---- Place: title, scroll bar, what came below

function showTitle(isElsewhere) {
  const { name, query } = list.conversation
  $('title').textContent = titled(name)
  document.title = `${titled(name)} · Scrollback`
  side.draw()
  mode.toggle('filtered', Boolean(query))
  // A bar without chips is of the conversation that it was opened in.
  if (query) filter('draw')()
  else if (mode.contains('filtering')) filter(isElsewhere ? 'hide' : 'draw')()
}

/** A sentence in place of messages, and the next steps. */
const notice = (text, ...ways) => make('div.empty', null, make('p', null, text), ...ways)
const way = (label, work) => press('way', label, work)

/** What a conversation without messages, or a filter that finds none, says. */
function nothingIn(scope) {
  return scope.query ? notice('No message here is like that.', make('p', null, 'Leave out one of the chips above, or ', way('show all messages', () => go({ conversation: baseOf(scope) })), '.'))
    : notice(`There are no messages in ${titled(scope.name)}.`, ...hasEverything() && scope !== everything ? [way('Show everything', () => go({ conversation: everything }))] : [])
}

/** What was seen here, or in another tab: runs of numbers of messages, by conversation. The store itself stays as it is. */
const seen = {
  key: null, runs: {},

  open(store) {
    seen.key = `seen ${store}`
    seen.load({ key: seen.key })
  },

  load({ key }) {
    if (!seen.key || key !== seen.key) return
    try { seen.runs = JSON.parse(localStorage[key] || '{}') } catch { seen.runs = {} }
    seen.draw()
  },

  /** Takes in that some messages are on the screen. */
  note(first, last) {
    const { id, unread } = list.conversation, held = seen.runs[id] || []
    if (!seen.key || !unread || last < first || document.hidden || held.some(([from, to]) => from <= first && to >= last)) return
    const runs = []
    for (const run of [...held, [first, last]].sort((a, b) => a[0] - b[0])) {
      if (runs.length && run[0] <= runs.at(-1)[1] + 1) runs.at(-1)[1] = Math.max(runs.at(-1)[1], run[1])
      else runs.push([...run])
    }
    seen.runs[id] = runs.slice(-50)
    seen.draw()
    if (server.marks) seen.marking ??= setTimeout(beside('mark'), 1000)
    seen.timer ??= setTimeout(() => {
      seen.timer = null
      try { localStorage[seen.key] = JSON.stringify(Object.fromEntries(Object.entries(seen.runs).slice(-500))) } catch {}
    }, 200)
  },

  /** How many are unread: as the store says, but for what was seen; of several conversations together, in `parts`. */
  unread({ id, unread, newer = unread, told, parts }) {
    if (parts) return parts.reduce((sum, each) => sum + seen.unread(each), 0)
    const first = told - newer + 1, overlap = ([from, to]) => Math.max(0, Math.min(to, told) - Math.max(from, first) + 1)
    return unread ? Math.max(0, Math.min(unread, newer - (seen.runs[id] || []).reduce((sum, run) => sum + overlap(run), 0))) : 0
  },

  draw() {
    const unread = list.conversation && !list.conversation.keys ? seen.unread(list.conversation) : 0
    Object.assign($('unread'), { hidden: !unread, textContent: `${number(unread)} unread` })
    side.draw()
  },
}

function drawPlace() {
  track.classList.toggle('idle', !list.rows.length)
  if (mode.contains('filtering')) filters.tell()
  if (!list.rows.length) return void (list.conversation && ($('place').textContent = 'no messages'))
  const { clientHeight } = room, top = list.placeAt(0), bottom = list.placeAt(clientHeight)
  const part = bar.held ?? bar.part(top, bottom), index = list.indexAt(part * clientHeight)
  const place = `${shortDay.format(dateShown(list.rows[index].message))} · ${number(list.first + index)} of ${number(list.total)}`
  $('place').textContent = place
  bar.draw(part, (bottom - top) / list.total, list.first + index, place)
  if (list.atEnd) list.seen = list.total
  seen.note(Math.ceil(top - 0.3), list.atEnd ? list.total : Math.floor(bottom + 0.3) - 1)
  const below = Math.ceil(list.total + 1 - bottom), news = Math.min(list.total - list.seen, below)
  $('below').classList.toggle('news', news > 0)
  Object.assign($('below'), { textContent: news > 0 ? `${number(news)} new below ↓` : '↓', hidden: list.atEnd || (news <= 0 && below < 6) })
}

/** The scroll bar, exact over the whole conversation: its place is the number of a message. */
const bar = {
  held: null, wanted: null,

  /** How much lies above the screen: 0 at the oldest end, 1 at the newest one. */
  part(top, bottom) {
    const older = top - 1, newer = list.total + 1 - bottom
    return older + newer > 0.001 ? clamp(older / (older + newer), 0, 1) : 1
  },

  draw(part, size, now, text) {
    const height = track.clientHeight, thumb = clamp(size * height, 28, height), top = part * (height - thumb)
    $('thumb').style.height = `${thumb}px`
    lay($('thumb'), top)
    track.classList.toggle('idle', size >= 1)
    Object.assign(track, { ariaValueMax: list.total, ariaValueNow: now, ariaValueText: text })
    lay($('bubble'), top + thumb / 2 - 15)
    Object.assign($('bubble'), { textContent: text, hidden: bar.held === null })
  },

  /** Goes to a part of the way, to the last that is wanted. */
  go(part) {
    bar.wanted = part
    return bar.going ||= bar.run()
  },

  async run() {
    for (let part; (part = bar.wanted) !== null;) {
      bar.wanted = null
      await attempt(() => bar.jump(part))
    }
    bar.going = null
  },

  async jump(part) {
    const target = 1 + Math.round(part * (list.total - 1)), index = target - list.first
    const put = index => part >= 1 ? list.toEnd() : part <= 0 ? room.scrollTop = 0 : list.scrollTo(list.rows[index], part)
    if (list.rows[index] && (part < 1 || !list.hasNewer) && (part > 0 || !list.hasOlder)) return put(index), list.scrolled()
    await list.open(list.conversation, `number:${target}`, ({ messages, firstNumber }) => {
      if (messages.length) put(clamp(target - firstNumber, 0, messages.length - 1))
    }, Math.round(JUMP * clamp(part, 0.2, 0.8)))
  },

  press(event) {
    if (event.button || !list.rows.length) return
    event.preventDefault()
    track.focus({ preventScroll: true })
    track.setPointerCapture(event.pointerId)
    const { top, bottom, height } = $('thumb').getBoundingClientRect()
    bar.grip = event.clientY >= top && event.clientY <= bottom ? event.clientY - top : height / 2
    remember()
    bar.held = -1
    bar.drag(event)
    beside('years')()
  },

  drag(event) {
    if (bar.held === null) return
    const { top, height } = track.getBoundingClientRect()
    const part = clamp((event.clientY - top - bar.grip) / Math.max(1, height - $('thumb').offsetHeight), 0, 1)
    if (part === bar.held) return
    bar.held = part
    drawPlace()
    bar.go(part)
  },

  async release() {
    if (bar.held === null) return
    bar.held = null
    track.querySelectorAll('.mark').forEach(mark => mark.remove())
    await bar.going
    drawPlace()
    visited()
  },

  key(event) {
    const top = list.placeAt(0), bottom = list.placeAt(room.clientHeight), screen = bottom - top - 1
    const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -screen, PageDown: screen }[event.key]
    if (!steps) return
    event.preventDefault()
    event.stopPropagation()
    bar.go(clamp(bar.part(top, bottom) + steps / Math.max(1, list.total - screen), 0, 1))
  },
}

// ---- Conversations

const ITEM = 60 // the height of a conversation in the list, in pixels

const side = {
  all: [], people: [], shown: [], chosen: null, isOfPeople: false, isWhole: false,

  /** Reads them all, those that are there first, so that the newest of all can stand above. */
  load: () => side.loading ||= attempt(async () => {
    const all = []
    for (let after = null; ;) {
      const { conversations, next } = await source.ask('conversations', { after, limit: 500, unread: true, newest: true })
      all.push(...conversations.map(side.told))
      if (!(after = next)) break
      if (!side.all.length && !list.rows.length) $('place').textContent = `${number(all.length)} conversations …`
    }
    Object.assign(side, { all, isWhole: true })
    side.adopt()
    const open = baseOf(list.conversation)
    if (open && !open.keys && !side.all.includes(open)) await side.refresh([open.id])
    side.arrange()
    if (!isSite) attempt(side.loadPeople)
  }).finally(() => side.loading = null),

  /** Has the conversation that is open among all, as the same value. */
  adopt() {
    const open = baseOf(list.conversation), name = open?.name
    side.all = side.all.map(each => each.id === open?.id ? Object.assign(open, each) : each)
    if (name !== open?.name) list.renamed()
  },

  async loadPeople() {
    const found = []
    for (let after; ;) {
      const { people, next } = await source.ask('people', { after, limit: 500 })
      found.push(...people.map(withPerson))
      if (!(after = next)) break
    }
    side.people = found
    $('sorts').hidden = !found.length
    side.turn(side.isOfPeople && found.length > 0)
  },

  /** Lists people, or conversations. */
  turn(isOfPeople) {
    side.isOfPeople = isOfPeople
    $('chats').ariaPressed = !isOfPeople
    $('people').ariaPressed = isOfPeople
    side.arrange()
  },

  /** A conversation as it was told, with how many messages it had then. */
  told: conversation => ({ ...conversation, told: conversation.messages, when: Date.parse(conversation.last) || -Infinity }),

  /** Sorts by the newest messages, and shows the names that are looked for. */
  arrange() {
    side.all.sort((a, b) => b.when - a.when || a.id - b.id)
    const wanted = $('find').value.trim().toLowerCase(), first = side.all.length > 1 && hasEverything() ? [everything] : []
    Object.assign(everything, { last: side.all[0]?.last, lastPrecision: side.all[0]?.lastPrecision })
    everything.parts = side.all.filter(({ unread }) => unread)
    const direct = new Map()
    for (const each of everything.parts) for (const name of each.people || []) direct.set(name, [...direct.get(name) || [], each])
    for (const each of side.people) each.parts = direct.get(each.name) || []
    everything.about = side.isWhole ? plural(side.all.reduce((sum, { messages }) => sum + messages, 0), 'message') : '…'
    side.shown = wanted ? [...first, ...side.all, ...side.people].filter(each => each.name.toLowerCase().includes(wanted))
      : [...first, ...side.isOfPeople ? side.people : side.all]
    side.draw()
    // The first messages of a store that had none are shown as they come.
    if (list.isBare && side.all[0]) list.isBare = false, go({ conversation: side.all[0], isKept: true })
  },

  /** Takes in that a conversation is not there any more. */
  gone(id) {
    const { conversation } = list
    side.all = side.all.filter(each => each.id !== id)
    side.arrange()
    if (baseOf(conversation)?.id !== id) return
    const next = side.all[0]
    list.close(`${titled(conversation.name)} was ${conversation.keys ? 'unlinked' : 'deleted'}.`, next ? way(`Open ${titled(next.name)}`, () => go({ conversation: next })) : '')
  },

  /** Takes in what a conversation is now: renamed, or a part of another one. */
  become(held, fresh) {
    const known = side.all.find(({ id }) => id === fresh.id), open = baseOf(list.conversation)?.id, isRenamed = known && known.name !== fresh.name
    if (known) Object.assign(known, fresh)
    else side.all.push(fresh)
    if (isRenamed && open === fresh.id) list.renamed()
    if (!held || held.id === fresh.id) return
    side.all = side.all.filter(({ id }) => id !== held.id)
    if (open === held.id) attempt(() => list.moved(held, known || fresh))
  },

  draw() {
    const { scrollTop, clientHeight } = shelf, from = Math.max(0, Math.floor(scrollTop / ITEM) - 5)
    const to = from + Math.ceil(clientHeight / ITEM) + 10
    $('room').style.height = `${side.shown.length * ITEM}px`
    settle($('room'), side.shown.length ? side.shown.slice(from, to).map((each, index) => side.item(each, from + index)) : side.nothing())
    for (const [id, each] of [['conversations', baseOf(list.conversation)], ['find', side.chosen]]) {
      $(id).setAttribute('aria-activedescendant', each && $(`c${each.id}`) ? `c${each.id}` : '')
    }
  },

  /** What an empty list says: that nothing has the name that is looked for, and what looks through the messages. */
  nothing() {
    const wanted = $('find').value.trim()
    if (!wanted) return side.isWhole ? [notice('There are no conversations yet.')] : []
    return [notice(`There is no conversation “${line(wanted)}”.`, way('Search all messages for it', () => {
      $('find').value = ''
      covers.close(side.hide)
      side.arrange()
      field.value = wanted
      search.isWide = true
      seek('start')()
    }))]
  },

  item(conversation, index) {
    const { id, name, last, lastPrecision, lastSender, lastText, direct, about, keys } = conversation, isOpen = id === baseOf(list.conversation)?.id, unread = seen.unread(conversation)
    const parts = [name, last ? brief({ time: last, precision: lastPrecision }) : '', lastSender && !direct && !about ? titled(lastSender) : '', about || line(lastText) || '(no text)', unread]
    const look = parts.join('\n'), item = $(`c${id}`) || make(`div.conversation${keys ? '.whole' : ''}`, { role: 'option', id: `c${id}` })
    if (item.dataset.look !== look) {
      item.replaceChildren(disc(name), make('b', null, make('bdi', null, titled(name))), make('time', null, parts[1]), make('span.last', null, parts[2] ? make('span', null, make('bdi', null, parts[2]), ': ') : '', make('bdi', null, parts[3])),
        unread ? make('span.count', { role: 'img', 'aria-label': `${number(unread)} unread` }, number(unread)) : '')
      item.dataset.look = look
    }
    item.classList.toggle('open', isOpen)
    item.classList.toggle('chosen', conversation === side.chosen)
    Object.assign(item, { ariaSelected: isOpen, ariaPosInSet: index + 1, ariaSetSize: side.shown.length })
    lay(item, index * ITEM)
    item.onclick = () => side.open(conversation)
    return item
  },

  /** Opens one of those that are listed; where the list covered the messages, it takes the list's step in the browser's history. */
  open(conversation) {
    covers.close(side.hide)
    return go({ conversation })
  },

  /** Shows the list over the messages, or hides it; going back does that, too. */
  toggle() {
    if (mode.contains('choosing')) return covers.close(side.hide)
    mode.add('choosing')
    if (isPhone()) covers.add(side.hide)
  },
  hide: () => mode.remove('choosing'),

  async refresh(ids) {
    if (ids.length > 50) return side.load()
    for (const id of ids) {
      const held = side.all.find(each => each.id === id) || (baseOf(list.conversation)?.id === id ? baseOf(list.conversation) : null)
      const fresh = await source.ask('conversation', { conversationID: id, knownAs: held?.name, newest: true }).then(side.told, ({ kind }) => kind)
      if (fresh === 'notFound') side.gone(id)
      else if (fresh?.id) side.become(held, fresh)
    }
    side.arrange()
    seen.draw()
  },

  /** The conversation with a name and, where that is known, an id; where it was renamed or merged, what it is now. */
  async find(name, id) {
    const held = side.all.find(each => each.name === name && (!id || each.id === id))
    if (held) return held
    const found = side.told(await source.ask('conversation', id ? { conversationID: id, knownAs: name } : { conversation: name }))
    return side.all.find(each => each.id === found.id) || found
  },

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step || !side.shown.length) return
    event.preventDefault()
    event.stopPropagation()
    const index = clamp(side.shown.findIndex(each => each.id === baseOf(list.conversation)?.id) + step, 0, side.shown.length - 1)
    go({ conversation: side.shown[index] })
    shelf.scrollTop = index * ITEM - shelf.clientHeight / 2
  },

  /** Arrows choose among what was found by name, Enter opens it. */
  findKey(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[event.key], { shown } = side
    if (step === undefined || !shown.length) return
    event.preventDefault()
    const index = clamp(shown.indexOf(side.chosen) + step, 0, shown.length - 1)
    side.chosen = shown[index]
    shelf.scrollTop = index * ITEM - shelf.clientHeight / 2
    if (!step) {
      side.chosen = null
      side.open(shown[index])
      toMessages()
    }
    side.draw()
  },
}

/** When something was, in few letters: a list has no room for more. */
function brief(moment, now = new Date()) {
  const date = dateShown(moment), isToday = date.toDateString() === now.toDateString() && moment.precision !== 'day'
  return (isToday ? clock : date.getFullYear() === now.getFullYear() ? dayAndMonth : monthAndYear).format(date)
}

// ---- Where to go, and back

/** Writes down where the reader is, so that going back finds it. */
function remember() {
  const { conversation, atEnd } = list, { id, top } = list.placeNow
  if (conversation) history.replaceState({ ...history.state, in: addressOf(conversation), id: atEnd ? null : id, top }, '')
}

/** Makes a step in the browser's history, or takes that of what was just closed. */
function visited(id, isTaken) {
  history[isTaken ? 'replaceState' : 'pushState']({ depth: covers.open.length }, '', `#${hashOf(id)}`)
  remember()
}

/** Has the address say what the conversation that is open is called now. */
function readdress() {
  const [, id] = /^#(?:c\d+:|in:).*?(?:@(-?\d+))?$/.exec(location.hash) || []
  if (/^#(c\d+:|in:)/.test(location.hash)) history.replaceState(history.state, '', `#${hashOf(isPart(list.conversation) && id)}`)
  remember()
}

const toMessages = () => room.focus({ preventScroll: true })

/** Goes to a message (`id`), a place (`at`) or the newest end; `isKept`: the browser's history has this step. */
async function go({ conversation = list.conversation, id, at, top, isKept, isHere }) {
  await covers.leaving
  const isTaken = !isKept && covers.take()
  if (!isKept && !isTaken) remember()
  const isThere = await attempt(() => id ? goToMessage(id, conversation, top, isHere)
    : list.open(conversation, at || 'newest', at ? () => room.scrollTop = list.hasOlder ? list.rows[0].element.offsetTop : 0 : list.toEnd, at ? 0 : undefined))
  if (isThere && !isKept) visited(id, isTaken)
  else if (isTaken) covers.leave()
  return isThere
}

async function goToMessage(id, conversation, top, isHere) {
  const put = row => {
    threads.reveal(row)
    const mark = row.element.querySelector('mark')
    if (top === undefined && mark && row.element.offsetHeight > room.clientHeight / 2) room.scrollTop += topOf(mark) - room.scrollTop - room.clientHeight * 0.4
    else if (top === undefined) list.scrollTo(row, 0.4)
    else room.scrollTop = topOf(row.element) - top
  }
  let row = conversation === list.conversation && list.row(id)
  if (row) put(row), list.scrolled()
  else {
    const generation = ++list.generation // who goes elsewhere meanwhile gets there
    if (!conversation || (top === undefined && !isHere && baseOf(conversation) !== everything)) conversation = await side.find((await source.ask('message', { id })).conversation)
    if (generation !== list.generation) return null
    await list.open(conversation, `around:${id}`, () => {
      row = list.row(id) || list.rows.find(each => each.message.key >= keyOf(id)) || list.rows.at(-1)
      if (row) put(row)
    })
  }
  if (row && top === undefined) choose(row, true)
  return row
}

const goNewest = () => go({}), goOldest = () => go({ at: 'oldest' })

/** What an address stands for. */
async function scopeAt(address) {
  const at = address.indexOf('?')
  if (at > 0) return filtered(await scopeAt(address.slice(0, at)), decodeURIComponent(address.slice(at + 1)))
  const name = decodeURIComponent(address.slice(address.indexOf(':') + 1)), [, id] = /^c(\d+):/.exec(address) || []
  if (address === everything.address) return everything
  if (address.startsWith('with:')) return side.people.find(each => each.name === name) || withPerson({ name, messages: 0 })
  const found = await side.find(name, Number(id))
  if (found.name !== name) trouble(id && found.id !== Number(id) ? `${titled(name)} is part of ${titled(found.name)} now.` : `${titled(name)} is called ${titled(found.name)} now.`, 8000)
  return found
}

async function follow(state) {
  const hash = location.hash.slice(1), [, scope, id] = /^((?:everything|c\d+:|in:|with:).*?)(?:@(-?\d{1,18}))?$/.exec(hash) || []
  if (!state && /^m?-?\d{1,18}$/.test(hash)) return go({ id: hash.replace('m', ''), isKept: true })
  const address = state?.in ?? scope
  if (!address) return
  // Whoever has gone on meanwhile has an address of their own.
  if (await go({ conversation: await scopeAt(address), id: state ? state.id : id, top: state?.id ? state.top : undefined, isHere: true, isKept: true })) readdress()
}

function choose(row, isFound) {
  list.selected?.element.classList.remove('selected', 'found')
  list.selected = row
  row.element.classList.add('selected')
  if (isFound) row.element.classList.add('found')
  if (isFound !== false) row.element.focus({ preventScroll: true })
}

/** Chooses the next message in a direction. */
function step(direction) {
  if (!list.rows.length) return
  const { clientHeight, scrollTop } = room, held = list.rows.indexOf(list.selected)
  const start = held >= 0 ? held : direction > 0 ? list.indexAt(0) - 1 : list.indexAt(clientHeight - 1) + 1
  let next = start + direction
  while (list.rows[next]?.element.matches('.folded')) next += direction
  const row = list.rows[clamp(next, 0, list.rows.length - 1)], { offsetTop, offsetHeight } = row.element
  if (offsetTop < scrollTop + 8 || offsetTop + offsetHeight > scrollTop + clientHeight - 8) list.scrollTo(row, direction > 0 ? 0.6 : 0.4)
  choose(row)
}

const copy = of => list.selected && attempt(async () => {
  await navigator.clipboard.writeText(await of(list.selected.message))
  trouble('Copied.', 1500)
})
/** The whole text of a message, whose marks are those of all of it from then on. */
async function wholeText(message) {
  if (!message.textBytes) return message.text || ''
  const { text, marks } = await source.ask('message', { id: message.id })
  message.marks = marks
  return text
}

// ---- The panel

function openPanel(title, ...content) {
  if (!$('panel').contains(document.activeElement)) openPanel.from = document.activeElement
  $('panel-title').textContent = title
  panel.replaceChildren(...content)
  panel.onscroll = openPanel.again = null
  instead('panel')
  $('panel').hidden = false
  if (!mode.contains('paneled')) covers.add(hidePanel)
  mode.add('paneled')
  mode.remove('peeking')
  $('panel').focus({ preventScroll: true })
}

/** What is open over or beside the messages: each is a step of the browser's history, and going back closes the last one. */
const covers = {
  open: [], isFree: false, leaving: null,

  /** Takes in what was opened, by what hides it. */
  async add(hide) {
    covers.open.push(hide)
    const depth = covers.open.length
    await covers.leaving
    if (covers.take() || depth !== covers.open.length) return
    remember()
    history.pushState({ ...history.state, depth, isCover: true }, '')
  },

  /** Closes it; what is opened or gone to instead has its step, else that is undone. */
  close(hide) {
    const depth = covers.open.lastIndexOf(hide) + 1
    if (depth) covers.open.splice(depth - 1, 1)
    hide()
    if (!depth || !history.state?.isCover || history.state.depth !== depth) return
    covers.isFree = true
    setTimeout(() => covers.take() && covers.leave())
  },

  /** Whether there is a step of what was just closed: whoever asks has it. */
  take() {
    const { isFree } = covers
    covers.isFree = false
    return isFree
  },

  leave() {
    covers.leaving = new Promise(done => covers.left = done)
    history.back()
  },
}

const closePanel = () => covers.close(covers.open.at(-1) === side.hide ? side.hide : hidePanel)

function hidePanel() {
  mode.remove('paneled', 'peeking')
  instead('panel')
  openPanel.again = null
  field.value = ''
  $('panel').hidden = true
  search.clear()
  const { from } = openPanel, { activeElement } = document
  if (!activeElement || activeElement === document.body || activeElement === field || $('panel').contains(activeElement)) (from?.isConnected && from !== document.body && from !== field ? from : room).focus({ preventScroll: true })
}

/** Goes to where the browser's history leads. */
function stepBack({ state }) {
  if (covers.left) {
    covers.left()
    return void (covers.leaving = covers.left = null)
  }
  const { conversation } = list, depth = state?.depth || 0, isCovered = covers.open.length > depth
  while (covers.open.length > depth) covers.open.pop()()
  // What lies below stays as it is.
  if (!isCovered || state?.in !== (conversation && addressOf(conversation))) attempt(() => follow(state))
}

function entry(message, ...content) {
  const button = press('entry', make('span.who', null, named(message.sender), make('time', null, briefly(message), ...starOf({ message }))), () => { mode.add('peeking'); goTo(message) }, ...content)
  // What is pressed has nothing to press in it.
  for (const link of button.querySelectorAll('a, .spoiler')) link.replaceWith(...link.childNodes)
  return button
}
/** Goes to a message that tells the name of its conversation: in what is open, if it is there. */
const goTo = ({ id, conversation }, isWide) => attempt(async () => {
  const { conversation: open } = list, isIn = open?.keys ? baseOf(open) === everything || !isWide : open?.name === conversation
  await go({ id, isHere: true, conversation: isIn ? open : await side.find(conversation) })
})
/** The name of its conversation, where those of several are listed. */
const placeOf = ({ conversation }, scope) => scope.keys ? make('small', null, titled(conversation)) : ''
const textIn = (text, matches, marks) => fill(make('span.text'), cut(text || '', 1 << 16), matches, marks)

/** Loads a file of the page that few need, once. */
const loading = {}
const load = name => loading[name] ||= new Promise((done, failed) => {
  const element = name.endsWith('.css') ? make('link', { rel: 'stylesheet', href: name }) : make('script', { src: name })
  element.onload = done
  element.onerror = () => { delete loading[name]; element.remove(); failed(new Trouble('The server does not answer.')) }
  document.head.append(element)
})

/** Does something that a script is needed for, and its style. */
const lazily = (script, work) => attempt(async () => {
  await Promise.all([load(script), load('more.css')])
  return work()
})
/** What is shown beside messages when it is asked for (more.js): a part of it. */
const beside = (part, ...content) => () => lazily('more.js', () => more[part](...content))
const seek = (step, ...of) => () => lazily('search.js', () => search[step](...of))
const filter = (step, ...of) => () => lazily('filters.js', () => filters[step](...of))
const paper = () => () => lazily('paper.js', () => askForPaper())
const palette = () => lazily('palette.js', () => openPalette())

/** What the browser's own printing has is what is held. */
function beforePrint() {
  const { first, rows, total } = list
  if (rows.length && !mode.contains('printing')) $('place').textContent = `Messages ${number(first)} to ${number(first + rows.length - 1)} of ${number(total)}${rows.length < total ? ' (“Print or save…” has more)' : ''}`
}

function afterPrint() {
  mode.remove('printing')
  $('printed').replaceChildren()
  drawPlace()
}

// ---- Search

const nothing = () => ({ words: '', hits: [], matches: new Map(), texts: new Map(), next: null, index: -1, cutCount: 0, count: '' })

/** What is looked for, and what was found; how is in search.js. */
const search = {
  ...nothing(), isWide: false, isBest: false,

  clear() {
    instead('search')
    if (search.words) Object.assign(search, nothing()), list.redraw()
  },
}

// ---- Changes

/** What happens in the store, as a stream tells: one page of those that are open listens for all, as a browser has few connections. */
const live = {
  version: null, store: null, page: null, conversations: new Set(), edited: [], deleted: [],

  begin() {
    live.channel = new BroadcastChannel(location.pathname)
    live.channel.onmessage = ({ data: [kind, value] }) => document.hidden ? null : live.heard[kind](value)
    document.addEventListener('visibilitychange', live.turn)
    live.turn()
  },

  heard: {
    who() { if (live.stream && live.known) live.channel.postMessage(['hello', live.known]) },
    hello: value => live.greet(value, true),
    changes: value => live.take(value),
    lost: text => live.miss(text),
  },

  /** Listens, or waits for whoever does to end; a hidden page does neither. */
  turn() {
    live.leave?.()
    live.close()
    if (document.hidden) return
    const wish = new AbortController(), left = new Promise(done => live.leave = () => { done(); wish.abort() })
    navigator.locks.request(`changes ${location.pathname}`, { signal: wish.signal }, () => { live.connect(); return left }).catch(() => {})
    live.channel.postMessage(['who'])
  },

  connect() {
    live.close()
    const stream = live.stream = new EventSource(`api/changes${live.version ? `?since=${encodeURIComponent(live.version)}` : ''}`)
    const hear = (kind, work) => stream.addEventListener(kind, ({ data }) => {
      const value = JSON.parse(data)
      live.known = { ...live.known, ...value }
      work(value)
      live.channel.postMessage([kind, value])
    })
    hear('hello', value => live.greet(value))
    hear('changes', live.take)
    stream.onerror = live.lost
  },

  close() {
    clearTimeout(live.retry)
    live.stream?.close()
    live.stream = null
  },

  async lost() {
    if (document.hidden) return live.close()
    if (live.stream) {
      live.stream.close()
      clearTimeout(live.retry)
      live.retry = setTimeout(live.connect, 1000)
    }
    const status = await fetch('api/filters?limit=0', { cache: 'no-store' }).then(answer => answer.status, () => 0)
    if (status === 200) return
    live.miss(status ? 'The server was restarted: open the address that it printed.' : 'The server does not answer. This page continues when it is back.')
    if (live.stream) live.channel.postMessage(['lost', $('trouble').textContent])
  },

  miss(text) {
    live.isLost = true
    trouble(text)
  },

  /** Whether an answer is of another store than this page, or of another program: then it is loaded again. */
  isOther(store, page = live.page) {
    live.store ?? (store && seen.open(store))
    live.store ??= store
    live.page ??= page
    const isOtherStore = store && store !== live.store
    if (!isOtherStore && page === live.page) return false
    if (isOtherStore) history.replaceState(null, '', location.pathname)
    else remember()
    location.reload()
    return true
  },

  greet({ version, store, page }, isTold) {
    if (live.isOther(store, page)) return
    const isBehind = isTold && live.version && live.version !== version, isFirst = !live.version
    if (isTold) live.version = version
    live.version ??= version
    // What came between the first answers and the first greeting is in neither.
    if (isFirst) list.isBare ? side.load() : live.read()
    if (!live.isLost && !isBehind) return
    if (live.isLost) trouble('The server is back.', 3000)
    live.isLost = false
    if (list.conversation) side.load(), live.read(), openPanel.again?.()
    else begin()
  },

  take({ version, everything, conversations, edited, deleted }) {
    live.version = version
    const changed = new Set([...edited, ...deleted])
    changed.forEach(id => quotes.known.delete(id))
    // What quotes a message is made anew with it.
    for (const row of list.rows) if (changed.has(row.message.replyTo)) row.look = ''
    if (openPanel.again && (everything || edited.length || deleted.length)) live.tellPanel(edited, deleted)
    if (everything) side.load()
    else conversations.forEach(id => live.conversations.add(id))
    live.timer ??= setTimeout(() => {
      live.timer = null
      side.refresh([...live.conversations])
      live.conversations.clear()
    }, 300)
    if (everything || list.conversation?.keys || conversations.includes(baseOf(list.conversation)?.id)) live.read()
  },

  /** Has the list in the panel follow, once for what comes close together. */
  tellPanel(edited, deleted) {
    live.edited.push(...edited)
    live.deleted.push(...deleted)
    live.panelTimer ??= setTimeout(() => {
      live.panelTimer = null
      const news = { edited: live.edited.splice(0), deleted: live.deleted.splice(0) }
      attempt(async () => openPanel.again?.(news))
    }, 300)
  },

  /** Reads again what is held and what has come behind it. */
  async read() {
    if (live.isReading || !list.conversation) return void (live.isBehind = live.isReading)
    live.isReading = true
    const { conversation } = list
    await attempt(() => live.again(conversation).catch(error => {
      if (error.kind !== 'notFound') throw error
      const { id, keys } = baseOf(conversation)
      return keys ? side.gone(id) : side.refresh([id])
    }))
    live.isReading = false
    if (live.isBehind) live.isBehind = false, live.read()
  },

  async again(conversation) {
    const { generation, atEnd } = list, first = list.rows[0]?.message, last = list.rows.at(-1)?.message
    const limit = Math.min(1000, list.rows.length + (list.hasNewer ? 0 : PAGE))
    threads.asked.clear()
    threads.scope = null
    const found = await page(conversation, first ? { at: `after:${first.key - 1n}`, limit } : { at: 'newest', limit: JUMP }, wish('list'))
    if (generation !== list.generation || first !== list.rows[0]?.message) return void (live.isBehind = true)
    if (!found.messages.length || (atEnd && found.hasNewer)) return list.open(conversation, 'newest', list.toEnd)
    list.change(() => { list.become(found); list.trim(false) })
    const news = found.messages.filter(({ id }) => last && keyOf(id) > last.key)
    if (news.length) say(news.length > 1 ? `${news.length} new messages` : `${line(news[0].sender)}: ${plain(news[0])}`)
    list.ensure()
  },
}

// ---- Keys, and the start

const scroll = part => room.scrollBy(0, part * room.clientHeight)
const keys = {
  j: () => step(1), k: () => step(-1), g: goOldest, G: goNewest, Home: goOldest, End: goNewest,
  n: seek('step', 1), N: seek('step', -1), '/': () => field.select(), F: filter('turn'), d: beside('days'), s: beside('figures'), f: beside('shared', 'links'), '?': beside('help'), p: paper(),
  c: () => { if (!mode.contains('choosing')) side.toggle(); shelf.focus() },
  y: () => copy(wholeText), l: () => copy(({ id }) => new URL(`#${hashOf(id)}`, location).href),
  o: () => list.selected?.message.replyTo && go({ id: list.selected.message.replyTo }),
  t: () => list.selected && (list.selected.message.thread || threads.known.has(list.selected.message.id)) && thread(list.selected.message.thread || list.selected.message.id)(),
  Escape: closePanel, ArrowDown: () => scroll(0.1), ArrowUp: () => scroll(-0.1), PageDown: () => scroll(0.9), PageUp: () => scroll(-0.9),
  ' ': event => scroll(event.shiftKey ? -0.9 : 0.9),
}

function pressed(event) {
  const { key, target } = event
  if (document.querySelector('dialog:modal')) return
  if ((event.ctrlKey || event.metaKey) && key === 'k') return event.preventDefault(), palette()
  if (event.ctrlKey || event.metaKey || event.altKey || !keys[key] || target.matches('video, audio')) return
  if (target.matches('input') ? key !== 'Escape' : key === ' ' && target.matches('button, a, summary')) return
  event.preventDefault()
  keys[key](event)
}

function listen() {
  const on = (id, events, work, options) => { for (const event of events.split(' ')) $(id).addEventListener(event, work, options) }
  on('list', 'scroll', list.scrolled)
  on('rows', 'click', event => {
    const { target } = event, { row } = target.closest('.message') || {}
    if (target.closest('a.time')) event.preventDefault(), go({ id: row.message.id })
    else if (target.closest('a.where')) event.preventDefault(), go({ id: row.message.id, conversation: null })
    else if (row && !target.closest('button, a, summary, video, audio') && getSelection().isCollapsed) choose(row)
  })
  on('scrollbar', 'pointerdown', bar.press)
  on('scrollbar', 'pointermove', bar.drag)
  on('scrollbar', 'pointerup pointercancel', bar.release)
  on('scrollbar', 'keydown', bar.key)
  on('scrollbar', 'wheel', event => room.scrollBy(0, event.deltaY), { passive: true })
  on('conversations', 'scroll', side.draw)
  on('conversations', 'keydown', side.key)
  on('find', 'input', () => { side.chosen = null; side.arrange() })
  on('find', 'keydown', side.findKey)
  on('search', 'submit', event => { event.preventDefault(); seek('start')() })
  on('filter', 'click', filter('turn'))
  on('days', 'click', beside('days'))
  on('print', 'click', paper())
  on('chats', 'click', () => side.turn(false))
  on('people', 'click', () => side.turn(true))
  on('help', 'click', beside('help'))
  on('below', 'click', () => goNewest().then(toMessages))
  on('unread', 'click', () => go({ at: 'unread' }).then(toMessages))
  on('menu', 'click', side.toggle)
  on('panel-close', 'click', closePanel)
  document.addEventListener('keydown', pressed)
  addEventListener('popstate', stepBack)
  addEventListener('beforeprint', beforePrint)
  addEventListener('afterprint', afterPrint)
  addEventListener('storage', seen.load)
  document.addEventListener('visibilitychange', () => {
    if (seen.marking) beside('mark')()
    if (list.rows.length) drawPlace()
  })
  const observer = new ResizeObserver(() => {
    if (list.rows.length) list.scrolled()
  })
  observer.observe($('rows'))
  observer.observe(room)
  new ResizeObserver(side.draw).observe(shelf)
}

/** Lists the conversations written to of late before all are known, and opens the newest unless an address names another. */
async function beginWithNewest(isAnywhere) {
  // The server's document asks for it ahead of this script, in these words.
  const { conversations } = await source.ask('conversations', { order: 'newest', limit: MOST_FIRST, unread: true, newest: true })
  const all = conversations.map(side.told)
  if (isAnywhere && all[0]) {
    await go({ conversation: all[0], isKept: true })
    // The messages are painted before the list is laid out.
    await new Promise(done => setTimeout(done, 20))
  }
  side.all = all
  side.adopt()
  side.arrange()
}

async function begin() {
  const isAnywhere = !history.state && !location.hash
  if (isSite) {
    // Its conversations are known before anything else.
    await side.load()
    if (!isAnywhere) await attempt(() => follow(history.state))
  } else {
    await Promise.all([attempt(() => beginWithNewest(isAnywhere)), isAnywhere || attempt(() => follow(history.state))])
    await side.load()
    side.adopt()
    seen.draw()
  }
  if (!list.conversation && side.all[0]) await go({ conversation: side.all[0], isKept: true })
  if (!list.conversation && side.isWhole && !side.all.length) bare()
}

/** What a store without messages says. */
function bare() {
  if (isSite) return list.close('This site has no messages.')
  list.close('There are no messages here yet.', make('p', null, 'Import a history, and this page shows it at once: ', make('code', null, 'scrollback import FILE'), '.'),
    make('p.quiet', null, 'It reads exports and backups of Slack, Discord, WhatsApp, Telegram, Signal, iMessage, Matrix and many others, logs of IRC, mail, and sessions of assistants.'))
  list.isBare = true
}

history.scrollRestoration = 'manual'
listen()
// What is printed has its style there: it is loaded when the messages are.
setTimeout(() => attempt(() => load('more.css')), 500)
if (isSite) document.head.append(make('script', { src: 'site.js' }))
else {
  begin()
  live.begin()
}
