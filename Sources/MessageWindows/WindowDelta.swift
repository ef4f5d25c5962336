public import MessageModel

/// What changed in a window in one step, and how it lies in the selection since.
///
/// ``apply(to:)`` turns the messages held before into those held after.
public struct WindowDelta: Hashable, Sendable {
  /// How many of the oldest messages were let go of.
  public var trimmedOlder = 0
  /// How many of the newest messages were let go of.
  public var trimmedNewer = 0
  /// Messages that are in the selection no more: deleted, or left by the filter.
  public var removed: [Message.ID] = []
  /// Messages that were held and are of another revision now.
  public var changed: [Message] = []
  /// Messages that were not held before, oldest first.
  public var inserted: [Message] = []
  /// How the window lies in the selection after all this.
  public var header: WindowHeader

  /// Whether the messages are the same as before, and only the header tells something new.
  public var isHeaderOnly: Bool {
    trimmedOlder == 0 && trimmedNewer == 0 && removed.isEmpty && changed.isEmpty && inserted.isEmpty
  }

  /// Carries out the change on the messages that were held before it, oldest first.
  ///
  /// - Complexity: O(held before + after).
  public func apply(to messages: inout [Message]) {
    messages.removeLast(trimmedNewer)
    messages.removeFirst(trimmedOlder)
    let gone = Set(removed)
    let newer = Dictionary(uniqueKeysWithValues: changed.map { ($0.id, $0) })
    let kept = messages.filter { !gone.contains($0.id) }.map { newer[$0.id] ?? $0 }
    messages = Self.merged(kept, inserted)
  }

  private static func merged(_ a: [Message], _ b: [Message]) -> [Message] {
    var result: [Message] = []
    result.reserveCapacity(a.count + b.count)
    var rest = b[...]
    for message in a {
      while let next = rest.first, next.id < message.id { result.append(rest.removeFirst()) }
      result.append(message)
    }
    return result + rest
  }
}

extension WindowDelta {
  /// Finds what turns `old` into `new`, which lies in a selection as `header` says.
  ///
  /// A message that is held no more was let go of if it lies beyond an end where the selection goes on, and has
  /// left the selection otherwise.
  init(from old: [Message], to new: [Message], header: WindowHeader) {
    self.header = header
    var rest = old[...]
    if let first = new.first {
      let older = rest.prefix { $0.id < first.id }
      if header.hasOlder { trimmedOlder = older.count } else { removed = older.map(\.id) }
      rest = rest.dropFirst(older.count)
    }
    for message in new {
      while let next = rest.first, next.id < message.id { removed.append(rest.removeFirst().id) }
      if let next = rest.first, next.id == message.id {
        if next.revision != message.revision { changed.append(message) }
        rest.removeFirst()
      } else {
        inserted.append(message)
      }
    }
    if header.hasNewer { trimmedNewer = rest.count } else { removed += rest.map(\.id) }
  }
}
