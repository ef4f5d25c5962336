// @ts-check
// Place: title, scroll bar, what came below.

function showTitle(isElsewhere) {
  const { name, query } = state.list.conversation
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
  const { conversation, total } = state.list
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
  open(store) {
    state.seen.key = `seen ${store}`
    seen.load({ key: state.seen.key })
  },

  load({ key }) {
    if (!state.seen.key || key !== state.seen.key) return
    try {
      state.seen.runs = JSON.parse(localStorage[key] || '{}')
    } catch {
      state.seen.runs = {}
    }
    seen.draw()
  },

  /** Takes in that some messages are on the screen. */
  note(first, last) {
    const { id, unread } = state.list.conversation, held = state.seen.runs[id] || []
    if (state.seen.kept !== id) state.seen.kept = null
    if (
      state.seen.kept || !state.seen.key || !unread || last < first || document.hidden ||
      held.some(([from, to]) => from <= first && to >= last)
    ) return
    /** @type {[number, number][]} */
    const runs = []
    for (const run of [...held, [first, last]].sort((a, b) => a[0] - b[0])) {
      if (runs.length && run[0] <= runs.at(-1)[1] + 1) runs.at(-1)[1] = Math.max(runs.at(-1)[1], run[1])
      else runs.push([run[0], run[1]])
    }
    state.seen.runs[id] = runs.slice(-50)
    seen.draw()
    if (state.server.marks) state.seen.marking ??= setTimeout(beside('mark'), 1000)
    state.seen.timer ??= setTimeout(() => {
      state.seen.timer = null
      try {
        localStorage[state.seen.key] = JSON.stringify(Object.fromEntries(Object.entries(state.seen.runs).slice(-500)))
      } catch {}
    }, 200)
  },

  /** How many are unread: as the store says, but for what was seen; of several conversations together, in `parts`. */
  unread({ id, unread, newer = unread, told, parts }) {
    if (parts) return parts.reduce((sum, each) => sum + seen.unread(each), 0)
    const first = told - newer + 1,
      overlap = ([from, to]) => Math.max(0, Math.min(to, told) - Math.max(from, first) + 1)
    const read = (state.seen.runs[id] || []).reduce((sum, run) => sum + overlap(run), 0)
    return unread ? Math.max(0, Math.min(unread, newer - read)) : 0
  },

  draw() {
    const unread = state.list.conversation && !state.list.conversation.keys ? seen.unread(state.list.conversation) : 0
    Object.assign($('unread'), { hidden: !unread, textContent: `${number(unread)} unread` })
    side.draw()
  },
}

function drawPlace() {
  track.classList.toggle('idle', !state.list.rows.length)
  if (mode.contains('filtering')) filters.tell()
  if (!state.list.rows.length) return void (state.list.conversation && ($('place').textContent = 'no messages'))
  const { clientHeight } = room, top = list.placeAt(0), bottom = list.placeAt(clientHeight)
  const part = state.bar.held ?? bar.part(top, bottom), index = list.indexAt(part * clientHeight)
  const place = `${shortDay.format(dateShown(state.list.rows[index].message))} · ${
    number(state.list.first + index)
  } of ${number(state.list.total)}`
  showAbout()
  bar.draw(part, (bottom - top) / state.list.total, state.list.first + index, place)
  if (state.list.atEnd) state.list.seen = state.list.total
  seen.note(Math.ceil(top - 0.3), state.list.atEnd ? state.list.total : Math.floor(bottom + 0.3) - 1)
  const below = Math.ceil(state.list.total + 1 - bottom), news = Math.min(state.list.total - state.list.seen, below)
  $('below').classList.toggle('news', news > 0)
  Object.assign($('below'), {
    textContent: news > 0 ? `${number(news)} new below ↓` : '↓',
    hidden: state.list.atEnd || (news <= 0 && below < 6),
  })
}

/** The scroll bar, exact over the whole conversation: its place is the number of a message. */
const bar = {
  /** How much lies above the screen: 0 at the oldest end, 1 at the newest one. */
  part(top, bottom) {
    const older = top - 1, newer = state.list.total + 1 - bottom
    return older + newer > 0.001 ? clamp(older / (older + newer), 0, 1) : 1
  },

  draw(part, size, now, text) {
    const height = track.clientHeight, thumb = clamp(size * height, 28, height), top = part * (height - thumb)
    $('thumb').style.height = `${thumb}px`
    lay($('thumb'), top)
    track.classList.toggle('idle', size >= 1)
    Object.assign(track, { ariaValueMax: state.list.total, ariaValueNow: now, ariaValueText: text })
    lay($('bubble'), top + thumb / 2 - 15)
    if (text !== state.bar.text && state.bar.text) bar.show()
    state.bar.text = text
    $('bubble').textContent = text
  },

  /** Shows where it is, while it is held and for a moment after the place changed. */
  show() {
    clearTimeout(state.bar.fading)
    $('bubble').hidden = false
    state.bar.fading = setTimeout(() => $('bubble').hidden = state.bar.held === null, 1200)
  },

  /** Goes to a part of the way, to the last that is wanted. */
  go(part) {
    state.bar.wanted = part
    return state.bar.going ||= bar.run()
  },

  async run() {
    for (let part; (part = state.bar.wanted) !== null;) {
      state.bar.wanted = null
      await attempt(() => bar.jump(part))
    }
    state.bar.going = null
  },

  async jump(part) {
    const target = 1 + Math.round(part * (state.list.total - 1)), index = target - state.list.first
    const put = (index) =>
      part >= 1 ? list.toEnd() : part <= 0 ? room.scrollTop = 0 : list.scrollTo(state.list.rows[index], part)
    if (state.list.rows[index] && (part < 1 || !state.list.hasNewer) && (part > 0 || !state.list.hasOlder)) {
      put(index)
      return list.scrolled()
    }
    await list.open(state.list.conversation, `number:${target}`, ({ messages, firstNumber }) => {
      if (messages.length) put(clamp(target - firstNumber, 0, messages.length - 1))
    }, Math.round(JUMP * clamp(part, 0.2, 0.8)))
  },

  press(event) {
    if (event.button || !state.list.rows.length) return
    event.preventDefault()
    track.focus({ preventScroll: true })
    track.setPointerCapture(event.pointerId)
    const { top, bottom, height } = $('thumb').getBoundingClientRect()
    state.bar.grip = event.clientY >= top && event.clientY <= bottom ? event.clientY - top : height / 2
    remember()
    state.bar.held = -1
    bar.show()
    bar.drag(event)
    beside('years')()
  },

  drag(event) {
    if (state.bar.held === null) return
    const { top, height } = track.getBoundingClientRect()
    const part = clamp((event.clientY - top - state.bar.grip) / Math.max(1, height - $('thumb').offsetHeight), 0, 1)
    if (part === state.bar.held) return
    state.bar.held = part
    drawPlace()
    bar.go(part)
  },

  async release() {
    if (state.bar.held === null) return
    state.bar.held = null
    track.querySelectorAll('.mark').forEach((mark) => mark.remove())
    await state.bar.going
    if (state.list.rows.length) list.scrolled()
    bar.show()
    visited()
  },

  key(event) {
    const top = list.placeAt(0), bottom = list.placeAt(room.clientHeight), screen = bottom - top - 1
    const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -screen, PageDown: screen }[event.key]
    if (!steps) return
    event.preventDefault()
    event.stopPropagation()
    bar.go(clamp(bar.part(top, bottom) + steps / Math.max(1, state.list.total - screen), 0, 1))
  },
}
