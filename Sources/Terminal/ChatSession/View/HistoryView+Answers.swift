package import MessageModel
internal import MessageStorage
internal import TerminalText

/// The answers to messages, as far as they were counted since the source changed last.
struct CountedAnswers {
  /// The message that was read last when the reader came: answers behind it are new. `nil` if none are.
  var readUpTo: Message.ID?
  /// The answers to messages that began threads, `nil` for none.
  fileprivate var counts: [Message.ID: AnswerCount?] = [:]
  /// Whether no message here answers another.
  fileprivate var areNone = false

  /// Whether something was counted, which a change of the source may make wrong.
  var hasAny: Bool { areNone || !counts.isEmpty }

  /// Forgets what was counted.
  mutating func forget() { (counts, areNone) = ([:], false) }
}

extension HistoryView {
  /// Forgets what was read of other messages than those held: the source has changed.
  mutating func forgetOthers() {
    quotes = [:]
    answerCounts.forget()
  }

  /// Says up to where answers have been read; those behind it are new.
  ///
  /// - Throws: ``StoreError`` if a page cannot be read.
  package mutating func countAnswers(unreadAfter mark: Message.ID?) throws(StoreError) {
    guard mark != answerCounts.readUpTo else { return }
    answerCounts.readUpTo = mark
    answerCounts.forget()
    if !window.isEmpty { try settle() }
  }

  /// The answers to a message that began a thread, counted with those of its neighbours; `nil` for none.
  mutating func answers(to message: Message, at index: Int) -> AnswerCount? {
    guard message.isThreadStart, !answerCounts.areNone else { return nil }
    if let known = answerCounts.counts[message.id] { return known }
    count(around: index)
    return answerCounts.counts[message.id] ?? nil
  }

  /// Counts the answers to a message and those next to it that are not counted yet, at once.
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
      // What could not be counted, or was stopped, is counted when the row is laid out again.
      return
    }
  }
}

extension Message {
  /// Whether it may have begun a thread: it answers no other.
  var isThreadStart: Bool { thread == nil && replyTo == nil }
}
