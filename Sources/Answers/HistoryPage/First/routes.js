// @ts-check
// Where to go, and back.

/** Writes down where the reader is, so that going back finds it. */
function remember() {
  const { conversation, atEnd } = state.list, { id, top } = list.placeNow
  if (conversation) {
    history.replaceState({ ...history.state, in: addressOf(conversation), id: atEnd ? null : id, top }, '')
  }
}

/** Makes a step in the browser's history, or takes that of what was just closed. */
function visited(id, isTaken) {
  history[isTaken ? 'replaceState' : 'pushState']({ depth: state.covers.open.length }, '', `#${hashOf(id)}`)
  remember()
}

/** Writes the present name of the open conversation into the address. */
function readdress() {
  const [, id] = /^#(?:c\d+:|in:).*?(?:@(-?\d+))?$/.exec(location.hash) || []
  if (/^#(c\d+:|in:)/.test(location.hash)) {
    history.replaceState(history.state, '', `#${hashOf(isPart(state.list.conversation) && id)}`)
  }
  remember()
}

const toMessages = () => room.focus({ preventScroll: true })

/** Goes to a message (`id`), a place (`at`) or the newest end; `isKept`: the browser's history has this step. */
/** @param {{conversation?: any, id?: string, at?: string, top?: number, isKept?: boolean, isHere?: boolean}} place */
async function go({ conversation = state.list.conversation, id, at, top, isKept, isHere }) {
  await state.covers.leaving
  const isTaken = !isKept && covers.take()
  if (!isKept && !isTaken) remember()
  const isThere = await attempt(() =>
    id ? goToMessage(id, conversation, top, isHere) : list.open(
      conversation,
      at || 'newest',
      at ? () => room.scrollTop = state.list.hasOlder ? state.list.rows[0].element.offsetTop : 0 : list.toEnd,
      at ? 0 : undefined,
    )
  )
  if (isThere && !isKept) visited(id, isTaken)
  else if (isTaken) covers.leave()
  return isThere
}

async function goToMessage(id, conversation, top, isHere) {
  const put = (row) => {
    threads.reveal(row)
    const mark = row.element.querySelector('mark')
    if (top === undefined && mark && row.element.offsetHeight > room.clientHeight / 2) {
      room.scrollTop += topOf(mark) - room.scrollTop - room.clientHeight * 0.4
    } else if (top === undefined) list.scrollTo(row, 0.4)
    else room.scrollTop = topOf(row.element) - top
  }
  let row = conversation === state.list.conversation && list.row(id)
  if (row) {
    put(row)
    list.scrolled()
  } else {
    const generation = ++state.list.generation // who goes elsewhere meanwhile gets there
    if (!conversation || (top === undefined && !isHere && baseOf(conversation) !== everything)) {
      conversation = await side.find((await state.source.ask('message', { id })).conversation)
    }
    if (generation !== state.list.generation) return null
    await list.open(conversation, `around:${id}`, () => {
      row = list.row(id) || state.list.rows.find((each) => each.message.key >= keyOf(id)) || state.list.rows.at(-1)
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
  if (address.startsWith('with:')) {
    return state.side.people.find((each) => each.name === name) || withPerson({ name, messages: 0 })
  }
  const found = await side.find(name, Number(id))
  if (found.name !== name) {
    trouble(
      id && found.id !== Number(id)
        ? `${titled(name)} is part of ${titled(found.name)} now.`
        : `${titled(name)} is called ${titled(found.name)} now.`,
      8000,
    )
  }
  return found
}

async function follow(step) {
  const hash = location.hash.slice(1),
    [, scope, id] = /^((?:everything|c\d+:|in:|with:).*?)(?:@(-?\d{1,18}))?$/.exec(hash) || []
  if (!step && /^m?-?\d{1,18}$/.test(hash)) return go({ id: hash.replace('m', ''), isKept: true })
  const address = step?.in ?? scope
  if (!address) return
  // A reader who has gone on meanwhile is at another address.
  if (
    await go({
      conversation: await scopeAt(address),
      id: step ? step.id : id,
      top: step?.id ? step.top : undefined,
      isHere: true,
      isKept: true,
    })
  ) readdress()
}

function choose(row, isFound) {
  state.list.selected?.element.classList.remove('selected', 'found')
  state.list.selected = row
  row.element.classList.add('selected')
  if (isFound) row.element.classList.add('found')
  if (isFound !== false) acting('follow', row)()
  if (isFound !== false) row.element.focus({ preventScroll: true })
}

/** Chooses the next message in a direction. */
function step(direction) {
  if (!state.list.rows.length) return
  const { clientHeight, scrollTop } = room, held = state.list.rows.indexOf(state.list.selected)
  const start = held >= 0 ? held : direction > 0 ? list.indexAt(0) - 1 : list.indexAt(clientHeight - 1) + 1
  let next = start + direction
  while (state.list.rows[next]?.element.matches('.folded')) next += direction
  const row = state.list.rows[clamp(next, 0, state.list.rows.length - 1)], { offsetTop, offsetHeight } = row.element
  if (offsetTop < scrollTop + 8 || offsetTop + offsetHeight > scrollTop + clientHeight - 8) {
    list.scrollTo(row, direction > 0 ? 0.6 : 0.4)
  }
  choose(row)
}

/** The messages in which a text is selected, or the chosen one. */
function selectedRows() {
  const selection = getSelection()
  const held = selection.isCollapsed
    ? []
    : state.list.rows.filter(({ element }) => selection.containsNode(element, true))
  return held.length ? held : state.list.selected ? [state.list.selected] : []
}

/** The whole text of a message, whose marks are those of all of it from then on. */
async function wholeText(message) {
  if (!message.textBytes) return message.text || ''
  const { text, marks } = await state.source.ask('message', { id: message.id })
  message.marks = marks
  return text
}
