import MessageModel

/// Adjacent messages, oldest first, with the sum of their bytes.
struct MessageRun: Sendable {
  private(set) var messages: [Message] = []
  private(set) var byteCount = 0
  private(set) var journal = Journal()

  /// The changes of a step, from which a delta is made without comparing all messages.
  struct Journal: Sendable {
    /// The messages before the step, if all were replaced.
    var replaced: [Message]?
    var prepended = 0
    var appended = 0
    var trimmedOlder = 0
    var trimmedNewer = 0
  }

  var count: Int { messages.count }
  var isEmpty: Bool { messages.isEmpty }
  var first: Message? { messages.first }
  var last: Message? { messages.last }

  mutating func startStep() { journal = Journal() }

  mutating func prepend(_ older: [Message]) {
    messages.insert(contentsOf: older, at: 0)
    journal.prepended += older.count
    byteCount += Self.cost(of: older, older.indices)
  }

  mutating func append(_ newer: [Message]) {
    messages.append(contentsOf: newer)
    journal.appended += newer.count
    byteCount += Self.cost(of: newer, newer.indices)
  }

  mutating func replace(with messages: [Message]) {
    if journal.replaced == nil { journal.replaced = self.messages }
    self.messages = messages
    byteCount = Self.cost(of: messages, messages.indices)
  }

  mutating func keep(_ range: Range<Int>) {
    note(trimmedOlder: range.lowerBound, trimmedNewer: count - range.upperBound)
    byteCount -= Self.cost(of: messages, range.upperBound..<count)
    messages.removeSubrange(range.upperBound...)
    byteCount -= Self.cost(of: messages, 0..<range.lowerBound)
    messages.removeSubrange(..<range.lowerBound)
  }

  /// Messages that were added and dropped in the same step were never shown, and do not count.
  private mutating func note(trimmedOlder older: Int, trimmedNewer newer: Int) {
    let known = count - journal.prepended - journal.appended
    let knownOlder = min(max(older - journal.prepended, 0), known)
    let knownNewer = min(max(newer - journal.appended, 0), known)
    let keptStart = max(journal.prepended - max(newer - journal.appended - known, 0), 0)
    let keptEnd = max(journal.appended - max(older - journal.prepended - known, 0), 0)
    journal.prepended = max(keptStart - older, 0)
    journal.appended = max(keptEnd - newer, 0)
    journal.trimmedOlder += knownOlder
    journal.trimmedNewer += knownNewer
  }

  /// - Parameter page: Not empty.
  func beyond(_ page: [Message]) -> (older: ArraySlice<Message>, newer: ArraySlice<Message>) {
    guard let first = page.first, let last = page.last else { return ([], []) }
    return (messages[..<index(atOrAfter: first.id)], messages[index(after: last.id)...])
  }

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

  /// ``count`` if there is none.
  func index(atOrAfter id: Message.ID) -> Int {
    messages.partitioningIndex { $0.id >= id }
  }

  /// ``count`` if there is none.
  func index(after id: Message.ID) -> Int {
    id == .highest ? count : index(atOrAfter: id.successor)
  }

  static func isAscending(_ messages: [Message]) -> Bool {
    messages.indices.dropFirst().allSatisfy { messages[$0 - 1].id < messages[$0].id }
  }

  private static func cost(of messages: [Message], _ range: Range<Int>) -> Int {
    var sum = 0
    for index in range { sum += messages[index].byteCost }
    return sum
  }
}
