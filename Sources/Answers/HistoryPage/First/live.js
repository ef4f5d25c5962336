// @ts-check
// Changes of the store.

/**
 * What happens in the store, as a stream says it: one page of those that are open listens for all, as a browser has few
 * connections.
 */
const live = {
  begin() {
    state.live.channel = new BroadcastChannel(location.pathname)
    state.live.channel.onmessage = ({ data: [kind, value] }) => document.hidden ? null : live.heard[kind](value)
    document.addEventListener('visibilitychange', live.turn)
    live.turn()
  },

  heard: {
    who() {
      if (state.live.stream && state.live.known) state.live.channel.postMessage(['hello', state.live.known])
    },
    hello: (value) => live.greet(value, true),
    changes: (value) => live.take(value),
    lost: (text) => live.miss(text),
  },

  /** Listens, or waits until the page that listens ends; a hidden page does neither. */
  turn() {
    state.live.leave?.()
    live.close()
    if (document.hidden) return
    const wish = new AbortController(),
      left = new Promise((done) =>
        state.live.leave = () => {
          done()
          wish.abort()
        }
      )
    navigator.locks.request(`changes ${location.pathname}`, { signal: wish.signal }, () => {
      live.connect()
      return left
    }).catch(() => {})
    state.live.channel.postMessage(['who'])
  },

  connect() {
    live.close()
    const stream = state.live.stream = new EventSource(
      `api/changes${state.live.version ? `?since=${encodeURIComponent(state.live.version)}` : ''}`,
    )
    const hear = (kind, work) =>
      stream.addEventListener(kind, ({ data }) => {
        const value = JSON.parse(data)
        state.live.known = { ...state.live.known, ...value }
        work(value)
        state.live.channel.postMessage([kind, value])
      })
    hear('hello', (value) => live.greet(value))
    hear('changes', live.take)
    stream.onerror = live.lost
  },

  close() {
    clearTimeout(state.live.retry)
    state.live.stream?.close()
    state.live.stream = null
  },

  async lost() {
    if (document.hidden) return live.close()
    if (state.live.stream) {
      state.live.stream.close()
      clearTimeout(state.live.retry)
      state.live.retry = setTimeout(live.connect, 1000)
    }
    const status = await fetch('api/filters?limit=0', { cache: 'no-store' }).then((answer) => answer.status, () => 0)
    if (status === 200) return
    live.miss(
      status
        ? 'The server was restarted: open the address that it printed.'
        : 'The server does not answer. This page continues when it is back.',
    )
    if (state.live.stream) state.live.channel.postMessage(['lost', $('trouble').textContent])
  },

  miss(text) {
    state.live.isLost = true
    trouble(text)
  },

  /** Whether an answer is of another store than this page, or of another program: then it is loaded again. */
  isOther(store, page = state.live.page) {
    state.live.store ?? (store && seen.open(store))
    state.live.store ??= store
    state.live.page ??= page
    const isOtherStore = store && store !== state.live.store
    if (!isOtherStore && page === state.live.page) return false
    if (isOtherStore) history.replaceState(null, '', location.pathname)
    else remember()
    location.reload()
    return true
  },

  greet({ version, store, page }, isTold) {
    if (live.isOther(store, page)) return
    const isBehind = isTold && state.live.version && state.live.version !== version, isFirst = !state.live.version
    if (isTold) state.live.version = version
    state.live.version ??= version
    // What came between the first answers and the first greeting is in neither.
    if (isFirst) state.list.isBare ? side.load() : live.read()
    if (!state.live.isLost && !isBehind) return
    if (state.live.isLost) trouble('The server is back.', 3000)
    state.live.isLost = false
    if (state.list.conversation) {
      side.load()
      live.read()
      state.panel.again?.()
    } else begin()
  },

  take({ version, everything, conversations, edited, deleted }) {
    state.live.version = version
    const changed = new Set([...edited, ...deleted])
    changed.forEach((id) => state.quotes.known.delete(id))
    // What quotes a message is made anew with it.
    for (const row of state.list.rows) if (changed.has(row.message.replyTo)) row.look = ''
    if (state.panel.again && (everything || edited.length || deleted.length)) live.tellPanel(edited, deleted)
    if (everything) side.load()
    else conversations.forEach((id) => state.live.conversations.add(id))
    state.live.timer ??= setTimeout(() => {
      state.live.timer = null
      side.refresh([...state.live.conversations])
      state.live.conversations.clear()
    }, 300)
    if (everything || state.list.conversation?.keys || conversations.includes(baseOf(state.list.conversation)?.id)) {
      live.read()
    }
  },

  /** Updates the list in the panel, once for changes that come close together. */
  tellPanel(edited, deleted) {
    state.live.edited.push(...edited)
    state.live.deleted.push(...deleted)
    state.live.panelTimer ??= setTimeout(() => {
      state.live.panelTimer = null
      const news = { edited: state.live.edited.splice(0), deleted: state.live.deleted.splice(0) }
      attempt(async () => state.panel.again?.(news))
    }, 300)
  },

  /** Reads again what is held and what has come behind it. */
  async read() {
    if (state.live.isReading || !state.list.conversation) return void (state.live.isBehind = state.live.isReading)
    state.live.isReading = true
    const { conversation } = state.list
    await attempt(() =>
      live.again(conversation).catch((error) => {
        if (error.kind !== 'notFound') throw error
        const { id, keys } = baseOf(conversation)
        return keys ? side.gone(id) : side.refresh([id])
      })
    )
    state.live.isReading = false
    if (state.live.isBehind) {
      state.live.isBehind = false
      live.read()
    }
  },

  async again(conversation) {
    const { generation, atEnd } = state.list,
      first = state.list.rows[0]?.message,
      last = state.list.rows.at(-1)?.message
    const limit = Math.min(1000, state.list.rows.length + (state.list.hasNewer ? 0 : PAGE))
    state.threads.asked.clear()
    state.threads.scope = null
    const found = await page(
      conversation,
      first ? { at: `after:${first.key - 1n}`, limit } : { at: 'newest', limit: JUMP },
      wish('list'),
    )
    if (generation !== state.list.generation || first !== state.list.rows[0]?.message) {
      return void (state.live.isBehind = true)
    }
    if (!found.messages.length || (atEnd && found.hasNewer)) return list.open(conversation, 'newest', list.toEnd)
    list.change(() => {
      list.become(found)
      list.trim(false)
    })
    const news = found.messages.filter(({ id }) => last && keyOf(id) > last.key)
    if (news.length) say(news.length > 1 ? `${news.length} new messages` : `${line(news[0].sender)}: ${plain(news[0])}`)
    list.ensure()
  },
}
