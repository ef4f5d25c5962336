// @ts-check
// What came of messages, a thread beside them (page.js loads this after its messages), and those with most replies.
'use strict'

/** Whether anything was answered in what is open: where nothing was, no message is asked about. */
function hasThreads({ id, keys }) {
  if (state.threads.scope !== id) {
    state.threads.scope = id
    state.threads.any = state.source.ask('threads', { conversationID: keys ? undefined : id, limit: 1 })
      .then(({ threads: found, next }) => found.length > 0 || Boolean(next), (error) => {
        state.threads.scope = null
        throw error
      })
  }
  return state.threads.any
}

/** Asks for the threads that messages began, or belong to. */
async function countReplies(messages) {
  if (!state.list.conversation || !await hasThreads(baseOf(state.list.conversation)) || !state.list.conversation) return
  const { conversation } = state.list,
    roots = messages.flatMap(({ id, thread, kind }) => thread ? [thread] : SAID.includes(kind) ? [id] : [])
  const wanted = [...new Set(roots)].filter((id) => !state.threads.asked.has(id)), ids = wanted.slice(0, 100)
  if (!ids.length) return
  if (state.threads.asked.size > 5000) {
    state.threads.asked.clear()
    state.threads.known.clear()
  }
  ids.forEach((id) => state.threads.asked.add(id))
  const { threads: found } = await state.source.ask('threads', { begunBy: ids.join(',') }).catch((error) => {
    ids.forEach((id) => state.threads.asked.delete(id))
    throw error
  })
  for (const each of found) state.threads.known.set(each.id, each)
  if (wanted.length > ids.length) setTimeout(threads.ask)
  if (!found.length || conversation !== state.list.conversation) return
  const isNew = (id) => found.some((each) => each.id === id)
  list.change(() => {
    list.decorate()
    state.list.rows.forEach(({ message, element }) => {
      element.querySelector('.fold')?.replaceWith(threads.stub(message, element.dataset.look.endsWith('again')))
      if (!isNew(message.id)) return
      element.querySelector('.replies')?.remove()
      element.querySelector('.body').append(repliesTo(message))
    })
  })
}

/** Shows a thread. */
function openThread(id) {
  const found = make('div.thread'), scope = baseOf(state.list.conversation)
  const status = make('p.quiet', { role: 'status' }, 'Reading …')
  let before = null
  const row = (message) => {
    const item = make(
      'article.answer',
      { 'aria-label': briefest(message) },
      disc(message.sender),
      make(
        'div',
        null,
        make('header', null, named(message.sender), ' ', make('time', { dateTime: message.time }, briefly(message))),
        originOf(message),
        fill(make('span.text'), cut(message.text || '', 1 << 16), [], message.marks),
        ...attachmentsOf(message),
        reactions(message),
        press('context', 'Show in the conversation', () => {
          mode.add('peeking')
          goTo(message)
        }),
      ),
    )
    // What one says in a row has one head.
    const isMore = before && before.id !== id && before.sender === message.sender &&
      dateOf(message) - dateOf(before) < 420_000
    if (isMore) item.classList.add('again')
    before = message
    return message.id === id ? [item, status] : [item]
  }
  const load = (at) =>
    attempt(async () => {
      const read = page(scope, { filter: { thread: id }, at, limit: PAGE }, wish('panel'))
      // A site of very many messages looks through none of them for a thread.
      const { messages, hasNewer, total } = await (isSite ? read.catch(() => threadOfSite(id)) : read)
      if (at === 'oldest') {
        found.replaceChildren()
        before = null
      }
      found.append(...messages.flatMap(row))
      const answers = (total ?? messages.length) - (status.isConnected ? 1 : 0)
      if (!status.isConnected) found.prepend(status)
      status.textContent = total === undefined
        ? 'Only the replies on this page'
        : `${number(answers)} ${answers === 1 ? 'reply' : 'replies'}`
      if (hasNewer) {
        found.append(press('more', 'Show more', ({ target }) => {
          target.remove()
          load(`after:${messages.at(-1).id}`)
        }))
      }
    })
  openPanel('Thread', found)
  state.panel.again = () => load('oldest')
  return load('oldest')
}

const threadOfSite = (id) => ({
  messages: state.list.rows.map((row) => row.message).filter((each) => each.id === id || each.thread === id),
  hasNewer: false,
})

const MOST_READS = 5 // of lists of threads

/** The threads with the most replies, of the newest where there are very many; one is shown by a click. */
async function mostReplied(scope, box) {
  // Threads are listed by conversation, or of all.
  if (isSite || scope.query || scope.keys?.person) return ''
  const all = []
  let before
  for (let reads = 0; reads < MOST_READS && before !== null && box.isConnected; reads++) {
    const keys = { ...keysOf(scope), before, limit: 1000 }
    const { threads, next } = await state.source.ask('threads', keys, wish('panel'))
    all.push(...threads)
    before = next ?? null
  }
  const most = all.sort((a, b) => b.answers - a.answers).slice(0, MOST_GROUPS)
  if (!most.length) return ''
  const found = chart(
    'Most replied',
    most.map(({ id, sender, text, answers }) => ({
      label: [line(sender), line(text)].filter(Boolean).join(': ') || '(not here)',
      count: answers,
      said: `${number(answers)} ${answers === 1 ? 'reply' : 'replies'}`,
      choose: narrow(scope, `thread:${id}`),
    })),
    false,
    'replies',
  )
  found.querySelector('.bars').classList.add('long')
  if (before !== null) found.append(make('p.quiet', null, `of the newest ${number(all.length)} threads`))
  return found
}
