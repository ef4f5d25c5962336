// @ts-check
// One field for all that can be gone to (Ctrl+K; page.js loads this then): conversations, people, days, numbers of
// messages and what the page does.
'use strict'

const MOST_OF_A_SORT = 6
const TIMES = [
  /\d{4}|\d[-/.]\d|^(today|yesterday)$/i,
  /\d ?(days?|weeks?|months?|years?|[dhwy])\b/i,
  /^(last |this )?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i,
  /^(last |this )?(mon|tue|wed|thu|fri|sat|sun|week|month|year)/i,
]

/**
 * What the page does, the keys for it, and whether it can be done now.
 * @returns {[string, string, () => any, boolean?][]}
 */
const COMMANDS = () => {
  /** @type {[string, string, () => any, boolean?][]} */
  const all = [
    ['Search', '/', () => field.select()],
    ['Filter messages', 'F', filter('turn')],
    ['Oldest message', 'g', goOldest],
    ['Newest message', 'G', goNewest],
    ['First unread message', '', () => go({ at: 'unread' }), !$('unread').hidden],
    ['Days and months', 'd', beside('days')],
    ['Statistics', 's', beside('figures')],
    ['Links', 'f', beside('shared', 'links')],
    ['Starred', '', beside('starred'), !isSite],
    ['Files', '', beside('shared', 'files')],
    ['Pictures', '', beside('shared', 'pictures')],
    ['Print or save', 'p', paper()],
    ['Keys', '?', beside('help')],
  ]
  return all.filter(([, , , isThere = true]) => isThere)
}

async function openPalette() {
  await load('filters.js')
  if ($('palette')) return $('palette').hide()
  const input = make('input', {
    type: 'search',
    placeholder: 'Go to a conversation, person, day, message number …',
    'aria-label': 'Go to',
    autocomplete: 'off',
    spellcheck: false,
  })
  const box = make('dialog', { id: 'palette', 'aria-label': 'Go to' }),
    /** @type {any} */
    before = document.activeElement,
    close = () => covers.close(hide)
  // What was chosen is read: the focus goes to the messages, unless the choice has it.
  const chosen = (work) => () => {
    close()
    mode.toggle('peeking', mode.contains('paneled'))
    toMessages()
    work()
  }
  const found = suggest(input, (text, signal) => whatFits(text, chosen, signal), 'Nothing has that name.')
  const hide = () => {
    box.close()
    box.remove()
    if (document.activeElement === document.body) before?.focus()
  }
  box.append(
    input,
    found,
    make(
      'footer',
      null,
      make('kbd', null, '↑↓'),
      ' choose ',
      make('kbd', null, '↵'),
      ' go ',
      make('kbd', null, 'esc'),
      ' close',
    ),
  )
  box.oncancel = (event) => {
    event.preventDefault()
    close()
  }
  box.onclick = ({ target }) => {
    if (target === box) close()
  }
  box.onkeydown = (event) => {
    event.stopPropagation()
    if (event.key === 'Escape') {
      event.preventDefault()
      close()
    }
    if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
      event.preventDefault()
      close()
    }
  }
  box.hide = close
  document.body.append(box)
  box.showModal()
  covers.add(hide)
  input.focus()
}

/** What fits a text, the likeliest first. */
async function whatFits(text, closing, signal) {
  const wanted = text.toLowerCase(), scope = state.list.conversation
  const begins = ({ name }) => name.toLowerCase().startsWith(wanted),
    holds = ({ name }) => name.toLowerCase().includes(wanted)
  const first = (all) => {
    const held = all.filter(holds)
    return [...held.filter(begins), ...held.filter((each) => !begins(each))].slice(0, MOST_OF_A_SORT)
  }
  const scopes = (all, group) =>
    first(all).map((each) => ({
      group,
      mark: disc(each.name),
      label: each.name,
      note: each.about || plural(each.messages, 'message'),
      choose: closing(() => go({ conversation: each })),
    }))
  const places = text && scope ? await placesOf(text, scope, closing, signal) : []
  const own = hasEverything() ? [everything] : []
  const commands = COMMANDS().filter(([name]) => name.toLowerCase().includes(wanted)).slice(
    0,
    text ? MOST_OF_A_SORT : 20,
  )
  return [
    ...places,
    ...scopes([...own, ...state.side.all], 'Conversations'),
    ...text ? scopes(state.side.people, 'People') : [],
    ...text && hasEverything() ? await sendersLike(text, closing, signal) : [],
    ...commands.map(([name, key, work]) => ({ group: 'Commands', label: name, note: key, choose: closing(work) })),
    ...text
      ? [{
        group: 'Search',
        label: `Search for “${text}”`,
        note: '/',
        choose: closing(() => {
          field.value = text
          seek('start')()
        }),
      }]
      : [],
  ]
}

/** Who wrote under a name like that: what they wrote anywhere. */
async function sendersLike(text, closing, signal) {
  const { senders } = await state.source.ask('senders', { named: text, limit: MOST_OF_A_SORT }, signal)
  return senders.filter(({ name }) => isSayable(name)).map(({ name, messages }) => ({
    group: 'People',
    mark: disc(name),
    label: name,
    note: plural(messages, 'message'),
    choose: closing(() => go({ conversation: filtered(everything, termOf('from', name)) })),
  }))
}

/** A number of a message, or a time. */
async function placesOf(text, scope, closing, signal) {
  const [, sign, digits] = /^(#?)([\d.,\s]+)$/.exec(text) || [],
    count = digits && Number(digits.replace(/\D/g, '')),
    places = []
  const item = (label, note, at) => ({
    group: `In ${titled(scope.name)}`,
    label,
    note,
    choose: closing(async () => {
      await go({ conversation: scope, ...at })
      const row = at.count && state.list.rows[count - state.list.first]
      if (row) {
        threads.reveal(row)
        choose(row, true)
      }
    }),
  })
  if (count >= 1 && count <= state.list.total) {
    places.push(item(`Message ${number(count)}`, `of ${number(state.list.total)}`, { at: `number:${count}`, count }))
  }
  if (sign && count > state.list.total) {
    places.push(item(`Message #${digits}`, 'by its id', { id: digits, conversation: null }))
  }
  const day = await dayIn(text, scope, signal)
  return day ? [...places, item(day.label, 'the first message from then on', { at: day.at })] : places
}

async function dayIn(text, scope, signal) {
  // What cannot be a time is not asked about.
  if (!TIMES.some((time) => time.test(text)) || /^\d{5,}$/.test(text)) return null
  const found = await page(scope, { at: `time:${text}`, limit: 1, older: 0, timeZone: zone }, signal).catch(() => null)
  return found?.messages[0]
    ? { label: longDay.format(dateShown(found.messages[0])), at: `around:${found.messages[0].id}` }
    : null
}
