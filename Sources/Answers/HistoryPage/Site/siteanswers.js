// @ts-check
// What a site answers beyond a conversation as it stands (site.js loads this then): searches, filters, everything as
// one timeline, numbers, and lists of links, files and pictures. A filter reads the pieces of what it is about once,
// and keeps of each message what a filter may ask for.
'use strict'

{
  const AT_ONCE = 6 // pieces that are read beside each other
  const MOST_ANSWERS = 6 // of filters, which are kept
  const ROOM = 512 // numbers of a piece: more than the messages that it has at most
  const LINK = /https?:\/\/[!#-;=?-_a-~]+/g, PICTURE = /\.(jpe?g|png|gif|webp|hei[cf]|avif|bmp|tiff?|svg)$/i
  const FLAGS = { link: 1, attachment: 2, picture: 4, reply: 8, edit: 16, forward: 64 }, ONLY_DAY = 32
  const SEARCHED = ['text', 'action', 'notice', 'topic', 'system', 'unknown', ...STEPS]
  const KINDS = { said: ['text', 'action'], step: STEPS }
  const ALL_KINDS = [...SEARCHED, 'join', 'part', 'quit', 'nick', 'mode', 'kick', 'call']
  const { TESTED, alternativesOf, around, isOfWords, placesOf, piecesWith, rangeOf, timeOf } = site

  // ---- What is kept of each message

  /** Names by their numbers: those who wrote, and kinds of messages. */
  class Names {
    all = ['']
    numbers = new Map([['', 0]])

    of = (name = '') => {
      if (!this.numbers.has(name)) this.numbers.set(name, this.all.push(name) - 1)
      return this.numbers.get(name)
    }
  }

  const writers = new Names(), sorts = new Names(), kept = new Map()

  /** What filters ask for of the messages of a piece, a column each. */
  async function factsOf(piece) {
    const { runs } = await site.piece(`m/${piece}`),
      count = runs.reduce((sum, { messages }) => sum + messages.length, 0)
    const facts = {
      keys: new Float64Array(count),
      times: new Float64Array(count),
      owners: new Float64Array(count),
      senders: new Uint32Array(count),
      flags: new Uint8Array(count),
      kinds: new Uint32Array(count),
      threads: new Float64Array(count),
    }
    let at = 0
    for (const { conversation, messages } of runs) {
      for (
        const { id, time, sender, kind, thread, text = '', attachments, replyTo, edited, edits, precision, forwarded }
          of messages
      ) {
        facts.keys[at] = Number(id)
        facts.times[at] = momentOf(id, time, precision)
        facts.owners[at] = conversation
        facts.senders[at] = writers.of(sender)
        facts.kinds[at] = sorts.of(kind)
        facts.threads[at] = Number(thread || 0)
        facts.flags[at++] = (/https?:\/\//.test(text) ? FLAGS.link : 0) | (attachments?.length ? FLAGS.attachment : 0) |
          (attachments?.some(({ name }) => PICTURE.test(name)) ? FLAGS.picture : 0) |
          (replyTo ? FLAGS.reply : 0) | (forwarded ? FLAGS.forward : 0) | (edited || edits ? FLAGS.edit : 0) |
          (precision === 'day' ? ONLY_DAY : 0)
      }
    }
    kept.set(piece, facts)
  }

  const INTERVALS = { second: 1000, minute: 60000, day: 86400000 }

  /** When a message was written: in the millisecond of its place, unless that is none of its time. */
  function momentOf(id, time, precision) {
    const place = Math.floor(Number(id) / 4096), told = Date.parse(time), length = INTERVALS[precision] || 1
    return place - told >= length || place < told ? told : place
  }

  /**
   * The pieces of a conversation, or of all, that have messages of a time. No message is later than its place; one with
   * a time of its own may stand far behind others of that.
   */
  async function piecesIn(conversationID, [from, to]) {
    const low = from * 4096, high = to * 4096, found = new Set()
    for (const entry of await site.all()) {
      if (
        (conversationID && entry.id !== conversationID) || Number(entry.lastID) < low ||
        (!entry.ownTimes && Number(entry.firstID) >= high)
      ) continue
      let first = 0, last = entry.pieces - 1
      if (entry.indexed && (from > -Infinity || to < Infinity)) {
        const { parts } = await site.piece(`c/${entry.id}/index`)
        const index = async (edge) => {
          const part = Math.max(0, lastIndex(parts, ([, id]) => Number(id) <= edge)),
            { pieces } = await site.piece(`c/${entry.id}/i/${part}`)
          return 512 * part + Math.max(0, lastIndex(pieces, ([, id]) => Number(id) <= edge))
        }
        first = await index(low)
        if (!entry.ownTimes) last = Math.min(last, await index(high))
      }
      for (let piece = entry.firstPiece + first; piece <= entry.firstPiece + last; piece++) found.add(piece)
    }
    return [...found].sort((a, b) => a - b)
  }

  /** Reads what is not kept yet of some pieces. */
  async function gatherFacts(pieces) {
    if (pieces.length > site.mostPieces) {
      throw new Trouble(
        `There is too much here for a site to look through: ${number(pieces.length)} files of messages, ${
          number(site.mostPieces)
        } at most. Choose a shorter time (When), or use the program (scrollback serve).`,
      )
    }
    const missing = pieces.filter((piece) => !kept.has(piece))
    // What was kept for other times goes, so that no more is kept than is looked through.
    if (kept.size + missing.length > site.mostPieces) {
      for (const piece of kept.keys()) if (!pieces.includes(piece)) kept.delete(piece)
    }
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      if (at > 5 * AT_ONCE) $('place').textContent = `Reading ${number(at)} of ${plural(missing.length, 'piece')} …`
      await Promise.all(missing.slice(at, at + AT_ONCE).map(factsOf))
    }
  }

  /** Whether a message, by what is kept of it, is as a term says. */
  async function testOf(terms) {
    const tests = [], any = (key, those) => tests.push((facts, at) => those.some((test) => test(facts, at)))
    const made = await Promise.all(
      terms.filter(({ key }) => TESTED.includes(key) || key === 'on').map(async (term) => ({
        ...term,
        test: await testOfTerm(term),
      })),
    )
    for (const key of ['from', 'in', 'kind']) {
      const own = made.filter((term) => term.key === key && !term.isNot).map(({ test }) => test)
      if (own.length) any(key, own)
    }
    for (const { key, isNot, test } of made) {
      if (isNot) tests.push((facts, at) => !test(facts, at))
      else if (key === 'has' || key === 'thread') tests.push(test)
    }
    return (facts, at) => tests.every((test) => test(facts, at))
  }

  async function testOfTerm({ key, value, isNot }) {
    switch (key) {
      case 'from': {
        const wanted = new Set(namesLike(value, writers.all.slice(1), 'Nobody').map(writers.of))
        return ({ senders }, at) => wanted.has(senders[at])
      }
      case 'in': {
        const all = await site.all(), found = new Set(namesLike(value, all.map(({ name }) => name), 'No conversation'))
        const wanted = new Set(all.filter(({ name }) => found.has(name)).map(({ id }) => id))
        return ({ owners }, at) => wanted.has(owners[at])
      }
      case 'has':
        if (!FLAGS[value]) {
          throw new Trouble(`A site cannot answer 'has:${line(value)}'. It knows ${Object.keys(FLAGS).join(', ')}.`)
        }
        return ({ flags }, at) => flags[at] & FLAGS[value]
      case 'kind': {
        const those = Object.hasOwn(KINDS, value) ? KINDS[value] : [value]
        if (!those.every((kind) => ALL_KINDS.includes(kind))) {
          throw new Trouble(`Messages have no kind “${line(value)}”, but said, step, ${ALL_KINDS.join(', ')}.`)
        }
        const wanted = new Set(those.map(sorts.of))
        return ({ kinds }, at) => wanted.has(kinds[at])
      }
      case 'thread': {
        const id = Number(value.replace('#', ''))
        return ({ threads, keys }, at) => threads[at] === id || keys[at] === id
      }
      default: {
        // A day that is left out: all others are a range.
        const [start, end] = isNot ? timeOf(value) : [-Infinity, Infinity]
        return ({ times }, at) => times[at] >= start && times[at] < end
      }
    }
  }

  /** The names that a value means: in any case, like a pattern, or by whole words of one alone. */
  function namesLike(value, all, nobody) {
    const wanted = value.replace(/^#/, '').toLowerCase(), small = all.map((name) => [name, name.toLowerCase()])
    const escaped = wanted.replace(/[$()+.[\\\]^{|}]/g, '\\$&').replaceAll('*', '.*').replaceAll('?', '.'),
      like = RegExp(`^${escaped}$`, 'su')
    const found = all.includes(value)
      ? [value]
      : small.filter(([, name]) => name === value.toLowerCase() || like.test(name)).map(([name]) => name)
    const held = found.length
      ? found
      : small.filter(([, name]) => ` ${name.split(/[^\p{L}\p{N}]+/u).join(' ')} `.includes(` ${wanted} `)).map((
        [name],
      ) => name)
    if (held.length && (found.length || held.length === 1)) return held
    throw new Trouble(
      held.length
        ? `“${line(value)}” is in several names: ${held.slice(0, 5).map(line).join(', ')}.`
        : `${nobody} here is called “${line(value)}”.`,
    )
  }

  // ---- Answers

  const answered = new Map()

  /**
   * What some queries find that must all hold: the places of messages (rows), in the order of their times, and the
   * words of the queries.
   */
  function lookUp(conversationID, ...queries) {
    const wanted = queries.filter(Boolean), key = JSON.stringify([conversationID, wanted])
    const held = answered.get(key) || find(conversationID, wanted).catch((error) => {
      answered.delete(key)
      throw error
    })
    answered.delete(key)
    answered.set(key, held)
    for (const old of answered.keys()) if (answered.size > MOST_ANSWERS) answered.delete(old)
    return held
  }

  /** What a filter of a question asks for, as a query. */
  const queryIn = (filter) => filter?.thread ? `thread:${filter.thread}` : filter?.matching

  async function find(conversationID, queries) {
    const all = queries.map(alternativesOf).reduce(
      (joined, next) =>
        joined.flatMap((a) => next.map((b) => ({ words: [...a.words, ...b.words], terms: [...a.terms, ...b.terms] }))),
      [{ words: [], terms: [] }],
    )
    const keys = new Map()
    for (const alternative of all) {
      const range = rangeOf(alternative), pieces = await piecesIn(conversationID, range)
      await gatherFacts(pieces)
      const test = await testOf(alternative.terms),
        { words } = alternative,
        held = words.length ? await piecesWith(words) : null
      for (const piece of pieces) {
        if (held && !held.has(piece)) continue
        const facts = kept.get(piece), rows = []
        for (let at = 0; at < facts.keys.length; at++) {
          if (
            (!conversationID || facts.owners[at] === conversationID) && facts.times[at] >= range[0] &&
            facts.times[at] < range[1] && test(facts, at)
          ) rows.push(at)
        }
        if (!rows.length) continue
        const texts = words.length && (await site.piece(`m/${piece}`)).runs.flatMap(({ messages }) => messages)
        for (const at of rows) if (!texts || wordsFit(texts[at], [words])) keys.set(piece * ROOM + at, facts.keys[at])
      }
    }
    const rows = [...keys].sort((a, b) => a[1] - b[1])
    return { rows: rows.map(([row]) => row), keys: rows.map(([, key]) => key), words: all.map(({ words }) => words) }
  }

  const pieceOf = (row) => Math.floor(row / ROOM)
  const factOf = (row, column) => kept.get(pieceOf(row))[column][row % ROOM]

  /** The messages at some places. */
  async function messagesAt(rows) {
    const pieces = new Map(rows.map((row) => [pieceOf(row), null]))
    await Promise.all(
      [...pieces.keys()].map(async (piece) =>
        pieces.set(piece, (await site.piece(`m/${piece}`)).runs.flatMap(({ messages }) => messages))
      ),
    )
    return rows.map((row) => ({ ...pieces.get(pieceOf(row))[row % ROOM] }))
  }

  /**
   * The places that words have in a message, by the first alternative that holds; null if none does. Comings and goings
   * are not looked through.
   */
  function wordsFit({ text = '', kind }, alternatives) {
    for (const words of alternatives) {
      const places = placesOf(SEARCHED.includes(kind) ? text : '', words)
      if (places) return places
    }
    return null
  }

  const hitOf = (message, matches) => ({ ...message, matches, snippet: around(message.text, matches) })

  /** Looks for words alone: the pieces that may have them, the last first, without a look at any other. */
  async function wordsIn(text, conversationID) {
    const query = alternativesOf(text).map(({ words }) => words), found = new Set()
    for (const words of query) for (const piece of await piecesWith(words) || []) found.add(piece)
    const scope = conversationID && await site.entry(({ id }) => id === conversationID)
    const isWanted = (piece) => !scope || (piece >= scope.firstPiece && piece < scope.firstPiece + scope.pieces)
    return { query, pieces: [...found].filter(isWanted).sort((a, b) => b - a) }
  }

  /** The messages of a piece that words find, with the places, the newest first. */
  async function hitsIn(piece, query, conversationID) {
    const { runs } = await site.piece(`m/${piece}`)
    return runs.toReversed().flatMap(({ conversation, messages }) =>
      conversationID && conversation !== conversationID
        ? []
        : messages.toReversed().map((message) => [message, wordsFit(message, query)]).filter(([, matches]) => matches)
    )
  }

  /** What a message is counted under, for each way of counting. */
  const GROUPS = {
    day: (row) => dayOfRow(row),
    month: (row) => dayOfRow(row).slice(0, -3),
    hour: (row) => factOf(row, 'flags') & ONLY_DAY ? undefined : dateAt(row).getHours(),
    sender: (row) => writers.all[factOf(row, 'senders')],
    conversation: (row) => factOf(row, 'owners'),
    kind: (row) => sorts.all[factOf(row, 'kinds')],
  }
  const dateAt = (row) => new Date(factOf(row, 'times'))
  const two = (value) => String(value).padStart(2, '0')

  function dayOfRow(row) {
    const date = dateAt(row)
    if (factOf(row, 'flags') & ONLY_DAY) return date.toISOString().slice(0, -14)
    return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  }

  function counted(rows, by) {
    const counts = new Map(), { [by]: keyOf } = GROUPS
    for (const row of rows) {
      const key = keyOf(row)
      if (key !== undefined) counts.set(key, (counts.get(key) || 0) + 1)
    }
    return counts
  }

  /** Counts by day or month in the order of those. */
  const inOrder = (counts) => counts.sort(([a], [b]) => (a < b ? -1 : 1))

  /** The first of some places, in order of time, that is not before a moment. */
  function firstFrom(rows, moment) {
    const times = rows.map((row) => factOf(row, 'times'))
    let found = rows.length
    for (let at = 0; at < times.length; at++) if (times[at] >= moment && !(times[at] >= times[found])) found = at
    return found
  }

  site.more = {
    async page({ conversationID, filter, at, limit, older }) {
      const colon = at?.indexOf(':') ?? -1, [word, value] = colon < 0 ? [at] : [at.slice(0, colon), at.slice(colon + 1)]
      const start = word === 'time' ? timeOf(value)[0] : null
      if (start !== null && limit === 0) return { messages: [], total: 0 }
      const ownTimes = start !== null && conversationID &&
        (await site.entry(({ id }) => id === conversationID))?.ownTimes
      if (start !== null && conversationID && !filter && !ownTimes) {
        return site.answers.page({ conversationID, at: `after:${BigInt(start) * 4096n - 1n}`, limit, older })
      }
      const { rows, keys } = await lookUp(conversationID, queryIn(filter)), total = rows.length
      const before = (edge) => 1 + lastIndex(keys, (key) => key < edge)
      const place = word === 'number'
        ? value - 1
        : start !== null
        ? firstFrom(rows, start)
        : colon < 0
        ? 0
        : word === 'after'
        ? 1 + lastIndex(keys, (key) => key <= Number(value))
        : before(Number(value))
      const from = clamp(
        {
          newest: total - limit,
          before: place - limit,
          around: place - (older ?? limit / 2),
          number: place - (older ?? limit / 2),
        }[word] ?? place,
        0,
        total,
      )
      const to = Math.min(total, word === 'before' ? place : from + limit)
      return {
        messages: limit ? await messagesAt(rows.slice(from, to)) : [],
        total,
        firstNumber: from + 1,
        hasOlder: from > 0,
        hasNewer: to < total,
      }
    },

    async hits({ words, conversationID, filter, at, limit }) {
      const hits = []
      if (!filter && isOfWords(words)) {
        const { query, pieces } = await wordsIn(words, conversationID)
        let next = at === 'newest' ? 0 : Number(at.slice(6))
        for (let read = 0; next < pieces.length && hits.length < limit && read < 20; next++, read++) {
          for (const [message, matches] of await hitsIn(pieces[next], query, conversationID)) {
            hits.push(hitOf(message, matches))
          }
        }
        return { hits, next: next < pieces.length ? { piece: next } : undefined }
      }
      const { rows, words: query } = await lookUp(conversationID, words, queryIn(filter)),
        end = at === 'newest' ? rows.length : Number(at.slice(6))
      const start = Math.max(0, end - limit)
      for (const message of (await messagesAt(rows.slice(start, end))).reverse()) {
        hits.push(hitOf(message, wordsFit(message, query) || []))
      }
      return { hits, next: start ? { place: start } : undefined }
    },

    async senders({ conversationID, named = '', limit }) {
      const wanted = named.toLowerCase(),
        all = [...counted((await lookUp(conversationID)).rows, 'sender')].filter(([name]) =>
          name && name.toLowerCase().includes(wanted)
        )
      return {
        senders: all.sort((a, b) => b[1] - a[1]).slice(0, limit).map(([name, messages]) => ({ name, messages })),
      }
    },

    async groups({ conversationID, filter, by, from = '', limit = 1000 }) {
      const all = [...counted((await lookUp(conversationID, queryIn(filter))).rows, by)],
        isTime = ['day', 'month', 'hour'].includes(by)
      const id = by === 'conversation' && new Map((await site.all()).map(({ id, name }) => [id, name]))
      const sorted = by === 'hour'
        ? all
        : isTime
        ? inOrder(all).filter(([key]) => key >= from)
        : all.sort((a, b) => b[1] - a[1]).slice(0, limit)
      return {
        groups: sorted.map(([key, messages]) => ({ [by]: id ? id.get(key) : key, messages, firstID: key })),
        others: isTime ? 0 : all.length - sorted.length,
      }
    },

    /** Days or months of everything, numbered from the first one on. */
    async days({ by = 'day', from = '' }) {
      const { rows } = await lookUp(), { [by]: keyOf } = GROUPS, first = new Map()
      for (let at = rows.length - 1; at >= 0; at--) first.set(keyOf(rows[at]), at + 1)
      const all = inOrder([...counted(rows, by)]).map(([key, messages]) => ({
        [by]: key,
        messages,
        firstID: key,
        firstNumber: first.get(key),
      }))
      return { days: all.filter((each) => each[by] >= from) }
    },

    /** What came of messages that began threads in the open conversation. */
    async threads({ begunBy, limit }) {
      const { rows } = await lookUp(baseOf(state.list.conversation).id), begun = new Map(), wanted = begunBy?.split(',')
      for (const row of rows) {
        const id = String(factOf(row, 'threads')), key = factOf(row, 'keys')
        if (id !== '0' && id !== String(key)) {
          begun.set(id, { id, answers: 1 + (begun.get(id)?.answers || 0), newestTime: factOf(row, 'times') })
        }
      }
      const found = wanted ? wanted.filter((id) => begun.has(id)) : [...begun.keys()].slice(0, limit)
      const { messages } = await site.answers.messages({ ids: found.join(',') }),
        first = new Map(messages.map((message) => [message.id, message]))
      return {
        threads: found.map((id) => ({
          sender: first.get(id)?.sender,
          text: first.has(id) ? plain(first.get(id)) : undefined,
          ...begun.get(id),
        })),
      }
    },

    /** Links, files or pictures, the newest first. */
    async shared({ conversationID, filter, sort, before, limit }) {
      const { rows, keys } = await lookUp(conversationID, queryIn(filter)),
        flag = { links: FLAGS.link, files: FLAGS.attachment, pictures: FLAGS.picture }[sort],
        wanted = []
      let at = before ? lastIndex(keys, (key) => key < Number(before)) : rows.length - 1
      for (; at >= 0 && wanted.length < limit; at--) if (factOf(rows[at], 'flags') & flag) wanted.push(rows[at])
      const shared = (await messagesAt(wanted)).flatMap((message) =>
        sort === 'links'
          ? (message.text.match(LINK) || []).map((url) => ({ ...message, url: linkTo(url)?.address || url }))
          : message.attachments.flatMap((attachment, index) =>
            sort === 'files' || PICTURE.test(attachment.name) ? [{ ...message, attachment, index }] : []
          )
      )
      return {
        shared: shared.map((thing) => ({ ...thing, text: plain(thing) })),
        next: at >= 0 && wanted.length ? shared.at(-1)?.id : undefined,
      }
    },
  }

  /** How many messages a search finds: `tell` hears of it piece by piece, until it answers false. */
  site.count = async ({ words, conversationID, filter }, tell) => {
    if (filter || !isOfWords(words)) {
      return tell((await lookUp(conversationID, words, queryIn(filter))).rows.length, true)
    }
    const { query, pieces } = await wordsIn(words, conversationID)
    let count = 0
    for (const [index, piece] of pieces.entries()) {
      count += (await hitsIn(piece, query, conversationID)).length
      if (!tell(count, index === pieces.length - 1)) return
    }
  }
}
