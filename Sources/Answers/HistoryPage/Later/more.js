// @ts-check
// What the page (page.js) shows beside messages when somebody asks for it, and loads then: days, statistics, links,
// files and pictures, texts before edits, and keys.
'use strict'

const MOST_THINGS = 2000 // links, files or pictures that are listed at once
const MOST_GROUPS = 12

const KEYS = [
  'j k|next, previous message',
  'g G|oldest, newest message',
  '/|search',
  'n N|next older, newer hit',
  'd s|days and months, statistics',
  'f|links, files and pictures',
  'c|conversations',
  'p|print or save',
  'y l|copy the text, a link to it',
  'v i|select from here on, show in its conversation',
  '* u|star, mark as unread, where the server takes it',
  'o t|go to the message it replies to, show its thread',
  'F|filter: who, when, with what',
  'Ctrl-K|go to a conversation, person, day, number',
  'Space PgUp|a screen on, back',
  'Esc|close',
]

/** Where the years of what is open begin: number of the first message by year. */
state.years = { scope: null, total: 0, starts: new Map() }
const weekdayName = format({ weekday: 'short', timeZone: 'UTC' })
/** The day that weeks begin with where the reader is, 0 for Sunday; Monday where the browser does not know. */
const WEEK_START = (() => {
  /** @type {any} */
  const locale = new Intl.Locale(weekdayName.resolvedOptions().locale)
  return (locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 }).firstDay % 7
})()
/** A day of the week, counted from the first; 7 January 2024 was a Sunday. */
const dayOfWeek = (index) => Date.UTC(2024, 0, 7 + WEEK_START + index)

/** Asks about what is open. */
const about = (scope, question, keys) =>
  state.source.ask(question, { ...keysOf(scope), timeZone: zone, ...keys }, wish('panel'))

/** Goes to a number of what was open, and leaves the panel beside it. */
const goToNumber = (scope, number) => () => {
  mode.add('peeking')
  go({ conversation: scope, at: `number:${number}` })
}

/** What can be looked at besides the messages. */
const TABS = {
  days: 'Days',
  figures: 'Statistics',
  links: 'Links',
  files: 'Files',
  pictures: 'Pictures',
  starred: 'Starred',
  sessions: 'Sessions',
}
const OF_SERVERS = ['starred', 'sessions']
/** What a list says that has nothing, and where there may be something. */
const noneOf = (
  what,
  scope,
  elsewhere,
) => [
  `There are no ${what} here.`,
  ...scope.keys && !scope.query || !hasEverything()
    ? []
    : [' ', press('scope', `Look in all conversations`, () => go({ conversation: everything }).then(elsewhere))],
]

/** Opens the panel for one of these, and returns the room in it. */
function openTab(tab, title) {
  const box = make('div'),
    buttons = Object.entries(TABS).filter(([name]) => !isSite || !OF_SERVERS.includes(name)).map(([name, label]) =>
      make('button.tab', {
        type: 'button',
        'aria-pressed': name === tab,
        onclick: beside(name in more ? name : 'shared', name),
      }, label)
    )
  openPanel(title, make('div.tabs', { role: 'group', 'aria-label': 'What to show' }, ...buttons), box)
  return box
}

const more = {
  /** The months as a map of heat, a row for each year; a month opens its days. */
  async days() {
    const scope = state.list.conversation, years = new Map()
    if (!scope) return
    const box = openTab('days', 'Days and months')
    let most = 1
    for await (const month of sections(scope, 'month', box)) {
      const year = month.month.slice(0, -3)
      years.set(year, [...(years.get(year) || []), month])
      most = Math.max(most, month.messages)
    }
    box.append(
      make(
        'p.quiet',
        null,
        ...years.size
          ? [`${plural(state.list.total, 'message')}. Choose a month, then a day.`]
          : noneOf('messages', scope, beside('days')),
      ),
      ...[...years].reverse().map(([year, held]) => {
        const days = make('div.days', { hidden: true }), row = make('div.year', null, make('b', null, year))
        for (let month = 1; month <= 12; month++) {
          const name = monthName.format(Date.UTC(2024, month - 1)),
            found = held.find((each) => +each.month.slice(-2) === month)
          row.append(cell(name, `${name} ${year}`, found, most, () =>
            attempt(async () => {
              if (days.month === found.month && !days.hidden) return void (days.hidden = true)
              const { days: next } = await daysOf(scope, 'day', { from: found.firstID, limit: 31 }, found.firstNumber),
                own = next.filter(({ day }) => day.startsWith(found.month))
              drawMonth(days, found.month, own, scope, Math.max(...own.map((day) => day.messages)))
            })))
        }
        return make('section', null, row, days)
      }),
    )
  },

  /** How much was written, when and by whom. */
  async figures() {
    const scope = state.list.conversation, days = []
    if (!scope) return
    const box = openTab('figures', 'Statistics'), status = make('p.quiet', { role: 'status' }, 'Counting …')
    box.append(status)
    for await (const day of sections(scope, 'day', box)) days.push(day)
    if (!box.isConnected) return
    if (!days.length) return status.replaceChildren(...noneOf('messages', scope, beside('figures')))
    box.append(facts(scope, days), shares(scope), calendar(scope, days), weekdays(days))
    for (
      const [by, title] of [['hour', 'Hours'], ['sender', 'Who wrote'], ['conversation', 'Conversations'], [
        'kind',
        'Kinds',
      ]]
    ) {
      if (by === 'conversation' && !scope.keys) continue
      const answer = await about(scope, 'groups', { by, limit: by === 'hour' ? 25 : MOST_GROUPS })
      if (!box.isConnected) return
      box.append(by === 'hour' ? hours(answer, title) : ranks(answer, by, title, scope))
    }
    await load('threads.js')
    box.append(await mostReplied(scope, box))
    status.remove()
  },

  /** Links, files or pictures, the newest first. */
  shared(sort) {
    const scope = state.list.conversation
    if (!scope) return
    const box = openTab(sort, TABS[sort]),
      found = make(sort === 'pictures' ? 'div.tiles' : 'div'),
      status = make('p.quiet', { role: 'status' }, 'Looking …')
    let before, isLoading = false
    const things = []
    const load = async (limit) => {
      if (isLoading || before === null || found.childElementCount >= MOST_THINGS) return
      isLoading = true
      const answer = await attempt(() => about(scope, 'shared', { sort, before, limit }))
      isLoading = false
      if (!answer || !box.isConnected) return status.remove()
      if (before === undefined) {
        found.replaceChildren()
        things.splice(0)
      }
      before = answer.next ?? null
      things.push(...answer.shared)
      found.append(
        ...answer.shared.map((thing) => sort === 'pictures' ? tile(thing, scope, things) : sharedEntry(thing, scope)),
      )
      const isMore = before !== null
      status.replaceChildren(
        ...isMore ? ['Looking …'] : found.childElementCount ? [] : noneOf(sort, scope, beside('shared', sort)),
      )
      if (found.childElementCount >= MOST_THINGS && before !== null) {
        status.replaceChildren(press('scope', 'Show older ones', () => {
          found.replaceChildren()
          load(PAGE)
        }))
      } else followScroll(() => load(PAGE))
    }
    box.append(found, status)
    state.panel.again = () => {
      before = undefined
      return load(Math.max(PAGE, found.childElementCount))
    }
    return load(PAGE)
  },

  /** The messages with a star, the newest first. */
  starred() {
    const scope = state.list.conversation
    if (!scope) return
    const box = openTab('starred', 'Starred'),
      found = make('div'),
      status = make('p.quiet', { role: 'status' }, 'Looking …')
    let at = 'newest', isLoading = false
    const load = async (limit) => {
      if (isLoading || !at) return
      isLoading = true
      const answer = await attempt(() => about(scope, 'hits', { words: 'is:starred', at, limit }))
      isLoading = false
      if (!answer || !box.isConnected) return status.remove()
      const entries = answer.hits.map((hit) => entry(hit, placeOf(hit, scope), textIn(hit.text, [], hit.marks)))
      if (at === 'newest') found.replaceChildren(...entries)
      else found.append(...entries)
      at = answer.next ? [Object.entries(answer.next)].flat(2).join(':') : null
      status.replaceChildren(
        ...at ? ['Looking …'] : found.childElementCount ? [] : [
          ...noneOf('starred messages', scope, beside('starred')),
          make(
            'p',
            null,
            'A star is given by ',
            make('code', null, 'scrollback star ID'),
            ', or by /star in a terminal.',
          ),
        ],
      )
      followScroll(() => load(PAGE))
    }
    box.append(found, status)
    state.panel.again = () => {
      at = 'newest'
      return load(Math.max(PAGE, found.childElementCount))
    }
    return load(PAGE)
  },

  /** Writes into the store how far was read without a gap, where the server takes that (`serve --mark-read`). */
  mark() {
    const { conversation, rows, first } = state.list, { id, unread, newer = unread, told } = conversation || {}
    state.seen.marking = clearTimeout(state.seen.marking)
    if (!unread || isPart(conversation)) return
    const run = state.seen.runs[id]?.find(([from, to]) => from <= told - newer + 1 && to > told - newer)
    const { message } = run && rows[Math.min(run[1] - first, rows.length - 1)] || {}
    if (!message || message.key <= (conversation.marked ?? -1n)) return
    conversation.marked = message.key
    fetch(`api/read?${new URLSearchParams({ conversationID: id, upTo: message.id, store: state.live.store })}`, {
      method: 'POST',
      keepalive: true,
    })
      .then(({ ok }) => ok || delete conversation.marked, () => delete conversation.marked)
  },

  sessions: () => listSessions(),

  async edits({ id }) {
    const { text, edits = [] } = await state.source.ask('message', { id })
    openPanel(
      'Edited',
      ...edits.map((edit) =>
        make('article.before', null, make('time', null, `until ${briefly(edit)}`), textIn(edit.text))
      ),
      edits.length ? '' : make('p.quiet', null, 'The earlier text is not known.'),
      make('article.before', null, make('time', null, 'now'), textIn(text)),
    )
  },

  /** Writes the years beside the scroll bar, as long as it is held. */
  async years() {
    const scope = state.list.conversation, box = $('scrollbar'), starts = new Map()
    if (scope !== state.years.scope || state.list.total !== state.years.total) {
      for await (const { month, firstNumber } of sections(scope, 'month', box)) {
        if (!starts.has(month.slice(0, -3))) starts.set(month.slice(0, -3), firstNumber)
      }
      Object.assign(state.years, { scope, total: state.list.total, starts })
    }
    if (state.bar.held === null || scope !== state.list.conversation) return
    const height = box.clientHeight, thumb = $('thumb').offsetHeight
    let free = -Infinity
    for (const [year, first] of state.years.starts) {
      const top = thumb / 2 + (first - 1) / state.list.total * (height - thumb)
      if (top < free) continue
      free = top + 20
      const mark = make('span.mark', { 'aria-hidden': true }, year)
      lay(mark, top - 9)
      box.append(mark)
    }
  },

  help: () =>
    openPanel(
      'Keys',
      make(
        'dl.keys',
        null,
        ...KEYS.map((row) => row.split('|')).map(([keys, meaning]) =>
          make(
            'div',
            null,
            make('dt', null, ...keys.split(' ').map((key) => make('kbd', null, key.replace('-', '+')))),
            make('dd', null, meaning),
          )
        ),
      ),
      make(
        'p.quiet',
        null,
        'A search finds all its words; “words in a row” stand in quotes, a beginning ends with *, ' +
          '-word leaves out, OR joins.',
      ),
    ),
}

/** Has a list in the panel go on when its end comes near. */
function followScroll(load) {
  const look = () => {
    if (panel.scrollHeight - panel.scrollTop - panel.clientHeight < 600) load()
  }
  panel.onscroll = look
  look()
}

/** The days or months with messages, oldest first, as long as the panel is there. */
async function* sections(scope, by, box) {
  for (let from, first = 1; box.isConnected;) {
    const { days, next } = await daysOf(scope, by, { from, limit: 1000 }, first)
    yield* days
    if (!(from = next)) return
    first = days.at(-1).firstNumber + days.at(-1).messages
  }
}

/** Days or months, numbered from the first one on: where only some messages are shown, of those. */
async function daysOf(scope, by, keys, first) {
  if (!scope.query) return about(scope, 'days', { by: by === 'day' ? undefined : by, ...keys })
  const { groups, next } = await about(scope, 'groups', { by, ...keys })
  return { next, days: groups.map((group) => ({ ...group, firstNumber: (first += group.messages) - group.messages })) }
}

// ---- Days and months

/** Puts the days of a month into an element: the first below its day of the week. */
function drawMonth(box, month, held, scope, most) {
  const first = new Date(0)
  first.setUTCFullYear(+month.slice(0, -3), +month.slice(-2) - 1, 1)
  const length = Math.round((new Date(first).setUTCMonth(first.getUTCMonth() + 1) - first.getTime()) / 86_400_000)
  const cells = Array.from({ length }, (_, index) => {
    const found = held.find(({ day }) => +day.slice(-2) === index + 1)
    return cell(
      String(index + 1),
      `${index + 1} ${monthName.format(first)}`,
      found,
      most,
      found && goToNumber(scope, found.firstNumber),
    )
  })
  cells[0].style.gridColumnStart = (first.getUTCDay() + 7 - WEEK_START) % 7 + 1
  box.month = month
  box.replaceChildren(
    ...Array.from(
      { length: 7 },
      (_, day) => make('span', { 'aria-hidden': true }, weekdayName.format(dayOfWeek(day)).slice(0, 2)),
    ),
    ...cells,
  )
  box.hidden = false
}

function cell(text, label, found, most, choose) {
  const title = found ? `${label}: ${plural(found.messages, 'message')}` : label
  const button = make(
    'button.cell',
    { type: 'button', disabled: !found, title, 'aria-label': title, onclick: choose },
    text,
  )
  button.style.setProperty('--heat', found ? Math.max(0.12, Math.sqrt(found.messages / most)) : 0)
  return button
}

// ---- Statistics

const dateIn = (day) => {
  const date = new Date(0)
  date.setUTCFullYear(day.slice(0, -6), day.slice(-5, -3) - 1, day.slice(-2))
  return date
}
const { format: dayName } = format({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** First and last, the busiest day and the longest silence, each a link to there. */
function facts(scope, days) {
  const first = days[0],
    last = days.at(-1),
    busiest = days.reduce((most, day) => day.messages > most.messages ? day : most)
  let silence = 0, end = first
  for (let index = 1; index < days.length; index++) {
    const [from, to] = [index - 1, index].map((at) => dateIn(days[at].day).getTime())
    const length = Math.round((to - from) / 86_400_000) - 1
    if (length > silence) [silence, end] = [length, days[index]]
  }
  const total = days.reduce((sum, { messages }) => sum + messages, 0)
  const fact = (name, text, day, at = day.firstNumber) =>
    make(
      'div',
      null,
      make('dt', null, name),
      make('dd', null, text, press('scope', dayName(dateIn(day.day)), goToNumber(scope, at))),
    )
  return make(
    'dl.facts',
    null,
    make(
      'div',
      null,
      make('dt', null, 'Messages'),
      make('dd', null, `${number(total)} on ${plural(days.length, 'day')}`),
    ),
    fact('First', '', first),
    fact('Last', '', last, last.firstNumber + last.messages - 1),
    fact('Busiest day', `${number(busiest.messages)} on `, busiest),
    silence ? fact('Longest silence', `${plural(silence, 'day')} until `, end) : '',
  )
}

/** Bars as a table: words for who hears the page, lengths for who sees it. */
function chart(title, bars, isUpright, of = 'messages') {
  const most = Math.max(1, ...bars.map(({ count }) => count)), tag = isUpright ? 'div.bars.upright' : 'div.bars'
  return make(
    'section',
    null,
    make('h3', null, title),
    make(
      tag,
      { role: 'table', 'aria-label': `${title}: ${of}` },
      ...bars.map(
        ({ label, name = label, count, text = number(count), said = plural(count, 'message'), choose, isMute }) => {
          const title = `${name}: ${said}`
          const row = make(
            'div',
            { role: 'row', title },
            make(isMute ? 'span.mute' : 'span', { role: 'rowheader' }, make('bdi', null, label)),
            make('span', { role: 'cell' }, choose && count ? press('bar', text, choose) : make('span.bar', null, text)),
          )
          row.querySelector('.bar').setAttribute('aria-label', title)
          row.style.setProperty('--part', count / most)
          return row
        },
      ),
    ),
  )
}

const add = (counts, key, day) => {
  const held = counts.get(key)
  if (held) held.messages += day.messages
  else counts.set(key, { ...day })
}

/** The years and, of the one that is chosen, the months and all days. */
function calendar(scope, days) {
  const years = new Map(), box = make('section.calendar'), year = ({ day }) => day.slice(0, -6)
  for (const day of days) add(years, year(day), day)
  const names = [...years.keys()]
  const bars = [...years].map(([name, { messages, firstNumber }], index) => ({
    label: name,
    count: messages,
    isMute: names.length > 8 && index % Math.ceil(names.length / 8),
    choose: () => {
      draw(name)
      goToNumber(scope, firstNumber)()
    },
  }))
  const draw = (name) => {
    const own = days.filter((day) => year(day) === name),
      months = new Map(),
      most = Math.max(...own.map(({ messages }) => messages)),
      at = names.indexOf(name)
    for (const day of own) add(months, day.day.slice(0, -3), day)
    const turn = (sign, label, to) =>
      make(
        'button',
        { type: 'button', disabled: !names[to], 'aria-label': label, onclick: () => draw(names[to]) },
        sign,
      )
    const all = Array.from(
      { length: 12 },
      (_, index) => ({
        month: `${name}-${String(index + 1).padStart(2, '0')}`,
        label: monthName.format(Date.UTC(2024, index)),
      }),
    )
    box.replaceChildren(
      make(
        'header',
        null,
        turn('‹', 'The year before', at - 1),
        make('h3', null, make('span', { role: 'status' }, name)),
        turn('›', 'The year after', at + 1),
      ),
      chart(
        `Months of ${name}`,
        all.map(({ month, label }) => {
          const found = months.get(month)
          return { label, count: found?.messages || 0, choose: found && narrow(scope, `on:${month}`) }
        }),
        true,
      ),
      make(
        'div.months',
        { onkeydown: moveAmong },
        ...all.filter(({ month }) => months.has(month)).map(({ month, label }) => {
          const days = make('div.days')
          drawMonth(days, month, own.filter(({ day }) => day.startsWith(month)), scope, most)
          return make('section', { 'aria-label': `${label} ${name}` }, make('small', null, label), days)
        }),
      ),
    )
    box.querySelectorAll('.cell:enabled').forEach((cell, index) => cell.tabIndex = index ? -1 : 0)
  }
  draw(names.at(-1))
  return make('div', null, names.length > 1 ? chart('Years', bars, true) : '', box)
}

/** Arrows move among the days of a calendar, which is one stop of the Tab key. */
function moveAmong(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key]
  if (!step) return
  event.preventDefault()
  event.stopPropagation()
  const cells = [...event.currentTarget.querySelectorAll('.cell')]
  for (let index = cells.indexOf(event.target) + step; cells[index]; index += Math.sign(step)) {
    if (!cells[index].disabled) return cells[index].focus()
  }
}

function weekdays(days) {
  const counts = Array(7).fill(0)
  for (const day of days) counts[(dateIn(day.day).getUTCDay() + 7 - WEEK_START) % 7] += day.messages
  return chart(
    'Days of the week',
    counts.map((count, index) => ({ label: weekdayName.format(dayOfWeek(index)), count })),
    true,
  )
}

function hours({ groups }, title) {
  const counts = new Map(groups.map(({ hour, messages }) => [hour, messages]))
  return chart(
    title,
    Array.from(
      { length: 24 },
      (_, hour) => ({ label: String(hour), name: `${hour}:00`, count: counts.get(hour) || 0, isMute: hour % 6 }),
    ),
    true,
  )
}

/** Shows only some of the messages of what was drawn, as chips say then. */
const narrow = (scope, term) => () => {
  const { query } = scope
  mode.add('peeking')
  go({ conversation: filtered(baseOf(scope), query ? `(${query}) ${term}` : term) })
}

/** How many messages have links, pictures and files, which are listed by a click. */
function shares(scope) {
  const box = make('p.shares')
  for (
    const [term, sort, name] of [['link', 'links', 'link'], ['picture', 'pictures', 'picture'], [
      'attachment',
      'files',
      'file',
    ]]
  ) {
    const button = press('scope', '', beside('shared', sort))
    box.append(button)
    const some = filtered(baseOf(scope), [scope.query && `(${scope.query})`, `has:${term}`].filter(Boolean).join(' '))
    attempt(async () => {
      const { total } = await page(some, { at: 'newest', limit: 0 }, wish('panel'))
      if (total) button.textContent = `${plural(total, 'message')} with a ${name}`
      else button.remove()
    })
  }
  return box
}

/** Those with the most messages: a sender or a kind narrows what is shown, a conversation leads to itself. */
function ranks({ groups, others }, by, title, scope) {
  const chart_ = chart(
    title,
    groups.map((group) => ({
      label: titled(group[by]),
      count: group.messages,
      choose: by === 'conversation'
        ? () =>
          attempt(async () => {
            mode.add('peeking')
            go({ conversation: await side.find(group.conversation) })
          })
        : group[by] && !/["\\]/.test(group[by])
        ? narrow(scope, `${by === 'sender' ? 'from' : by}:"${group[by]}"`)
        : null,
    })),
  )
  if (others) chart_.append(make('p.quiet', null, `and ${number(others)} more`))
  return chart_
}

// ---- Links, files, pictures

/** Goes to the message that has something, in what was open. */
const goToThing = ({ id }, scope) => () => {
  mode.add('peeking')
  go({ id, isHere: true, conversation: scope })
}
const fileOf = ({ id, index, attachment }) => ({ id, attachments: { [index]: attachment } })

function sharedEntry(thing, scope) {
  const lead = entry(thing, placeOf(thing, scope)),
    text = thing.text ? make('small.text', null, line(thing.text)) : '',
    link = thing.url && linkTo(thing.url)
  lead.onclick = goToThing(thing, scope)
  if (link) link.anchor.append(...broken(thing.url))
  return make(
    'div.thing',
    null,
    lead,
    thing.attachment
      ? attachment(fileOf(thing), thing.index)
      : link
      ? link.anchor
      : make('span.text', null, line(thing.url)),
    text,
  )
}

/** A small picture, which is opened among the others; one that has none leads to its message by its name. */
function tile(thing, scope, things) {
  const { name } = thing.attachment,
    address = state.source.thumbnail(fileOf(thing), thing.index),
    label = [line(name) || 'picture', briefest(thing)].join(', ')
  const button = make('button.tile', {
    type: 'button',
    title: label,
    'aria-label': label,
    onclick: goToThing(thing, scope),
  })
  const image = address ? make('img', { alt: '', loading: 'lazy', decoding: 'async', src: address }) : ''
  if (image) image.onerror = () => image.replaceWith(line(name))
  if (image && state.source.file(fileOf(thing), thing.index)) {
    button.onclick = () => lazily('viewer.js', () => viewer.openThing(thing, things, button, scope))
  }
  button.append(image || line(name))
  return button
}

// ---- Sessions of assistants

/** The newest title, without the folder's name; the whole first question if the title is cut from it, or only an id. */
function titleOf({ conversation, question, project, program, session }) {
  const folder = project?.split(/[\\/]/).filter(Boolean).pop(), place = folder ? `${folder} > ` : ''
  const title = conversation.slice(conversation.startsWith(place) ? place.length : 0)
  const isCut = title.endsWith('…') && question?.startsWith(title.slice(0, -1))
  return (isCut || title === `${program} ${session.slice(0, 8)}`) && question || title
}

const compact = new Intl.NumberFormat('en', { notation: 'compact' })
const spent = ({ tokensSent, tokensReceived, dollars, tokensUnpriced }) =>
  [
    dollars !== undefined && `$${dollars.toFixed(2)}`,
    `${compact.format(tokensSent)} in`,
    `${compact.format(tokensReceived)} out`,
    tokensUnpriced && `${compact.format(tokensUnpriced)} without a price`,
  ].filter(Boolean).join(' · ')

/** Tokens and cost of sessions, once they are asked for: bars by a property. */
function usageOf(words) {
  const room = make('div'), names = ['day', 'model', 'project', 'program']
  const show = (by) =>
    attempt(async () => {
      const { groups, total, others } = await state.source.ask('usage', {
        by,
        words: words(),
        limit: MOST_GROUPS,
        timeZone: zone,
      }, instead('usage'))
      const bars = groups.map((group) => ({
        label: titled(group[by] || `unknown ${by}`),
        text: spent(group),
        said: spent(group),
        count: total.dollars === undefined
          ? group.tokensSent + group.tokensReceived
          : Math.round((group.dollars || 0) * 100),
      }))
      const choices = names.map((name) =>
        make('button.tab', { type: 'button', 'aria-pressed': name === by, onclick: () => show(name) }, name)
      )
      room.replaceChildren(
        make('div.tabs', { role: 'group', 'aria-label': 'Tokens and cost by' }, ...choices),
        chart(`By ${by}`, bars, false, 'tokens and cost'),
        make('p.quiet', null, `${spent(total)} in all${others ? `, and ${number(others)} more` : ''}`),
      )
    })
  return make(
    'details',
    { ontoggle: (event) => event.target.open && show('day') },
    make('summary', null, 'Tokens and cost'),
    room,
  )
}

/** Lists sessions, newest first, which the words and terms in a field narrow. */
function listSessions() {
  const box = openTab('sessions', 'Sessions'), found = make('div'), status = make('p.quiet', { role: 'status' })
  const wanted = make('input', {
    type: 'search',
    placeholder: 'Words, project: model: tool: file: is:failed',
    'aria-label': 'Which sessions',
    spellcheck: 'false',
  })
  let asked, waiting
  const load = (before) =>
    attempt(async () => {
      const words = asked = wanted.value.trim() || undefined
      const { sessions, next } = await state.source.ask(
        'sessions',
        { words, before, limit: PAGE, timeZone: zone },
        instead('panel'),
      )
      // What was typed meanwhile has an answer of its own.
      if (words !== asked) return
      if (!before) found.replaceChildren()
      found.append(...sessions.map((session) =>
        make(
          'div.thing.session',
          null,
          press('scope', titled(titleOf(session)), () =>
            attempt(async () => {
              mode.add('peeking')
              go({ conversation: await side.find(session.conversation) })
            })),
          make('small.text', null, line(factsOf(session))),
        )
      ))
      status.textContent = found.childElementCount
        ? ''
        : words
        ? 'No session is like that: leave out a word.'
        : 'There are no sessions of assistants here. Importing those of Claude Code, Codex and others brings them.'
      if (next) {
        found.append(press('more', 'Show older ones', (event) => {
          event.target.remove()
          load(next)
        }))
      }
    })
  wanted.onchange = () => {
    clearTimeout(waiting)
    load()
  }
  // Half a term is wrong as long as it is typed: only whole words are asked while somebody types.
  wanted.oninput = () => {
    clearTimeout(waiting)
    if (!/[:"(-]$/.test(wanted.value)) waiting = setTimeout(load, 300)
  }
  box.append(wanted, usageOf(() => wanted.value.trim() || undefined), found, status)
  return load()
}

const factsOf = ({ program, project, branch, models, messages, newestTime, newestPrecision, failed, dollars }) =>
  [
    program,
    project,
    branch,
    models[0],
    plural(messages, 'message'),
    dollars && `$${dollars.toFixed(2)}`,
    failed && `${number(failed)} failed`,
    briefly({ time: newestTime, precision: newestPrecision }),
  ].filter(Boolean).join(' · ')
