// @ts-check
// Shows some of the messages: by whom, when, and with what. What is chosen is a query
// (docs/queries.md), in the address of what is open, and stands as chips above the messages.
'use strict'

const TOGGLES = {
  'has:link': 'Links',
  'has:picture': 'Pictures',
  'has:attachment': 'Files',
  ...isSite ? null : { 'is:starred': 'Starred' },
}
const LABELS = {
  from: '',
  person: '',
  since: 'from ',
  '-after': 'until ',
  before: 'before ',
  until: 'before ',
  on: 'on ',
  in: 'in ',
  kind: '',
  thread: 'thread ',
}
const MOST_NAMES = 8

/** A query in its terms: what stands side by side, with a value in quotes as one. */
const termsOf = (query) => {
  const terms = query.match(/-?[\p{L}]*:?"(?:[^"\\]|\\.)*"|\S+/gu) || []
  // What joins terms, or is joined, stays as it was typed: a chip beside it narrows all of it.
  return terms.some((term) => /^(OR|AND|NOT|[|&])$/.test(term) || /^-?\(|\)$/.test(term)) ? groupsOf(query) : terms
}
/** The parts of a query in parentheses and the terms beside them; all of it is one where something joins these. */
function groupsOf(query) {
  const groups = []
  let depth = 0, start = 0
  for (const { 0: sign, index } of query.matchAll(/"(?:[^"\\]|\\.)*"?|[()]|\s+|[^\s()"]+/g)) {
    if (sign === '(') depth++
    if (sign === ')') depth--
    if (depth || sign.trim()) continue
    groups.push(query.slice(start, index))
    start = index + sign.length
  }
  groups.push(query.slice(start))
  const parts = groups.filter(Boolean)
  return depth || parts.some((part) => /^(OR|AND|NOT|[|&])$/.test(part)) ? [`(${query})`] : parts
}
const termOf = (key, value) => `${key}:"${value}"`
const partsOf = (term) => /^(-?\p{L}+):"?(.*?)"?$/su.exec(term)?.slice(1) || ['', term]
/** A name in quotes: one that has some itself cannot be looked for. */
const isSayable = (name) => name && !/["\\]/.test(name)

state.filters = { terms: [] }

const filters = {
  get box() {
    return $('chips')
  },

  /** Shows the chips, or hides them and all that they leave out. */
  turn() {
    if (!state.list.conversation) return
    if (!mode.contains('filtering')) {
      filters.draw()
      filters.box.querySelector('button').focus()
    } else {
      filters.choose([])
      filters.hide()
    }
  },

  hide() {
    mode.remove('filtering')
    filters.box.hidden = true
    $('filter').ariaPressed = false
    list.scrolled()
  },

  /** Shows what is open under other terms, with what is on the screen kept there where it can be. */
  async choose(terms, base = baseOf(state.list.conversation)) {
    const query = [...new Set(terms)].join(' '), { conversation, atEnd } = state.list
    if (base === baseOf(conversation) && query === (conversation.query || '')) return
    const id = !query && !atEnd && (state.list.selected || state.list.rows[list.indexAt(0)])?.message.id
    const found = await go({ conversation: filtered(base, query), id, isHere: true })
    if (found && state.search.words && !state.search.isWide) filters.seekAgain()
    return found
  },

  /** Looks for the same words in what is shown now; the focus stays where it is. */
  seekAgain() {
    const focus = /** @type {HTMLElement | null} */ (document.activeElement)
    search.start()
    if (focus?.isConnected) focus.focus({ preventScroll: true })
  },

  add: (term) => filters.choose([...state.filters.terms, term]),
  drop: (...terms) => filters.choose(state.filters.terms.filter((each) => !terms.includes(each))),

  draw() {
    const { conversation } = state.list,
      terms = state.filters.terms = termsOf(conversation.query || ''),
      base = baseOf(conversation)
    const focus = filters.box.querySelector('button:focus')?.dataset.key
    mode.add('filtering')
    $('filter').ariaPressed = true
    if (base !== everything) state.filters.base = base
    const has = Object.entries(TOGGLES).map((
      [term, label],
    ) => [label, terms.find((each) => each.replaceAll('"', '') === term), term])
    const chips = terms.filter((term) => !has.some(([, held]) => held === term)).map((term) => {
      const [key, value] = partsOf(term), label = `${LABELS[key] ?? `${key}${key ? ':' : ''}`}${titled(value)}`
      const chip = press(
        'chip',
        '',
        () => filters.drop(term),
        make('bdi', null, label),
        make('span', { 'aria-hidden': true }, '×'),
      )
      chip.setAttribute('aria-label', `Leave out: ${label}`)
      return chip
    })
    const chooser = (label, work) => {
      const button = press('choose', label, () => filters.ask(button, work))
      button.ariaHasPopup = 'dialog'
      button.ariaExpanded = false
      return button
    }
    const scopes = [[state.filters.base, 'Here'], [hasEverything() && everything, 'Everywhere']].filter(([scope]) =>
      scope
    )
    state.filters.sum = make('span.quiet', { id: 'sum', role: 'status' })
    filters.box.replaceChildren(
      ...chips,
      chooser('Who', whoPart),
      chooser('When', whenPart),
      ...has.map(([label, held, term]) =>
        make('button.choose', {
          type: 'button',
          'aria-pressed': Boolean(held),
          onclick: () => held ? filters.drop(held) : filters.add(term),
        }, label)
      ),
      scopes.length > 1 && terms.length
        ? make(
          'span.pair',
          { role: 'group', 'aria-label': 'Where' },
          ...scopes.map(([scope, label]) =>
            make('button.choose', {
              type: 'button',
              'aria-pressed': scope === base,
              onclick: () => filters.choose(state.filters.terms, scope),
            }, label)
          ),
        )
        : '',
      state.filters.sum,
      terms.length ? press('clear', 'Clear', () => filters.choose([])) : press('clear', '×', filters.hide, ''),
    )
    if (!terms.length) filters.box.lastElementChild.setAttribute('aria-label', 'Close')
    filters.box.querySelectorAll('button').forEach((button) => button.dataset.key = button.textContent)
    filters.box.hidden = false
    if (focus) [...filters.box.querySelectorAll('button')].find((each) => each.dataset.key === focus)?.focus()
    filters.tell()
    list.scrolled()
  },

  /** Says how many messages there are. */
  tell() {
    const { conversation, total } = state.list, { base, isExact, query } = conversation || {}
    if (!state.filters.sum || !conversation) return
    const all = base && !base.keys ? ` of ${number(base.messages)}` : ''
    const text = !query
      ? ''
      : total
      ? `${isExact ? '' : 'about '}${number(total)}${all} ${
        all ? 'messages' : plural(total, 'message').split(' ').at(-1)
      }`
      : 'No message matches.'
    if (state.filters.sum.textContent !== text) state.filters.sum.textContent = text
    if (query && !isExact) filters.settle()
  },

  /** Asks again until all is counted, which happens meanwhile: from then on totals and numbers are exact. */
  async settle() {
    const { conversation } = state.list
    if (state.filters.settling === conversation) return
    state.filters.settling = conversation
    for (let wait = 400; !conversation.isExact && wait < 60_000; wait *= 2) {
      await new Promise((done) => setTimeout(done, wait))
      if (conversation !== state.list.conversation || document.hidden) break
      await attempt(() => page(conversation, { at: 'newest', limit: 0 }, wish('list')))
      if (conversation.isExact) live.read()
    }
    state.filters.settling = null
  },

  /** @returns {HTMLDialogElement | null} */
  pop: () => filters.box.querySelector('dialog.pop'),

  /** Opens a small window below a button. */
  ask(button, part) {
    const isOpen = button.ariaExpanded === 'true'
    filters.pop()?.close()
    if (isOpen) return
    const box = make('dialog.pop', { 'aria-label': button.textContent })
    const leave = ({ target }) => {
      if (!box.contains(target) && target !== button) box.close()
    }
    box.append(...part(() => box.close()))
    box.onclose = () => {
      document.removeEventListener('pointerdown', leave)
      button.ariaExpanded = false
      box.remove()
      if (button.isConnected && !isPhone()) button.focus()
    }
    box.onkeydown = (event) => {
      event.stopPropagation()
      if (event.key === 'Escape') {
        event.preventDefault()
        box.close()
      }
    }
    button.ariaExpanded = true
    filters.box.append(box)
    box.show()
    const { left } = button.getBoundingClientRect(), own = filters.box.getBoundingClientRect()
    box.style.left = `${Math.max(8, Math.min(left - own.left, own.width - box.offsetWidth - 8))}px`
    document.addEventListener('pointerdown', leave)
    box.querySelector('input').focus()
  },
}

/** Who wrote: names as they are typed, people first, then those with the most messages. */
function whoPart(close) {
  const input = make('input', {
    type: 'search',
    placeholder: 'A name, or ali*',
    'aria-label': 'Who',
    autocomplete: 'off',
    spellcheck: false,
  })
  const choose = (term) => {
    close()
    filters.add(term)
  }
  const names = suggest(input, async (text, signal) => {
    const wanted = text.toLowerCase(),
      people = state.side.people.filter(({ name }) => isSayable(name) && name.toLowerCase().includes(wanted))
    const { keys, id } = baseOf(state.list.conversation)
    const { senders } = await state.source.ask('senders', {
      conversationID: keys ? undefined : id,
      named: text || undefined,
      limit: MOST_NAMES,
    }, signal)
    const found = [
      ...people.slice(0, 3).map(({ name, about }) => ({
        label: name,
        note: about || 'person',
        choose: () => choose(termOf('person', name)),
      })),
      ...senders.filter(({ name }) => isSayable(name)).map(({ name, messages }) => ({
        label: name,
        note: number(messages),
        choose: () => choose(termOf('from', name)),
      })),
    ]
    if (text && isSayable(text) && !found.some(({ label }) => label.toLowerCase() === wanted)) {
      found.push({
        label: text,
        note: 'as typed',
        choose: () => choose(termOf('from', text)),
      })
    }
    return found
  })
  return [input, names]
}

/** When: as it is typed, or from a calendar. */
/** What is wrong with a time as it was typed, in words; empty where it is one. */
async function troubleOfTime(text) {
  if (/["\\]/.test(text)) return `“${text}” is not a time.`
  const refused = (error) => {
    if (error.kind === 'gone') return error.message
    return `“${line(text)}” is not a time. Times look like 2019, march 2019, 2019-03-05, yesterday, 3 weeks ago.`
  }
  return state.source.ask('page', { at: `time:${text}`, limit: 0, timeZone: zone }).then(() => '', refused)
}

function whenPart(close) {
  const held = (key) => state.filters.terms.map(partsOf).find(([each]) => each === key)?.[1] || ''
  const field = (label, key, hint) => {
    const typed = make('input', {
      type: 'search',
      value: held(key),
      placeholder: hint,
      'aria-label': label,
      autocomplete: 'off',
      spellcheck: false,
    })
    const day = make('input.calendar-field', {
      type: 'date',
      tabIndex: 0,
      'aria-label': `${label}: a day`,
      value: /^\d{4}-\d\d-\d\d$/.test(held(key)) ? held(key) : '',
    })
    day.onchange = () => {
      if (day.value) typed.value = day.value
    }
    return { key, typed, row: make('div.when', null, make('span', null, label), typed, day) }
  }
  const fields = [field('From', 'since', 'march 2019'), field('Until', '-after', 'yesterday, 2020-05-01')],
    fault = make('p.quiet', { role: 'alert' })
  const set = (values) => {
    const others = state.filters.terms.filter((term) =>
      !['since', '-after', 'on', 'until', 'before', 'after'].includes(partsOf(term)[0])
    )
    close()
    return filters.choose([
      ...others,
      ...Object.entries(values).filter(([, value]) => value).map(([key, value]) => termOf(key, value)),
    ])
  }
  const take = async (event) => {
    event.preventDefault()
    for (const { typed } of fields) {
      const text = typed.value.trim()
      const trouble = text && await troubleOfTime(text)
      typed.ariaInvalid = Boolean(trouble)
      if (trouble) {
        fault.textContent = trouble
        return typed.focus()
      }
    }
    set(Object.fromEntries(fields.map(({ key, typed }) => [key, typed.value.trim()])))
  }
  const presets = ['today', 'this week', 'this month', 'this year', 'last year'].map((text) =>
    press('choose', text[0].toUpperCase() + text.slice(1), () => set({ on: text }))
  )
  return [
    make(
      'form',
      { onsubmit: take },
      ...fields.map(({ row }) => row),
      fault,
      make('div.presets', null, ...presets),
      make('button.go', { type: 'submit' }, 'Show'),
    ),
  ]
}

/** A list below a field that is chosen from by arrows and Enter, or with a finger. */
function suggest(input, find, note) {
  const id = `${input.ariaLabel}-list`.replace(/\W/g, ''),
    box = make('div.suggested', { role: 'listbox', id, 'aria-label': input.ariaLabel })
  let items = [], at = 0, asked = 0, latest
  for (
    const [name, value] of [['role', 'combobox'], ['aria-controls', id], ['aria-expanded', 'true'], [
      'aria-autocomplete',
      'list',
    ]]
  ) input.setAttribute(name, value)
  const mark = (index) => {
    at = index
    box.querySelectorAll('[role=option]').forEach((option, index) => {
      option.ariaSelected = index === at
      if (index === at) option.scrollIntoView({ block: 'nearest' })
    })
    input.setAttribute('aria-activedescendant', items.length ? `${id}-${at}` : '')
  }
  const update = () => latest = look(++asked)
  const look = async (own) => {
    // Who types on is not answered yet.
    await new Promise((done) => setTimeout(done, 60))
    const found = own === asked && await attempt(() => find(input.value.trim(), instead(id)))
    if (own !== asked) return latest
    if (!found) return
    items = found
    let group
    box.replaceChildren(...items.flatMap((item, index) => {
      const option = make(
        'div.suggestion',
        { role: 'option', id: `${id}-${index}`, onclick: () => item.choose() },
        item.mark || '',
        make('bdi', null, titled(item.label)),
        make('small', null, line(item.note)),
      )
      const head = item.group !== group ? [make('div.group', { role: 'presentation' }, group = item.group)] : []
      return [...head, option]
    }))
    if (!items.length) box.append(make('p.quiet', null, note || 'No sender has that name here.'))
    mark(0)
  }
  input.addEventListener('input', update)
  input.addEventListener('keydown', async (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    // Enter is for what was typed, and not for what was found of its beginning.
    if (!step) await latest
    if (step && items.length) mark((at + step + items.length) % items.length)
    else items[at]?.choose()
  })
  update()
  return box
}
