// Answers of the files of a site, for the page (page.js), which loads this where there is no server.
'use strict'

/** Reads the pieces of a site: scripts that call `scrollback.piece`, as nothing else loads from files. */
const site = {
  held: new Map(), coming: new Map(),

  piece(name) {
    const held = site.held.get(name) || new Promise((resolve, reject) => {
      const script = make('script', { src: `data/${name}.js` })
      site.coming.set(name, resolve)
      script.onload = () => { script.remove(); reject(new Trouble(`data/${name}.js is not what it should be.`)) }
      script.onerror = () => { script.remove(); site.held.delete(name); reject(new Trouble(`data/${name}.js is not there.`)) }
      document.head.append(script)
    })
    site.held.delete(name)
    site.held.set(name, held)
    for (const old of site.held.keys()) if (site.held.size > 40) site.held.delete(old)
    return held
  },

  /** What a question is answered. The questions are those of docs/json.md, as far as the page asks them. */
  ask: (question, keys) => busily((async () => site.answers[question](keys))()),

  /** All conversations, as the lists have them. */
  all() {
    return site.listed ||= site.piece('index').then(async ({ conversationPieces: count }) => {
      const lists = await Promise.all(Array.from({ length: count }, (_, index) => site.piece(`conversations/${index}`)))
      return lists.flatMap(({ conversations }) => conversations)
    })
  },
  async entry(isMeant) {
    const found = (await site.all()).find(isMeant)
    if (!found) throw new Trouble('There is no such conversation.')
    return found
  },

  answers: {
    conversations: async () => ({ conversations: [...await site.all()] }),
    conversation: ({ conversation, conversationID }) => site.entry(({ id, name }) => name === conversation || id === conversationID),
    async page({ conversationID, at, limit, older }) {
      const entry = await site.entry(({ id }) => id === conversationID), { messages: total } = entry, colon = at.indexOf(':')
      const [word, value] = colon < 0 ? [at] : [at.slice(0, colon), at.slice(colon + 1)]
      const place = word === 'number' ? value - 1 : colon < 0 ? 0 : await site.ordinal(entry, keyOf(value) + (word === 'after' ? 1n : 0n))
      const from = clamp({ newest: total - limit, before: place - limit, around: place - (older ?? limit / 2), number: place - (older ?? limit / 2) }[word] ?? place, 0, total)
      const to = Math.min(total, word === 'before' ? place : from + limit), messages = []
      while (from + messages.length < to) {
        const { first, messages: held } = await site.runOf(entry, ([number]) => number <= from + messages.length + 1)
        messages.push(...held.slice(from + messages.length + 1 - first, to + 1 - first).map(message => ({ ...message })))
      }
      return { messages, total, firstNumber: from + 1, hasOlder: from > 0, hasNewer: to < total }
    },
    async message({ id }) {
      const key = keyOf(id), span = ({ firstID, lastID }) => keyOf(lastID) - keyOf(firstID)
      const holds = ({ firstID, lastID }) => keyOf(firstID) <= key && key <= keyOf(lastID)
      const isOpen = each => each.id === list.conversation?.id
      // The open one first, then those that hold few others.
      const entries = (await site.all()).filter(holds).sort((a, b) => isOpen(b) - isOpen(a) || (span(a) < span(b) ? -1 : 1))
      for (const entry of entries) {
        const { messages } = await site.runOf(entry, ([, first]) => keyOf(first) <= key), found = messages.find(message => message.id === id)
        if (found) return found
      }
      throw new Trouble('This message is not here.')
    },
    async messages({ ids }) {
      const found = await Promise.all(ids.split(',').map(id => site.answers.message({ id }).catch(() => null)))
      return { messages: found.filter(Boolean) }
    },
    async days({ conversationID, by, from = '' }) {
      const days = await site.days(await site.entry(({ id }) => id === conversationID)), months = new Map()
      if (!by) return { days: days.filter(([day]) => day.startsWith(from)).map(([day, messages, firstNumber]) => ({ day, messages, firstNumber })) }
      for (const [day, messages] of days) months.set(day.slice(0, -3), (months.get(day.slice(0, -3)) || 0) + messages)
      return { days: [...months].map(([month, messages]) => ({ month, messages, firstID: month })) }
    },
    async hits({ words, conversationID, at }) {
      const { query, pieces } = await site.wanted(words, conversationID), hits = []
      let next = at === 'newest' ? 0 : Number(at.slice(6))
      for (let read = 0; next < pieces.length && hits.length < PAGE && read < 20; next++, read++) {
        for (const [message, matches] of await site.hitsIn(pieces[next], query, conversationID)) {
          hits.push({ ...message, matches, snippet: around(message.text, matches) })
        }
      }
      return { hits, next: next < pieces.length ? { piece: next } : undefined }
    },
  },

  /** How many messages a search finds: `tell` hears of it piece by piece, until it answers false. */
  async count({ words, conversationID }, tell) {
    const { query, pieces } = await site.wanted(words, conversationID)
    let count = 0
    for (const [index, piece] of pieces.entries()) {
      count += (await site.hitsIn(piece, query, conversationID)).length
      if (!tell(count, index === pieces.length - 1)) return
    }
  },

  /** What is looked for, and the pieces that may have it, the last first. */
  async wanted(text, conversationID) {
    const query = queryOf(text), found = new Set()
    for (const each of query) for (const piece of await site.piecesWith(each)) found.add(piece)
    const scope = conversationID && await site.entry(({ id }) => id === conversationID)
    const isWanted = piece => !scope || (piece >= scope.firstPiece && piece < scope.firstPiece + scope.pieces)
    return { query, pieces: [...found].filter(isWanted).sort((a, b) => b - a) }
  },

  /** The messages of a piece that a query finds, with the places, the newest first. */
  async hitsIn(piece, query, conversationID) {
    const { runs } = await site.piece(`m/${piece}`)
    return runs.toReversed().flatMap(({ conversation, messages }) => conversationID && conversation !== conversationID ? []
      : messages.toReversed().map(message => [message, matchesOf(message.text || '', query)]).filter(([, matches]) => matches))
  },

  /** The last run of a conversation for whose first number and id something holds. */
  async runOf(entry, isBefore) {
    const runIn = async index => (await site.piece(`m/${entry.firstPiece + index}`)).runs.find(({ conversation }) => conversation === entry.id)
    if (entry.indexed) {
      const { parts } = await site.piece(`c/${entry.id}/index`), part = Math.max(0, lastIndex(parts, isBefore))
      const { pieces } = await site.piece(`c/${entry.id}/i/${part}`)
      return runIn(512 * part + Math.max(0, lastIndex(pieces, isBefore)))
    }
    let low = 0
    for (let high = entry.pieces - 1; low < high;) {
      const middle = (low + high + 1) >> 1, { first, messages } = await runIn(middle)
      if (isBefore([first, messages[0].id])) low = middle
      else high = middle - 1
    }
    return runIn(low)
  },

  /** The days of a conversation: date, messages, first number. */
  async days(entry) {
    const days = [], { dayFiles = 0 } = entry.indexed ? await site.piece(`c/${entry.id}/index`) : {}
    for (let file = 0; file < dayFiles; file++) days.push(...(await site.piece(`c/${entry.id}/d/${file}`)).days)
    for (let index = 0; index < entry.pieces && !entry.indexed; index++) {
      const { runs } = await site.piece(`m/${entry.firstPiece + index}`)
      for (const [day, messages, first] of runs.find(({ conversation }) => conversation === entry.id).days) {
        if (days.at(-1)?.[0] === day) days.at(-1)[1] += messages
        else days.push([day, messages, first])
      }
    }
    return days
  },

  /** How many messages are older than an id. */
  async ordinal(entry, key) {
    const { first, messages } = await site.runOf(entry, ([, id]) => keyOf(id) <= key)
    return first + lastIndex(messages, message => keyOf(message.id) < key)
  },

  /** The pieces that hold all words of some terms. */
  async piecesWith(terms) {
    let found = null
    for (const { words, isPrefix, isNot } of terms) {
      if (isNot) continue
      for (const [index, word] of words.entries()) {
        const pieces = await site.piecesOf(word, isPrefix && index === words.length - 1)
        found = found ? new Set([...found].filter(piece => pieces.has(piece))) : pieces
      }
    }
    return found || new Set()
  },

  async piecesOf(word, isPrefix) {
    const { first } = await site.piece('search/index'), found = new Set()
    for (let at = Math.max(0, lastIndex(first, each => each <= word)); at < first.length && (first[at] <= word || (isPrefix && first[at].startsWith(word))); at++) {
      const { words } = await site.piece(`search/${at}`)
      for (const each of isPrefix ? Object.keys(words).filter(each => each.startsWith(word)) : [word]) {
        let piece = 0
        for (const step of Object.hasOwn(words, each) ? words[each].split(' ') : []) {
          const [difference, times = 1] = step.split('*').map(Number)
          for (let n = 0; n < times; n++) found.add(piece += difference)
        }
      }
    }
    return found
  },

  file: ({ attachments }, index) => inside(attachments[index].path),
  thumbnail: ({ attachments }, index) => inside(attachments[index].thumbnail),
  /** The picture itself stands for the larger one. */
  preview({ attachments }, index) {
    const { path, width, height } = attachments[index], url = inside(path)
    return url && { url, side: Math.max(width, height) }
  },
}

window.scrollback = { piece: (name, value) => site.coming.get(name)?.(value) }

/** The address of a file of a site, if that is where it lies. */
const inside = path => path?.startsWith('files/') && !path.split('/').includes('..') ? path.split('/').map(encodeURIComponent).join('/') : null

// Words are cut and folded as in the index: what is written without spaces is cut into its characters.
const ALONE = '\\u0E00-\\u0EFF\\u1000-\\u109F\\u1100-\\u11FF\\u1780-\\u17FF\\u2E80-\\uA4CF\\uA960-\\uA97F\\uAC00-\\uD7FF\\uF900-\\uFAFF\\uFF66-\\uFFDC\\u{1B000}-\\u{1B16F}\\u{20000}-\\u{3FFFD}'
const WORDS = RegExp(`[[\\p{L}\\p{N}\\p{M}]&&[${ALONE}]]|[[\\p{L}\\p{N}\\p{M}]--[${ALONE}]]+`, 'gv')
const folded = text => text.normalize('NFD').replace(/[\u0300-\u036f]/g, '').toLowerCase().replaceAll('ς', 'σ')

function wordsOf(text) {
  const words = []
  for (const { 0: found, index: start } of text.matchAll(WORDS)) {
    const place = { start, end: start + found.length }, word = [...folded(found)]
    if (/[\uAC00-\uD7A3]/.test(found)) words.push(...word.map(word => ({ word, ...place })))
    else if (word.length) words.push({ word: word.slice(0, 32).join(''), ...place })
  }
  return words
}

const KEYS_OF_TERMS = ['from', 'in', 'since', 'until', 'before', 'after', 'on', 'has', 'kind', 'thread', 'filter', 'regex']
const TERM = /^\(*([\p{Alphabetic}-]+):(.?)/u

/** Refuses what a site cannot answer: looked for as a text it would be missing silently. */
function checkTerm(token) {
  const [, key, next] = TERM.exec(token) || [], known = key && KEYS_OF_TERMS.includes(key.toLowerCase())
  if (!known && (!next || ':/)'.includes(next))) return
  throw new Trouble(`A site finds words: it cannot answer '${key}:'${known ? ', which needs the program (scrollback serve)' : ''}. In quotes it is a text: "${line(token)}"`)
}

/** Reads a query: words, "words in a row", begin*, -without, OR between. A list of terms for each alternative. */
function queryOf(text) {
  const alternatives = [[]]
  let isNot = false
  for (const [, sign, term, star] of text.matchAll(/(?:^|\s)(-?)("[^"]*"?|\S+?)(\*?)(?=\s|$)/g)) {
    const isQuoted = term[0] === '"'
    if (!isQuoted && ['OR', '|'].includes(term)) alternatives.push([])
    else if (!isQuoted && term === 'NOT') isNot = true
    else if (isQuoted || !['AND', '&'].includes(term)) {
      if (!isQuoted) checkTerm(term)
      if (term[0] === '(') throw new Trouble('A site takes no parentheses in a search.')
      const words = wordsOf(term).map(({ word }) => word), literal = /^\.|[#@+_\/\\$%&=<>~^]/.test(term) && !isQuoted ? term.toLowerCase() : ''
      if (words.length) alternatives.at(-1).push({ words, literal, isPrefix: Boolean(star), isNot: isNot || Boolean(sign) })
      isNot = false
    }
  }
  const query = alternatives.filter(terms => terms.some(({ isNot }) => !isNot))
  if (!query.length) throw new Trouble('Type a word: a site finds words of letters and digits.')
  return query
}

/** The places that a query finds in a text; null if it does not hold. */
function matchesOf(text, query) {
  const held = wordsOf(text)
  const places = ({ words, isPrefix }) => held.flatMap(({ start }, at) => words.every((word, index) => {
    const found = held[at + index]?.word
    return found === word || (isPrefix && index === words.length - 1 && found?.startsWith(word))
  }) ? [{ start, end: held[at + words.length - 1].end }] : [])
  const small = query.some(each => each.some(({ literal }) => literal)) && text.toLowerCase()
  for (const each of query) {
    const found = each.map(term => ({ isNot: term.isNot, places: !term.literal || small.includes(term.literal) ? places(term) : [] }))
    if (found.every(({ isNot, places }) => isNot === !places.length)) return found.flatMap(({ places }) => places).sort((a, b) => a.start - b.start)
  }
  return null
}

/** The surroundings of the first place that was found. */
function around(text, matches) {
  const from = Math.max(0, (matches[0]?.start ?? 0) - 60), shown = cut(text.slice(from), 240), lead = from ? '… ' : ''
  const shift = lead.length - from
  return { text: lead + shown, matches: matches.map(({ start, end }) => ({ start: start + shift, end: end + shift })) }
}

source = site
begin()
