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
  async ask(question, keys) { return site.answers[question](keys) },

  answers: {
    async conversations({ after }) {
      after ??= 0
      const { conversationPieces } = await site.piece('index'), { conversations } = await site.piece(`conversations/${after}`)
      return { conversations, next: after + 1 < conversationPieces ? after + 1 : undefined }
    },
    async conversation({ conversation, conversationID }) {
      for (let after = 0; after !== undefined;) {
        const { conversations, next } = await site.answers.conversations({ after })
        const found = conversations.find(each => each.name === conversation || each.id === conversationID)
        if (found) return found
        after = next
      }
      throw new Trouble('There is no such conversation.')
    },
    async page({ conversationID: id, at, limit, older }) {
      const { messages: total } = await site.piece(`c/${id}/index`), colon = at.indexOf(':')
      const [word, value] = colon < 0 ? [at] : [at.slice(0, colon), at.slice(colon + 1)]
      const place = word === 'number' ? value - 1 : colon < 0 ? 0 : await site.ordinal(id, keyOf(value) + (word === 'after' ? 1n : 0n))
      const from = clamp({ newest: total - limit, before: place - limit, around: place - (older ?? limit / 2), number: place - (older ?? limit / 2) }[word] ?? place, 0, total)
      const to = Math.min(total, word === 'before' ? place : from + limit), messages = []
      while (from + messages.length < to) {
        const { first, messages: held } = await site.pieceOf(id, (entry => entry[0] <= from + messages.length + 1))
        messages.push(...held.slice(from + messages.length + 1 - first, to + 1 - first).map(message => ({ ...message })))
      }
      return { messages, total, firstNumber: from + 1, hasOlder: from > 0, hasNewer: to < total }
    },
    async message({ id }) {
      for (let after = 0; after !== undefined;) {
        const { conversations, next } = await site.answers.conversations({ after })
        for (const each of [list.conversation, ...conversations]) {
          if (!each || keyOf(each.firstID) > keyOf(id) || keyOf(each.lastID) < keyOf(id)) continue
          const { messages } = await site.pieceOf(each.id, entry => keyOf(entry[1]) <= keyOf(id))
          const found = messages.find(message => message.id === id)
          if (found) return found
        }
        after = next
      }
      throw new Trouble('There is no such message here.')
    },
    async messages({ ids }) {
      const found = await Promise.all(ids.split(',').map(id => site.answers.message({ id }).catch(() => null)))
      return { messages: found.filter(Boolean) }
    },
    async days({ conversationID: id, by, from = '' }) {
      const { years } = await site.piece(`c/${id}/index`), months = new Map()
      for (const [year] of years) {
        if (!from.startsWith(year)) if (from) continue
        const { days } = await site.piece(`c/${id}/d/${year}`)
        if (!by) return { days: days.map(([day, messages, firstNumber]) => ({ day, messages, firstNumber })) }
        for (const [day, messages] of days) months.set(day.slice(0, -3), (months.get(day.slice(0, -3)) || 0) + messages)
      }
      return { days: [...months].map(([month, messages]) => ({ month, messages, firstID: month })) }
    },
    async hits({ words, conversationID, at }) {
      const query = words.split(/\s+(?:OR|\|)\s+/).map(terms), found = new Set()
      for (const each of query) for (const piece of await site.piecesWith(each)) found.add(piece)
      const hits = [], pieces = [...found].sort((a, b) => b - a)
      let next = at === 'newest' ? 0 : Number(at.slice(6))
      for (let read = 0; next < pieces.length && hits.length < PAGE && read < 20; next++) {
        const { conversations } = await site.answers.conversations({})
        const where = conversations.find(({ firstPiece, pieces: count }) => pieces[next] >= firstPiece && pieces[next] < firstPiece + count)
        if (!where || (conversationID && where.id !== conversationID)) continue
        const { messages } = await site.piece(`c/${where.id}/m/${pieces[next] - where.firstPiece}`)
        read++
        for (const message of messages.toReversed()) {
          const matches = matchesOf(message.text || '', query)
          if (matches) hits.push({ ...message, matches, snippet: around(message.text, matches) })
        }
      }
      return { hits, next: next < pieces.length ? { piece: next } : undefined }
    },
  },

  /** The piece of messages that is the last one for whose first number and id something holds. */
  async pieceOf(id, isBefore) {
    const { parts } = await site.piece(`c/${id}/index`), part = Math.max(0, lastIndex(parts, isBefore))
    const { pieces } = await site.piece(`c/${id}/i/${part}`)
    return site.piece(`c/${id}/m/${512 * part + Math.max(0, lastIndex(pieces, isBefore))}`)
  },

  /** How many messages are older than an id. */
  async ordinal(id, key) {
    const { first, messages } = await site.pieceOf(id, entry => keyOf(entry[1]) <= key)
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

/** Reads a query: words, "words in a row", begin*, -without. */
const terms = text => [...text.matchAll(/(-?)("[^"]*"?|\S+?)(\*?)(?=\s|$)/g)].map(([, sign, term, star]) =>
  ({ words: wordsOf(term).map(({ word }) => word), isPrefix: Boolean(star), isNot: Boolean(sign) })).filter(({ words }) => words.length)

/** The places that a query finds in a text; null if it does not hold. */
function matchesOf(text, query) {
  const held = wordsOf(text)
  const places = ({ words, isPrefix }) => held.flatMap(({ start }, at) => words.every((word, index) => {
    const found = held[at + index]?.word
    return found === word || (isPrefix && index === words.length - 1 && found?.startsWith(word))
  }) ? [{ start, end: held[at + words.length - 1].end }] : [])
  for (const each of query) {
    const found = each.map(term => ({ isNot: term.isNot, places: places(term) }))
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
