// @ts-check
// The run of messages that is held.

/** Where an element lies in the list, without rounding. */
const topOf = (element) => element.getBoundingClientRect().top - room.getBoundingClientRect().top + room.scrollTop

/**
 * The run of messages that is held: neighbours without a hole, `first` being the number of the oldest of them.
 * The row at the top of the screen stays where it is, whatever happens above it; at the newest edge the end does.
 */
const list = {
  row: (id) => state.list.rows.find((row) => row.message.id === id),

  /** The index of the row at a height of the screen. */
  indexAt: (y) => Math.max(0, lastIndex(state.list.rows, ({ element }) => element.offsetTop <= room.scrollTop + y)),

  /** The number of the message there, with the part of it that lies above. */
  placeAt(y) {
    const index = list.indexAt(y), { offsetTop, offsetHeight } = state.list.rows[index].element
    return state.list.first + index + clamp((room.scrollTop + y - offsetTop) / (offsetHeight || 1), 0, 1)
  },

  /** The index of the first remembered row that begins on the screen, or fills it, at a place. */
  topAt(place) {
    const index = 1 + lastIndex(state.list.tops, (top) => top < place)
    return state.list.tops[index] < place + room.clientHeight ? index : Math.max(0, index - 1)
  },

  /** Remembers which rows are where; what has grown meanwhile, as pictures do, moves nothing on the screen. */
  hold() {
    const { scrollTop } = room,
      index = list.topAt(scrollTop),
      isSame = state.list.held === state.list.rows && state.list.rows.length
    // Where the end comes nearer, as lines get wider, browsers scroll to it themselves.
    if (isSame && (scrollTop === state.list.at || (state.list.atEnd && list.isAtEnd))) list.keep()
    else if (isSame) room.scrollTop += topOf(state.list.rows[index].element) - state.list.tops[index]
    Object.assign(state.list, {
      held: state.list.rows,
      tops: state.list.rows.map((row) => topOf(row.element)),
      at: room.scrollTop,
    })
    state.list.atEnd = list.isAtEnd
    if (state.list.rows.length) state.list.place = list.placeNow
  },

  /** The first message on the screen, and how far below its edge it begins. */
  get placeNow() {
    const { held, tops, at } = state.list, index = list.topAt(at)
    return { id: held[index]?.message.id, top: tops[index] - at }
  },

  get isAtEnd() {
    return !state.list.hasNewer && room.scrollHeight - room.scrollTop - room.clientHeight < 4
  },

  /** Puts the first remembered row back that is still there. */
  keep() {
    if (state.list.atEnd) return void (room.scrollTop = room.scrollHeight)
    for (let index = list.topAt(state.list.at); index < state.list.held.length; index++) {
      const { element, message } = state.list.held[index],
        now = element.isConnected ? element : list.row(message.id)?.element
      if (!now) continue
      return void (room.scrollTop += topOf(now) - room.scrollTop - (state.list.tops[index] - state.list.at))
    }
  },

  change(work) {
    list.hold()
    work()
    list.keep()
    state.list.held = null // or what has grown would be made up for twice
    list.hold()
    drawPlace()
  },

  /** Takes rows in; in the document only what differs is touched. */
  set(rows, facts) {
    Object.assign(state.list, facts, { rows })
    state.list.conversation.messages = state.list.total
    settle($('rows'), rows.length ? rows.map(({ element }) => element) : [nothingIn(state.list.conversation)])
    list.decorate()
    threads.ask()
  },

  /**
   * Shows a page in place of the rows; those that look the same stay.
   * @param {any} found
   */
  become({ messages, firstNumber: first = 1, total, hasOlder, hasNewer }) {
    const held = new Map(state.list.rows.map((row) => [row.message.id, row])), { selected } = state.list
    state.list.coming = new Map(messages.map((message) => [message.id, message]))
    const rows = messages.map((message) => {
      const old = held.get(message.id)
      return old && old.look === lookOf(message) ? old : makeRow(message)
    })
    state.list.coming = null
    list.set(rows, { first, total, hasOlder, hasNewer })
    state.list.selected = null
    if (selected && list.row(selected.message.id)) choose(list.row(selected.message.id), false)
  },

  redraw() {
    if (state.list.rows.length) {
      list.change(() =>
        list.become({
          ...state.list,
          messages: state.list.rows.map((row) => row.message),
          firstNumber: state.list.first,
        })
      )
    }
  },

  /** Adds a page at an end, and drops rows at the other one. */
  add({ messages, firstNumber, total, hasOlder, hasNewer }, isOlder) {
    const rows = messages.map((message) => makeRow(message))
    list.change(() => {
      if (isOlder) {
        list.set(rows.concat(state.list.rows), {
          hasOlder,
          total,
          first: firstNumber ?? state.list.first - rows.length,
        })
      } else list.set(state.list.rows.concat(rows), { hasNewer, total })
      list.trim(isOlder)
    })
  },

  trim(isOlder) {
    const { scrollTop, clientHeight } = room
    let units = state.list.rows.reduce((sum, row) => sum + row.units, 0), from = 0, to = state.list.rows.length
    while (to - from > MOST_ROWS || units > MOST_UNITS) {
      const row = state.list.rows[isOlder ? to - 1 : from], { offsetTop, offsetHeight } = row.element
      if (
        isOlder ? offsetTop < scrollTop + 3 * clientHeight : offsetTop + offsetHeight > scrollTop - 2 * clientHeight
      ) break
      units -= row.units
      if (isOlder) to--
      else from++
    }
    if (to - from === state.list.rows.length) return
    list.set(state.list.rows.slice(from, to), {
      first: state.list.first + from,
      hasOlder: state.list.hasOlder || from > 0,
      hasNewer: state.list.hasNewer || isOlder,
    })
  },

  /** Parts days, groups what one sender wrote in a run, folds threads, and draws a line above what is unread. */
  decorate() {
    const { unread, readUpTo } = state.list.conversation,
      read = unread && readUpTo ? keyOf(readUpTo) : null,
      told = new Map(),
      isCounted = countsReplies()
    let above
    state.list.rows.forEach((row, index) => {
      const before = state.list.rows[index - 1]?.message, { message, element } = row, number = state.list.first + index
      const isUnread = read !== null && message.key > read && (before ? before.key <= read : !state.list.hasOlder),
        fold = threads.fold(message, told, isUnread, number)
      Object.assign(element, { ariaPosInSet: number, ariaSetSize: state.list.total })
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
    ++state.list.generation
    instead('list')
    if (mode.contains('filtering')) filters.hide()
    mode.remove('filtered')
    Object.assign(state.list, {
      conversation: null,
      rows: [],
      held: [],
      tops: [],
      total: 0,
      hasOlder: false,
      hasNewer: false,
      selected: null,
    })
    $('rows').replaceChildren(notice(text, ...ways))
    $('title').textContent = document.title = 'Scrollback'
    history.replaceState(null, '', location.pathname)
    drawPlace()
    $('place').textContent = text
  },

  /** Takes in that what is open has another name: its title, the tab and the address follow. */
  renamed() {
    const { conversation } = state.list
    conversation.name = baseOf(conversation).name
    showTitle()
    readdress()
  },

  /** Follows the messages of what is open into the conversation that they are a part of now. */
  async moved(from, to) {
    const { id, top } = state.list.place || {}
    await go({ conversation: filtered(to, state.list.conversation.query), id, top, isHere: true, isKept: true })
    readdress()
    trouble(`${titled(from.name)} is part of ${titled(to.name)} now.`, 8000)
  },

  /** Asks for rows at both ends until there are enough of them beyond the screen. */
  ensure() {
    const { scrollTop, scrollHeight, clientHeight } = room
    // While the scroll bar is held the next place is elsewhere: the screen is enough.
    if (state.bar.held !== null && scrollHeight > 1.5 * clientHeight) return
    if (state.list.hasOlder && scrollTop < AHEAD * clientHeight) list.extend(true)
    if (state.list.hasNewer && scrollHeight - scrollTop < (AHEAD + 1) * clientHeight) list.extend(false)
  },

  async extend(isOlder) {
    const edge = state.list.rows.at(isOlder ? 0 : -1), { generation } = state.list
    if (!edge || state.list.loading[isOlder] === generation) return
    state.list.loading[isOlder] = generation
    const found = await attempt(() =>
      page(
        state.list.conversation,
        { at: `${isOlder ? 'before' : 'after'}:${edge.message.id}`, limit: PAGE },
        wish('list'),
      )
    )
    // What came of them stands there before they are seen.
    if (found && countsReplies()) await lazily('threads.js', () => countReplies(found.messages))
    if (state.list.loading[isOlder] === generation) state.list.loading[isOlder] = null
    if (!found || generation !== state.list.generation) return
    if (edge.message.id === state.list.rows.at(isOlder ? 0 : -1)?.message.id) list.add(found, isOlder)
    list.ensure()
  },

  /** Goes to a place of a conversation; `put` scrolls when the rows are there. */
  async open(conversation, at, put, older) {
    const generation = ++state.list.generation, { version } = state.live
    const found = await page(
      conversation,
      { at, limit: state.list.conversation || at !== 'newest' ? JUMP : SCREEN, older },
      instead('list'),
    )
    if (generation !== state.list.generation) return null
    const isOther = conversation.id !== state.list.conversation?.id,
      isElsewhere = baseOf(conversation) !== baseOf(state.list.conversation)
    Object.assign(state.list, { conversation, atEnd: false, rows: [] })
    if (isOther) {
      Object.assign(state.list, { seen: found.total, selected: null })
      state.threads.open.clear()
    }
    list.become(found)
    if (isOther) showTitle(isElsewhere)
    put(found)
    list.scrolled()
    // What came while the answer was on its way is not in it.
    if (state.live.version !== version) live.read()
    return found
  },

  scrolled() {
    list.hold()
    drawPlace()
    list.ensure()
  },

  toEnd: () => room.scrollTop = room.scrollHeight,
  scrollTo: ({ element }, part) =>
    room.scrollTop = element.offsetTop - (room.clientHeight - element.offsetHeight) * part,
}

/** Gives a row what depends on the one above it. */
function decorate(row, above, isUnread, fold = '') {
  const { message, element } = row,
    isFolded = /folded|again/.test(fold),
    isNewDay = !isFolded && (!above || dayOf(above) !== dayOf(message))
  const isHead = isNewDay || isUnread || startsRun(above, message), isNext = repeats(above, message)
  const look = `${isNewDay} ${isUnread} ${isHead} ${isNext} ${fold}`
  if (element.dataset.look === look) return
  element.dataset.look = look
  for (
    const [name, holds] of Object.entries({
      head: isHead,
      fresh: isUnread,
      next: isNext,
      folded: fold === 'folded',
      stub: fold === 'stub' || fold === 'again',
    })
  ) element.classList.toggle(name, holds)
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
  return !before || before.sender !== message.sender || before.conversation !== message.conversation ||
    !SAID.includes(before.kind) ||
    dateOf(message) - dateOf(before) > 420_000 || (Boolean(message.replyTo) && !repeats(before, message)) ||
    Boolean(before.thread) !== Boolean(message.thread)
}
