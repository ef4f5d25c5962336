// @ts-check
// The page of a history: of a server (docs/json.md by HTTP), or of files (site.js). It holds a small run of
// neighbouring messages and lets go of what is far off screen. Text from outside becomes text nodes and nothing else.
//
// The files of this folder are one script, in the order of PageFiles.swift; those of Later are loaded when they are
// needed. This one: elements, numbers, dates, and names as they are shown.
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

/** @type {(id: string) => any} */
const $ = (id) => document.getElementById(id)
const mode = document.body.classList,
  room = $('list'),
  track = $('scrollbar'),
  panel = $('panel-body'),
  shelf = $('conversations'),
  field = $('search').words

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

/** Makes elements the children of a box. Those that stay are not touched: one may be pressed at this moment. */
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

const { format: bytes } = new Intl.NumberFormat(undefined, {
  notation: 'compact',
  style: 'unit',
  unit: 'byte',
  unitDisplay: 'narrow',
})

const format = (options) => new Intl.DateTimeFormat(undefined, options)
const clock = format({ timeStyle: 'short' })
const zone = clock.resolvedOptions().timeZone
const longDay = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const shortDay = format({ day: 'numeric', month: 'short', year: 'numeric' })
const dayAndMonth = format({ day: 'numeric', month: 'short' }),
  monthAndYear = format({ month: 'short', year: 'numeric' })
const monthName = format({ month: 'short', timeZone: 'UTC' })

const dateOf = (message) => message.date ||= new Date(message.time)
const dayOf = (message) => message.precision === 'day' ? message.time.slice(0, -14) : dateOf(message).toDateString()
const timeOf = (message) => message.precision === 'day' ? '' : clock.format(dateOf(message))
// A date without a time is the same in every zone.
const dateShown = (message) => message.precision === 'day' ? new Date(`${dayOf(message)}T12:00`) : dateOf(message)
const briefly = (message) => `${shortDay.format(dateShown(message))} ${timeOf(message)}`.trim()

const CONTROLS = /\x03(?:\d{1,2}(?:,\d{1,2})?)?|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text as it can be shown: without colours of IRC, other control characters visible. */
const visible = (text) =>
  text.replace(
    CONTROLS,
    ([sign]) =>
      '\x02\x03\x0f\x11\x16\x1d\x1e\x1f\r'.includes(sign)
        ? ''
        : sign < ' '
        ? String.fromCharCode(0x2400 + sign.charCodeAt())
        : '�',
  )

/** A name on one line, without what turns the direction of the text beside it. */
const line = (text) => visible((text || '').slice(0, 300).replace(DIRECTIONS, '').replace(/\s+/g, ' '))

/** A name as it is shown: one without a visible letter is said to be none. */
const titled = (name) => line(name).replace(/[\p{Default_Ignorable_Code_Point}\s]/gu, '') ? line(name) : '(no name)'

/** Gives an element the colour of a sender: a hue by the letters of the name. */
function tint(element, name = '') {
  let hash = 2166136261
  for (const sign of name) hash = Math.imul(hash ^ sign.codePointAt(0), 16777619)
  element.style.setProperty('--hue', (hash >>> 0) * 137.508 % 360)
  return element
}

const briefest = (message) => [line(message.sender), briefly(message)].filter(Boolean).join(', ')
const isPhone = () => matchMedia('(max-width: 44rem)').matches
const named = (name) => tint(make('bdi.name', null, titled(name)), name)
const initialOf = (name) => [...line(name).replace(/^[^\p{L}\p{N}]+/u, '')][0] || '·'
const disc = (name) => tint(make('span.disc', { 'aria-hidden': true }, initialOf(name)), name)

/** A drawing by its path; one of the page's own is taken as the form. */
function drawing(path) {
  const form = $('filter').querySelector('svg').cloneNode(true)
  form.firstElementChild.setAttribute('d', path)
  return form
}

const say = (text) => $('said').textContent = text

function trouble(text, milliseconds) {
  clearTimeout(state.troubleEnd)
  Object.assign($('trouble'), { textContent: text, hidden: !text })
  if (milliseconds) state.troubleEnd = setTimeout(trouble, milliseconds, '')
}

/**
 * What went wrong, in words for people; of kind `gone` if no answer came, `superseded` if another question took over.
 */
class Trouble extends Error {
  constructor(message, kind) {
    super(message)
    this.kind = kind
  }
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

/** Puts a text, or the promise of one, on the clipboard, and says so. */
const copied = (text, said = 'Copied.') =>
  attempt(async () => {
    await navigator.clipboard.writeText(await text)
    trouble(said, 2000)
  })

function busy(change) {
  state.busy += change
  if ($('busy').hidden === !state.busy) return
  $('busy').hidden = !state.busy
  if (state.busy) say('Loading …')
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
