package import MessageModel
internal import MessageStorage
internal import TerminalText

extension HistoryView {
  mutating func block(_ index: Int) -> [ShownRow] {
    let message = unfolding(window[index])
    let before = index > 0 ? window[index - 1] : nil
    var block: [ShownRow] = []
    let folded = foldedRows(index)
    if beginsDay(message, after: before) {
      block.append(ShownRow(row: layout.daySeparator(layout.day(of: message)), isDate: true))
    } else if settings.isRoomy, folded?.isEmpty != true, let before, before.sender != message.sender {
      block.append(ShownRow(row: Row()))
    }
    if beginsUnread(message, after: before) { block.append(ShownRow(row: layout.unreadSeparator())) }
    if let folded { return block + folded.map { ShownRow(row: $0, begins: message.id) } }
    let answered = message.replyTo.flatMap { quoted($0) }
    let rows = layout.rows(
      of: message, quoting: answered.map { naming?.named($0) ?? $0 },
      answers: answers(to: message, at: index),
      result: StepResult(of: message, followedBy: index + 1 < window.count ? window[index + 1] : nil),
      under: naming?.names(of: message) ?? ShownNames())
    for (row, content) in rows.enumerated() {
      block.append(
        ShownRow(
          row: content, begins: row == 0 ? message.id : nil, folds: content.isFold ? message.id : nil))
    }
    return block
  }

  private func unfolding(_ message: Message) -> Message {
    guard let unfolded, unfolded.id == message.id, unfolded.revision == message.revision else {
      return message
    }
    var message = message
    (message.text, message.textByteCount) = (unfolded.text, unfolded.text.utf8.count)
    // Rows are kept by the revision, of which a store has no negative ones.
    message.revision = -1 - message.revision
    return message
  }

  private mutating func beginsDay(_ message: Message, after before: Message?) -> Bool {
    guard let before else { return !window.header.hasOlder }
    return layout.day(of: before) != layout.day(of: message)
  }

  private func beginsUnread(_ message: Message, after before: Message?) -> Bool {
    guard let mark = unreadAfter, message.id > mark else { return false }
    return before.map { $0.id <= mark } ?? !window.header.hasOlder
  }

  private mutating func quoted(_ id: Message.ID) -> Message? {
    if let held = window.message(id) { return held }
    if let known = quotes[id] { return known }
    if quotes.count > 512 { quotes = [:] }
    let request = PageRequest(
      Selection(window.selection.conversations), anchor: .around(id), fetchLimit: 1, wantsCounts: false)
    // A failed or cancelled read is repeated later.
    guard let page = try? (snapshot ?? source).page(request) else { return nil }
    let found = page.messages.first { $0.id == id }
    quotes[id] = .some(found)
    return found
  }
}

/// Counted replies, until the source changes.
struct CountedAnswers {
  /// The last message read when the reader came; later replies are new. `nil` if none are.
  var readUpTo: Message.ID?
  /// Replies to first messages of threads; `nil` for none.
  fileprivate var counts: [Message.ID: AnswerCount?] = [:]
  fileprivate var areNone = false

  var hasAny: Bool { areNone || !counts.isEmpty }

  mutating func forget() { (counts, areNone) = ([:], false) }
}

extension HistoryView {
  mutating func forgetOthers() {
    quotes = [:]
    answerCounts.forget()
  }

  /// Sets up to where replies are read; later ones are new.
  package mutating func countAnswers(unreadAfter mark: Message.ID?) throws(StoreError) {
    guard mark != answerCounts.readUpTo else { return }
    answerCounts.readUpTo = mark
    answerCounts.forget()
    if !window.isEmpty { try settle() }
  }

  /// Counts replies to a message together with those to its neighbours; `nil` for none.
  mutating func answers(to message: Message, at index: Int) -> AnswerCount? {
    guard message.isThreadStart, !answerCounts.areNone else { return nil }
    if let known = answerCounts.counts[message.id] { return known }
    count(around: index)
    return answerCounts.counts[message.id] ?? nil
  }

  private mutating func count(around index: Int) {
    guard let source = (snapshot ?? source) as? any AnswerSource else {
      answerCounts.areNone = true
      return
    }
    if answerCounts.counts.count > 4_096 { answerCounts.counts = [:] }
    let near =
      max(0, index - AnswerCount.mostAsked / 2)..<min(window.count, index + AnswerCount.mostAsked / 2)
    let asked = near.map { window[$0] }.filter { $0.isThreadStart && answerCounts.counts[$0.id] == nil }
      .map(\.id)
    do throws(StoreError) {
      let found = try source.answerCounts(
        of: asked, in: window.selection.conversations, unreadAfter: answerCounts.readUpTo)
      guard let found else {
        answerCounts.areNone = true
        return
      }
      for id in asked { answerCounts.counts[id] = .some(found[id]) }
    } catch {
      // A failed or cancelled count is repeated at the next layout.
      return
    }
  }
}

extension Message {
  /// Whether it may have begun a thread.
  var isThreadStart: Bool { thread == nil && replyTo == nil }
}

// MARK: Unfolding

/// A folded message that is shown from a place in its text on.
struct Unfolded: Hashable {
  let id: Message.ID
  /// The message's revision; another text is folded as usual.
  let revision: Int
  let text: String
}

extension HistoryView {
  /// Whether a message is folded and what is shown of it has no match of the search.
  mutating func hidesHit(of id: Message.ID) -> Bool {
    guard let index = window.index(of: id) else { return false }
    let rows = block(index)
    return rows.contains { $0.folds == id } && !rows.contains { $0.row.spans.contains { $0.style == .hit } }
  }

  /// Shows a message from the line with the first match on; nothing changes if the text has none.
  ///
  /// - Parameter text: The message's whole text.
  /// - Complexity: O(bytes).
  mutating func unfold(_ id: Message.ID, _ text: String) throws(StoreError) {
    guard let message = window.message(id), let place = settings.firstHit(in: text) else { return }
    let line = text[..<place].lastIndex(of: "\n").map { text.index(after: $0) } ?? text.startIndex
    // Of a long line only some words before the match are shown.
    let near = text.index(place, offsetBy: -settings.textColumns / 2, limitedBy: line) ?? line
    let start = text[near..<place].distance(from: line, to: place) > settings.textColumns ? near : line
    unfolded = Unfolded(id: id, revision: message.revision, text: "… " + text[start...])
    try settle()
  }

  mutating func foldAgain() { unfolded = nil }
}
