internal import MessageModel

/// Ids of messages in one direction, each once: what one index lists, or several of them joined.
///
/// Pages, totals and ordinals of several conditions are walks along such a list. Which tables and indexes lie beneath is known to the
/// sources alone (``IndexIDs``, ``BlockIDs``, ``ThreadIDs``); ``UnionIDs`` and ``IntersectionIDs`` join any of them.
protocol SortedIDs: AnyObject {
  /// Returns the first id at `id` or beyond it in the direction. What is asked for never goes back.
  func seek(_ id: Int64) throws -> SortedPlace

  /// Returns whether an id is listed, without a look beyond it. What is asked for never goes back.
  func contains(_ id: Int64) throws -> Bool
}

extension SortedIDs {
  /// Calls `body` with each id from `id` on, until it answers `false`.
  ///
  /// - Returns: The last id that was looked at, if the budget is used up.
  func walk(
    _ direction: PageReader.Direction, from id: Message.ID, _ body: (Message.ID) throws -> Bool
  ) throws -> Message.ID? {
    var place: Int64? = id.rawValue
    while let start = place {
      switch try seek(start) {
      case .id(let found):
        guard try body(Message.ID(rawValue: found)) else { return nil }
        place = direction.next(found)
      case .paused(let last): return Message.ID(rawValue: last)
      case .end: return nil
      }
    }
    return nil
  }
}

/// A place in a list of ids.
enum SortedPlace: Equatable {
  case id(Int64)
  /// Nothing was found up to this id, itself included, and the budget of rows is used up.
  case paused(Int64)
  case end
}

/// The number of rows that a walk has looked at: entries of indexes, and messages that were asked for a condition.
final class RowBudget {
  private(set) var count = 0
  private let limit: Int

  init(_ limit: Int = .max) { self.limit = limit }

  /// Whether no more rows are to be looked at than it takes to say how far the walk came.
  var isSpent: Bool { count >= limit }

  /// The rows that are left, at least one.
  var rest: Int { max(1, limit - count) }

  func spend(_ rows: Int) { count = count.adding(rows) }
}

extension PageReader.Direction {
  /// Returns the id behind one in the direction; `nil` at the end of all ids.
  func next(_ id: Int64) -> Int64? {
    switch self {
    case .older: id == .min ? nil : id - 1
    case .newer: id == .max ? nil : id + 1
    }
  }

  /// Returns the id before one in the direction; the same at the end of all ids.
  func previous(_ id: Int64) -> Int64 {
    switch self {
    case .older: id == .max ? id : id + 1
    case .newer: id == .min ? id : id - 1
    }
  }

  /// Whether `a` comes before `b` in the direction.
  func goes(from a: Int64, to b: Int64) -> Bool {
    switch self {
    case .older: a > b
    case .newer: a < b
    }
  }

  /// Returns all ids from one on.
  func ids(from id: Message.ID) -> ClosedRange<Message.ID> {
    switch self {
    case .older: .lowest...id
    case .newer: id ... .highest
    }
  }

  /// The order of ids in SQL.
  var order: String {
    switch self {
    case .older: "DESC"
    case .newer: "ASC"
    }
  }

  /// Returns what is left of a range from an id on; `nil` if that is nothing.
  func rest(of range: ClosedRange<Int64>, from id: Int64) -> ClosedRange<Int64>? {
    switch self {
    case .older: id < range.lowerBound ? nil : range.lowerBound...min(id, range.upperBound)
    case .newer: id > range.upperBound ? nil : max(id, range.lowerBound)...range.upperBound
    }
  }
}
