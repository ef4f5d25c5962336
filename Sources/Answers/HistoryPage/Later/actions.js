// @ts-check
// What can be done with a message, on the message: for a pointer over it, a tap, or the one that keys have chosen.
'use strict'

const UNREAD = 'M2.5 4h11v8h-11zM2.5 4.5L8 9l5.5-4.5'
const STAR = 'M8 2l1.8 3.8 4.2.5-3.1 2.9.8 4.1L8 11.3l-3.7 2 .8-4.1L2 6.3l4.2-.5z'

function icon(path, isFull) {
  const found = drawing(path)
  if (isFull) found.firstElementChild.setAttribute('fill', 'currentColor')
  return found
}

state.actions = { row: null }
state.range = { from: null }

const actions = {
  box: make('div.actions', { role: 'toolbar', 'aria-label': 'Actions on this message' }),

  /** Does what a key stands for, with the message that is chosen. */
  key(name) {
    const row = state.list.selected
    if (!row) return
    const { message } = row
    if (name === 'text') copyText(message)
    else if (name === 'link') copyLink(message)
    else if (name === 'range') range.begin(row)
    else if (name === 'place') go({ id: message.id, conversation: null })
    else if (name === 'unread') canMark() && markUnread(row)
    else if (state.server.stars) star(message)
  },

  /** Shows them on the row that was chosen, and lets a range that was begun go on to it. */
  follow(row) {
    actions.show(row)
    if (state.range.from) range.draw()
  },

  /** Ends a range, if one was begun. */
  end() {
    const wasBegun = state.range.from !== null
    if (wasBegun) range.end()
    return wasBegun
  },

  /** Shows them on a row. */
  show(row) {
    if (state.actions.row === row && actions.box.isConnected) return
    const { message } = row, { id } = message, began = message.thread || (state.threads.known.has(id) ? id : null)
    const isStarred = Boolean(message.starred)
    const action = (name, key, sign, work) =>
      make(
        'button',
        { type: 'button', title: key ? `${name} (${key})` : name, 'aria-label': name, onclick: work },
        icon(sign, isStarred && sign === STAR),
      )
    state.actions.row = row
    actions.box.replaceChildren(
      action('Copy text', 'y', 'M6 5.5h7.5v8H6zM3.5 10.5h-1v-8H10v1', () => copyText(message)),
      action(
        'Copy link',
        'l',
        'M6.5 9.5l3-3M7 4.5l1.5-1.5a2.8 2.8 0 0 1 4 4L11 8.5M9 11.5l-1.5 1.5a2.8 2.8 0 0 1-4-4L5 7.5',
        () => copyLink(message),
      ),
      ...state.server.stars ? [action(isStarred ? 'Take the star away' : 'Star', '*', STAR, () => star(message))] : [],
      ...began ? [action('Open thread', 't', 'M3 3v4.5a2 2 0 0 0 2 2h8M10 6.5l3 3-3 3', thread(began))] : [],
      ...isPart(state.list.conversation)
        ? [action('Show in conversation', 'i', 'M6 4h6v6M12 4l-8 8', () => go({ id, conversation: null }))]
        : [],
      ...canMark() ? [action('Mark as unread from here', 'u', UNREAD, () => markUnread(row))] : [],
      action('Select from here', 'v', 'M8 2v12M5 4.5L8 2l3 2.5M5 11.5L8 14l3-2.5', () => range.begin(row)),
    )
    row.element.append(actions.box)
  },
}

/** A range of messages that is being selected: from where it began to the message that was chosen last. */
const range = {
  begin(row) {
    state.range.from = row.message.id
    choose(row)
    range.draw()
    trouble('Choose the last message: j and k, or a click. Then y copies, p prints, Esc ends.', 8000)
  },

  draw() {
    const from = list.row(state.range.from), to = state.list.selected
    if (!from || !to) return range.end()
    const [first, last] = from.message.key <= to.message.key ? [from, to] : [to, from]
    getSelection().setBaseAndExtent(first.element, 0, last.element, last.element.childNodes.length)
  },

  end() {
    state.range.from = null
    getSelection().removeAllRanges()
  },
}

const copyLink = ({ id }) => copied(new URL(`#${hashOf(id)}`, location.href).href)

/** Copies the text of a message, or who wrote what and when of all that are selected. */
async function copyText(message) {
  const rows = selectedRows()
  if (rows.length < 2) return copied(wholeText(message))
  const texts = await attempt(() => Promise.all(rows.map((row) => wholeText(row.message))))
  if (!texts) return
  const heads = rows.map((row) => briefest(row.message))
  await copied(texts.map((text, index) => `${heads[index]}\n${text}\n`).join('\n'))
}

/** Whether read marks can be moved: the server takes them, and all of a conversation is open. */
const canMark = () => state.server.marks && !isPart(state.list.conversation)

/** Has a message and all that follow it count as unread, in the store and here. */
async function markUnread(row) {
  const { conversation, first, rows } = state.list, { id } = conversation, before = first + rows.indexOf(row) - 1
  const query = new URLSearchParams({ conversationID: id, unreadFrom: row.message.id, store: state.live.store })
  const { ok } = await fetch(`api/read?${query}`, { method: 'POST' }).catch(() => ({ ok: false }))
  if (!ok) return trouble('It could not be marked as unread.', 5000)
  state.seen.kept = id
  state.seen.runs[id] = (state.seen.runs[id] || []).filter(([from]) => from <= before)
    .map(([from, to]) => [from, Math.min(to, before)])
  delete conversation.marked
  await side.refresh([id])
  if (conversation === state.list.conversation) list.change(list.decorate)
  trouble('Unread from here.', 2000)
}

/** Gives a message its star, or takes it away; the list follows as it does when another program changes it. */
async function star({ id, starred }) {
  const query = new URLSearchParams({ message: id, starred: String(!starred), store: state.live.store })
  const { ok } = await fetch(`api/star?${query}`, { method: 'POST' }).catch(() => ({ ok: false }))
  if (!ok) trouble('The star could not be written.', 5000)
}
