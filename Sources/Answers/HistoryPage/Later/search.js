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
      Object.assign(search, {
        words,
        next: 'newest',
        list: make('div'),
        total: make('p.quiet', { role: 'status' }, 'Searching …'),
      })
      const isAll = baseOf(list.conversation) === everything
      openPanel(
        'Search',
        search.total,
        isAll ? '' : segments('Where to search', [
          [list.conversation?.keys ? 'What is open' : 'This conversation', !search.isWide],
          ['Everywhere', search.isWide],
        ], (index) => {
          search.isWide = index === 1
          search.start()
        }),
        isSite
          ? make('p.quiet', null, SITE_LANGUAGE)
          : segments('Order', [['Newest first', !search.isBest], ['Best first', search.isBest]], (index) => {
            search.isBest = index === 1
            search.start()
          }),
        search.list,
      )
      panelState.again = search.again
      panel.onscroll = ({ target }) => {
        if (target.scrollHeight - target.scrollTop - target.clientHeight < 600) search.more()
        else if (target.scrollTop < 600) search.more(true)
      }
      await search.more()
      if (words === search.words && search.hits.length && !search.isBest) await search.countAll()
    },

    get scope() {
      return search.isWide || !list.conversation ? everything : list.conversation
    },
    get keys() {
      return { words: search.words, ...keysOf(search.scope), timeZone: zone }
    },

    /** Counts what is found; what is not counted yet is said to be so. */
    async countAll() {
      const { matches, keys } = search
      const tell = (count, rest) => {
        if (matches === search.matches) {
          search.total.textContent = search.count = `${rest === '~' ? 'about ' : ''}${plural(count, 'message')}${
            rest === '…' ? ' so far …' : ''
          }`
        }
        return matches === search.matches
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
      const { matches, keys, isBest } = search,
        gone = new Set(deleted),
        touched = search.hits.filter(({ id }) => gone.has(id) || edited.includes(id))
      for (const hit of touched) {
        const found = gone.has(hit.id) || isBest
          ? null
          : (await source.ask('hits', { ...keys, at: `after:${BigInt(hit.id) - 1n}`, limit: 1 }, wish('search'))).hits
            .find(({ id }) => id === hit.id)
        if (matches !== search.matches) return
        const index = search.hits.indexOf(hit)
        if (index < 0) continue
        if (found) {
          search.draw(found)
          hit.element.replaceWith(found.element)
          search.hits[index] = found
        } else if (!isBest || gone.has(hit.id)) {
          hit.element.remove()
          search.hits.splice(index, 1)
          matches.delete(hit.id)
          if (search.index >= index) search.index--
        }
      }
      if (!touched.length || isBest) return
      list.redraw()
      await search.countAll()
    },

    /** Reads what answers the words best, all at once; words may be missing. */
    async best() {
      const { matches } = search
      if (!search.next) return
      search.next = null
      const answer = await source.ask('best', { ...search.keys, limit: BEST }, wish('search')).catch((error) => ({
        exchanges: [],
        error,
      }))
      if (matches !== search.matches) return
      search.take(answer.exchanges.map(({ best }) => best))
      search.total.textContent = answer.error?.message ||
        (search.hits.length
          ? `${plural(search.hits.length, 'answer')}, the best first${
            answer.whole ? '' : `, of the newest ${number(answer.candidates)} messages that have some of the words`
          }${respelt(answer)}`
          : search.none)
    },

    /** Reads more hits: older ones, or those newer ones that were let go of. */
    async more(isNewer) {
      if (search.isBest) return search.best()
      const { matches, cutCount } = search, at = isNewer ? cutCount && `after:${search.hits[0].id}` : search.next
      if (search.isLoading === matches || !at) return
      search.isLoading = matches
      const answer = await source.ask('hits', { ...search.keys, at, limit: PAGE }, wish('search')).catch((error) => ({
        hits: [],
        error,
      }))
      search.isLoading = null
      if (matches !== search.matches) return
      if (!isNewer) search.next = answer.next ? [Object.entries(answer.next)].flat(2).join(':') : null
      search.take(answer.hits, isNewer)
      search.total.textContent = answer.error?.message || search.count ||
        (search.hits.length ? 'Counting …' : search.next ? 'Searching …' : search.none)
      if (!isNewer && search.next && !answer.hits.length) return search.more()
    },

    /** Takes hits in at an end, and lets go of some at the other one; what is looked at stays where it is. */
    take(hits, isNewer) {
      hits.forEach(search.draw)
      const elements = hits.map(({ element }) => element),
        held = search.hits.at(isNewer ? 0 : -1)?.element,
        top = held?.getBoundingClientRect().top
      if (isNewer) {
        search.list.prepend(...elements)
        search.hits.unshift(...hits)
        search.move(-hits.length)
        if (!hits.length) search.cutCount = 0
      } else {
        search.list.append(...elements)
        search.hits.push(...hits)
      }
      const excess = isSite ? 0 : Math.max(0, search.hits.length - MOST_HITS)
      const gone = search.hits.splice(isNewer ? search.hits.length - excess : 0, excess)
      for (const { element, id } of gone) {
        element.remove()
        search.matches.delete(id)
        search.texts.delete(id)
      }
      if (gone.length && isNewer) search.next = `before:${search.hits.at(-1).id}`
      else search.move(gone.length)
      if (held) panel.scrollTop += held.getBoundingClientRect().top - top
      list.redraw()
    },

    draw(hit) {
      const { text, matches, marks } = hit.snippet && /^…|…$/.test(hit.snippet.text) ? hit.snippet : hit
      hit.element = entry(hit, placeOf(hit, search.scope), textIn(text, matches, marks))
      hit.element.onclick = () => {
        mode.add('peeking')
        search.go(search.hits.indexOf(hit))
      }
      search.matches.set(hit.id, hit.matches || [])
    },

    /** Takes in that so many hits have gone in front. */
    move(count) {
      search.cutCount = Math.max(0, search.cutCount + count)
      search.index = Math.max(search.index - count, -1 - search.cutCount)
    },

    mark(index) {
      search.list.querySelector('.open')?.classList.remove('open')
      const { element } = search.hits[search.index = index]
      element.classList.add('open')
      element.scrollIntoView({ block: 'nearest' })
    },

    async step(direction) {
      if (!search.words) return field.focus()
      const to = () => search.index + direction
      if (to() >= search.hits.length) await search.more()
      while (to() < 0 && search.cutCount) await search.more(true)
      if (!search.hits[to()]) return say('No more hits')
      await search.go(to())
    },

    /** Goes to a hit; a place deep in a long text is brought up, too. */
    async go(index) {
      const hit = search.hits[index], { matches } = search
      search.mark(index)
      if (hit.textBytes && !hit.matches) {
        await attempt(async () => {
          const text = await wholeText(hit)
          if (matches !== search.matches) return
          search.texts.set(hit.id, text)
          search.matches.set(hit.id, hit.matches = placesIn(text, hit.snippet))
          list.redraw()
        })
      }
      await goTo(hit, search.isWide)
      say(`Hit ${search.cutCount + index + 1}`)
    },
  }),
)
