// @ts-check
// The conversations, and people.

const ITEM = 60 // the height of a conversation in the list, in pixels
const GROUP = 30 // and of the name of a group of them

/** When a conversation was last written to, as a reader would say it. */
function ageOf({ when, keys }, now) {
  if (keys || !Number.isFinite(when)) return ''
  const days = (new Date(now).setHours(0, 0, 0, 0) - new Date(when).setHours(0, 0, 0, 0)) / 86_400_000
  if (days < 0.5) return 'Today'
  if (days < 1.5) return 'Yesterday'
  if (days < 6.5) return 'This week'
  if (days < 30.5) return 'This month'
  const year = new Date(when).getFullYear()
  return year === new Date(now).getFullYear() ? 'This year' : String(year)
}

/** The name of a conversation; that of a project before it is shown smaller, behind. */
function nameOf(name) {
  const parts = name.split(' > '), own = parts.pop()
  const project = parts.length ? [' ', make('small', null, make('bdi', null, titled(parts.join(' > '))))] : []
  return make('b', { title: line(name) }, make('bdi', null, titled(own)), ...project)
}

const side = {
  /** Reads them all, those that are there first, so that the newest of all can stand above. */
  load: () =>
    state.side.loading ||= attempt(async () => {
      const all = []
      for (let after = null;;) {
        const { conversations, next } = await state.source.ask('conversations', {
          after,
          limit: 500,
          unread: true,
          newest: true,
        })
        all.push(...conversations.map(side.told))
        if (!(after = next)) break
        if (!state.side.all.length && !state.list.rows.length) {
          $('place').textContent = `${number(all.length)} conversations …`
        }
      }
      Object.assign(state.side, { all, isWhole: true })
      side.adopt()
      const open = baseOf(state.list.conversation)
      if (open && !open.keys && !state.side.all.includes(open)) await side.refresh([open.id])
      side.arrange()
      if (!isSite) attempt(side.loadPeople)
    }).finally(() => state.side.loading = null),

  /** Keeps the open conversation among all as the same object. */
  adopt() {
    const open = baseOf(state.list.conversation), name = open?.name
    state.side.all = state.side.all.map((each) => each.id === open?.id ? Object.assign(open, each) : each)
    if (name !== open?.name) list.renamed()
  },

  async loadPeople() {
    const found = []
    for (let after;;) {
      const { people, next } = await state.source.ask('people', { after, limit: 500 })
      found.push(...people.map(withPerson))
      if (!(after = next)) break
    }
    state.side.people = found
    $('sorts').hidden = !found.length
    side.turn(state.side.isOfPeople && found.length > 0)
  },

  /** Lists people, or conversations. */
  turn(isOfPeople) {
    state.side.isOfPeople = isOfPeople
    $('chats').ariaPressed = !isOfPeople
    $('people').ariaPressed = isOfPeople
    side.arrange()
  },

  /** A conversation as it was told, with how many messages it had then. */
  told: (conversation) => ({
    ...conversation,
    told: conversation.messages,
    when: Date.parse(conversation.last) || -Infinity,
  }),

  /** Sorts by the newest messages, and shows the names that are looked for. */
  arrange() {
    state.side.all.sort((a, b) => b.when - a.when || a.id - b.id)
    const wanted = $('find').value.trim().toLowerCase(),
      first = state.side.all.length > 1 && hasEverything() ? [everything] : []
    Object.assign(everything, { last: state.side.all[0]?.last, lastPrecision: state.side.all[0]?.lastPrecision })
    everything.parts = state.side.all.filter(({ unread }) => unread)
    const direct = new Map()
    for (const each of everything.parts) {
      for (const name of each.people || []) direct.set(name, [...direct.get(name) || [], each])
    }
    for (const each of state.side.people) each.parts = direct.get(each.name) || []
    const count = state.side.all.reduce((sum, { messages }) => sum + messages, 0)
    everything.about = state.side.isWhole ? plural(count, 'message') : '…'
    state.side.shown = wanted
      ? [...first, ...state.side.all, ...state.side.people].filter((each) => each.name.toLowerCase().includes(wanted))
      : [...first, ...state.side.isOfPeople ? state.side.people : state.side.all]
    side.place(!wanted && !state.side.isOfPeople)
    side.draw()
    // The first messages of a store that had none are shown as they come.
    if (state.list.isBare && state.side.all[0]) {
      state.list.isBare = false
      go({ conversation: state.side.all[0], isKept: true })
    }
  },

  /** Says how high each of those that are shown lies, below the name of its group where there are several. */
  place(isGrouped) {
    const ages = isGrouped ? state.side.shown.map((each) => ageOf(each, Date.now())) : []
    const isParted = new Set(ages.filter(Boolean)).size > 1
    let top = 0
    state.side.groups = new Map()
    state.side.tops = state.side.shown.map((_, index) => {
      if (isParted && ages[index] && ages[index] !== ages[index - 1]) {
        state.side.groups.set(index, ages[index])
        top += GROUP
      }
      top += ITEM
      return top - ITEM
    })
    state.side.height = top
  },

  /** Takes in that a conversation is not there any more. */
  gone(id) {
    const { conversation } = state.list
    state.side.all = state.side.all.filter((each) => each.id !== id)
    side.arrange()
    if (baseOf(conversation)?.id !== id) return
    const next = state.side.all[0]
    list.close(
      `${titled(conversation.name)} was ${conversation.keys ? 'unlinked' : 'deleted'}.`,
      next ? way(`Open ${titled(next.name)}`, () => go({ conversation: next })) : '',
    )
  },

  /** Takes in what a conversation is now: renamed, or a part of another one. */
  become(held, fresh) {
    const known = state.side.all.find(({ id }) => id === fresh.id),
      open = baseOf(state.list.conversation)?.id,
      isRenamed = known && known.name !== fresh.name
    if (known) Object.assign(known, fresh)
    else state.side.all.push(fresh)
    if (isRenamed && open === fresh.id) list.renamed()
    if (!held || held.id === fresh.id) return
    state.side.all = state.side.all.filter(({ id }) => id !== held.id)
    if (open === held.id) attempt(() => list.moved(held, known || fresh))
  },

  draw() {
    const { scrollTop, clientHeight } = shelf,
      from = Math.max(0, lastIndex(state.side.tops, (top) => top < scrollTop) - 5),
      to = from + Math.ceil(clientHeight / ITEM) + 10
    $('room').style.height = `${state.side.height}px`
    const items = state.side.shown.slice(from, to).flatMap((each, index) => side.entry(each, from + index))
    settle($('room'), state.side.shown.length ? items : side.nothing())
    // A list box without options is none to those who hear the page.
    shelf.role = state.side.shown.length ? 'listbox' : 'group'
    if (state.platforms) platforms.draw()
    for (const [id, each] of [['conversations', baseOf(state.list.conversation)], ['find', state.side.chosen]]) {
      $(id).setAttribute('aria-activedescendant', each && $(`c${each.id}`) ? `c${each.id}` : '')
    }
  },

  /** What an empty list says: that nothing has the name that is looked for, and what looks through the messages. */
  nothing() {
    const wanted = $('find').value.trim()
    if (!wanted) return state.side.isWhole ? [notice('There are no conversations yet.')] : []
    return [notice(
      `There is no conversation “${line(wanted)}”.`,
      way('Search all messages for it', () => {
        $('find').value = ''
        covers.close(side.hide)
        side.arrange()
        field.value = wanted
        state.search.isWide = true
        seek('start')()
      }),
    )]
  },

  /** A conversation, below the name of its group where it is the first of one. */
  entry(conversation, index) {
    const item = side.item(conversation, index), name = state.side.groups.get(index)
    if (!name) return [item]
    const group = $(`group ${name}`) || make('div.group', { id: `group ${name}`, role: 'presentation' }, name)
    lay(group, state.side.tops[index] - GROUP)
    return [group, item]
  },

  item(conversation, index) {
    const { id, name, last, lastPrecision, lastSender, lastText, direct, about, keys } = conversation,
      isOpen = id === baseOf(state.list.conversation)?.id,
      unread = seen.unread(conversation)
    const parts = [
      name,
      last ? brief({ time: last, precision: lastPrecision }) : '',
      lastSender && !direct && !about ? titled(lastSender) : '',
      about || line(lastText) || '(no text)',
      unread,
    ]
    const look = parts.join('\n'),
      item = $(`c${id}`) || make(`div.conversation${keys ? '.whole' : ''}`, { role: 'option', id: `c${id}` })
    if (item.dataset.look !== look) {
      item.replaceChildren(
        disc(name),
        nameOf(name),
        make('time', null, parts[1]),
        make(
          'span.last',
          null,
          parts[2] ? make('span', null, make('bdi', null, parts[2]), ': ') : '',
          make('bdi', null, parts[3]),
        ),
        unread ? make('span.count', { role: 'img', 'aria-label': `${number(unread)} unread` }, number(unread)) : '',
      )
      item.dataset.look = look
    }
    item.classList.toggle('open', isOpen)
    item.classList.toggle('chosen', conversation === state.side.chosen)
    Object.assign(item, { ariaSelected: isOpen, ariaPosInSet: index + 1, ariaSetSize: state.side.shown.length })
    lay(item, state.side.tops[index])
    item.onclick = () => side.open(conversation)
    return item
  },

  /**
   * Opens one of those that are listed; where the list covered the messages, it takes the list's step in the browser's
   * history.
   */
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
      const held = state.side.all.find((each) => each.id === id) ||
        (baseOf(state.list.conversation)?.id === id ? baseOf(state.list.conversation) : null)
      const fresh = await state.source.ask('conversation', { conversationID: id, knownAs: held?.name, newest: true })
        .then(
          side.told,
          ({ kind }) => kind,
        )
      if (fresh === 'notFound') side.gone(id)
      else if (fresh?.id) side.become(held, fresh)
    }
    side.arrange()
    seen.draw()
  },

  /** The conversation with a name and, where that is known, an id; where it was renamed or merged, what it is now. */
  async find(name, id) {
    const held = state.side.all.find((each) => each.name === name && (!id || each.id === id))
    if (held) return held
    const found = side.told(
      await state.source.ask('conversation', id ? { conversationID: id, knownAs: name } : { conversation: name }),
    )
    return state.side.all.find((each) => each.id === found.id) || found
  },

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step || !state.side.shown.length) return
    event.preventDefault()
    event.stopPropagation()
    const index = clamp(
      state.side.shown.findIndex((each) => each.id === baseOf(state.list.conversation)?.id) + step,
      0,
      state.side.shown.length - 1,
    )
    go({ conversation: state.side.shown[index] })
    shelf.scrollTop = state.side.tops[index] - shelf.clientHeight / 2
  },

  /** Arrows choose among what was found by name, Enter opens it. */
  findKey(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[event.key], { shown } = state.side
    if (step === undefined || !shown.length) return
    event.preventDefault()
    const index = clamp(shown.indexOf(state.side.chosen) + step, 0, shown.length - 1)
    state.side.chosen = shown[index]
    shelf.scrollTop = state.side.tops[index] - shelf.clientHeight / 2
    if (!step) {
      state.side.chosen = null
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
