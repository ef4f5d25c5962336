// @ts-check
// Answers of the files of a site, for the page (page.js), which loads this where there is no server.
'use strict'

/** Reads the pieces of a site: scripts that call `scrollback.piece`, as nothing else loads from files. */
const site = {
  held: new Map(),
  coming: new Map(),
  mostPieces: 600, // that are looked through: 300,000 messages at most

  piece(name) {
    const held = site.held.get(name) || new Promise((resolve, reject) => {
      const script = make('script', { src: `data/${name}.js` })
      site.coming.set(name, resolve)
      script.onload = () => {
        script.remove()
        reject(new Trouble(`The file data/${name}.js of this site is damaged.`))
      }
      script.onerror = () => {
        script.remove()
        site.held.delete(name)
        reject(new Trouble(`The file data/${name}.js is missing from this site.`))
      }
      document.head.append(script)
    })
    site.held.delete(name)
    site.held.set(name, held)
    for (const old of site.held.keys()) if (site.held.size > 40) site.held.delete(old)
    return held
  },

  // The questions are those of docs/json.md, as far as the page asks them. What is more than a conversation as it
  // stands is answered by other files.
  async answer(question, keys) {
    const isPlain = site.answers[question] && !keys.filter && !keys.at?.startsWith('time') &&
      (keys.conversationID || !/^(page|days)$/.test(question))
    if (!isPlain) await load('sitequery.js').then(() => load('siteanswers.js'))
    return (isPlain ? site.answers : site.more)[question](keys)
  },
  ask: (question, keys) => busily(site.answer(question, keys)),

  /** All conversations, as the lists have them. */
  all() {
    return site.listed ||= site.piece('index').then(async ({ conversationPieces: count, pieces }) => {
      site.isSmall = pieces <= site.mostPieces
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
    async conversation({ conversation, conversationID, knownAs = conversation }) {
      const all = await site.all(),
        isMeant = ({ id, name }) =>
          name === knownAs || (id === conversationID && !all.some((each) => each.name === knownAs))
      return site.entry(isMeant)
    },
    async page({ conversationID, at, limit, older }) {
      const entry = await site.entry(({ id }) => id === conversationID),
        { messages: total } = entry,
        colon = at.indexOf(':')
      const [word, value] = colon < 0 ? [at] : [at.slice(0, colon), at.slice(colon + 1)]
      const place = word === 'number'
        ? value - 1
        : colon < 0
        ? 0
        : await site.ordinal(entry, keyOf(value) + (word === 'after' ? 1n : 0n))
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
      const to = Math.min(total, word === 'before' ? place : from + limit), messages = []
      while (from + messages.length < to) {
        const { first, messages: held } = await site.runOf(entry, ([number]) => number <= from + messages.length + 1)
        messages.push(
          ...held.slice(from + messages.length + 1 - first, to + 1 - first).map((message) => ({ ...message })),
        )
      }
      return { messages, total, firstNumber: from + 1, hasOlder: from > 0, hasNewer: to < total }
    },
    async message({ id }) {
      const key = keyOf(id), span = ({ firstID, lastID }) => keyOf(lastID) - keyOf(firstID)
      const holds = ({ firstID, lastID }) => keyOf(firstID) <= key && key <= keyOf(lastID)
      const isOpen = (each) => each.id === state.list.conversation?.id
      // The open one first, then those that hold few others.
      const entries = (await site.all()).filter(holds).sort((a, b) =>
        Number(isOpen(b)) - Number(isOpen(a)) || (span(a) < span(b) ? -1 : 1)
      )
      for (const entry of entries) {
        const { messages } = await site.runOf(entry, ([, first]) => keyOf(first) <= key),
          found = messages.find((message) => message.id === id)
        if (found) return found
      }
      throw new Trouble('This message is not here.')
    },
    async messages({ ids }) {
      const found = await Promise.all(ids.split(',').map((id) => site.answers.message({ id }).catch(() => null)))
      return { messages: found.filter(Boolean) }
    },
    async days({ conversationID, by, from = '' }) {
      const days = await site.days(await site.entry(({ id }) => id === conversationID)), months = new Map()
      if (!by) {
        return {
          days: days.filter(([day]) => day.startsWith(from)).map(([day, messages, firstNumber]) => ({
            day,
            messages,
            firstNumber,
          })),
        }
      }
      for (const [day, messages] of days) months.set(day.slice(0, -3), (months.get(day.slice(0, -3)) || 0) + messages)
      return { days: [...months].map(([month, messages]) => ({ month, messages, firstID: month })) }
    },
  },

  /** The last run of a conversation for whose first number and id something holds. */
  async runOf(entry, isBefore) {
    const runIn = async (index) =>
      (await site.piece(`m/${entry.firstPiece + index}`)).runs.find(({ conversation }) => conversation === entry.id)
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
    if (!entry.ownTimes) return days
    const joined = new Map()
    for (const [day, messages, first] of days) {
      joined.set(day, [day, messages + (joined.get(day)?.[1] || 0), joined.get(day)?.[2] ?? first])
    }
    return [...joined.values()].sort(([a], [b]) => (a < b ? -1 : 1))
  },

  /** How many messages are older than an id. */
  async ordinal(entry, key) {
    const { first, messages } = await site.runOf(entry, ([, id]) => keyOf(id) <= key)
    return first + lastIndex(messages, (message) => keyOf(message.id) < key)
  },

  file: ({ attachments }, index) => inside(attachments[index].path),
  thumbnail: ({ attachments }, index) => inside(attachments[index].thumbnail),
  /** The picture itself stands for the larger one. */
  preview({ attachments }, index) {
    const { path, width, height } = attachments[index], url = inside(path)
    return url && { url, side: Math.max(width, height) }
  },
}

Object.assign(window, { scrollback: { piece: (name, value) => site.coming.get(name)?.(value) } })

/** The address of a file of a site, if that is where it lies. */
const inside = (path) =>
  path?.startsWith('files/') && !path.split('/').includes('..')
    ? path.split('/').map(encodeURIComponent).join('/')
    : null

state.source = site
begin()
