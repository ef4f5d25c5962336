package import MessageModel

/// Caches the rows of messages, so that scrolling by a row lays out one message.
package struct LayoutCache: Sendable {
  private struct Key: Hashable {
    var id: Message.ID
    var revision: Int
    var quoted: Int?
    var quotedSender: String?
    var names: ShownNames
    var answers: AnswerCount?
    var result: StepResult?
  }

  private var renderer: MessageRenderer
  private var rows: [Key: [Row]] = [:]
  private var previous: [Key: [Row]] = [:]
  private let capacity: Int

  /// Holds at most twice `capacity` messages.
  package init(_ settings: LayoutSettings, capacity: Int = 256) {
    precondition(capacity > 0, "A cache holds at least one message.")
    renderer = MessageRenderer(settings)
    self.capacity = capacity
  }

  /// Changing the settings empties the cache.
  package var settings: LayoutSettings {
    get { renderer.settings }
    set {
      guard newValue != renderer.settings else { return }
      renderer = MessageRenderer(newValue)
      rows = [:]
      previous = [:]
    }
  }

  /// Returns the rows of a message; see ``MessageRenderer/rows(of:quoting:answers:result:under:)``.
  ///
  /// - Complexity: O(1) if cached.
  package mutating func rows(
    of message: Message, quoting quoted: Message? = nil, answers: AnswerCount? = nil,
    result: StepResult? = nil, under names: ShownNames = ShownNames()
  ) -> [Row] {
    let key = Key(
      id: message.id, revision: message.revision, quoted: quoted?.revision,
      quotedSender: quoted?.sender?.name, names: names, answers: answers, result: result)
    if let known = rows[key] { return known }
    let made =
      previous[key]
      ?? renderer.rows(of: message, quoting: quoted, answers: answers, result: result, under: names)
    if rows.count >= capacity {
      previous = rows
      rows = [:]
    }
    rows[key] = made
    return made
  }

  /// Returns the rows of a summary of several messages, at the place of the last of them.
  package mutating func summary(_ text: String, at message: Message) -> [Row] {
    var line = message
    (line.text, line.kind, line.sender, line.replyTo) = (text, .system, nil, nil)
    (line.attachments, line.reactions, line.deletion) = ([], [], nil)
    return renderer.rows(of: line)
  }

  /// See ``MessageRenderer/day(of:)``.
  package mutating func day(of message: Message) -> Int { renderer.day(of: message) }

  package mutating func start(ofDay daysSince1970: Int) -> Timestamp { renderer.start(ofDay: daysSince1970) }

  package func daySeparator(_ daysSince1970: Int) -> Row { renderer.daySeparator(daysSince1970) }

  package func unreadSeparator() -> Row { renderer.unreadSeparator() }
}
