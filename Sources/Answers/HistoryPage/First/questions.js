// @ts-check
// Where answers come from: a server.

/** What is asked for a place of the page: a new question there stops the one before. */
const wish = (place) => state.wishes[place]?.signal
const instead = (place) => {
  state.wishes[place]?.abort()
  return (state.wishes[place] = new AbortController()).signal
}

const server = {
  /** Says so while an answer is long in coming. */
  late(change) {
    state.server.waiting += change
    const text = 'The server has not answered yet. This page continues when it does.'
    if (state.server.waiting ? $('trouble').hidden : $('trouble').textContent === text) {
      trouble(state.server.waiting ? text : '')
    }
  },

  ask: (question, keys, signal) => busily(server.answer(question, keys, signal)),

  async answer(question, keys, signal) {
    const query = new URLSearchParams()
    const add = (name, value) => {
      if (value && typeof value === 'object') {
        Object.entries(value).forEach(([key, each]) => add(`${name}.${key}`, each))
      } else if (value != null) query.append(name, value)
    }
    Object.entries(keys).forEach(([name, value]) => add(name, value))
    if (['page', 'hits', 'message', 'messages'].includes(question)) add('marks', true)
    let answer, isLate
    // What is only counted says so where the number is to stand.
    const late = keys.limit === 0 ? 0 : setTimeout(() => server.late(isLate = 1), LATE)
    try {
      const response = await fetch(`api/${question}?${query}`, { signal })
      // Who asked is never answered: the page is loaded again.
      if (live.isOther(response.headers.get('Scrollback-Store'))) return new Promise(() => {})
      const writes = response.headers.get('Scrollback-Writes') || ''
      state.server.marks ||= writes.includes('read')
      state.server.stars ||= writes.includes('stars')
      answer = await response.json()
    } catch {
      if (signal?.aborted) throw new Trouble('', 'superseded')
      live.lost()
      throw new Trouble('The server does not answer.', 'gone')
    } finally {
      clearTimeout(late)
      if (isLate) server.late(-1)
    }
    const { summary, cause, remedy } = answer
    if (answer.answer === 'error') throw new Trouble(sentenceOf(summary, cause, remedy), answer.kind)
    if (question === 'hits') {
      for (const hit of answer.hits) {
        for (const part of [hit, hit.snippet]) {
          if (part?.matches) part.matches = inUnits(part.text || '', part.matches)
        }
      }
    }
    return answer
  },
  file: ({ id, attachments }, index) => attachments[index].stored ? `attachment/${id}/${index}` : null,
  thumbnail: ({ id, attachments }, index) =>
    attachments[index].pictures?.match(/^(made|pending)$/) ? `attachment/${id}/${index}/thumbnail` : null,
  preview: ({ id }, index) => ({ url: `attachment/${id}/${index}/preview`, side: 1280 }),
}

const keyOf = (id) => BigInt(id)

/** The index of the last element for which something holds, as for all before it; -1 if for none. */
function lastIndex(sorted, holds) {
  let low = 0, high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(sorted[middle])) low = middle + 1
    else high = middle
  }
  return low - 1
}

const isSite = document.querySelector('meta[name=scrollback-source]').getAttribute('content') === 'site'
const hasEverything = () => !isSite || site.isSmall
/** Whether replies are counted: in a site where that is a look at few files. */
const countsReplies = () => !isSite || baseOf(state.list.conversation).pieces <= 24
state.source = server

// What is read is a conversation or, with keys of a question in place of its id, all of them or what there is with a
// person.
const everything = { id: 'all', name: 'Everything', address: 'everything', keys: {}, when: Infinity }

function withPerson({ name, messages }) {
  const address = `with:${encodeURIComponent(name)}`
  return { id: address, name, address, keys: { person: name }, about: `wrote ${plural(messages, 'message')}` }
}

/** Some of the messages of what else can be read: those that a query finds. */
const filtered = (base, query) =>
  query
    ? {
      ...base,
      base,
      query,
      id: `${base.id}?${query}`,
      unread: 0,
      isExact: true,
    }
    : base
const baseOf = (scope) => scope?.base || scope

const keysOf = ({ id, keys, base, query }) =>
  query ? { ...keysOf(base), filter: { matching: query }, timeZone: zone } : keys || { conversationID: id }
/** An address has the id of a conversation, and its name for those who read it and for when the id is gone. */
const addressOf = ({ id, name, address, base, query }) =>
  query ? `${addressOf(base)}?${encodeURIComponent(query)}` : address || `c${id}:${encodeURIComponent(name)}`
/** What stands behind the # for a message, or for all that is open. */
const isPart = ({ keys, query }) => Boolean(keys || query)
const hashOf = (id) =>
  !id
    ? addressOf(state.list.conversation)
    : isPart(state.list.conversation)
    ? `${addressOf(state.list.conversation)}@${id}`
    : id

/** Asks for a page; where few of very many messages are found reading stops now and then, and goes on. */
async function page(conversation, keys, signal) {
  for (let at = keys.at;;) {
    const found = await state.source.ask('page', { ...keysOf(conversation), ...keys, at }, signal)
    if (conversation.query && !keys.filter) conversation.isExact = found.exact !== false
    if (keys.limit === 0 || found.messages.length || !found.next) return found
    at = Object.entries(found.next)[0].join(':')
  }
}

/** The conversation of a message, where several or only some messages are shown: a link to where it stands there. */
const where = ({ id, conversation }) =>
  state.list.conversation.keys
    ? tint(make('a.where', { href: `#m${id}`, tabIndex: -1 }, make('bdi', null, titled(conversation))), conversation)
    : state.list.conversation.query
    ? make('a.where.context', { href: `#m${id}`, tabIndex: -1 }, 'in context')
    : ''
