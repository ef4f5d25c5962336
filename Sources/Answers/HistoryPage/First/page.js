// @ts-check
// Keys, and the start.

const turn = (part) => room.scrollBy(0, part * room.clientHeight)
const keys = {
  j: () => step(1),
  k: () => step(-1),
  g: goOldest,
  G: goNewest,
  Home: goOldest,
  End: goNewest,
  n: seek('step', 1),
  N: seek('step', -1),
  '/': () => field.select(),
  F: filter('turn'),
  d: beside('days'),
  s: beside('figures'),
  f: beside('shared', 'links'),
  '?': beside('help'),
  p: paper(),
  c: () => {
    if (!mode.contains('choosing')) side.toggle()
    shelf.focus()
  },
  y: acting('key', 'text'),
  l: acting('key', 'link'),
  i: acting('key', 'place'),
  v: acting('key', 'range'),
  u: acting('key', 'unread'),
  '*': acting('key', 'star'),
  o: () => state.list.selected?.message.replyTo && go({ id: state.list.selected.message.replyTo }),
  t: () =>
    state.list.selected &&
    (state.list.selected.message.thread || state.threads.known.has(state.list.selected.message.id)) &&
    thread(state.list.selected.message.thread || state.list.selected.message.id)(),
  Escape: leave,
  ArrowDown: () => turn(0.1),
  ArrowUp: () => turn(-0.1),
  PageDown: () => turn(0.9),
  PageUp: () => turn(-0.9),
  ' ': (event) => turn(event.shiftKey ? -0.9 : 0.9),
}

/** Ends what was opened or begun last: a range, the filter bar, the panel. */
function leave() {
  if (state.loaded['actions.js'] && actions.end()) return
  if (mode.contains('filtering') && !mode.contains('paneled') && !state.list.conversation?.query) return filters.hide()
  closePanel()
}

function pressed(event) {
  const { key, target } = event
  if (document.querySelector('dialog:modal')) return
  if ((event.ctrlKey || event.metaKey) && key === 'k') {
    event.preventDefault()
    return palette()
  }
  if (event.ctrlKey || event.metaKey || event.altKey || !keys[key] || target.matches('video, audio')) return
  if (target.matches('input') ? key !== 'Escape' : key === ' ' && target.matches('button, a, summary')) return
  event.preventDefault()
  keys[key](event)
}

function listen() {
  const on = (id, events, work, options) => {
    for (const event of events.split(' ')) $(id).addEventListener(event, work, options)
  }
  on('list', 'scroll', list.scrolled)
  on('rows', 'click', (event) => {
    const { target } = event, { row } = target.closest('.message') || {}
    if (target.closest('a.time')) {
      event.preventDefault()
      go({ id: row.message.id })
    } else if (target.closest('a.where')) {
      event.preventDefault()
      go({ id: row.message.id, conversation: null })
    } else if (row && !target.closest('button, a, summary, video, audio') && getSelection().isCollapsed) choose(row)
  })
  on('rows', 'pointerover', ({ target, pointerType }) => {
    const { row } = target.closest('.message') || {}
    if (row && pointerType === 'mouse') acting('show', row)()
  })
  on('scrollbar', 'pointerdown', bar.press)
  on('scrollbar', 'pointermove', bar.drag)
  on('scrollbar', 'pointerup pointercancel', bar.release)
  on('scrollbar', 'keydown', bar.key)
  on('scrollbar', 'wheel', (event) => room.scrollBy(0, event.deltaY), { passive: true })
  on('conversations', 'scroll', side.draw)
  on('conversations', 'keydown', side.key)
  on('find', 'input', () => {
    state.side.chosen = null
    side.arrange()
  })
  on('find', 'keydown', side.findKey)
  on('search', 'submit', (event) => {
    event.preventDefault()
    seek('start')()
  })
  on('filter', 'click', filter('turn'))
  on('days', 'click', beside('days'))
  on('print', 'click', paper())
  on('chats', 'click', () => side.turn(false))
  on('people', 'click', () => side.turn(true))
  on('help', 'click', beside('help'))
  on('below', 'click', () => goNewest().then(toMessages))
  on('unread', 'click', () => go({ at: 'unread' }).then(toMessages))
  on('menu', 'click', side.toggle)
  on('panel-close', 'click', closePanel)
  document.addEventListener('keydown', pressed)
  addEventListener('popstate', stepBack)
  addEventListener('beforeprint', beforePrint)
  addEventListener('afterprint', afterPrint)
  addEventListener('storage', seen.load)
  document.addEventListener('visibilitychange', () => {
    if (state.seen.marking) beside('mark')()
    if (state.list.rows.length) drawPlace()
  })
  const observer = new ResizeObserver(() => {
    if (state.list.rows.length) list.scrolled()
  })
  observer.observe($('rows'))
  observer.observe(room)
  new ResizeObserver(side.draw).observe(shelf)
}

/**
 * Lists the conversations written to of late before all are known, and opens the newest unless an address names
 * another.
 */
async function beginWithNewest(isAnywhere) {
  // The server's document asks for it ahead of this script, in these words.
  const { conversations } = await state.source.ask('conversations', {
    order: 'newest',
    limit: MOST_FIRST,
    unread: true,
    newest: true,
  })
  const all = conversations.map(side.told)
  if (isAnywhere && all[0]) {
    await go({ conversation: all[0], isKept: true })
    // The messages are painted before the list is laid out.
    await new Promise((done) => setTimeout(done, 20))
  }
  state.side.all = all
  side.adopt()
  side.arrange()
}

async function begin() {
  const isAnywhere = !history.state && !location.hash
  if (isSite) {
    // Its conversations are known before anything else.
    await side.load()
    if (!isAnywhere) await attempt(() => follow(history.state))
  } else {
    await Promise.all([attempt(() => beginWithNewest(isAnywhere)), isAnywhere || attempt(() => follow(history.state))])
    await side.load()
    side.adopt()
    seen.draw()
    lazily('platforms.js', side.draw)
  }
  if (!state.list.conversation && state.side.all[0]) await go({ conversation: state.side.all[0], isKept: true })
  if (!state.list.conversation && state.side.isWhole && !state.side.all.length) bare()
}

/** What a store without messages says. */
function bare() {
  if (isSite) return list.close('This site has no messages.')
  list.close('There are no messages here yet.')
  state.list.isBare = true
  lazily('welcome.js', () => welcome($('rows')))
}

history.scrollRestoration = 'manual'
listen()
// What is printed has its style there: it is loaded when the messages are.
setTimeout(() => attempt(() => load('more.css')), 500)
if (isSite) document.head.append(make('script', { src: 'site.js' }))
else {
  begin()
  live.begin()
}
