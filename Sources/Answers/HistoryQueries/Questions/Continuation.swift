package import MessageModel

/// A way to go on: arguments beside those of the same question.
package struct Continuation: Encodable {
  /// The direction of a continuation.
  package enum Direction: String, Encodable {
    case older, newer, next
  }

  /// The key to change.
  package enum Change {
    case at(PageStart)
    case afterName(String)
    case afterSender(SenderPlace)
    case fromMessage(Message.ID)
    case beforeMessage(Message.ID)
    case textFrom(Int)
    case skip(Int)
  }

  private let direction: Direction
  private let change: Change

  /// Creates a way to go on.
  package init(_ direction: Direction, _ change: Change) {
    (self.direction, self.change) = (direction, change)
  }

  private enum CodingKeys: CodingKey { case direction, arguments }
  private enum ChangeKey: CodingKey { case at, after, before, from, textFrom, skip }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(direction, forKey: .direction)
    var arguments = container.nestedContainer(keyedBy: ChangeKey.self, forKey: .arguments)
    switch change {
    case .at(let start): try arguments.encode(start, forKey: .at)
    case .afterName(let name): try arguments.encode(name, forKey: .after)
    case .afterSender(let place): try arguments.encode(place, forKey: .after)
    case .beforeMessage(let id): try arguments.encode(id, forKey: .before)
    case .fromMessage(let id): try arguments.encode(id, forKey: .from)
    case .textFrom(let place): try arguments.encode(place, forKey: .textFrom)
    case .skip(let count): try arguments.encode(count, forKey: .skip)
    }
  }
}

extension [Continuation] {
  /// The way to what comes next; none if there is nothing.
  init(next change: Continuation.Change?) { self = change.map { [Continuation(.next, $0)] } ?? [] }
}
