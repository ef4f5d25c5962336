internal import GRDB
internal import MessageModel

final class UnionIDs: SortedIDs {
  private let lists: [any SortedIDs]
  private let direction: PageReader.Direction
  /// A binary heap of the unfinished lists, the nearest first; `nil` before the first call.
  private var heap: [(place: SortedPlace, list: Int)]?

  init(_ lists: [any SortedIDs], _ direction: PageReader.Direction) {
    (self.lists, self.direction) = (lists, direction)
  }

  func seek(_ id: Int64) throws -> SortedPlace {
    var heap = self.heap ?? []
    defer { self.heap = heap }
    if self.heap == nil {
      for list in lists.indices {
        let place = try lists[list].seek(id)
        if place != .end { heap.append((place, list)) }
      }
      for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index, in: &heap) }
    }
    while let first = heap.first, let place = first.place.number, direction.goes(from: place, to: id) {
      let next = try lists[first.list].seek(id)
      if next == .end {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
      } else {
        heap[0].place = next
      }
      sink(0, in: &heap)
    }
    return heap.first?.place ?? .end
  }

  func contains(_ id: Int64) throws -> Bool {
    for list in lists where try list.contains(id) { return true }
    return false
  }

  private func sink(_ start: Int, in heap: inout [(place: SortedPlace, list: Int)]) {
    var index = start
    while true {
      var nearest = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
        if isNearer(heap[child].place, heap[nearest].place) { nearest = child }
      }
      guard nearest != index else { return }
      heap.swapAt(index, nearest)
      index = nearest
    }
  }

  /// If a list paused at the id of another list's message, the message comes first.
  private func isNearer(_ a: SortedPlace, _ b: SortedPlace) -> Bool {
    guard let first = a.number, let second = b.number else { return b == .end && a != .end }
    if first == second, case .id = a, case .paused = b { return true }
    return direction.goes(from: first, to: second)
  }
}

/// The ids in all lists and in none of the excluded ones, whose messages pass a test. Each list seeks the
/// first id that the one before allows, skipping everything between.
final class IntersectionIDs: SortedIDs {
  private let lists: [any SortedIDs]
  private let excluded: [any SortedIDs]
  private let test: MessageTest?
  private let direction: PageReader.Direction
  private let rows: RowBudget
  private var last: (start: Int64, place: SortedPlace)?

  init(
    _ lists: [any SortedIDs], without excluded: [any SortedIDs], where test: MessageTest?,
    _ direction: PageReader.Direction, counting rows: RowBudget
  ) {
    (self.lists, self.excluded, self.test) = (lists, excluded, test)
    (self.direction, self.rows) = (direction, rows)
  }

  func seek(_ id: Int64) throws -> SortedPlace {
    if let last, !direction.goes(from: id, to: last.start) {
      guard let place = last.place.number else { return .end }
      if !direction.goes(from: place, to: id) { return last.place }
    }
    let place = try found(from: id)
    last = (id, place)
    return place
  }

  private func found(from id: Int64) throws -> SortedPlace {
    var candidate = id
    while true {
      switch try agreed(from: candidate) {
      case .id(let found): candidate = found
      case let other: return other
      }
      if try isMeant(candidate) { return .id(candidate) }
      if rows.isSpent { return .paused(candidate) }
      guard let next = direction.next(candidate) else { return .end }
      candidate = next
    }
  }

  private func agreed(from id: Int64) throws -> SortedPlace {
    var (candidate, agreeing, index) = (id, 0, 0)
    while agreeing < lists.count {
      switch try lists[index].seek(candidate) {
      case .id(let found) where found == candidate: agreeing += 1
      case .id(let found):
        (candidate, agreeing) = (found, 1)
        if rows.isSpent { return .paused(direction.previous(candidate)) }
      case let other: return other
      }
      index = index + 1 < lists.count ? index + 1 : 0
    }
    return .id(candidate)
  }

  private func isMeant(_ id: Int64) throws -> Bool {
    for list in excluded where try list.contains(id) { return false }
    guard let test else { return true }
    rows.spend(1)
    return try test.holds(for: id)
  }

  func contains(_ id: Int64) throws -> Bool {
    for list in lists where try !list.contains(id) { return false }
    return try isMeant(id)
  }
}

struct MessageTest {
  private let predicate: PredicateSQL
  private let statement: RawStatement

  init?(_ predicate: MessagePredicate, in db: Database) throws {
    let predicate = try PredicateSQL(predicate)
    guard let test = predicate.test else { return nil }
    self.predicate = predicate
    statement = try RawStatement(db, "SELECT 1 FROM message WHERE id = ?1 AND \(test)")
  }

  func holds(for id: Int64) throws -> Bool {
    statement.bind(id, at: 1)
    // Another test with the same SQL shares the statement with other values.
    predicate.bind(to: statement)
    return try statement.first { _ in true } ?? false
  }
}

extension SortedPlace {
  var number: Int64? {
    switch self {
    case .id(let id), .paused(let id): id
    case .end: nil
    }
  }
}
