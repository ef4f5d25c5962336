// @ts-check
// Looks for words (page.js loads this when somebody does): the hits beside the messages, how many there are, and the
// way from one to the next.
'use strict'

const SITE_LANGUAGE = [
  'A site finds words, "words in a row", tea*, -without, OR and (these), with from: in: since: until: on: has: kind:',
  'and thread:. These need the program (scrollback serve): person: regex: is: file: forwarded: filter: project:',
  'branch: model: tool: and -(several words).',
].join(' ')

/** Where the marks of a snippet, which has a text on one line, lie in the whole text. */
function placesIn(whole, { text, matches = [] }) {
  const pattern = (part) =>
    RegExp(part.trim().split(/\s+/).map((word) => word.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('\\s+'), 'g')
  let at = Math.max(0, whole.search(pattern(text.replace(/^…|…$/g, ''))))
  return matches.flatMap(({ start, end }) => {
    const search = pattern(text.slice(start, end))
    search.lastIndex = at
    const found = search.exec(whole)
    return found ? [{ start: found.index, end: at = found.index + found[0].length }] : []
  })
}

/** What was looked for in place of words that no message has. */
function respelt({ respelt = [] }) {
  const told = ({ word, forms: [form] }) => `; no message has “${word}”, so “${form}” was looked for`
  return respelt.map(told).join('')
}

/** A few choices of which one holds, as one control. */
function segments(label, choices, choose) {
  const buttons = choices.map(([name, isChosen], index) =>
    make('button', { type: 'button', 'aria-pressed': isChosen, onclick: () => choose(index) }, name)
  )
  return make('div.segments', { role: 'group', 'aria-label': label }, ...buttons)
}

Object.defineProperties(
  search,
  Object.getOwnPropertyDescriptors({
    async start() {
      const words = field.value.trim()
      search.clear()
      if (!words) return closePanel()
      instead('search')
      Object.assign(state.search, {
        words,
        next: 'newest',
        list: make('div'),
        total: make('p.quiet', { role: 'status' }, 'Searching …'),
      })
      const isAll = baseOf(state.list.conversation) === everything
      openPanel(
        'Search',
        state.search.total,
        isAll ? '' : segments('Where to search', [
          [isPart(state.list.conversation || {}) ? 'What is shown' : 'This conversation', !state.search.isWide],
          ['Everywhere', state.search.isWide],
        ], (index) => {
          state.search.isWide = index === 1
          search.start()
        }),
        isSite ? make('p.quiet', null, SITE_LANGUAGE) : segments(
          'Order',
          [['Newest first', !state.search.isBest], ['Best first', state.search.isBest]],
          (index) => {
            state.search.isBest = index === 1
            search.start()
          },
        ),
        state.search.list,
      )
      state.panel.again = search.again
      panel.onscroll = ({ target }) => {
        if (target.scrollHeight - target.scrollTop - target.clientHeight < 600) search.more()
        else if (target.scrollTop < 600) search.more(true)
      }
      await search.more()
      if (words === state.search.words && state.search.hits.length && !state.search.isBest) await search.countAll()
    },

    get scope() {
      return state.search.isWide || !state.list.conversation ? everything : state.list.conversation
    },
    get keys() {
      return { words: state.search.words, ...keysOf(search.scope), timeZone: zone }
    },

    /** Counts what is found; what is not counted yet is said to be so. */
    async countAll() {
      const { keys } = search, { matches } = state.search
      const tell = (count, rest) => {
        if (matches === state.search.matches) {
          state.search.total.textContent = state.search.count = `${rest === '~' ? 'about ' : ''}${
            plural(count, 'message')
          }${rest === '…' ? ' so far …' : ''}`
        }
        return matches === state.search.matches
      }
      if (isSite) return site.count(keys, (count, isAll) => tell(count, isAll ? '' : '…'))
      const matching = search.scope.query ? `(${keys.words}) (${search.scope.query})` : keys.words
      await attempt(async () => {
        const { total, exact } = await page(
          search.scope,
          { filter: { matching }, timeZone: zone, limit: 0 },
          wish('search'),
        )
        tell(total, exact === false ? '~' : '')
      })
    },

    /** What is said where nothing is found. */
    get none() {
      return `No message ${search.scope === everything ? '' : 'here '}has that. Fewer or shorter words find more${
        search.scope === everything ? '' : ', and so does a search in all conversations'
      }.`
    },

    /** Looks again for hits that were changed or deleted: those that do not match any more go. */
    async again({ edited = [], deleted = [] } = {}) {
      const { keys } = search,
        { matches, isBest } = state.search,
        gone = new Set(deleted),
        touched = state.search.hits.filter(({ id }) => gone.has(id) || edited.includes(id))
      for (const hit of touched) {
        const found = gone.has(hit.id) || isBest
          ? null
          : (await state.source.ask('hits', { ...keys, at: `after:${BigInt(hit.id) - 1n}`, limit: 1 }, wish('search')))
            .hits
            .find(({ id }) => id === hit.id)
        if (matches !== state.search.matches) return
        const index = state.search.hits.indexOf(hit)
        if (index < 0) continue
        if (found) {
          search.draw(found)
          hit.element.replaceWith(found.element)
          state.search.hits[index] = found
        } else if (!isBest || gone.has(hit.id)) {
          hit.element.remove()
          state.search.hits.splice(index, 1)
          matches.delete(hit.id)
          if (state.search.index >= index) state.search.index--
        }
      }
      if (!touched.length || isBest) return
      list.redraw()
      await search.countAll()
    },

    /** Reads what answers the words best, all at once; words may be missing. */
    async best() {
      const { matches } = state.search
      if (!state.search.next) return
      state.search.next = null
      const answer = await state.source.ask('best', { ...search.keys, limit: BEST }, wish('search')).catch((error) => ({
        exchanges: [],
        error,
      }))
      if (matches !== state.search.matches) return
      search.take(answer.exchanges.map(({ best }) => best))
      state.search.total.textContent = answer.error?.message ||
        (state.search.hits.length
          ? `${plural(state.search.hits.length, 'answer')}, the best first${
            answer.whole ? '' : `, of the newest ${number(answer.candidates)} messages that have some of the words`
          }${respelt(answer)}`
          : search.none)
    },

    /** Reads more hits: older ones, or those newer ones that were let go of. */
    async more(isNewer) {
      if (state.search.isBest) return search.best()
      const { matches, cutCount } = state.search,
        at = isNewer ? cutCount && `after:${state.search.hits[0].id}` : state.search.next
      if (state.search.isLoading === matches || !at) return
      state.search.isLoading = matches
      const answer = await state.source.ask('hits', { ...search.keys, at, limit: PAGE }, wish('search')).catch((
        error,
      ) => ({
        hits: [],
        error,
      }))
      state.search.isLoading = null
      if (matches !== state.search.matches) return
      if (!isNewer) state.search.next = answer.next ? [Object.entries(answer.next)].flat(2).join(':') : null
      search.take(answer.hits, isNewer)
      state.search.total.textContent = answer.error?.message || state.search.count ||
        (state.search.hits.length ? 'Counting …' : state.search.next ? 'Searching …' : search.none)
      if (!isNewer && state.search.next && !answer.hits.length) return search.more()
    },

    /** Takes hits in at an end, and lets go of some at the other one; what is looked at stays where it is. */
    take(hits, isNewer) {
      hits.forEach(search.draw)
      const elements = hits.map(({ element }) => element),
        held = state.search.hits.at(isNewer ? 0 : -1)?.element,
        top = held?.getBoundingClientRect().top
      if (isNewer) {
        state.search.list.prepend(...elements)
        state.search.hits.unshift(...hits)
        search.move(-hits.length)
        if (!hits.length) state.search.cutCount = 0
      } else {
        state.search.list.append(...elements)
        state.search.hits.push(...hits)
      }
      const excess = isSite ? 0 : Math.max(0, state.search.hits.length - MOST_HITS)
      const gone = state.search.hits.splice(isNewer ? state.search.hits.length - excess : 0, excess)
      for (const { element, id } of gone) {
        element.remove()
        state.search.matches.delete(id)
        state.search.texts.delete(id)
      }
      if (gone.length && isNewer) state.search.next = `before:${state.search.hits.at(-1).id}`
      else search.move(gone.length)
      if (held) panel.scrollTop += held.getBoundingClientRect().top - top
      list.redraw()
    },

    draw(hit) {
      const { text, matches, marks } = hit.snippet && /^…|…$/.test(hit.snippet.text) ? hit.snippet : hit
      hit.element = entry(hit, placeOf(hit, search.scope), textIn(text, matches, marks))
      hit.element.onclick = () => {
        mode.add('peeking')
        search.go(state.search.hits.indexOf(hit))
      }
      state.search.matches.set(hit.id, hit.matches || [])
    },

    /** Takes in that so many hits have gone in front. */
    move(count) {
      state.search.cutCount = Math.max(0, state.search.cutCount + count)
      state.search.index = Math.max(state.search.index - count, -1 - state.search.cutCount)
    },

    mark(index) {
      state.search.list.querySelector('.open')?.classList.remove('open')
      const { element } = state.search.hits[state.search.index = index]
      element.classList.add('open')
      element.scrollIntoView({ block: 'nearest' })
    },

    async step(direction) {
      if (!state.search.words) return field.focus()
      const to = () => state.search.index + direction
      if (to() >= state.search.hits.length) await search.more()
      while (to() < 0 && state.search.cutCount) await search.more(true)
      if (!state.search.hits[to()]) return say('No more hits')
      await search.go(to())
    },

    /** Goes to a hit; a place deep in a long text is brought up, too. */
    async go(index) {
      const hit = state.search.hits[index], { matches } = state.search
      search.mark(index)
      if (hit.textBytes && !hit.matches) {
        await attempt(async () => {
          const text = await wholeText(hit)
          if (matches !== state.search.matches) return
          state.search.texts.set(hit.id, text)
          state.search.matches.set(hit.id, hit.matches = placesIn(text, hit.snippet))
          list.redraw()
        })
      }
      await goTo(hit, state.search.isWide)
      say(`Hit ${state.search.cutCount + index + 1}`)
    },
  }),
)
