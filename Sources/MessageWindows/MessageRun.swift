import MessageModel

/// Neighbouring messages, oldest first, and the bytes they hold.
struct MessageRun: Sendable {
  private(set) var messages: [Message] = []
  private(set) var byteCount = 0
  /// Counts the changes, to tell whether there was one.
  private(set) var changeCount = 0

  var count: Int { messages.count }
  var isEmpty: Bool { messages.isEmpty }
  var first: Message? { messages.first }
  var last: Message? { messages.last }

  mutating func prepend(_ older: [Message]) {
    changeCount += 1
    messages.insert(contentsOf: older, at: 0)
    byteCount += Self.cost(of: older)
  }

  mutating func append(_ newer: [Message]) {
    changeCount += 1
    messages.append(contentsOf: newer)
    byteCount += Self.cost(of: newer)
  }

  mutating func replace(with messages: [Message]) {
    changeCount += 1
    self.messages = messages
    byteCount = Self.cost(of: messages)
  }

  mutating func keep(_ range: Range<Int>) {
    changeCount += 1
    byteCount -= Self.cost(of: messages[range.upperBound...])
    messages.removeSubrange(range.upperBound...)
    byteCount -= Self.cost(of: messages[..<range.lowerBound])
    messages.removeSubrange(..<range.lowerBound)
  }

  /// The messages that lie beyond both ends of `page`, which is not empty.
  func beyond(_ page: [Message]) -> (older: ArraySlice<Message>, newer: ArraySlice<Message>) {
    guard let first = page.first, let last = page.last else { return ([], []) }
    return (messages[..<index(atOrAfter: first.id)], messages[index(after: last.id)...])
  }

  /// Whether one of these messages lies within the reach of `page`.
  func overlaps(_ page: [Message]) -> Bool {
    guard let first = page.first, let last = page.last, let oldest = self.first, let newest = self.last else {
      return false
    }
    return first.id <= newest.id && oldest.id <= last.id
  }

  func index(of id: Message.ID) -> Int? {
    let index = index(atOrAfter: id)
    return index < messages.count && messages[index].id == id ? index : nil
  }

  /// Returns the index of the first message whose id is `id` or greater; ``count`` if there is none.
  func index(atOrAfter id: Message.ID) -> Int {
    var range = 0..<messages.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = messages[middle].id < id ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// Returns the index of the first message whose id is greater than `id`; ``count`` if there is none.
  func index(after id: Message.ID) -> Int {
    id == .highest ? count : index(atOrAfter: id.successor)
  }

  static func isAscending(_ messages: [Message]) -> Bool {
    zip(messages, messages.dropFirst()).allSatisfy { $0.id < $1.id }
  }

  private static func cost(of messages: some Sequence<Message>) -> Int {
    messages.reduce(0) { $0 + $1.byteCost }
  }
}
