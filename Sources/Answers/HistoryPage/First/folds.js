// @ts-check
// Threads: what messages began, with what came of it. Replies are folded, and opened beside.

const thread = (id) => () => lazily('threads.js', () => openThread(id))
const countOf = ({ answers, exact, newestTime, newestPrecision }) =>
  `${number(answers)}${exact === false ? '+' : ''} ${answers === 1 ? 'reply' : 'replies'} · last on ${
    shortDay.format(dateShown({ time: newestTime, precision: newestPrecision }))
  }`

const threads = {
  /**
   * Whether a reply is folded away (`folded`), as what began its thread stands above, or is a line for others, too
   * (`stub`, `again`).
   */
  fold({ thread, id }, told, isUnread, number) {
    if (
      !thread || thread === id || state.list.conversation.query || state.threads.open.has(thread) ||
      state.search.matches.has(id)
    ) {
      return ''
    }
    if (!told.has(thread) || isUnread) return 'stub'
    // A long row of replies is named again, once; what has few of them need not be.
    return number % MOST_FOLDED || told.get(thread) || state.threads.known.get(thread)?.answers <= MOST_FOLDED
      ? 'folded'
      : 'again'
  },

  stub(message, isAgain) {
    const { thread: id } = message, { sender, text, ...known } = state.threads.known.get(id) || {}
    // What is told again in a long row of replies need not say all of it.
    if (isAgain) return press('fold', `↳ more replies · ${shortDay.format(dateShown(message))}`, thread(id))
    return press(
      'fold',
      '↳ ',
      thread(id),
      make('b', null, known.answers ? countOf(known) : 'Replies in a thread'),
      ' ',
      sender ? named(sender) : '',
      ' ',
      make('bdi', null, line(text)),
    )
  },

  /** Shows the replies of a thread where they stand, too. */
  reveal({ message, element }) {
    if (!element.matches('.folded, .stub')) return
    state.threads.open.add(message.thread)
    list.change(list.decorate)
  },

  /** Asks what became of messages that are held, a while after they came. */
  ask() {
    if (countsReplies()) {
      state.threads.timer ??= setTimeout(
        () =>
          lazily('threads.js', () => countReplies(state.list.rows.map(({ message }) => message))).finally(() =>
            state.threads.timer = null
          ),
        200,
      )
    }
  },
}

/** Up to three of those who replied, as far as they are held: who did last is known. */
function facesOf(id, { newestSender }) {
  const replies = state.list.rows.filter(({ message }) => message.thread === id && message.id !== id)
  const names = new Set([newestSender, ...replies.reverse().map(({ message }) => message.sender)].filter(Boolean))
  const face = (name) => tint(make('i', { 'data-initial': initialOf(name) }), name)
  return make('span.faces', { 'aria-hidden': true }, ...[...names].slice(0, 3).map(face))
}

function repliesTo({ id }) {
  const known = state.threads.known.get(id)
  if (!known) return ''
  return press(known.answers > 1 ? 'replies' : 'replies.one', facesOf(id, known), thread(id), countOf(known))
}
