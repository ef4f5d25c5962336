// @ts-check
// Place: title, scroll bar, what came below.

function showTitle(isElsewhere) {
  const { name, query } = list.conversation
  $('title').textContent = titled(name)
  document.title = `${titled(name)} · Scrollback`
  showAbout()
  side.draw()
  mode.toggle('filtered', Boolean(query))
  // A bar without chips is of the conversation that it was opened in.
  if (query) filter('draw')()
  else if (mode.contains('filtering')) filter(isElsewhere ? 'hide' : 'draw')()
}

/** What is open, in a line: how many messages, by how many people, since when. */
function showAbout() {
  const { conversation, total } = list
  if (!conversation || !total) return
  const { query, senders, first, firstPrecision } = conversation
  if (query) {
    return void ($('place').textContent = `${plural(total, 'message')} of ${number(baseOf(conversation).messages)}`)
  }
  const since = first && monthAndYear.format(dateShown({ time: first, precision: firstPrecision }))
  $('place').textContent = [
    plural(total, 'message'),
    senders && `${number(senders)} ${senders === 1 ? 'person' : 'people'}`,
    since && `since ${since}`,
  ].filter(Boolean).join(' · ')
}

/** A sentence in place of messages, and the next steps. */
const notice = (text, ...ways) => make('div.empty', null, make('p', null, text), ...ways)
const way = (label, work) => press('way', label, work)

/** What a conversation without messages, or a filter that finds none, says. */
function nothingIn(scope) {
  return scope.query
    ? notice(
      'No message here is like that.',
      make(
        'p',
        null,
        'Leave out one of the chips above, or ',
        way('show all messages', () => go({ conversation: baseOf(scope) })),
        '.',
      ),
    )
    : notice(
      `There are no messages in ${titled(scope.name)}.`,
      ...hasEverything() && scope !== everything
        ? [way('Show everything', () => go({ conversation: everything }))]
        : [],
    )
}

/**
 * What was seen here, or in another tab: runs of numbers of messages, by conversation. The store itself stays as it is.
 */
const seen = {
  key: null,
  runs: {},

  open(store) {
    seen.key = `seen ${store}`
    seen.load({ key: seen.key })
  },

  load({ key }) {
    if (!seen.key || key !== seen.key) return
    try {
      seen.runs = JSON.parse(localStorage[key] || '{}')
    } catch {
      seen.runs = {}
    }
    seen.draw()
  },

  /** Takes in that some messages are on the screen. */
  note(first, last) {
    const { id, unread } = list.conversation, held = seen.runs[id] || []
    if (
      !seen.key || !unread || last < first || document.hidden || held.some(([from, to]) => from <= first && to >= last)
    ) return
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
      try {
        localStorage[seen.key] = JSON.stringify(Object.fromEntries(Object.entries(seen.runs).slice(-500)))
      } catch {}
    }, 200)
  },

  /** How many are unread: as the store says, but for what was seen; of several conversations together, in `parts`. */
  unread({ id, unread, newer = unread, told, parts }) {
    if (parts) return parts.reduce((sum, each) => sum + seen.unread(each), 0)
    const first = told - newer + 1,
      overlap = ([from, to]) => Math.max(0, Math.min(to, told) - Math.max(from, first) + 1)
    const read = (seen.runs[id] || []).reduce((sum, run) => sum + overlap(run), 0)
    return unread ? Math.max(0, Math.min(unread, newer - read)) : 0
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
  const place = `${shortDay.format(dateShown(list.rows[index].message))} · ${number(list.first + index)} of ${
    number(list.total)
  }`
  showAbout()
  bar.draw(part, (bottom - top) / list.total, list.first + index, place)
  if (list.atEnd) list.seen = list.total
  seen.note(Math.ceil(top - 0.3), list.atEnd ? list.total : Math.floor(bottom + 0.3) - 1)
  const below = Math.ceil(list.total + 1 - bottom), news = Math.min(list.total - list.seen, below)
  $('below').classList.toggle('news', news > 0)
  Object.assign($('below'), {
    textContent: news > 0 ? `${number(news)} new below ↓` : '↓',
    hidden: list.atEnd || (news <= 0 && below < 6),
  })
}

/** The scroll bar, exact over the whole conversation: its place is the number of a message. */
const bar = {
  held: null,
  wanted: null,
  text: '',
  fading: 0,

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
    if (text !== bar.text && bar.text) bar.show()
    bar.text = text
    $('bubble').textContent = text
  },

  /** Shows where it is, while it is held and for a moment after the place changed. */
  show() {
    clearTimeout(bar.fading)
    $('bubble').hidden = false
    bar.fading = setTimeout(() => $('bubble').hidden = bar.held === null, 1200)
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
    const put = (index) =>
      part >= 1 ? list.toEnd() : part <= 0 ? room.scrollTop = 0 : list.scrollTo(list.rows[index], part)
    if (list.rows[index] && (part < 1 || !list.hasNewer) && (part > 0 || !list.hasOlder)) {
      put(index)
      return list.scrolled()
    }
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
    bar.show()
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
    track.querySelectorAll('.mark').forEach((mark) => mark.remove())
    await bar.going
    drawPlace()
    bar.show()
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
