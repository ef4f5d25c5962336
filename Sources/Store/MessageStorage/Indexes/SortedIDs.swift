internal import MessageModel

/// Distinct message ids in one direction: from one index, or several joined. Pages, totals and ordinals of
/// several conditions walk such a list. Only the sources (``IndexIDs``, ``BlockIDs``, ``ThreadIDs``) know the
/// tables; ``UnionIDs`` and ``IntersectionIDs`` join any of them.
protocol SortedIDs: AnyObject {
  /// Returns the first id from `id` on. Calls never go back.
  func seek(_ id: Int64) throws -> SortedPlace

  /// Whether an id is listed, without reading beyond it. Calls never go back.
  func contains(_ id: Int64) throws -> Bool
}

extension SortedIDs {
  /// Calls `body` with each id from `id` on until it returns `false`.
  ///
  /// - Returns: The last id examined, if the budget is spent.
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

enum SortedPlace: Equatable {
  case id(Int64)
  /// The budget is spent, and nothing was found up to this id.
  case paused(Int64)
  case end
}

/// Counts the rows that a walk examines: entries of indexes, and tested messages.
final class RowBudget {
  private(set) var count = 0
  private let limit: Int

  init(_ limit: Int = .max) { self.limit = limit }

  var isSpent: Bool { count >= limit }

  var rest: Int { max(1, limit - count) }

  func spend(_ rows: Int) { count = count.adding(rows) }
}

extension PageReader.Direction {
  /// `nil` at the end of all ids.
  func next(_ id: Int64) -> Int64? {
    switch self {
    case .older: id == .min ? nil : id - 1
    case .newer: id == .max ? nil : id + 1
    }
  }

  func previous(_ id: Int64) -> Int64 {
    switch self {
    case .older: id == .max ? id : id + 1
    case .newer: id == .min ? id : id - 1
    }
  }

  func goes(from a: Int64, to b: Int64) -> Bool {
    switch self {
    case .older: a > b
    case .newer: a < b
    }
  }

  func ids(from id: Message.ID) -> ClosedRange<Message.ID> {
    switch self {
    case .older: .lowest...id
    case .newer: id ... .highest
    }
  }

  var order: String {
    switch self {
    case .older: "DESC"
    case .newer: "ASC"
    }
  }

  func rest(of range: ClosedRange<Int64>, from id: Int64) -> ClosedRange<Int64>? {
    switch self {
    case .older: id < range.lowerBound ? nil : range.lowerBound...min(id, range.upperBound)
    case .newer: id > range.upperBound ? nil : max(id, range.lowerBound)...range.upperBound
    }
  }
}
