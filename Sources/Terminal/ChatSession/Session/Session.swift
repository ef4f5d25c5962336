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
  /// The settings at its beginning; if they change, the window must be reopened.
  let looks: ReplContext.Looks
  var trail = TimelineTrail()
  /// Looks up the person's linked accounts, which reads all senders.
  package var followsPerson = PacedLookUp()
  /// Looks up unread messages for the switcher while it is open.
  package var newsLook = PacedLookUp()
  /// Renews what covers the messages when the store changes.
  package var coverLook = PacedLookUp()
  var answers: AnswerTrail?
  var question: Question?
  var search: HitSearch?
  /// Skipped messages already reported: an expression took too long on them.
  private var costly: Set<Message.ID> = []
  var searchNumber = 0
  var hitWindowCount = 0
  var bestSearch: HitSearch?
  /// The last closed list of hits, and its selection.
  var formerHits: HitList?
  var formerSelection: Selection?
  /// The least time between two counts of hits while others write.
  package var recountInterval = Duration.seconds(2)
  /// When read marks are saved.
  package var marking = Marking()
  var typing: TypedSearch?
  /// The typed line before the switcher opened, restored when it closes.
  var lineAside: String?
  /// The last restored line, which was not typed again.
  var lineGivenBack: String?
  var sourced: [CommandFile.Line] = []
  /// The nesting depth of the present command's file; 0 for a typed command.
  var sourceDepth = 0
  var typedLine = ""
  /// Whether the typed line began in something that closed without a key: the rest of it is no message.
  var isLineOrphaned = false
  var transfer: String?
  /// The last changed setting, until it is known whether it could be saved.
  var lastSetting: String?

  /// Begins at the kept place in the context's timeline, or at its newest edge.
  init(_ context: ReplContext, _ reader: R, isReadOnly: Bool) throws(StoreError) {
    self.context = context
    self.reader = reader
    self.isReadOnly = isReadOnly
    looks = context.looks
    try takePlace()
  }

  package var isTransferring: Bool { transfer != nil }

  /// When to send ``ReplEvent/timePassed``; `nil` for never.
  package var wakesAt: ContinuousClock.Instant? {
    [
      hasSourced ? .now : nil, reader.wakesAt, recountsAt, marking.wakesAt, followsPerson.wakesAt,
      reader.cover.switcher == nil ? nil : newsLook.wakesAt,
      reader.cover.command == nil ? nil : coverLook.wakesAt,
    ].compactMap { $0 }.min()
  }

  /// Whether the window must be reopened with new settings.
  var reopens: Bool { reader.traits.isAttended && context.looks != looks }

  /// Reports skipped messages, each once per line: counting skips them again.
  mutating func costlyMessages(inNewLine: Bool) -> UsageError? {
    if inNewLine { costly = [] }
    let new = context.store.takeCostlyMessages().filter { costly.insert($0).inserted }
    return CostlyMessages.error(new)
  }

  @discardableResult
  mutating func tell(_ effects: Effects) throws -> Effects {
    for reply in effects.replies {
      if case .question(let question) = reply {
        guard reader.traits.hasLine else { throw question.refusal }
        self.question = question
      }
      try reader.tell(reply, in: &context)
    }
    return effects
  }
}
