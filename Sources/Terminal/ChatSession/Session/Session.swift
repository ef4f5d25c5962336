internal import MessageModel
internal import MessageWindows

/// One REPL: what lines and keys mean, whoever reads.
///
/// It knows no terminal: it takes events, and its reader shows on a screen (``ScreenReader``) or prints
/// (``PrintingReader``). Whoever owns the terminal reads keys and lines, tells of changes of the store, and does what
/// ``Effects`` ask for.
package struct Session<R: Reader>: Sendable {
  package internal(set) var context: ReplContext
  package var reader: R
  /// Whether nothing is written.
  let isReadOnly: Bool
  /// The looks of messages when it began: with other looks somebody else goes on.
  let looks: ReplContext.Looks
  /// The timelines that the reader went away from.
  var trail = TimelineTrail()
  /// The look-up of who is linked to the person whose messages are shown, which takes a look at all senders.
  package var followsPerson = PacedLookUp()
  /// The look-up of what is new in the timelines of the switcher, while it is open.
  package var newsLook = PacedLookUp()
  /// The making of what covers the messages, while the store changes under it.
  package var coverLook = PacedLookUp()
  /// The way from an answer to what it answers.
  var answers: AnswerTrail?
  /// The question that waits for an answer.
  var question: Question?
  /// The present search.
  var search: HitSearch?
  /// The messages that were named because an expression took too long on them.
  private var costly: Set<Message.ID> = []
  var searchNumber = 0
  /// The number of windows of hits there were.
  var hitWindowCount = 0
  /// The search whose exchanges were listed last.
  var bestSearch: HitSearch?
  /// The list of hits that was put away last, and of which messages it was.
  var formerHits: HitList?
  var formerSelection: Selection?
  /// The shortest time between two counts of the hits while others write.
  package var recountInterval = Duration.seconds(2)
  /// When it is written how far was read.
  package var marking = Marking()
  /// The search that is being typed.
  var typing: TypedSearch?
  /// The line that was being typed when the switcher was shown, to come back when it is put away.
  var lineAside: String?
  /// The line that was put back last: it was not typed again.
  var lineGivenBack: String?
  /// Commands of files that wait to be carried out.
  var sourced: [CommandFile.Line] = []
  /// In how many files the command is that is being carried out; 0 for one that was typed.
  var sourceDepth = 0
  /// The line being typed, as far as it was told.
  var typedLine = ""
  /// Whether the line being typed began in something that went away without a key: its rest is no message.
  var isLineOrphaned = false
  /// The progress of a transfer; `nil` if there is none.
  var transfer: String?
  /// The line of the setting that was changed last, until it is known whether it is kept.
  var lastSetting: String?

  /// Begins where the reader left the context's timeline, or at its newest edge.
  init(_ context: ReplContext, _ reader: R, isReadOnly: Bool) throws(StoreError) {
    self.context = context
    self.reader = reader
    self.isReadOnly = isReadOnly
    looks = context.looks
    try takePlace()
  }

  /// Whether something long is being done, which Ctrl-C stops.
  package var isTransferring: Bool { transfer != nil }

  /// When the session wants to be told that ``ReplEvent/timePassed``; `nil` for never.
  package var wakesAt: ContinuousClock.Instant? {
    [
      hasSourced ? .now : nil, reader.wakesAt, recountsAt, marking.wakesAt, followsPerson.wakesAt,
      reader.cover.switcher == nil ? nil : newsLook.wakesAt,
      reader.cover.command == nil ? nil : coverLook.wakesAt,
    ].compactMap { $0 }.min()
  }

  /// Whether somebody else is to show messages from now on.
  var reopens: Bool { reader.traits.isAttended && context.looks != looks }

  /// Returns the error that names the messages that were passed over, each once for a line: counting comes by them again.
  mutating func costlyMessages(inNewLine: Bool) -> UsageError? {
    if inNewLine { costly = [] }
    let new = context.store.takeCostlyMessages().filter { costly.insert($0).inserted }
    return CostlyMessages.error(new)
  }

  /// Tells the reader what came of a command, and returns that.
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
