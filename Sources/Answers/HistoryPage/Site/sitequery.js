// @ts-check
// The language in which a site is asked (docs/queries.md, docs/site.md), for siteanswers.js: words as the index has
// them, times as people say them, terms.
'use strict'

{
  const REFUSED = ['person', 'filter', 'regex', 'is', 'file', 'forwarded', 'project', 'branch', 'model', 'tool']

  // ---- Words

  // They are cut and folded as in the index: what is written without spaces is cut into its characters.
  const ALONE = [
    '\\u0E00-\\u0EFF\\u1000-\\u109F\\u1100-\\u11FF\\u1780-\\u17FF',
    '\\u2E80-\\uA4CF\\uA960-\\uA97F\\uAC00-\\uD7FF\\uF900-\\uFAFF',
    '\\uFF66-\\uFFDC\\u{1B000}-\\u{1B16F}\\u{20000}-\\u{3FFFD}',
  ].join('')
  const WORDS = RegExp(`[[\\p{L}\\p{N}\\p{M}]&&[${ALONE}]]|[[\\p{L}\\p{N}\\p{M}]--[${ALONE}]]+`, 'gv')
  const folded = (text) => text.normalize('NFD').replace(/[\u0300-\u036f]/g, '').toLowerCase().replaceAll('ς', 'σ')

  function wordsOf(text) {
    const words = []
    for (const { 0: found, index: start } of text.matchAll(WORDS)) {
      const place = { start, end: start + found.length }, word = [...folded(found)]
      if (/[\uAC00-\uD7A3]/.test(found)) words.push(...word.map((word) => ({ word, ...place })))
      else if (word.length) words.push({ word: word.slice(0, 32).join(''), ...place })
    }
    return words
  }

  /** The places that words have in a text; null if it does not hold them. */
  function placesOf(text, terms) {
    const held = wordsOf(text), small = terms.some(({ literal }) => literal) && text.toLowerCase()
    const places = ({ words, isPrefix, literal }) =>
      literal && !small.includes(literal) ? [] : held.flatMap(({ start }, at) =>
        words.every((word, index) => {
            const found = held[at + index]?.word
            return found === word || (isPrefix && index === words.length - 1 && found?.startsWith(word))
          })
          ? [{ start, end: held[at + words.length - 1].end }]
          : []
      )
    const found = terms.map((term) => ({ isNot: term.isNot, places: places(term) }))
    return found.every(({ isNot, places }) => isNot === !places.length)
      ? found.flatMap(({ places }) => places).sort((a, b) => a.start - b.start)
      : null
  }

  /** The surroundings of the first place that was found. */
  function around(text = '', matches) {
    const near = Math.max(0, (matches[0]?.start ?? 0) - 60),
      begun = /\S*$/.exec(text.slice(Math.max(0, near - 30), near))[0].length
    // It begins with a word, unless that is a long one.
    const from = near - begun % 30, shown = cut(text.slice(from), 240), lead = from ? '… ' : ''
    const shift = lead.length - from
    return {
      text: lead + shown,
      matches: matches.map(({ start, end }) => ({ start: start + shift, end: end + shift })),
    }
  }

  /** The pieces that hold all words of some terms; null if all may. */
  async function piecesWith(terms) {
    let found = null
    for (const { words, isPrefix, isNot } of terms) {
      if (isNot) continue
      for (const [index, word] of words.entries()) {
        const pieces = await piecesOf(word, isPrefix && index === words.length - 1)
        found = found ? new Set([...found].filter((piece) => pieces.has(piece))) : pieces
      }
    }
    return found
  }

  async function piecesOf(word, isPrefix) {
    const { first } = await site.piece('search/index'), found = new Set()
    for (
      let at = Math.max(0, lastIndex(first, (each) => each <= word));
      at < first.length && (first[at] <= word || (isPrefix && first[at].startsWith(word)));
      at++
    ) {
      const { words } = await site.piece(`search/${at}`)
      for (const each of isPrefix ? Object.keys(words).filter((each) => each.startsWith(word)) : [word]) {
        let piece = 0
        for (const step of Object.hasOwn(words, each) ? words[each].split(' ') : []) {
          const [difference, times = 1] = step.split('*').map(Number)
          for (let n = 0; n < times; n++) found.add(piece += difference)
        }
      }
    }
    return found
  }

  // ---- Times, as people say them (docs/queries.md)

  const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' '),
    WEEKDAYS = 'sun mon tue wed thu fri sat'.split(' ')
  const UNITS = {
    s: 'second',
    sec: 'second',
    m: 'minute',
    min: 'minute',
    h: 'hour',
    d: 'day',
    w: 'week',
    mo: 'month',
    y: 'year',
  }
  const LENGTHS = { second: 1000, minute: 60_000, hour: 3_600_000 }
  const COUNTS = ' a two three four five six seven eight nine ten'.split(' ')

  const unitOf = (word) =>
    UNITS[word] ||
    (['week', 'day', 'month', 'year', 'second', 'minute', 'hour'].includes(word?.replace(/s$/, ''))
      ? word.replace(/s$/, '')
      : null)
  const monthOf = (word) =>
    /^\p{L}{3,}$/u.test(word || '') &&
      'january february march april may june july august september october november december'.split(' ').some((name) =>
        name === word || name.slice(0, 3) === word
      )
      ? MONTHS.indexOf(word.slice(0, 3))
      : -1
  const weekdayOf = (word) =>
    'sunday monday tuesday wednesday thursday friday saturday'.split(' ').some((name) =>
        name === word || name.slice(0, 3) === word
      )
      ? WEEKDAYS.indexOf(word.slice(0, 3))
      : -1

  /** A date by its parts, which has them all; null if there is no such day. */
  function dateWith(year, month = 0, day = 1) {
    const date = new Date(2000, 0, 1)
    date.setFullYear(year, month, day)
    return date.getMonth() === month && date.getDate() === day ? date : null
  }

  function shift(date, count, unit) {
    const to = new Date(date)
    if (LENGTHS[unit]) to.setTime(to.getTime() + count * LENGTHS[unit])
    else if (unit === 'day' || unit === 'week') to.setDate(to.getDate() + count * (unit === 'week' ? 7 : 1))
    else {
      const day = to.getDate()
      to.setDate(1)
      to.setMonth(to.getMonth() + count * (unit === 'year' ? 12 : 1))
      to.setDate(Math.min(day, new Date(to.getFullYear(), to.getMonth() + 1, 0).getDate()))
    }
    return to
  }

  /** A time of day, in minutes. */
  function minutesOf(text) {
    if (text === 'noon' || text === 'midnight') return text === 'noon' ? 720 : 0
    const [, hour, minute = '0', half] = /^(\d\d?)(?::(\d\d)(?::\d\d)?)?(am|pm)?$/.exec(text) || []
    if (!hour || (!text.includes(':') && !half) || +minute > 59 || +hour > (half ? 12 : 23)) return null
    return (half ? +hour % 12 + (half === 'pm' ? 12 : 0) : +hour) * 60 + +minute
  }

  /** A day, month or year in some words: where it begins, and its unit. */
  function dayIn(words, now) {
    const [first, second, third] = words, text = words.join(' ')
    let found = /^(\d{4,6})(?:[-/](\d\d?))?(?:[-/](\d\d?))?$/.exec(text)
    if (found) {
      return [
        dateWith(+found[1], +(found[2] || 1) - 1, +(found[3] || 1)),
        found[3] ? 'day' : found[2] ? 'month' : 'year',
      ]
    }
    if (found = /^(\d\d?)\.(\d\d?)\.(\d{4})$/.exec(text)) return [dateWith(+found[3], +found[2] - 1, +found[1]), 'day']
    const today = dateWith(now.getFullYear(), now.getMonth(), now.getDate()),
      near = { today: 0, yesterday: -1, tomorrow: 1 }[text]
    if (near !== undefined) return [shift(today, near, 'day'), 'day']
    const isLast = first === 'last',
      unit = words.length === 2 && (isLast || first === 'this') && ['week', 'month', 'year'].includes(second)
        ? second
        : null
    if (unit) {
      const start = unit === 'week'
        ? shift(today, -(today.getDay() + 6) % 7, 'day')
        : dateWith(now.getFullYear(), unit === 'year' ? 0 : now.getMonth())
      return [shift(start, isLast ? -1 : 0, unit), unit]
    }
    const rest = isLast ? words.slice(1) : words, weekday = rest.length === 1 ? weekdayOf(rest[0]) : -1
    if (weekday >= 0) return [shift(today, -1 - (today.getDay() + 6 - weekday) % 7, 'day'), 'day']
    const at = rest.findIndex((word) => monthOf(word) >= 0),
      month = monthOf(rest[at]),
      numbers = rest.filter((_, index) => index !== at)
    if (at < 0 || numbers.length > 2 || numbers.some((word) => !/^\d{1,2}$|^\d{4}$/.test(word))) return null
    const year = numbers.find((word) => word.length === 4), day = numbers.find((word) => word.length < 4)
    if (numbers.length === 2 && (!year || !day || numbers[1] !== year)) return null
    if (year) return [dateWith(+year, month, +(day || 1)), day ? 'day' : 'month']
    for (let back = 0; back < 9; back++) {
      const date = dateWith(now.getFullYear() - back, month, +(day || 1))
      if (date && date <= now && !(isLast && !back && month === now.getMonth())) return [date, day ? 'day' : 'month']
    }
    return null
  }

  /** The time that a text means, from its beginning to what follows it, in milliseconds; null if it means none. */
  function period(text, now = new Date()) {
    const lower = text.trim().toLowerCase().replace(/,/g, ' ').replace(/(\d) (?=[ap]m\b)/g, '$1')
    if (
      /^\d{4,6}-\d\d-\d\d(t\d\d:\d\d(:\d\d(\.\d+)?)?(z|[+-]\d\d:?\d\d)?| \d\d:\d\d(:\d\d(\.\d+)?)?(z|[+-]\d\d:?\d\d))$/
        .test(lower)
    ) {
      const moment = Date.parse(lower.replace(' ', 't').toUpperCase())
      return Number.isNaN(moment) ? null : [moment, moment + 1]
    }
    const words = lower.split(/\s+/),
      [, count, unit] = /^[-+]?(\d+)\s*(\p{L}+)(?: ago)?$/u.exec(lower) || /^([a-z]+) (\p{L}+) ago$/u.exec(lower) || []
    if (lower === 'now') return [now.getTime(), now.getTime() + 1]
    const times = /^\d+$/.test(count) ? +count : Math.max(COUNTS.indexOf(count), count === 'an' ? 1 : 0)
    if (unitOf(unit) && times > 0 && (/ ago$/.test(lower) || /^[-+]/.test(lower))) {
      const moment = shift(now, lower[0] === '+' ? times : -times, unitOf(unit)).getTime()
      return [moment, moment + 1]
    }
    const clockAt = words.length > 1 || minutesOf(words[0]) !== null ? minutesOf(words.at(-1)) : null
    const [start, known] = dayIn(clockAt === null ? words : words.length > 1 ? words.slice(0, -1) : ['today'], now) ||
      []
    if (!start || (clockAt !== null && known !== 'day')) return null
    if (clockAt === null) return [start.getTime(), shift(start, 1, known).getTime()]
    start.setHours(0, clockAt)
    return [start.getTime(), start.getTime() + 60_000]
  }

  function timeOf(text) {
    const found = period(text)
    if (!found) {
      throw new Trouble(
        `“${line(text)}” is not a time. Times look like 2019, march 2019, 2019-03-05, yesterday, 3 weeks ago.`,
      )
    }
    return found
  }

  // ---- Queries: words and terms, OR between. An alternative has all that must hold.

  const TERM = /^(\p{Alphabetic}[\p{Alphabetic}-]*):(.*)$/su,
    TIMED = ['since', 'until', 'before', 'after', 'on'],
    TESTED = ['from', 'in', 'has', 'kind', 'thread']
  /** Whether the index of words answers a text alone. */
  const isOfWords = (text) =>
    alternativesOf(text).every(({ words, terms }) => !terms.length && words.some(({ isNot }) => !isNot))
  const unquoted = (text) => /^"/.test(text) ? text.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1') : text

  /** What stands side by side, with its sign, its key where it is a term, and a star behind it. */
  function tokensOf(text) {
    return [...text.matchAll(/(?:^|(?<=\s))(-?)((?:\p{Alphabetic}+:)?"(?:[^"\\]|\\.)*"?|\S+?)(\*?)(?=\s|$)/gsu)].map(
      ([, sign, term, star]) => {
        const [, key, value] = term[0] === '"' ? [] : TERM.exec(term) || [], known = key?.toLowerCase()
        const isTerm = known &&
          ([...TIMED, ...TESTED, ...REFUSED].includes(known) ? true : value && !/^[:/)]/.test(value))
        return {
          isNot: Boolean(sign),
          text: term,
          star,
          key: isTerm ? known : null,
          value: isTerm ? unquoted(value + star) : null,
          isQuoted: term[0] === '"' || /^"/.test(value || ''),
        }
      },
    )
  }

  const GROUP = '\u0002', MOST_ALTERNATIVES = 64
  const joined = (all, next) =>
    all.flatMap((a) => next.map((b) => ({ words: [...a.words, ...b.words], terms: [...a.terms, ...b.terms] })))

  /** A query with a sign in place of each part in parentheses; the parts are put into a list. */
  function withoutGroups(text, groups) {
    let depth = 0, start = 0, flat = ''
    for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\]|\\.)*"?|(?<=^|[\s(-])\(|\)/gs)) {
      if (sign === '(' && !depth++) flat += text.slice(start, index)
      else if (sign !== ')' || !depth || --depth) continue
      else flat += `${GROUP}${groups.push(text.slice(start, index)) - 1} `
      start = index + 1
    }
    if (depth) throw new Trouble('A “)” is missing in the search.')
    return flat + text.slice(start)
  }

  function alternativesOf(text) {
    const groups = [],
      tokens = tokensOf(withoutGroups(text.replaceAll(GROUP, ' '), groups)),
      all = [{ words: [], terms: [], groups: [] }]
    let isNot = false
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at],
        { text: word, key, isQuoted } = token,
        { words, terms } = all.at(-1),
        isTurned = isNot || token.isNot
      if (!isQuoted && !key && ['OR', '|'].includes(word)) all.push({ words: [], terms: [], groups: [] })
      else if (!isQuoted && word === 'NOT') {
        isNot = true
        continue
      } else if (word[0] === GROUP) {
        if (isTurned) throw new Trouble('A site cannot leave out what stands in parentheses.')
        all.at(-1).groups.push(alternativesOf(groups[word.slice(1)]))
      } else if (key) {
        let { value } = token
        if (![...TIMED, ...TESTED].includes(key)) {
          throw new Trouble(
            `A site cannot answer '${key}:'${
              REFUSED.includes(key) ? ', which needs the program (scrollback serve)' : ''
            }. In quotes it is a text: "${line(word)}"`,
          )
        }
        // Words that belong to a time need no quotes.
        if (TIMED.includes(key) && !isQuoted) {
          for (let more = Math.min(4, tokens.length - 1 - at); more; more--) {
            const longer = [value, ...tokens.slice(at + 1, at + 1 + more).map(({ text }) => text)].join(' ')
            // A number behind a day may be anything; behind a month it is a day.
            const isHour = / \d{1,2}$/.test(longer) && monthOf(longer.toLowerCase().split(' ').at(-2)) < 0
            if (!isHour && period(longer)) {
              value = longer
              at += more
              break
            }
          }
        }
        terms.push({ key, value, isNot: isTurned })
      } else if (isQuoted || !['AND', '&'].includes(word)) {
        const found = wordsOf(word).map(({ word }) => word),
          literal = /^\.|[#@+_\/\\$%&=<>~^]/.test(word) && !isQuoted ? word.toLowerCase() : ''
        if (found.length) words.push({ words: found, literal, isPrefix: Boolean(token.star), isNot: isTurned })
      }
      isNot = false
    }
    const used = all.flatMap(({ words, terms, groups }) => groups.reduce(joined, [{ words, terms }])).filter((
      { words, terms },
    ) => terms.length || words.length)
    if (used.length > MOST_ALTERNATIVES) throw new Trouble('This search has too many alternatives for a site.')
    if (!used.length) throw new Trouble('Type a word: a site finds words of letters and digits.')
    return used
  }

  /** The range of time that an alternative is about, in milliseconds. */
  function rangeOf({ terms }) {
    let from = -Infinity, to = Infinity
    for (const { key, value, isNot } of terms) {
      if (!TIMED.includes(key)) continue
      const [start, end] = timeOf(value),
        isLower = (key === 'since' || key === 'after') !== isNot,
        edge = key === 'after' ? end : start
      if (key === 'on' && isNot) continue
      if (key === 'on' || isLower) from = Math.max(from, key === 'on' ? start : edge)
      if (key === 'on' || !isLower) to = Math.min(to, key === 'on' ? end : edge)
    }
    return [from, to]
  }

  Object.assign(site, { TESTED, alternativesOf, around, isOfWords, period, placesOf, piecesWith, rangeOf, timeOf })
}
