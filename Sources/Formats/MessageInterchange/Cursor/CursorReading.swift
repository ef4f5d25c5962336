internal import MessageModel

/// Where the messages of the current chat go, and the times of those without one.
struct CursorReading {
  let place: Int
  var rows: CursorRows?
  /// Whether the chat no longer lists the next message.
  var isLeftBehind = false
  private(set) var count = 0

  private var session: CursorSession
  private let folder: String?
  private let isTimeless: Bool
  private var talk: AssistantTalk?
  private var leftBehind: AssistantTalk?
  private var last: CursorSession.Moment?
  private var timelessCount = 0

  /// - Parameters:
  ///   - folder: The storage's workspace, for chats that do not name theirs.
  ///   - isTimeless: Whether its messages have no times.
  init(_ session: CursorSession, at place: Int, folder: String?, isTimeless: Bool = false) {
    self.isTimeless = isTimeless
    self.session = session
    self.place = place
    self.folder = folder
  }

  /// - Parameters:
  ///   - id: For a message without an id of its own.
  ///   - listed: The time in the chat's list of messages.
  mutating func take(
    _ fields: JSONFields, _ original: Bytes, id: String, _ listed: CursorSession.Moment?,
    _ times: inout LooseTime, _ options: ImportOptions, into sink: inout RecordSink
  ) throws(JSONError) {
    count += 1
    let bubble = try CursorBubble(fields, original, &times)
    guard !bubble.parts.isEmpty else { return }
    guard let moment = moment(bubble.time ?? listed) else {
      timelessCount += 1
      return
    }
    let talk = begin(with: bubble, at: moment, options, into: &sink)
    sink.append(
      bubble.parts, at: moment.time, precision: moment.precision,
      by: bubble.isMine ? options.me ?? "me" : "Cursor",
      senderID: bubble.isMine ? nil : bubble.model ?? session.model, platform: CursorHistory.platform,
      id: "\(session.id)/\(bubble.id ?? id)", original: options.keepsOriginal ? original : nil,
      conversation: sink.conversation(of: talk, options))
  }

  func finish(into sink: inout RecordSink) {
    guard timelessCount > 0 else { return }
    let messages = timelessCount == 1 ? "1 message" : "\(timelessCount) messages"
    sink.skip(
      reason: "\(messages) of the chat \(session.id.prefix(80)): neither they nor the chat have a time")
  }

  /// The message's own time, or else that of the previous message or of the chat.
  private mutating func moment(_ own: CursorSession.Moment?) -> CursorSession.Moment? {
    last = own ?? last ?? session.started.map { ($0.time, isTimeless ? .day : $0.precision) }
    return last
  }

  private mutating func begin(
    with bubble: CursorBubble, at moment: CursorSession.Moment, _ options: ImportOptions,
    into sink: inout RecordSink
  ) -> AssistantTalk {
    let trunk = talk ?? firstTalk(with: bubble, at: moment, options, into: &sink)
    talk = trunk
    guard isLeftBehind else { return trunk }
    let branch =
      leftBehind
      ?? AssistantTalk("left behind", of: trunk, id: "left-behind", title: bubble.parts.first?.text)
    leftBehind = branch
    return branch
  }

  private mutating func firstTalk(
    with bubble: CursorBubble, at moment: CursorSession.Moment, _ options: ImportOptions,
    into sink: inout RecordSink
  ) -> AssistantTalk {
    session.folder = (session.folder ?? bubble.folder ?? folder).map(CursorWorkspace.path)
    if session.title == nil { session.title = bubble.parts.first { $0.kind == .text }?.text }
    let talk = session.talk
    let beginning = session.started ?? moment
    sink.append(
      [session.facts.part], at: min(beginning.time, moment.time), by: nil, platform: CursorHistory.platform,
      id: "\(session.id)/facts", conversation: sink.conversation(of: talk, options))
    return talk
  }
}
