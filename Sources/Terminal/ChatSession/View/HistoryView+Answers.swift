package import MessageModel
internal import MessageStorage
internal import TerminalText

/// Counted replies, until the source changes.
struct CountedAnswers {
  /// The last message read when the reader came; later replies are new. `nil` if none are.
  var readUpTo: Message.ID?
  /// Replies to first messages of threads; `nil` for none.
  fileprivate var counts: [Message.ID: AnswerCount?] = [:]
  /// Whether there are no replies at all.
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
