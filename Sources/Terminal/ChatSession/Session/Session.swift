internal import MessageModel
internal import MessageWindows

/// A REPL: what lines and keys mean, for any reader.
///
/// It knows no terminal: it handles events, and its reader draws a screen (``ScreenReader``) or prints
/// (``PrintingReader``). The terminal's owner reads keys and lines, reports changes of the store, and carries
/// out the ``Effects``.
package struct Session<R: Reader>: Sendable {
  package internal(set) var context: ReplContext
  package var reader: R
  let isReadOnly: Bool
  var trail = TimelineTrail()
  package var lookUps = LookUps()
  var question: Question?
  var search: HitSearch?
  var searches = Searches()
  var typing: TypedSearch?
  /// Skipped messages already reported: an expression took too long on them.
  private var costly: Set<Message.ID> = []
  /// When read marks are saved.
  package var marking = Marking()
  var input = InputLine()
  var sourcing = CommandFile.Queue()
  var transfer: String?
  /// The last changed setting, until it is known whether it could be saved.
  var lastSetting: String?

  /// Begins at the kept place in the context's timeline, or at its newest edge.
  init(_ context: ReplContext, _ reader: R, isReadOnly: Bool) throws(StoreError) {
    self.context = context
    self.reader = reader
    self.isReadOnly = isReadOnly
    try takePlace()
  }

  package var isTransferring: Bool { transfer != nil }

  /// When to send ``ReplEvent/timePassed``; `nil` for never.
  package var wakesAt: ContinuousClock.Instant? {
    [
      hasSourced ? .now : nil, reader.wakesAt, recountsAt, marking.wakesAt, lookUps.person.wakesAt,
      reader.cover.switcher == nil ? nil : lookUps.news.wakesAt,
      reader.cover.command == nil ? nil : lookUps.cover.wakesAt,
    ].compactMap { $0 }.min()
  }

  /// Reports skipped messages, each once per line: counting skips them again.
  mutating func costlyMessages(inNewLine: Bool) -> UsageError? {
    if inNewLine { costly = [] }
    let new = context.store.takeCostlyMessages().filter { costly.insert($0).inserted }
    return CostlyMessages.error(new)
  }

  @discardableResult
  mutating func emit(_ effects: Effects) throws -> Effects {
    for reply in effects.replies {
      if case .question(let question) = reply {
        guard reader.traits.hasLine else { throw question.refusal }
        self.question = question
      }
      try reader.emit(reply, in: &context)
    }
    return effects
  }
}
