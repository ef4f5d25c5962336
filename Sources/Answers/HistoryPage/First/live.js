// @ts-check
// Changes of the store.

/**
 * What happens in the store, as a stream says it: one page of those that are open listens for all, as a browser has few
 * connections.
 */
const live = {
  version: null,
  store: null,
  page: null,
  conversations: new Set(),
  edited: [],
  deleted: [],

  begin() {
    live.channel = new BroadcastChannel(location.pathname)
    live.channel.onmessage = ({ data: [kind, value] }) => document.hidden ? null : live.heard[kind](value)
    document.addEventListener('visibilitychange', live.turn)
    live.turn()
  },

  heard: {
    who() {
      if (live.stream && live.known) live.channel.postMessage(['hello', live.known])
    },
    hello: (value) => live.greet(value, true),
    changes: (value) => live.take(value),
    lost: (text) => live.miss(text),
  },

  /** Listens, or waits until the page that listens ends; a hidden page does neither. */
  turn() {
    live.leave?.()
    live.close()
    if (document.hidden) return
    const wish = new AbortController(),
      left = new Promise((done) =>
        live.leave = () => {
          done()
          wish.abort()
        }
      )
    navigator.locks.request(`changes ${location.pathname}`, { signal: wish.signal }, () => {
      live.connect()
      return left
    }).catch(() => {})
    live.channel.postMessage(['who'])
  },

  connect() {
    live.close()
    const stream = live.stream = new EventSource(
      `api/changes${live.version ? `?since=${encodeURIComponent(live.version)}` : ''}`,
    )
    const hear = (kind, work) =>
      stream.addEventListener(kind, ({ data }) => {
        const value = JSON.parse(data)
        live.known = { ...live.known, ...value }
        work(value)
        live.channel.postMessage([kind, value])
      })
    hear('hello', (value) => live.greet(value))
    hear('changes', live.take)
    stream.onerror = live.lost
  },

  close() {
    clearTimeout(live.retry)
    live.stream?.close()
    live.stream = null
  },

  async lost() {
    if (document.hidden) return live.close()
    if (live.stream) {
      live.stream.close()
      clearTimeout(live.retry)
      live.retry = setTimeout(live.connect, 1000)
    }
    const status = await fetch('api/filters?limit=0', { cache: 'no-store' }).then((answer) => answer.status, () => 0)
    if (status === 200) return
    live.miss(
      status
        ? 'The server was restarted: open the address that it printed.'
        : 'The server does not answer. This page continues when it is back.',
    )
    if (live.stream) live.channel.postMessage(['lost', $('trouble').textContent])
  },

  miss(text) {
    live.isLost = true
    trouble(text)
  },

  /** Whether an answer is of another store than this page, or of another program: then it is loaded again. */
  isOther(store, page = live.page) {
    live.store ?? (store && seen.open(store))
    live.store ??= store
    live.page ??= page
    const isOtherStore = store && store !== live.store
    if (!isOtherStore && page === live.page) return false
    if (isOtherStore) history.replaceState(null, '', location.pathname)
    else remember()
    location.reload()
    return true
  },

  greet({ version, store, page }, isTold) {
    if (live.isOther(store, page)) return
    const isBehind = isTold && live.version && live.version !== version, isFirst = !live.version
    if (isTold) live.version = version
    live.version ??= version
    // What came between the first answers and the first greeting is in neither.
    if (isFirst) list.isBare ? side.load() : live.read()
    if (!live.isLost && !isBehind) return
    if (live.isLost) trouble('The server is back.', 3000)
    live.isLost = false
    if (list.conversation) {
      side.load()
      live.read()
      panelState.again?.()
    } else begin()
  },

  take({ version, everything, conversations, edited, deleted }) {
    live.version = version
    const changed = new Set([...edited, ...deleted])
    changed.forEach((id) => quotes.known.delete(id))
    // What quotes a message is made anew with it.
    for (const row of list.rows) if (changed.has(row.message.replyTo)) row.look = ''
    if (panelState.again && (everything || edited.length || deleted.length)) live.tellPanel(edited, deleted)
    if (everything) side.load()
    else conversations.forEach((id) => live.conversations.add(id))
    live.timer ??= setTimeout(() => {
      live.timer = null
      side.refresh([...live.conversations])
      live.conversations.clear()
    }, 300)
    if (everything || list.conversation?.keys || conversations.includes(baseOf(list.conversation)?.id)) live.read()
  },

  /** Updates the list in the panel, once for changes that come close together. */
  tellPanel(edited, deleted) {
    live.edited.push(...edited)
    live.deleted.push(...deleted)
    live.panelTimer ??= setTimeout(() => {
      live.panelTimer = null
      const news = { edited: live.edited.splice(0), deleted: live.deleted.splice(0) }
      attempt(async () => panelState.again?.(news))
    }, 300)
  },

  /** Reads again what is held and what has come behind it. */
  async read() {
    if (live.isReading || !list.conversation) return void (live.isBehind = live.isReading)
    live.isReading = true
    const { conversation } = list
    await attempt(() =>
      live.again(conversation).catch((error) => {
        if (error.kind !== 'notFound') throw error
        const { id, keys } = baseOf(conversation)
        return keys ? side.gone(id) : side.refresh([id])
      })
    )
    live.isReading = false
    if (live.isBehind) {
      live.isBehind = false
      live.read()
    }
  },

  async again(conversation) {
    const { generation, atEnd } = list, first = list.rows[0]?.message, last = list.rows.at(-1)?.message
    const limit = Math.min(1000, list.rows.length + (list.hasNewer ? 0 : PAGE))
    threads.asked.clear()
    threads.scope = null
    const found = await page(
      conversation,
      first ? { at: `after:${first.key - 1n}`, limit } : { at: 'newest', limit: JUMP },
      wish('list'),
    )
    if (generation !== list.generation || first !== list.rows[0]?.message) return void (live.isBehind = true)
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
